//! Plays strengths of the computer player against each other and prints what each wins: how the table
//! of levels in `docs/PERFORMANCE.md` is made.
//!
//! `cargo run --release -p qiju-go --example gauntlet -- [--games 40] [--size 9] [--threads 2]
//! [--seed 1000] [--pairs 1-2,2-3 …]`
//!
//! A pair is two strengths with a hyphen between: a level of the app (`7`), or play-outs and the chance
//! of a slip (`700:0`, `80:0.4`), or a model of somebody who learned the rules yesterday: `novice`, or `attentive`, who
//! overlooks no stone in atari.
//!
//! The first two moves are drawn at random, each opening played twice with colours changed; dead
//! stones are as `ai::ending` sees them. Games are played in parallel, each search on one thread.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use qiju_go::ai::player::{Player, Strength};
use qiju_go::ai::tactics;
use qiju_go::board::Point;
use qiju_go::levels::AI_LEVELS;
use qiju_go::rng::Rng;
use qiju_go::rules::{Action, Color, Game, Phase, RuleSet};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Who plays.
#[derive(Clone, Copy)]
enum Side {
    Computer(Strength),
    Novice(Novice),
}

impl Side {
    fn parse(text: &str) -> Result<Side, AnyError> {
        match text {
            "novice" => return Ok(Side::Novice(Novice::CARELESS)),
            "attentive" => return Ok(Side::Novice(Novice::ATTENTIVE)),
            _ => {}
        }
        if let Some((playouts, slip)) = text.split_once(':') {
            return Ok(Side::Computer(Strength {
                playouts: playouts.parse()?,
                slip: slip.parse()?,
                resigns: true,
                stops_early: true,
            }));
        }
        let level: usize = text.parse()?;
        let found = level.checked_sub(1).and_then(|i| AI_LEVELS.get(i));
        let level = found.ok_or_else(|| format!("level {level}: there are 1 to 10"))?;
        Ok(Side::Computer(level.strength))
    }

    fn choose(self, game: &Game, rng: &mut Rng) -> Result<Action, AnyError> {
        match self {
            Side::Novice(novice) => Ok(novice.choose(game, rng)),
            Side::Computer(strength) => {
                let player = Player::new(game, strength, 1, rng.next_u64());
                let mut player = player.ok_or("the game is over")?;
                player.run(Duration::from_secs(3_600), &AtomicBool::new(false));
                Ok(player.decide())
            }
        }
    }
}

/// Somebody who learned the rules yesterday: takes stones when he sees that he can, saves his own from
/// atari, puts stones in atari, answers beside the last move, and else plays somewhere beside stones; not into
/// atari, not into an own eye. The chances, 0–1, are of seeing such a move, or of wanting it.
#[derive(Clone, Copy)]
struct Novice {
    captures: f32,
    rescues: f32,
    attacks: f32,
    answers: f32,
}

impl Novice {
    const CARELESS: Novice = Novice {
        captures: 0.8,
        rescues: 0.5,
        attacks: 0.0,
        answers: 0.5,
    };

    const ATTENTIVE: Novice = Novice {
        captures: 1.0,
        rescues: 1.0,
        attacks: 0.5,
        answers: 0.5,
    };

    fn choose(self, game: &Game, rng: &mut Rng) -> Action {
        let board = game.position().board();
        let Some(color) = game.to_move() else {
            return Action::Pass;
        };
        if game.pass_ends_play() && game.move_number() > 40 {
            return Action::Pass;
        }
        let place = |point| Action::Place(board.cell(point));
        let last = game.last()[0].and_then(|action| match action {
            Action::Place(cell) => board.point(cell),
            _ => None,
        });
        // What he may see, in this order.
        let mut seen: [(f32, Vec<Point>); 5] =
            [self.captures, self.rescues, self.attacks, self.answers, 1.0].map(|c| (c, Vec::new()));
        for &point in board.empties() {
            if game.check(place(point)).is_err() || board.is_eye(point, color) {
                continue;
            }
            if tactics::captures(board, point, color) > 0 {
                seen[0].1.push(point);
            }
            if tactics::is_self_atari(board, point, color) {
                continue;
            }
            let beside = board.neighbors(point);
            let mut liberties = [Point::PASS; 8];
            let is_near = |of: Point| beside.contains(&of) || board.diagonals(point).contains(&of);
            for n in beside {
                match board.stone(n) {
                    Some(c) if c == color && board.atari(n) == Some(point) => seen[1].1.push(point),
                    Some(c) if c != color && board.some_liberties(n, &mut liberties, 3) == 2 => {
                        seen[2].1.push(point);
                    }
                    _ => {}
                }
            }
            if last.is_some_and(is_near) {
                seen[3].1.push(point);
            }
            if board
                .points()
                .any(|p| board.stone(p).is_some() && is_near(p))
            {
                seen[4].1.push(point);
            }
        }
        seen.iter()
            .filter(|(_, points)| !points.is_empty())
            .find(|(chance, _)| rng.unit() < *chance)
            .and_then(|(_, points)| points.get(rng.below(points.len() as u32) as usize))
            .map_or(Action::Pass, |&point| place(point))
    }
}

