//! The end of a game: which stones are dead, and whose the points are.
//!
//! Plain play-outs judge life and death badly where it hangs on one move: half of them miss it. So two
//! small tree searches look at the position, one with each side to move first, and the owner of each
//! point is the mean over what both of them played. A group that dies whoever moves first is owned by the other side
//! then; one that lives if its owner moves first, or that stands in seki, is not.
//!
//! A search looks for a won game, so in a game that is long decided it would not care for a group more
//! or less. Each search is therefore given the komi that makes the game even.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::evaluator::{Evaluation, Evaluator, PlayoutEvaluator};
use crate::ai::playout::Policy;
use crate::ai::search::{DEFAULT_NODES, Limits, Problem, Search};
use crate::board::{Board, Color, Point};
use crate::position::KoRule;
use crate::rng::Rng;
use crate::score::Scoring;

/// Play-outs that find the komi which makes the game even.
const FIRST_PLAYOUTS: u32 = if cfg!(fuzzing) { 3 } else { 300 };

/// Play-outs of each of the two searches. A fuzz target, built fifty times as slow, wants files that are read and written, not
/// good proposals.
const SEARCH_PLAYOUTS: u64 = if cfg!(fuzzing) { 12 } else { 1_200 };

/// A group is dead when the other side owns its points by more than this, from 0 to 1; found on finished games
/// (`tests/data/endings`).
const DEAD: f32 = 0.25;

/// And neither search may leave the group to its owner by more than this, or it hangs on whose turn it is.
const DEAD_WHOEVER_MOVES: f32 = 0.0;

/// A search ends by its play-outs, not by time.
const NO_LIMIT: Duration = Duration::from_secs(3_600);

/// Black's mean lead in points without komi over play-outs, half of them begun by each side.
fn mean_lead(board: &Board, to_move: Color, playouts: u32, rng: &mut Rng) -> f32 {
    let mut evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
    let mut scratch = board.clone();
    let mut result = Evaluation::new();
    let mut lead = 0;
    for number in 0..playouts {
        scratch.copy_from(board);
        result.moves.clear();
        let first = if number % 2 == 0 { to_move } else { !to_move };
        evaluator.evaluate(&mut scratch, first, Point::PASS, rng, &mut result);
        lead += result.score;
    }
    lead as f32 / playouts.max(1) as f32
}

/// Whose each cell will be, 1.0 black to -1.0 white, if `first` goes on from here and `bonus` half points are white's.
fn outlook(board: &Board, first: Color, bonus: i32, seed: u64) -> Vec<f32> {
    let problem = Problem {
        board: board.clone(),
        to_move: first,
        last: [Point::PASS; 2],
        passed: false,
        ko_rule: KoRule::Simple,
        repetition_keys: Vec::new(),
        white_bonus: bonus,
        scoring: Scoring::Area,
        agreement: true,
    };
    let evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
    let limits = Limits {
        playouts: SEARCH_PLAYOUTS,
        nodes: DEFAULT_NODES,
        stops_early: false,
    };
    let mut search = Search::new(problem, vec![Box::new(evaluator)], seed, limits);
    search.run(NO_LIMIT, &AtomicBool::new(false));
    search.ownership()
}

/// Whose each cell will be: once if `to_move` goes on, once if the other side does. The two are searched at the
/// same time where there are cores for it; neither sees the other, so the result is the same.
fn outlooks(board: &Board, to_move: Color, seed: u64) -> [Vec<f32>; 2] {
    let mut rng = Rng::new(seed);
    let lead = mean_lead(board, to_move, FIRST_PLAYOUTS, &mut rng);
    // An odd number of half points leaves no draw.
    let bonus = 2 * lead.round() as i32 + 1;
    let seeds = [rng.next_u64(), rng.next_u64()];
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new()
            .spawn_scoped(scope, || outlook(board, !to_move, bonus, seeds[1]));
        let one = outlook(board, to_move, bonus, seeds[0]);
        let other = other.ok().and_then(|thread| thread.join().ok());
        // A system that gives no thread.
        let other = other.unwrap_or_else(|| outlook(board, !to_move, bonus, seeds[1]));
        [one, other]
    })
}

/// Whose each cell will be, 1.0 black to -1.0 white.
pub fn ownership(board: &Board, to_move: Color, seed: u64) -> Vec<f32> {
    let [one, other] = outlooks(board, to_move, seed);
    let pairs = one.into_iter().zip(other);
    pairs.map(|(a, b)| (a + b) / 2.0).collect()
}

/// Which stones are dead, per cell; whole groups. It follows from the position and the seed.
pub fn dead_stones(board: &Board, to_move: Color, seed: u64) -> Vec<bool> {
    let outlooks = outlooks(board, to_move, seed);
    // How far a group's points are the other side's in each search, 1.0 wholly to -1.0 not at all.
    let lost = |stone: Point, color: Color| {
        let sign = match color {
            Color::Black => -1.0,
            Color::White => 1.0,
        };
        outlooks.each_ref().map(|owners| {
            let cells = board.group(stone).map(|p| usize::from(board.cell(p)));
            let sum: f32 = cells.filter_map(|cell| owners.get(cell)).sum();
            sign * sum / f32::from(board.group_size(stone).max(1))
        })
    };
    let is_dead = |point: Point| {
        board.stone(point).is_some_and(|color| {
            let [one, other] = lost(point, color);
            (one + other) / 2.0 > DEAD && one.min(other) > DEAD_WHOEVER_MOVES
        })
    };
    board.points().map(is_dead).collect()
}
