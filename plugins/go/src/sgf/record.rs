//! SGF to and from the neutral record of the app (`docs/ABI.md`, "Records").
//!
//! A neutral node is one move; an SGF node may hold many set-up stones, a turn, a move or nothing.
//! So an SGF node becomes a chain of neutral ones, and what is needed to make one node of them again
//! stands in the table `extra` of each:
//!
//! | key | meaning |
//! |---|---|
//! | `joined` | the next node of the record belongs to the same SGF node |
//! | `implied` | follows from the rules of SGF (the turn of a move, play going on): not written |
//! | `root` | stands in the root of the SGF file |
//! | `bare` | stands for a node without a move |
//! | `played` | the property of a move that the rules refuse, written instead of the set-up made of it |
//! | `sgf` | all other properties of the SGF node, as they stand in the file |
//!
//! What the root says beyond the options is in `meta`: in the app's own keys (`title`, `players`,
//! `event`, `date`, `result`, `comment`), and whole under `sgf`.

use serde::{Deserialize, Serialize};

use crate::notation;
use crate::rules::{Action, Game};
use crate::sgf::{self, Collection, charset, reader, writer};

/// The neutral record, as far as Go reads and writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    pub format: i64,
    pub game: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub seed: i64,
    #[serde(default)]
    pub line: Vec<usize>,
    #[serde(default)]
    pub at: usize,
    #[serde(default)]
    pub options: toml::Table,
    #[serde(default)]
    pub meta: toml::Table,
    #[serde(default)]
    pub nodes: Vec<Node>,
}

/// One move of the neutral record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Node {
    pub parent: i64,
    #[serde(rename = "move")]
    pub text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    #[serde(default, skip_serializing_if = "Extra::is_empty")]
    pub extra: Extra,
}

/// How a neutral node stands in the SGF file (see the module).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Extra {
    #[serde(default, skip_serializing_if = "is_false")]
    pub joined: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub implied: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub root: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub bare: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub played: String,
    /// Property names to lists of raw values, in their order.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub sgf: toml::Table,
}

impl Extra {
    fn is_empty(&self) -> bool {
        *self == Extra::default()
    }
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// A file or a record that could not be read or written whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// What is wrong; with line and column if it is in a file.
    pub message: String,
    /// The neutral record of what could be read.
    pub partial: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            partial: None,
        }
    }
}

/// What a game of a file is, for a list to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Names of black and of white, empty where unknown.
    pub players: [String; 2],
    /// Title or event, empty where unknown.
    pub title: String,
    /// As the file says it: "B+3.5".
    pub result: String,
    /// Nodes with their variations.
    pub nodes: usize,
}

/// The games of a file.
pub fn games(bytes: &[u8]) -> Vec<Summary> {
    let decoded = charset::decode(bytes);
    let collection = sgf::parse(&decoded.text);
    let games = collection.games.iter().filter_map(|game| {
        let root = game.nodes.first()?;
        let text = |name| {
            root.value(name)
                .map_or_else(String::new, sgf::values::simple_text)
        };
        let title = text("GN");
        Some(Summary {
            players: [text("PB"), text("PW")],
            title: if title.is_empty() { text("EV") } else { title },
            result: text("RE"),
            nodes: game.nodes.len(),
        })
    });
    games.collect()
}

/// The first game of a file as a neutral record.
///
/// # Errors
/// What is wrong with the file, with line and column; as much as could be read is there beside it.
pub fn read(bytes: &[u8]) -> Result<String, Failure> {
    read_nth(bytes, 0)
}

