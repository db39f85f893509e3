//! Play-outs from the empty board.
//!
//! `cargo bench -p qiju-go`. An element of the throughput is one whole play-out, scored:
//! `uniform` plays uniformly random legal moves that fill no own eye; `policy` is what the search
//! plays; both on one thread. `search` is a play-out together with its part of the tree, 4,000 of them from
//! the empty board, on one thread and on two: each adds at most one position to the tree, so these are
//! the nodes per second of other programs.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use qiju_go::ai::player::{Player, Strength};
use qiju_go::ai::playout::{Policy, uniform};
use qiju_go::board::{Board, Color, Point};
use qiju_go::rng::Rng;
use qiju_go::rules::{Game, Options};

const SIZES: [u8; 3] = [9, 13, 19];

fn uniform_playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("uniform");
    group.throughput(Throughput::Elements(1));
    for size in SIZES {
        group.bench_function(format!("{size}x{size}"), |bencher| {
            let empty = Board::new(size);
            let mut board = Board::new(size);
            let mut rng = Rng::new(1);
            bencher.iter(|| {
                board.copy_from(&empty);
                uniform(&mut board, Color::Black, &mut rng)
            });
        });
    }
    group.finish();
}

fn policy_playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("policy");
    group.throughput(Throughput::Elements(1));
    for size in SIZES {
        group.bench_function(format!("{size}x{size}"), |bencher| {
            let empty = Board::new(size);
            let mut board = Board::new(size);
            let mut rng = Rng::new(1);
            let mut moves = Vec::new();
            bencher.iter(|| {
                board.copy_from(&empty);
                moves.clear();
                let policy = Policy::STANDARD;
                policy.run(&mut board, Color::Black, Point::PASS, &mut rng, &mut moves)
            });
        });
    }
    group.finish();
}

fn searches(criterion: &mut Criterion) {
    const PLAYOUTS: u64 = 4_000;
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(PLAYOUTS));
    let strength = Strength {
        playouts: PLAYOUTS,
        slip: 0.0,
        resigns: false,
        stops_early: false,
    };
    for size in SIZES {
        let options = Options {
            size,
            ..Options::default()
        };
        let Some(game) = Game::new(options).ok() else {
            continue;
        };
        for threads in [1, 2] {
            group.bench_function(format!("{size}x{size}, threads: {threads}"), |bencher| {
                bencher.iter_batched_ref(
                    || Player::new(&game, strength, threads, 1),
                    |player| {
                        let hour = Duration::from_secs(3_600);
                        player
                            .as_mut()
                            .map(|p| p.run(hour, &AtomicBool::new(false)))
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, uniform_playouts, policy_playouts, searches);
criterion_main!(benches);
