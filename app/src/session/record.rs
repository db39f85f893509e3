//! The record: the truth about one game, as the tree of its moves in text.
//!
//! What is here is what a save file holds (`docs/ABI.md`, "The neutral
//! record"): nothing is a snapshot, so loading a game runs the code that
//! playing it runs. Keys that are not understood are kept.

use serde::{Deserialize, Serialize};

/// The format of the record that this version writes.
pub const FORMAT: i64 = 1;

/// One game: options, seed and the tree of moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: i64,
    /// Id of the game.
    pub game: String,
    /// Version of the game's rules that it is played under.
    pub version: String,
    /// Seed that the state was created with. TOML has signed numbers only: the bits are the same.
    pub seed: i64,
    /// Nodes of the current line from the start, as indices into `nodes`.
    #[serde(default)]
    pub line: Vec<usize>,
    /// How many moves of the line stand on the board; those behind can be redone.
    #[serde(default)]
    pub at: usize,
    /// Options as given to `create`.
    #[serde(default)]
    pub options: toml::Table,
    /// Free texts: date, players' names, event.
    #[serde(default)]
    pub meta: toml::Table,
    /// Who plays each side.
    #[serde(default)]
    pub seats: Vec<Seat>,
    /// The moves in the order in which they were first played.
    #[serde(default)]
    pub nodes: Vec<Node>,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub other: toml::Table,
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum Seat {
    /// A person at this device.
    Person,
    /// The game's own opponent.
    Computer {
        /// Index into the levels of `describe`.
        level: u32,
    },
}

/// One move of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Index of the move before it; −1 for a first move.
    pub parent: i64,
    /// Canonical text.
    #[serde(rename = "move")]
    pub text: String,
    /// A remark.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Keys that this version does not know.
    #[serde(flatten)]
    pub other: toml::Table,
}

/// Why a record cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not TOML, or a key has the wrong type.
    #[error("line {line}, column {column}: {cause}")]
    Toml {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the reader says.
        cause: String,
    },
    /// Written by a newer version of the app.
    #[error("the record has format {0}; this version reads up to {FORMAT}")]
    Newer(i64),
    /// An index points nowhere.
    #[error("{0}")]
    Shape(String),
}

impl Record {
    /// A record without moves.
    pub fn new(
        game: &str,
        version: &str,
        options: toml::Table,
        seed: u64,
        seats: Vec<Seat>,
    ) -> Self {
        Self {
            format: FORMAT,
            game: game.to_owned(),
            version: version.to_owned(),
            seed: seed.cast_signed(),
            line: Vec::new(),
            at: 0,
            options,
            meta: toml::Table::new(),
            seats,
            nodes: Vec::new(),
            other: toml::Table::new(),
        }
    }

