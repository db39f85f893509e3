//! A whole game of Go: options, handicap, turns, agreement on dead stones, the end and its result.
//!
//! Rule sets are presets over flags ([`RuleSet`] over [`Options`]); the sources of each are named
//! there. What all of them share:
//!
//! * Players alternate, black first; a pass is always allowed.
//! * Two passes in a row open the **counting phase** (all but Tromp–Taylor): stones that are
//!   thought dead are proposed ([`crate::ai::ending`]), the players mark whole groups dead or alive,
//!   and when both agree the game is scored. Either may have play go on instead; the side whose
//!   turn it would have been then moves.
//! * **Fixed handicap** stones stand on the points of the Go Text Protocol, version 2, section
//!   4.1.1, in its order; **free handicap** stones are black's first moves (section 4.1.2). White
//!   moves then.
//!
//! Records may set up stones and turns at any moment ([`Action::Setup`], [`Action::Turn`]).

use std::fmt;
use std::sync::OnceLock;

use thiserror::Error;

pub use crate::board::Color;
pub use crate::position::{Illegal, KoRule, Position, SetupError};
pub use crate::score::{Count, Scoring};

use crate::ai::ending;

/// The smallest side of a game. Nobody plays on fewer than 5 lines but in records and puzzles.
pub const MIN_SIZE: u8 = 2;
/// The largest side of a game.
pub const MAX_SIZE: u8 = crate::board::MAX_SIZE;
/// Komi lies between this and its negative, in half points.
pub const MAX_KOMI: i32 = 1_000;
/// The most handicap stones.
pub const MAX_HANDICAP: u8 = 9;

/// What white gets for black's handicap stones under area scoring, where each of them is itself a
/// point of black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point for each stone but the first.
    AllButOne,
    /// A point for each stone.
    All,
}

/// What a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Side of the board, [`MIN_SIZE`] to [`MAX_SIZE`].
    pub size: u8,
    /// What white is given, in half points: 15 is 7.5.
    pub komi: i32,
    /// Handicap stones: 0 or 2 to [`max_handicap`] of the size (free: to [`MAX_HANDICAP`]).
    pub handicap: u8,
    /// Whether black places the handicap stones where he likes.
    pub free_handicap: bool,
    /// The ko rule.
    pub ko: KoRule,
    /// Whether suicide is allowed.
    pub suicide: bool,
    /// How points are counted.
    pub scoring: Scoring,
    /// Whether a pass hands the other side a prisoner; white then passes last.
    pub pass_stones: bool,
    /// What white gets for handicap stones under area scoring.
    pub handicap_bonus: HandicapBonus,
    /// Whether two passes open the counting phase; otherwise every stone on the board lives and
    /// the game is over.
    pub agreement: bool,
}

impl Default for Options {
    fn default() -> Self {
        RuleSet::Chinese.options(9)
    }
}

/// A published rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// 中国围棋规则 of the Chinese Weiqi Association, 2002: area scoring (article 12), suicide
    /// forbidden (article 5), no whole board may come back (article 6, 禁止全局同形, read as positional
    /// superko), komi of 3¾ stones, which is 7.5 points. White gets a point for each handicap stone
    /// (KataGo, "Supported Go Rules": white handicap bonus N).
    Chinese,
    /// 日本囲碁規約 of the Nihon Ki-in and Kansai Ki-in, 1989: territory scoring (articles 8–10), only
    /// the immediate retaking of a ko is forbidden (article 6), komi of 6.5 as is customary since
    /// 2002. Longer cycles go on until a side deviates; the text's "no result" (article 12) is left
    /// to the players.
    Japanese,
    /// AGA Concise Rules of Go, 1991: situational superko, suicide forbidden, pass stones with white
    /// passing last, so that counting territory gives the same margin as counting area; komi of
    /// 7.5. No compensation for handicap stones is needed then: under area scoring it would be all
    /// but one.
    Aga,
    /// Rules of the New Zealand Go Society: area scoring, situational superko, suicide allowed, komi
    /// of 7, nothing for handicap stones.
    NewZealand,
    /// The logical rules of John Tromp and Bill Taylor, 1995: area scoring of the board as it stands,
    /// positional superko, suicide allowed. The text leaves komi open; 7.5 is customary.
    TrompTaylor,
}

impl RuleSet {
    /// All of them, the default first.
    pub const ALL: [RuleSet; 5] = [
        RuleSet::Chinese,
        RuleSet::Japanese,
        RuleSet::Aga,
        RuleSet::NewZealand,
        RuleSet::TrompTaylor,
    ];

