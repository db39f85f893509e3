//! The border: safe [`Game`]s and [`Ai`]s behind the C ABI's functions.
//!
//! Every function here checks its pointers, turns a panic into
//! [`GP_E_PANIC`], and writes only into the caller's buffers. This is the one
//! place of the SDK with unsafe code.

use std::any::Any;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use qiju_abi::*;

use crate::game::{Ai, AiParams, Game, Outcome, Progress, Report, Status, Viewer};
use crate::lang::Lang;
use crate::options::{OptionError, Options};

/// Exports games as a plugin: defines the symbol `game_plugin_entry`.
#[macro_export]
macro_rules! export_plugin {
    ($($game:ty),+ $(,)?) => {
        const _: () = {
            static PLUGINS: &[$crate::abi::GamePlugin] = &[$($crate::export::vtable::<$game>()),+];

            extern "C" fn plugin(index: u32) -> *const $crate::abi::GamePlugin {
                PLUGINS.get(index as usize).map_or(::core::ptr::null(), ::core::ptr::from_ref)
            }

            static ENTRY: $crate::abi::GamePluginEntry = $crate::export::entry(PLUGINS.len() as u32, plugin);

            // SAFETY: the name is this ABI's own, and a library exports it once.
            #[unsafe(no_mangle)]
            extern "C" fn game_plugin_entry() -> *const $crate::abi::GamePluginEntry {
                &raw const ENTRY
            }
        };
    };
}

/// The entry of a library with `count` games.
pub const fn entry(count: u32, plugin: extern "C" fn(u32) -> *const GamePlugin) -> GamePluginEntry {
    GamePluginEntry {
        size: size_of::<GamePluginEntry>() as u32,
        magic: GP_MAGIC,
        abi_major: GP_ABI_MAJOR,
        abi_minor: GP_ABI_MINOR,
        count,
        reserved: 0,
        plugin: Some(plugin),
    }
}

/// The vtable of a game.
pub const fn vtable<G: Game>() -> GamePlugin {
    GamePlugin {
        size: size_of::<GamePlugin>() as u32,
        reserved: 0,
        describe: Some(describe::<G>),
        create: Some(create::<G>),
        clone: Some(clone::<G>),
        destroy: Some(destroy::<G>),
        layout: Some(layout::<G>),
        view: Some(view::<G>),
        status: Some(status::<G>),
        status_text: Some(status_text::<G>),
        moves: Some(moves::<G>),
        apply: Some(apply::<G>),
        explain: Some(explain::<G>),
        move_text: Some(move_text::<G>),
        parse_move: Some(parse_move::<G>),
        move_label: Some(move_label::<G>),
        write_record: Some(write_record::<G>),
        read_record: Some(read_record::<G>),
        ai_start: Some(ai_start::<G>),
        ai_step: Some(ai_step::<G>),
        ai_cancel: Some(ai_cancel::<G>),
        ai_free: Some(ai_free::<G>),
        overlay: Some(overlay::<G>),
        level: Some(level::<G>),
        level_result: Some(level_result::<G>),
        extension: None,
        tally: Some(tally::<G>),
    }
}

/// A search with the flag that stops it. `ai` is touched by `ai_step` and
/// `ai_free` only, of which the ABI allows one call at a time; `ai_cancel`
/// touches the flag alone.
struct Job<A> {
    ai: UnsafeCell<A>,
    cancel: AtomicBool,
}

type Code = Result<(), i32>;

/// Runs a function of the game: its error code, or [`GP_E_PANIC`] if it panics.
fn guard(call: impl FnOnce() -> Code) -> i32 {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => GP_OK,
        Ok(Err(code)) => code,
        Err(panic) => {
            discard(panic);
            GP_E_PANIC
        }
    }
}

/// Drops a panic's payload, whose own drop may panic too; that one is leaked.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
}

unsafe fn state_ref<'a, G>(state: *const c_void) -> Result<&'a G, i32> {
    // SAFETY: the ABI says that `state` is null or came from `create`/`clone` of this game and is alive.
    unsafe { state.cast::<G>().as_ref() }.ok_or(GP_E_ARGUMENT)
}

