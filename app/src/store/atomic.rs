//! Changes to files that are whole or have not happened.
//!
//! A new version is written to a temporary file in the same folder, brought to the disk, and
//! renamed over the old one; before that the old version is copied to `<name>.bak` in the same
//! way. So there is a whole file under the name at every moment, old or new, whatever ends the
//! process. Copies, because hard links are forbidden to apps on Android and unknown to FAT.
//!
//! Nothing here knows what is in a file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const TEMP_PREFIX: &str = ".qiju-";
const TEMP_SUFFIX: &str = ".tmp";

/// How many broken versions of one file are kept apart before we give up.
const ASIDE_MAX: u32 = 9_999;

/// A step of [`replace`] that is about to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Make the temporary file.
    Create,
    /// Write the content to it.
    Write,
    /// Bring it to the disk.
    Sync,
    /// Give it the name that it is for.
    Rename,
    /// Bring the folder's new entries to the disk.
    SyncFolder,
}

/// Called before each step; its error stands for the step's own. Tests look at the disk here, or
/// play a disk that fails.
pub(super) type Hook<'a> = &'a mut dyn FnMut(Step) -> io::Result<()>;

/// Writes `content` to `path`, keeping `previous` (what is there now, if anything) as its backup.
///
/// A symbolic link of that name is replaced by a file.
///
/// # Errors
/// Whatever the system says; then the file of that name is whole and is the old one, or, if only
/// the folder could not be brought to the disk, the new one.
pub(super) fn replace(path: &Path, content: &[u8], previous: Option<&[u8]>) -> io::Result<()> {
    replace_by_steps(path, content, previous, &mut |_| Ok(()))
}

fn replace_by_steps(
    path: &Path,
    content: &[u8],
    previous: Option<&[u8]>,
    hook: Hook,
) -> io::Result<()> {
    let folder = folder_of(path)?;
    fs::create_dir_all(folder)?;
    if let Some(previous) = previous {
        place(folder, &backup_of(path), previous, hook)?;
    }
    place(folder, path, content, hook)?;
    hook(Step::SyncFolder)?;
    sync_folder(folder)
}

/// Puts a whole file under a name of the folder. If it fails, the temporary file is gone again.
fn place(folder: &Path, path: &Path, content: &[u8], hook: Hook) -> io::Result<()> {
    hook(Step::Create)?;
    let mut temp = tempfile::Builder::new()
        .prefix(TEMP_PREFIX)
        .suffix(TEMP_SUFFIX)
        .tempfile_in(folder)?;
    hook(Step::Write)?;
    temp.write_all(content)?;
    temp.flush()?;
    hook(Step::Sync)?;
    temp.as_file().sync_all()?;
    hook(Step::Rename)?;
    temp.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Moves a file to its backup's name, over an older backup.
pub(super) fn retire(path: &Path) -> io::Result<()> {
    fs::rename(path, backup_of(path))?;
    sync_folder(folder_of(path)?)
}

/// Keeps what is under a name, whatever it is, as `<name>.broken-<n>`; gives that new path.
///
/// With `free`, nothing is left under the name. Without, a file may be left there for the caller
/// to replace, so that there is no moment without one.
pub(super) fn keep_aside(path: &Path, free: bool) -> io::Result<PathBuf> {
    let aside = aside(path)?;
    if free {
        // What is left is a second name of the file that was kept.
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    sync_folder(folder_of(path)?)?;
    Ok(aside)
}

fn aside(path: &Path) -> io::Result<PathBuf> {
    for n in 1..=ASIDE_MAX {
        let aside = with_ending(path, &format!(".broken-{n}"));
        // A second name never takes one that is in use, and leaves the first in place.
        match fs::hard_link(path, &aside) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(_) => {}
        }
        match fs::symlink_metadata(&aside) {
            Ok(_) => {}
            // Folders have no second name, and some disks none at all. Only the copy of the app
            // that holds the lock gets here, so nobody takes the new name in between.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::rename(path, &aside)?;
                return Ok(aside);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{ASIDE_MAX} broken versions are kept already"),
    ))
}

/// Where the version before is kept: `<name>.bak`.
pub(super) fn backup_of(path: &Path) -> PathBuf {
    with_ending(path, ".bak")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Removes temporary files that a killed process left in a folder. None of them was ever
/// promised to anybody. Call it only while holding the lock.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(TEMP_PREFIX) && name.ends_with(TEMP_SUFFIX) {
            match fs::remove_file(entry.path()) {
                Ok(()) => tracing::debug!("removed {}", entry.path().display()),
                Err(error) => {
                    tracing::warn!("{} cannot be removed: {error}", entry.path().display())
                }
            }
        }
    }
}

fn folder_of(path: &Path) -> io::Result<&Path> {
    path.parent()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a path without a folder"))
}

