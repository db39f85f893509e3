//! The caller's side of the ABI's buffers: ask, grow, ask again, and believe nothing.
//!
//! Every function here takes the call itself as a closure, which gets the
//! buffer and returns the game's code.

use qiju_abi::{
    GP_E_ARGUMENT, GP_E_BUFFER, GP_E_ILLEGAL, GP_E_OPTION, GP_E_PANIC, GP_E_PARSE, GP_E_RESOURCE,
    GP_E_UNSUPPORTED, GP_OK, GpStr, GpText,
};

use super::GameError;

/// Bytes at first for texts, enough for nearly all of them.
const FIRST_BYTES: usize = 4 * 1024;
/// Bytes for an error text.
const ERROR_BYTES: usize = 4 * 1024;
/// Calls with a larger buffer, before a game that always wants more is given up.
const RETRIES: u32 = 2;

/// Most bytes of a description, a layout or a level.
pub const MAX_TOML: usize = 1024 * 1024;
/// Most bytes of a text that people read.
pub const MAX_WORDS: usize = 64 * 1024;
/// Most bytes of a move's canonical text.
pub const MAX_MOVE_TEXT: usize = 4 * 1024;
/// Most bytes of a record.
pub const MAX_RECORD: usize = 64 * 1024 * 1024;
/// Most legal moves.
pub const MAX_MOVES: usize = 65_536;

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

/// A buffer for an error text.
pub struct ErrorText {
    bytes: Vec<u8>,
    text: GpText,
}

impl ErrorText {
    /// An empty one.
    pub fn new() -> Self {
        let mut bytes = vec![0; ERROR_BYTES];
        let text = GpText {
            ptr: bytes.as_mut_ptr(),
            cap: bytes.len() as u64,
            len: 0,
        };
        Self { bytes, text }
    }

    /// What is handed to the game.
    pub fn as_out(&mut self) -> *mut GpText {
        &raw mut self.text
    }

    /// What the game wrote, on as many lines as it likes; what is not UTF-8 is replaced.
    pub fn read(&self) -> String {
        let len = usize::try_from(self.text.len).unwrap_or(usize::MAX);
        let written = self.bytes.get(..len).unwrap_or(&self.bytes);
        String::from_utf8_lossy(written).trim().to_owned()
    }
}

/// What a code other than [`GP_OK`] means; `why` is the error text, `call` the function's name.
pub fn failure(call: &str, code: i32, why: &str) -> GameError {
    let told = || match why {
        "" => call.to_owned(),
        why => why.to_owned(),
    };
    match code {
        GP_E_ILLEGAL => GameError::Illegal,
        GP_E_PANIC => GameError::Panicked,
        GP_E_OPTION => GameError::Option(told()),
        GP_E_PARSE => GameError::Parse(told()),
        GP_E_UNSUPPORTED => GameError::Unsupported,
        GP_E_ARGUMENT if why.is_empty() => GameError::Argument(call.to_owned()),
        GP_E_ARGUMENT => GameError::Argument(format!("{call}: {why}")),
        GP_E_RESOURCE => GameError::Resource,
        GP_E_BUFFER => GameError::BadOutput(format!("{call} asks for a buffer that it has")),
        code => GameError::BadOutput(format!("{call} returned the unknown code {code}")),
    }
}

/// [`GP_OK`], or what the code means.
pub fn check(call: &str, code: i32) -> Result<(), GameError> {
    match code {
        GP_OK => Ok(()),
        code => Err(failure(call, code, "")),
    }
}

/// Gets bytes of at most `max`. The code is handed back beside them, because
/// some calls give bytes together with an error; it is never [`GP_E_BUFFER`].
///
/// # Errors
/// The game claims more than it may, or never has enough.
pub fn read_bytes(
    call: &str,
    max: usize,
    ask: impl FnMut(*mut GpText) -> i32,
) -> Result<(i32, Vec<u8>), GameError> {
    read_bytes_from(call, FIRST_BYTES.min(max), max, ask)
}

fn read_bytes_from(
    call: &str,
    first: usize,
    max: usize,
    mut ask: impl FnMut(*mut GpText) -> i32,
) -> Result<(i32, Vec<u8>), GameError> {
    let mut bytes = vec![0_u8; first];
    for _ in 0..=RETRIES {
        let mut text = GpText {
            ptr: bytes.as_mut_ptr(),
            cap: bytes.len() as u64,
            len: 0,
        };
        let code = ask(&raw mut text);
        let len = within(call, text.len, max)?;
        if code != GP_E_BUFFER {
            if len > bytes.len() {
                return Err(GameError::BadOutput(format!(
                    "{call} claims {len} bytes in a buffer of {}",
                    bytes.len()
                )));
            }
            bytes.truncate(len);
            return Ok((code, bytes));
        }
        if len <= bytes.len() {
            break;
        }
        bytes = vec![0; len];
    }
    Err(failure(call, GP_E_BUFFER, ""))
}

/// Gets text of at most `max` bytes.
///
/// # Errors
/// What the game's code means; the text is not UTF-8 or too long.
pub fn read_text(
    call: &str,
    max: usize,
    ask: impl FnMut(*mut GpText) -> i32,
) -> Result<String, GameError> {
    let (code, bytes) = read_bytes(call, max, ask)?;
    check(call, code)?;
    utf8(call, bytes)
}

