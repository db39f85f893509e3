//! `progress.toml`: what the player has reached, per game.

use std::collections::BTreeMap;

use serde::Serialize;

use super::document::{Fields, Section};

/// What was played of one game: `[games.<id>.statistics]`. All counts begin at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// Games finished.
    pub played: u32,
    /// Of these, won.
    pub won: u32,
    /// Of these, drawn.
    pub drawn: u32,
    /// Of these, lost.
    pub lost: u32,
    /// Best points of a game, if the game counts points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<i64>,
    /// Seconds spent at the board.
    pub seconds: u32,
}

/// One level of a ladder: `[games.<id>.levels.<level>]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LevelProgress {
    /// Whether it was passed, ever.
    pub passed: bool,
    /// Most stars so far, 0 to [`LevelProgress::STARS_MAX`].
    pub stars: u8,
    /// Most points so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<i64>,
    /// How often it was begun.
    pub tries: u32,
}

impl LevelProgress {
    /// The most stars that a level gives.
    pub const STARS_MAX: u8 = 3;
}

/// What was reached in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameProgress {
    /// Over all games.
    pub statistics: Statistics,
    /// By the level's key: its number, or the name by which the game tells it from others.
    pub levels: BTreeMap<String, LevelProgress>,
}

/// Everything in `progress.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Progress {
    /// By id of the game.
    pub(super) games: BTreeMap<String, GameProgress>,
}

impl Section for Progress {
    fn decode(fields: &Fields) -> Self {
        let games = fields.table("games");
        Self {
            games: games
                .tables()
                .map(|(id, game)| (id.to_owned(), decode_game(&game)))
                .collect(),
        }
    }
}

fn decode_game(game: &Fields) -> GameProgress {
    let statistics = game.table("statistics");
    GameProgress {
        statistics: Statistics {
            played: statistics.get("played", 0, |_| true),
            won: statistics.get("won", 0, |_| true),
            drawn: statistics.get("drawn", 0, |_| true),
            lost: statistics.get("lost", 0, |_| true),
            best: statistics.get("best", None, |_| true),
            seconds: statistics.get("seconds", 0, |_| true),
        },
        levels: game
            .table("levels")
            .tables()
            .map(|(key, level)| (key.to_owned(), decode_level(&level)))
            .collect(),
    }
}

fn decode_level(level: &Fields) -> LevelProgress {
    LevelProgress {
        passed: level.get("passed", false, |_| true),
        stars: level.get("stars", 0, |stars| *stars <= LevelProgress::STARS_MAX),
        best: level.get("best", None, |_| true),
        tries: level.get("tries", 0, |_| true),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::document::Document;
    use super::super::notice::{Notice, Notices};
    use super::*;

    #[test]
    fn what_is_written_is_read_again_beside_what_we_do_not_know() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("progress.toml");
        fs::write(
            &path,
            "[games.a.daily]\nlast = 2026-11-03\n[games.a.levels.7]\nhint = 1\n",
        )
        .unwrap();
        let notices = Notices::default();
        let mut document = Document::<Progress>::load(path.clone(), true, &notices);
        let mut progress = document.value().clone();
        let game = progress.games.entry("a".to_owned()).or_default();
        game.statistics = Statistics {
            played: 3,
            won: 1,
            drawn: 1,
            lost: 1,
            best: Some(-4),
            seconds: 90,
        };
        game.levels.insert(
            "7".to_owned(),
            LevelProgress {
                passed: true,
                stars: 3,
                best: Some(12),
                tries: 2,
            },
        );
        fs::write(&path, document.set(progress.clone()).unwrap()).unwrap();

        let document = Document::<Progress>::load(path.clone(), true, &notices);
        assert_eq!(*document.value(), progress);
        assert_eq!(notices.take(), []);
        let raw: toml::Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(raw["games"]["a"]["daily"]["last"].to_string(), "2026-11-03");
        assert_eq!(
            raw["games"]["a"]["levels"]["7"]["hint"].as_integer(),
            Some(1)
        );
    }

    #[test]
    fn values_out_of_range_are_named_and_the_rest_counts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("progress.toml");
        fs::write(&path, "[games.a.statistics]\nplayed = -1\nwon = 2\n[games.a.levels.1]\nstars = 4\npassed = true\n").unwrap();
        let notices = Notices::default();
        let document = Document::<Progress>::load(path, true, &notices);
        let game = &document.value().games["a"];
        assert_eq!(
            game.statistics,
            Statistics {
                won: 2,
                ..Statistics::default()
            }
        );
        assert_eq!(
            game.levels["1"],
            LevelProgress {
                passed: true,
                ..LevelProgress::default()
            }
        );
        let lines: Vec<String> = notices.take().iter().map(Notice::to_string).collect();
        assert!(
            lines[0].contains("games.a.statistics.played = -1"),
            "{lines:?}"
        );
        assert!(lines[1].contains("games.a.levels.1.stars = 4"), "{lines:?}");
    }
}
