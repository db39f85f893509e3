//! The function table of a game, read from the library's memory with every
//! required function known to be there.

use std::ffi::c_void;
use std::mem::MaybeUninit;

use qiju_abi::{
    GamePlugin, GpAiParams, GpAiReport, GpCell, GpJob, GpLevelResult, GpMove, GpState, GpStatus,
    GpStr, GpText,
};

use super::load_error::LoadCause;

type TextOfState = unsafe extern "C" fn(state: *const c_void, lang: GpStr, out: *mut GpText) -> i32;
type TextOfMove =
    unsafe extern "C" fn(state: *const c_void, mv: GpMove, lang: GpStr, out: *mut GpText) -> i32;
type Convert =
    unsafe extern "C" fn(format: GpStr, from: GpStr, out: *mut GpText, err: *mut GpText) -> i32;

/// The functions of one game; see [`GamePlugin`] for what each does.
#[derive(Clone, Copy)]
pub struct Vtable {
    pub describe: unsafe extern "C" fn(lang: GpStr, out: *mut GpText) -> i32,
    pub create: unsafe extern "C" fn(
        options: GpStr,
        seed: u64,
        lang: GpStr,
        out: *mut GpState,
        err: *mut GpText,
    ) -> i32,
    pub clone: unsafe extern "C" fn(state: *const c_void, out: *mut GpState) -> i32,
    pub destroy: unsafe extern "C" fn(state: GpState),
    pub layout: TextOfState,
    pub view: unsafe extern "C" fn(
        state: *const c_void,
        viewer: u16,
        selected: u16,
        out: *mut GpCell,
        cap: u64,
        need: *mut u64,
    ) -> i32,
    pub status: unsafe extern "C" fn(state: *const c_void, out: *mut GpStatus) -> i32,
    pub status_text: unsafe extern "C" fn(
        state: *const c_void,
        viewer: u16,
        lang: GpStr,
        out: *mut GpText,
    ) -> i32,
    pub moves: unsafe extern "C" fn(
        state: *const c_void,
        from: u16,
        out: *mut GpMove,
        cap: u64,
        need: *mut u64,
    ) -> i32,
    pub apply: unsafe extern "C" fn(state: GpState, mv: GpMove, events: *mut u32) -> i32,
    pub explain: TextOfMove,
    pub move_text: unsafe extern "C" fn(state: *const c_void, mv: GpMove, out: *mut GpText) -> i32,
    pub parse_move: unsafe extern "C" fn(
        state: *const c_void,
        text: GpStr,
        out: *mut GpMove,
        err: *mut GpText,
    ) -> i32,
    pub move_label: TextOfMove,
    pub write_record: Option<Convert>,
    pub read_record: Option<Convert>,
    pub ai: Option<AiVtable>,
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
    pub level: Option<unsafe extern "C" fn(index: u32, lang: GpStr, out: *mut GpText) -> i32>,
    pub level_result: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            index: u32,
            player: u16,
            out: *mut GpLevelResult,
        ) -> i32,
    >,
    pub tally: Option<
        unsafe extern "C" fn(
            state: *const c_void,
            viewer: u16,
            lang: GpStr,
            out: *mut GpText,
        ) -> i32,
    >,
}

/// The functions of a search: a game has all of them or none.
#[derive(Clone, Copy)]
pub struct AiVtable {
    pub start: unsafe extern "C" fn(
        state: *const c_void,
        params: *const GpAiParams,
        out: *mut GpJob,
        err: *mut GpText,
    ) -> i32,
    pub step: unsafe extern "C" fn(job: GpJob, budget_ms: u32, out: *mut GpAiReport) -> i32,
    pub cancel: unsafe extern "C" fn(job: *const c_void),
    pub free: unsafe extern "C" fn(job: GpJob),
}

/// Reads a growing struct of a library: as many bytes as it says it has, the rest zero.
///
/// # Safety
/// `from` is not null and points to a struct that begins with `size: u32`, its
/// length in bytes; `T` is this app's version of that struct, for which all
/// bytes zero is a value.
pub unsafe fn read_growing<T: Copy>(from: *const T) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the caller promises the `size` field, and then that many readable bytes;
    // the copy goes byte by byte, so alignment does not matter; zeroes are a value of `T`.
    unsafe {
        let theirs = from.cast::<u32>().read_unaligned() as usize;
        std::ptr::copy_nonoverlapping(
            from.cast::<u8>(),
            value.as_mut_ptr().cast::<u8>(),
            theirs.min(size_of::<T>()),
        );
        value.assume_init()
    }
}

impl Vtable {
    /// Takes over a game's table.
    ///
    /// # Errors
    /// A required function is null, or one of the search's while others are not.
    pub fn new(game: u32, table: &GamePlugin) -> Result<Self, LoadCause> {
        fn need<F>(game: u32, function: &str, pointer: Option<F>) -> Result<F, LoadCause> {
            pointer.ok_or_else(|| LoadCause::MissingFunction {
                game,
                function: function.to_owned(),
            })
        }
        let has_ai = table.ai_start.is_some()
            || table.ai_step.is_some()
            || table.ai_cancel.is_some()
            || table.ai_free.is_some();
        let ai = if has_ai {
            Some(AiVtable {
                start: need(game, "ai_start", table.ai_start)?,
                step: need(game, "ai_step", table.ai_step)?,
                cancel: need(game, "ai_cancel", table.ai_cancel)?,
                free: need(game, "ai_free", table.ai_free)?,
            })
        } else {
            None
        };
        Ok(Self {
            describe: need(game, "describe", table.describe)?,
            create: need(game, "create", table.create)?,
            clone: need(game, "clone", table.clone)?,
            destroy: need(game, "destroy", table.destroy)?,
            layout: need(game, "layout", table.layout)?,
            view: need(game, "view", table.view)?,
            status: need(game, "status", table.status)?,
            status_text: need(game, "status_text", table.status_text)?,
            moves: need(game, "moves", table.moves)?,
            apply: need(game, "apply", table.apply)?,
            explain: need(game, "explain", table.explain)?,
            move_text: need(game, "move_text", table.move_text)?,
            parse_move: need(game, "parse_move", table.parse_move)?,
            move_label: need(game, "move_label", table.move_label)?,
            write_record: table.write_record,
            read_record: table.read_record,
            ai,
            overlay: table.overlay,
            level: table.level,
            level_result: table.level_result,
            tally: table.tally,
        })
    }
}
