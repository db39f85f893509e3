//! The example in plain C, compiled and played through the ABI, against the rules
//! and the values of an independent implementation here.

use std::collections::HashMap;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use libloading::{Library, Symbol};
use qiju_abi::*;

// ---- Hexapawn, written a second time ---------------------------------------

/// A position: rows from the top, `None` for an empty square.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Position {
    rows: Vec<Vec<Option<u16>>>,
    turn: u16,
}

type Square = (usize, usize);

impl Position {
    fn start(side: usize) -> Self {
        let mut rows = vec![vec![None; side]; side];
        rows[0].fill(Some(1));
        rows[side - 1].fill(Some(0));
        Self { rows, turn: 0 }
    }

    fn at(&self, row: isize, column: isize) -> Option<Option<u16>> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// Steps as (from, to), by from and then by to.
    fn steps(&self) -> Vec<(Square, Square)> {
        let mut steps = Vec::new();
        let forward: isize = if self.turn == 0 { -1 } else { 1 };
        for (r, row) in self.rows.iter().enumerate() {
            for (c, square) in row.iter().enumerate() {
                if *square != Some(self.turn) || self.has_won(1 - self.turn) {
                    continue;
                }
                for across in [-1, 0, 1] {
                    let to = (r as isize + forward, c as isize + across);
                    let wanted = if across == 0 {
                        None
                    } else {
                        Some(1 - self.turn)
                    };
                    if self.at(to.0, to.1) == Some(wanted) {
                        steps.push(((r, c), (to.0 as usize, to.1 as usize)));
                    }
                }
            }
        }
        steps
    }

    fn after(&self, (from, to): (Square, Square)) -> Self {
        let mut next = self.clone();
        next.rows[to.0][to.1] = next.rows[from.0][from.1].take();
        next.turn = 1 - self.turn;
        next
    }

    fn has_won(&self, player: u16) -> bool {
        let goal = if player == 0 { 0 } else { self.rows.len() - 1 };
        self.rows[goal].contains(&Some(player))
    }

    /// Whether the player to move wins.
    fn wins(&self, known: &mut HashMap<Position, bool>) -> bool {
        if let Some(&wins) = known.get(self) {
            return wins;
        }
        let wins = self
            .steps()
            .into_iter()
            .any(|step| !self.after(step).wins(known));
        known.insert(self.clone(), wins);
        wins
    }
}

// ---- The plugin --------------------------------------------------------------

fn compiled() -> PathBuf {
    static FILE: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    FILE.get_or_init(compile).clone()
}

/// Compiles the example as its README says.
fn compile() -> PathBuf {
    let abi = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libhexapawn.so");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(&compiler)
        .args([
            "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I",
        ])
        .arg(abi.join("include"))
        .arg("-o")
        .arg(&file)
        .arg(abi.join("../examples/hexapawn/hexapawn.c"))
        .output()
        .unwrap_or_else(|error| {
            panic!("{compiler:?} cannot be run ({error}): on Debian, install the package gcc")
        });
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    file
}

fn game() -> &'static GamePlugin {
    // SAFETY: the library is our own example; it has no constructors.
    let library = unsafe { Library::new(compiled()) }.expect("the example loads");
    // A library that was loaded once is never unloaded.
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: the symbol has the type that the ABI gives it.
    let entry: Symbol<'static, GamePluginEntryFn> =
        unsafe { library.get(GP_ENTRY_SYMBOL) }.expect("the example exports its entry");
    // SAFETY: entry and vtable live as long as the library, which is forever.
    unsafe {
        let entry = &*entry();
        assert_eq!(
            (entry.magic, entry.abi_major, entry.count),
            (GP_MAGIC, GP_ABI_MAJOR, 1)
        );
        assert_eq!(entry.size as usize, size_of::<GamePluginEntry>());
        let plugin = entry.plugin.expect("a function");
        assert!(plugin(1).is_null());
        let game = &*plugin(0);
        assert_eq!(game.size as usize, size_of::<GamePlugin>());
        game
    }
}

fn borrowed(text: &str) -> GpStr {
    GpStr {
        ptr: text.as_ptr(),
        len: text.len() as u64,
    }
}

