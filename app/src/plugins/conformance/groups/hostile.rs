//! A caller that makes mistakes gets an error code, and never a crash.

use std::ffi::c_void;

use qiju_abi::{
    GP_E_ARGUMENT, GP_E_UNSUPPORTED, GP_NONE, GP_VIEWER_PUBLIC, GpAiParams, GpMove, GpStatus,
    GpStr, GpText,
};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::Check;
use crate::plugins::buffer::{borrowed, borrowed_bytes};
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Subject, ensure, passed, skipped,
};
use crate::plugins::game::{empty_status, no_move};
use crate::plugins::{Game, GameError, Lang};

pub const CHECKS: &[Check] = &[
    ("hostile/null", null),
    ("hostile/null-ai", null_ai),
    ("hostile/not-utf8", not_utf8),
    ("hostile/numbers", numbers),
    ("hostile/move-texts", move_texts),
    ("hostile/options", options),
    ("hostile/records", records),
];

/// Texts of random bytes tried with each function.
const TEXTS: u32 = 300;
/// Bytes of the longest text.
const LONG: usize = 200_000;

/// Checks the codes of calls, all of which must be `GP_E_ARGUMENT`.
fn all_refused(codes: &[(&str, i32)]) -> Result<(), Fault> {
    match codes.iter().find(|(_, code)| *code != GP_E_ARGUMENT) {
        Some((call, code)) => Err(Fault(format!(
            "{call} gives code {code} instead of GP_E_ARGUMENT ({GP_E_ARGUMENT})"
        ))),
        None => Ok(()),
    }
}

/// Text that claims bytes where there are none.
const NOWHERE: GpStr = GpStr {
    ptr: std::ptr::null(),
    len: 5,
};

/// Null where a pointer is needed.
fn null(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let before = Picture::of(subject, &game, 0)?;
    let vtable = *game.plugin().vtable();
    let state = game.raw();
    let nothing: *mut c_void = std::ptr::null_mut();
    let en = borrowed("en");
    let empty = borrowed("");
    let mut bytes = vec![0_u8; 64 * 1024];
    let mut text = GpText {
        ptr: bytes.as_mut_ptr(),
        cap: bytes.len() as u64,
        len: 0,
    };
    let out = &raw mut text;
    let no_text: *mut GpText = std::ptr::null_mut();
    let mut made = std::ptr::null_mut();
    let mut need = 0_u64;
    let need_out = &raw mut need;
    let mut events = 0_u32;
    let mut status = empty_status();
    let mut mv = no_move();
    let cells = game.cells() as u64;
    let null_cells = std::ptr::null_mut();
    let null_moves: *mut GpMove = std::ptr::null_mut();
    // SAFETY: every pointer is null, which the ABI asks games to refuse, or valid for the call;
    // the state is alive.
    let codes = unsafe {
        [
            ("describe(null out)", (vtable.describe)(en, no_text)),
            ("describe(null lang)", (vtable.describe)(NOWHERE, out)),
            (
                "create(null out)",
                (vtable.create)(empty, 1, en, std::ptr::null_mut(), out),
            ),
            (
                "create(null options)",
                (vtable.create)(NOWHERE, 1, en, &raw mut made, out),
            ),
            ("clone(null)", (vtable.clone)(nothing, &raw mut made)),
            (
                "clone(null out)",
                (vtable.clone)(state, std::ptr::null_mut()),
            ),
            ("layout(null)", (vtable.layout)(nothing, en, out)),
            ("layout(null out)", (vtable.layout)(state, en, no_text)),
            (
                "view(null)",
                (vtable.view)(nothing, 0, GP_NONE, null_cells, 0, need_out),
            ),
            (
                "view(null need)",
                (vtable.view)(state, 0, GP_NONE, null_cells, 0, std::ptr::null_mut()),
            ),
            (
                "view(null out)",
                (vtable.view)(state, 0, GP_NONE, null_cells, cells, need_out),
            ),
            ("status(null)", (vtable.status)(nothing, &raw mut status)),
            (
                "status(null out)",
                (vtable.status)(state, std::ptr::null_mut::<GpStatus>()),
            ),
            (
                "status_text(null)",
                (vtable.status_text)(nothing, 0, en, out),
            ),
            (
                "status_text(null out)",
                (vtable.status_text)(state, 0, en, no_text),
            ),
            (
                "moves(null)",
                (vtable.moves)(nothing, GP_NONE, null_moves, 0, need_out),
            ),
            (
                "moves(null need)",
                (vtable.moves)(state, GP_NONE, null_moves, 0, std::ptr::null_mut()),
            ),
            (
                "moves(null out)",
                (vtable.moves)(state, GP_NONE, null_moves, 65_536, need_out),
            ),
            (
                "apply(null)",
                (vtable.apply)(nothing, no_move(), &raw mut events),
            ),
            (
                "explain(null)",
                (vtable.explain)(nothing, no_move(), en, out),
            ),
            (
                "explain(null out)",
                (vtable.explain)(state, no_move(), en, no_text),
            ),
            (
                "move_text(null)",
                (vtable.move_text)(nothing, no_move(), out),
            ),
            (
                "move_text(null out)",
                (vtable.move_text)(state, no_move(), no_text),
            ),
            (
                "parse_move(null)",
                (vtable.parse_move)(nothing, empty, &raw mut mv, out),
            ),
            (
                "parse_move(null text)",
                (vtable.parse_move)(state, NOWHERE, &raw mut mv, out),
            ),
            (
                "parse_move(null out)",
                (vtable.parse_move)(state, empty, std::ptr::null_mut(), out),
            ),
            (
                "move_label(null)",
                (vtable.move_label)(nothing, no_move(), en, out),
            ),
            (
                "move_label(null out)",
                (vtable.move_label)(state, no_move(), en, no_text),
            ),
        ]
    };
    all_refused(&codes)?;
    ensure!(made.is_null(), "a refused create or clone gives a state");
    // SAFETY: the ABI lets null be ignored.
    unsafe { (vtable.destroy)(nothing) };
    let optional = optional_null_codes(&game, out, need_out);
    if let Some((call, code)) = optional
        .iter()
        .find(|(_, code)| ![GP_E_ARGUMENT, GP_E_UNSUPPORTED].contains(code))
    {
        return Err(Fault(format!("{call} gives code {code}")));
    }
    match before.difference(&Picture::of(subject, &game, 0)?) {
        Some(what) => Err(Fault(format!("after refused calls {what}"))),
        None => passed(format!("{} calls", codes.len() + optional.len() + 1)),
    }
}

