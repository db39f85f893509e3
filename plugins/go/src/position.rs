//! One position with its history: whose turn, what is legal, and why not.
//!
//! Komi, handicap and the end of the game are in [`crate::rules`].

use thiserror::Error;

use crate::board::{Board, Color, MAX_SIZE, Point};
use crate::history::{History, Situation};
use crate::score;

/// How a repetition of the board is refused. A pass is never refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// A stone that has just taken a single stone may not be retaken at once where that would
    /// bring back the board before the opponent's move.
    Simple,
    /// No earlier board may come back.
    PositionalSuperko,
    /// No earlier board may come back with the same player to move.
    SituationalSuperko,
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Illegal {
    /// There is a stone already.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would have no liberty and take nothing.
    #[error("suicide: the stone would have no liberty and take nothing")]
    Suicide,
    /// Retakes a ko at once.
    #[error("ko: this would bring back the board before the opponent's move")]
    Ko,
    /// Repeats an earlier board of the game.
    #[error("superko: this would bring back an earlier board of the game")]
    Superko,
    /// No such point.
    #[error("the point is not on the board")]
    OffBoard,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The move does not belong to this phase of the game.
    #[error("this move is not possible now")]
    WrongPhase,
    /// No stone is placed while dead stones are being agreed on.
    #[error("dead stones are being agreed on: resume play first")]
    Counting,
    /// Only a stone can be marked dead.
    #[error("there is no stone on the point")]
    NoStone,
    /// Black has handicap stones left to place.
    #[error("the handicap stones come first")]
    HandicapFirst,
}

/// Why a position cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The board would be too small or too large.
    #[error("size: {0} is not from 2 to {MAX_SIZE}")]
    Size(u8),
    /// A stone is off the board.
    #[error("set-up: cell {0} is not on the board")]
    OffBoard(u16),
    /// Two stones on one point.
    #[error("set-up: two stones on cell {0}")]
    Occupied(u16),
    /// A group that would have been taken.
    #[error("set-up: the group at cell {0} has no liberty")]
    NoLiberty(u16),
}

/// A position, its past, and the side to move.
///
/// Points are named by cell: row * side + column, row 0 at the top, column 0 at the left.
#[derive(Clone)]
pub struct Position {
    board: Board,
    to_move: Color,
    ko_rule: KoRule,
    suicide_allowed: bool,
    /// Everything that has occurred, this position last.
    history: History,
    /// Under [`KoRule::Simple`], where a single stone has just been taken and retaking it would
    /// bring the board before that back.
    ko_point: Option<Point>,
}

impl Position {
    /// An empty board with black to move. The side is 2 to 25 here; games start at 5.
    ///
    /// # Errors
    /// [`SetupError::Size`].
    pub fn new(size: u8, ko: KoRule, suicide_allowed: bool) -> Result<Position, SetupError> {
        Position::from_setup(size, ko, suicide_allowed, &[], Color::Black)
    }

    /// A board with stones on it and no past.
    ///
    /// # Errors
    /// A side outside 2 to 25, a stone off the board or on another, a group without liberties.
    pub fn from_setup(
        size: u8,
        ko: KoRule,
        suicide_allowed: bool,
        stones: &[(u16, Color)],
        to_move: Color,
    ) -> Result<Position, SetupError> {
        if !(2..=MAX_SIZE).contains(&size) {
            return Err(SetupError::Size(size));
        }
        let mut board = Board::new(size);
        for &(cell, color) in stones {
            let point = board.point(cell).ok_or(SetupError::OffBoard(cell))?;
            if !board.is_empty(point) {
                return Err(SetupError::Occupied(cell));
            }
            board.place(point, color);
        }
        for &(cell, _) in stones {
            if board.point(cell).is_some_and(|p| board.liberties(p) == 0) {
                return Err(SetupError::NoLiberty(cell));
            }
        }
        let history = History::new(
            ko,
            Situation {
                key: board.key(),
                to_move,
            },
        );
        Ok(Position {
            board,
            to_move,
            ko_rule: ko,
            suicide_allowed,
            history,
            ko_point: None,
        })
    }

    /// The side of the board in points.
    pub fn size(&self) -> u8 {
        self.board.size()
    }

    /// The ko rule in force.
    pub fn ko_rule(&self) -> KoRule {
        self.ko_rule
    }

    /// Whether suicide is allowed.
    pub fn suicide_allowed(&self) -> bool {
        self.suicide_allowed
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the turn to `color` without a move. The present situation is recorded with that side
    /// to move; a ko that forbade the other side something stays as it is.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
        self.history.set_last_turn(color);
    }

    /// Puts a stone on `cell` or takes it off, as a record sets up a position: nothing is taken,
    /// so a group without liberties may stand afterwards. The turn stays; a ko is over.
    ///
    /// # Errors
    /// [`Illegal::OffBoard`].
    pub fn set_stone(&mut self, cell: u16, stone: Option<Color>) -> Result<(), Illegal> {
        let point = self.board.point(cell).ok_or(Illegal::OffBoard)?;
        if self.board.stone(point) == stone {
            return Ok(());
        }
        if !self.board.is_empty(point) {
            self.board = self.board.keep(|p| p != point);
        }
        if let Some(color) = stone {
            self.board.place(point, color);
        }
        self.board.pass();
        self.ko_point = None;
        self.remember();
        Ok(())
    }

