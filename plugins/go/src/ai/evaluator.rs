//! What the search asks of its judge of positions: how good each move looks (the policy), and who will
//! win (the value).
//!
//! The play-outs are one judge ([`PlayoutEvaluator`]); another kind, such as a trained network,
//! needs only this trait. Nothing in the search depends on play-outs: a judge says how it goes by a
//! score or by a chance, and the moves of all-moves-as-first and the owners of points are extras that
//! it may leave out. Without owners the player passes only where the search prefers a pass.

use crate::ai::playout::Policy;
use crate::ai::prior;
use crate::ai::search::Problem;
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

impl Prior {
    /// The chance to win that it gives the move, 0–1.
    pub fn chance(&self) -> f32 {
        self.wins / self.games.max(1.0)
    }
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
    /// Chance of black to win, 0–1; `None`: the score with komi decides it.
    pub chance: Option<f32>,
    /// The moves that led here, and after them those that may be credited with the result
    /// (all-moves-as-first), in turn; a judge that plays nothing adds none.
    pub moves: Vec<Point>,
    /// The owner of each point: 1 black, -1 white, 0 neither or not known.
    pub(crate) owner: Table<i8>,
}

impl Evaluation {
    /// Nothing found yet.
    pub fn new() -> Evaluation {
        Evaluation {
            score: 0,
            chance: None,
            moves: Vec::new(),
            owner: Table::new(0),
        }
    }

    /// Sets score and owners from a board on which every stone lives and little is empty.
    pub fn settle(&mut self, board: &Board) {
        self.score = board.settled_score();
        self.chance = None;
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
    /// Hears what is to be searched before the first question, and again whenever the search goes on
    /// from another position: komi, scoring, ko rule.
    fn begin(&mut self, _problem: &Problem) {}

    /// Says what it thinks of `moves`, one prior each, appended to `priors` in their order.
    fn priors(&mut self, situation: Situation<'_>, moves: &[Point], priors: &mut Vec<Prior>);

    /// Says how the game will end, in `result`, all of which but the moves holds what was found
    /// before. `board` is the judge's to play on: the search does not read it again.
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
