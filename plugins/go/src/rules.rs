//! A whole game of Go: options, handicap, turns, the end and its result.
//!
//! # Rules and their sources
//!
//! The rules are those of the Chinese Weiqi Association (中国围棋规则, 2002) as they are played on
//! computers:
//!
//! * **Scoring** is by area (article 12): living stones and the points that they alone surround.
//! * **Repetition**: article 6 (禁止全局同形) forbids a move that brings a whole board back. The
//!   default is therefore positional superko; simple ko and situational superko are options.
//! * **Suicide** is forbidden (article 5); New Zealand's rules allow it, hence the option.
//! * **Komi** is 3¾ stones counted the Chinese way, which is 7.5 points.
//! * **Handicap**: black gives back half a stone (one point) for every handicap stone (KataGo's
//!   "Supported Go Rules" calls it a white handicap bonus of N, and lists it for Chinese rules).
//!   The points and the order in which they are taken are those of fixed handicap in the Go Text
//!   Protocol, version 2, section 4.1.1. White moves first.
//!
//! Two passes in a row end the game, and every stone on the board then counts as living: dead
//! stones must be taken before. There is no agreement on dead stones yet.

use std::fmt;

use thiserror::Error;

pub use crate::board::Color;
pub use crate::position::{Illegal, KoRule, Position, SetupError};

use crate::score;

/// The smallest side of a game.
pub const MIN_SIZE: u8 = 5;
/// The largest side of a game.
pub const MAX_SIZE: u8 = crate::board::MAX_SIZE;
/// Komi lies between this and its negative, in half points.
pub const MAX_KOMI: i32 = 100;
/// The most handicap stones.
pub const MAX_HANDICAP: u8 = 9;

/// What a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Side of the board, [`MIN_SIZE`] to [`MAX_SIZE`].
    pub size: u8,
    /// What white is given, in half points: 15 is 7.5.
    pub komi: i32,
    /// Handicap stones: 0 or 2 to [`max_handicap`] of the size.
    pub handicap: u8,
    /// The ko rule.
    pub ko: KoRule,
    /// Whether suicide is allowed.
    pub suicide: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            size: 9,
            komi: 15,
            handicap: 0,
            ko: KoRule::PositionalSuperko,
            suicide: false,
        }
    }
}

/// An option that cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No game is played on this side.
    #[error("size: {0} is not between {MIN_SIZE} and {MAX_SIZE}")]
    Size(u8),
    /// Komi out of range.
    #[error("komi: {0} half points are not between -{MAX_KOMI} and {MAX_KOMI}")]
    Komi(i32),
    /// The board has no such handicap.
    #[error("handicap: a board of side {size} takes {}, not {handicap}", HandicapRange(*.size))]
    Handicap {
        /// Side of the board.
        size: u8,
        /// What was asked for.
        handicap: u8,
    },
}

struct HandicapRange(u8);

impl fmt::Display for HandicapRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match max_handicap(self.0) {
            0 => write!(f, "no handicap (0)"),
            most => write!(f, "0 or 2 to {most}"),
        }
    }
}

/// The most handicap stones that a board has fixed points for.
pub fn max_handicap(size: u8) -> u8 {
    match size {
        ..=6 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => MAX_HANDICAP,
    }
}

/// The line, counted from 0, on which the corner handicap points lie: the third on boards up to
/// 12, the fourth above.
fn hoshi_line(size: u8) -> u16 {
    if size < 13 { 2 } else { 3 }
}

