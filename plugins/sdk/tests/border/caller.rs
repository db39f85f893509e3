//! The caller's side of the border: buffers with guards behind them, and objects
//! that are ended in time.

use std::ffi::c_void;
use std::ptr;

use qiju_sdk::abi::*;
use qiju_sdk::export::vtable;
use qiju_sdk::plain;

use crate::games::{Broken, Mine, Tally};

/// The vtables of the three games.
pub const TALLY: GamePlugin = vtable::<Tally>();
/// See [`TALLY`].
pub const MINE: GamePlugin = vtable::<Mine>();
/// See [`TALLY`].
pub const BROKEN: GamePlugin = vtable::<Broken>();

/// No buffer for text.
pub const NO_TEXT: *mut GpText = ptr::null_mut();

/// Calls a function of a vtable, which has it. The caller says why that is safe.
macro_rules! call {
    ($game:expr, $function:ident($($argument:expr),* $(,)?)) => {
        ($game.$function.expect(stringify!($function)))($($argument),*)
    };
}
pub(crate) use call;

/// What guarded bytes hold.
pub const CANARY: u8 = 0xA5;

/// Text for the length of a call.
pub fn borrowed(text: &str) -> GpStr {
    borrowed_bytes(text.as_bytes())
}

/// Bytes for the length of a call.
pub fn borrowed_bytes(bytes: &[u8]) -> GpStr {
    GpStr {
        ptr: bytes.as_ptr(),
        len: bytes.len() as u64,
    }
}

/// Calls with a buffer of `cap` bytes (none at all for 0): the code, the length told, the
/// buffer. Panics if a byte behind the buffer has changed.
pub fn call_with(cap: usize, call: impl FnOnce(*mut GpText) -> i32) -> (i32, u64, Vec<u8>) {
    let mut bytes = vec![CANARY; cap + 64];
    let mut text = GpText {
        ptr: if cap == 0 {
            ptr::null_mut()
        } else {
            bytes.as_mut_ptr()
        },
        cap: cap as u64,
        len: 0,
    };
    let code = call(&raw mut text);
    assert_eq!(text.cap, cap as u64);
    assert!(
        bytes[cap..].iter().all(|byte| *byte == CANARY),
        "written behind the buffer"
    );
    bytes.truncate(cap);
    (code, text.len, bytes)
}

/// Calls with an ample buffer: the code, and the text written.
pub fn text(call: impl FnOnce(*mut GpText) -> i32) -> (i32, String) {
    let (code, len, mut bytes) = call_with(4096, call);
    bytes.truncate(len as usize);
    (code, String::from_utf8(bytes).expect("UTF-8"))
}

/// A new state of a game with its default options.
pub fn state(game: &GamePlugin) -> GpState {
    let mut state = ptr::null_mut();
    let create = game.create.expect("create");
    // SAFETY: all pointers are valid for the call, and `err` may be null.
    let code = unsafe {
        create(
            borrowed(""),
            1,
            borrowed("en"),
            &raw mut state,
            ptr::null_mut(),
        )
    };
    assert_eq!(code, GP_OK);
    assert!(!state.is_null());
    state
}

/// The move of giving up.
pub fn resign() -> GpMove {
    plain(GP_MOVE_RESIGN)
}

/// A search of the only level.
pub fn params() -> GpAiParams {
    GpAiParams {
        size: size_of::<GpAiParams>() as u32,
        level: 0,
        threads: 0,
        flags: 0,
        seed: 1,
        node_limit: 0,
        time_ms: 0,
        player: 0,
        candidates: 0,
        reserved: 0,
    }
}

/// A report without room for arrays.
pub fn empty_report() -> GpAiReport {
    GpAiReport {
        size: size_of::<GpAiReport>() as u32,
        candidates_cap: 0,
        candidates_len: 7,
        line_cap: 0,
        line_len: 7,
        heat_cap: 0,
        heat_len: 7,
        win_permille: 0,
        best: plain(0),
        nodes: 0,
        depth: 0,
        reserved: 7,
        candidates: ptr::null_mut(),
        line: ptr::null_mut(),
        heat: ptr::null_mut(),
    }
}

/// Begins a search; the code and the job.
pub fn start(game: &GamePlugin, state: GpState, params: &GpAiParams) -> (i32, *mut c_void) {
    let mut job = ptr::null_mut();
    // SAFETY: the state is alive, all pointers are valid for the call, and `err` may be null.
    let code =
        unsafe { game.ai_start.expect("ai_start")(state, params, &raw mut job, ptr::null_mut()) };
    (code, job)
}

/// Memory of `size` bytes of canaries that begins with its size, handed to a call that fills in a
/// struct; then the code and the memory, with 16 more bytes behind it.
pub fn fill_struct(size: usize, call: impl FnOnce(*mut c_void) -> i32) -> (i32, Vec<u8>) {
    // Of u64, so that it is aligned for every struct of the ABI.
    let mut memory = vec![u64::from_ne_bytes([CANARY; 8]); size.div_ceil(8) + 2];
    let pointer = memory.as_mut_ptr();
    // SAFETY: the memory is longer than a u32 and aligned for it.
    unsafe { pointer.cast::<u32>().write(size as u32) };
    let code = call(pointer.cast());
    (
        code,
        memory.iter().flat_map(|word| word.to_ne_bytes()).collect(),
    )
}

/// A state of [`Tally`] that is destroyed at its end.
pub struct Owned(pub GpState);

impl Owned {
    /// A new game.
    pub fn new() -> Self {
        Self(state(&TALLY))
    }

    /// Plays a move; the code and the events.
    pub fn apply(&self, mv: GpMove) -> (i32, u32) {
        let mut events = 0;
        // SAFETY: the state is alive, and `events` is ours.
        let code = unsafe { call!(TALLY, apply(self.0, mv, &raw mut events)) };
        (code, events)
    }

    /// The number on each cell.
    pub fn pieces(&self) -> Vec<i32> {
        let mut cells = [GpCell::default(); 2];
        let mut need = 0;
        // SAFETY: the state is alive, and there is room for 2 cells.
        let code = unsafe {
            call!(
                TALLY,
                view(self.0, 0, GP_NONE, cells.as_mut_ptr(), 2, &raw mut need)
            )
        };
        assert_eq!((code, need), (GP_OK, 2));
        cells.iter().map(|cell| cell.number).collect()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the state is alive, and nobody uses it after this.
        unsafe { call!(TALLY, destroy(self.0)) };
    }
}
