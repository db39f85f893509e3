//! What a game says about itself, read from the TOML of `describe` and `level` and checked.
//!
//! Unknown keys are ignored and absent ones take their default; an unknown word
//! where a word of a list is expected takes the list's plainest entry. What is
//! out of bounds is refused: later code relies on what is promised here.

use std::collections::HashSet;

use serde::Deserialize;

use super::toml_text;

/// All that is static about a game, in one language.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Describe {
    /// Identity in saves and settings: `[a-z0-9-]`, 1–64 characters.
    pub id: String,
    /// Version of the rules; a record names the one it was played under.
    #[serde(default)]
    pub version: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// One line under the name.
    #[serde(default)]
    pub summary: String,
    /// Rules and house decisions, paragraphs parted by an empty line.
    #[serde(default)]
    pub help: String,
    /// Whether a player may resign.
    #[serde(default)]
    pub resign: bool,
    /// Whether some viewers may not see all of the state.
    #[serde(default)]
    pub hidden: bool,
    /// Number of levels of the ladder; 0 without one.
    #[serde(default)]
    pub ladder: u32,
    /// The players, first to move first: 1 to 4.
    pub sides: Vec<Side>,
    /// Schema of the options. An option of an unknown type is left out: its default applies.
    #[serde(default, deserialize_with = "known_options")]
    pub options: Vec<OptionSpec>,
    /// Named sets of options, the usual one first.
    #[serde(default)]
    pub presets: Vec<Preset>,
    /// The kinds of pieces; `GpCell::piece` is 1 + the index here.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// The teaching overlays.
    #[serde(default)]
    pub overlays: Vec<Overlay>,
    /// Record formats of the field.
    #[serde(default)]
    pub formats: Vec<Format>,
    /// Levels of the opponent, weakest first.
    #[serde(default)]
    pub levels: Vec<AiLevel>,
}

/// One player's side.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Side {
    /// "Black".
    #[serde(default)]
    pub name: String,
    /// Colour role: "black", "white", "red", "green", "blue", "yellow".
    #[serde(default)]
    pub colour: String,
}

/// One option of a new game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct OptionSpec {
    /// Key in the options table: `[A-Za-z0-9_-]`, 1–64 characters.
    pub key: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What it does; may be empty.
    #[serde(default)]
    pub help: String,
    /// Type of the value.
    #[serde(rename = "type")]
    pub kind: OptionType,
    /// Value where the key is absent; of the right type and in range.
    pub default: toml::Value,
    /// Least value of a number.
    #[serde(default)]
    pub min: Option<i64>,
    /// Greatest value of a number.
    #[serde(default)]
    pub max: Option<i64>,
    /// Step of a number from `min`; 0 or 1: every one.
    #[serde(default)]
    pub step: i64,
    /// The values of a choice; for a number, those offered as presets.
    #[serde(default)]
    pub choices: Vec<Choice>,
}

/// Type of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Choice {
    /// The value stored.
    pub value: toml::Value,
    /// Name for people.
    #[serde(default)]
    pub name: String,
}

/// Values of several options under one name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Preset {
    /// Key, unique among the presets.
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What distinguishes it; may be empty.
    #[serde(default)]
    pub help: String,
    /// The options that it sets. Keys that the schema lacks mean nothing; a value is one that its option allows.
    #[serde(default)]
    pub options: toml::Table,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Piece {
    /// How it is drawn.
    #[serde(default)]
    pub shape: Shape,
    /// Text on it; empty for none.
    #[serde(default)]
    pub glyph: String,
    /// The text's second form for people who do not read the first; may be empty.
    #[serde(default)]
    pub latin: String,
    /// Colour role of body or text.
    #[serde(default)]
    pub colour: String,
    /// What a screen reader says.
    #[serde(default)]
    pub name: String,
}

/// Declares an enum that is read from a word; an unknown word takes the first variant.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $(#[$first_meta:meta])* $first:ident = $first_word:literal, $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(from = "String")]
        pub enum $name {
            $(#[$first_meta])*
            #[default]
            $first,
            $($(#[$variant_meta])* $variant,)*
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $first_word => Self::$first,
                    $($word => Self::$variant,)*
                    other => {
                        tracing::warn!(word = other, "unknown word for {}", stringify!($name));
                        Self::$first
                    }
                }
            }
        }
    };
}
pub(super) use words;