/// The fixed points of `handicap` stones, in the order in which they are taken.
///
/// # Errors
/// [`OptionError::Handicap`] where the board has no such points.
pub fn handicap_points(size: u8, handicap: u8) -> Result<Vec<u16>, OptionError> {
    if handicap == 0 {
        return Ok(Vec::new());
    }
    if !(2..=max_handicap(size)).contains(&handicap) {
        return Err(OptionError::Handicap { size, handicap });
    }
    let side = u16::from(size);
    let (near, far, middle) = (
        hoshi_line(size),
        (side - 1).saturating_sub(hoshi_line(size)),
        side / 2,
    );
    let at = |row: u16, column: u16| row * side + column;
    let centre = at(middle, middle);
    let corners = [at(far, near), at(near, far), at(near, near), at(far, far)];
    let sides = [
        at(middle, near),
        at(middle, far),
        at(far, middle),
        at(near, middle),
    ];
    let (corners_used, sides_used) = match handicap {
        2..=4 => (usize::from(handicap), 0),
        5 => (4, 0),
        6 | 7 => (4, 2),
        _ => (4, 4),
    };
    let mut points = corners[..corners_used].to_vec();
    points.extend_from_slice(&sides[..sides_used]);
    if handicap >= 5 && handicap % 2 == 1 {
        points.push(centre);
    }
    Ok(points)
}

/// The points that a board marks with dots: the corner handicap points from side 7 up, the middle
/// of odd sides, the side points from side 13 up.
pub fn hoshi(size: u8) -> Vec<u16> {
    let side = u16::from(size);
    let (near, far, middle) = (
        hoshi_line(size),
        (side - 1).saturating_sub(hoshi_line(size)),
        side / 2,
    );
    let lines: &[u16] = match (size, size % 2) {
        (..7, _) => &[],
        (_, 0) | (7..13, _) => &[near, far],
        _ => &[near, middle, far],
    };
    let mut points: Vec<u16> = lines
        .iter()
        .flat_map(|row| lines.iter().map(move |column| row * side + column))
        .collect();
    if size % 2 == 1 {
        points.push(middle * side + middle);
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A stone on a cell (row * side + column, row 0 at the top).
    Place(u16),
    /// A pass.
    Pass,
    /// The side to move gives up.
    Resign,
    /// The clock of a side ran out; only a clock says so.
    TimeOut(Color),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Two passes: the areas are compared.
    Score,
    /// This side gave up.
    Resigned(Color),
    /// This side's clock ran out.
    TimeOut(Color),
}

/// The score of a board, in half points so that it is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Area of black.
    pub black: i32,
    /// Area of white with komi and what black gives back for handicap.
    pub white: i32,
}

impl Score {
    /// Black's lead; negative if white leads.
    pub fn lead(self) -> i32 {
        self.black - self.white
    }
}

/// A game under way or over.
#[derive(Clone)]
pub struct Game {
    options: Options,
    position: Position,
    /// Passes in a row just before now.
    passes: u8,
    end: Option<End>,
    move_number: u32,
    /// The last action and the one before it, as far as they were moves.
    last: [Option<Action>; 2],
}

