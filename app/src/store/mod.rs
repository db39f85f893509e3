//! What the player must not lose: settings, saved games, progress, and which plugins he trusts.
//!
//! [`Store`] is the handle on all of it. It reads on the caller's thread and writes on one of its
//! own; every change of a file is whole or has not happened, and the version before is kept. What
//! is odd or fails is never fatal: it becomes a [`Notice`] for the player.
//!
//! | file | content |
//! |---|---|
//! | `settings.toml` | [`Settings`] |
//! | `progress.toml` | [`GameProgress`] by game |
//! | `plugins.toml` | [`TrustedFile`] by SHA-256 |
//! | `saves/<id>.toml` | one game, as its session wrote it; here it is only text that is TOML |
//! | `<any>.bak` | the version before |
//! | `<any>.broken-<n>` | what could not be used, whole |
//! | `qiju.lock` | locked while a copy of the app is running; see [`Access`] |
//!
//! No game's rule and no screen is known here, and of plugins only what is asked about trust.

mod atomic;
mod document;
mod error;
mod lock;
mod notice;
mod paths;
mod progress;
mod read;
mod saves;
mod settings;
mod ticket;
mod trust;
mod writer;

#[cfg(test)]
mod failure_tests;
#[cfg(test)]
mod kill_tests;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use document::{Document, Section};
use lock::Lock;
use notice::Notices;
use progress::Progress;
use read::Loaded;
use trust::Trust;
use writer::{Op, Writer};

pub use error::{IoCause, StoreError};
pub use lock::Access;
pub use notice::{Damage, Notice};
pub use paths::Paths;
pub use progress::{GameProgress, LevelProgress, Statistics};
pub use read::FORMAT;
pub use saves::check_id;
pub use settings::{Animation, Appearance, ConfirmMove, Language, Settings, WindowSize};
pub use ticket::{Callback, Ticket};
pub use trust::TrustedFile;

/// The handle on everything that is kept. Clones share it; the last one that is dropped writes what waits.
#[derive(Clone)]
pub struct Store(Arc<Shared>);

struct Shared {
    paths: Paths,
    access: Access,
    notices: Arc<Notices>,
    settings: Mutex<Document<Settings>>,
    progress: Mutex<Document<Progress>>,
    trust: Mutex<Document<Trust>>,
    writer: Writer,
    // Last, so that it is released when the writer has written everything.
    _lock: Option<lock::Held>,
}

impl Store {
    /// Opens the folder: locks it, makes what is missing, reads the files. Gives the notices of
    /// that beside the store.
    ///
    /// It cannot fail: a folder that cannot be read means defaults, one that cannot be written a
    /// notice at each first write.
    pub fn open(paths: Paths) -> (Self, Vec<Notice>) {
        let notices = Arc::new(Notices::default());
        let (access, lock) = match lock::acquire(&paths.lock_file()) {
            Lock::Held(held) => {
                atomic::sweep(paths.data_dir());
                atomic::sweep(&paths.saves_dir());
                (Access::ReadWrite, Some(held))
            }
            Lock::Taken => {
                notices.push(Notice::AnotherCopyRuns {
                    data_dir: paths.data_dir().to_owned(),
                });
                (Access::ReadOnly, None)
            }
            Lock::Unavailable(error) => {
                notices.push(Notice::LockUnavailable {
                    path: paths.lock_file(),
                    cause: IoCause::from(&error),
                });
                (Access::ReadWrite, None)
            }
        };
        let mend = access == Access::ReadWrite;
        if mend && let Err(error) = std::fs::create_dir_all(paths.plugins_dir()) {
            // The player needs it only to drop something in, and is told where it should be then.
            tracing::warn!("{} cannot be made: {error}", paths.plugins_dir().display());
        }
        let writer = match access {
            Access::ReadWrite => Writer::start(Arc::clone(&notices)),
            Access::ReadOnly => {
                let why = StoreError::AnotherCopyRuns {
                    data_dir: paths.data_dir().to_owned(),
                };
                Writer::refusing(why, Arc::clone(&notices))
            }
        };
        if let Some(error @ StoreError::NoThread(_)) = writer.refusal() {
            notices.push(Notice::WriteFailed {
                path: paths.data_dir().to_owned(),
                error: error.clone(),
            });
        }
        let shared = Shared {
            settings: Mutex::new(Document::load(paths.settings_file(), mend, &notices)),
            progress: Mutex::new(Document::load(paths.progress_file(), mend, &notices)),
            trust: Mutex::new(Document::load(paths.trust_file(), mend, &notices)),
            paths,
            access,
            writer,
            _lock: lock,
            notices,
        };
        let notices = shared.notices.take();
        (Self(Arc::new(shared)), notices)
    }

