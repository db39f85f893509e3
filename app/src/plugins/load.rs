//! One file into its games.

use std::fs::File;
use std::io::Read;
use std::mem::ManuallyDrop;
use std::path::Path;

use qiju_abi::{GP_ABI_MAJOR, GP_ENTRY_SYMBOL, GP_MAGIC, GamePluginEntry, GamePluginEntryFn};
use sha2::{Digest, Sha256};

use super::load_error::{LoadCause, LoadError};
use super::object_file::{self, HOST};
use super::vtable::{Vtable, read_growing};
use super::{Lang, Plugin};

/// Most bytes of a plugin file: far above any game, and it keeps a stray disk
/// image out of memory.
const MAX_FILE: u64 = 512 * 1024 * 1024;
/// Most games of one library.
const MAX_GAMES: u32 = 64;

/// SHA-256 of a plugin file's bytes, in hexadecimal, after the cheap checks of its tables.
///
/// # Errors
/// The hash, where the file could be read, and what is wrong with it.
pub(super) fn examine(path: &Path) -> Result<String, (String, LoadError)> {
    let bytes = read(path).map_err(|cause| (String::new(), LoadError::new(path, cause)))?;
    let hash = hex(&Sha256::digest(&bytes));
    match object_file::check(&bytes, HOST) {
        Ok(()) => Ok(hash),
        Err(cause) => Err((hash, LoadError::new(path, cause))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, LoadCause> {
    let unreadable = |error: std::io::Error| LoadCause::Unreadable(error.to_string());
    let kind = std::fs::metadata(path).map_err(unreadable)?;
    if !kind.is_file() && !kind.is_dir() {
        // Opening a named pipe would wait for whoever writes to it.
        return Err(LoadCause::Unreadable("not a regular file".to_owned()));
    }
    let mut file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    let read = file
        .by_ref()
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    if read as u64 > MAX_FILE {
        return Err(LoadCause::TooLarge { limit: MAX_FILE });
    }
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Loads a plugin file that is trusted: its code runs. The library stays
/// loaded to the end of the process.
///
/// # Errors
/// What is wrong with the file; nothing of it is used then, though its code may
/// have run.
pub fn load(path: &Path) -> Result<Vec<Plugin>, LoadError> {
    examine(path).map_err(|(_, error)| error)?;
    open(path)
}

/// Loads a file that [`examine`] has just found good.
pub(super) fn open(path: &Path) -> Result<Vec<Plugin>, LoadError> {
    let games = open_library(path).map_err(|cause| LoadError::new(path, cause))?;
    for game in &games {
        tracing::info!(
            id = game.id(),
            version = game.describe(Lang::En).version,
            path = %path.display(),
            "game loaded"
        );
    }
    Ok(games)
}

fn open_library(path: &Path) -> Result<Vec<Plugin>, LoadCause> {
    // A bare file name would be looked for in the system's own folders.
    let path =
        std::path::absolute(path).map_err(|error| LoadCause::Unreadable(error.to_string()))?;
    // Never unloaded: plugins hand out pointers into it, and threads of its own may run in it.
    let library = ManuallyDrop::new(dlopen(&path).map_err(|error| open_error(&error))?);
    let entry: GamePluginEntryFn = {
        // SAFETY: the ABI gives this symbol this type; the magic number is checked below.
        let symbol = unsafe { library.get::<GamePluginEntryFn>(GP_ENTRY_SYMBOL) };
        *symbol.map_err(|_| LoadCause::MissingSymbol)?
    };

    // SAFETY: as above. Libraries are loaded by one thread at a time, as the ABI asks.
    let table = unsafe { entry() };
    if table.is_null() {
        return Err(LoadCause::NullEntry);
    }
    // SAFETY: not null, and by the ABI a struct that begins with its size and lives for ever.
    let table: GamePluginEntry = unsafe { read_growing(table) };
    if table.magic != GP_MAGIC {
        return Err(LoadCause::BadMagic { found: table.magic });
    }
    if table.abi_major != GP_ABI_MAJOR {
        return Err(LoadCause::WrongMajor {
            theirs: table.abi_major,
            ours: GP_ABI_MAJOR,
        });
    }
    games(&path, &table)
}

fn games(path: &Path, entry: &GamePluginEntry) -> Result<Vec<Plugin>, LoadCause> {
    let plugin = match (entry.count, entry.plugin) {
        (0, _) | (_, None) => return Err(LoadCause::NoGames),
        (count, _) if count > MAX_GAMES => {
            return Err(LoadCause::TooManyGames {
                count,
                limit: MAX_GAMES,
            });
        }
        (_, Some(plugin)) => plugin,
    };
    let mut games: Vec<Plugin> = Vec::new();
    for index in 0..entry.count {
        // SAFETY: the function is the library's own, and the index is below its count.
        let table = unsafe { plugin(index) };
        if table.is_null() {
            return Err(LoadCause::NullGame { game: index });
        }
        // SAFETY: not null, and by the ABI a struct that begins with its size and lives for ever.
        let table = unsafe { read_growing(table) };
        let game = Plugin::new(path, index, Vtable::new(index, &table)?)?;
        if games.iter().any(|other| other.id() == game.id()) {
            return Err(LoadCause::DuplicateId {
                id: game.id().to_owned(),
            });
        }
        games.push(game);
    }
    Ok(games)
}

/// Opens a library so that a symbol missing anywhere in it is an error now and not a crash later.
#[cfg(unix)]
fn dlopen(path: &Path) -> Result<libloading::Library, libloading::Error> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the library's constructors run. That is what trusting a plugin means; files from
    // outside have been tried in a process of their own before.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
}

/// Opens a library.
#[cfg(not(unix))]
fn dlopen(path: &Path) -> Result<libloading::Library, libloading::Error> {
    // SAFETY: the library's constructors run. That is what trusting a plugin means; files from
    // outside have been tried in a process of their own before.
    unsafe { libloading::Library::new(path) }
}

/// The loader's own words; they stand behind `source`.
fn open_error(error: &libloading::Error) -> LoadCause {
    let why = std::error::Error::source(error)
        .map_or_else(|| error.to_string(), |source| source.to_string());
    LoadCause::Open(why)
}
