//! The C ABI between the shell and a game, as Rust sees it.
//!
//! Only `#[repr(C)]` types, constants and function types live here: no
//! behaviour and no dependency. `include/game_plugin.h` is the same ABI for C;
//! `tests/header.rs` compiles it and compares every size, offset and constant.
//!
//! The rules that every part of this ABI keeps:
//!
//! * Fixed-width integers only. Text is UTF-8 as pointer and length, never
//!   NUL-terminated. Pointers are 64 bits wide: other targets are refused at
//!   compile time.
//! * A struct that may grow begins with `size`, is filled in by its owner with
//!   `size_of` of the version it was compiled against, and grows at its end
//!   only. A reader uses the first min(its own, the other's) bytes and takes
//!   the rest as zero. No struct has implicit padding.
//! * Nothing is freed across the border. Output goes into the caller's buffer;
//!   one that is too small gives [`GP_E_BUFFER`] and the length needed.
//! * No panic and no exception crosses. Unknown flags, options and keys are
//!   ignored.
//! * A game state reads no clock, no file and no source of randomness but the
//!   seed it was created with: equal options, seed and moves give an equal
//!   state on every machine.
//! * A library that was loaded once is never unloaded.
//!
//! Threads, named on each function: **\[main\]** one thread at a time per library;
//! **\[state\]** any thread, but no two calls at once on the same state, and a
//! call with `*const` state may run beside others with `*const` on that state;
//! **\[job\]** any thread, one call at a time per job; **\[any\]** any thread at any time.

#![no_std]

use core::ffi::c_void;

const _: () = assert!(
    size_of::<*const c_void>() == 8,
    "the Qiju plugin ABI is defined for 64-bit targets only"
);

/// First field of [`GamePluginEntry`] after its size: "QIJU" read as a big-endian number.
pub const GP_MAGIC: u32 = 0x5149_4A55;
/// A library of another major version is refused. It counts up with every
/// incompatible change; version 1.0 of the app freezes it.
pub const GP_ABI_MAJOR: u32 = 1;
/// Counts compatible additions. It never gates loading.
pub const GP_ABI_MINOR: u32 = 0;
/// The one exported symbol, of type [`GamePluginEntryFn`].
pub const GP_ENTRY_SYMBOL: &str = "game_plugin_entry";

// ---- Results -------------------------------------------------------------

/// Done.
pub const GP_OK: i32 = 0;
/// `ai_step` only: the search goes on, call again.
pub const GP_MORE: i32 = 1;
/// The output buffer is too small; the need has been reported.
pub const GP_E_BUFFER: i32 = -1;
/// An argument is not valid: a null pointer, an index out of range, text that is not UTF-8.
pub const GP_E_ARGUMENT: i32 = -2;
/// The move is not legal here; the state is as before. `explain` says why.
pub const GP_E_ILLEGAL: i32 = -3;
/// Text could not be read (move, record, options); the error text says where and why.
pub const GP_E_PARSE: i32 = -4;
/// An option has a value that it cannot take; the error text names the key.
pub const GP_E_OPTION: i32 = -5;
/// The game does not offer this (a record format, an overlay, a ladder).
pub const GP_E_UNSUPPORTED: i32 = -6;
/// The game failed inside (it panicked). Its state must not be used again, only destroyed.
pub const GP_E_PANIC: i32 = -7;
/// Out of memory or of another resource.
pub const GP_E_RESOURCE: i32 = -8;

// ---- Text and numbers that stand for "none" --------------------------------

/// No cell, no selection, nobody to move, no winner.
pub const GP_NONE: u16 = 0xFFFF;
/// A viewer who sees only what is public. Players are 0, 1, ….
pub const GP_VIEWER_PUBLIC: u16 = 0xFFFE;
/// The most players a game may have: the length of the arrays in [`GpStatus`].
pub const GP_MAX_PLAYERS: usize = 4;

/// Borrowed UTF-8 text. The callee may use it during the call only, except where a function says more.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GpStr {
    /// First byte; may be null where `len` is 0.
    pub ptr: *const u8,
    /// Bytes.
    pub len: u64,
}

