//! A game's board: areas of cells with lines, dots, labels and names.
//!
//! Board units: the centre of column c, row r of an area is at (c, r), rows
//! counted from the top, for points on lines as for cells.

use serde::Serialize;

/// All areas of a game; cells are counted through them in order.
#[derive(Clone, Debug, Serialize)]
pub struct Layout {
    /// The areas: the first is the main one.
    pub areas: Vec<Area>,
}

/// A rectangle of cells.
#[derive(Clone, Debug, Serialize)]
pub struct Area {
    /// Key: "board", "tray".
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Columns, 1–64.
    pub cols: u32,
    /// Rows, 1–64.
    pub rows: u32,
    /// Whether pieces stand on crossings or in cells.
    pub style: Style,
    /// What it is made of.
    pub surface: Surface,
    /// Whether the board may be turned by half a turn to face the second player.
    pub turnable: bool,
    /// Strokes from (x1, y1) to (x2, y2), in board units.
    pub lines: Vec<[f32; 4]>,
    /// Dots at (x, y), in board units.
    pub dots: Vec<[f32; 2]>,
    /// Text on the board.
    pub labels: Vec<Label>,
    /// Names of the columns from the left; empty: none are shown.
    pub columns: Vec<String>,
    /// Names of the rows from the top; empty: none are shown.
    pub row_names: Vec<String>,
    /// Spoken names of the cells, row by row; empty: column name followed by row name.
    pub names: Vec<String>,
}

/// A text on the board.
#[derive(Clone, Debug, Serialize)]
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

/// Where pieces stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// On the crossings of lines.
    Points,
    /// In cells.
    Cells,
}

/// What an area is made of; the theme says how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// The board of the chosen theme.
    Board,
    /// A tray beside it.
    Tray,
    /// Nothing: the page shows through.
    Plain,
}

impl Layout {
    /// As TOML text.
    pub fn to_toml(&self) -> String {
        crate::describe::to_toml(self)
    }

    /// Number of cells in all areas.
    pub fn cells(&self) -> usize {
        self.areas
            .iter()
            .map(|area| area.cols as usize * area.rows as usize)
            .sum()
    }
}

impl Area {
    /// A board of crossing lines.
    pub fn points(name: &str, cols: u32, rows: u32) -> Self {
        let (right, bottom) = (cols.saturating_sub(1) as f32, rows.saturating_sub(1) as f32);
        let across = (0..rows).map(|row| [0.0, row as f32, right, row as f32]);
        let down = (0..cols).map(|col| [col as f32, 0.0, col as f32, bottom]);
        Self {
            lines: across.chain(down).collect(),
            ..Self::bare(name, cols, rows, Style::Points)
        }
    }

    /// A board of cells with lines around each.
    pub fn cells(name: &str, cols: u32, rows: u32) -> Self {
        let (right, bottom) = (cols as f32 - 0.5, rows as f32 - 0.5);
        let across = (0..=rows).map(|row| [-0.5, row as f32 - 0.5, right, row as f32 - 0.5]);
        let down = (0..=cols).map(|col| [col as f32 - 0.5, -0.5, col as f32 - 0.5, bottom]);
        Self {
            lines: across.chain(down).collect(),
            ..Self::bare(name, cols, rows, Style::Cells)
        }
    }

    /// An area without lines.
    pub fn bare(name: &str, cols: u32, rows: u32, style: Style) -> Self {
        Self {
            id: "board".to_owned(),
            name: name.to_owned(),
            cols,
            rows,
            style,
            surface: Surface::Board,
            turnable: false,
            lines: Vec::new(),
            dots: Vec::new(),
            labels: Vec::new(),
            columns: Vec::new(),
            row_names: Vec::new(),
            names: Vec::new(),
        }
    }
}
