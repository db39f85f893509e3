//! One line of the protocol: an optional number, a command, arguments.

/// A command line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number that the answer repeats.
    pub id: Option<u64>,
    /// The command, as it was written.
    pub command: String,
    /// What follows it.
    pub arguments: Vec<String>,
}

impl Line {
    /// Takes a line apart; `None` if nothing is on it. As the protocol says (section 2.1): control
    /// characters are dropped, tabs are spaces, `#` begins a comment. Bytes that are no UTF-8 are
    /// read as far as they are.
    pub fn read(bytes: &[u8]) -> Option<Line> {
        let text = String::from_utf8_lossy(bytes);
        let text: String = text
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().map(str::to_owned).peekable();
        let id = words
            .peek()
            .filter(|word| word.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let command = words.next()?;
        Some(Line {
            id,
            command,
            arguments: words.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let line = |id, command: &str, arguments: &[&str]| {
            Some(Line {
                id,
                command: command.to_owned(),
                arguments: arguments.iter().map(|&a| a.to_owned()).collect(),
            })
        };
        for (text, expected) in [
            ("name", line(None, "name", &[])),
            ("7 name\r", line(Some(7), "name", &[])),
            (
                "play\tb\u{7} D4 # why not",
                line(None, "play", &["b", "D4"]),
            ),
            ("  12   boardsize   9 ", line(Some(12), "boardsize", &["9"])),
            ("", None),
            ("   \r", None),
            ("# only a comment", None),
            ("5", None),
            (
                "99999999999999999999999 name",
                line(None, "99999999999999999999999", &["name"]),
            ),
        ] {
            assert_eq!(Line::read(text.as_bytes()), expected, "{text:?}");
        }
        assert!(Line::read(b"\xFF\xFE name").is_some());
    }
}