words! {
    /// Form of a piece. An unknown one is drawn as a disc.
    Shape {
        /// A rounded lens with light and shadow.
        Disc = "disc",
        /// A flat round of wood with a glyph in its colour.
        Coin = "coin",
        /// A card with a glyph.
        Card = "card",
        /// Two crossing strokes.
        Cross = "cross",
        /// A ring.
        Ring = "ring",
        /// A square tile.
        Tile = "tile",
        /// The glyph alone.
        Glyph = "glyph",
    }
}

words! {
    /// Meaning of an overlay's values. An unknown one is written as a number.
    OverlayKind {
        /// A whole number written on the cell.
        Number = "number",
        /// 0–1000, cold to hot.
        Heat = "heat",
        /// −1000–1000, the second player's to the first player's.
        Owner = "owner",
        /// An index of a set; equal numbers get one colour.
        Group = "group",
        /// Not 0: marked.
        Mark = "mark",
    }
}

/// A teaching overlay.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Overlay {
    /// Key in the settings.
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What its values mean.
    #[serde(default)]
    pub kind: OverlayKind,
}

/// A record format.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Format {
    /// "sgf".
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// File endings without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Whether `read_record` takes it.
    #[serde(default)]
    pub read: bool,
    /// Whether `write_record` makes it.
    #[serde(default)]
    pub write: bool,
}

/// A level of the opponent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct AiLevel {
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// One line on how it plays; may be empty.
    #[serde(default)]
    pub help: String,
}

/// One level of the ladder.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Level {
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What it takes; may be empty.
    #[serde(default)]
    pub help: String,
    /// The side that the player takes: an index into `Describe::sides`.
    #[serde(default)]
    pub player: u32,
    /// Index into `Describe::levels`; 0 and without meaning if there are none.
    #[serde(default)]
    pub opponent: u32,
    /// Options of the game.
    #[serde(default)]
    pub options: toml::Table,
}

/// Longest single-line text, in characters.
const MAX_LINE: usize = 1_000;
/// Longest help text, in characters.
const MAX_HELP: usize = 100_000;
/// Most options, choices of one option, overlays, formats and opponent levels.
const MAX_ENTRIES: usize = 256;
/// Most kinds of pieces.
const MAX_PIECES: usize = 1_024;
/// Most levels of a ladder.
const MAX_LADDER: u32 = 10_000;

/// Reads the options one by one, so that a type of the future leaves out one option and not the game.
fn known_options<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<OptionSpec>, D::Error> {
    #[derive(Deserialize)]
    struct Probe {
        #[serde(rename = "type")]
        kind: String,
    }
    let mut known = Vec::new();
    for value in Vec::<toml::Value>::deserialize(from)? {
        let kind = Probe::deserialize(value.clone())
            .map_err(serde::de::Error::custom)?
            .kind;
        if matches!(kind.as_str(), "int" | "half" | "bool" | "choice") {
            known.push(OptionSpec::deserialize(value).map_err(serde::de::Error::custom)?);
        } else {
            tracing::warn!(kind, "an option of an unknown type is left out");
        }
    }
    Ok(known)
}

impl Describe {
    /// Reads and checks the text of `describe`.
    ///
    /// # Errors
    /// Line and column of a fault in the TOML, or the key whose value cannot be used.
    pub fn read(text: &str) -> Result<Self, String> {
        let this: Self = toml_text::read(text)?;
        this.check()?;
        Ok(this)
    }

