//! Compares legal points, reasons and area with `legality.jsonl`, a list of positions on which
//! three independent implementations agree.
//!
//! The file is not part of the project; where it is absent the test says so and ends.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use qiju_go::rules::{Color, Illegal, KoRule, Position};
use serde::Deserialize;

#[path = "support/coordinates.rs"]
mod coordinates;
#[path = "support/drawing.rs"]
mod drawing;

use coordinates::parse_point;
use drawing::{draw, point_name, stones};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/data/go/legality.jsonl"
);

/// A position given by its moves from the empty board.
#[derive(Deserialize)]
struct Row {
    size: u8,
    ko: String,
    suicide: bool,
    moves: Vec<(String, String)>,
    to_move: String,
    legal: Vec<String>,
    illegal_empty: BTreeMap<String, String>,
    area_black: u32,
    area_white: u32,
}

fn color(letter: &str) -> Result<Color, String> {
    match letter {
        "b" => Ok(Color::Black),
        "w" => Ok(Color::White),
        _ => Err(format!("\"{letter}\" is no colour")),
    }
}

fn ko_rule(name: &str) -> Result<KoRule, String> {
    match name {
        "simple" => Ok(KoRule::Simple),
        "positional" => Ok(KoRule::PositionalSuperko),
        "situational" => Ok(KoRule::SituationalSuperko),
        _ => Err(format!("\"{name}\" is no ko rule")),
    }
}

fn reason_name(reason: Illegal) -> String {
    match reason {
        Illegal::Suicide => "suicide".to_owned(),
        Illegal::Ko => "ko".to_owned(),
        Illegal::Superko => "superko".to_owned(),
        other => format!("{other:?}"),
    }
}

/// The position after the moves of a row.
fn replay(row: &Row) -> Result<Position, String> {
    let mut position = Position::new(row.size, ko_rule(&row.ko)?, row.suicide)
        .map_err(|error| error.to_string())?;
    for (number, (letter, text)) in row.moves.iter().enumerate() {
        let at = |cause: String| format!("move {}, {letter} {text}: {cause}", number + 1);
        if position.to_move() != color(letter)? {
            return Err(at("the other side is to move".to_owned()));
        }
        if text == "pass" {
            position.pass();
        } else {
            let cell = parse_point(text, row.size).ok_or_else(|| at("no such point".to_owned()))?;
            position.play(cell).map_err(|error| at(error.to_string()))?;
        }
    }
    Ok(position)
}

/// Compares one row with our rules.
fn check(row: &Row) -> Result<(), String> {
    let position = replay(row)?;
    if position.to_move() != color(&row.to_move)? {
        return Err(format!("{} should be to move", row.to_move));
    }
    let mut legal = Vec::new();
    let mut illegal = BTreeMap::new();
    for (cell, stone) in (0..).zip(stones(&position)) {
        let name = point_name(cell, row.size);
        match (position.check(cell), stone) {
            (Ok(()), _) => legal.push(name),
            (Err(Illegal::Occupied), Some(_)) => {}
            (Err(reason), _) => {
                illegal.insert(name, reason_name(reason));
            }
        }
    }
    let mut expected = row.legal.clone();
    expected.sort();
    legal.sort();
    let area = (row.area_black, row.area_white);
    let board = draw(&stones(&position), row.size);
    if legal != expected {
        return Err(format!("legal {legal:?}, expected {expected:?}\n{board}"));
    }
    if illegal != row.illegal_empty {
        return Err(format!(
            "illegal {illegal:?}, expected {:?}\n{board}",
            row.illegal_empty
        ));
    }
    if position.area() != area {
        return Err(format!(
            "area {:?}, expected {area:?}\n{board}",
            position.area()
        ));
    }
    Ok(())
}

#[test]
fn legal_points_reasons_and_area_agree() {
    let text = match fs::read_to_string(FILE) {
        Ok(text) => text,
        Err(error) => {
            // Straight to the terminal: the test runner would swallow what `eprintln!` says.
            let mut terminal = std::io::stderr();
            writeln!(
                terminal,
                "SKIPPED: {FILE}: {error}; legality was not compared"
            )
            .expect("standard error can be written");
            return;
        }
    };
    let mut rows = 0;
    let mut failures = Vec::new();
    for (index, line) in text.lines().enumerate() {
        rows += 1;
        let row: Result<Row, _> = serde_json::from_str(line);
        let outcome = row
            .map_err(|error| error.to_string())
            .and_then(|row| check(&row));
        if let Err(cause) = outcome {
            failures.push(format!("line {}: {cause}", index + 1));
        }
    }
    assert!(rows > 0, "{FILE} is empty");
    assert!(
        failures.is_empty(),
        "{} of {rows} rows differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