/// The optional functions with null, as far as the game has them.
fn optional_null_codes(game: &Game, out: *mut GpText, need: *mut u64) -> Vec<(&'static str, i32)> {
    let vtable = game.plugin().vtable();
    let state = game.raw();
    let nothing: *mut c_void = std::ptr::null_mut();
    let no_text: *mut GpText = std::ptr::null_mut();
    let en = borrowed("en");
    let empty = borrowed("");
    let mut codes = Vec::new();
    // SAFETY: every pointer is null, which the ABI asks games to refuse, or valid for the call;
    // the state is alive.
    unsafe {
        if let Some(overlay) = vtable.overlay {
            codes.push((
                "overlay(null)",
                overlay(nothing, 0, 0, std::ptr::null_mut(), 0, need),
            ));
            let no_need = std::ptr::null_mut();
            codes.push((
                "overlay(null need)",
                overlay(state, 0, 0, std::ptr::null_mut(), 0, no_need),
            ));
        }
        if let Some(level) = vtable.level {
            codes.push(("level(null out)", level(0, en, no_text)));
        }
        if let Some(tally) = vtable.tally {
            codes.extend([
                ("tally(null)", tally(nothing, 0, en, out)),
                ("tally(null out)", tally(state, 0, en, no_text)),
            ]);
        }
        if let Some(level_result) = vtable.level_result {
            codes.push((
                "level_result(null)",
                level_result(nothing, 0, 0, std::ptr::null_mut()),
            ));
            codes.push((
                "level_result(null out)",
                level_result(state, 0, 0, std::ptr::null_mut()),
            ));
        }
        if let Some(write) = vtable.write_record {
            codes.push(("write_record(null format)", write(NOWHERE, empty, out, out)));
            codes.push((
                "write_record(null record)",
                write(en, NOWHERE, out, no_text),
            ));
        }
        if let Some(read) = vtable.read_record {
            codes.push((
                "read_record(null format)",
                read(NOWHERE, empty, out, no_text),
            ));
            codes.push(("read_record(null bytes)", read(en, NOWHERE, out, no_text)));
        }
    }
    codes
}

