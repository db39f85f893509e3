//! How points and moves are written: "D4", "pass", "dead D4", "agree".
//!
//! Columns are letters from the left without I, as in the Go Text Protocol; rows are numbers from
//! the bottom. Boards have up to 25 columns, A to Z.

use thiserror::Error;

use crate::rules::{Action, Color};

/// The letters of the columns: I is left out, as it looks like 1.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A text that is no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// Neither a point nor a word for a move.
    #[error(
        "{0:?} is not a move: expected a point such as D4, \"pass\", \"resign\", \"dead D4\", \"agree\", \"resume\", \"set B D4\" or \"turn B\""
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

/// The names of the columns of a board, from the left.
pub fn column_names(size: u8) -> Vec<String> {
    let letters = COLUMNS.iter().take(usize::from(size));
    letters.map(|&c| char::from(c).to_string()).collect()
}

/// The names of the rows of a board, from the top.
pub fn row_names(size: u8) -> Vec<String> {
    (1..=size).rev().map(|row| row.to_string()).collect()
}

/// A cell as a point: "D4". A cell that is not on the board is written as its number, "#400".
pub fn point_name(cell: u16, size: u8) -> String {
    let side = u16::from(size);
    let column = COLUMNS.get(usize::from(cell.checked_rem(side).unwrap_or(0)));
    match (column, cell.checked_div(side)) {
        (Some(&column), Some(row)) if row < side => {
            format!("{}{}", char::from(column), side - row)
        }
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
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unknown());
    }
    let column = COLUMNS
        .iter()
        .position(|&c| char::from(c) == letter)
        .ok_or_else(unknown)? as u16;
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

/// A move as it is stored: "D4", "pass", "resign", "time B" (black's clock ran out), "dead D4" (the
/// group is marked dead or alive), "propose" (the marks are again what was proposed), "agree", "resume", "set B D4" and "set - D4" (a stone is put or
/// taken off), "turn W".
pub fn action_text(action: Action, size: u8) -> String {
    match action {
        Action::Place(cell) => point_name(cell, size),
        Action::Pass => "pass".to_owned(),
        Action::Resign => "resign".to_owned(),
        Action::TimeOut(color) => format!("time {}", color_letter(color)),
        Action::Toggle(cell) => format!("dead {}", point_name(cell, size)),
        Action::Agree => "agree".to_owned(),
        Action::Propose => "propose".to_owned(),
        Action::Resume => "resume".to_owned(),
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
        ["agree"] => Ok(Action::Agree),
        ["propose"] => Ok(Action::Propose),
        ["resume"] => Ok(Action::Resume),
        ["time", letter] => color(letter).map(Action::TimeOut),
        ["turn", letter] => color(letter).map(Action::Turn),
        ["dead", name] => point(name).map(Action::Toggle),
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
        for size in 2..=25 {
            let columns = column_names(size);
            let rows = row_names(size);
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
    }

    #[test]
    fn known_points() {
        assert_eq!(point_name(0, 19), "A19");
        assert_eq!(point_name(360, 19), "T1");
        assert_eq!(point_name(8, 9), "J9");
        assert_eq!(point_name(3 + 15 * 19, 19), "D4");
        assert_eq!(point_name(361, 19), "#361");
    }

    #[test]
    fn moves_read_back() {
        for action in [
            Action::Place(40),
            Action::Pass,
            Action::Resign,
            Action::TimeOut(Color::Black),
            Action::TimeOut(Color::White),
            Action::Toggle(3),
            Action::Agree,
            Action::Propose,
            Action::Resume,
            Action::Setup(80, Some(Color::Black)),
            Action::Setup(0, Some(Color::White)),
            Action::Setup(44, None),
            Action::Turn(Color::Black),
            Action::Turn(Color::White),
        ] {
            assert_eq!(parse_action(&action_text(action, 9), 9), Ok(action));
        }
        assert_eq!(parse_action(" PASS ", 9), Ok(Action::Pass));
    }

    #[test]
    fn bad_points_say_why() {
        for text in [
            "", "D", "4", "I5", "D4x", "D-4", "DD4", "四4", "D 4", "dead", "dead I5", "set",
            "set B", "set x D4", "turn", "turn x", "time", "agree D4",
        ] {
            let error = parse_action(text, 9);
            assert_eq!(
                error,
                Err(NotationError::Unknown(text.to_owned())),
                "{text}"
            );
        }
        for text in ["K1", "A10", "A0", "A99999999", "dead K1", "set - A10"] {
            let error = NotationError::OffBoard {
                text: text.to_owned(),
                size: 9,
            };
            assert_eq!(parse_action(text, 9), Err(error), "{text}");
        }
    }
}