unsafe fn bytes<'a>(text: GpStr) -> Result<&'a [u8], i32> {
    if text.len == 0 {
        return Ok(&[]);
    }
    let len = usize::try_from(text.len).map_err(|_| GP_E_ARGUMENT)?;
    if text.ptr.is_null() || len > isize::MAX as usize {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: not null, and the ABI says that `len` bytes can be read there for the length of the call.
    Ok(unsafe { std::slice::from_raw_parts(text.ptr, len) })
}

unsafe fn text<'a>(text: GpStr) -> Result<&'a str, i32> {
    // SAFETY: the caller's promise is passed on.
    std::str::from_utf8(unsafe { bytes(text) }?).map_err(|_| GP_E_ARGUMENT)
}

unsafe fn lang(tag: GpStr) -> Result<Lang, i32> {
    // SAFETY: the caller's promise is passed on.
    unsafe { text(tag) }.map(Lang::from_tag)
}

/// Writes a whole result, or reports the need.
unsafe fn put_bytes(out: *mut GpText, result: &[u8]) -> Code {
    // SAFETY: the ABI says that `out` is null or a GpText that this call alone uses.
    let out = unsafe { out.as_mut() }.ok_or(GP_E_ARGUMENT)?;
    out.len = result.len() as u64;
    if out.len > out.cap {
        return Err(GP_E_BUFFER);
    }
    if result.is_empty() {
        return Ok(());
    }
    if out.ptr.is_null() {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: `out.ptr` has `cap` ≥ `result.len()` bytes of the caller's, apart from ours.
    unsafe { std::ptr::copy_nonoverlapping(result.as_ptr(), out.ptr, result.len()) };
    Ok(())
}

unsafe fn put(out: *mut GpText, result: &str) -> Code {
    // SAFETY: the caller's promise is passed on.
    unsafe { put_bytes(out, result.as_bytes()) }
}

/// Writes as much of an error text as fits; never fails.
unsafe fn put_error(err: *mut GpText, message: &str) {
    // SAFETY: the ABI says that `err` is null or a GpText that this call alone uses.
    let Some(err) = (unsafe { err.as_mut() }) else {
        return;
    };
    err.len = 0;
    if err.ptr.is_null() {
        return;
    }
    let end = message.floor_char_boundary(usize::try_from(err.cap).unwrap_or(usize::MAX));
    // SAFETY: `err.ptr` has `cap` ≥ `end` bytes of the caller's, and `end` is within `message`.
    unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), err.ptr, end) };
    err.len = end as u64;
}

/// Writes an array, or reports the need.
unsafe fn put_array<T: Copy>(out: *mut T, cap: u64, need: *mut u64, items: &[T]) -> Code {
    // SAFETY: the ABI says that `need` is null or a number that this call alone uses.
    *unsafe { need.as_mut() }.ok_or(GP_E_ARGUMENT)? = items.len() as u64;
    if items.len() as u64 > cap {
        return Err(GP_E_BUFFER);
    }
    if items.is_empty() {
        return Ok(());
    }
    if out.is_null() {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: `out` has room for `cap` ≥ `items.len()` items of the caller's.
    unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), out, items.len()) };
    Ok(())
}

/// Writes a growing struct: as many of its bytes as the caller's `size` allows.
unsafe fn put_struct<T: Copy>(out: *mut T, value: T) -> Code {
    if out.is_null() {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: every growing struct begins with `size: u32`, set by the caller.
    let theirs = unsafe { out.cast::<u32>().read() } as usize;
    if theirs < size_of::<u32>() {
        return Err(GP_E_ARGUMENT);
    }
    let (size, len) = (size_of::<u32>(), theirs.min(size_of::<T>()));
    // SAFETY: both structs have at least `len` bytes; the caller's `size` field stays as it is.
    unsafe {
        std::ptr::copy_nonoverlapping(
            (&raw const value).cast::<u8>().add(size),
            out.cast::<u8>().add(size),
            len.saturating_sub(size),
        );
    }
    Ok(())
}

/// Reads a growing struct, zero where the caller's is shorter.
unsafe fn get_struct<T: Copy>(from: *const T, mut zero: T) -> Result<T, i32> {
    if from.is_null() {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: every growing struct begins with `size: u32`, set by the caller, and has that many bytes.
    unsafe {
        let len = (from.cast::<u32>().read() as usize).min(size_of::<T>());
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), (&raw mut zero).cast::<u8>(), len);
    }
    Ok(zero)
}

