//! The end of a game: which stones are dead, and whose the points are.

use crate::ai::evaluator::{Evaluation, Evaluator, PlayoutEvaluator};
use crate::ai::playout::Policy;
use crate::board::{Board, Color, Point};
use crate::rng::Rng;

/// Play-outs behind [`dead_stones`].
const PLAYOUTS: u32 = 2_000;

/// Whose each cell will be, 1.0 black to -1.0 white: the mean over play-outs, half of them begun by
/// each side.
pub fn ownership(board: &Board, to_move: Color, playouts: u32, seed: u64) -> Vec<f32> {
    let mut evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
    let mut rng = Rng::new(seed);
    let mut scratch = board.clone();
    let mut result = Evaluation::new();
    let mut sums = vec![0_i32; usize::from(board.area())];
    for number in 0..playouts {
        scratch.copy_from(board);
        result.moves.clear();
        let first = if number % 2 == 0 { to_move } else { !to_move };
        evaluator.evaluate(&mut scratch, first, Point::PASS, &mut rng, &mut result);
        for (point, sum) in board.points().zip(&mut sums) {
            *sum += i32::from(result.owner[point]);
        }
    }
    let playouts = playouts.max(1) as f32;
    sums.into_iter().map(|sum| sum as f32 / playouts).collect()
}

/// Which stones are dead, per cell; whole groups.
pub fn dead_stones(board: &Board, to_move: Color, seed: u64) -> Vec<bool> {
    let owners = ownership(board, to_move, PLAYOUTS, seed);
    let mean = |root: Point| {
        let sum: f32 = board
            .group(root)
            .filter_map(|p| owners.get(usize::from(board.cell(p))))
            .sum();
        sum / f32::from(board.group_size(root))
    };
    let is_dead = |point: Point| match board.stone(point) {
        Some(Color::Black) => mean(point) < -0.5,
        Some(Color::White) => mean(point) > 0.5,
        None => false,
    };
    board.points().map(is_dead).collect()
}
