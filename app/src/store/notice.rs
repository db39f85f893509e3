//! What the store has to tell the player: what it found, what it did about it, what it could not do.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::{IoCause, StoreError};

/// What is wrong with the content of a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Damage {
    /// Nothing is in it. A power cut leaves such files on some disks; we never write one.
    #[error("it is empty")]
    Empty,
    /// Larger than anything that we write.
    #[error("it is larger than {limit} bytes")]
    TooLarge {
        /// The largest size that is read, in bytes.
        limit: u64,
    },
    /// A folder or a device has the file's name.
    #[error("it is not a file")]
    NotAFile,
    /// The user may not read it.
    #[error("it may not be read")]
    Denied,
    /// Not text.
    #[error("line {line}, column {column}: not UTF-8 text")]
    NotUtf8 {
        /// Line of the first wrong byte.
        line: usize,
        /// Column of the first wrong byte.
        column: usize,
    },
    /// Not TOML.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// Line of the fault.
        line: usize,
        /// Column of the fault.
        column: usize,
        /// The parser's words, in English.
        message: String,
    },
    /// The key `format` is no whole number from 1.
    #[error("format = {value}: not a whole number from 1")]
    BadFormat {
        /// The value as TOML.
        value: String,
    },
}

/// Something that the player should know. [`fmt::Display`] gives an English line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Notice {
    /// A file cannot be used.
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
        /// Where it was moved, whole; `None` if it is still in its place (it could not be moved,
        /// or another copy of the app is running).
        aside: Option<PathBuf>,
    },
    /// The version before was used in place of a broken file.
    BackupUsed {
        /// The broken file.
        path: PathBuf,
        /// Where the version before was.
        backup: PathBuf,
    },
    /// The system cannot read a file now; it stays where it is and is not overwritten.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: IoCause,
    },
    /// A newer version of the app wrote the file; it is not overwritten.
    Newer {
        /// The file.
        path: PathBuf,
        /// The format in the file.
        found: i64,
        /// The newest format that this version knows.
        known: i64,
    },
    /// One value cannot be used; the default stands in for it, the rest of the file counts.
    BadValue {
        /// The file.
        path: PathBuf,
        /// The key, with dots: `window.width`.
        key: String,
        /// The value as TOML, shortened.
        value: String,
    },
    /// A file that nobody could make use of was moved aside on request.
    SetAside {
        /// Where the file was.
        path: PathBuf,
        /// Where it is now.
        aside: PathBuf,
    },
    /// A file cannot be written. Said once, until a write of that file succeeds.
    WriteFailed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// A file that could not be written now is.
    WriteRecovered {
        /// The file.
        path: PathBuf,
    },
    /// Another copy of the app is running on the same folder: this one keeps nothing.
    AnotherCopyRuns {
        /// The folder.
        data_dir: PathBuf,
    },
    /// The folder cannot be locked; two copies could overwrite each other's files.
    LockUnavailable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        cause: IoCause,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken {
                path,
                damage,
                aside: Some(aside),
            } => write!(
                f,
                "{} cannot be used ({damage}); it was kept as {}",
                path.display(),
                aside.display()
            ),
            Self::Broken {
                path,
                damage,
                aside: None,
            } => {
                write!(
                    f,
                    "{} cannot be used ({damage}); it was left in its place",
                    path.display()
                )
            }
            Self::BackupUsed { path, backup } => write!(
                f,
                "in place of {} the version before was used, {}",
                path.display(),
                backup.display()
            ),
            Self::Unreadable { path, cause } => {
                write!(f, "{} cannot be read now: {cause}", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "{} was written by a newer version (format {found}, this version knows {known}) \
                 and is not changed",
                path.display()
            ),
            Self::BadValue { path, key, value } => write!(
                f,
                "{}: {key} = {value} cannot be used; the default is used instead",
                path.display()
            ),
            Self::SetAside { path, aside } => {
                write!(f, "{} was kept as {}", path.display(), aside.display())
            }
            Self::WriteFailed { path, error } => write!(
                f,
                "{error}; what was to be kept in {} is tried again at the next write",
                path.display()
            ),
            Self::WriteRecovered { path } => write!(f, "{} is written again", path.display()),
            Self::AnotherCopyRuns { data_dir } => write!(
                f,
                "another copy of the app is using {}: nothing that is done in this one is kept",
                data_dir.display()
            ),
            Self::LockUnavailable { path, cause } => write!(
                f,
                "{} cannot be locked ({cause}): do not run a second copy of the app",
                path.display()
            ),
        }
    }
}

type Waker = Arc<dyn Fn() + Send + Sync>;

/// Collects notices from every thread until the screens take them.
#[derive(Default)]
pub(super) struct Notices {
    state: Mutex<NoticesState>,
}

#[derive(Default)]
struct NoticesState {
    waiting: Vec<Notice>,
    said: HashSet<Notice>,
    waker: Option<Waker>,
}

impl Notices {
    /// Adds a notice, logs it, and wakes whoever takes the notices.
    pub(super) fn push(&self, notice: Notice) {
        match &notice {
            Notice::WriteRecovered { .. } => tracing::info!("{notice}"),
            _ => tracing::warn!("{notice}"),
        }
        let waker = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.waiting.push(notice);
            state.waker.clone()
        };
        if let Some(waker) = waker {
            waker();
        }
    }

    /// Like [`Notices::push`], but the same notice only once in a run: for what every look at a
    /// file finds again.
    pub(super) fn push_once(&self, notice: Notice) {
        let new = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.said.insert(notice.clone())
        };
        if new {
            self.push(notice);
        }
    }

    pub(super) fn take(&self) -> Vec<Notice> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.waiting)
    }

    pub(super) fn set_waker(&self, waker: Waker) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .waker = Some(waker);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn bad(value: &str) -> Notice {
        Notice::BadValue {
            path: "a".into(),
            key: "k".to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn notices_wait_in_order_and_wake() {
        let notices = Notices::default();
        notices.push(bad("1"));
        let woken = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&woken);
        notices.set_waker(Arc::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        notices.push(bad("2"));
        notices.push_once(bad("3"));
        notices.push_once(bad("3"));
        assert_eq!(notices.take(), [bad("1"), bad("2"), bad("3")]);
        assert_eq!(notices.take(), []);
        assert_eq!(woken.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_line_names_the_place_and_the_cause() {
        let notice = Notice::Broken {
            path: "settings.toml".into(),
            damage: Damage::Syntax {
                line: 3,
                column: 7,
                message: "expected `=`".to_owned(),
            },
            aside: Some("settings.toml.broken-1".into()),
        };
        assert_eq!(
            notice.to_string(),
            "settings.toml cannot be used (line 3, column 7: expected `=`); \
             it was kept as settings.toml.broken-1"
        );
    }
}
