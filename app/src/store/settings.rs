//! `settings.toml`: what the player chose about the app itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::document::{Fields, Section};

/// The language of the app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// The system's, as far as the app speaks it.
    #[default]
    System,
    /// Chinese.
    Zh,
    /// English.
    En,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Appearance {
    /// As the system has it.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// Whether a tap must be confirmed before it is a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfirmMove {
    /// Where a finger could easily miss: on touch and small boards.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How fast things move on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Animation {
    /// Nothing moves.
    Off,
    /// Quickly.
    Fast,
    /// As designed.
    #[default]
    Normal,
    /// Slowly.
    Slow,
}

/// Size of the window's content in logical pixels: `[window]` in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WindowSize {
    /// 360 to 16384; default 1280.
    pub width: u32,
    /// 360 to 16384; default 800.
    pub height: u32,
}

impl WindowSize {
    /// The smallest side that the screens are designed for, in logical pixels.
    pub const SIDE_MIN: u32 = 360;
    /// A side larger than any screen's, in logical pixels.
    pub const SIDE_MAX: u32 = 16_384;
}

impl Default for WindowSize {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 800,
        }
    }
}

/// Everything in `settings.toml`. Each field's default is named; the file holds what was changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// "system" (default), "zh" or "en".
    pub language: Language,
    /// "system" (default), "light" or "dark".
    pub appearance: Appearance,
    /// Id of the board's theme; default "kaya". Whoever draws falls back for an unknown one.
    pub board_theme: String,
    /// Whether coordinates are shown at the board; default true.
    pub coordinates: bool,
    /// "auto" (default), "always" or "never".
    pub confirm_move: ConfirmMove,
    /// "off", "fast", "normal" (default) or "slow".
    pub animation: Animation,
    /// Whether the last move is marked; default true.
    pub show_last_move: bool,
    /// The window as it was left.
    pub window: WindowSize,
    /// By id of the game, what was chosen for it last: `[games.<id>]`. The tables belong to the
    /// screens; the store only keeps them. Default: none.
    pub games: BTreeMap<String, Table>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::default(),
            appearance: Appearance::default(),
            board_theme: "kaya".to_owned(),
            coordinates: true,
            confirm_move: ConfirmMove::default(),
            animation: Animation::default(),
            show_last_move: true,
            window: WindowSize::default(),
            games: BTreeMap::new(),
        }
    }
}

