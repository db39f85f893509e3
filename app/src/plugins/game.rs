//! One state of a game, behind safe methods.
//!
//! Nothing that a game answers is believed unseen: lengths, cells, players and
//! text are checked here, so that the rest of the shell can rely on them.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use qiju_abi::{
    GP_MOVE_PLACE, GP_NONE, GP_OUTCOME_FAILED, GP_OUTCOME_WIN, GpCell, GpLevelResult, GpMove,
    GpStatus,
};

use super::buffer::{self, ErrorText, borrowed, check, failure};
use super::layout::MAX_CELLS;
use super::{AiParams, GameError, Job, Lang, Layout, Plugin, Tally};

/// Room for moves at first; games with more legal moves are asked again.
const FIRST_MOVES: usize = 512;

/// One state of a game. Dropping it ends the state's life in the library.
///
/// A game that panicked once is given up: every later call gives
/// [`GameError::Panicked`].
pub struct Game {
    plugin: Plugin,
    state: State,
    board: Board,
    panicked: AtomicBool,
}

/// The library's pointer to a state.
struct State(NonNull<c_void>);

// SAFETY: by the ABI a state may be used from any thread, one call at a time
// where the call changes it; `Game` gives such calls `&mut self` only.
unsafe impl Send for State {}
// SAFETY: by the ABI calls that do not change a state may run beside each other.
unsafe impl Sync for State {}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game")
            .field("id", &self.plugin.id())
            .finish_non_exhaustive()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        // SAFETY: the state is alive and nobody else uses it; it is not used after this.
        unsafe { (self.plugin.vtable().destroy)(self.state.0.as_ptr()) };
    }
}

impl Game {
    /// A new state from options as TOML text.
    pub(super) fn create(
        plugin: &Plugin,
        options: &str,
        seed: u64,
        lang: Lang,
    ) -> Result<Self, GameError> {
        let mut err = ErrorText::new();
        let mut state = std::ptr::null_mut();
        // SAFETY: the function is the library's own, and all pointers are valid for the call.
        let code = unsafe {
            (plugin.vtable().create)(
                borrowed(options),
                seed,
                borrowed(lang.tag()),
                &raw mut state,
                err.as_out(),
            )
        };
        let mut game = Self::adopt(plugin, "create", code, state, &err)?;
        game.board.cells = game.layout_text(lang)?.cells();
        Ok(game)
    }

    /// Takes over what `create` or `clone` gave, or says why there is nothing.
    fn adopt(
        plugin: &Plugin,
        call: &str,
        code: i32,
        state: *mut c_void,
        err: &ErrorText,
    ) -> Result<Self, GameError> {
        if code != qiju_abi::GP_OK {
            return Err(failure(call, code, &err.read()));
        }
        let state = NonNull::new(state)
            .ok_or_else(|| GameError::BadOutput(format!("{call} gave no state")))?;
        Ok(Self {
            plugin: plugin.clone(),
            state: State(state),
            board: Board { cells: 0 },
            panicked: AtomicBool::new(false),
        })
    }

    /// The game that this is a state of.
    pub fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    pub(super) fn raw(&self) -> *mut c_void {
        self.state.0.as_ptr()
    }

    /// Number of cells of all areas of the layout.
    pub fn cells(&self) -> usize {
        self.board.cells
    }

    pub(super) fn board(&self) -> Board {
        self.board
    }

    /// Runs a call, unless the game has panicked before; remembers it if it does now.
    pub(super) fn guarded<T>(
        &self,
        call: impl FnOnce() -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        if self.panicked.load(Ordering::Relaxed) {
            return Err(GameError::Panicked);
        }
        let result = call();
        if matches!(result, Err(GameError::Panicked)) {
            self.panicked.store(true, Ordering::Relaxed);
            tracing::error!(game = self.plugin.id(), "the game panicked and is given up");
        }
        result
    }