/// Game `number` of a file, counted from 0, as a neutral record. The others are kept in it.
///
/// # Errors
/// As [`read`]; also if the file has fewer games.
pub fn read_nth(bytes: &[u8], number: usize) -> Result<String, Failure> {
    let decoded = charset::decode(bytes);
    let mut collection = sgf::parse(&decoded.text);
    if let Some(what) = decoded.problem.clone() {
        let place = sgf::Place { line: 1, column: 1 };
        collection.problems.insert(0, sgf::Problem { place, what });
    }
    let read = reader::read(&collection, number, &mut |_, _| {})
        .map_err(|problem| Failure::new(describe(&[problem])))?;
    let mut record = read.record;
    keep_file(&mut record, &decoded, &collection, number);
    let text = toml::to_string(&record).map_err(|error| Failure::new(error.to_string()))?;
    let problems = [collection.problems, read.problems].concat();
    if problems.is_empty() {
        return Ok(text);
    }
    Err(Failure {
        message: describe(&problems),
        partial: Some(text),
    })
}

/// Notes what a record needs to become the same file again: its charset, the other games.
fn keep_file(
    record: &mut Record,
    decoded: &charset::Decoded,
    collection: &Collection,
    number: usize,
) {
    let name = decoded.encoding.name();
    if name != "UTF-8" {
        record.meta.insert("charset".to_owned(), name.into());
    }
    let part = |games: &[sgf::GameTree]| -> String {
        let texts = games
            .iter()
            .filter_map(|game| decoded.text.get(game.range.clone()))
            // A game without its end reaches to the end of the file, and would grow by a line with each writing.
            .map(str::trim_end);
        texts.collect::<Vec<_>>().join("\n")
    };
    let before = part(collection.games.get(..number).unwrap_or_default());
    let after = part(collection.games.get(number + 1..).unwrap_or_default());
    for (key, text) in [("games_before", before), ("games_after", after)] {
        if !text.is_empty() {
            record.meta.insert(key.to_owned(), text.into());
        }
    }
}

/// Problems in one line: the first few, and how many more.
fn describe(problems: &[sgf::Problem]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = problems
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    let mut text = shown.join("; ");
    if problems.len() > SHOWN {
        text.push_str(&format!("; and {} more", problems.len() - SHOWN));
    }
    text
}

/// A neutral record as the bytes of an SGF file.
///
/// # Errors
/// The text is no record of Go; line and column, or the move that is not possible.
pub fn write(record: &str) -> Result<Vec<u8>, Failure> {
    let record: Record = toml::from_str(record).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = record
            .get(..record.floor_char_boundary(start))
            .unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        Failure::new(format!("line {line} of the record: {}", error.message()))
    })?;
    writer::write(&record)
}

/// The main line of a file's first game up to a position.
pub struct Line {
    /// The position.
    pub game: Game,
    /// What was done from the start on to get there.
    pub actions: Vec<Action>,
}

/// The position of the main line of a file's first game, as the protocol's `loadsgf` wants it: before
/// move `before` (counted from 1), or at its end.
///
/// # Errors
/// Nothing could be read.
pub fn load(bytes: &[u8], before: Option<u32>) -> Result<Line, Failure> {
    let decoded = charset::decode(bytes);
    let collection = sgf::parse(&decoded.text);
    let mut position: Option<Game> = None;
    let mut moves = 0;
    let mut is_found = false;
    let read = reader::read(&collection, 0, &mut |game, step| {
        if is_found || !step.is_main_line {
            return;
        }
        if step.is_move {
            moves += 1;
            if Some(moves) == before {
                is_found = true;
                return;
            }
        }
        position = Some(game.clone());
    })
    .map_err(|problem| Failure::new(describe(&[problem])))?;
    // A move number beyond the end shows the end, as with other programs.
    let game = position.ok_or_else(|| Failure::new("the file holds no position"))?;
    let size = game.options().size;
    let line = read.record.line.iter();
    let actions = line
        .filter_map(|&index| read.record.nodes.get(index))
        .take(usize::try_from(game.move_number()).unwrap_or(usize::MAX))
        .filter_map(|node| notation::parse_action(&node.text, size).ok())
        .collect();
    Ok(Line { game, actions })
}