/// The caller's buffer for text (or, for records, bytes).
///
/// As a *result* (`out`): the callee sets `len` to the number of bytes that the
/// whole text has; if that is more than `cap` it returns [`GP_E_BUFFER`] and the
/// buffer's content means nothing.
/// As an *error text* (`err`): never fails; the callee writes what fits, cut
/// between characters, and sets `len` to what it wrote. `err` may be null.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GpText {
    /// First byte of the buffer; may be null where `cap` is 0.
    pub ptr: *mut u8,
    /// Bytes available. Set by the caller.
    pub cap: u64,
    /// Bytes of the text. Set by the callee.
    pub len: u64,
}

// ---- Moves ---------------------------------------------------------------

/// One move. Cells are counted through all areas of the layout in order, each
/// row by row from its top left; [`GP_NONE`] where a field does not apply.
/// The order of moves is that of (kind, from, to, arg).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GpMove {
    /// One of `GP_MOVE_*`.
    pub kind: u16,
    /// Cell that is left, for [`GP_MOVE_STEP`].
    pub from: u16,
    /// Cell that is played on.
    pub to: u16,
    /// A number of the game's own (promotion piece, button, set-up piece); 0 where unused.
    pub arg: u16,
}

/// A piece appears on `to`. One click.
pub const GP_MOVE_PLACE: u16 = 1;
/// A piece goes from `from` to `to`. Two clicks or a drag.
pub const GP_MOVE_STEP: u16 = 2;
/// The turn goes to the next player. Key P.
pub const GP_MOVE_PASS: u16 = 3;
/// The player to move gives up. Never listed by `moves`; legal while the game runs if `describe` says `resign = true`.
pub const GP_MOVE_RESIGN: u16 = 4;
/// A choice `arg` that is no cell: shown as a button, labelled by `move_label`.
pub const GP_MOVE_CHOOSE: u16 = 5;
/// `to` is tapped: turns a card, toggles a group, answers a question. One click.
pub const GP_MOVE_TAP: u16 = 6;
/// `timeout_ms` of the status has run out. Applied by the shell, never by a player; listed by `moves` while it is legal.
pub const GP_MOVE_TIMEOUT: u16 = 7;
/// A record puts piece `arg` (0: none) on `to` outside the turns. Never listed by `moves`.
pub const GP_MOVE_SETUP: u16 = 8;
/// The player whose clock ran out loses: applied by the shell's clock. `arg` is the player. Never listed by `moves`; legal under the same terms as [`GP_MOVE_RESIGN`].
pub const GP_MOVE_FLAG: u16 = 9;

// ---- Events of a move: bits of `apply`'s output, for sound and animation ---

/// A piece was placed.
pub const GP_EVENT_PLACE: u32 = 1 << 0;
/// A piece moved.
pub const GP_EVENT_STEP: u32 = 1 << 1;
/// Something was taken.
pub const GP_EVENT_CAPTURE: u32 = 1 << 2;
/// A check was given.
pub const GP_EVENT_CHECK: u32 = 1 << 3;
/// A card was turned.
pub const GP_EVENT_FLIP: u32 = 1 << 4;
/// A right answer, a pair.
pub const GP_EVENT_MATCH: u32 = 1 << 5;
/// A wrong answer, no pair.
pub const GP_EVENT_MISS: u32 = 1 << 6;
/// The turn was passed.
pub const GP_EVENT_PASS: u32 = 1 << 7;
/// The game, or the level, was won by somebody.
pub const GP_EVENT_WIN: u32 = 1 << 8;
/// The game, or the level, ended without a winner or was lost by the only player.
pub const GP_EVENT_END: u32 = 1 << 9;
/// The phase changed.
pub const GP_EVENT_PHASE: u32 = 1 << 10;

// ---- The view --------------------------------------------------------------

/// What a viewer sees on one cell. Never grows: it stands in arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GpCell {
    /// 0: empty; otherwise 1 + index into the piece kinds of `describe`.
    pub piece: u16,
    /// One of `GP_MARK_*`.
    pub mark: u16,
    /// Bits `GP_CELL_*`.
    pub flags: u32,
    /// A number shown on the cell if [`GP_CELL_NUMBER`] is set.
    pub number: i32,
    /// Background of the cell: 0 none, otherwise 1 + index into the colour roles (see `docs/ABI.md`).
    pub tint: u32,
}

