//! Boards and points as text, for files and for messages about what went wrong.

use qiju_go::rules::{Color, Position};

/// The names of the columns: the letters without I.
pub const COLUMNS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The coordinate of a cell, or its number if it is not on the board.
pub fn point_name(cell: u16, size: u8) -> String {
    let side = u16::from(size);
    let (row, column) = (cell / side, usize::from(cell % side));
    match COLUMNS.chars().nth(column) {
        Some(letter) if row < side => format!("{letter}{}", side - row),
        _ => format!("#{cell}"),
    }
}

/// `X` for Black, `O` for White, `.` for an empty point.
pub fn mark(stone: Option<Color>) -> char {
    match stone {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    }
}

/// The stones of a position, cell by cell.
pub fn stones(position: &Position) -> Vec<Option<Color>> {
    let side = u16::from(position.size());
    (0..side * side).map(|cell| position.stone(cell)).collect()
}

/// A board as a diagram, one line a row.
pub fn draw(stones: &[Option<Color>], size: u8) -> String {
    let mut text = String::new();
    for row in stones.chunks(usize::from(size)) {
        for (column, &stone) in row.iter().enumerate() {
            if column > 0 {
                text.push(' ');
            }
            text.push(mark(stone));
        }
        text.push('\n');
    }
    text
}
