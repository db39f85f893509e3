//! One game of a loaded library.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use qiju_abi::{GP_E_PARSE, GP_E_UNSUPPORTED, GP_OK};

use super::buffer::{self, ErrorText, borrowed, borrowed_bytes};
use super::load_error::LoadCause;
use super::vtable::Vtable;
use super::{Describe, Game, GameError, Lang, Level, ReadRecordError};

/// One game of a loaded library. Cheap to clone; all clones are one.
///
/// The library is never unloaded, so a plugin and all that comes from it stay
/// valid to the end of the process.
#[derive(Clone)]
pub struct Plugin {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    zh: Describe,
    en: Describe,
    vtable: Vtable,
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plugin")
            .field("id", &self.id())
            .field("path", &self.inner.path)
            .finish_non_exhaustive()
    }
}

impl Plugin {
    /// Takes over game number `game` of the library at `path` and reads its description in both languages.
    ///
    /// # Errors
    /// `describe` fails, or what it says cannot be used.
    pub(super) fn new(path: &Path, game: u32, vtable: Vtable) -> Result<Self, LoadCause> {
        let bad = |lang: Lang, why: String| LoadCause::BadDescribe {
            game,
            lang: lang.tag().to_owned(),
            why,
        };
        let read = |lang: Lang| {
            let text = describe_text(&vtable, lang).map_err(|error| match error {
                GameError::Panicked => LoadCause::DescribePanicked { game },
                other => LoadCause::DescribeFailed {
                    game,
                    why: other.to_string(),
                },
            })?;
            Describe::read(&text).map_err(|why| bad(lang, why))
        };
        let (zh, en) = (read(Lang::Zh)?, read(Lang::En)?);
        zh.same_but_for_words(&en)
            .map_err(|why| bad(Lang::En, why))?;
        Ok(Self {
            inner: Arc::new(Inner {
                path: path.to_owned(),
                zh,
                en,
                vtable,
            }),
        })
    }

    pub(super) fn vtable(&self) -> &Vtable {
        &self.inner.vtable
    }

    /// Identity in saves and settings.
    pub fn id(&self) -> &str {
        &self.inner.en.id
    }

    /// The library's file.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// All that is static about the game. Both languages differ in words only.
    pub fn describe(&self, lang: Lang) -> &Describe {
        lang.pick(&self.inner.zh, &self.inner.en)
    }

    /// Whether the game has an opponent.
    pub fn has_ai(&self) -> bool {
        self.vtable().ai.is_some() && !self.inner.en.levels.is_empty()
    }

    /// A new state; `lang` is the language of error texts.
    ///
    /// # Errors
    /// [`GameError::Option`] naming the key of a value that cannot be taken; any failure of the game.
    pub fn create(&self, options: &toml::Table, seed: u64, lang: Lang) -> Result<Game, GameError> {
        Game::create(self, &options.to_string(), seed, lang)
    }

    /// Level `index` of the ladder, counted from 0.
    ///
    /// # Errors
    /// [`GameError::Unsupported`] past the last level; any failure of the game.
    pub fn level(&self, index: u32, lang: Lang) -> Result<Level, GameError> {
        let level = self.vtable().level.ok_or(GameError::Unsupported)?;
        let text = buffer::read_text("level", buffer::MAX_TOML, |out| {
            // SAFETY: the function is the library's own, and both pointers are valid for the call.
            unsafe { level(index, borrowed(lang.tag()), out) }
        })?;
        Level::read(&text, self.describe(lang))
            .map_err(|why| GameError::BadOutput(format!("level {index} ({}): {why}", lang.tag())))
    }

    /// A neutral record (TOML) as the bytes of a file of `format`.
    ///
    /// # Errors
    /// [`GameError::Unsupported`] for an unknown format, [`GameError::Parse`] for a record that
    /// cannot be put into it; any failure of the game.
    pub fn write_record(&self, format: &str, record: &str) -> Result<Vec<u8>, GameError> {
        let write = self.vtable().write_record.ok_or(GameError::Unsupported)?;
        let mut err = ErrorText::new();
        let (code, bytes) = buffer::read_bytes("write_record", buffer::MAX_RECORD, |out| {
            // SAFETY: the function is the library's own, and all pointers are valid for the call.
            unsafe { write(borrowed(format), borrowed(record), out, err.as_out()) }
        })?;
        match code {
            GP_OK => Ok(bytes),
            code => Err(buffer::failure("write_record", code, &err.read())),
        }
    }

    /// The bytes of a file of `format` as a neutral record (TOML).
    ///
    /// # Errors
    /// What is wrong with the file and where, with as much of the record as could be read.
    pub fn read_record(&self, format: &str, bytes: &[u8]) -> Result<String, ReadRecordError> {
        let read = self.vtable().read_record.ok_or(GameError::Unsupported)?;
        let mut err = ErrorText::new();
        let (code, record) = buffer::read_bytes("read_record", buffer::MAX_RECORD, |out| {
            // SAFETY: the function is the library's own, and all pointers are valid for the call.
            unsafe { read(borrowed(format), borrowed_bytes(bytes), out, err.as_out()) }
        })?;
        if code == GP_OK {
            return Ok(buffer::utf8("read_record", record)?);
        }
        let mut error = ReadRecordError::from(buffer::failure("read_record", code, &err.read()));
        if matches!(code, GP_E_PARSE | GP_E_UNSUPPORTED) && !record.is_empty() {
            error.partial = Some(buffer::utf8("read_record", record)?);
        }
        Err(error)
    }
}

/// The text of `describe`.
pub(super) fn describe_text(vtable: &Vtable, lang: Lang) -> Result<String, GameError> {
    buffer::read_text("describe", buffer::MAX_TOML, |out| {
        // SAFETY: the function is the library's own, and both pointers are valid for the call.
        unsafe { (vtable.describe)(borrowed(lang.tag()), out) }
    })
}