/// No mark.
pub const GP_MARK_NONE: u16 = 0;
/// A triangle.
pub const GP_MARK_TRIANGLE: u16 = 1;
/// A square.
pub const GP_MARK_SQUARE: u16 = 2;
/// A circle.
pub const GP_MARK_CIRCLE: u16 = 3;
/// A cross.
pub const GP_MARK_CROSS: u16 = 4;
/// A small filled dot, in the colour of the first player.
pub const GP_MARK_DOT_FIRST: u16 = 5;
/// A small filled dot, in the colour of the second player.
pub const GP_MARK_DOT_SECOND: u16 = 6;

/// The last move ended here.
pub const GP_CELL_LAST: u32 = 1 << 0;
/// The last move began here.
pub const GP_CELL_LAST_FROM: u32 = 1 << 1;
/// A legal target of the selected cell, or of any move while targets are few (a card, a candidate).
pub const GP_CELL_TARGET: u32 = 1 << 2;
/// In check.
pub const GP_CELL_CHECK: u32 = 1 << 3;
/// Face down: what is under it never leaves the game.
pub const GP_CELL_FACE_DOWN: u32 = 1 << 4;
/// Flashing now.
pub const GP_CELL_FLASH: u32 = 1 << 5;
/// Taken to be dead; drawn faded.
pub const GP_CELL_DEAD: u32 = 1 << 6;
/// Part of the line, pair or group that decided the game.
pub const GP_CELL_WINNING: u32 = 1 << 7;
/// A right answer.
pub const GP_CELL_RIGHT: u32 = 1 << 8;
/// A wrong answer.
pub const GP_CELL_WRONG: u32 = 1 << 9;
/// `number` is shown.
pub const GP_CELL_NUMBER: u32 = 1 << 10;
/// The cell is no part of the board: nothing is drawn, nothing can be clicked.
pub const GP_CELL_VOID: u32 = 1 << 11;
/// The selected cell itself.
pub const GP_CELL_SELECTED: u32 = 1 << 12;
/// A legal point to play on, worth a hover ghost.
pub const GP_CELL_PLAYABLE: u32 = 1 << 13;
/// Out of play for now; drawn dim.
pub const GP_CELL_DIM: u32 = 1 << 14;

// ---- Status ------------------------------------------------------------------

/// Where the game stands.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpStatus {
    /// Bytes of this struct as the caller knows it. Set by the caller; the callee writes no more than that.
    pub size: u32,
    /// The game's own number of its phase; 0 is the ordinary one.
    pub phase: u32,
    /// Bits `GP_STATUS_*`.
    pub flags: u32,
    /// One of `GP_OUTCOME_*`.
    pub outcome: u16,
    /// One of `GP_REASON_*`, or the game's own from 1000 up; 0 while running.
    pub reason: u16,
    /// The player to move, [`GP_NONE`] if nobody is (the game is over, a timed phase runs).
    pub to_move: u16,
    /// The winner for [`GP_OUTCOME_WIN`], else [`GP_NONE`].
    pub winner: u16,
    /// Not 0: after this many milliseconds the shell applies [`GP_MOVE_TIMEOUT`].
    pub timeout_ms: u32,
    /// Score per player in half points, if [`GP_STATUS_SCORE`] is set.
    pub score: [i32; GP_MAX_PLAYERS],
    /// Pieces that each player has taken, if [`GP_STATUS_CAPTURES`] is set.
    pub captures: [i32; GP_MAX_PLAYERS],
    /// Lives left, if [`GP_STATUS_LIVES`] is set.
    pub lives: i32,
    /// Successes in a row, if [`GP_STATUS_LIVES`] is set.
    pub streak: i32,
    /// Moves applied since `create`.
    pub move_number: u32,
    /// Zero.
    pub reserved: u32,
    /// A key of everything that decides how the game goes on; equal states have equal keys.
    pub key: u64,
}

/// The game runs.
pub const GP_OUTCOME_RUNNING: u16 = 0;
/// `winner` has won.
pub const GP_OUTCOME_WIN: u16 = 1;
/// Nobody has won.
pub const GP_OUTCOME_DRAW: u16 = 2;
/// A solo level was passed.
pub const GP_OUTCOME_PASSED: u16 = 3;
/// A solo level was lost.
pub const GP_OUTCOME_FAILED: u16 = 4;