/// Null where the search needs a pointer.
fn null_ai(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let ai = game.plugin().vtable().ai;
    let Some(ai) = ai.filter(|_| subject.plugin.has_ai()) else {
        return skipped("the game has no opponent");
    };
    let state = game.raw();
    let nothing: *mut c_void = std::ptr::null_mut();
    let mut job = std::ptr::null_mut();
    let params = GpAiParams {
        size: size_of::<GpAiParams>() as u32,
        level: 0,
        threads: 1,
        flags: 0,
        seed: 1,
        node_limit: 10,
        time_ms: 0,
        player: 0,
        candidates: 0,
        reserved: 0,
    };
    let err = std::ptr::null_mut();
    let no_report = std::ptr::null_mut();
    // SAFETY: every pointer is null, which the ABI asks games to refuse, or valid for the call;
    // the state is alive.
    unsafe {
        all_refused(&[
            (
                "ai_start(null)",
                (ai.start)(nothing, &raw const params, &raw mut job, err),
            ),
            (
                "ai_start(null params)",
                (ai.start)(state, std::ptr::null(), &raw mut job, err),
            ),
            (
                "ai_start(null out)",
                (ai.start)(state, &raw const params, std::ptr::null_mut(), err),
            ),
            ("ai_step(null)", (ai.step)(nothing, 1, no_report)),
        ])?;
        (ai.cancel)(nothing);
        (ai.free)(nothing);
    }
    ensure!(job.is_null(), "a refused ai_start gives a job");
    if game.status()?.to_move != 0 {
        return passed("6 calls");
    }
    // SAFETY: as above; the job is freed once and not used after that.
    unsafe {
        let code = (ai.start)(state, &raw const params, &raw mut job, err);
        ensure!(code == qiju_abi::GP_OK, "ai_start gives code {code}");
        let code = (ai.step)(job, 1, no_report);
        (ai.free)(job);
        all_refused(&[("ai_step(null report)", code)])?;
    }
    passed("8 calls")
}

/// Text that is not UTF-8 is refused, and nothing is made of it.
fn not_utf8(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let vtable = game.plugin().vtable();
    let (bad, en) = (borrowed_bytes(b"a\xff\xc3"), borrowed("en"));
    let mut made = std::ptr::null_mut();
    let mut mv = no_move();
    let err = std::ptr::null_mut();
    let state = game.raw().cast_const();
    // SAFETY: all pointers are valid for the call or an error text, which may be null.
    let codes = unsafe {
        [
            (
                "create with options that are not UTF-8",
                (vtable.create)(bad, 1, en, &raw mut made, err),
            ),
            (
                "create with a language that is not UTF-8",
                (vtable.create)(borrowed(""), 1, bad, &raw mut made, err),
            ),
            (
                "parse_move with text that is not UTF-8",
                (vtable.parse_move)(state, bad, &raw mut mv, err),
            ),
        ]
    };
    all_refused(&codes)?;
    ensure!(made.is_null(), "a refused create gives a state");
    passed(format!("{} calls", codes.len()))
}

/// Answers to nonsense may be anything but a failure inside or a broken promise.
fn harmless<T>(call: &str, result: Result<T, GameError>) -> Result<(), Fault> {
    match result {
        Err(error @ (GameError::Panicked | GameError::BadOutput(_) | GameError::Resource)) => {
            Err(Fault(format!("{call}: {error}")))
        }
        _ => Ok(()),
    }
}

/// Viewers, cells, moves, overlays and levels that there are not.
fn numbers(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    let ladder = subject.describe().ladder;
    subject.walk("hostile/numbers", |position| {
        let game = position.game;
        let mut wild = || -> u16 {
            match position.rng.random_ratio(1, 4) {
                true => GP_VIEWER_PUBLIC - 1,
                false => position.rng.random(),
            }
        };
        let before = Picture::of(subject, game, 0)?;
        for _ in 0..4 {
            tried += 1;
            let (a, b, c, d) = (wild(), wild(), wild(), wild());
            let mv = GpMove {
                kind: a,
                from: b,
                to: c,
                arg: d,
            };
            harmless("view", game.view(a, Some(b)))?;
            harmless("moves", game.moves(Some(a)))?;
            harmless("status_text", game.status_text(a, Lang::Zh))?;
            harmless("tally", game.tally(a, Lang::Zh))?;
            harmless("explain", game.explain(mv, Lang::Zh))?;
            harmless("move_text", game.move_text(mv))?;
            harmless("move_label", game.move_label(mv, Lang::Zh))?;
            harmless("overlay", game.overlay(u32::from(b), a))?;
            harmless(
                "level",
                subject
                    .plugin
                    .level(ladder.saturating_add(b.into()), Lang::Zh),
            )?;
            harmless("level_result", game.level_result(u32::from(b), a))?;
        }
        match before.difference(&Picture::of(subject, game, 0)?) {
            Some(what) => Err(Fault(format!("after nonsense {what}"))),
            None => Ok(()),
        }
    })?;
    passed(format!("{tried} times"))
}