    /// Reads a record and checks that every index in it points somewhere.
    ///
    /// # Errors
    /// Where and why the text is not a record.
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let at = |error: &toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start).min(text.len());
            let before = text.get(..start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .chars()
                .count()
                + 1;
            RecordError::Toml {
                line,
                column,
                cause: error.message().to_owned(),
            }
        };
        // The format decides first: a newer record may differ in all else.
        let table: toml::Table = toml::from_str(text).map_err(|error| at(&error))?;
        if let Some(format) = table.get("format").and_then(toml::Value::as_integer)
            && format > FORMAT
        {
            return Err(RecordError::Newer(format));
        }
        let record: Self = toml::from_str(text).map_err(|error| at(&error))?;
        record.check()?;
        Ok(record)
    }

    fn check(&self) -> Result<(), RecordError> {
        for (index, node) in self.nodes.iter().enumerate() {
            // A parent stands before its children, so no walk along parents can go round.
            if node.parent < -1 || node.parent >= index as i64 {
                return Err(RecordError::Shape(format!(
                    "nodes[{index}].parent = {} is not a node before it",
                    node.parent
                )));
            }
        }
        let mut parent = -1;
        for (ply, &index) in self.line.iter().enumerate() {
            match self.nodes.get(index) {
                Some(node) if node.parent == parent => parent = index as i64,
                Some(node) => {
                    return Err(RecordError::Shape(format!(
                        "line[{ply}] = {index} does not follow: its parent is {}, not {parent}",
                        node.parent
                    )));
                }
                None => {
                    return Err(RecordError::Shape(format!(
                        "line[{ply}] = {index} is not a node"
                    )));
                }
            }
        }
        if self.at > self.line.len() {
            return Err(RecordError::Shape(format!(
                "at = {} is beyond the line of {} moves",
                self.at,
                self.line.len()
            )));
        }
        Ok(())
    }

    /// The record as text.
    ///
    /// # Errors
    /// Only for a kept key that cannot be written, which no read record has.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The seed as the game takes it.
    pub fn seed(&self) -> u64 {
        self.seed.cast_unsigned()
    }

    /// Texts of the moves on the board, in order.
    pub fn played(&self) -> impl Iterator<Item = &str> {
        self.texts().take(self.at)
    }

    /// Texts of the whole line, those that can be redone too.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.line
            .iter()
            .filter_map(|&index| self.nodes.get(index))
            .map(|node| node.text.as_str())
    }

    /// Adds a move behind those on the board. What could be redone stays in the
    /// tree; the line goes on along it if the move is the same.
    pub fn push(&mut self, text: &str) {
        let next = self.line.get(self.at).copied();
        if next
            .and_then(|index| self.nodes.get(index))
            .is_some_and(|node| node.text == text)
        {
            self.at += 1;
            return;
        }
        let parent = match self.at.checked_sub(1).and_then(|last| self.line.get(last)) {
            Some(&index) => index as i64,
            None => -1,
        };
        let known = self
            .nodes
            .iter()
            .position(|node| node.parent == parent && node.text == text);
        let index = known.unwrap_or_else(|| {
            self.nodes.push(Node {
                parent,
                text: text.to_owned(),
                comment: String::new(),
                other: toml::Table::new(),
            });
            self.nodes.len() - 1
        });
        self.line.truncate(self.at);
        self.line.push(index);
        self.at += 1;
    }

    /// The first move that the record has behind a node.
    pub fn first_child(&self, node: usize) -> Option<usize> {
        let parent = node as i64;
        // A child stands behind its parent; in most records right behind it.
        let behind = self.nodes.iter().enumerate().skip(node + 1);
        behind
            .into_iter()
            .find(|(_, n)| n.parent == parent)
            .map(|(index, _)| index)
    }

    /// Moves that a person could redo.
    pub fn ahead(&self) -> usize {
        self.line.len().saturating_sub(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record::new(
            "draughts",
            "1",
            toml::Table::new(),
            u64::MAX,
            vec![Seat::Person, Seat::Computer { level: 3 }],
        )
    }

    #[test]
    fn a_record_reads_back_as_it_was_written() -> Result<(), Box<dyn std::error::Error>> {
        let mut record = record();
        for text in ["a", "b", "c"] {
            record.push(text);
        }
        record.at = 1;
        record.push("d");
        assert_eq!(Record::read(&record.write()?)?, record);
        assert_eq!(record.seed(), u64::MAX);
        assert_eq!(record.played().collect::<Vec<_>>(), ["a", "d"]);
        assert_eq!(record.nodes.len(), 4, "the old line stays in the tree");
        Ok(())
    }

    #[test]
    fn playing_the_same_move_again_goes_along_the_old_line() {
        let mut record = record();
        for text in ["a", "b", "c"] {
            record.push(text);
        }
        record.at = 1;
        record.push("b");
        assert_eq!((record.nodes.len(), record.at, record.ahead()), (3, 2, 1));
        record.at = 0;
        record.push("x");
        record.at = 0;
        record.push("a");
        assert_eq!((record.nodes.len(), record.line.as_slice()), (4, &[0][..]));
    }

    #[test]
    fn unknown_keys_survive() -> Result<(), Box<dyn std::error::Error>> {
        let text = format!(
            "{}colour = \"green\"\n",
            "format = 1\ngame = \"g\"\nversion = \"1\"\nseed = 1\n"
        );
        let text = text + "[[nodes]]\nparent = -1\nmove = \"a\"\nclock = 17\n";
        let again = Record::read(&text)?.write()?;
        assert!(
            again.contains("colour = \"green\"") && again.contains("clock = 17"),
            "{again}"
        );
        Ok(())
    }

    #[test]
    fn a_bad_record_says_where_and_why() {
        let head = "format = 1\ngame = \"g\"\nversion = \"1\"\nseed = 1\n";
        let node = "[[nodes]]\nparent = -1\nmove = \"a\"\n";
        for (text, expected) in [
            ("".to_owned(), "format"),
            (format!("{head}at = 1\n"), "beyond the line"),
            (format!("{head}line = [0]\n"), "not a node"),
            (format!("{head}line = [0, 0]\n{node}"), "does not follow"),
            (
                format!("{head}[[nodes]]\nparent = 0\nmove = \"a\"\n"),
                "nodes[0].parent",
            ),
            (format!("{head}at = \"x\"\n"), "line 5, column 6"),
            (format!("{head}at = = 3\n"), "line 5"),
            (head.replace("format = 1", "format = 2"), "format 2"),
        ] {
            let message = Record::read(&text).map(|_| ()).unwrap_err().to_string();
            assert!(message.contains(expected), "{text:?}: {message}");
        }
    }
}
