//! The lines that a group's process writes for its parent.
//!
//! The plugin may write to the same output, so each line of ours begins on a
//! new line and with a mark.

use crate::plugins::child::tell;

/// Begins each of our lines.
const MARK: &str = "qiju-check:";

/// One line of a group's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The check with this name begins.
    Run(String),
    /// It goes on.
    Tick,
    /// It is passed; what was looked at.
    Passed(String),
    /// It does not apply to this game; why.
    Skipped(String),
    /// It failed; what and where.
    Failed(String),
    /// The file has a game with this id.
    Game(String),
    /// Something to be compared with another process.
    Note(String),
    /// The process has done all that it was asked for.
    Done,
}

impl Line {
    /// As it is written.
    fn write(&self) -> String {
        let words = match self {
            Self::Run(name) => format!("run {name}"),
            Self::Tick => "tick".to_owned(),
            Self::Passed(detail) => format!("passed {detail}"),
            Self::Skipped(why) => format!("skipped {why}"),
            Self::Failed(what) => format!("failed {what}"),
            Self::Game(id) => format!("game {id}"),
            Self::Note(text) => format!("note {text}"),
            Self::Done => "done".to_owned(),
        };
        // Texts from a game must not break the line.
        format!("{MARK}{}", words.replace(['\n', '\r'], " "))
    }

    /// Reads a line; none if it is not one of ours.
    pub fn read(line: &str) -> Option<Self> {
        let words = line.strip_prefix(MARK)?;
        let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
        let text = rest.to_owned();
        Some(match kind {
            "run" => Self::Run(text),
            "tick" => Self::Tick,
            "passed" => Self::Passed(text),
            "skipped" => Self::Skipped(text),
            "failed" => Self::Failed(text),
            "game" => Self::Game(text),
            "note" => Self::Note(text),
            "done" => Self::Done,
            _ => return None,
        })
    }
}

/// Writes the lines to the standard output.
pub struct Reporter;

impl Reporter {
    fn say(&self, line: &Line) {
        tell(&line.write());
    }

    /// A check begins.
    pub fn run(&self, name: &str) {
        self.say(&Line::Run(name.to_owned()));
    }

    /// The check goes on.
    pub fn tick(&self) {
        self.say(&Line::Tick);
    }

    /// The check is passed.
    pub fn passed(&self, detail: &str) {
        self.say(&Line::Passed(detail.to_owned()));
    }

    /// The check does not apply.
    pub fn skipped(&self, why: &str) {
        self.say(&Line::Skipped(why.to_owned()));
    }

    /// The check failed.
    pub fn failed(&self, what: &str) {
        self.say(&Line::Failed(what.to_owned()));
    }

    /// The file has a game.
    pub fn game(&self, id: &str) {
        self.say(&Line::Game(id.to_owned()));
    }

    /// Something to be compared with another process.
    pub fn note(&self, text: &str) {
        self.say(&Line::Note(text.to_owned()));
    }

    /// All is done.
    pub fn done(&self) {
        self.say(&Line::Done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        for line in [
            Line::Run("play/legal".into()),
            Line::Tick,
            Line::Passed("3 positions".into()),
            Line::Failed("what: 字".into()),
            Line::Done,
        ] {
            assert_eq!(Line::read(&line.write()), Some(line));
        }
        assert_eq!(Line::read("hello"), None);
        assert_eq!(Line::read("qiju-check:what"), None);
        assert_eq!(
            Line::read(&Line::Failed("a\nb".into()).write()),
            Some(Line::Failed("a b".into()))
        );
    }
}
