//! The account of a score: what each side's points are made of, and why who wins.
//!
//! These types are written as TOML; `docs/ABI.md` lists every key.

use serde::Serialize;

/// A table of points, one column per side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// How the points are counted.
    pub title: String,
    /// Why who wins by how much, in one or two sentences; may be empty.
    pub note: String,
    /// Names of the columns, one per side.
    pub columns: Vec<String>,
    /// The rows from top to bottom.
    pub rows: Vec<TallyRow>,
}

/// One row of a [`Tally`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TallyRow {
    /// What is counted.
    pub name: String,
    /// One text per column, empty where it does not apply.
    pub values: Vec<String>,
    /// Whether it is the sum of the rows above.
    pub total: bool,
}

impl Tally {
    /// The text that the ABI asks for.
    pub fn to_toml(&self) -> String {
        // Strings, lists of strings and booleans always have a TOML form.
        toml::to_string(self).unwrap_or_default()
    }
}