    fn check(&self) -> Result<(), String> {
        let id_ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.id.is_empty() || self.id.len() > 64 || !self.id.chars().all(id_ok) {
            return Err(format!(
                "id {:?} is not 1–64 characters of a–z, 0–9 and -",
                shorten(&self.id)
            ));
        }
        line("version", &self.version)?;
        line("name", &self.name)?;
        line("summary", &self.summary)?;
        if self.help.chars().count() > MAX_HELP {
            return Err(format!("help is longer than {MAX_HELP} characters"));
        }
        if self.ladder > MAX_LADDER {
            return Err(format!("ladder is {}, more than {MAX_LADDER}", self.ladder));
        }
        if self.sides.is_empty() || self.sides.len() > qiju_abi::GP_MAX_PLAYERS {
            return Err(format!("sides has {} entries, not 1–4", self.sides.len()));
        }
        for (i, side) in self.sides.iter().enumerate() {
            line(&format!("sides[{i}].name"), &side.name)?;
            line(&format!("sides[{i}].colour"), &side.colour)?;
        }
        count("options", self.options.len(), MAX_ENTRIES)?;
        unique("options", self.options.iter().map(|o| o.key.as_str()))?;
        for option in &self.options {
            option.check()?;
        }
        count("presets", self.presets.len(), MAX_ENTRIES)?;
        unique("presets", self.presets.iter().map(|p| p.id.as_str()))?;
        for preset in &self.presets {
            preset.check(&self.options)?;
        }
        count("pieces", self.pieces.len(), MAX_PIECES)?;
        for (i, piece) in self.pieces.iter().enumerate() {
            line(&format!("pieces[{i}].name"), &piece.name)?;
            line(&format!("pieces[{i}].glyph"), &piece.glyph)?;
            line(&format!("pieces[{i}].latin"), &piece.latin)?;
            line(&format!("pieces[{i}].colour"), &piece.colour)?;
        }
        count("overlays", self.overlays.len(), MAX_ENTRIES)?;
        unique("overlays", self.overlays.iter().map(|o| o.id.as_str()))?;
        for overlay in &self.overlays {
            line(
                &format!("overlays.{}.name", shorten(&overlay.id)),
                &overlay.name,
            )?;
        }
        count("formats", self.formats.len(), MAX_ENTRIES)?;
        unique("formats", self.formats.iter().map(|f| f.id.as_str()))?;
        for format in &self.formats {
            line(
                &format!("formats.{}.name", shorten(&format.id)),
                &format.name,
            )?;
            count("formats.extensions", format.extensions.len(), MAX_ENTRIES)?;
            for extension in &format.extensions {
                key("formats.extensions", extension)?;
            }
        }
        count("levels", self.levels.len(), MAX_ENTRIES)?;
        for (i, level) in self.levels.iter().enumerate() {
            line(&format!("levels[{i}].name"), &level.name)?;
            line(&format!("levels[{i}].help"), &level.help)?;
        }
        Ok(())
    }

    /// Checks that another language's description differs in words only.
    ///
    /// # Errors
    /// The first key that differs.
    pub fn same_but_for_words(&self, other: &Self) -> Result<(), String> {
        let differs = |key: &str| Err(format!("{key} differs between the languages"));
        if self.id != other.id {
            return differs("id");
        }
        if self.version != other.version {
            return differs("version");
        }
        if (self.resign, self.hidden, self.ladder) != (other.resign, other.hidden, other.ladder) {
            return differs("resign, hidden or ladder");
        }
        if !same(&self.sides, &other.sides, |a, b| a.colour == b.colour) {
            return differs("sides");
        }
        if !same(
            &self.options,
            &other.options,
            OptionSpec::same_but_for_words,
        ) {
            return differs("options");
        }
        if !same(&self.presets, &other.presets, |a, b| {
            (&a.id, &a.options) == (&b.id, &b.options)
        }) {
            return differs("presets");
        }
        if !same(&self.pieces, &other.pieces, |a, b| {
            (a.shape, &a.colour) == (b.shape, &b.colour)
        }) {
            return differs("pieces");
        }
        if !same(&self.overlays, &other.overlays, |a, b| {
            (&a.id, a.kind) == (&b.id, b.kind)
        }) {
            return differs("overlays");
        }
        if !same(&self.formats, &other.formats, |a, b| {
            (&a.id, a.read, a.write) == (&b.id, b.read, b.write)
        }) {
            return differs("formats");
        }
        if self.levels.len() != other.levels.len() {
            return differs("levels");
        }
        Ok(())
    }
}

impl OptionSpec {
    /// Whether the option can take `value`.
    pub fn takes(&self, value: &toml::Value) -> bool {
        match (self.kind, value) {
            (OptionType::Bool, toml::Value::Boolean(_)) => true,
            (OptionType::Int | OptionType::Half, toml::Value::Integer(number)) => {
                let min = self.min.unwrap_or(i64::MIN);
                let on_step = self.step < 2
                    || self.min.is_none()
                    || number
                        .checked_sub(min)
                        .is_none_or(|above| above % self.step == 0);
                (min..=self.max.unwrap_or(i64::MAX)).contains(number) && on_step
            }
            (OptionType::Choice, _) => self.choices.iter().any(|choice| choice.value == *value),
            _ => false,
        }
    }

