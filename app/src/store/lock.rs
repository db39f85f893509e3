//! The lock that keeps two running copies from overwriting each other.
//!
//! One lock file per data folder, held for as long as the store is open. The system takes the lock
//! back when the process ends, however it ends; the file itself stays, because removing it would
//! let two copies hold locks on two files of one name.
//!
//! A second copy does not wait and does not refuse to run: it reads settings and saves, plays, and
//! writes nothing ([`Access::ReadOnly`]). It stays so until it is started again, even when the
//! first copy ends: what it read may be older than what the first one wrote.
//!
//! Some network disks know no locks. There the app keeps on writing, and says so.

use std::fs::{self, File};
use std::path::Path;

use fs4::{FileExt, TryLockError};

/// What this copy may do with the data folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads and writes.
    ReadWrite,
    /// Another copy is running: it only reads.
    ReadOnly,
}

/// A lock that is held.
///
/// Closing the file would not be enough: a process that is being started (a plugin on trial) has a copy of every
/// open file for a moment, and the lock would last as long as that.
pub(super) struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        if let Err(error) = FileExt::unlock(&self.0) {
            tracing::warn!("the data folder's lock: {error}");
        }
    }
}

/// What came of the attempt to lock the folder.
pub(super) enum Lock {
    /// Ours until it is dropped.
    Held(Held),
    /// Another copy holds it.
    Taken,
    /// There is no lock to be had here.
    Unavailable(std::io::Error),
}

/// Takes the lock on `path`, making the file and its folder if need be. Never waits.
pub(super) fn acquire(path: &Path) -> Lock {
    let open = || {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
    };
    let file = match open() {
        Ok(file) => file,
        Err(error) => return Lock::Unavailable(error),
    };
    // Named by its trait, or the standard library's method of the same name would be called.
    match FileExt::try_lock(&file) {
        Ok(()) => Lock::Held(Held(file)),
        Err(TryLockError::WouldBlock) => Lock::Taken,
        Err(TryLockError::Error(error)) => Lock::Unavailable(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_until_he_lets_go() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new folder/lock");
        let first = acquire(&path);
        assert!(matches!(first, Lock::Held(_)));
        assert!(matches!(acquire(&path), Lock::Taken));
        drop(first);
        assert!(path.exists());
        assert!(matches!(acquire(&path), Lock::Held(_)));
    }

    #[test]
    fn a_copy_of_the_file_does_not_keep_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let Lock::Held(first) = acquire(&path) else {
            panic!("nobody else has it");
        };
        // What a process that is being started has for a moment.
        let copy = first.0.try_clone().unwrap();
        drop(first);
        assert!(matches!(acquire(&path), Lock::Held(_)));
        drop(copy);
    }

    #[test]
    fn where_no_file_can_be_there_is_no_lock() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("file"), "").unwrap();
        assert!(matches!(
            acquire(&dir.path().join("file/lock")),
            Lock::Unavailable(_)
        ));
    }
}
