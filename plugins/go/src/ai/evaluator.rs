//! What the search asks of its judge of positions: how good each move looks, and who will win.
//!
//! The play-outs are one judge ([`PlayoutEvaluator`]); another kind, such as a trained network,
//! needs only this trait.

use crate::ai::playout::Policy;
use crate::ai::prior;
use crate::ai::tactics::LadderReader;
use crate::board::{Board, Color, Point};
use crate::point::Table;
use crate::rng::Rng;

/// What is thought of a move before it is tried: as if `games` had been played with it, of which
/// `wins` were won by the side that plays it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prior {
    /// Won games, at most `games`.
    pub wins: f32,
    /// Games.
    pub games: f32,
}

/// The position that a judge looks at.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The stones.
    pub board: &'a Board,
    /// Whose turn it is.
    pub to_move: Color,
    /// The last move and the one before it, [`Point::PASS`] for a pass or none.
    pub last: [Point; 2],
}

/// What a judge found. Kept from one call to the next so that nothing is allocated.
#[derive(Clone)]
pub struct Evaluation {
    /// Area of black minus area of white as it will be, without komi.
    pub score: i32,
    /// Moves that may be credited with the result (all-moves-as-first), the side to move first,
    /// then in turn; a judge that plays nothing leaves it empty.
    pub moves: Vec<Point>,
    /// The owner of each point: 1 black, -1 white, 0 neither.
    pub(crate) owner: Table<i8>,
}

impl Evaluation {
    /// Nothing found yet.
    pub fn new() -> Evaluation {
        Evaluation {
            score: 0,
            moves: Vec::new(),
            owner: Table::new(0),
        }
    }

    /// Sets score and owners from a board on which every stone lives and little is empty.
    pub fn settle(&mut self, board: &Board) {
        self.score = board.settled_score();
        for point in board.points() {
            self.owner[point] = match board.stone(point) {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => board.settled_owner(point) as i8,
            };
        }
    }
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation::new()
    }
}

/// A judge of positions. Each thread of a search has its own.
pub trait Evaluator: Send {
    /// Says what it thinks of `moves`, one prior each, appended to `priors` in their order.
    fn priors(&mut self, situation: Situation<'_>, moves: &[Point], priors: &mut Vec<Prior>);

    /// Says how the game will end. `board` is the judge's to play on: the search does not read it
    /// again.
    fn evaluate(
        &mut self,
        board: &mut Board,
        to_move: Color,
        last: Point,
        rng: &mut Rng,
        result: &mut Evaluation,
    );
}

/// Judges by play-outs and by the features of [`prior`].
pub struct PlayoutEvaluator {
    policy: Policy,
    ladders: LadderReader,
}

impl PlayoutEvaluator {
    /// A judge for boards of one size.
    pub fn new(size: u8, policy: Policy) -> PlayoutEvaluator {
        PlayoutEvaluator {
            policy,
            ladders: LadderReader::new(size),
        }
    }
}

impl Evaluator for PlayoutEvaluator {
    fn priors(&mut self, situation: Situation<'_>, moves: &[Point], priors: &mut Vec<Prior>) {
        prior::judge(situation, moves, &mut self.ladders, priors);
    }

    fn evaluate(
        &mut self,
        board: &mut Board,
        to_move: Color,
        last: Point,
        rng: &mut Rng,
        result: &mut Evaluation,
    ) {
        self.policy
            .run(board, to_move, last, rng, &mut result.moves);
        result.settle(board);
    }
}