    /// A copy that shares nothing with this one.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn try_clone(&self) -> Result<Self, GameError> {
        self.guarded(|| {
            let mut state = std::ptr::null_mut();
            // SAFETY: the state is alive, and `state` is valid for the call.
            let code = unsafe { (self.plugin.vtable().clone)(self.raw(), &raw mut state) };
            let mut copy = Self::adopt(&self.plugin, "clone", code, state, &ErrorText::new())?;
            copy.board = self.board;
            Ok(copy)
        })
    }

    /// The areas, lines and names of the board. The same for the life of the
    /// state but for its words; always [`Game::cells`] cells.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn layout(&self, lang: Lang) -> Result<Layout, GameError> {
        let layout = self.layout_text(lang)?;
        if layout.cells() != self.cells() {
            return Err(GameError::BadOutput(format!(
                "layout has {} cells and had {} before",
                layout.cells(),
                self.cells()
            )));
        }
        Ok(layout)
    }

    fn layout_text(&self, lang: Lang) -> Result<Layout, GameError> {
        let text = self.text("layout", buffer::MAX_TOML, |out| {
            // SAFETY: the state is alive, and both pointers are valid for the call.
            unsafe { (self.plugin.vtable().layout)(self.raw(), borrowed(lang.tag()), out) }
        })?;
        Layout::read(&text)
            .map_err(|why| GameError::BadOutput(format!("layout ({}): {why}", lang.tag())))
    }

    fn text(
        &self,
        call: &str,
        max: usize,
        ask: impl FnMut(*mut qiju_abi::GpText) -> i32,
    ) -> Result<String, GameError> {
        self.guarded(|| buffer::read_text(call, max, ask))
    }

    /// What `viewer` (a player, or `GP_VIEWER_PUBLIC`) sees: [`Game::cells`]
    /// cells, with the targets of `selected` marked. Pieces are known to be in
    /// the description.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn view(&self, viewer: u16, selected: Option<u16>) -> Result<Vec<GpCell>, GameError> {
        let selected = selected.unwrap_or(GP_NONE);
        let cells = self.guarded(|| {
            buffer::read_array(
                "view",
                GpCell::default(),
                self.cells(),
                MAX_CELLS,
                |out, cap, need| {
                    // SAFETY: the state is alive, and `out` has room for `cap` cells.
                    unsafe {
                        (self.plugin.vtable().view)(self.raw(), viewer, selected, out, cap, need)
                    }
                },
            )
        })?;
        if cells.len() != self.cells() {
            return Err(GameError::BadOutput(format!(
                "view has {} cells and layout {}",
                cells.len(),
                self.cells()
            )));
        }
        let kinds = self.plugin.describe(Lang::En).pieces.len();
        match cells.iter().find(|cell| usize::from(cell.piece) > kinds) {
            Some(cell) => Err(GameError::BadOutput(format!(
                "view has piece {}, but there are {kinds} kinds",
                cell.piece
            ))),
            None => Ok(cells),
        }
    }

    /// Where the game stands. Outcome, players and winner are known to make sense.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn status(&self) -> Result<GpStatus, GameError> {
        let mut status = empty_status();
        self.guarded(|| {
            // SAFETY: the state is alive, and `status` says its size.
            let code = unsafe { (self.plugin.vtable().status)(self.raw(), &raw mut status) };
            check("status", code)
        })?;
        // The callee must leave this alone; whoever compares statuses relies on it.
        status.size = size_of::<GpStatus>() as u32;
        let sides = self.plugin.describe(Lang::En).sides.len();
        let is_player = |player: u16| usize::from(player) < sides;
        let bad = |what: String| Err(GameError::BadOutput(format!("status has {what}")));
        if status.outcome > GP_OUTCOME_FAILED {
            return bad(format!("the unknown outcome {}", status.outcome));
        }
        if status.to_move != GP_NONE && !is_player(status.to_move) {
            return bad(format!("player {} to move of {sides}", status.to_move));
        }
        if status.outcome == GP_OUTCOME_WIN && !is_player(status.winner) {
            return bad(format!("player {} as winner of {sides}", status.winner));
        }
        Ok(status)
    }

    /// One line for `viewer`: whose turn, what is expected, how it ended.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn status_text(&self, viewer: u16, lang: Lang) -> Result<String, GameError> {
        self.text("status_text", buffer::MAX_WORDS, |out| {
            // SAFETY: the state is alive, and both pointers are valid for the call.
            unsafe {
                (self.plugin.vtable().status_text)(self.raw(), viewer, borrowed(lang.tag()), out)
            }
        })
    }

    /// The account of the score for `viewer`; `None` while there is nothing to account for.
    ///
    /// # Errors
    /// Any failure of the game; an account that cannot be read.
    pub fn tally(&self, viewer: u16, lang: Lang) -> Result<Option<Tally>, GameError> {
        let Some(tally) = self.plugin.vtable().tally else {
            return Ok(None);
        };
        let text = self.text("tally", buffer::MAX_WORDS, |out| {
            // SAFETY: the state is alive, and both pointers are valid for the call.
            unsafe { tally(self.raw(), viewer, borrowed(lang.tag()), out) }
        });
        let text = match text {
            Ok(text) => text,
            Err(GameError::Unsupported) => return Ok(None),
            Err(error) => return Err(error),
        };
        let sides = self.plugin.describe(lang).sides.len();
        Tally::read(&text, sides)
            .map(Some)
            .map_err(|why| GameError::BadOutput(format!("tally: {why}")))
    }

    /// The legal moves in a stable order: all of them, or those that begin on
    /// `from`. Their cells are known to be on the board or `GP_NONE`.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn moves(&self, from: Option<u16>) -> Result<Vec<GpMove>, GameError> {
        let from = from.unwrap_or(GP_NONE);
        let moves = self.guarded(|| {
            buffer::read_array(
                "moves",
                no_move(),
                FIRST_MOVES,
                buffer::MAX_MOVES,
                |out, cap, need| {
                    // SAFETY: the state is alive, and `out` has room for `cap` moves.
                    unsafe { (self.plugin.vtable().moves)(self.raw(), from, out, cap, need) }
                },
            )
        })?;
        moves
            .iter()
            .try_for_each(|mv| self.board.check("moves", *mv))?;
        Ok(moves)
    }

    /// Plays a move and gives its `GP_EVENT_*` bits.
    ///
    /// # Errors
    /// [`GameError::Illegal`], with the state as it was; any failure of the game.
    pub fn apply(&mut self, mv: GpMove) -> Result<u32, GameError> {
        let mut events = 0;
        self.guarded(|| {
            // SAFETY: the state is alive and, by `&mut self`, ours alone.
            let code = unsafe { (self.plugin.vtable().apply)(self.raw(), mv, &raw mut events) };
            check("apply", code)
        })?;
        Ok(events)
    }

    /// Why a move is illegal, in words; empty for a legal one.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn explain(&self, mv: GpMove, lang: Lang) -> Result<String, GameError> {
        self.text("explain", buffer::MAX_WORDS, |out| {
            // SAFETY: the state is alive, and both pointers are valid for the call.
            unsafe { (self.plugin.vtable().explain)(self.raw(), mv, borrowed(lang.tag()), out) }
        })
    }

    /// The canonical text of a move in this state, the one before the move: what is stored.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn move_text(&self, mv: GpMove) -> Result<String, GameError> {
        self.text("move_text", buffer::MAX_MOVE_TEXT, |out| {
            // SAFETY: the state is alive, and `out` is valid for the call.
            unsafe { (self.plugin.vtable().move_text)(self.raw(), mv, out) }
        })
    }

    /// Canonical text back into a move, which need not be legal here.
    ///
    /// # Errors
    /// [`GameError::Parse`] with the reason; any failure of the game.
    pub fn parse_move(&self, text: &str) -> Result<GpMove, GameError> {
        self.parse_move_bytes(text.as_bytes())
    }

    /// The same for bytes that may not be text, which a game must refuse.
    pub(super) fn parse_move_bytes(&self, text: &[u8]) -> Result<GpMove, GameError> {
        let mut mv = no_move();
        let mut err = ErrorText::new();
        self.guarded(|| {
            // SAFETY: the state is alive, and all pointers are valid for the call.
            let code = unsafe {
                (self.plugin.vtable().parse_move)(
                    self.raw(),
                    buffer::borrowed_bytes(text),
                    &raw mut mv,
                    err.as_out(),
                )
            };
            match code {
                qiju_abi::GP_OK => Ok(()),
                code => Err(failure("parse_move", code, &err.read())),
            }
        })?;
        self.board.check("parse_move", mv)?;
        Ok(mv)
    }

    /// The move as people write it in that language.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn move_label(&self, mv: GpMove, lang: Lang) -> Result<String, GameError> {
        self.text("move_label", buffer::MAX_WORDS, |out| {
            // SAFETY: the state is alive, and both pointers are valid for the call.
            unsafe { (self.plugin.vtable().move_label)(self.raw(), mv, borrowed(lang.tag()), out) }
        })
    }

    /// The values of teaching overlay `index` for `viewer`, one per cell;
    /// `GP_OVERLAY_NONE` where there is nothing to show.
    ///
    /// # Errors
    /// [`GameError::Unsupported`] for an overlay that there is not; any failure of the game.
    pub fn overlay(&self, index: u32, viewer: u16) -> Result<Vec<i32>, GameError> {
        let overlay = self.plugin.vtable().overlay.ok_or(GameError::Unsupported)?;
        let values = self.guarded(|| {
            buffer::read_array("overlay", 0, self.cells(), MAX_CELLS, |out, cap, need| {
                // SAFETY: the state is alive, and `out` has room for `cap` values.
                unsafe { overlay(self.raw(), index, viewer, out, cap, need) }
            })
        })?;
        if values.len() != self.cells() {
            return Err(GameError::BadOutput(format!(
                "overlay {index} has {} values and layout {} cells",
                values.len(),
                self.cells()
            )));
        }
        Ok(values)
    }

    /// How level `index` of the ladder went for `player`; the game must be over.
    ///
    /// # Errors
    /// [`GameError::Unsupported`] while the game runs or without a ladder; any failure of the game.
    pub fn level_result(&self, index: u32, player: u16) -> Result<GpLevelResult, GameError> {
        let level_result = self
            .plugin
            .vtable()
            .level_result
            .ok_or(GameError::Unsupported)?;
        let mut result = GpLevelResult {
            size: size_of::<GpLevelResult>() as u32,
            passed: 0,
            stars: 0,
            points: 0,
        };
        self.guarded(|| {
            // SAFETY: the state is alive, and `result` says its size.
            let code = unsafe { level_result(self.raw(), index, player, &raw mut result) };
            check("level_result", code)
        })?;
        if result.passed > 1 || result.stars > 3 {
            return Err(GameError::BadOutput(format!(
                "level_result has passed {} and {} stars",
                result.passed, result.stars
            )));
        }
        Ok(result)
    }

    /// Begins a search over a copy of this state.
    ///
    /// # Errors
    /// [`GameError::Unsupported`] without an opponent, [`GameError::Argument`] with the
    /// game's reason (no such level, nobody to move); any failure of the game.
    pub fn start_ai(&self, params: &AiParams) -> Result<Job, GameError> {
        self.guarded(|| Job::start(self, params))
    }
}

