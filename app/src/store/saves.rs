//! Names of saved games. What is in one belongs to the session.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::error::{IoCause, StoreError};

/// The longest id, in characters.
const ID_MAX: usize = 64;

/// Checks that an id is a safe file name on every platform: 1 to 64 of `a-z`, `0-9`, `-`, `_`, and
/// none of the names that Windows gives to devices, whatever their ending.
///
/// # Errors
/// [`StoreError::BadId`]
pub fn check_id(id: &str) -> Result<(), StoreError> {
    let plain = (1..=ID_MAX).contains(&id.len())
        && id
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'));
    if plain && !is_device(id) {
        return Ok(());
    }
    Err(StoreError::BadId { id: id.to_owned() })
}

/// Device names of Windows ("Naming Files, Paths, and Namespaces", Microsoft).
fn is_device(id: &str) -> bool {
    if matches!(id, "con" | "prn" | "aux" | "nul") {
        return true;
    }
    let number = id.strip_prefix("com").or_else(|| id.strip_prefix("lpt"));
    number.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}

/// Ids of the games that have a save in a folder. Files of other names are not ours.
///
/// # Errors
/// [`StoreError::Read`] if the folder cannot be read; a missing one is empty.
pub(super) fn list(folder: &Path) -> Result<BTreeSet<String>, StoreError> {
    let fail = |error: io::Error| StoreError::Read {
        path: folder.to_owned(),
        cause: IoCause::from(&error),
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(fail(error)),
    };
    let mut ids = BTreeSet::new();
    for entry in entries {
        let name = entry.map_err(fail)?.file_name();
        let id = name.to_str().and_then(|name| name.strip_suffix(".toml"));
        if let Some(id) = id.filter(|id| check_id(id).is_ok()) {
            ids.insert(id.to_owned());
        }
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_ids_pass() {
        let longest = "a".repeat(64);
        for id in [
            "a", "a-game", "memory_2", "0", "-", "com", "com10", "console", "lptx", &longest,
        ] {
            assert_eq!(check_id(id), Ok(()), "{id}");
        }
    }

    #[test]
    fn unsafe_ids_are_refused_by_name() {
        let too_long = "a".repeat(65);
        for id in [
            "", ".", "..", "../a", "a/b", "a\\b", "/a", "c:", "a.b", "A", "a b", "a\0", "a\n",
            "棋", "é", "con", "nul", "aux", "prn", "com0", "com9", "lpt1", &too_long,
        ] {
            assert_eq!(
                check_id(id),
                Err(StoreError::BadId { id: id.to_owned() }),
                "{id:?}"
            );
        }
        assert!(check_id("a\nb").unwrap_err().to_string().contains("a\\nb"));
    }

    #[test]
    fn only_saves_are_listed() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "b.toml",
            "a.toml",
            "a.toml.bak",
            "c.toml.broken-1",
            ".qiju-x.tmp",
            "a_.TOML",
            ".toml",
            "d.txt",
        ] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        assert_eq!(
            list(dir.path()).unwrap(),
            BTreeSet::from(["a".to_owned(), "b".to_owned()])
        );
        assert_eq!(list(&dir.path().join("missing")).unwrap(), BTreeSet::new());
        assert!(matches!(
            list(&dir.path().join("a.toml")),
            Err(StoreError::Read { .. })
        ));
    }
}