/// Brings a folder's entries to the disk, where the system knows such a thing.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some network disks and memory cards cannot do it for folders.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A longer file than one write of the disk.
    fn version(n: u8) -> Vec<u8> {
        vec![b'0' + n; 70_000]
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The folder's files as a process that is killed here would leave them.
    fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
        names(folder)
            .into_iter()
            .map(|name| (name.clone(), fs::read(folder.join(name)).unwrap()))
            .collect()
    }

    #[test]
    fn a_crash_between_any_two_steps_leaves_a_whole_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        replace(&path, &version(1), None).unwrap();
        replace(&path, &version(2), Some(&version(1))).unwrap();
        let mut seen = Vec::new();
        let mut hook = |step| {
            seen.push((step, snapshot(dir.path())));
            Ok(())
        };
        replace_by_steps(&path, &version(3), Some(&version(2)), &mut hook).unwrap();

        use Step::*;
        let steps: Vec<Step> = seen.iter().map(|(step, _)| *step).collect();
        assert_eq!(
            steps,
            [
                Create, Write, Sync, Rename, Create, Write, Sync, Rename, SyncFolder
            ]
        );
        for (i, (step, files)) in seen.iter().enumerate() {
            let content = |name: &str| {
                files
                    .iter()
                    .find(|(n, _)| n == name)
                    .map(|(_, content)| content.clone())
            };
            let last = *step == SyncFolder;
            assert_eq!(
                content("a.toml"),
                Some(version(if last { 3 } else { 2 })),
                "before step {i}, {step:?}"
            );
            assert_eq!(
                content("a.toml.bak"),
                Some(version(if i < 4 { 1 } else { 2 })),
                "before step {i}, {step:?}"
            );
        }
        // In between there was a temporary file: otherwise this test would have looked at nothing.
        assert_eq!(seen.iter().filter(|(_, files)| files.len() == 3).count(), 6);
        assert_eq!(names(dir.path()), ["a.toml", "a.toml.bak"]);
        assert_eq!(fs::read(&path).unwrap(), version(3));
        assert_eq!(fs::read(backup_of(&path)).unwrap(), version(2));
    }

    #[test]
    fn a_step_that_fails_leaves_the_old_file_and_no_litter() {
        for failing in 0..9 {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("a.toml");
            replace(&path, &version(1), None).unwrap();
            let mut i = 0;
            let mut hook = |_| {
                i += 1;
                if i > failing {
                    Err(io::Error::from(io::ErrorKind::StorageFull))
                } else {
                    Ok(())
                }
            };
            let result = replace_by_steps(&path, &version(2), Some(&version(1)), &mut hook);
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
            let expected = if failing == 8 { version(2) } else { version(1) };
            assert_eq!(fs::read(&path).unwrap(), expected, "step {failing}");
            assert!(
                names(dir.path())
                    .iter()
                    .all(|name| name == "a.toml" || name == "a.toml.bak"),
                "step {failing}"
            );
        }
    }

    #[test]
    fn a_missing_folder_is_made_and_a_file_in_its_place_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("one/two/a.toml");
        replace(&path, b"x", None).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
        fs::write(dir.path().join("file"), "kept").unwrap();
        assert!(replace(&dir.path().join("file/a.toml"), b"x", None).is_err());
        assert_eq!(fs::read(dir.path().join("file")).unwrap(), b"kept");
    }

    #[test]
    fn what_is_kept_aside_takes_no_name_that_is_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        for n in 1..=3 {
            fs::write(&path, version(n)).unwrap();
            let aside = keep_aside(&path, true).unwrap();
            assert_eq!(aside, dir.path().join(format!("a.toml.broken-{n}")));
            assert!(!path.exists());
        }
        for n in 1..=3 {
            assert_eq!(
                fs::read(dir.path().join(format!("a.toml.broken-{n}"))).unwrap(),
                version(n)
            );
        }
    }

    #[test]
    fn a_folder_with_a_files_name_is_kept_aside_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("inside"), "kept").unwrap();
        let aside = keep_aside(&path, false).unwrap();
        assert!(!path.exists());
        assert_eq!(fs::read(aside.join("inside")).unwrap(), b"kept");
    }

    #[test]
    fn a_file_kept_aside_may_be_replaced_without_touching_what_was_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.toml");
        fs::write(&path, "broken").unwrap();
        let aside = keep_aside(&path, false).unwrap();
        replace(&path, b"sound", None).unwrap();
        assert_eq!(fs::read(&aside).unwrap(), b"broken");
        assert_eq!(fs::read(&path).unwrap(), b"sound");
    }

    #[test]
    fn only_our_own_litter_is_swept() {
        let dir = tempfile::tempdir().unwrap();
        for name in [".qiju-abc.tmp", "a.tmp", ".qiju-notes", "a.toml"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        sweep(dir.path());
        assert_eq!(names(dir.path()), [".qiju-notes", "a.tmp", "a.toml"]);
        sweep(&dir.path().join("missing"));
    }
}