/// The players' scores were compared.
pub const GP_REASON_SCORE: u16 = 1;
/// A player gave up.
pub const GP_REASON_RESIGN: u16 = 2;
/// A clock ran out.
pub const GP_REASON_TIME: u16 = 3;
/// A line was made.
pub const GP_REASON_LINE: u16 = 4;
/// Checkmate.
pub const GP_REASON_MATE: u16 = 5;
/// The player to move had no legal move.
pub const GP_REASON_NO_MOVES: u16 = 6;
/// A position came again too often.
pub const GP_REASON_REPETITION: u16 = 7;
/// A forbidden way of repeating (perpetual check or chase).
pub const GP_REASON_PERPETUAL: u16 = 8;
/// Too many moves without progress.
pub const GP_REASON_MOVE_LIMIT: u16 = 9;
/// Neither side can win any more.
pub const GP_REASON_MATERIAL: u16 = 10;
/// The board is full.
pub const GP_REASON_FULL: u16 = 11;
/// A forbidden move was played.
pub const GP_REASON_FORBIDDEN: u16 = 12;
/// Everything was found.
pub const GP_REASON_COMPLETE: u16 = 13;
/// No lives are left.
pub const GP_REASON_LIVES: u16 = 14;

/// The player to move is in check.
pub const GP_STATUS_CHECK: u32 = 1 << 0;
/// The last move may not be undone (lives were lost, something hidden was seen).
pub const GP_STATUS_FINAL: u32 = 1 << 1;
/// `score` has a meaning now.
pub const GP_STATUS_SCORE: u32 = 1 << 2;
/// `captures` has a meaning.
pub const GP_STATUS_CAPTURES: u32 = 1 << 3;
/// `lives` and `streak` have a meaning.
pub const GP_STATUS_LIVES: u32 = 1 << 4;
/// If the app is hidden in this phase, the shell applies [`GP_MOVE_TIMEOUT`] with `arg` 1: the phase is dealt again.
pub const GP_STATUS_REDEAL_IF_HIDDEN: u32 = 1 << 5;
/// A pass is legal now (so that the shell need not list moves to know).
pub const GP_STATUS_CAN_PASS: u32 = 1 << 6;

// ---- The search ------------------------------------------------------------

/// What a search is asked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GpAiParams {
    /// Bytes of this struct. Set by the caller.
    pub size: u32,
    /// Index into the AI levels of `describe`.
    pub level: u32,
    /// Threads to use; 0 or 1: one. With more than one the result may differ from run to run.
    pub threads: u32,
    /// Bits `GP_AI_*`.
    pub flags: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Nodes or play-outs at the most; 0: what the level says.
    pub node_limit: u64,
    /// Milliseconds at the most; 0: no limit of time. A job ends at the first limit it reaches.
    pub time_ms: u64,
    /// The player whom the search serves: it may use only what that player has seen.
    pub player: u16,
    /// Candidates wanted in the report at the most.
    pub candidates: u16,
    /// Zero.
    pub reserved: u32,
}

/// The search is for teaching: play as well as time allows, whatever the level; never resign.
pub const GP_AI_HINT: u32 = 1 << 0;
/// Go on until cancelled or out of time (analysis).
pub const GP_AI_INFINITE: u32 = 1 << 1;

/// A move that the search has looked at.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpCandidate {
    /// The move.
    pub mv: GpMove,
    /// Chance to win for the searching player, 0–1000.
    pub win_permille: i32,
    /// Nodes or play-outs spent on it, capped.
    pub visits: u32,
}