impl Game {
    /// A new game, handicap stones placed.
    ///
    /// # Errors
    /// An option that the board cannot take; the message names the key.
    pub fn new(options: Options) -> Result<Game, OptionError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&options.size) {
            return Err(OptionError::Size(options.size));
        }
        if options.komi.abs() > MAX_KOMI {
            return Err(OptionError::Komi(options.komi));
        }
        let stones: Vec<(u16, Color)> = handicap_points(options.size, options.handicap)?
            .into_iter()
            .map(|cell| (cell, Color::Black))
            .collect();
        let first = if stones.is_empty() {
            Color::Black
        } else {
            Color::White
        };
        let position =
            Position::from_setup(options.size, options.ko, options.suicide, &stones, first)
                .map_err(|_| OptionError::Size(options.size))?;
        Ok(Game::from_position(options, position))
    }

    /// A game that begins from a position, which has been set up with the same options.
    fn from_position(options: Options, position: Position) -> Game {
        Game {
            options,
            position,
            passes: 0,
            end: None,
            move_number: 0,
            last: [None; 2],
        }
    }

    /// A game that begins from a diagram: `X` black, `O` white, anything else empty.
    #[cfg(test)]
    pub(crate) fn from_diagram(options: Options, rows: &[&str], to_move: Color) -> Game {
        let cells = rows.concat();
        let stones: Vec<(u16, Color)> = (0_u16..)
            .zip(cells.chars())
            .filter_map(|(cell, symbol)| match symbol {
                'X' => Some((cell, Color::Black)),
                'O' => Some((cell, Color::White)),
                _ => None,
            })
            .collect();
        let Options {
            size, ko, suicide, ..
        } = options;
        let position = Position::from_setup(size, ko, suicide, &stones, to_move);
        Game::from_position(options, position.expect("a valid diagram"))
    }

    /// What it is played with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whose turn it is, unless the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.end.is_none().then(|| self.position.to_move())
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Moves so far, passes included.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The last move and the one before it.
    pub fn last(&self) -> [Option<Action>; 2] {
        self.last
    }

    /// Whether the last move was a pass, so that another ends the game.
    pub fn last_was_pass(&self) -> bool {
        self.passes > 0
    }

    /// What white gets on top of its area, in half points: komi, and one point for each handicap
    /// stone.
    pub fn white_bonus(&self) -> i32 {
        self.options.komi + 2 * i32::from(self.options.handicap)
    }

    /// The score of the board as it stands, every stone living.
    pub fn score(&self) -> Score {
        let (black, white) = score::area(self.position.board());
        Score {
            black: 2 * black as i32,
            white: 2 * white as i32 + self.white_bonus(),
        }
    }

    /// The winner of a game that is over; `None` for one that runs or is drawn.
    pub fn winner(&self) -> Option<Color> {
        match self.end? {
            End::Resigned(loser) | End::TimeOut(loser) => Some(!loser),
            End::Score => match self.score().lead() {
                1.. => Some(Color::Black),
                ..=-1 => Some(Color::White),
                0 => None,
            },
        }
    }

    /// Whether an action is possible now.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        if self.end.is_some() {
            return Err(Illegal::GameOver);
        }
        match action {
            Action::Place(cell) => self.position.check(cell),
            Action::Pass | Action::Resign | Action::TimeOut(_) => Ok(()),
        }
    }

    /// Carries out an action; returns how many enemy stones were taken.
    ///
    /// # Errors
    /// As [`Game::check`]; nothing has changed then.
    pub fn apply(&mut self, action: Action) -> Result<u32, Illegal> {
        self.check(action)?;
        let mut taken = 0;
        match action {
            Action::Place(cell) => {
                taken = self.position.play(cell)?;
                self.passes = 0;
            }
            Action::Pass => {
                self.position.pass();
                self.passes += 1;
                if self.passes == 2 {
                    self.end = Some(End::Score);
                }
            }
            Action::Resign => self.end = Some(End::Resigned(self.position.to_move())),
            Action::TimeOut(color) => self.end = Some(End::TimeOut(color)),
        }
        self.move_number += 1;
        self.last = [Some(action), self.last[0]];
        Ok(taken)
    }

    /// The cells where the side to move may place a stone, in ascending order; none once the game
    /// is over.
    pub fn legal_cells(&self) -> Vec<u16> {
        if self.end.is_some() {
            return Vec::new();
        }
        let cells = 0..self.position.board().area();
        cells
            .filter(|&cell| self.position.check(cell).is_ok())
            .collect()
    }

    /// A key of everything that decides how the game goes on: position, repetitions forbidden,
    /// passes and end.
    pub fn key(&self) -> u64 {
        let mut key = self.position.history_key();
        let end = match self.end {
            None => 0,
            Some(End::Score) => 1,
            Some(End::Resigned(color)) => 2 + color.index() as u64,
            Some(End::TimeOut(color)) => 4 + color.index() as u64,
        };
        for part in [
            end,
            u64::from(self.passes),
            u64::from(self.white_bonus().unsigned_abs()),
            u64::from(self.white_bonus() < 0),
            u64::from(self.options.size),
        ] {
            key = crate::rng::split_mix(key ^ part).0;
        }
        key
    }
}

#[cfg(test)]
mod tests;
