//! The end of finished games against GNU Go's word: the score, and which stones are dead.
//!
//! `data/endings/README.md` tells where the games come from, and looks at every one on which the two
//! do not agree.

use qiju_go::board::Color;
use qiju_go::notation;
use qiju_go::rules::{Action, Game, Options, RuleSet};
use serde::Deserialize;

/// A finished game with GNU Go's word on it.
#[derive(Deserialize)]
struct Ending {
    number: u32,
    size: u8,
    komi: f64,
    moves: String,
    score: String,
    dead: String,
}

/// Games whose score GNU Go gives differently; each is explained in `data/endings/README.md`.
const OTHER_SCORES: &[u32] = &[18, 49, 65, 68, 95, 119, 207];

/// Of the first 50 games with dead stones, those in which GNU Go names others.
const OTHER_DEAD: &[u32] = &[18, 49];

fn endings() -> Vec<Ending> {
    let text = include_str!("data/endings/endings.jsonl");
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

/// The game as it stood after two passes.
fn finished(ending: &Ending) -> Game {
    let options = Options {
        komi: (2.0 * ending.komi) as i32,
        ..RuleSet::Chinese.options(ending.size)
    };
    let mut game = Game::new(options).expect("valid options");
    for text in ending.moves.split_whitespace() {
        let action = notation::parse_action(text, ending.size).expect("a move");
        // GNU Go plays by simple ko; what superko forbids is set as it stands.
        if let Err(error) = game.apply(action) {
            panic!("game {}: {text}: {error}", ending.number);
        }
    }
    assert!(game.options().agreement && game.to_move().is_some());
    assert_eq!(
        game.check(Action::Agree),
        Ok(()),
        "two passes open the counting"
    );
    game
}

fn score(game: &Game) -> String {
    let lead = game.score().lead();
    let points = f64::from(lead.abs()) / 2.0;
    let winner = if lead > 0 { "B" } else { "W" };
    format!("{winner}+{points:.1}")
}

/// The names of the dead stones, sorted.
fn dead(game: &Game) -> Vec<String> {
    let size = game.options().size;
    let mut names: Vec<String> = (0_u16..)
        .zip(game.dead())
        .filter(|(_, dead)| **dead)
        .map(|(cell, _)| notation::point_name(cell, size))
        .collect();
    names.sort();
    names
}

fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn scores_are_gnu_go_s_or_explained() {
    let endings = endings();
    assert!(endings.len() >= 200, "{}", endings.len());
    let mut differing = Vec::new();
    for ending in &endings {
        let game = finished(ending);
        if score(&game) != ending.score {
            println!(
                "{}: {} here, {} there",
                ending.number,
                score(&game),
                ending.score
            );
            differing.push(ending.number);
        }
    }
    assert_eq!(differing, OTHER_SCORES);
}

#[test]
fn dead_stones_are_gnu_go_s_in_45_of_50_games() {
    let endings = endings();
    let with_dead = endings.iter().filter(|e| !e.dead.is_empty()).take(50);
    let mut differing = Vec::new();
    let mut count = 0;
    for ending in with_dead {
        count += 1;
        let game = finished(ending);
        if dead(&game) != names(&ending.dead) {
            println!(
                "{}: {:?} here, {:?} there",
                ending.number,
                dead(&game),
                names(&ending.dead)
            );
            differing.push(ending.number);
        }
    }
    assert_eq!(count, 50);
    assert_eq!(differing, OTHER_DEAD);
    assert!(differing.len() <= 5);
}

/// A position of `data/endings/positions.txt`.
struct Known {
    name: String,
    /// One row of cells after another.
    cells: Vec<char>,
}

fn known_positions() -> Vec<Known> {
    let mut positions: Vec<Known> = Vec::new();
    for line in include_str!("data/endings/positions.txt").lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("= ") {
            let (name, cells) = (name.to_owned(), Vec::new());
            positions.push(Known { name, cells });
        } else if !line.is_empty() && !line.starts_with('#') {
            let position = positions.last_mut().expect("a name first");
            position
                .cells
                .extend(line.split_whitespace().flat_map(str::chars));
        }
    }
    positions
}

/// The cell of a square board of the given side that one of the eight symmetries puts on this one.
fn turned(cell: usize, size: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (cell / size, cell % size);
    if symmetry & 1 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 2 != 0 {
        column = size - 1 - column;
    }
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    row * size + column
}

#[test]
fn known_positions_are_judged_rightly_however_they_lie() {
    let mut wrong = Vec::new();
    for known in known_positions() {
        let size = known.cells.len().isqrt();
        assert_eq!(size * size, known.cells.len(), "{}", known.name);
        for (symmetry, swapped) in (0..8).flat_map(|s| [(s, false), (s, true)]) {
            let options = RuleSet::Chinese.options(size as u8);
            let mut game = Game::new(options).expect("valid options");
            let mut expected = vec![false; size * size];
            for (cell, wanted) in expected.iter_mut().enumerate() {
                let symbol = known.cells[turned(cell, size, symmetry)];
                let color = match symbol.to_ascii_lowercase() {
                    'x' if swapped => Color::White,
                    'x' => Color::Black,
                    'o' if swapped => Color::Black,
                    'o' => Color::White,
                    _ => continue,
                };
                let action = Action::Setup(cell as u16, Some(color));
                game.apply(action).expect("a stone with a liberty");
                *wanted = symbol.is_lowercase();
            }
            if game.proposal() != expected {
                wrong.push(format!(
                    "{}, symmetry {symmetry}, colours swapped: {swapped}",
                    known.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
