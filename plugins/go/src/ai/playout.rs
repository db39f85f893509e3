//! Play-outs: a game played to its end by chance, and the score that it ends with.
//!
//! [`uniform`] plays any legal move; [`Policy`] plays the obvious local answers first, which makes
//! one play-out say much more about the position.

use crate::ai::pattern;
use crate::ai::tactics::{self, Found};
use crate::board::{Board, Color, Point};
use crate::rng::Rng;

/// How a play-out ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Area of black minus area of white, without komi.
    pub score: i32,
    /// Moves played, passes not counted.
    pub moves: u32,
}

/// How many moves a play-out may take: three per point of the board. Play-outs that would run
/// longer are endless kos, too rare to matter.
#[inline]
fn move_limit(board: &Board) -> u32 {
    3 * u32::from(board.area())
}

/// Plays uniformly random legal moves that fill no own eye, until both pass or the move limit;
/// `board` is left as the game ended.
pub fn uniform(board: &mut Board, first: Color, rng: &mut Rng) -> Finish {
    let mut color = first;
    let mut moves = 0;
    let mut passes = 0;
    let limit = move_limit(board);
    while passes < 2 && moves < limit {
        if let Some(point) = board.random_move(color, rng) {
            board.play(point, color);
            moves += 1;
            passes = 0;
        } else {
            board.pass();
            passes += 1;
        }
        color = !color;
    }
    Finish {
        score: board.settled_score(),
        moves,
    }
}

/// Chances, in 256ths, with which a play-out looks for each kind of move. Found by matches of the
/// player against itself.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Takes or saves a group in atari beside the last move.
    pub tactics: u32,
    /// Plays a known shape beside the last move.
    pub shapes: u32,
    /// Refuses a random move that puts itself in atari.
    pub caution: u32,
    /// Plays the vital point of an eye space beside the last move.
    pub nakade: u32,
}

impl Policy {
    /// The one that the player uses.
    pub const STANDARD: Policy = Policy {
        tactics: 230,
        shapes: 240,
        caution: 200,
        nakade: 240,
    };

    /// Plays the game on `board` to its end, `first` to move after `last`. Every move is appended
    /// to `moves`, [`Point::PASS`] for a pass, so that colours alternate.
    pub fn run(
        &self,
        board: &mut Board,
        first: Color,
        last: Point,
        rng: &mut Rng,
        moves: &mut Vec<Point>,
    ) -> Finish {
        let mut color = first;
        let mut last = last;
        let mut played = 0;
        let mut passes = 0;
        let limit = move_limit(board);
        while passes < 2 && played < limit {
            if let Some(point) = self.choose(board, color, last, rng) {
                board.play(point, color);
                moves.push(point);
                played += 1;
                passes = 0;
                last = point;
            } else {
                board.pass();
                moves.push(Point::PASS);
                passes += 1;
                last = Point::PASS;
            }
            color = !color;
        }
        Finish {
            score: board.settled_score(),
            moves: played,
        }
    }

    #[inline]
    fn choose(&self, board: &mut Board, color: Color, last: Point, rng: &mut Rng) -> Option<Point> {
        if last != Point::PASS {
            let dice = rng.next_u64();
            if (dice & 0xFF) < u64::from(self.tactics)
                && let Some(point) = tactical_answer(board, color, last, rng)
            {
                return Some(point);
            }
            if (dice >> 16 & 0xFF) < u64::from(self.nakade)
                && let Some(point) = vital_answer(board, color, last)
            {
                return Some(point);
            }
            if (dice >> 8 & 0xFF) < u64::from(self.shapes)
                && let Some(point) = shape_answer(board, color, last, rng)
            {
                return Some(point);
            }
        }
        let caution = self.caution;
        board.random_move_where(color, rng, |board, point, rng| {
            !tactics::is_self_atari(board, point, color) || rng.below(256) >= caution
        })
    }
}

/// One of the moves that save a group which the last move put in atari, or that take the group of
/// the last move.
#[inline]
fn tactical_answer(board: &Board, color: Color, last: Point, rng: &mut Rng) -> Option<Point> {
    let mut found = Found::new();
    if board.stone(last) == Some(!color)
        && let Some(liberty) = board.atari(last)
        && board.is_legal(liberty, color)
    {
        found.add(liberty);
    }
    for n in board.neighbors(last) {
        if board.stone(n) == Some(color)
            && let Some(liberty) = board.atari(n)
        {
            tactics::escapes(board, n, liberty, color, &mut found);
        }
    }
    pick(found.as_slice(), rng)
}

/// The vital point of an eye space that the last move has closed.
#[inline]
fn vital_answer(board: &Board, color: Color, last: Point) -> Option<Point> {
    board.neighbors(last).into_iter().find_map(|n| {
        // A point alone, or one in the open, is in no space that one move kills.
        if !board.is_empty(n) || !(1..=3).contains(&board.empty_neighbors(n)) {
            return None;
        }
        let point = tactics::vital_point(board, n, !color)?;
        board.is_legal(point, color).then_some(point)
    })
}

/// One of the points around the last move that make a known shape.
#[inline]
fn shape_answer(board: &Board, color: Color, last: Point, rng: &mut Rng) -> Option<Point> {
    let mut found = Found::new();
    for around in [board.neighbors(last), board.diagonals(last)] {
        for point in around {
            if board.is_empty(point)
                && pattern::matches(board, point)
                && board.is_legal(point, color)
                && !tactics::is_self_atari(board, point, color)
            {
                found.add(point);
            }
        }
    }
    pick(found.as_slice(), rng)
}

#[inline]
fn pick(points: &[Point], rng: &mut Rng) -> Option<Point> {
    points.get(rng.below(points.len() as u32) as usize).copied()
}