/// What a search knows so far. The three arrays are the caller's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GpAiReport {
    /// Bytes of this struct. Set by the caller.
    pub size: u32,
    /// Candidates there is room for. Set by the caller.
    pub candidates_cap: u32,
    /// Candidates written, best first.
    pub candidates_len: u32,
    /// Moves there is room for in `line`. Set by the caller.
    pub line_cap: u32,
    /// Moves written to `line`.
    pub line_len: u32,
    /// Cells there is room for in `heat`. Set by the caller.
    pub heat_cap: u32,
    /// Cells written to `heat`; 0 if the search has none.
    pub heat_len: u32,
    /// Chance to win for the searching player, 0–1000.
    pub win_permille: i32,
    /// The move that the search would play now; kind 0 if it has none yet.
    pub best: GpMove,
    /// Nodes or play-outs so far.
    pub nodes: u64,
    /// Plies looked ahead along the main line.
    pub depth: u32,
    /// Zero.
    pub reserved: u32,
    /// The candidates.
    pub candidates: *mut GpCandidate,
    /// The line that the search expects, `best` first.
    pub line: *mut GpMove,
    /// Per cell −1000–1000: for the second player … for the first (ownership, worth of a point).
    pub heat: *mut i32,
}

/// How a finished level went.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpLevelResult {
    /// Bytes of this struct. Set by the caller.
    pub size: u32,
    /// 1 if the level was passed, else 0.
    pub passed: u32,
    /// 0–3.
    pub stars: u32,
    /// Points, more is better.
    pub points: i32,
}

// ---- The vtable -----------------------------------------------------------------

/// A game state. Only the game knows what is in it.
pub type GpState = *mut c_void;
/// A running search.
pub type GpJob = *mut c_void;