/// Bytes as text.
///
/// # Errors
/// They are not UTF-8.
pub fn utf8(call: &str, bytes: Vec<u8>) -> Result<String, GameError> {
    String::from_utf8(bytes).map_err(|error| {
        GameError::BadOutput(format!(
            "{call} gave text that is not UTF-8 at byte {}",
            error.utf8_error().valid_up_to()
        ))
    })
}

/// Gets an array of at most `max` items, asking for `first` to begin with.
///
/// # Errors
/// What the game's code means; it claims more than it may.
pub fn read_array<T: Clone>(
    call: &str,
    empty: T,
    first: usize,
    max: usize,
    mut ask: impl FnMut(*mut T, u64, *mut u64) -> i32,
) -> Result<Vec<T>, GameError> {
    let mut items = vec![empty.clone(); first];
    for _ in 0..=RETRIES {
        let mut need = 0;
        let code = ask(items.as_mut_ptr(), items.len() as u64, &raw mut need);
        if code == GP_E_BUFFER {
            let len = within(call, need, max)?;
            if len <= items.len() {
                break;
            }
            items = vec![empty.clone(); len];
            continue;
        }
        check(call, code)?;
        let len = within(call, need, max)?;
        if len > items.len() {
            return Err(GameError::BadOutput(format!(
                "{call} claims {len} items in a buffer of {}",
                items.len()
            )));
        }
        items.truncate(len);
        return Ok(items);
    }
    Err(failure(call, GP_E_BUFFER, ""))
}

fn within(call: &str, len: u64, max: usize) -> Result<usize, GameError> {
    usize::try_from(len)
        .ok()
        .filter(|len| *len <= max)
        .ok_or_else(|| {
            GameError::BadOutput(format!("{call} claims a length of {len}, more than {max}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that answers every call with this code and this length.
    fn answer(code: i32, len: u64) -> impl FnMut(*mut GpText) -> i32 {
        move |out| {
            // SAFETY: `read_bytes` hands over its own buffer.
            unsafe { (*out).len = len };
            code
        }
    }

    #[test]
    fn a_long_text_is_asked_for_again() {
        let long = "字".repeat(3_000);
        let mut calls = 0;
        let text = read_text("f", MAX_WORDS, |out| {
            calls += 1;
            // SAFETY: `read_text` hands over its own buffer.
            let out = unsafe { &mut *out };
            out.len = long.len() as u64;
            if out.len > out.cap {
                return GP_E_BUFFER;
            }
            // SAFETY: there is room for `cap` bytes, and the text has no more.
            unsafe { std::ptr::copy_nonoverlapping(long.as_ptr(), out.ptr, long.len()) };
            GP_OK
        });
        assert_eq!((text, calls), (Ok(long), 2));
    }

    #[test]
    fn lengths_that_cannot_be_are_refused() {
        let bad = |code, len| match read_bytes("f", 10_000, answer(code, len)) {
            Err(GameError::BadOutput(what)) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(bad(GP_OK, 5_000), "f claims 5000 bytes in a buffer of 4096");
        assert_eq!(
            bad(GP_OK, u64::MAX),
            format!("f claims a length of {}, more than 10000", u64::MAX)
        );
        assert_eq!(
            bad(GP_E_BUFFER, 10_001),
            "f claims a length of 10001, more than 10000"
        );
        assert_eq!(bad(GP_E_BUFFER, 4_096), "f asks for a buffer that it has");
    }

    #[test]
    fn a_game_that_always_wants_more_is_given_up() {
        let mut calls = 0;
        let result = read_array("f", 0_u8, 1, 100, |_, cap, need| {
            calls += 1;
            // SAFETY: `read_array` hands over its own number.
            unsafe { *need = cap + 1 };
            GP_E_BUFFER
        });
        assert!(matches!(result, Err(GameError::BadOutput(_))));
        assert_eq!(calls, 1 + RETRIES);
    }

    #[test]
    fn text_that_is_not_utf8_is_refused() {
        assert_eq!(
            utf8("f", b"ab\xff".to_vec()),
            Err(GameError::BadOutput(
                "f gave text that is not UTF-8 at byte 2".to_owned()
            ))
        );
    }

    #[test]
    fn an_error_text_that_claims_too_much_is_cut() {
        let mut err = ErrorText::new();
        // SAFETY: the buffer is `err`'s own.
        unsafe {
            let text = &mut *err.as_out();
            text.ptr.copy_from(b"why\xe5".as_ptr(), 4);
            text.len = 4;
        }
        assert_eq!(err.read(), "why\u{fffd}");
        // SAFETY: as above.
        unsafe { (*err.as_out()).len = u64::MAX };
        assert_eq!(err.read().len(), ERROR_BYTES + "\u{fffd}".len() - 1);
    }

    #[test]
    fn codes_have_a_meaning() {
        assert_eq!(failure("f", GP_E_ILLEGAL, ""), GameError::Illegal);
        assert_eq!(
            failure("f", GP_E_OPTION, "k: no"),
            GameError::Option("k: no".to_owned())
        );
        assert_eq!(
            failure("f", GP_E_PARSE, ""),
            GameError::Parse("f".to_owned())
        );
        assert_eq!(
            failure("f", -99, ""),
            GameError::BadOutput("f returned the unknown code -99".to_owned())
        );
    }
}