/// What must be known of a board to check a move.
#[derive(Clone, Copy)]
pub(super) struct Board {
    /// Number of cells of all areas.
    pub cells: usize,
}

impl Board {
    /// Checks that a move from the game has a kind, and cells that are on the board.
    pub fn check(self, call: &str, mv: GpMove) -> Result<(), GameError> {
        let on_board = |cell: u16| cell == GP_NONE || usize::from(cell) < self.cells;
        if mv.kind < GP_MOVE_PLACE || !on_board(mv.from) || !on_board(mv.to) {
            return Err(GameError::BadOutput(format!("{call} has the move {mv:?}")));
        }
        Ok(())
    }
}

/// What is handed over to be overwritten.
pub(super) fn no_move() -> GpMove {
    GpMove {
        kind: 0,
        from: GP_NONE,
        to: GP_NONE,
        arg: 0,
    }
}

/// A status with its size set and nothing else.
pub(super) fn empty_status() -> GpStatus {
    GpStatus {
        size: size_of::<GpStatus>() as u32,
        phase: 0,
        flags: 0,
        outcome: 0,
        reason: 0,
        to_move: GP_NONE,
        winner: GP_NONE,
        timeout_ms: 0,
        score: [0; qiju_abi::GP_MAX_PLAYERS],
        captures: [0; qiju_abi::GP_MAX_PLAYERS],
        lives: 0,
        streak: 0,
        move_number: 0,
        reserved: 0,
        key: 0,
    }
}