/// Who won a game, `None` for a draw.
fn play(size: u8, sides: [Side; 2], seed: u64) -> Result<Option<Color>, AnyError> {
    let mut game = Game::new(RuleSet::Chinese.options(size))?;
    let mut opening = Rng::new(seed / 2);
    let inner = u32::from(size).saturating_sub(4).max(1);
    while game.move_number() < 2 {
        let (row, column) = (2 + opening.below(inner), 2 + opening.below(inner));
        let cell = (row * u32::from(size) + column) as u16;
        // A point that is taken is drawn again.
        let _taken = game.apply(Action::Place(cell));
    }
    let mut rng = Rng::new(seed ^ 0x5EED);
    while matches!(game.phase(), Phase::Play) && game.move_number() < 1_000 {
        let side = match game.to_move() {
            Some(Color::White) => sides[1],
            _ => sides[0],
        };
        game.apply(side.choose(&game, &mut rng)?)?;
    }
    if game.phase() == Phase::Counting {
        return Ok(match game.score().lead() {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        });
    }
    Ok(game.winner())
}

/// How a match is played.
#[derive(Clone, Copy)]
struct Setting {
    games: u64,
    size: u8,
    threads: u64,
    seed: u64,
}

/// Games that `strong` won against `weak`, a draw counting as half.
fn play_match(setting: Setting, strong: Side, weak: Side) -> Result<f64, AnyError> {
    let next = AtomicU64::new(0);
    let wins = Mutex::new(Ok(0.0));
    std::thread::scope(|scope| {
        for _ in 0..setting.threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= setting.games {
                        return;
                    }
                    let (own, sides) = match number % 2 {
                        0 => (Color::Black, [strong, weak]),
                        _ => (Color::White, [weak, strong]),
                    };
                    let won = play(setting.size, sides, setting.seed + number).map(|winner| {
                        winner.map_or(0.5, |winner| f64::from(u8::from(winner == own)))
                    });
                    let mut sum = wins.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    match (won, sum.as_mut()) {
                        (Ok(won), Ok(sum)) => *sum += won,
                        (Err(error), Ok(_)) => *sum = Err(error),
                        (_, Err(_)) => return,
                    }
                }
            });
        }
    });
    wins.into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn run(mut parser: lexopt::Parser) -> Result<(), AnyError> {
    use lexopt::prelude::{Long, ValueExt};
    let mut setting = Setting {
        games: 40,
        size: 9,
        threads: 2,
        seed: 1_000,
    };
    let mut pairs: Vec<String> = (1..AI_LEVELS.len())
        .map(|level| format!("{level}-{}", level + 1))
        .collect();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("games") => setting.games = parser.value()?.parse()?,
            Long("size") => setting.size = parser.value()?.parse()?,
            Long("threads") => setting.threads = parser.value()?.parse()?,
            Long("seed") => setting.seed = parser.value()?.parse()?,
            Long("pairs") => {
                let text: String = parser.value()?.parse()?;
                pairs = text.split(',').map(str::to_owned).collect();
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    let Setting {
        games, size, seed, ..
    } = setting;
    println!("{size}x{size}, {games} games a pair, seed {seed}");
    for pair in pairs {
        let (weak, strong) = pair.split_once('-').ok_or("a pair is WEAK-STRONG")?;
        let start = Instant::now();
        let won = play_match(setting, Side::parse(strong)?, Side::parse(weak)?)?;
        println!(
            "{strong} beats {weak}: {won} of {games} ({:.0} %), {:.0} s",
            100.0 * won / games.max(1) as f64,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(lexopt::Parser::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gauntlet: {error}");
            ExitCode::from(2)
        }
    }
}