    /// Its name in options and on command lines.
    pub fn id(self) -> &'static str {
        match self {
            RuleSet::Chinese => "chinese",
            RuleSet::Japanese => "japanese",
            RuleSet::Aga => "aga",
            RuleSet::NewZealand => "new-zealand",
            RuleSet::TrompTaylor => "tromp-taylor",
        }
    }

    /// Its name in SGF's RU property (those that the file format names, then the customary one).
    pub fn sgf_name(self) -> &'static str {
        match self {
            RuleSet::Chinese => "Chinese",
            RuleSet::Japanese => "Japanese",
            RuleSet::Aga => "AGA",
            RuleSet::NewZealand => "NZ",
            RuleSet::TrompTaylor => "Tromp-Taylor",
        }
    }

    /// An even game under these rules.
    pub fn options(self, size: u8) -> Options {
        let area = Options {
            size,
            komi: 15,
            handicap: 0,
            free_handicap: false,
            ko: KoRule::PositionalSuperko,
            suicide: false,
            scoring: Scoring::Area,
            pass_stones: false,
            handicap_bonus: HandicapBonus::None,
            agreement: true,
        };
        match self {
            RuleSet::Chinese => Options {
                handicap_bonus: HandicapBonus::All,
                ..area
            },
            RuleSet::Japanese => Options {
                komi: 13,
                ko: KoRule::Simple,
                scoring: Scoring::Territory,
                ..area
            },
            RuleSet::Aga => Options {
                ko: KoRule::SituationalSuperko,
                scoring: Scoring::Territory,
                pass_stones: true,
                handicap_bonus: HandicapBonus::AllButOne,
                ..area
            },
            RuleSet::NewZealand => Options {
                komi: 14,
                ko: KoRule::SituationalSuperko,
                suicide: true,
                ..area
            },
            RuleSet::TrompTaylor => Options {
                suicide: true,
                agreement: false,
                ..area
            },
        }
    }

    /// The rule set whose flags a game has, whatever its board, komi and handicap.
    pub fn of(options: &Options) -> Option<RuleSet> {
        RuleSet::ALL.into_iter().find(|rules| {
            let preset = Options {
                komi: options.komi,
                handicap: options.handicap,
                free_handicap: options.free_handicap,
                ..rules.options(options.size)
            };
            preset == *options
        })
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
    /// More stones than are ever given.
    #[error("handicap: 0 or 2 to {most} stones are placed freely, not {handicap}")]
    FreeHandicap {
        /// The most that the board takes.
        most: u8,
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

/// The most handicap stones that black may place freely: half of a very small board, so that white
/// has something to play for.
pub fn max_free_handicap(size: u8) -> u8 {
    u8::try_from(u16::from(size) * u16::from(size) / 2)
        .map_or(MAX_HANDICAP, |half| half.min(MAX_HANDICAP))
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

/// What a player can do, and what a record can say.
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
    /// In the counting phase: the stones that share the fate of the stone on this cell are marked
    /// dead, or alive if they were dead.
    Toggle(u16),
    /// In the counting phase: the side whose turn it is agrees to the marks.
    Agree,
    /// In the counting phase: the marks are again what was proposed.
    Propose,
    /// In the counting phase: play goes on.
    Resume,
    /// A record puts a stone on a cell or takes it off; nothing is captured.
    Setup(u16, Option<Color>),
    /// A record gives a side the turn; nothing changes where it has it.
    Turn(Color),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The board was counted.
    Score,
    /// This side gave up.
    Resigned(Color),
    /// This side's clock ran out.
    TimeOut(Color),
}

/// What is being done in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Black places his free handicap stones; so many are left.
    Handicap(u8),
    /// Ordinary play.
    Play,
    /// Dead stones are being agreed on.
    Counting,
    /// The game is over.
    Over,
}

/// A score, in half points so that it is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Black's points.
    pub black: i32,
    /// White's, with komi and what it gets for handicap.
    pub white: i32,
}

impl Score {
    /// Black's lead; negative if white leads.
    pub fn lead(self) -> i32 {
        self.black - self.white
    }
}

/// The marks of the counting phase. The proposal takes a while to find, so it is looked for when
/// it is first needed; it follows from the position alone.
#[derive(Clone, Debug)]
struct Marks {
    /// Per cell; whole groups. With the toggles in it.
    dead: OnceLock<Vec<bool>>,
    /// Cells whose groups were toggled before `dead` was needed, in their order: a file may hold thousands of counted ends
    /// that nobody looks at.
    toggles: Vec<u16>,
    /// Whether a player has changed them.
    touched: bool,
    /// Whether the side whose turn it is not agrees to them.
    other_agrees: bool,
    /// Whose turn it is to mark and to agree.
    turn: Color,
}

