//! Plays levels against each other, or the same level with another number of play-outs, and prints
//! what each wins: how the table of levels in `docs/PERFORMANCE.md` is made.
//!
//! `cargo run --release -p qiju-go --example gauntlet -- [--games 40] [--size 9] [--pairs 1-2,2-3 …]
//! [--threads 2]`
//!
//! The first two moves are drawn at random, each opening played twice with colours changed; dead
//! stones are as `ai::ending` sees them. Games are played in parallel, each search on one thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use qiju_go::ai::player::{Player, Strength};
use qiju_go::levels::AI_LEVELS;
use qiju_go::rng::Rng;
use qiju_go::rules::{Action, Color, Game, Phase, RuleSet};

/// Who won a game, `None` for a draw.
fn play(size: u8, black: Strength, white: Strength, seed: u64) -> Option<Color> {
    let mut game = Game::new(RuleSet::Chinese.options(size)).expect("valid options");
    let mut opening = Rng::new(seed / 2);
    for _ in 0..2 {
        let inner = u32::from(size) - 4;
        loop {
            let (row, column) = (2 + opening.below(inner), 2 + opening.below(inner));
            let cell = (row * u32::from(size) + column) as u16;
            if game.apply(Action::Place(cell)).is_ok() {
                break;
            }
        }
    }
    let mut seeds = Rng::new(seed ^ 0x5EED);
    while matches!(game.phase(), Phase::Play) && game.move_number() < 1_000 {
        let strength = match game.to_move() {
            Some(Color::Black) => black,
            _ => white,
        };
        let mut player = Player::new(&game, strength, 1, seeds.next_u64()).expect("a running game");
        player.run(Duration::from_secs(3_600), &AtomicBool::new(false));
        game.apply(player.decide()).expect("a legal move");
    }
    if game.phase() == Phase::Counting {
        let lead = game.score().lead();
        return match lead {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        };
    }
    game.winner()
}

/// Wins of `strong` in so many games against `weak`.
fn matches(size: u8, strong: Strength, weak: Strength, games: u64, threads: u64, seed: u64) -> f64 {
    let next = AtomicU64::new(0);
    let wins = Mutex::new(0.0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= games {
                        return;
                    }
                    let strong_is_black = number % 2 == 0;
                    let (black, white) = if strong_is_black {
                        (strong, weak)
                    } else {
                        (weak, strong)
                    };
                    let own = if strong_is_black {
                        Color::Black
                    } else {
                        Color::White
                    };
                    let won = match play(size, black, white, seed + number) {
                        None => 0.5,
                        Some(winner) => f64::from(u8::from(winner == own)),
                    };
                    *wins.lock().expect("no panic in a game") += won;
                }
            });
        }
    });
    wins.into_inner().expect("no panic in a game")
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut games, mut size, mut threads, mut seed) = (40, 9, 2, 1_000);
    let mut pairs: Vec<(usize, usize)> = (1..AI_LEVELS.len()).map(|n| (n, n + 1)).collect();
    while let Some(argument) = arguments.next() {
        let value = arguments.next().expect("a value");
        match argument.as_str() {
            "--games" => games = value.parse().expect("a number of games"),
            "--size" => size = value.parse().expect("a size"),
            "--threads" => threads = value.parse().expect("a number of threads"),
            "--seed" => seed = value.parse().expect("a seed"),
            "--pairs" => {
                let pair = |text: &str| {
                    let (weak, strong) = text.split_once('-').expect("WEAK-STRONG");
                    (
                        weak.parse().expect("a level"),
                        strong.parse().expect("a level"),
                    )
                };
                pairs = value.split(',').map(pair).collect();
            }
            other => panic!("{other}: unknown"),
        }
    }
    println!("{size}x{size}, {games} games a pair, seed {seed}");
    for (weak, strong) in pairs {
        let of = |level: usize| AI_LEVELS[level - 1].strength;
        let won = matches(size, of(strong), of(weak), games, threads, seed);
        println!(
            "level {strong} beats level {weak}: {won} of {games} ({:.0} %)",
            100.0 * won / games as f64
        );
    }
}