impl Section for Settings {
    fn decode(fields: &Fields) -> Self {
        let default = Self::default();
        let window = fields.table("window");
        let side = |side: &u32| (WindowSize::SIDE_MIN..=WindowSize::SIDE_MAX).contains(side);
        Self {
            language: fields.get("language", default.language, |_| true),
            appearance: fields.get("appearance", default.appearance, |_| true),
            board_theme: fields.get("board_theme", default.board_theme, |id| !id.is_empty()),
            coordinates: fields.get("coordinates", default.coordinates, |_| true),
            confirm_move: fields.get("confirm_move", default.confirm_move, |_| true),
            animation: fields.get("animation", default.animation, |_| true),
            show_last_move: fields.get("show_last_move", default.show_last_move, |_| true),
            window: WindowSize {
                width: window.get("width", default.window.width, side),
                height: window.get("height", default.window.height, side),
            },
            games: fields
                .table("games")
                .tables()
                .map(|(id, game)| (id.to_owned(), game.raw().clone()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use toml::Value;

    use super::super::document::Document;
    use super::super::notice::{Notice, Notices};
    use super::*;

    fn open(path: &Path) -> (Document<Settings>, Vec<Notice>) {
        let notices = Notices::default();
        let document = Document::load(path.to_owned(), true, &notices);
        (document, notices.take())
    }

    fn parsed(text: &str) -> (Settings, Vec<(String, String)>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        fs::write(&path, text).unwrap();
        let (document, notices) = open(&path);
        let rejected = notices
            .into_iter()
            .map(|notice| match notice {
                Notice::BadValue { key, value, .. } => (key, value),
                other => panic!("{other:?}"),
            })
            .collect();
        (document.value().clone(), rejected)
    }

    #[test]
    fn without_a_file_all_is_default() {
        let dir = tempfile::tempdir().unwrap();
        let (document, notices) = open(&dir.path().join("settings.toml"));
        assert_eq!(*document.value(), Settings::default());
        assert_eq!(notices, []);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        let (mut document, _) = open(&path);
        let game = "seats = [{ who = \"person\" }, { who = \"computer\", level = 3 }]\n[options]\nsize = 9\n";
        let settings = Settings {
            language: Language::Zh,
            appearance: Appearance::Dark,
            board_theme: "slate".to_owned(),
            coordinates: false,
            confirm_move: ConfirmMove::Never,
            animation: Animation::Off,
            show_last_move: false,
            window: WindowSize {
                width: 360,
                height: 16_384,
            },
            games: BTreeMap::from([("a-game".to_owned(), toml::from_str(game).unwrap())]),
        };
        fs::write(&path, document.set(settings.clone()).unwrap()).unwrap();
        let (document, notices) = open(&path);
        assert_eq!(*document.value(), settings);
        assert_eq!(notices, []);
    }

    #[test]
    fn each_bad_value_is_named_and_the_rest_counts() {
        let (settings, rejected) = parsed(
            "language = \"fr\"\nappearance = 3\nboard_theme = \"\"\ncoordinates = \"yes\"\n\
             confirm_move = \"always\"\nanimation = []\nshow_last_move = false\nfuture = 1\n\
             [window]\nwidth = 359\nheight = 600\n[games]\nx = 1\n[games.y]\nz = 2\n",
        );
        let expected = Settings {
            confirm_move: ConfirmMove::Always,
            show_last_move: false,
            window: WindowSize {
                width: 1280,
                height: 600,
            },
            games: BTreeMap::from([("y".to_owned(), toml::from_str("z = 2").unwrap())]),
            ..Settings::default()
        };
        assert_eq!(settings, expected);
        let mut rejected: Vec<String> = rejected
            .into_iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        rejected.sort();
        let expected = [
            "animation = []",
            "appearance = 3",
            "board_theme = \"\"",
            "coordinates = \"yes\"",
            "games.x = 1",
            "language = \"fr\"",
            "window.width = 359",
        ];
        assert_eq!(rejected, expected);
    }

    #[test]
    fn numbers_beyond_every_type_are_rejected() {
        let (settings, rejected) = parsed("window = { width = -1, height = 9223372036854775807 }");
        assert_eq!(settings.window, WindowSize::default());
        assert_eq!(rejected.len(), 2);
        let (settings, rejected) = parsed("window = 5\ngames = \"none\"");
        assert_eq!(settings, Settings::default());
        assert_eq!(rejected.len(), 2);
    }

    #[test]
    fn what_we_do_not_know_survives_a_rewrite() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        let text = "format = 1\nlanguage = \"ja\"\nsound = true\n\
                    [window]\nwidth = 900\nmaximised = true\n[net]\nhost = \"x\"\n";
        fs::write(&path, text).unwrap();
        let (mut document, _) = open(&path);
        let mut settings = document.value().clone();
        settings.window.width = 1000;
        settings.coordinates = false;
        let table: Table = toml::from_str(&document.set(settings).unwrap()).unwrap();
        let expected: Table = toml::from_str(
            "format = 1\nlanguage = \"ja\"\nsound = true\ncoordinates = false\n\
             [window]\nwidth = 1000\nmaximised = true\n[net]\nhost = \"x\"\n",
        )
        .unwrap();
        assert_eq!(table, expected);
    }

    #[test]
    fn an_odd_id_is_quoted_and_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (mut document, _) = open(&dir.path().join("settings.toml"));
        let mut settings = Settings::default();
        settings.games.insert(
            "a \"b\"\n.c".to_owned(),
            Table::from_iter([("k".to_owned(), Value::Boolean(true))]),
        );
        let again: Table = toml::from_str(&document.set(settings).unwrap()).unwrap();
        assert_eq!(again["games"]["a \"b\"\n.c"]["k"], Value::Boolean(true));
    }
}