/// Runs a call that writes text.
fn text_of(call: impl FnOnce(*mut GpText) -> i32) -> (i32, String) {
    let mut bytes = vec![0; 4096];
    let mut text = GpText {
        ptr: bytes.as_mut_ptr(),
        cap: bytes.len() as u64,
        len: 0,
    };
    let code = call(&raw mut text);
    bytes.truncate(text.len as usize);
    (code, String::from_utf8(bytes).expect("UTF-8"))
}

/// A state that is destroyed at its end.
struct State {
    game: &'static GamePlugin,
    raw: GpState,
}

impl State {
    fn new(game: &'static GamePlugin, options: &str) -> Result<Self, (i32, String)> {
        let mut raw = ptr::null_mut();
        // SAFETY: all pointers are valid for the call.
        let (code, why) = text_of(|err| unsafe {
            game.create.expect("create")(borrowed(options), 1, borrowed("en"), &raw mut raw, err)
        });
        if code == GP_OK {
            Ok(Self { game, raw })
        } else {
            Err((code, why))
        }
    }

    fn after(&self, mv: GpMove) -> Self {
        let mut raw: GpState = ptr::null_mut();
        // SAFETY: the state is alive.
        let code = unsafe { self.game.clone.expect("clone")(self.raw, &raw mut raw) };
        assert_eq!(code, GP_OK);
        let next = Self {
            game: self.game,
            raw,
        };
        // SAFETY: the clone is alive, and `events` may be null.
        let code = unsafe { self.game.apply.expect("apply")(raw, mv, ptr::null_mut()) };
        assert_eq!(code, GP_OK);
        next
    }

    fn moves(&self) -> Vec<GpMove> {
        let empty = GpMove {
            kind: 0,
            from: 0,
            to: 0,
            arg: 0,
        };
        let mut list = vec![empty; 64];
        let mut need = 0;
        let (out, cap) = (list.as_mut_ptr(), list.len() as u64);
        // SAFETY: the state is alive, and the list has room for `cap` moves.
        let code =
            unsafe { self.game.moves.expect("moves")(self.raw, GP_NONE, out, cap, &raw mut need) };
        assert_eq!(code, GP_OK);
        list.truncate(need as usize);
        list
    }

    fn pieces(&self) -> Vec<u16> {
        let mut cells = vec![GpCell::default(); 16];
        let mut need = 0;
        let (out, cap) = (cells.as_mut_ptr(), cells.len() as u64);
        let view = self.game.view.expect("view");
        // SAFETY: the state is alive, and the array has room for `cap` cells.
        let code = unsafe { view(self.raw, GP_VIEWER_PUBLIC, GP_NONE, out, cap, &raw mut need) };
        assert_eq!(code, GP_OK);
        cells.truncate(need as usize);
        cells.into_iter().map(|cell| cell.piece).collect()
    }

    fn status(&self) -> GpStatus {
        let mut status = GpStatus {
            size: size_of::<GpStatus>() as u32,
            phase: 0,
            flags: 0,
            outcome: 0,
            reason: 0,
            to_move: 0,
            winner: 0,
            timeout_ms: 0,
            score: [0; GP_MAX_PLAYERS],
            captures: [0; GP_MAX_PLAYERS],
            lives: 0,
            streak: 0,
            move_number: 0,
            reserved: 0,
            key: 0,
        };
        // SAFETY: the state is alive, and the struct is as large as it says.
        let code = unsafe { self.game.status.expect("status")(self.raw, &raw mut status) };
        assert_eq!(code, GP_OK);
        status
    }

