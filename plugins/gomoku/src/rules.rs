//! A whole game: stones in turn, the openings with their choices, how it ends.

use thiserror::Error;

pub use crate::color::Color;
use crate::lines::{DIRECTIONS, Lines, stone_key};
use crate::renju;
pub use crate::renju::Forbidden;
pub use crate::rule::Rule;
use crate::shape::{Row, Shape};

/// Smallest side of a board.
pub const MIN_SIZE: u8 = 13;

/// Largest side of a board.
pub const MAX_SIZE: u8 = crate::lines::MAX_SIZE;

/// Stones that the first player of a swap opening puts down.
const OPENING_STONES: u8 = 3;

/// Stones that the second player of swap2 adds if he does not choose a colour.
const MORE_STONES: u8 = 2;

/// How a game begins.
///
/// Source: the swap2 rule of the Gomoku World Championships (Renju International Federation); swap is the same without
/// the two further stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Black plays where he likes.
    #[default]
    Free,
    /// One player puts down three stones, the other chooses a colour.
    Swap,
    /// As swap; but instead of choosing, the other may add two stones and leave the choice to the first.
    Swap2,
}

impl Opening {
    /// All of them.
    pub const ALL: [Opening; 3] = [Opening::Free, Opening::Swap, Opening::Swap2];
}

/// What the computer's middle strengths think a shape is worth; the scale is of no matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Weights {
    /// An open four; a five is worth ten times as much.
    pub open_four: u32,
    /// A four that is not open.
    pub four: u32,
    /// An open three.
    pub open_three: u32,
    /// A three that is not open.
    pub three: u32,
    /// An open two.
    pub open_two: u32,
    /// A two that is not open.
    pub two: u32,
    /// What stopping a shape counts for, in percent of making it.
    pub defence: u32,
}

/// Largest worth of a shape in [`Weights`].
pub const MAX_WORTH: u32 = 100_000;

/// Largest weight of defence, in percent.
pub const MAX_DEFENCE: u32 = 300;

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            open_four: 10_000,
            four: 1_200,
            open_three: 1_000,
            three: 120,
            open_two: 100,
            two: 12,
            defence: 120,
        }
    }
}

/// What a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Side of the board, [`MIN_SIZE`] to [`MAX_SIZE`].
    pub size: u8,
    /// What wins and what is forbidden.
    pub rule: Rule,
    /// How the game begins.
    pub opening: Opening,
    /// The computer's table of shapes.
    pub weights: Weights,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: 15,
            rule: Rule::Freestyle,
            opening: Opening::Free,
            weights: Weights::default(),
        }
    }
}

/// Options that no game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Side of the board.
    #[error("size: {0} is not from 13 to 20")]
    Size(u8),
    /// A worth or weight of the table.
    #[error("{0}: {1} is too large")]
    Weight(&'static str, u32),
}

/// A player: 0 or 1. Who has which colour is [`Game::holder`]'s to say.
pub type Player = u16;

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stone on an empty cell.
    Place(u16),
    /// No stone; only renju knows it.
    Pass,
    /// The player to move gives up.
    Resign,
    /// A player's clock has run out.
    TimeOut(Player),
    /// In an opening: the player to move takes a colour.
    Take(Color),
    /// In swap2: the player to move adds two stones and leaves the choice to the other.
    More,
    /// Puts a stone on a cell or takes it off, outside the turns.
    Setup(u16, Option<Color>),
    /// Gives a colour the turn, outside the turns.
    Turn(Color),
}

/// Why an action is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Illegal {
    /// There is a stone.
    #[error("there is a stone already")]
    Occupied,
    /// The board has no such cell.
    #[error("not on the board")]
    OffBoard,
    /// Renju forbids it to black.
    #[error("forbidden to black: {}", match .0 {
        Forbidden::Overline => "overline",
        Forbidden::DoubleFour => "double four",
        Forbidden::DoubleThree => "double three",
    })]
    Forbidden(Forbidden),
    /// A colour has to be chosen first.
    #[error("a colour has to be chosen first")]
    ChooseFirst,
    /// Only renju has passes.
    #[error("only renju has passes")]
    NoPass,
    /// Not in this phase.
    #[error("not now")]
    WrongPhase,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}

/// What is expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A player puts so many more stones of alternating colours down.
    Opening {
        /// Who.
        by: Player,
        /// How many.
        left: u8,
    },
    /// A player chooses a colour.
    Choice {
        /// Who.
        by: Player,
        /// Whether he may add two stones instead.
        may_add: bool,
    },
    /// Stones in turn.
    Play,
    /// Nothing.
    Over,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A colour has made a row.
    Row(Color),
    /// The board is full: a draw.
    Full,
    /// Both have passed: a draw.
    Passes,
    /// A player has given up.
    Resigned(Player),
    /// A player's clock has run out.
    TimeOut(Player),
}

