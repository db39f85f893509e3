//! The dead stones of a finished game: what the second pass costs.
//!
//! `cargo bench -p qiju-go --bench ending`. The first ten games of each size in `tests/data/endings`, taken in turn.

use criterion::{Criterion, criterion_group, criterion_main};
use qiju_go::ai::ending::dead_stones;
use qiju_go::board::{Board, Color};
use qiju_go::notation;
use qiju_go::rules::{Game, RuleSet};
use serde::Deserialize;

/// A finished game, as far as it is needed here.
#[derive(Deserialize)]
struct Ending {
    size: u8,
    moves: String,
}

/// The board after the moves of a game; `None` if the file is broken.
fn board(ending: &Ending) -> Option<Board> {
    let mut game = Game::new(RuleSet::Chinese.options(ending.size)).ok()?;
    let moves = ending.moves.split_whitespace();
    for text in moves.filter(|text| *text != "pass") {
        let action = notation::parse_action(text, ending.size).ok()?;
        game.apply(action).ok()?;
    }
    Some(game.position().board().clone())
}

fn endings(criterion: &mut Criterion) {
    let text = include_str!("../tests/data/endings/endings.jsonl");
    let games: Vec<Ending> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let mut group = criterion.benchmark_group("dead stones");
    group.sample_size(20);
    for size in [9, 13, 19] {
        let of_size = games.iter().filter(|game| game.size == size);
        let boards: Vec<Board> = of_size.filter_map(board).take(10).collect();
        assert!(!boards.is_empty(), "no finished game on {size}x{size}");
        let mut turn = boards.iter().cycle();
        group.bench_function(format!("{size}x{size}"), |bencher| {
            bencher.iter(|| {
                let board = turn.next().expect("the boards go round");
                dead_stones(board, Color::Black, 1)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, endings);
criterion_main!(benches);
