//! Renju's forbidden points against positions from three public suites, where these are at hand.

use std::fs;
use std::path::Path;

use qiju_gomoku::color::Color;
use qiju_gomoku::lines::Lines;
use qiju_gomoku::renju::{Forbidden, forbidden};
use serde_json::Value;

/// What a row says of a point: allowed, forbidden, or forbidden for a reason.
fn agrees(said: &Value, found: Option<Forbidden>) -> bool {
    let name = found.map(|why| match why {
        Forbidden::Overline => "overline",
        Forbidden::DoubleFour => "double-four",
        Forbidden::DoubleThree => "double-three",
    });
    match said {
        Value::Bool(is_forbidden) => *is_forbidden == found.is_some(),
        said => said.as_str() == name,
    }
}

fn board(row: &Value) -> Lines {
    let mut lines = Lines::new(15);
    let rows = row["board"].as_array().expect("a board");
    let stones = rows
        .iter()
        .flat_map(|row| row.as_str().expect("a row of text").chars());
    for (cell, stone) in (0..).zip(stones) {
        match stone {
            'X' => lines.toggle(cell, Color::Black),
            'O' => lines.toggle(cell, Color::White),
            _ => {}
        }
    }
    lines
}

#[test]
fn every_row_of_the_public_suites() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/gomoku/renju_forbidden.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("SKIPPED: {} is not here", path.display());
        return;
    };
    let mut points = 0;
    for row in text.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let lines = board(&row);
        let said: Vec<(u16, &Value)> = row["points"]
            .as_array()
            .expect("points")
            .iter()
            .map(|point| {
                let number = |index: usize| point[index].as_u64().expect("a number") as u16;
                (number(1) * 15 + number(0), &point[2])
            })
            .collect();
        for cell in (0..lines.area()).filter(|&cell| lines.stone(cell).is_none()) {
            let found = forbidden(&lines, cell);
            let at = format!("{}: column {}, row {}", row["name"], cell % 15, cell / 15);
            match said.iter().find(|(point, _)| *point == cell) {
                Some((_, said)) => {
                    points += 1;
                    assert!(agrees(said, found), "{at}: {said} there, {found:?} here");
                }
                None if row["full"] == true => assert_eq!(found, None, "{at}"),
                None => {}
            }
        }
    }
    assert!(points >= 108, "only {points} points");
}