/// The functions of one game. A null function pointer is an optional part that
/// the game lacks; only those so marked may be null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GamePlugin {
    /// Bytes of this struct. Set by the game.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// \[any\] TOML text of all that is static (see `docs/ABI.md`). Takes under 10 ms.
    pub describe: Option<unsafe extern "C" fn(lang: GpStr, out: *mut GpText) -> i32>,
    /// \[any\] A new state from options (a TOML table) and a seed. On failure `*out` is null and `err` names the key.
    pub create: Option<
        unsafe extern "C" fn(
            options: GpStr,
            seed: u64,
            lang: GpStr,
            out: *mut GpState,
            err: *mut GpText,
        ) -> i32,
    >,
    /// \[state\] A copy that shares nothing.
    pub clone: Option<unsafe extern "C" fn(state: *const c_void, out: *mut GpState) -> i32>,
    /// \[state\] Ends a state's life. Null is ignored.
    pub destroy: Option<unsafe extern "C" fn(state: GpState)>,
    /// \[state\] TOML text of the areas; the same for the whole life of a state (except words, which follow `lang`).
    pub layout:
        Option<unsafe extern "C" fn(state: *const c_void, lang: GpStr, out: *mut GpText) -> i32>,
    /// \[state\] The cells as `viewer` may see them, with the targets of `selected` marked. `*need` is the number of cells.
    pub view: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            viewer: u16,
            selected: u16,
            out: *mut GpCell,
            cap: u64,
            need: *mut u64,
        ) -> i32,
    >,
    /// \[state\] Where the game stands.
    pub status: Option<unsafe extern "C" fn(state: *const c_void, out: *mut GpStatus) -> i32>,
    /// \[state\] One line for `viewer`: whose turn, what is expected, how it ended.
    pub status_text: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            viewer: u16,
            lang: GpStr,
            out: *mut GpText,
        ) -> i32,
    >,
    /// \[state\] The legal moves in a stable order, each once: all of them, or those that begin on `from`. `*need` is their number.
    pub moves: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            from: u16,
            out: *mut GpMove,
            cap: u64,
            need: *mut u64,
        ) -> i32,
    >,
    /// \[state\] Plays a move; `*events` gets `GP_EVENT_*` bits. [`GP_E_ILLEGAL`] leaves the state as it was.
    pub apply: Option<unsafe extern "C" fn(state: GpState, mv: GpMove, events: *mut u32) -> i32>,
    /// \[state\] Why a move is illegal, in words; empty text for a legal one.
    pub explain: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            mv: GpMove,
            lang: GpStr,
            out: *mut GpText,
        ) -> i32,
    >,
    /// \[state\] The move as canonical text: what is stored. The state is the one before the move.
    pub move_text:
        Option<unsafe extern "C" fn(state: *const c_void, mv: GpMove, out: *mut GpText) -> i32>,
    /// \[state\] Canonical text back into a move. It need not be legal.
    pub parse_move: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            text: GpStr,
            out: *mut GpMove,
            err: *mut GpText,
        ) -> i32,
    >,
    /// \[state\] The move as people write it in that language.
    pub move_label: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            mv: GpMove,
            lang: GpStr,
            out: *mut GpText,
        ) -> i32,
    >,
    /// \[any\] Optional. A neutral record (TOML, see `docs/ABI.md`) into the bytes of a record format of `describe`.
    pub write_record: Option<
        unsafe extern "C" fn(
            format: GpStr,
            record: GpStr,
            out: *mut GpText,
            err: *mut GpText,
        ) -> i32,
    >,
    /// \[any\] Optional. The bytes of a file into a neutral record. [`GP_E_PARSE`]: `err` names line and column; with `out.len` not 0 as much as could be read is there.
    pub read_record: Option<
        unsafe extern "C" fn(
            format: GpStr,
            bytes: GpStr,
            out: *mut GpText,
            err: *mut GpText,
        ) -> i32,
    >,
    /// \[state\] Optional as a group with the three below. A search over its own copy of the state.
    pub ai_start: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            params: *const GpAiParams,
            out: *mut GpJob,
            err: *mut GpText,
        ) -> i32,
    >,
    /// \[job\] Searches for about `budget_ms` and reports. [`GP_MORE`] until done; then [`GP_OK`] and `best` is the answer.
    pub ai_step:
        Option<unsafe extern "C" fn(job: GpJob, budget_ms: u32, out: *mut GpAiReport) -> i32>,
    /// \[any\] Makes a running `ai_step` return within 50 ms and all later ones at once. The job is still to be freed.
    pub ai_cancel: Option<unsafe extern "C" fn(job: *const c_void)>,
    /// \[job\] Ends a job's life; never while `ai_step` or `ai_cancel` runs. Null is ignored.
    pub ai_free: Option<unsafe extern "C" fn(job: GpJob)>,
    /// \[state\] Optional. The values of overlay `index` for `viewer`, one per cell; its kind in `describe` says what they mean; [`GP_OVERLAY_NONE`] where there is nothing to show.
    pub overlay: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            index: u32,
            viewer: u16,
            out: *mut i32,
            cap: u64,
            need: *mut u64,
        ) -> i32,
    >,
    /// \[any\] Optional. Level `index` of the ladder as TOML: name, options, opponent.
    pub level: Option<unsafe extern "C" fn(index: u32, lang: GpStr, out: *mut GpText) -> i32>,
    /// \[state\] Optional. How level `index` went, seen by `player`; the game must be over.
    pub level_result: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            index: u32,
            player: u16,
            out: *mut GpLevelResult,
        ) -> i32,
    >,
    /// \[any\] Optional. A table of further functions by "id/1", or null. It lives as long as the library.
    pub extension: Option<unsafe extern "C" fn(id: GpStr) -> *const c_void>,
    /// \[state\] Optional. The account of a score for `viewer` as TOML (see `docs/ABI.md`): what each side's points are made of, and why who wins. [`GP_E_UNSUPPORTED`] while there is nothing to account for.
    pub tally: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            viewer: u16,
            lang: GpStr,
            out: *mut GpText,
        ) -> i32,
    >,
}

/// An overlay has nothing to show on this cell.
pub const GP_OVERLAY_NONE: i32 = i32::MIN;

/// What the exported symbol gives. It lives as long as the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct GamePluginEntry {
    /// Bytes of this struct. Set by the library.
    pub size: u32,
    /// [`GP_MAGIC`].
    pub magic: u32,
    /// [`GP_ABI_MAJOR`] of the header it was compiled with.
    pub abi_major: u32,
    /// [`GP_ABI_MINOR`] of the header it was compiled with.
    pub abi_minor: u32,
    /// Games in this library.
    pub count: u32,
    /// Zero.
    pub reserved: u32,
    /// \[any\] The vtable of game `index`, or null. It lives as long as the library.
    pub plugin: Option<unsafe extern "C" fn(index: u32) -> *const GamePlugin>,
}

/// Type of the exported symbol [`GP_ENTRY_SYMBOL`]. \[main\]
pub type GamePluginEntryFn = unsafe extern "C" fn() -> *const GamePluginEntry;
