//! A game's board as areas of cells, read from the TOML of `layout` and checked.
//!
//! Board units: the centre of column c, row r of an area is at (c, r), rows
//! counted from the top, for points on lines as for cells.

use serde::Deserialize;

use super::describe::{count, line, unique, words};
use super::toml_text;

/// All areas of a game; cells are counted through them in order, each row by row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Layout {
    /// 1–16 areas: the first is the main one.
    pub areas: Vec<Area>,
}

/// A rectangle of cells.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Area {
    /// Key: "board", "tray".
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// Columns, 1–64.
    pub cols: u32,
    /// Rows, 1–64.
    pub rows: u32,
    /// Whether pieces stand on crossings or in cells.
    #[serde(default)]
    pub style: Style,
    /// What it is made of.
    #[serde(default)]
    pub surface: Surface,
    /// Whether the board may be turned by half a turn to face the second player.
    #[serde(default)]
    pub turnable: bool,
    /// Strokes from (x1, y1) to (x2, y2), in board units.
    #[serde(default)]
    pub lines: Vec<[f32; 4]>,
    /// Dots at (x, y), in board units.
    #[serde(default)]
    pub dots: Vec<[f32; 2]>,
    /// Text on the board.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// Names of the columns from the left; empty: none are shown.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Names of the rows from the top; empty: none are shown.
    #[serde(default)]
    pub row_names: Vec<String>,
    /// Spoken names of the cells, row by row; empty: column name followed by row name.
    #[serde(default)]
    pub names: Vec<String>,
}

/// A text on the board.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Label {
    /// Centre, in board units.
    pub x: f32,
    /// Centre, in board units.
    pub y: f32,
    /// Height, in board units.
    pub height: f32,
    /// The text.
    pub text: String,
}

words! {
    /// Where pieces stand.
    Style {
        /// In cells.
        Cells = "cells",
        /// On the crossings of lines.
        Points = "points",
    }
}

words! {
    /// What an area is made of; the theme says how it looks.
    Surface {
        /// The board of the chosen theme.
        Board = "board",
        /// A tray beside it.
        Tray = "tray",
        /// Nothing: the page shows through.
        Plain = "plain",
    }
}

/// Most areas of a layout.
const MAX_AREAS: usize = 16;
/// Most columns and most rows of an area.
const MAX_SIDE: u32 = 64;
/// Most cells of all areas together.
pub const MAX_CELLS: usize = 4_096;
/// Most lines, dots and labels of an area.
const MAX_STROKES: usize = 8_192;
/// Greatest distance from the origin of anything drawn, in board units.
const MAX_UNITS: f32 = 1_000.0;

impl Layout {
    /// Reads and checks the text of `layout`.
    ///
    /// # Errors
    /// Line and column of a fault in the TOML, or the key whose value cannot be used.
    pub fn read(text: &str) -> Result<Self, String> {
        let this: Self = toml_text::read(text)?;
        if this.areas.is_empty() {
            return Err("areas is empty".to_owned());
        }
        count("areas", this.areas.len(), MAX_AREAS)?;
        unique("areas", this.areas.iter().map(|area| area.id.as_str()))?;
        for (i, area) in this.areas.iter().enumerate() {
            area.check().map_err(|why| format!("areas[{i}].{why}"))?;
        }
        if this.cells() > MAX_CELLS {
            return Err(format!(
                "areas have {} cells together, more than {MAX_CELLS}",
                this.cells()
            ));
        }
        Ok(this)
    }

    /// Number of cells of all areas together.
    pub fn cells(&self) -> usize {
        self.areas.iter().map(Area::cells).sum()
    }

    /// Checks that another language's layout differs in words only.
    ///
    /// # Errors
    /// The first area that differs.
    pub fn same_but_for_words(&self, other: &Self) -> Result<(), String> {
        if self.areas.len() != other.areas.len() {
            return Err("the number of areas differs between the languages".to_owned());
        }
        match self
            .areas
            .iter()
            .zip(&other.areas)
            .find(|(a, b)| a.without_words() != b.without_words())
        {
            Some((area, _)) => Err(format!(
                "area {:?} differs between the languages in more than words",
                area.id
            )),
            None => Ok(()),
        }
    }
}