fn viewer(number: u16) -> Viewer {
    if number >= GP_VIEWER_PUBLIC {
        Viewer::Public
    } else {
        Viewer::Player(number)
    }
}

fn some_cell(cell: u16) -> Option<u16> {
    (cell != GP_NONE).then_some(cell)
}

unsafe extern "C" fn describe<G: Game>(tag: GpStr, out: *mut GpText) -> i32 {
    // SAFETY: the ABI's promises about `tag` and `out` are those that the helpers ask for.
    guard(|| unsafe { put(out, &G::describe(lang(tag)?).to_toml()) })
}

unsafe extern "C" fn create<G: Game>(
    options: GpStr,
    seed: u64,
    tag: GpStr,
    out: *mut GpState,
    err: *mut GpText,
) -> i32 {
    guard(|| {
        // SAFETY: `out` is null or a pointer of the caller's that this call alone uses.
        let out = unsafe { out.as_mut() }.ok_or(GP_E_ARGUMENT)?;
        *out = std::ptr::null_mut();
        // SAFETY: the ABI's promises about the texts are those that the helpers ask for.
        let (tag, given) = unsafe { (lang(tag)?, text(options)?) };
        let state = Options::read(given, &G::describe(tag).options)
            .and_then(|options| G::create(&options, seed))
            .map_err(|error| {
                // SAFETY: as above, for `err`.
                unsafe { put_error(err, &error.message(tag)) };
                match error {
                    OptionError::Toml(_) => GP_E_PARSE,
                    OptionError::Value { .. } => GP_E_OPTION,
                }
            })?;
        *out = Box::into_raw(Box::new(state)).cast();
        Ok(())
    })
}

unsafe extern "C" fn clone<G: Game>(state: *const c_void, out: *mut GpState) -> i32 {
    guard(|| {
        // SAFETY: `out` is null or a pointer of the caller's that this call alone uses.
        let out = unsafe { out.as_mut() }.ok_or(GP_E_ARGUMENT)?;
        *out = std::ptr::null_mut();
        // SAFETY: the ABI's promise about `state`.
        let copy = unsafe { state_ref::<G>(state) }?.clone();
        *out = Box::into_raw(Box::new(copy)).cast();
        Ok(())
    })
}

unsafe extern "C" fn destroy<G: Game>(state: GpState) {
    if !state.is_null() {
        guard(|| {
            // SAFETY: `state` came from `Box::into_raw` in `create` or `clone`, and its owner ends its life here.
            drop(unsafe { Box::from_raw(state.cast::<G>()) });
            Ok(())
        });
    }
}

unsafe extern "C" fn layout<G: Game>(state: *const c_void, tag: GpStr, out: *mut GpText) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe { put(out, &state_ref::<G>(state)?.layout(lang(tag)?).to_toml()) })
}

unsafe extern "C" fn view<G: Game>(
    state: *const c_void,
    who: u16,
    selected: u16,
    out: *mut GpCell,
    cap: u64,
    need: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: the ABI's promise about `state`.
        let state = unsafe { state_ref::<G>(state) }?;
        let mut cells = vec![GpCell::default(); state.cells()];
        state.view(viewer(who), some_cell(selected), &mut cells);
        // SAFETY: the ABI's promises about `out` and `need`.
        unsafe { put_array(out, cap, need, &cells) }
    })
}

