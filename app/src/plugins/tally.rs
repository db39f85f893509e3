//! The account of a score, read from the TOML of `tally` and checked.

use serde::Deserialize;

use super::describe::{count, line};
use super::toml_text;

/// A table of points, one column per side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Tally {
    /// How the points are counted.
    #[serde(default)]
    pub title: String,
    /// Why who wins by how much; may be empty.
    #[serde(default)]
    pub note: String,
    /// Names of the columns, one per side.
    pub columns: Vec<String>,
    /// The rows from top to bottom.
    #[serde(default)]
    pub rows: Vec<TallyRow>,
}

/// One row of a [`Tally`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TallyRow {
    /// What is counted.
    #[serde(default)]
    pub name: String,
    /// One text per column, empty where it does not apply.
    pub values: Vec<String>,
    /// Whether it is the sum of the rows above.
    #[serde(default)]
    pub total: bool,
}

/// Most rows.
const MAX_ROWS: usize = 64;

impl Tally {
    /// Reads and checks the text of `tally` for a game of so many sides.
    ///
    /// # Errors
    /// Line and column of a fault in the TOML, or the key whose value cannot be used.
    pub fn read(text: &str, sides: usize) -> Result<Self, String> {
        let this: Self = toml_text::read(text)?;
        line("title", &this.title)?;
        line("note", &this.note)?;
        if this.columns.len() != sides {
            return Err(format!(
                "columns has {} entries, not one for each of {sides} sides",
                this.columns.len()
            ));
        }
        for column in &this.columns {
            line("columns", column)?;
        }
        count("rows", this.rows.len(), MAX_ROWS)?;
        for (i, row) in this.rows.iter().enumerate() {
            line(&format!("rows[{i}].name"), &row.name)?;
            if row.values.len() != sides {
                return Err(format!(
                    "rows[{i}].values has {} entries, not one for each of {sides} sides",
                    row.values.len()
                ));
            }
            for value in &row.values {
                line(&format!("rows[{i}].values"), value)?;
            }
        }
        Ok(this)
    }

    /// Checks that another language's account differs in words only.
    ///
    /// # Errors
    /// What differs.
    pub fn same_but_for_words(&self, other: &Self) -> Result<(), String> {
        let totals = |tally: &Self| tally.rows.iter().map(|row| row.total).collect::<Vec<_>>();
        if totals(self) == totals(other) {
            Ok(())
        } else {
            Err("the rows differ between the languages".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_read_or_refused_by_key() {
        let good = "title = \"t\"\ncolumns = [\"a\", \"b\"]\nlater = 1\n\
                    [[rows]]\nname = \"n\"\nvalues = [\"1\", \"\"]\ntotal = true\n";
        let tally = Tally::read(good, 2).expect("a tally");
        assert_eq!((tally.rows.len(), tally.rows[0].total), (1, true));
        for (text, sides, expected) in [
            (good.to_owned(), 3, "columns has 2 entries"),
            (good.replace(", \"\"]", "]"), 2, "rows[0].values has 1"),
            (good.replace("\"n\"", "\"n\\u0007\""), 2, "rows[0].name"),
            ("columns = 3".to_owned(), 2, "line 1"),
        ] {
            let error = Tally::read(&text, sides).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