    fn check(&self) -> Result<(), String> {
        key("options.key", &self.key)?;
        let at = |part: &str| format!("options.{}.{part}", self.key);
        line(&at("name"), &self.name)?;
        line(&at("help"), &self.help)?;
        count(&at("choices"), self.choices.len(), MAX_ENTRIES)?;
        if self.min.zip(self.max).is_some_and(|(min, max)| min > max) {
            return Err(format!("{} is greater than max", at("min")));
        }
        if self.step < 0 {
            return Err(format!("{} is negative", at("step")));
        }
        if self.kind == OptionType::Choice && self.choices.is_empty() {
            return Err(format!("{} is empty", at("choices")));
        }
        for choice in &self.choices {
            line(&at("choices.name"), &choice.name)?;
            let plain = matches!(
                choice.value,
                toml::Value::String(_) | toml::Value::Integer(_) | toml::Value::Boolean(_)
            );
            if !plain || !self.takes(&choice.value) {
                return Err(format!(
                    "{} has {}, which the option cannot take",
                    at("choices"),
                    choice.value
                ));
            }
        }
        if !self.takes(&self.default) {
            return Err(format!(
                "{} is {}, which the option cannot take",
                at("default"),
                self.default
            ));
        }
        Ok(())
    }

    fn same_but_for_words(&self, other: &Self) -> bool {
        (&self.key, self.kind, &self.default) == (&other.key, other.kind, &other.default)
            && (self.min, self.max, self.step) == (other.min, other.max, other.step)
            && same(&self.choices, &other.choices, |a, b| a.value == b.value)
    }
}

impl Preset {
    fn check(&self, options: &[OptionSpec]) -> Result<(), String> {
        key("presets.id", &self.id)?;
        let at = |part: &str| format!("presets.{}.{part}", self.id);
        line(&at("name"), &self.name)?;
        line(&at("help"), &self.help)?;
        for option in options {
            if let Some(value) = self.options.get(&option.key)
                && !option.takes(value)
            {
                return Err(format!(
                    "{} is {value}, which the option cannot take",
                    at(&format!("options.{}", option.key))
                ));
            }
        }
        Ok(())
    }
}

impl Level {
    /// Reads a level and checks it against the game's description.
    ///
    /// # Errors
    /// Line and column of a fault in the TOML, or the key whose value cannot be used.
    pub fn read(text: &str, describe: &Describe) -> Result<Self, String> {
        let this: Self = toml_text::read(text)?;
        line("name", &this.name)?;
        line("help", &this.help)?;
        if this.player as usize >= describe.sides.len() {
            return Err(format!(
                "player is {}, but there are {} sides",
                this.player,
                describe.sides.len()
            ));
        }
        if !describe.levels.is_empty() && this.opponent as usize >= describe.levels.len() {
            return Err(format!(
                "opponent is {}, but there are {} levels",
                this.opponent,
                describe.levels.len()
            ));
        }
        Ok(this)
    }
}

fn same<T>(a: &[T], b: &[T], equal: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
}

/// A text that is shown on one line.
pub(super) fn line(at: &str, text: &str) -> Result<(), String> {
    if text.chars().count() > MAX_LINE {
        return Err(format!("{at} is longer than {MAX_LINE} characters"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!(
            "{at} holds a line break or another control character"
        ));
    }
    Ok(())
}

fn key(at: &str, text: &str) -> Result<(), String> {
    let ok = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if text.is_empty() || text.len() > 64 || !text.chars().all(ok) {
        return Err(format!(
            "{at} {:?} is not 1–64 characters of a–z, A–Z, 0–9, _ and -",
            shorten(text)
        ));
    }
    Ok(())
}

pub(super) fn count(at: &str, found: usize, limit: usize) -> Result<(), String> {
    if found > limit {
        return Err(format!("{at} has {found} entries, more than {limit}"));
    }
    Ok(())
}

pub(super) fn unique<'a>(at: &str, mut keys: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = HashSet::new();
    match keys.find(|key| !seen.insert(*key)) {
        Some(twice) => Err(format!("{at} has {:?} twice", shorten(twice))),
        None => Ok(()),
    }
}

