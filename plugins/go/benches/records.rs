//! A large SGF file: 20,000 moves on 19×19, each with a comment, 2 MB.
//!
//! `cargo bench -p qiju-go --bench records`. `variations` is a book: a hundred lines of two hundred moves, each a variation
//! of the first move. `one line` is a single game of 20,000 moves, in which stones are taken all the time. An element of the throughput is
//! a byte of the file; `read` is from the bytes to the record, every move checked by the rules, `write` the way back.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use qiju_go::rng::Rng;
use qiju_go::rules::{Action, Game, RuleSet};
use qiju_go::sgf::{record, values};

const SIZE: u8 = 19;

/// So long that 20,000 of them make 2 MB; with a bracket to be escaped.
const COMMENT: &str =
    "If white cuts here, the ladder runs to the corner and black takes the two stones [A].";

/// How often a move at random is sought before the player passes.
const TRIES: u32 = 4000;

/// Moves at random that the rules allow, as nodes of SGF; a pass where there is hardly one.
fn line(moves: u32, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = String::new();
    let Ok(mut game) = Game::new(RuleSet::Chinese.options(SIZE)) else {
        return text;
    };
    let comment = values::escape(COMMENT);
    while game.move_number() < moves {
        let color = if game.move_number() % 2 == 0 {
            'B'
        } else {
            'W'
        };
        let place = (0..TRIES).find_map(|_| {
            let cell = rng.below(u32::from(SIZE) * u32::from(SIZE)) as u16;
            game.apply(Action::Place(cell)).ok().map(|_| cell)
        });
        let point = match place {
            Some(cell) => values::point_text(cell, SIZE),
            None if game.apply(Action::Pass).is_ok() => String::new(),
            None => break,
        };
        text.push_str(&format!(";{color}[{point}]C[{comment}]\n"));
    }
    text
}

/// A file around `moves`.
fn file(moves: &str) -> String {
    format!("(;GM[1]FF[4]CA[UTF-8]SZ[{SIZE}]KM[7.5]RU[Chinese]\n{moves})")
}

fn records(criterion: &mut Criterion) {
    let book: String = (1..=100)
        .map(|seed| format!("({})\n", line(200, seed)))
        .collect();
    let mut group = criterion.benchmark_group("records");
    group.sample_size(10);
    for (name, moves) in [("variations", book), ("one line", line(20_000, 1))] {
        let bytes = file(&moves).into_bytes();
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("read, {name}"), |bencher| {
            bencher.iter(|| record::read(&bytes).expect("a record without a fault"));
        });
        let neutral = record::read(&bytes).expect("a record without a fault");
        group.bench_function(format!("write, {name}"), |bencher| {
            bencher.iter(|| record::write(&neutral).expect("a file"));
        });
    }
    group.finish();
}

criterion_group!(benches, records);
criterion_main!(benches);