    /// Gives `color` prisoners that were not taken on the board (pass stones).
    pub(crate) fn hand_over(&mut self, color: Color, stones: u32) {
        self.board.add_captures(color, stones);
    }

    /// Takes note of the situation that has come about.
    fn remember(&mut self) {
        self.history.push(Situation {
            key: self.board.key(),
            to_move: self.to_move,
        });
    }

    /// The stone on a cell; `None` when it is empty or not on the board.
    pub fn stone(&self, cell: u16) -> Option<Color> {
        self.board.point(cell).and_then(|p| self.board.stone(p))
    }

    /// Whether the side to move may play on `cell`.
    ///
    /// # Errors
    /// The first reason that applies: off the board, occupied, suicide, ko, superko.
    pub fn check(&self, cell: u16) -> Result<(), Illegal> {
        let point = self.board.point(cell).ok_or(Illegal::OffBoard)?;
        if !self.board.is_empty(point) {
            return Err(Illegal::Occupied);
        }
        if !self.suicide_allowed && self.board.would_be_suicide(point, self.to_move) {
            return Err(Illegal::Suicide);
        }
        match self.ko_rule {
            KoRule::Simple if self.ko_point == Some(point) => Err(Illegal::Ko),
            KoRule::Simple => Ok(()),
            KoRule::PositionalSuperko | KoRule::SituationalSuperko => {
                let after = Situation {
                    key: self.board.key_after(point, self.to_move),
                    to_move: !self.to_move,
                };
                if self.history.has_occurred(after) {
                    Err(Illegal::Superko)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Plays on `cell` for the side to move and passes the turn; returns how many enemy stones
    /// were taken.
    ///
    /// # Errors
    /// As [`Position::check`]; nothing has changed then.
    pub fn play(&mut self, cell: u16) -> Result<u32, Illegal> {
        self.check(cell)?;
        let point = self.board.point(cell).ok_or(Illegal::OffBoard)?;
        let before = self.board.key();
        let mover = self.to_move;
        let enemy_neighbors = self
            .board
            .neighbors(point)
            .map(|n| (n, self.board.stone(n) == Some(!mover)));
        let taken = self.board.play(point, mover);
        self.to_move = !mover;
        self.remember();
        self.ko_point = None;
        if taken == 1 {
            // The one taken stone was a neighbour. Would putting it back bring the old board back?
            self.ko_point = enemy_neighbors
                .iter()
                .find(|&&(n, was_enemy)| was_enemy && self.board.is_empty(n))
                .map(|&(n, _)| n)
                .filter(|&n| self.board.key_after(n, self.to_move) == before);
        }
        Ok(taken)
    }

    /// Passes the turn.
    pub fn pass(&mut self) {
        self.board.pass();
        self.ko_point = None;
        self.to_move = !self.to_move;
        self.remember();
    }

    /// How many liberties the group on `cell` has; 0 where there is no stone.
    pub fn liberties(&self, cell: u16) -> u32 {
        self.board
            .point(cell)
            .map_or(0, |p| self.board.liberties(p))
    }

    /// How many stones `color` has taken; the stones of a suicide count for the other side.
    pub fn captures(&self, color: Color) -> u32 {
        self.board.captures(color)
    }

    /// The area of black and of white: stones, and empty regions that reach one colour only.
    pub fn area(&self) -> (u32, u32) {
        score::area(&self.board)
    }

    /// The keys of all boards that have occurred, this one last; with the side to move mixed in
    /// under the situational rule, so that equal keys mean a forbidden repetition.
    pub(crate) fn repetition_keys(&self) -> Vec<u64> {
        self.history.repetition_keys().collect()
    }

    /// A key of everything that decides how play goes on from here: the position, the ko, and
    /// under a superko rule all that has occurred, in whatever order.
    pub(crate) fn history_key(&self) -> u64 {
        let mix = |number: u64| crate::rng::split_mix(number).0;
        let here = repetition_key(KoRule::SituationalSuperko, self.board.key(), self.to_move);
        let ko = self.ko_point.map_or(0, |point| point.index() as u64);
        let rules = (self.ko_rule as u64) << 1 | u64::from(self.suicide_allowed);
        mix(mix(mix(here) ^ ko) ^ rules) ^ self.history.key()
    }
}

/// What is compared to find a repetition under `ko`: the board's key, under the situational rule
/// with the side to move mixed in.
pub(crate) fn repetition_key(ko: KoRule, board_key: u64, to_move: Color) -> u64 {
    const WHITE_TO_MOVE: u64 = 0x2545_F491_4F6C_DD1D;
    match (ko, to_move) {
        (KoRule::SituationalSuperko, Color::White) => board_key ^ WHITE_TO_MOVE,
        _ => board_key,
    }
}
