//! One line of the protocol: an optional number, a command, arguments.

/// A command line, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number that the answer repeats, as it was written; empty without one.
    pub id: String,
    /// The command, as it was written; empty if there is only a number.
    pub command: String,
    /// What follows it.
    pub arguments: Vec<String>,
}

impl Line {
    /// Takes a line apart; `None` if nothing is on it. As the protocol says (section 3.1): control
    /// characters are dropped, tabs are spaces, `#` begins a comment. A byte order mark, which some
    /// shells write, is dropped too. Bytes that are no UTF-8 are read as far as they are.
    pub fn read(bytes: &[u8]) -> Option<Line> {
        let text = String::from_utf8_lossy(bytes);
        let text: String = text
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|&c| !c.is_control() && c != '\u{FEFF}')
            .collect();
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().map(str::to_owned).peekable();
        words.peek()?;
        let id = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        Some(Line {
            id: id.unwrap_or_default(),
            command: words.next().unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart() {
        let line = |id: &str, command: &str, arguments: &[&str]| {
            Some(Line {
                id: id.to_owned(),
                command: command.to_owned(),
                arguments: arguments.iter().map(|&a| a.to_owned()).collect(),
            })
        };
        for (text, expected) in [
            ("name", line("", "name", &[])),
            ("7 name\r", line("7", "name", &[])),
            ("\u{FEFF}name", line("", "name", &[])),
            ("play\tb\u{7} D4 # why not", line("", "play", &["b", "D4"])),
            ("  12   boardsize   9 ", line("12", "boardsize", &["9"])),
            ("", None),
            ("   \r", None),
            ("# only a comment", None),
            ("5", line("5", "", &[])),
            ("5 # nothing", line("5", "", &[])),
            ("-5 name", line("", "-5", &["name"])),
            (
                "99999999999999999999999 name",
                line("99999999999999999999999", "name", &[]),
            ),
        ] {
            assert_eq!(Line::read(text.as_bytes()), expected, "{text:?}");
        }
        assert!(Line::read(b"\xFF\xFE name").is_some());
    }
}