    /// The answer of a level, its chance to win, and the nodes it took.
    fn search(&self, level: u32, seed: u64) -> (GpMove, i32, u64) {
        let params = GpAiParams {
            size: size_of::<GpAiParams>() as u32,
            level,
            threads: 1,
            flags: 0,
            seed,
            node_limit: 0,
            time_ms: 0,
            player: self.status().to_move,
            candidates: 0,
            reserved: 0,
        };
        let mut job: *mut c_void = ptr::null_mut();
        let start = self.game.ai_start.expect("ai_start");
        // SAFETY: the state is alive, and `err` may be null.
        let code = unsafe { start(self.raw, &raw const params, &raw mut job, ptr::null_mut()) };
        assert_eq!(code, GP_OK);
        let mut report = GpAiReport {
            size: size_of::<GpAiReport>() as u32,
            candidates_cap: 0,
            candidates_len: 0,
            line_cap: 0,
            line_len: 0,
            heat_cap: 0,
            heat_len: 0,
            win_permille: 0,
            best: GpMove {
                kind: 0,
                from: 0,
                to: 0,
                arg: 0,
            },
            nodes: 0,
            depth: 0,
            reserved: 0,
            candidates: ptr::null_mut(),
            line: ptr::null_mut(),
            heat: ptr::null_mut(),
        };
        // SAFETY: the job is alive until it is freed here, and the report is as large as it says.
        unsafe {
            while self.game.ai_step.expect("ai_step")(job, 1000, &raw mut report) == GP_MORE {}
            self.game.ai_free.expect("ai_free")(job);
        }
        (report.best, report.win_permille, report.nodes)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: the state is alive, and nobody uses it after this.
        unsafe { self.game.destroy.expect("destroy")(self.raw) };
    }
}

/// A step between squares as the plugin counts them.
fn as_move(side: usize, (from, to): (Square, Square)) -> GpMove {
    let cell = |(row, column): Square| (row * side + column) as u16;
    GpMove {
        kind: GP_MOVE_STEP,
        from: cell(from),
        to: cell(to),
        arg: 0,
    }
}

/// Visits every position that can be reached, once, on both sides of the border.
fn walk(
    state: &State,
    position: &Position,
    seen: &mut HashMap<u64, Position>,
    look: &mut impl FnMut(&State, &Position),
) {
    if let Some(before) = seen.insert(state.status().key, position.clone()) {
        assert_eq!(before, *position, "two positions have one key");
        return;
    }
    look(state, position);
    for step in position.steps() {
        let next = state.after(as_move(position.rows.len(), step));
        walk(&next, &position.after(step), seen, look);
    }
}

#[test]
fn every_position_has_the_moves_and_the_outcome_of_the_rules() {
    let game = game();
    for side in [3, 4] {
        let state = State::new(game, &format!("size = {side}")).expect("a game");
        let (mut seen, mut ended) = (HashMap::new(), 0);
        walk(
            &state,
            &Position::start(side),
            &mut seen,
            &mut |state, position| {
                let expected: Vec<GpMove> = position
                    .steps()
                    .into_iter()
                    .map(|step| as_move(side, step))
                    .collect();
                assert_eq!(state.moves(), expected, "{position:?}");
                let pieces: Vec<u16> = position
                    .rows
                    .iter()
                    .flatten()
                    .map(|square| square.map_or(0, |player| player + 1))
                    .collect();
                assert_eq!(state.pieces(), pieces);
                let status = state.status();
                if expected.is_empty() {
                    ended += 1;
                    let reached = position.has_won(1 - position.turn);
                    let reason = if reached { 1000 } else { GP_REASON_NO_MOVES };
                    assert_eq!(
                        (status.outcome, status.winner),
                        (GP_OUTCOME_WIN, 1 - position.turn)
                    );
                    assert_eq!((status.reason, status.to_move), (reason, GP_NONE));
                } else {
                    assert_eq!(
                        (status.outcome, status.to_move),
                        (GP_OUTCOME_RUNNING, position.turn)
                    );
                }
            },
        );
        println!(
            "side {side}: {} positions, {ended} of them ends",
            seen.len()
        );
        assert!(seen.len() > 100 && ended > 10);
    }
}

