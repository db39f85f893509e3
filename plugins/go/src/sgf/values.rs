//! What values mean: texts, points and numbers.

/// The text of a value: escapes undone, soft line breaks gone, every line end one LF, other white
/// space a space (FF\[4\], Text).
pub fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(end @ ('\n' | '\r')) => {
                    skip_second_half(&mut chars, end);
                }
                Some(c) => out.push(white_as_space(c)),
                None => {}
            },
            end @ ('\n' | '\r') => {
                skip_second_half(&mut chars, end);
                out.push('\n');
            }
            c => out.push(white_as_space(c)),
        }
    }
    out
}

/// The text of a value on one line (FF\[4\], SimpleText).
pub fn simple_text(raw: &str) -> String {
    text(raw).replace('\n', " ")
}

/// The other half of a line end of two characters.
fn skip_second_half(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, first: char) {
    let second = if first == '\n' { '\r' } else { '\n' };
    if chars.peek() == Some(&second) {
        chars.next();
    }
}

fn white_as_space(c: char) -> char {
    match c {
        '\t' | '\u{B}' | '\u{C}' => ' ',
        c => c,
    }
}

/// A text as a value. Colons are escaped too, as a value may be read as composed.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\' | ':') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A move: a cell, or `None` for a pass.
///
/// An empty value is a pass, and so is `tt` on boards up to 19 (FF\[3\]).
///
/// # Errors
/// The value is no point of the board.
pub fn point_or_pass(raw: &str, size: u8) -> Result<Option<u16>, String> {
    let raw = raw.trim();
    if raw.is_empty() || (raw.eq_ignore_ascii_case("tt") && size <= 19) {
        return Ok(None);
    }
    point(raw, size).map(Some)
}

/// A point as a cell.
///
/// # Errors
/// The value is no point of the board.
pub fn point(raw: &str, size: u8) -> Result<u16, String> {
    let mut letters = raw.trim().bytes();
    let line = |letter: Option<u8>| match letter {
        Some(letter @ b'a'..=b'z') => Some(u16::from(letter - b'a')),
        Some(letter @ b'A'..=b'Z') => Some(u16::from(letter - b'A') + 26),
        _ => None,
    };
    let (column, row) = (line(letters.next()), line(letters.next()));
    let size = u16::from(size);
    match (column, row, letters.next()) {
        (Some(column), Some(row), None) if column < size && row < size => Ok(row * size + column),
        (Some(_), Some(_), None) => Err(format!(
            "the point {:?} is not on a board of {size}×{size}",
            raw.trim()
        )),
        _ => Err(format!(
            "{:?} is not a point",
            raw.chars().take(20).collect::<String>()
        )),
    }
}

/// A point, or a rectangle of points given by two corners: `aa:cc`.
///
/// # Errors
/// A corner is no point of the board.
pub fn points(raw: &str, size: u8) -> Result<Vec<u16>, String> {
    let Some((first, second)) = raw.split_once(':') else {
        return point(raw, size).map(|cell| vec![cell]);
    };
    let side = u16::from(size);
    let (first, second) = (point(first, size)?, point(second, size)?);
    let span = |a: u16, b: u16| a.min(b)..=a.max(b);
    let rows = span(first / side, second / side);
    Ok(rows
        .flat_map(|row| span(first % side, second % side).map(move |column| row * side + column))
        .collect())
}

/// A cell as a point.
pub fn point_text(cell: u16, size: u8) -> String {
    let side = u16::from(size.max(1));
    let letter = |line: u16| {
        let letter = if line < 26 {
            b'a' + line as u8
        } else {
            b'A' + (line % 26) as u8
        };
        char::from(letter)
    };
    [letter(cell % side), letter(cell / side)].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_the_format_says() {
        for (raw, expected) in [
            (r"a\]b\\c\:d", r"a]b\c:d"),
            ("one\\\ntwo", "onetwo"),
            ("one\\\r\ntwo", "onetwo"),
            (
                "one\r\ntwo\n\rthree\rfour\nfive",
                "one\ntwo\nthree\nfour\nfive",
            ),
            ("a\tb", "a b"),
            ("end\\", "end"),
            ("\n\n", "\n\n"),
        ] {
            assert_eq!(text(raw), expected, "{raw:?}");
        }
        assert_eq!(simple_text("a\nb"), "a b");
        for text_ in ["]", "\\", "a:b]c\\d", "[x]", "\u{5bf9}\u{5c40}"] {
            assert_eq!(text(&escape(text_)), text_);
        }
    }

    #[test]
    fn points_are_read_and_written() {
        for size in 5..=25_u8 {
            for cell in 0..u16::from(size) * u16::from(size) {
                assert_eq!(point(&point_text(cell, size), size), Ok(cell));
            }
        }
        assert_eq!(point_or_pass("", 19), Ok(None));
        assert_eq!(point_or_pass("tt", 19), Ok(None));
        assert_eq!(point_or_pass("tt", 21), Ok(Some(19 * 21 + 19)));
        assert_eq!(points("aa:bb", 9), Ok(vec![0, 1, 9, 10]));
        assert_eq!(points("bb:aa", 9), Ok(vec![0, 1, 9, 10]));
        for bad in ["a", "abc", "zz", "4d", "a:", "aa:zz"] {
            assert!(points(bad, 9).is_err(), "{bad}");
        }
    }
}
