//! How points and moves are written: "H8", "pass", "black", "more".
//!
//! Columns are letters from the left, I among them, as renju writes them; rows are numbers from the bottom.

use thiserror::Error;

use crate::rules::{Action, Color};

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// Neither a point nor a word for a move.
    #[error(
        "{0:?} is not a move: expected a point such as H8, \"black\", \"white\", \"more\", \"pass\", \"resign\", \"set B H8\" or \"turn B\""
    )]
    Unknown(String),
    /// A point that this board does not have.
    #[error("{text:?} is not on a board of {size}×{size}")]
    OffBoard {
        /// What was written.
        text: String,
        /// Side of the board.
        size: u8,
    },
}

/// The letter of a column.
fn column_letter(column: u16) -> Option<char> {
    (column < 26).then(|| char::from(b'A' + column as u8))
}

/// The names of the columns of a board, from the left.
pub fn column_names(size: u8) -> Vec<String> {
    (0..u16::from(size))
        .filter_map(column_letter)
        .map(String::from)
        .collect()
}

/// The names of the rows of a board, from the top.
pub fn row_names(size: u8) -> Vec<String> {
    (1..=size).rev().map(|row| row.to_string()).collect()
}

/// A cell as a point: "H8". A cell that is not on the board is written as its number, "#400".
pub fn point_name(cell: u16, size: u8) -> String {
    let side = u16::from(size);
    let column = cell.checked_rem(side).and_then(column_letter);
    match (column, cell.checked_div(side)) {
        (Some(column), Some(row)) if row < side => format!("{column}{}", side - row),
        _ => format!("#{cell}"),
    }
}

/// A point as a cell; upper or lower case.
///
/// # Errors
/// The text is no point, or the board does not have it.
pub fn parse_point(text: &str, size: u8) -> Result<u16, NotationError> {
    let unknown = || NotationError::Unknown(text.to_owned());
    let off_board = || NotationError::OffBoard {
        text: text.to_owned(),
        size,
    };
    let mut letters = text.chars();
    let letter = letters.next().ok_or_else(unknown)?.to_ascii_uppercase();
    let number = letters.as_str();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    if !letter.is_ascii_uppercase() || !is_number {
        return Err(unknown());
    }
    let column = letter as u16 - u16::from(b'A');
    let side = u16::from(size);
    let row = number.parse::<u16>().map_err(|_| off_board())?;
    if column >= side || row == 0 || row > side {
        return Err(off_board());
    }
    Ok((side - row) * side + column)
}

/// A colour as one letter.
fn color_letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A move as it is stored: "H8", "pass", "resign", "time 1" (the first player's clock ran out), "black" and "white" (the
/// colour that a player takes), "more" (two further stones), "set B H8" and "set - H8" (a stone is put or taken off), "turn W".
pub fn action_text(action: Action, size: u8) -> String {
    match action {
        Action::Place(cell) => point_name(cell, size),
        Action::Pass => "pass".to_owned(),
        Action::Resign => "resign".to_owned(),
        Action::TimeOut(player) => format!("time {}", u32::from(player) + 1),
        Action::Take(Color::Black) => "black".to_owned(),
        Action::Take(Color::White) => "white".to_owned(),
        Action::More => "more".to_owned(),
        Action::Setup(cell, stone) => {
            let stone = stone.map_or('-', color_letter);
            format!("set {stone} {}", point_name(cell, size))
        }
        Action::Turn(color) => format!("turn {}", color_letter(color)),
    }
}

/// A stored move back; words and letters in upper or lower case.
///
/// # Errors
/// What is wrong with the text. A move that can be read need not be legal.
pub fn parse_action(text: &str, size: u8) -> Result<Action, NotationError> {
    let lower = text.trim().to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let unknown = || NotationError::Unknown(text.to_owned());
    let color = |letter: &str| match letter {
        "b" => Ok(Color::Black),
        "w" => Ok(Color::White),
        _ => Err(unknown()),
    };
    // The error quotes what was written, not the word or the lower-case form of it.
    let point = |name: &str| {
        parse_point(name, size).map_err(|error| match error {
            NotationError::Unknown(_) => unknown(),
            NotationError::OffBoard { size, .. } => NotationError::OffBoard {
                text: text.to_owned(),
                size,
            },
        })
    };
    match words.as_slice() {
        ["pass"] => Ok(Action::Pass),
        ["resign"] => Ok(Action::Resign),
        ["black"] => Ok(Action::Take(Color::Black)),
        ["white"] => Ok(Action::Take(Color::White)),
        ["more"] => Ok(Action::More),
        ["time", "1"] => Ok(Action::TimeOut(0)),
        ["time", "2"] => Ok(Action::TimeOut(1)),
        ["turn", letter] => color(letter).map(Action::Turn),
        ["set", "-", name] => Ok(Action::Setup(point(name)?, None)),
        ["set", letter, name] => Ok(Action::Setup(point(name)?, Some(color(letter)?))),
        [name] => point(name).map(Action::Place),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_every_board_reads_back() {
        for size in 13..=20 {
            let (columns, rows) = (column_names(size), row_names(size));
            for cell in 0..u16::from(size) * u16::from(size) {
                let name = point_name(cell, size);
                let (column, row) = (cell % u16::from(size), cell / u16::from(size));
                let expected =
                    format!("{}{}", columns[usize::from(column)], rows[usize::from(row)]);
                assert_eq!(name, expected);
                assert_eq!(parse_point(&name, size), Ok(cell));
                assert_eq!(parse_point(&name.to_lowercase(), size), Ok(cell));
            }
        }
        assert_eq!(point_name(112, 15), "H8");
        assert_eq!(point_name(8, 15), "I15");
        assert_eq!(point_name(225, 15), "#225");
    }

    #[test]
    fn moves_read_back() {
        for action in [
            Action::Place(40),
            Action::Pass,
            Action::Resign,
            Action::TimeOut(0),
            Action::TimeOut(1),
            Action::Take(Color::Black),
            Action::Take(Color::White),
            Action::More,
            Action::Setup(80, Some(Color::Black)),
            Action::Setup(0, Some(Color::White)),
            Action::Setup(44, None),
            Action::Turn(Color::Black),
            Action::Turn(Color::White),
        ] {
            assert_eq!(parse_action(&action_text(action, 15), 15), Ok(action));
        }
        assert_eq!(parse_action(" PASS ", 15), Ok(Action::Pass));
    }

    #[test]
    fn bad_points_say_why() {
        for text in [
            "", "D", "4", "D4x", "D-4", "DD4", "四4", "D 4", "set", "set B", "set x D4", "turn",
            "turn x", "time", "time 3", "black D4",
        ] {
            let error = parse_action(text, 15);
            assert_eq!(
                error,
                Err(NotationError::Unknown(text.to_owned())),
                "{text}"
            );
        }
        for text in ["P1", "A16", "A0", "A99999999", "set - A16"] {
            let error = NotationError::OffBoard {
                text: text.to_owned(),
                size: 15,
            };
            assert_eq!(parse_action(text, 15), Err(error), "{text}");
        }
    }
}
