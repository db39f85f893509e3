//! Reading the TOML that games give, with errors that fit on one line.

use serde::de::DeserializeOwned;

/// Reads a TOML document.
///
/// # Errors
/// Line, column and cause.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', ", ");
        match error.span() {
            Some(span) => {
                let (line, column) = position(text, span.start);
                format!("line {line}, column {column}: {message}")
            }
            None => message,
        }
    })
}

/// Line and column (in characters), counted from 1, of a byte of a text.
fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..text.floor_char_boundary(byte)).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_line_and_column() {
        let error = read::<toml::Table>("a = 1\n字 = 2\n").unwrap_err();
        assert!(error.starts_with("line 2, column 1: "), "{error}");
        assert!(!error.contains('\n'));
    }

    #[test]
    fn a_position_past_the_end_is_the_end() {
        assert_eq!(position("ab\nc", 99), (2, 2));
        assert_eq!(position("", 0), (1, 1));
    }
}