fn c_status(status: &Status) -> GpStatus {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let (outcome, reason, winner) = match status.outcome {
        Outcome::Running => (GP_OUTCOME_RUNNING, 0, GP_NONE),
        Outcome::Win { winner, reason } => (GP_OUTCOME_WIN, reason, winner),
        Outcome::Draw(reason) => (GP_OUTCOME_DRAW, reason, GP_NONE),
        Outcome::Passed(reason) => (GP_OUTCOME_PASSED, reason, GP_NONE),
        Outcome::Failed(reason) => (GP_OUTCOME_FAILED, reason, GP_NONE),
    };
    let (lives, streak) = status.lives.unwrap_or_default();
    GpStatus {
        size: size_of::<GpStatus>() as u32,
        phase: status.phase,
        flags: flag(status.check, GP_STATUS_CHECK)
            | flag(status.last_move_final, GP_STATUS_FINAL)
            | flag(status.score.is_some(), GP_STATUS_SCORE)
            | flag(status.captures.is_some(), GP_STATUS_CAPTURES)
            | flag(status.lives.is_some(), GP_STATUS_LIVES)
            | flag(status.redeal_if_hidden, GP_STATUS_REDEAL_IF_HIDDEN)
            | flag(status.can_pass, GP_STATUS_CAN_PASS),
        outcome,
        reason,
        to_move: status.to_move.unwrap_or(GP_NONE),
        winner,
        timeout_ms: status.timeout_ms,
        score: status.score.unwrap_or_default(),
        captures: status.captures.unwrap_or_default(),
        lives,
        streak,
        move_number: status.move_number,
        reserved: 0,
        key: status.key,
    }
}

unsafe extern "C" fn status<G: Game>(state: *const c_void, out: *mut GpStatus) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe { put_struct(out, c_status(&state_ref::<G>(state)?.status())) })
}

unsafe extern "C" fn status_text<G: Game>(
    state: *const c_void,
    who: u16,
    tag: GpStr,
    out: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe {
        put(
            out,
            &state_ref::<G>(state)?.status_text(viewer(who), lang(tag)?),
        )
    })
}

unsafe extern "C" fn tally<G: Game>(
    state: *const c_void,
    who: u16,
    tag: GpStr,
    out: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe {
        let account = state_ref::<G>(state)?.tally(viewer(who), lang(tag)?);
        put(out, &account.ok_or(GP_E_UNSUPPORTED)?.to_toml())
    })
}

unsafe extern "C" fn moves<G: Game>(
    state: *const c_void,
    from: u16,
    out: *mut GpMove,
    cap: u64,
    need: *mut u64,
) -> i32 {
    guard(|| {
        let mut list = Vec::new();
        // SAFETY: the ABI's promise about `state`.
        unsafe { state_ref::<G>(state) }?.moves(&mut list);
        if let Some(from) = some_cell(from) {
            list.retain(|mv| mv.from == from);
        }
        // SAFETY: the ABI's promises about `out` and `need`.
        unsafe { put_array(out, cap, need, &list) }
    })
}

unsafe extern "C" fn apply<G: Game>(state: GpState, mv: GpMove, events: *mut u32) -> i32 {
    guard(|| {
        // SAFETY: `state` is null or a living state of this game that this call alone uses.
        let state = unsafe { state.cast::<G>().as_mut() }.ok_or(GP_E_ARGUMENT)?;
        let happened = state.apply(mv).map_err(|_| GP_E_ILLEGAL)?;
        // SAFETY: `events` is null or a number of the caller's that this call alone uses.
        if let Some(events) = unsafe { events.as_mut() } {
            *events = happened;
        }
        Ok(())
    })
}

unsafe extern "C" fn explain<G: Game>(
    state: *const c_void,
    mv: GpMove,
    tag: GpStr,
    out: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe {
        put(
            out,
            &state_ref::<G>(state)?
                .explain(mv, lang(tag)?)
                .unwrap_or_default(),
        )
    })
}

unsafe extern "C" fn move_text<G: Game>(state: *const c_void, mv: GpMove, out: *mut GpText) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe { put(out, &state_ref::<G>(state)?.move_text(mv)) })
}

unsafe extern "C" fn parse_move<G: Game>(
    state: *const c_void,
    given: GpStr,
    out: *mut GpMove,
    err: *mut GpText,
) -> i32 {
    guard(|| {
        // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
        let (state, given) = unsafe { (state_ref::<G>(state)?, text(given)?) };
        // SAFETY: `out` is null or a move of the caller's that this call alone uses.
        let out = unsafe { out.as_mut() }.ok_or(GP_E_ARGUMENT)?;
        *out = state.parse_move(given).map_err(|message| {
            // SAFETY: the ABI's promise about `err`.
            unsafe { put_error(err, &message) };
            GP_E_PARSE
        })?;
        Ok(())
    })
}

unsafe extern "C" fn move_label<G: Game>(
    state: *const c_void,
    mv: GpMove,
    tag: GpStr,
    out: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe { put(out, &state_ref::<G>(state)?.move_label(mv, lang(tag)?)) })
}

