//! A file of ours as a typed value: decoded key by key, written back without losing what we do
//! not know.
//!
//! Only what was changed is written. So unknown keys survive, and so do values that this version
//! cannot use, until the player chooses another. (Comments do not: the file is the app's.)

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::error::StoreError;
use super::notice::{Notice, Notices};
use super::read::{FORMAT, Loaded, load, shorten};

/// A type that one of the files holds.
pub(super) trait Section: Serialize {
    /// Takes what is there; what is missing or of no use gets its default.
    fn decode(fields: &Fields) -> Self;
}

/// One file in memory.
pub(super) struct Document<T> {
    path: PathBuf,
    /// Everything that the file holds, ours or not.
    raw: Table,
    value: T,
    /// Why this file must not be written in this run.
    blocked: Option<StoreError>,
}

impl<T: Section> Document<T> {
    /// Loads a file; see [`load`] for `mend`. Never fails: at worst all is default.
    pub(super) fn load(path: PathBuf, mend: bool, notices: &Notices) -> Self {
        let (raw, blocked) = match load(&path, mend, notices) {
            Loaded::Missing => (Table::new(), None),
            Loaded::Sound { table, .. } => (table, None),
            Loaded::Newer { table, found } => (
                table,
                Some(StoreError::Newer {
                    path: path.clone(),
                    found,
                    known: FORMAT,
                }),
            ),
            // It may be readable later: what is in it must not give way to defaults.
            Loaded::Unreadable(cause) => (
                Table::new(),
                Some(StoreError::Read {
                    path: path.clone(),
                    cause,
                }),
            ),
        };
        let value = T::decode(&Fields {
            path: &path,
            prefix: String::new(),
            table: &raw,
            notices,
        });
        Self {
            path,
            raw,
            value,
            blocked,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn value(&self) -> &T {
        &self.value
    }

    /// Takes a new value and gives the text of the whole file.
    ///
    /// # Errors
    /// [`StoreError::Encode`] if TOML cannot hold the value; then the old one stays.
    /// [`StoreError::Newer`] or [`StoreError::Read`] if the file must not be written; then the new
    /// value counts for this run.
    pub(super) fn set(&mut self, value: T) -> Result<String, StoreError> {
        let encode = |error: toml::ser::Error| StoreError::Encode {
            path: self.path.clone(),
            message: error.to_string(),
        };
        let before = Table::try_from(&self.value).map_err(encode)?;
        let after = Table::try_from(&value).map_err(encode)?;
        let mut raw = self.raw.clone();
        if raw.is_empty() {
            raw.insert("format".to_owned(), Value::Integer(FORMAT));
        }
        merge(&mut raw, &before, &after);
        let text = toml::to_string(&raw).map_err(encode)?;
        self.raw = raw;
        self.value = value;
        self.blocked.clone().map_or(Ok(text), Err)
    }
}

/// Applies to `raw` what differs between two versions of our part of it.
fn merge(raw: &mut Table, before: &Table, after: &Table) {
    for (key, new) in after {
        let old = before.get(key);
        if old == Some(new) {
            continue;
        }
        let Value::Table(new) = new else {
            raw.insert(key.clone(), new.clone());
            continue;
        };
        let mut inner = match raw.get_mut(key) {
            Some(Value::Table(inner)) => std::mem::take(inner),
            _ => Table::new(),
        };
        let none = Table::new();
        merge(
            &mut inner,
            old.and_then(Value::as_table).unwrap_or(&none),
            new,
        );
        raw.insert(key.clone(), Value::Table(inner));
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        raw.remove(key);
    }
}

/// A table of a file whose keys are taken one by one. A value of no use is replaced by a default
/// and reported, and the rest goes on.
pub(super) struct Fields<'a> {
    path: &'a Path,
    /// Keys that lead here, each with its dot.
    prefix: String,
    table: &'a Table,
    notices: &'a Notices,
}

impl<'a> Fields<'a> {
    /// The value of a key; `default` if it is missing, of another type or not `fit`.
    pub(super) fn get<T: DeserializeOwned>(
        &self,
        key: &str,
        default: T,
        fit: impl Fn(&T) -> bool,
    ) -> T {
        let Some(value) = self.table.get(key) else {
            return default;
        };
        match value.clone().try_into::<T>() {
            Ok(value) if fit(&value) => value,
            _ => {
                self.reject(key, value);
                default
            }
        }
    }

    /// The table under a key; an empty one if it is missing or no table.
    pub(super) fn table(&self, key: &str) -> Fields<'a> {
        static NONE: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::new);
        let table = match self.table.get(key) {
            Some(Value::Table(table)) => table,
            Some(other) => {
                self.reject(key, other);
                &NONE
            }
            None => &NONE,
        };
        Fields {
            table,
            prefix: format!("{}{key}.", self.prefix),
            ..*self
        }
    }

    /// The tables in this one, by key.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&'a str, Fields<'a>)> {
        self.table.iter().filter_map(|(key, value)| match value {
            Value::Table(_) => Some((key.as_str(), self.table(key))),
            other => {
                self.reject(key, other);
                None
            }
        })
    }

    /// The whole table.
    pub(super) fn raw(&self) -> &'a Table {
        self.table
    }

    /// Reports that the value of a key is of no use.
    pub(super) fn reject(&self, key: &str, value: &Value) {
        self.notices.push(Notice::BadValue {
            path: self.path.to_owned(),
            key: format!("{}{key}", self.prefix),
            value: shorten(&value.to_string()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        toml::from_str(text).unwrap()
    }

    fn merged(raw: &str, before: &str, after: &str) -> Table {
        let mut raw = table(raw);
        merge(&mut raw, &table(before), &table(after));
        raw
    }

    #[test]
    fn only_changes_reach_the_file() {
        // A default that was never chosen is not written, so a later version may choose another.
        assert_eq!(merged("", "a = 1\nb = 2", "a = 1\nb = 3"), table("b = 3"));
        // A value that we could not use stays.
        assert_eq!(
            merged("a = \"odd\"", "a = 1\nb = 2", "a = 1\nb = 3"),
            table("a = \"odd\"\nb = 3")
        );
        assert_eq!(merged("a = \"odd\"", "a = 1", "a = 2"), table("a = 2"));
        assert_eq!(
            merged("", "[t]\na = 1\nb = 2", "[t]\na = 1\nb = 3"),
            table("[t]\nb = 3")
        );
    }

    #[test]
    fn unknown_keys_survive_at_every_depth() {
        assert_eq!(
            merged(
                "x = 0\n[t]\ny = 1\na = 2\n[t.u]\nz = 3",
                "[t]\na = 2\n[t.u]\nb = 4",
                "[t]\na = 5\n[t.u]\nb = 6"
            ),
            table("x = 0\n[t]\ny = 1\na = 5\n[t.u]\nz = 3\nb = 6")
        );
    }

    #[test]
    fn what_was_taken_out_is_taken_out() {
        assert_eq!(
            merged(
                "x = 0\n[t.a]\nv = 1\n[t.b]\nv = 2",
                "[t.a]\nv = 1\n[t.b]\nv = 2",
                "[t.b]\nv = 2"
            ),
            table("x = 0\n[t.b]\nv = 2")
        );
    }

    #[test]
    fn a_value_in_the_place_of_a_table_gives_way_when_the_table_changes() {
        assert_eq!(
            merged("t = 1", "[t]\na = 2", "[t]\na = 3"),
            table("[t]\na = 3")
        );
        assert_eq!(merged("t = 1", "[t]\na = 2", "[t]\na = 2"), table("t = 1"));
    }
}
