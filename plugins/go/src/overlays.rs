//! What learners can have drawn over the board. One value per cell; cells that are not written
//! show nothing.

use crate::ai::evaluator::{Evaluation, Evaluator, PlayoutEvaluator};
use crate::ai::playout::Policy;
use crate::board::{Board, Color, Point};
use crate::rng::Rng;
use crate::rules::{Action, End, Game, Phase};

/// Play-outs behind [`territory`].
const TERRITORY_PLAYOUTS: i32 = 200;

/// Writes `value(point)` on every cell that has one.
fn fill(board: &Board, values: &mut [i32], value: impl Fn(Point) -> Option<i32>) {
    for (point, slot) in board.points().zip(values) {
        if let Some(value) = value(point) {
            *slot = value;
        }
    }
}

/// On every stone, how many liberties its group has.
pub fn liberties(game: &Game, values: &mut [i32]) {
    let board = game.position().board();
    fill(board, values, |point| {
        board.stone(point)?;
        i32::try_from(board.liberties(point)).ok()
    });
}

/// On every stone the number of its group, counted from 0 by the group's first stone from the top
/// left.
pub fn groups(game: &Game, values: &mut [i32]) {
    let board = game.position().board();
    let mut roots: Vec<Point> = Vec::new();
    for (point, slot) in board.points().zip(values) {
        if board.stone(point).is_none() {
            continue;
        }
        let root = board.root(point);
        let number = roots.iter().position(|&r| r == root).unwrap_or_else(|| {
            roots.push(root);
            roots.len() - 1
        });
        *slot = number as i32;
    }
}

/// 1 on every stone of a group with one liberty left.
pub fn atari(game: &Game, values: &mut [i32]) {
    let board = game.position().board();
    fill(board, values, |point| {
        board.stone(point).and(board.atari(point)).map(|_| 1)
    });
}

/// Whom each point will belong to, 1000 black to -1000 white: the mean over play-outs whose seed
/// is the position, so that equal positions look equal; once the game is over, whom it belongs to.
pub fn territory(game: &Game, values: &mut [i32]) {
    let board = game.position().board();
    if game.end() == Some(End::Score) || game.phase() == Phase::Counting {
        for (owner, slot) in game.count().owners.into_iter().zip(values) {
            *slot = match owner {
                Some(Color::Black) => 1000,
                Some(Color::White) => -1000,
                None => 0,
            };
        }
        return;
    }
    let last = match game.last() {
        [Some(Action::Place(cell)), _] => board.point(cell).unwrap_or(Point::PASS),
        _ => Point::PASS,
    };
    let mut evaluator = PlayoutEvaluator::new(board.size(), Policy::STANDARD);
    let mut rng = Rng::new(board.key());
    let mut scratch = board.clone();
    let mut result = Evaluation::new();
    let mut sums = vec![0_i32; values.len()];
    for _ in 0..TERRITORY_PLAYOUTS {
        scratch.copy_from(board);
        result.moves.clear();
        let to_move = game.position().to_move();
        evaluator.evaluate(&mut scratch, to_move, last, &mut rng, &mut result);
        for (point, sum) in board.points().zip(&mut sums) {
            *sum += i32::from(result.owner[point]);
        }
    }
    for (sum, slot) in sums.into_iter().zip(values) {
        *slot = sum * 1000 / TERRITORY_PLAYOUTS;
    }
}
