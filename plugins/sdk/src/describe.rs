//! What a game says about itself: the content of `describe` and `level`.
//!
//! These types are written as TOML; `docs/ABI.md` lists every key. A reader
//! ignores keys that it does not know and takes the default for those that are absent.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::options::Value;

/// All that is static about a game.
#[derive(Clone, Debug, Serialize)]
pub struct Describe {
    /// Identity in saves and settings: `[a-z0-9-]`, 1–64 characters, never changed.
    pub id: String,
    /// Version of the rules; a record names the one it was played under.
    pub version: String,
    /// Name for people.
    pub name: String,
    /// One line under the name.
    pub summary: String,
    /// Rules and house decisions, paragraphs parted by an empty line.
    pub help: String,
    /// Whether a player may resign.
    pub resign: bool,
    /// Whether some viewers may not see all of the state.
    pub hidden: bool,
    /// Number of levels of the ladder; 0 without one.
    pub ladder: u32,
    /// The players, first to move first: 1 to 4.
    pub sides: Vec<Side>,
    /// Schema of the options.
    pub options: Vec<OptionSpec>,
    /// Named sets of options, the usual one first; empty for none.
    pub presets: Vec<Preset>,
    /// The kinds of pieces; `Cell::piece` is 1 + the index here.
    pub pieces: Vec<Piece>,
    /// The teaching overlays.
    pub overlays: Vec<Overlay>,
    /// Record formats of the field.
    pub formats: Vec<Format>,
    /// Levels of the opponent, weakest first.
    pub levels: Vec<AiLevel>,
}

/// One player's side.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// "Black".
    pub name: String,
    /// Colour role: "black", "white", "red", "green", "blue", "yellow".
    pub colour: String,
}

/// One option of a new game.
#[derive(Clone, Debug, Serialize)]
pub struct OptionSpec {
    /// Key in the options table.
    pub key: String,
    /// Name for people.
    pub name: String,
    /// What it does, one or two sentences; may be empty.
    pub help: String,
    /// Type of the value.
    #[serde(rename = "type")]
    pub kind: OptionType,
    /// Value where the key is absent.
    pub default: Value,
    /// Least value of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// Greatest value of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// Step of a number from `min`; 0 or 1: every one.
    pub step: i64,
    /// The values of a choice; for a number, those offered as presets.
    pub choices: Vec<Choice>,
}

/// Type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionType {
    /// A whole number within `min..=max`.
    Int,
    /// A whole number of halves within `min..=max`, shown halved: 15 is 7.5.
    Half,
    /// True or false.
    Bool,
    /// One of `choices`.
    Choice,
}

/// A value with its name.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// The value stored.
    pub value: Value,
    /// Name for people.
    pub name: String,
}

/// Values of several options under one name, such as a rule set.
#[derive(Clone, Debug, Serialize)]
pub struct Preset {
    /// Key, unique among the presets.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What distinguishes it, in one sentence; may be empty.
    pub help: String,
    /// The options that it sets: keys of the schema with allowed values.
    pub options: BTreeMap<String, Value>,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize)]
pub struct Piece {
    /// How it is drawn.
    pub shape: Shape,
    /// Text on it; empty for none.
    pub glyph: String,
    /// The text's second form for people who do not read the first (a letter); may be empty.
    pub latin: String,
    /// Colour role of body or text.
    pub colour: String,
    /// What a screen reader says: "black stone".
    pub name: String,
}

/// Form of a piece. The shell draws these and knows no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A rounded lens with light and shadow.
    Disc,
    /// A flat round of wood with a glyph in its colour.
    Coin,
    /// A card with a glyph.
    Card,
    /// Two crossing strokes.
    Cross,
    /// A ring.
    Ring,
    /// A square tile.
    Tile,
    /// The glyph alone.
    Glyph,
}

/// A teaching overlay.
#[derive(Clone, Debug, Serialize)]
pub struct Overlay {
    /// Key in the settings.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What its values mean.
    pub kind: OverlayKind,
}

/// Meaning of an overlay's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OverlayKind {
    /// A whole number written on the cell.
    Number,
    /// 0–1000, cold to hot.
    Heat,
    /// −1000–1000, the second player's to the first player's.
    Owner,
    /// An index of a set; equal numbers get one colour.
    Group,
    /// Not 0: marked.
    Mark,
}

/// A record format.
#[derive(Clone, Debug, Serialize)]
pub struct Format {
    /// "sgf".
    pub id: String,
    /// Name for people.
    pub name: String,
    /// File endings without the dot.
    pub extensions: Vec<String>,
    /// Whether `read_record` takes it.
    pub read: bool,
    /// Whether `write_record` makes it.
    pub write: bool,
}

/// A level of the opponent.
#[derive(Clone, Debug, Serialize)]
pub struct AiLevel {
    /// Name for people.
    pub name: String,
    /// One line on how it plays; may be empty.
    pub help: String,
}

/// One level of the ladder.
#[derive(Clone, Debug, Serialize)]
pub struct Level {
    /// Name for people.
    pub name: String,
    /// What it takes; may be empty.
    pub help: String,
    /// The side that the player takes.
    pub player: u32,
    /// Index of the opponent's level; ignored in a solo game.
    pub opponent: u32,
    /// Options of the game.
    pub options: toml::Table,
}

impl Describe {
    /// As TOML text.
    pub fn to_toml(&self) -> String {
        to_toml(self)
    }
}

impl Level {
    /// As TOML text.
    pub fn to_toml(&self) -> String {
        to_toml(self)
    }
}

/// Serialises one of this crate's own types, all of which TOML can hold.
pub(crate) fn to_toml(value: &impl Serialize) -> String {
    match toml::to_string(value) {
        Ok(text) => text,
        // Reached only through a value that TOML lacks, which these types cannot
        // hold; the border turns the panic into an error code.
        Err(error) => panic!("not TOML: {error}"),
    }
}