/// Reports a record error, with what could be read in `out`.
unsafe fn record_error(error: &crate::RecordError, out: *mut GpText, err: *mut GpText) -> i32 {
    // SAFETY: the caller's promises about `out` and `err` are passed on.
    unsafe {
        put_error(err, &error.message);
        match put(out, error.partial.as_deref().unwrap_or_default()) {
            Err(code) => code,
            Ok(()) if error.unsupported => GP_E_UNSUPPORTED,
            Ok(()) => GP_E_PARSE,
        }
    }
}

unsafe extern "C" fn write_record<G: Game>(
    format: GpStr,
    record: GpStr,
    out: *mut GpText,
    err: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe {
        match G::write_record(text(format)?, text(record)?) {
            Ok(bytes) => put_bytes(out, &bytes),
            Err(error) => Err(record_error(&error, out, err)),
        }
    })
}

unsafe extern "C" fn read_record<G: Game>(
    format: GpStr,
    file: GpStr,
    out: *mut GpText,
    err: *mut GpText,
) -> i32 {
    // SAFETY: the ABI's promises about the arguments are those that the helpers ask for.
    guard(|| unsafe {
        match G::read_record(text(format)?, bytes(file)?) {
            Ok(record) => put(out, &record),
            Err(error) => Err(record_error(&error, out, err)),
        }
    })
}

unsafe extern "C" fn ai_start<G: Game>(
    state: *const c_void,
    params: *const GpAiParams,
    out: *mut GpJob,
    err: *mut GpText,
) -> i32 {
    const ZERO: GpAiParams = GpAiParams {
        size: 0,
        level: 0,
        threads: 0,
        flags: 0,
        seed: 0,
        node_limit: 0,
        time_ms: 0,
        player: 0,
        candidates: 0,
        reserved: 0,
    };
    guard(|| {
        // SAFETY: `out` is null or a pointer of the caller's that this call alone uses.
        let out = unsafe { out.as_mut() }.ok_or(GP_E_ARGUMENT)?;
        *out = std::ptr::null_mut();
        // SAFETY: the ABI's promises about `state` and `params`.
        let (state, given) = unsafe { (state_ref::<G>(state)?, get_struct(params, ZERO)?) };
        let params = AiParams {
            level: given.level,
            threads: given.threads.max(1),
            seed: given.seed,
            node_limit: (given.node_limit > 0).then_some(given.node_limit),
            time: (given.time_ms > 0).then(|| Duration::from_millis(given.time_ms)),
            player: given.player,
            candidates: usize::from(given.candidates),
            hint: given.flags & GP_AI_HINT != 0,
            infinite: given.flags & GP_AI_INFINITE != 0,
        };
        let ai = G::Ai::start(state, &params).map_err(|message| {
            // SAFETY: the ABI's promise about `err`.
            unsafe { put_error(err, &message) };
            GP_E_ARGUMENT
        })?;
        let job = Job {
            ai: UnsafeCell::new(ai),
            cancel: AtomicBool::new(false),
        };
        *out = Box::into_raw(Box::new(job)).cast();
        Ok(())
    })
}

unsafe extern "C" fn ai_step<G: Game>(job: GpJob, budget_ms: u32, out: *mut GpAiReport) -> i32 {
    let mut progress = Progress::Done;
    let code = guard(|| {
        // SAFETY: `job` is null or a living job of this game; it is shared with `ai_cancel`, hence no `&mut`.
        let job = unsafe { job.cast::<Job<G::Ai>>().as_ref() }.ok_or(GP_E_ARGUMENT)?;
        if out.is_null() {
            return Err(GP_E_ARGUMENT);
        }
        // SAFETY: the ABI allows one `ai_step` at a time and no `ai_free` beside it, so `ai` is ours alone.
        let ai = unsafe { &mut *job.ai.get() };
        let mut report = Report::default();
        progress = ai.step(
            Duration::from_millis(budget_ms.into()),
            &job.cancel,
            &mut report,
        );
        // SAFETY: not null, and by the ABI this call's alone.
        unsafe { put_report(out, &report) }
    });
    if code == GP_OK && progress == Progress::More {
        GP_MORE
    } else {
        code
    }
}