/// Enough of a text from outside to recognise it in a message.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: &str = "id = \"a-1\"\nsides = [{}]\n";

    fn why(more: &str) -> String {
        Describe::read(&format!("{LEAST}{more}")).unwrap_err()
    }

    #[test]
    fn what_is_absent_takes_its_default() {
        let describe = Describe::read(LEAST).unwrap();
        assert_eq!((describe.id.as_str(), describe.ladder), ("a-1", 0));
        assert!(!describe.resign && describe.options.is_empty());
    }

    #[test]
    fn what_is_unknown_is_ignored() {
        let describe = Describe::read(&format!(
            "{LEAST}what = 3\n[[pieces]]\nshape = \"blob\"\n[[overlays]]\nid = \"o\"\nkind = \"x\"\n\
             [[options]]\nkey = \"k\"\ntype = \"colour\"\ndefault = [1]\n"
        ))
        .unwrap();
        assert_eq!(describe.pieces[0].shape, Shape::Disc);
        assert_eq!(describe.overlays[0].kind, OverlayKind::Number);
        assert!(describe.options.is_empty());
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_by_its_key() {
        let option = "[[options]]\nkey = \"k\"\n";
        for (more, wanted) in [
            ("ladder = 10001", "ladder is 10001"),
            ("ladder = -1", "line 3"),
            ("name = \"a\\nb\"", "name holds a line break"),
            (
                "overlays = [{ id = \"x\" }, { id = \"x\" }]",
                "overlays has \"x\" twice",
            ),
            (
                &format!("name = \"{}\"", "x".repeat(1001)),
                "name is longer",
            ),
            (
                &format!("{option}type = \"int\"\ndefault = 1\nmin = 3\nmax = 2"),
                "options.k.min is greater",
            ),
            (
                &format!("{option}type = \"int\"\ndefault = 1\nmin = 3"),
                "options.k.default is 1",
            ),
            (
                &format!("{option}type = \"int\"\ndefault = true"),
                "options.k.default is true",
            ),
            (
                &format!("{option}type = \"int\"\ndefault = 4\nmin = 3\nstep = 2"),
                "options.k.default is 4",
            ),
            (
                &format!("{option}type = \"int\"\ndefault = 4\nstep = -2"),
                "options.k.step is negative",
            ),
            (
                &format!("{option}type = \"choice\"\ndefault = 4"),
                "options.k.choices is empty",
            ),
            (
                &format!("{option}type = \"choice\"\ndefault = 4\nchoices = [{{ value = 5 }}]"),
                "options.k.default is 4",
            ),
            (
                &format!(
                    "{option}type = \"bool\"\ndefault = true\n{option}type = \"bool\"\ndefault = true"
                ),
                "options has \"k\" twice",
            ),
            (
                "[[options]]\nkey = \"a b\"\ntype = \"bool\"\ndefault = true",
                "options.key \"a b\"",
            ),
            (
                &format!(
                    "{option}type = \"bool\"\ndefault = true\n\
                     [[presets]]\nid = \"p\"\noptions = {{ k = 3 }}"
                ),
                "presets.p.options.k is 3",
            ),
            (
                "presets = [{ id = \"x\" }, { id = \"x\" }]",
                "presets has \"x\" twice",
            ),
        ] {
            let why = why(more);
            assert!(why.contains(wanted), "{more}: {why}");
        }
    }

    #[test]
    fn a_level_fits_its_game() {
        let describe = Describe::read(&format!("{LEAST}levels = [{{}}, {{}}]")).unwrap();
        let level = Level::read("opponent = 1\n[options]\nk = 3\n", &describe).unwrap();
        assert_eq!((level.opponent, level.options.len()), (1, 1));
        for (text, wanted) in [
            ("opponent = 2", "opponent is 2"),
            ("player = 1", "player is 1"),
            ("player = \"x\"", "line 1"),
        ] {
            let why = Level::read(text, &describe).unwrap_err();
            assert!(why.contains(wanted), "{text}: {why}");
        }
    }

    #[test]
    fn languages_may_differ_in_words_only() {
        let one = Describe::read(&format!("{LEAST}name = \"A\"\nhelp = \"x\"")).unwrap();
        let words = Describe::read(&format!("{LEAST}name = \"B\"")).unwrap();
        let more = Describe::read(&format!("{LEAST}levels = [{{}}]")).unwrap();
        assert_eq!(one.same_but_for_words(&words), Ok(()));
        assert!(one.same_but_for_words(&more).is_err());
        let preset = |value: bool| {
            let text = format!("{LEAST}presets = [{{ id = \"p\", options = {{ k = {value} }} }}]");
            Describe::read(&text).unwrap()
        };
        assert_eq!(preset(true).same_but_for_words(&preset(true)), Ok(()));
        assert!(preset(true).same_but_for_words(&preset(false)).is_err());
    }
}