/// A game under way or over.
#[derive(Clone, Debug)]
pub struct Game {
    options: Options,
    lines: Lines,
    stones: u16,
    phase: Phase,
    /// Who plays each colour, once that is settled.
    holders: Option<[Player; 2]>,
    turn: Color,
    /// Whether the last action was a pass.
    passed: bool,
    last: Option<Action>,
    end: Option<End>,
    /// The stones of the row that has won.
    row: Vec<u16>,
    move_number: u32,
    key: u64,
}

impl Game {
    /// A new game.
    ///
    /// # Errors
    /// Options out of their range.
    pub fn new(options: Options) -> Result<Game, OptionError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&options.size) {
            return Err(OptionError::Size(options.size));
        }
        let weights = &options.weights;
        for (key, worth, most) in [
            ("open_four", weights.open_four, MAX_WORTH),
            ("four", weights.four, MAX_WORTH),
            ("open_three", weights.open_three, MAX_WORTH),
            ("three", weights.three, MAX_WORTH),
            ("open_two", weights.open_two, MAX_WORTH),
            ("two", weights.two, MAX_WORTH),
            ("defence", weights.defence, MAX_DEFENCE),
        ] {
            if worth > most {
                return Err(OptionError::Weight(key, worth));
            }
        }
        let (phase, holders) = match options.opening {
            Opening::Free => (Phase::Play, Some([0, 1])),
            Opening::Swap | Opening::Swap2 => {
                let left = OPENING_STONES;
                (Phase::Opening { by: 0, left }, None)
            }
        };
        Ok(Game {
            options,
            lines: Lines::new(options.size),
            stones: 0,
            phase,
            holders,
            turn: Color::Black,
            passed: false,
            last: None,
            end: None,
            row: Vec::new(),
            move_number: 0,
            key: 0,
        })
    }

    /// What the game is played with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The stones.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Number of stones on the board.
    pub fn stones(&self) -> u16 {
        self.stones
    }

    /// What is expected next.
    pub fn phase(&self) -> Phase {
        match self.end {
            Some(_) => Phase::Over,
            None => self.phase,
        }
    }

    /// How the game has ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The colour of the next stone.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The player who plays a colour; `None` while nobody does.
    pub fn holder(&self, color: Color) -> Option<Player> {
        self.holders.map(|holders| holders[color.index()])
    }

    /// The colour that a player has; `None` while he has none.
    pub fn color_of(&self, player: Player) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.holder(color) == Some(player))
    }

    /// The player who is to do something; `None` when the game is over.
    pub fn to_move(&self) -> Option<Player> {
        match self.phase() {
            Phase::Opening { by, .. } | Phase::Choice { by, .. } => Some(by),
            Phase::Play => self.holder(self.turn),
            Phase::Over => None,
        }
    }

    /// The winner of a game that has one.
    pub fn winner(&self) -> Option<Player> {
        match self.end? {
            End::Row(color) => self.holder(color),
            End::Resigned(player) | End::TimeOut(player) => Some(1 - player.min(1)),
            End::Full | End::Passes => None,
        }
    }

    /// The stones of the row that has won; empty if none has.
    pub fn row(&self) -> &[u16] {
        &self.row
    }

    /// The last action.
    pub fn last(&self) -> Option<Action> {
        self.last
    }

    /// Actions since the start.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// A key of everything that decides how the game goes on.
    pub fn key(&self) -> u64 {
        let mut key = self.key;
        let mut add = |part: u64| key = qiju_sdk::rng::split_mix(key ^ part).0;
        add(match self.phase {
            Phase::Opening { by, left } => 1 << 8 | u64::from(by) << 4 | u64::from(left),
            Phase::Choice { by, may_add } => 2 << 8 | u64::from(by) << 4 | u64::from(may_add),
            Phase::Play | Phase::Over => 3 << 8,
        });
        add(self.turn as u64 | u64::from(self.passed) << 1);
        add(match self.holders {
            None => 7,
            Some([black, _]) => u64::from(black),
        });
        add(match self.end {
            None => 0,
            Some(End::Row(color)) => 1 + color as u64,
            Some(End::Full) => 3,
            Some(End::Passes) => 4,
            Some(End::Resigned(player)) => 5 + u64::from(player),
            Some(End::TimeOut(player)) => 7 + u64::from(player),
        });
        key
    }

    /// Why a stone of the colour to move may not be put on a cell.
    fn check_place(&self, cell: u16) -> Result<(), Illegal> {
        if cell >= self.lines.area() {
            return Err(Illegal::OffBoard);
        }
        if self.lines.stone(cell).is_some() {
            return Err(Illegal::Occupied);
        }
        if self.options.rule.restricts(self.turn)
            && let Some(reason) = renju::forbidden(&self.lines, cell)
        {
            return Err(Illegal::Forbidden(reason));
        }
        Ok(())
    }

    /// Whether an action is possible.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        match (action, self.phase()) {
            (Action::Setup(cell, _), _) if cell >= self.lines.area() => Err(Illegal::OffBoard),
            (Action::Setup(..) | Action::Turn(_), _) => Ok(()),
            (_, Phase::Over) => Err(Illegal::GameOver),
            (Action::Resign, _) => Ok(()),
            (Action::TimeOut(player), _) if player > 1 => Err(Illegal::WrongPhase),
            (Action::TimeOut(_), _) => Ok(()),
            (Action::Place(cell), Phase::Play | Phase::Opening { .. }) => self.check_place(cell),
            (Action::Place(_), Phase::Choice { .. }) => Err(Illegal::ChooseFirst),
            (Action::Pass, Phase::Play) if self.options.rule == Rule::Renju => Ok(()),
            (Action::Pass, _) if self.options.rule != Rule::Renju => Err(Illegal::NoPass),
            (Action::Take(_), Phase::Choice { .. }) => Ok(()),
            (Action::More, Phase::Choice { may_add: true, .. }) => Ok(()),
            (Action::Pass | Action::Take(_) | Action::More, _) => Err(Illegal::WrongPhase),
        }
    }

    /// The cells where a stone may be put now, in their order.
    pub fn legal_cells(&self) -> Vec<u16> {
        if !matches!(self.phase(), Phase::Play | Phase::Opening { .. }) {
            return Vec::new();
        }
        (0..self.lines.area())
            .filter(|&cell| self.check_place(cell).is_ok())
            .collect()
    }

    /// Carries out an action.
    ///
    /// # Errors
    /// As [`Game::check`]; nothing has changed then.
    pub fn apply(&mut self, action: Action) -> Result<(), Illegal> {
        self.check(action)?;
        let has_passed = self.passed;
        self.passed = false;
        match action {
            Action::Place(cell) => self.place(cell),
            Action::Pass if has_passed => self.end = Some(End::Passes),
            Action::Pass => {
                self.passed = true;
                self.turn = self.turn.other();
            }
            Action::Resign => self.end = self.to_move().map(End::Resigned),
            Action::TimeOut(player) => self.end = Some(End::TimeOut(player)),
            Action::Take(color) => {
                let by = self.to_move().unwrap_or(0);
                let other = 1 - by.min(1);
                self.holders = Some(match color {
                    Color::Black => [by, other],
                    Color::White => [other, by],
                });
                self.phase = Phase::Play;
            }
            Action::More => {
                let by = self.to_move().unwrap_or(0);
                let left = MORE_STONES;
                self.phase = Phase::Opening { by, left };
            }
            Action::Setup(cell, stone) => self.set_up(cell, stone),
            Action::Turn(color) => {
                self.play_on();
                self.turn = color;
            }
        }
        self.move_number = self.move_number.saturating_add(1);
        self.last = Some(action);
        Ok(())
    }

    fn toggle(&mut self, cell: u16, color: Color) {
        self.lines.toggle(cell, color);
        self.key ^= stone_key(cell, color);
    }

    fn place(&mut self, cell: u16) {
        let color = self.turn;
        self.toggle(cell, color);
        self.stones += 1;
        self.turn = color.other();
        if let Phase::Opening { by, left } = self.phase {
            self.phase = match left {
                2.. => Phase::Opening { by, left: left - 1 },
                _ => Phase::Choice {
                    by: 1 - by.min(1),
                    // The second player's stones are added ones: the choice is the first's then, and the last.
                    may_add: self.options.opening == Opening::Swap2 && by == 0,
                },
            };
        }
        let row = self.row_through(cell, color);
        if !row.is_empty() {
            self.row = row;
            self.end = Some(End::Row(color));
        } else if self.stones >= self.lines.area() {
            self.end = Some(End::Full);
        }
    }

    /// The stones of all rows through a stone that win; empty if none does.
    fn row_through(&self, cell: u16, color: Color) -> Vec<u16> {
        let shapes = self.options.rule.shapes(color);
        let mut row = Vec::new();
        for direction in 0..DIRECTIONS.len() {
            if self.lines.shape(shapes, cell, color, direction) != Shape::Five {
                continue;
            }
            for sign in [-1, 1] {
                let more = (1..)
                    .map_while(|steps| self.lines.step(cell, direction, sign * steps))
                    .take_while(|&next| self.lines.stone(next) == Some(color));
                row.extend(more);
            }
        }
        if !row.is_empty() {
            row.push(cell);
            row.sort_unstable();
        }
        row
    }

    fn set_up(&mut self, cell: u16, stone: Option<Color>) {
        self.play_on();
        if let Some(old) = self.lines.stone(cell) {
            self.toggle(cell, old);
            self.stones -= 1;
        }
        if let Some(color) = stone {
            self.toggle(cell, color);
            self.stones += 1;
        }
    }

    /// The position is being set up: an opening or an end that came before is past. Without a choice, the first
    /// player has black.
    fn play_on(&mut self) {
        self.phase = Phase::Play;
        self.holders = self.holders.or(Some([0, 1]));
        self.end = None;
        self.row.clear();
    }

    /// What counts as a five for a colour.
    pub fn row_of(&self, color: Color) -> Row {
        self.options.rule.row(color)
    }
}

#[cfg(test)]
mod tests;