/// Fills in the caller's report, each array as far as it has room.
unsafe fn put_report(out: *mut GpAiReport, report: &Report) -> Code {
    /// Copies as many items as there is room for.
    unsafe fn fill<T: Copy>(to: *mut T, cap: u32, items: &[T]) -> u32 {
        if to.is_null() {
            return 0;
        }
        let len = items.len().min(cap as usize);
        // SAFETY: the caller gave room for `cap` ≥ `len` items.
        unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), to, len) };
        len as u32
    }
    // Reading the caller's array pointers needs the whole of version 1.0's struct.
    // SAFETY: every growing struct begins with `size: u32`.
    if (unsafe { out.cast::<u32>().read() } as usize) < size_of::<GpAiReport>() {
        return Err(GP_E_ARGUMENT);
    }
    // SAFETY: it has the size of a whole report, and by the ABI it is this call's alone.
    let out = unsafe { &mut *out };
    let candidates: Vec<GpCandidate> = report
        .candidates
        .iter()
        .map(|c| GpCandidate {
            mv: c.mv,
            win_permille: c.win_permille,
            visits: c.visits,
        })
        .collect();
    // SAFETY: the ABI's promises about the three arrays.
    unsafe {
        out.candidates_len = fill(out.candidates, out.candidates_cap, &candidates);
        out.line_len = fill(out.line, out.line_cap, &report.line);
        out.heat_len = fill(out.heat, out.heat_cap, &report.heat);
    }
    out.win_permille = report.win_permille;
    out.best = report.best.unwrap_or(GpMove {
        kind: 0,
        from: GP_NONE,
        to: GP_NONE,
        arg: 0,
    });
    out.nodes = report.nodes;
    out.depth = report.depth;
    out.reserved = 0;
    Ok(())
}

unsafe extern "C" fn ai_cancel<G: Game>(job: *const c_void) {
    // SAFETY: `job` is null or a living job of this game; only its atomic flag is touched.
    if let Some(job) = unsafe { job.cast::<Job<G::Ai>>().as_ref() } {
        job.cancel.store(true, Ordering::Relaxed);
    }
}

unsafe extern "C" fn ai_free<G: Game>(job: GpJob) {
    if !job.is_null() {
        guard(|| {
            // SAFETY: `job` came from `Box::into_raw` in `ai_start`, and its owner ends its life here.
            drop(unsafe { Box::from_raw(job.cast::<Job<G::Ai>>()) });
            Ok(())
        });
    }
}

unsafe extern "C" fn overlay<G: Game>(
    state: *const c_void,
    index: u32,
    who: u16,
    out: *mut i32,
    cap: u64,
    need: *mut u64,
) -> i32 {
    guard(|| {
        // SAFETY: the ABI's promise about `state`.
        let state = unsafe { state_ref::<G>(state) }?;
        let mut values = vec![GP_OVERLAY_NONE; state.cells()];
        if !state.overlay(index, viewer(who), &mut values) {
            return Err(GP_E_UNSUPPORTED);
        }
        // SAFETY: the ABI's promises about `out` and `need`.
        unsafe { put_array(out, cap, need, &values) }
    })
}

unsafe extern "C" fn level<G: Game>(index: u32, tag: GpStr, out: *mut GpText) -> i32 {
    guard(|| {
        // SAFETY: the ABI's promise about `tag`.
        let tag = unsafe { lang(tag) }?;
        let level = G::level(index, tag).ok_or(GP_E_UNSUPPORTED)?;
        // SAFETY: the ABI's promise about `out`.
        unsafe { put(out, &level.to_toml()) }
    })
}

unsafe extern "C" fn level_result<G: Game>(
    state: *const c_void,
    index: u32,
    player: u16,
    out: *mut GpLevelResult,
) -> i32 {
    guard(|| {
        // SAFETY: the ABI's promise about `state`.
        let state = unsafe { state_ref::<G>(state) }?;
        let result = state.level_result(index, player).ok_or(GP_E_UNSUPPORTED)?;
        let result = GpLevelResult {
            size: size_of::<GpLevelResult>() as u32,
            passed: result.passed.into(),
            stars: result.stars.min(3).into(),
            points: result.points,
        };
        // SAFETY: the ABI's promise about `out`.
        unsafe { put_struct(out, result) }
    })
}
