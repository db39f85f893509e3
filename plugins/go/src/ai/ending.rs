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
const FIRST_PLAYOUTS: u32 = 300;

/// Play-outs of each of the two searches.
const SEARCH_PLAYOUTS: u64 = 1_200;

/// A group is dead when the other side owns its points by more than this, from 0 to 1; found on finished games
/// (`tests/data/endings`).
const DEAD: f32 = 0.25;

/// A search ends by its play-outs, not by time.
const NO_LIMIT: Duration = Duration::from_secs(3_600);

/// Whose each cell is at the end of random play, 1.0 black to -1.0 white, and black's mean lead in
/// points without komi: over play-outs, half of them begun by each side.
fn random_play(board: &Board, to_move: Color, playouts: u32, rng: &mut Rng) -> (Vec<f32>, f32) {
    let mut evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
    let mut scratch = board.clone();
    let mut result = Evaluation::new();
    let mut sums = vec![0_i32; usize::from(board.area())];
    let mut lead = 0;
    for number in 0..playouts {
        scratch.copy_from(board);
        result.moves.clear();
        let first = if number % 2 == 0 { to_move } else { !to_move };
        evaluator.evaluate(&mut scratch, first, Point::PASS, rng, &mut result);
        lead += result.score;
        for (point, sum) in board.points().zip(&mut sums) {
            *sum += i32::from(result.owner[point]);
        }
    }
    let playouts = playouts.max(1) as f32;
    let owners = sums.into_iter().map(|sum| sum as f32 / playouts);
    (owners.collect(), lead as f32 / playouts)
}

/// Whose each cell will be, 1.0 black to -1.0 white.
pub fn ownership(board: &Board, to_move: Color, seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    let (_, lead) = random_play(board, to_move, FIRST_PLAYOUTS, &mut rng);
    let mut owners = vec![0.0; usize::from(board.area())];
    for first in [to_move, !to_move] {
        let problem = Problem {
            board: board.clone(),
            to_move: first,
            last: [Point::PASS; 2],
            passed: false,
            ko_rule: KoRule::Simple,
            repetition_keys: Vec::new(),
            // An odd number of half points leaves no draw.
            white_bonus: 2 * lead.round() as i32 + 1,
            scoring: Scoring::Area,
            agreement: true,
        };
        let evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
        let limits = Limits {
            playouts: SEARCH_PLAYOUTS,
            nodes: DEFAULT_NODES,
            stops_early: false,
        };
        let mut search = Search::new(problem, vec![Box::new(evaluator)], rng.next_u64(), limits);
        search.run(NO_LIMIT, &AtomicBool::new(false));
        for (sum, owner) in owners.iter_mut().zip(search.ownership()) {
            *sum += owner / 2.0;
        }
    }
    owners
}

/// Which stones are dead, per cell; whole groups. It follows from the position and the seed.
pub fn dead_stones(board: &Board, to_move: Color, seed: u64) -> Vec<bool> {
    let owners = ownership(board, to_move, seed);
    let mean = |stone: Point| {
        let cells = board.group(stone).map(|p| usize::from(board.cell(p)));
        let sum: f32 = cells.filter_map(|cell| owners.get(cell)).sum();
        sum / f32::from(board.group_size(stone).max(1))
    };
    let is_dead = |point: Point| match board.stone(point) {
        Some(Color::Black) => mean(point) < -DEAD,
        Some(Color::White) => mean(point) > DEAD,
        None => false,
    };
    board.points().map(is_dead).collect()
}
