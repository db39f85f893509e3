//! Where plugin files are looked for, and what each of them turned out to be.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::load::{examine, open};
use super::load_error::{LoadCause, LoadError};
use super::{Plugin, Prober};

/// Variable with more folders to look in, parted as the platform parts `PATH`.
const PATH_VARIABLE: &str = "QIJU_PLUGIN_PATH";

/// A folder with plugin files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPath {
    /// The folder; it need not exist.
    pub dir: PathBuf,
    /// Whether its files came with the app: they are trusted without asking
    /// and loaded without being tried first.
    pub bundled: bool,
}

/// The folders to look in, in the order in which they win: `plugins` beside the
/// executable, the data folder's own, then those of `QIJU_PLUGIN_PATH`.
pub fn search_paths(data_plugins: &Path) -> Vec<SearchPath> {
    let bundled = match std::env::current_exe() {
        Ok(exe) => exe.parent().map(|dir| dir.join("plugins")),
        Err(error) => {
            tracing::warn!(%error, "the executable's own folder is unknown");
            None
        }
    };
    let from_outside = |dir| SearchPath {
        dir,
        bundled: false,
    };
    let variable = std::env::var_os(PATH_VARIABLE).unwrap_or_default();
    bundled
        .map(|dir| SearchPath { dir, bundled: true })
        .into_iter()
        .chain([from_outside(data_plugins.to_owned())])
        .chain(
            std::env::split_paths(&variable)
                .filter(|dir| !dir.as_os_str().is_empty())
                .map(from_outside),
        )
        .collect()
}

/// What the player has agreed to, kept by the store. A closure from a hash to
/// whether it is trusted will do where nothing else is kept.
pub trait Trust {
    /// Whether the player agreed to load the file with this SHA-256 (hexadecimal).
    fn trusts(&self, hash: &str) -> bool;

    /// Whether the player agreed to a file at this path when it had other content.
    fn knew(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether the file with this hash was tried before and found good.
    fn probed(&self, hash: &str) -> bool {
        let _ = hash;
        false
    }

    /// The file with this hash has been tried and found good.
    fn set_probed(&self, hash: &str) {
        let _ = hash;
    }
}

impl<F: Fn(&str) -> bool> Trust for F {
    fn trusts(&self, hash: &str) -> bool {
        self(hash)
    }
}

/// A plugin file, or a game of one that another hides.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file, under the name by which it was found first.
    pub path: PathBuf,
    /// Whether it came with the app.
    pub bundled: bool,
    /// SHA-256 in hexadecimal; empty if the file cannot be read.
    pub hash: String,
    /// What it turned out to be.
    pub state: FoundState,
}

/// What a file turned out to be.
#[derive(Clone, Debug)]
pub enum FoundState {
    /// Its games, without those that are shadowed.
    Loaded(Vec<Plugin>),
    /// From outside and not agreed to: none of its code has run.
    New,
    /// As new, but a file of this name with other content was agreed to.
    Changed,
    /// It cannot be used.
    Broken(LoadError),
    /// Game `id` of it gives way to the same game of `by`, which was found
    /// first. A file has one entry for each such game, beside its `Loaded` one
    /// if any game is left.
    Shadowed {
        /// The game.
        id: String,
        /// The file that has it.
        by: PathBuf,
    },
}

/// Looks through the folders in order and loads what may be loaded.
///
/// A file is known by where it really is: a second way to it is passed over.
/// A trusted file from outside is tried by `prober` before its first load.
///
/// What is hashed are the bytes that were just read; the system's loader then
/// reads the file again. In between, or while the library is mapped, somebody
/// who may write to the folder could replace it. He could write to the app's
/// other files, too, so this is left open; only the long gap of a probe is
/// closed by hashing again after it.
pub fn discover(paths: &[SearchPath], trust: &dyn Trust, prober: &Prober) -> Vec<Found> {
    let mut seen = HashSet::new();
    let mut owners: HashMap<String, PathBuf> = HashMap::new();
    let mut found = Vec::new();
    for (path, bundled) in paths.iter().flat_map(candidates) {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !seen.insert(real) {
            continue;
        }
        let (hash, state) = inspect(&path, bundled, trust, prober);
        let entry = |state| Found {
            path: path.clone(),
            bundled,
            hash: hash.clone(),
            state,
        };
        match state {
            FoundState::Loaded(games) => {
                let (taken, free): (Vec<_>, Vec<_>) = games
                    .into_iter()
                    .partition(|game| owners.contains_key(game.id()));
                for game in &free {
                    owners.insert(game.id().to_owned(), path.clone());
                }
                if !free.is_empty() {
                    found.push(entry(FoundState::Loaded(free)));
                }
                found.extend(taken.iter().filter_map(|game| {
                    let by = owners.get(game.id())?.clone();
                    tracing::warn!(
                        id = game.id(), path = %path.display(), by = %by.display(),
                        "the game is shadowed"
                    );
                    Some(entry(FoundState::Shadowed {
                        id: game.id().to_owned(),
                        by,
                    }))
                }));
            }
            state => {
                match &state {
                    FoundState::Broken(error) => tracing::warn!("{error}"),
                    _ => tracing::info!(path = %path.display(), hash, "not loaded: not agreed to"),
                }
                found.push(entry(state));
            }
        }
    }
    found
}

/// The files of a folder that have a plugin's name, by name.
fn candidates(search: &SearchPath) -> Vec<(PathBuf, bool)> {
    let entries = match std::fs::read_dir(&search.dir) {
        Ok(entries) => entries,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                tracing::warn!(dir = %search.dir.display(), %error, "the folder cannot be read");
            }
            return Vec::new();
        }
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| match entry {
            Ok(entry) => Some(entry.path()),
            Err(error) => {
                tracing::warn!(dir = %search.dir.display(), %error, "an entry cannot be read");
                None
            }
        })
        .filter(|path| is_plugin_name(path) && !path.is_dir())
        .map(|path| (path, search.bundled))
        .collect();
    files.sort();
    files
}

/// Whether a file is named as the platform names its libraries.
fn is_plugin_name(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| {
            name.starts_with(std::env::consts::DLL_PREFIX)
                && name.ends_with(std::env::consts::DLL_SUFFIX)
        })
}

/// The file's hash and what it is, before it is known whether another hides it.
fn inspect(path: &Path, bundled: bool, trust: &dyn Trust, prober: &Prober) -> (String, FoundState) {
    let hash = match examine(path) {
        Ok(hash) => hash,
        Err((hash, error)) => return (hash, FoundState::Broken(error)),
    };
    if !bundled && !trust.trusts(&hash) {
        let state = match trust.knew(path) {
            true => FoundState::Changed,
            false => FoundState::New,
        };
        return (hash, state);
    }
    let tried = match bundled || trust.probed(&hash) {
        true => Ok(()),
        false => try_first(path, &hash, trust, prober),
    };
    let state = match tried.and_then(|()| open(path)) {
        Ok(games) => FoundState::Loaded(games),
        Err(error) => FoundState::Broken(error),
    };
    (hash, state)
}

/// Tries a file in a process of its own, and makes sure that it is still the same then.
fn try_first(path: &Path, hash: &str, trust: &dyn Trust, prober: &Prober) -> Result<(), LoadError> {
    prober.probe(path)?;
    match examine(path) {
        Ok(now) if now == hash => {
            trust.set_probed(hash);
            Ok(())
        }
        Ok(_) => Err(LoadError::new(path, LoadCause::ChangedMeanwhile)),
        Err((_, error)) => Err(error),
    }
}
