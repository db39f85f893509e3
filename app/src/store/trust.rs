//! `plugins.toml`: the plugin files that the player agreed to, by their SHA-256.
//!
//! A file is trusted by its content alone; its path tells that another file was there before.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use toml::Value;

use super::document::{Fields, Section};
use super::error::StoreError;

/// A file that the player agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrustedFile {
    /// The file's path when he did.
    pub path: String,
    /// The day when he did, UTC, `YYYY-MM-DD`; empty if it is not known.
    pub agreed: String,
    /// Whether it was tried and found good.
    pub probed: bool,
}

impl TrustedFile {
    /// A file that the player agrees to today.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_string_lossy().into_owned(),
            agreed: today(),
            probed: false,
        }
    }
}

/// Everything in `plugins.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Trust {
    /// By SHA-256 in lower-case hexadecimal.
    pub(super) files: BTreeMap<String, TrustedFile>,
}

impl Trust {
    /// Whether the player agreed to any file at this path.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.files
            .values()
            .any(|file| Path::new(&file.path) == path)
    }
}

impl Section for Trust {
    fn decode(fields: &Fields) -> Self {
        let files = fields.table("files");
        let mut trust = Self::default();
        for (hash, file) in files.tables() {
            // An entry of another shape than ours gives no leave to run anything.
            if normal_hash(hash).as_deref() != Ok(hash) {
                files.reject(hash, &Value::Table(file.raw().clone()));
                continue;
            }
            let entry = TrustedFile {
                path: file.get("path", String::new(), |_| true),
                agreed: file.get("agreed", String::new(), |_| true),
                probed: file.get("probed", false, |_| true),
            };
            trust.files.insert(hash.to_owned(), entry);
        }
        trust
    }
}

/// A SHA-256 in the one form in which it is kept: 64 lower-case hexadecimal digits.
///
/// # Errors
/// [`StoreError::BadHash`]
pub(super) fn normal_hash(hash: &str) -> Result<String, StoreError> {
    if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(hash.to_ascii_lowercase());
    }
    Err(StoreError::BadHash {
        hash: hash.to_owned(),
    })
}

/// Today, UTC, as `YYYY-MM-DD`.
fn today() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date that is a number of days after 1970-01-01.
fn date(days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // 400 years always have the same number of days.
    let mut year = 1970 + days / 146_097 * 400;
    let mut day = days % 146_097;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::document::Document;
    use super::super::notice::{Notice, Notices};
    use super::*;

    #[test]
    fn days_are_dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (365, "1971-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (20_453, "2025-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (146_097, "2370-01-01"),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }

    #[test]
    fn a_hash_has_one_form() {
        let upper = "AB".repeat(32);
        assert_eq!(normal_hash(&upper).unwrap(), "ab".repeat(32));
        for bad in ["", "ab", &"ab".repeat(33), &"g".repeat(64), &"é".repeat(32)] {
            assert!(normal_hash(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_entry_that_is_not_ours_trusts_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("plugins.toml");
        let good = "ab".repeat(32);
        let text = format!(
            "[files]\n\"{}\" = 1\nshort = {{ path = \"x\" }}\n{good} = {{ path = 5, note = \"n\" }}\n",
            "cd".repeat(32)
        );
        fs::write(&path, text).unwrap();
        let notices = Notices::default();
        let document = Document::<Trust>::load(path, true, &notices);
        assert_eq!(document.value().files.keys().collect::<Vec<_>>(), [&good]);
        let keys: Vec<String> = notices
            .take()
            .into_iter()
            .map(|notice| match notice {
                Notice::BadValue { key, .. } => key,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            keys,
            [
                format!("files.{}", "cd".repeat(32)),
                "files.short".to_owned(),
                format!("files.{good}.path")
            ]
        );
    }
}