/// Gardner's result: on 3 by 3 whoever moves second wins.
#[test]
fn the_top_level_plays_every_small_position_right() {
    let game = game();
    let mut known = HashMap::new();
    assert!(!Position::start(3).wins(&mut known));
    let state = State::new(game, "").expect("a game");
    let mut searched = 0;
    walk(
        &state,
        &Position::start(3),
        &mut HashMap::new(),
        &mut |state, position| {
            let steps = position.steps();
            if steps.is_empty() {
                return;
            }
            searched += 1;
            let (best, win_permille, _) = state.search(2, searched);
            let wins = position.wins(&mut known);
            assert_eq!(win_permille, if wins { 1000 } else { 0 }, "{position:?}");
            let step = steps
                .into_iter()
                .find(|step| as_move(3, *step) == best)
                .expect("a legal move");
            assert_eq!(!position.after(step).wins(&mut known), wins, "{position:?}");
        },
    );
    assert_eq!(searched, 70, "the positions in which somebody is to move");
}

#[test]
fn the_top_level_solves_the_larger_board() {
    let wins = Position::start(4).wins(&mut HashMap::new());
    let state = State::new(game(), "size = 4").expect("a game");
    let (_, win_permille, nodes) = state.search(2, 1);
    println!(
        "side 4: the first player {}, {nodes} nodes",
        if wins { "wins" } else { "loses" }
    );
    assert_eq!(win_permille, if wins { 1000 } else { 0 });
}

#[test]
fn lower_levels_err_by_the_seed_and_only_by_it() {
    let state = State::new(game(), "size = 4").expect("a game");
    let answers =
        |level| -> Vec<GpMove> { (0..40).map(|seed| state.search(level, seed).0).collect() };
    let (beginner, perfect) = (answers(0), answers(2));
    assert_eq!(beginner, answers(0));
    let differ = beginner
        .iter()
        .zip(&perfect)
        .filter(|(one, other)| one != other)
        .count();
    assert!((5..36).contains(&differ), "{differ} of 40");
}

#[test]
fn options_are_read_and_wrong_ones_refused_by_name() {
    let game = game();
    for (options, cells) in [
        ("", 9),
        ("size = 3", 9),
        ("size = 4\n", 16),
        ("\n# a comment\n  size=4 # four\r\n", 16),
        (
            "other = \"size = 9 \\\" #\"\nlist = [1, 2]\nsize = 4\nx = 1.5e3",
            16,
        ),
    ] {
        let state =
            State::new(game, options).unwrap_or_else(|error| panic!("{options:?}: {error:?}"));
        assert_eq!(state.pieces().len(), cells, "{options:?}");
    }
    for (options, code, word) in [
        ("size = 2", GP_E_OPTION, "size"),
        ("size = 5", GP_E_OPTION, "size"),
        ("size = 99999999999999999999", GP_E_OPTION, "size"),
        ("size = \"4\"", GP_E_OPTION, "size"),
        ("size = [4]", GP_E_OPTION, "size"),
        ("size = 4.0", GP_E_OPTION, "size"),
        ("size = true", GP_E_OPTION, "size"),
        ("size =", GP_E_PARSE, "line 1"),
        ("\nsize 4", GP_E_PARSE, "line 2"),
        ("x = \"abc", GP_E_PARSE, "line 1"),
        ("x = \"abc\\", GP_E_PARSE, "line 1"),
        ("x = [1", GP_E_PARSE, "line 1"),
        ("size = 4 size = 3", GP_E_PARSE, "line 1"),
    ] {
        let (got, why) = State::new(game, options)
            .err()
            .unwrap_or_else(|| panic!("{options:?} was taken"));
        assert_eq!(got, code, "{options:?}: {why}");
        assert!(why.contains(word), "{options:?}: {why}");
    }
    // Not UTF-8, overlong, a surrogate, cut short.
    for bad in [
        &b"\xff"[..],
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"#\xe5\x8d",
        b"\x80",
    ] {
        assert!(std::str::from_utf8(bad).is_err());
        let mut raw = ptr::null_mut();
        let options = GpStr {
            ptr: bad.as_ptr(),
            len: bad.len() as u64,
        };
        // SAFETY: all pointers are valid for the call, and `err` may be null.
        let code = unsafe {
            game.create.expect("create")(options, 1, borrowed("zh"), &raw mut raw, ptr::null_mut())
        };
        assert_eq!(code, GP_E_ARGUMENT, "{bad:?}");
    }
}