/// A game under way or over.
#[derive(Clone)]
pub struct Game {
    options: Options,
    position: Position,
    /// Free handicap stones still to be placed.
    handicap_left: u8,
    /// Passes in a row just before now.
    passes: u8,
    /// The counting phase, while it lasts and once it has decided the game.
    marks: Option<Marks>,
    end: Option<End>,
    move_number: u32,
    /// The last action and the one before it.
    last: [Option<Action>; 2],
}

impl Game {
    /// A new game, fixed handicap stones placed.
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
        let Options { handicap, .. } = options;
        let most = max_free_handicap(options.size);
        if options.free_handicap && handicap != 0 && !(2..=most).contains(&handicap) {
            return Err(OptionError::FreeHandicap { most, handicap });
        }
        let fixed = if options.free_handicap { 0 } else { handicap };
        let stones: Vec<(u16, Color)> = handicap_points(options.size, fixed)?
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
        let mut game = Game::from_position(options, position);
        game.handicap_left = if options.free_handicap { handicap } else { 0 };
        Ok(game)
    }

    /// A game that begins from a position, which has been set up with the same options.
    fn from_position(options: Options, position: Position) -> Game {
        Game {
            options,
            position,
            handicap_left: 0,
            passes: 0,
            marks: None,
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

    /// What is being done.
    pub fn phase(&self) -> Phase {
        match (self.end, &self.marks, self.handicap_left) {
            (Some(_), _, _) => Phase::Over,
            (None, Some(_), _) => Phase::Counting,
            (None, None, 0) => Phase::Play,
            (None, None, left) => Phase::Handicap(left),
        }
    }

    /// Whose turn it is, unless the game is over; in the counting phase, whose agreement is asked
    /// for.
    pub fn to_move(&self) -> Option<Color> {
        if self.end.is_some() {
            return None;
        }
        let marks = self.marks.as_ref();
        Some(marks.map_or(self.position.to_move(), |marks| marks.turn))
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Actions so far, passes included.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The last action and the one before it.
    pub fn last(&self) -> [Option<Action>; 2] {
        self.last
    }

    /// Whether the last move was a pass, so that another ends play.
    pub fn last_was_pass(&self) -> bool {
        self.passes > 0
    }

    /// Whether a pass now would end play.
    pub fn pass_ends_play(&self) -> bool {
        let white_is_last = !self.options.pass_stones || self.position.to_move() == Color::White;
        self.passes > 0 && white_is_last
    }

    /// What white gets for black's handicap stones, in half points.
    pub fn handicap_bonus(&self) -> i32 {
        let stones = i32::from(self.options.handicap);
        let points = match (self.options.scoring, self.options.handicap_bonus) {
            (Scoring::Territory, _) | (_, HandicapBonus::None) => 0,
            (Scoring::Area, HandicapBonus::AllButOne) => (stones - 1).max(0),
            (Scoring::Area, HandicapBonus::All) => stones,
        };
        2 * points
    }

    /// What white gets on top of its points, in half points: komi, and the bonus for handicap.
    pub fn white_bonus(&self) -> i32 {
        self.options.komi + self.handicap_bonus()
    }

    /// Which stones are taken for dead, per cell: in the counting phase the proposal and what the
    /// players made of it, afterwards what they agreed on; none before.
    pub fn dead(&self) -> &[bool] {
        self.marks.as_ref().map_or(&[], |marks| {
            let found = marks.dead.get_or_init(|| {
                let mut dead = self.proposal();
                for &cell in &marks.toggles {
                    self.toggle_in(&mut dead, cell);
                }
                dead
            });
            found.as_slice()
        })
    }

    /// Which stones look dead in this position, per cell.
    pub fn proposal(&self) -> Vec<bool> {
        let board = self.position.board();
        ending::dead_stones(board, self.position.to_move(), board.key())
    }

    /// The board counted with the dead stones of [`Game::dead`].
    pub fn count(&self) -> Count {
        self.count_with(self.dead())
    }

    /// The board counted with the given dead stones, per cell.
    pub fn count_with(&self, dead: &[bool]) -> Count {
        let seki_counts = self.options.scoring == Scoring::Area || self.options.pass_stones;
        Count::new(self.position.board(), dead, seki_counts)
    }

    /// The score with the dead stones of [`Game::dead`].
    pub fn score(&self) -> Score {
        self.score_of(&self.count())
    }

    /// The score that a count leads to.
    pub fn score_of(&self, count: &Count) -> Score {
        let scoring = self.options.scoring;
        let [black, white] = count.points(scoring);
        let prisoners = |color| match scoring {
            Scoring::Area => 0,
            Scoring::Territory => self.position.captures(color),
        };
        let half = |points: u32| i32::try_from(points).map_or(i32::MAX / 4, |points| 2 * points);
        Score {
            black: half(black.saturating_add(prisoners(Color::Black))),
            white: half(white.saturating_add(prisoners(Color::White))) + self.white_bonus(),
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

    /// What has to be done for `color` to be able to play: out of the counting phase, and the turn.
    /// Records and protocols have any side move at any time.
    pub fn turn_to(&self, color: Color) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut turn = self.to_move();
        if self.phase() == Phase::Counting {
            actions.push(Action::Resume);
            turn = Some(self.position.to_move());
        }
        if turn != Some(color) {
            actions.push(Action::Turn(color));
        }
        actions
    }

    /// Whether an action is possible now.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        let phase = self.phase();
        match (action, phase) {
            (Action::Setup(cell, _), _) => match self.position.board().point(cell) {
                Some(_) => Ok(()),
                None => Err(Illegal::OffBoard),
            },
            (Action::Turn(_), _) => Ok(()),
            (_, Phase::Over) => Err(Illegal::GameOver),
            (Action::Resign | Action::TimeOut(_), _) => Ok(()),
            (Action::Place(cell), Phase::Play | Phase::Handicap(_)) => self.position.check(cell),
            (Action::Pass, Phase::Play) => Ok(()),
            (Action::Toggle(cell), Phase::Counting) => match self.position.board().point(cell) {
                None => Err(Illegal::OffBoard),
                Some(point) if self.position.board().is_empty(point) => Err(Illegal::NoStone),
                Some(_) => Ok(()),
            },
            (Action::Agree | Action::Resume, Phase::Counting) => Ok(()),
            (Action::Propose, Phase::Counting) => match &self.marks {
                Some(marks) if marks.touched => Ok(()),
                _ => Err(Illegal::WrongPhase),
            },
            (Action::Place(_), Phase::Counting) => Err(Illegal::Counting),
            (Action::Pass, Phase::Handicap(_)) => Err(Illegal::HandicapFirst),
            (
                Action::Pass | Action::Toggle(_) | Action::Agree | Action::Propose | Action::Resume,
                Phase::Play | Phase::Handicap(_) | Phase::Counting,
            ) => Err(Illegal::WrongPhase),
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
            Action::Place(cell) => taken = self.place(cell)?,
            Action::Pass => self.pass(),
            Action::Resign => self.end = self.to_move().map(End::Resigned),
            Action::TimeOut(color) => self.end = Some(End::TimeOut(color)),
            Action::Toggle(cell) => self.toggle(cell),
            Action::Agree => self.agree(),
            Action::Propose => self.open_counting(self.to_move()),
            Action::Resume => self.play_on(),
            Action::Setup(cell, stone) => {
                self.position.set_stone(cell, stone)?;
                self.play_on();
                self.handicap_left = 0;
            }
            Action::Turn(color) => self.give_turn(color),
        }
        self.move_number = self.move_number.saturating_add(1);
        self.last = [Some(action), self.last[0]];
        Ok(taken)
    }

    fn place(&mut self, cell: u16) -> Result<u32, Illegal> {
        let taken = self.position.play(cell)?;
        self.passes = 0;
        if self.handicap_left > 0 {
            self.handicap_left -= 1;
            if self.handicap_left > 0 {
                self.position.set_to_move(Color::Black);
            }
        }
        Ok(taken)
    }

    fn pass(&mut self) {
        let ends_play = self.pass_ends_play();
        if self.options.pass_stones {
            let other = !self.position.to_move();
            self.position.hand_over(other, 1);
        }
        self.position.pass();
        self.passes = self.passes.saturating_add(1);
        match (ends_play, self.options.agreement) {
            (false, _) => {}
            (true, true) => self.open_counting(None),
            (true, false) => self.end = Some(End::Score),
        }
    }

    /// The marks are what is proposed; it is `turn`'s turn, or that of the side which would move.
    fn open_counting(&mut self, turn: Option<Color>) {
        self.marks = Some(Marks {
            dead: OnceLock::new(),
            toggles: Vec::new(),
            touched: false,
            other_agrees: false,
            turn: turn.unwrap_or(self.position.to_move()),
        });
    }

    /// Toggles the group on `cell`: now if the marks are known, else once they are needed.
    fn toggle(&mut self, cell: u16) {
        let known = self.marks.as_ref().and_then(|marks| marks.dead.get());
        let toggled = known.cloned().map(|mut dead| {
            self.toggle_in(&mut dead, cell);
            dead
        });
        if let Some(marks) = &mut self.marks {
            match toggled {
                Some(dead) => marks.dead = OnceLock::from(dead),
                None => marks.toggles.push(cell),
            }
            marks.touched = true;
            marks.other_agrees = false;
        }
    }

    /// Marks the group on `cell`, and all of its colour that it reaches over empty points and
    /// stones of its colour, dead or alive.
    fn toggle_in(&self, dead: &mut Vec<bool>, cell: u16) {
        let board = self.position.board();
        let Some(start) = board.point(cell) else {
            return;
        };
        let Some(color) = board.stone(start) else {
            return;
        };
        dead.resize(usize::from(board.area()), false);
        let was_dead = dead.get(usize::from(cell)) == Some(&true);
        let mut seen = vec![false; dead.len()];
        let mut found = vec![start];
        while let Some(point) = found.pop() {
            let index = usize::from(board.cell(point));
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            if board.stone(point) == Some(color) {
                dead[index] = !was_dead;
            }
            let next = board.neighbors(point);
            found.extend(
                next.into_iter()
                    .filter(|&n| board.is_empty(n) || board.stone(n) == Some(color)),
            );
        }
    }

    fn agree(&mut self) {
        match &mut self.marks {
            Some(marks) if marks.other_agrees => self.end = Some(End::Score),
            Some(marks) => {
                marks.other_agrees = true;
                marks.turn = !marks.turn;
            }
            None => {}
        }
    }

    /// Gives `color` the turn. Where it has it already, nothing changes; else the counting phase
    /// and the end are over.
    fn give_turn(&mut self, color: Color) {
        if self.to_move() == Some(color) {
            return;
        }
        if !matches!(self.phase(), Phase::Play | Phase::Handicap(_)) {
            self.play_on();
        }
        if self.position.to_move() != color {
            self.passes = 0;
            self.handicap_left = 0;
            self.position.set_to_move(color);
        }
    }

    /// Back to ordinary play, from whatever phase.
    fn play_on(&mut self) {
        self.end = None;
        self.marks = None;
        self.passes = 0;
    }

    /// The cells where the side to move may place a stone, in ascending order; none outside play.
    pub fn legal_cells(&self) -> Vec<u16> {
        if !matches!(self.phase(), Phase::Play | Phase::Handicap(_)) {
            return Vec::new();
        }
        let cells = 0..self.position.board().area();
        cells
            .filter(|&cell| self.position.check(cell).is_ok())
            .collect()
    }

    /// A key of everything that decides how the game goes on: position, repetitions forbidden,
    /// passes, marks and end.
    pub fn key(&self) -> u64 {
        let mut key = self.position.history_key();
        let mut add = |part: u64| key = crate::rng::split_mix(key ^ part).0;
        add(match self.end {
            None => 0,
            Some(End::Score) => 1,
            Some(End::Resigned(color)) => 2 + color.index() as u64,
            Some(End::TimeOut(color)) => 4 + color.index() as u64,
        });
        let options = &self.options;
        for part in [
            u64::from(self.passes),
            u64::from(self.handicap_left),
            u64::from(self.white_bonus().unsigned_abs()),
            u64::from(self.white_bonus() < 0),
            u64::from(options.size),
            options.scoring as u64 * 4
                + u64::from(options.pass_stones) * 2
                + u64::from(options.agreement),
        ] {
            add(part);
        }
        if options.scoring == Scoring::Territory {
            for color in Color::ALL {
                add(u64::from(self.position.captures(color)));
            }
        }
        if let Some(marks) = &self.marks {
            add(1 + u64::from(marks.other_agrees) * 2 + marks.turn as u64 * 4);
            // An untouched proposal follows from the position.
            if marks.touched {
                for (cell, _) in (1_u64..).zip(self.dead()).filter(|(_, dead)| **dead) {
                    add(cell);
                }
            }
        }
        key
    }
}

#[cfg(test)]
mod tests;