    /// Where everything lies.
    pub fn paths(&self) -> &Paths {
        &self.0.paths
    }

    /// Whether this copy of the app writes at all.
    pub fn access(&self) -> Access {
        self.0.access
    }

    /// Takes the notices that came since the last call.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.0.notices.take()
    }

    /// Sets what is called, on any thread, when a notice came. It should only wake the thread of
    /// the screens.
    pub fn on_notice(&self, waker: impl Fn() + Send + Sync + 'static) {
        self.0.notices.set_waker(Arc::new(waker));
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        guard(&self.0.settings).value().clone()
    }

    /// Takes new settings, which count at once, and puts them on their way to the disk.
    pub fn save_settings(&self, settings: &Settings) -> Ticket {
        self.update(&self.0.settings, |value| *value = settings.clone())
    }

    /// What was reached in a game.
    pub fn progress(&self, id: &str) -> GameProgress {
        guard(&self.0.progress)
            .value()
            .games
            .get(id)
            .cloned()
            .unwrap_or_default()
    }

    /// Changes what was reached in a game, and puts it on its way to the disk.
    pub fn update_progress(&self, id: &str, change: impl FnOnce(&mut GameProgress)) -> Ticket {
        self.update(&self.0.progress, |progress| {
            change(progress.games.entry(id.to_owned()).or_default())
        })
    }

    /// Whether the player agreed to load a file of this content (SHA-256, hexadecimal).
    pub fn is_trusted(&self, hash: &str) -> bool {
        trust::normal_hash(hash)
            .is_ok_and(|hash| guard(&self.0.trust).value().files.contains_key(&hash))
    }

    /// Every file that the player agreed to, by SHA-256.
    pub fn trusted(&self) -> Vec<(String, TrustedFile)> {
        guard(&self.0.trust)
            .value()
            .files
            .iter()
            .map(|(hash, file)| (hash.clone(), file.clone()))
            .collect()
    }

    /// Keeps the player's word that the file at `path`, which has this content, may be loaded.
    ///
    /// The ticket fails with [`StoreError::BadHash`] for anything but a SHA-256 in hexadecimal.
    pub fn agree(&self, hash: &str, path: &Path) -> Ticket {
        self.update_trust(hash, |trust, hash| {
            trust.files.insert(hash, TrustedFile::new(path));
        })
    }

    /// Takes the player's word back.
    pub fn forget(&self, hash: &str) -> Ticket {
        self.update_trust(hash, |trust, hash| {
            trust.files.remove(&hash);
        })
    }

    fn update_trust(&self, hash: &str, change: impl FnOnce(&mut Trust, String)) -> Ticket {
        match trust::normal_hash(hash) {
            Ok(hash) => self.update(&self.0.trust, |trust| change(trust, hash)),
            Err(error) => Ticket::failed(error, None),
        }
    }

    fn update<T: Section + Clone>(
        &self,
        document: &Mutex<Document<T>>,
        change: impl FnOnce(&mut T),
    ) -> Ticket {
        let mut document = guard(document);
        let mut value = document.value().clone();
        change(&mut value);
        let (ticket, completion) = Ticket::new(None);
        // Under the lock, so that the newest text is the last one in the queue.
        match document.set(value) {
            Ok(text) => self.0.writer.submit(
                document.path().to_owned(),
                Op::Write(text.into()),
                completion,
            ),
            Err(error) => completion.finish(Err(error)),
        }
        ticket
    }

    /// The saved game of a plugin, also if it is still on its way to the disk.
    ///
    /// A damaged save is kept aside and its backup is given, with notices; with no backup it is
    /// `None`.
    ///
    /// # Errors
    /// [`StoreError::BadId`]; [`StoreError::Newer`] for a save of a newer version;
    /// [`StoreError::Read`] if the system cannot read it now.
    pub fn load_save(&self, id: &str) -> Result<Option<String>, StoreError> {
        let path = self.0.paths.save_file(id)?;
        self.0.writer.with_disk(&path, |pending| match pending {
            Some(Op::Write(text)) => Ok(Some(text.to_string())),
            Some(Op::Retire | Op::SetAside) => Ok(None),
            None => match read::load(&path, self.0.access == Access::ReadWrite, &self.0.notices) {
                Loaded::Missing => Ok(None),
                Loaded::Sound { text, .. } => Ok(Some(text)),
                Loaded::Newer { found, .. } => Err(StoreError::Newer {
                    path: path.clone(),
                    found,
                    known: FORMAT,
                }),
                Loaded::Unreadable(cause) => Err(StoreError::Read {
                    path: path.clone(),
                    cause,
                }),
            },
        })
    }

    /// Puts a game on its way to the disk. Returns at once; the text must be TOML with
    /// `format` = [`FORMAT`].
    pub fn save_game(&self, id: &str, text: String) -> Ticket {
        self.change_save(id, Op::Write(text.into()), None)
    }

    /// Like [`Store::save_game`], and calls back when the game is on the disk or was refused.
    pub fn save_game_then(&self, id: &str, text: String, then: Callback) -> Ticket {
        self.change_save(id, Op::Write(text.into()), Some(then))
    }

    /// Takes a game out of the saves. It is kept as the backup until the next game is saved twice.
    pub fn remove_save(&self, id: &str) -> Ticket {
        self.change_save(id, Op::Retire, None)
    }

    /// Keeps a save aside that is sound TOML but that nobody can make a game of, whole and for
    /// good, so that the next game does not overwrite it. A [`Notice::SetAside`] tells where.
    pub fn set_save_aside(&self, id: &str) -> Ticket {
        self.change_save(id, Op::SetAside, None)
    }

    fn change_save(&self, id: &str, op: Op, then: Option<Callback>) -> Ticket {
        match self.0.paths.save_file(id) {
            Ok(path) => {
                let (ticket, completion) = Ticket::new(then);
                self.0.writer.submit(path, op, completion);
                ticket
            }
            Err(error) => Ticket::failed(error, then),
        }
    }

    /// Ids of the plugins that have a saved game, sorted, also what is on its way to the disk.
    ///
    /// # Errors
    /// [`StoreError::Read`] if the folder cannot be read.
    pub fn saves(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.0.paths.saves_dir();
        // Asked before the disk: what is done in between is then seen there.
        let pending = self.0.writer.pending();
        let mut ids = saves::list(&folder)?;
        for (path, op) in pending
            .iter()
            .filter(|(path, _)| path.parent() == Some(&folder))
        {
            let Some(id) = path.file_stem().and_then(|stem| stem.to_str()) else {
                continue;
            };
            match op {
                Op::Write(_) => ids.insert(id.to_owned()),
                Op::Retire | Op::SetAside => ids.remove(id),
            };
        }
        Ok(ids.into_iter().collect())
    }

    /// Waits until everything is on the disk or was refused once more. Gives what is wrong, at the
    /// most one error for each file; an empty list means that all is kept. Not for a [`Callback`].
    ///
    /// A copy that only reads has nothing to wait for: see [`Store::access`].
    pub fn flush(&self) -> Vec<StoreError> {
        self.0.writer.flush()
    }
}

impl crate::plugins::Trust for Store {
    fn trusts(&self, hash: &str) -> bool {
        self.is_trusted(hash)
    }

    fn knew(&self, path: &Path) -> bool {
        guard(&self.0.trust).value().knows(path)
    }

    fn probed(&self, hash: &str) -> bool {
        trust::normal_hash(hash).is_ok_and(|hash| {
            guard(&self.0.trust)
                .value()
                .files
                .get(&hash)
                .is_some_and(|file| file.probed)
        })
    }

    fn set_probed(&self, hash: &str) {
        self.update_trust(hash, |trust, hash| {
            if let Some(file) = trust.files.get_mut(&hash) {
                file.probed = true;
            }
        });
    }
}

fn guard<T>(document: &Mutex<T>) -> MutexGuard<'_, T> {
    document.lock().unwrap_or_else(PoisonError::into_inner)
}