/// Random bytes, or a good text with some of its bytes changed, dropped or doubled.
fn random_bytes(good: &[u8], number: u32, rng: &mut StdRng) -> Vec<u8> {
    if number == 0 {
        return Vec::new();
    }
    if number == 1 {
        return good.iter().copied().cycle().take(LONG).collect();
    }
    let mut bytes = match rng.random_ratio(3, 4) && !good.is_empty() {
        true => good.to_vec(),
        false => (0..rng.random_range(1..40)).map(|_| rng.random()).collect(),
    };
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..=bytes.len());
        match rng.random_range(0..4) {
            0 => bytes.insert(at, rng.random()),
            1 => bytes.insert(at, rng.random_range(b'0'..=b'9')),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.extend_from_within(at..),
        }
    }
    bytes
}

/// Texts that are no moves.
fn move_texts(subject: &Subject<'_>) -> Checked {
    let game = subject.default_game(1)?;
    let good: Vec<String> = game
        .moves(None)?
        .into_iter()
        .map(|mv| game.move_text(mv))
        .collect::<Result<_, _>>()?;
    let mut rng = subject.rng("hostile/move-texts", 0);
    let mut read = 0;
    for number in 0..TEXTS {
        let good = good.choose(&mut rng).map_or("", String::as_str);
        let bytes = random_bytes(good.as_bytes(), number, &mut rng);
        let shown = || String::from_utf8_lossy(bytes.get(..40).unwrap_or(&bytes)).into_owned();
        match game.parse_move_bytes(&bytes) {
            Ok(mv) => {
                read += 1;
                harmless("move_text", game.move_text(mv))?;
                harmless("explain", game.explain(mv, Lang::En))?;
            }
            Err(GameError::Parse(_)) => {}
            Err(GameError::Argument(_)) if std::str::from_utf8(&bytes).is_err() => {}
            Err(error) => {
                return Err(Fault(format!("the move text {:?} gives: {error}", shown())));
            }
        }
    }
    passed(format!("{TEXTS} texts, {read} of them read"))
}

/// Options that are no options.
fn options(subject: &Subject<'_>) -> Checked {
    let good: toml::Table = subject
        .describe()
        .options
        .iter()
        .map(|spec| (spec.key.clone(), spec.default.clone()))
        .collect();
    let good = good.to_string();
    let mut rng = subject.rng("hostile/options", 0);
    for number in 0..TEXTS {
        let bytes = random_bytes(good.as_bytes(), number, &mut rng);
        let text = String::from_utf8_lossy(&bytes);
        match Game::create(&subject.plugin, &text, 1, Lang::En) {
            Ok(_) | Err(GameError::Option(_) | GameError::Parse(_)) => {}
            Err(error) => return Err(Fault(format!("the options {text:?} give: {error}"))),
        }
    }
    passed(format!("{TEXTS} texts"))
}

/// Files that are no records.
fn records(subject: &Subject<'_>) -> Checked {
    let formats = &subject.describe().formats;
    if formats.is_empty() {
        return skipped("there are no record formats");
    }
    let mut rng = subject.rng("hostile/records", 0);
    for format in formats.iter().filter(|format| format.read) {
        for number in 0..TEXTS {
            let bytes = random_bytes(format.id.as_bytes(), number, &mut rng);
            if let Err(refusal) = subject.plugin.read_record(&format.id, &bytes) {
                ensure!(
                    !refusal.to_string().trim().is_empty(),
                    "a bad {} file is refused without a reason",
                    format.id
                );
                harmless::<()>("read_record", Err(refusal.error))?;
            }
        }
    }
    for format in formats.iter().filter(|format| format.write) {
        for number in 0..TEXTS {
            let bytes = random_bytes(b"moves = [\"a\"]\n", number, &mut rng);
            let text = String::from_utf8_lossy(&bytes);
            harmless(
                "write_record",
                subject.plugin.write_record(&format.id, &text),
            )?;
        }
    }
    let unknown = subject.plugin.read_record("no-such-format", b"x");
    ensure!(unknown.is_err(), "an unknown record format is read");
    passed(format!("{} formats", formats.len()))
}
