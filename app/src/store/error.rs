//! Why something could not be kept or read.

use std::io;
use std::path::PathBuf;

use super::notice::Damage;

/// Why the system refused to read or write.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IoCause {
    /// No room is left, on the disk or in the user's share of it.
    #[error("the disk is full")]
    DiskFull,
    /// The user may not do this, or the disk is read-only.
    #[error("access is denied")]
    Denied,
    /// Anything else, in the system's own words.
    #[error("{0}")]
    Other(String),
}

impl From<&io::Error> for IoCause {
    fn from(error: &io::Error) -> Self {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded => Self::DiskFull,
            PermissionDenied | ReadOnlyFilesystem => Self::Denied,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// Why something was not kept or not read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum StoreError {
    /// The system knows no home folder and none was named.
    #[error(
        "no folder for the app's data: the system knows no home folder; name one with --data-dir"
    )]
    NoHome,
    /// The id is no safe file name: see [`super::check_id`].
    #[error("\"{}\" is no game id: 1 to 64 of a-z, 0-9, - and _, and no device name", id.escape_debug())]
    BadId {
        /// The id as it was given.
        id: String,
    },
    /// The text is no SHA-256 in hexadecimal.
    #[error("\"{}\" is no SHA-256: 64 hexadecimal digits", hash.escape_debug())]
    BadHash {
        /// The text as it was given.
        hash: String,
    },
    /// The system could not read the file now; it stays where it is.
    #[error("{} cannot be read: {cause}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        cause: IoCause,
    },
    /// The system could not write the file; the old one is still there.
    #[error("{} cannot be written: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: IoCause,
    },
    /// A newer version of the app wrote the file; it is neither opened nor overwritten.
    #[error("{} was written by a newer version (format {found}, this version knows {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The format in the file.
        found: i64,
        /// The newest format that this version knows.
        known: i64,
    },
    /// What was to be written could not be read again, so it was not written.
    #[error("{} was not written: the text for it is unusable: {damage}", path.display())]
    BadText {
        /// The file.
        path: PathBuf,
        /// What is wrong with the text.
        damage: Damage,
    },
    /// A value that TOML cannot hold.
    #[error("{} was not written: {message}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// What TOML cannot hold.
        message: String,
    },
    /// Another copy of the app works on the folder, so this one writes nothing.
    #[error("nothing was written: another copy of the app is using {}", data_dir.display())]
    AnotherCopyRuns {
        /// The folder.
        data_dir: PathBuf,
    },
    /// The system gives no thread to write on.
    #[error("the writer cannot be started: {0}")]
    NoThread(IoCause),
    /// A defect in the writer itself; the file was left as it was.
    #[error("{} was not written: the writer failed inside", path.display())]
    Defect {
        /// The file.
        path: PathBuf,
    },
}

impl StoreError {
    /// Whether the same write may succeed later with no change to it.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Write { .. })
    }
}