impl Area {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cols as usize * self.rows as usize
    }

    fn check(&self) -> Result<(), String> {
        line("id", &self.id)?;
        line("name", &self.name)?;
        for (key, side) in [("cols", self.cols), ("rows", self.rows)] {
            if !(1..=MAX_SIDE).contains(&side) {
                return Err(format!("{key} is {side}, not 1–{MAX_SIDE}"));
            }
        }
        count("lines", self.lines.len(), MAX_STROKES)?;
        count("dots", self.dots.len(), MAX_STROKES)?;
        count("labels", self.labels.len(), MAX_STROKES)?;
        let numbers = |key: &str, numbers: &[f32]| match numbers
            .iter()
            .find(|n| !n.is_finite() || n.abs() > MAX_UNITS)
        {
            Some(number) => Err(format!("{key} has {number}, not within ±{MAX_UNITS}")),
            None => Ok(()),
        };
        numbers("lines", self.lines.as_flattened())?;
        numbers("dots", self.dots.as_flattened())?;
        for label in &self.labels {
            numbers("labels", &[label.x, label.y, label.height])?;
            line("labels.text", &label.text)?;
        }
        for (key, names, wanted) in [
            ("columns", &self.columns, self.cols as usize),
            ("row_names", &self.row_names, self.rows as usize),
            ("names", &self.names, self.cells()),
        ] {
            if !names.is_empty() && names.len() != wanted {
                return Err(format!("{key} has {} entries, not {wanted}", names.len()));
            }
            names.iter().try_for_each(|name| line(key, name))?;
        }
        Ok(())
    }

    /// The area with every text emptied, for comparison.
    fn without_words(&self) -> Self {
        let empty = |names: &[String]| vec![String::new(); names.len()];
        Self {
            name: String::new(),
            labels: self
                .labels
                .iter()
                .map(|label| Label {
                    text: String::new(),
                    ..label.clone()
                })
                .collect(),
            columns: empty(&self.columns),
            row_names: empty(&self.row_names),
            names: empty(&self.names),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(more: &str) -> String {
        format!("[[areas]]\nid = \"a\"\ncols = 3\nrows = 2\n{more}\n")
    }

    #[test]
    fn cells_are_counted_through_all_areas() {
        let text =
            area("") + "[[areas]]\nid = \"b\"\ncols = 4\nrows = 1\nlines = [[0, 0, 1.5, 2]]\n";
        let layout = Layout::read(&text).unwrap();
        assert_eq!(layout.cells(), 10);
        assert_eq!(layout.areas[1].lines, [[0.0, 0.0, 1.5, 2.0]]);
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_by_its_key() {
        for (text, wanted) in [
            ("areas = []".to_owned(), "areas is empty"),
            (area("") + &area(""), "areas has \"a\" twice"),
            (area("dots = [[0.0, nan]]"), "areas[0].dots has NaN"),
            (
                area("lines = [[0.0, 0.0, 1e9, 0.0]]"),
                "areas[0].lines has 1000000000",
            ),
            (
                area("columns = [\"x\"]"),
                "areas[0].columns has 1 entries, not 3",
            ),
            (
                area("names = [\"x\"]"),
                "areas[0].names has 1 entries, not 6",
            ),
            (
                area("labels = [{ x = 0, y = inf, height = 1, text = \"t\" }]"),
                "areas[0].labels has inf",
            ),
            (
                area("").replace("cols = 3", "cols = 0"),
                "areas[0].cols is 0",
            ),
            (
                area("").replace("rows = 2", "rows = 65"),
                "areas[0].rows is 65",
            ),
            (area("").replace("cols = 3", "cols = -3"), "line 3"),
        ] {
            let why = Layout::read(&text).unwrap_err();
            assert!(why.contains(wanted), "{text}: {why}");
        }
        let big: String = ["a", "b"]
            .iter()
            .map(|id| format!("[[areas]]\nid = \"{id}\"\ncols = 64\nrows = 64\n"))
            .collect();
        assert!(Layout::read(&big).unwrap_err().contains("8192 cells"));
    }
}
