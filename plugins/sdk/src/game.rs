//! The two traits that a game implements.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use qiju_abi::{GP_MAX_PLAYERS, GpCell, GpMove};

use crate::describe::{Describe, Level};
use crate::lang::Lang;
use crate::layout::Layout;
use crate::options::{OptionError, Options};
use crate::tally::Tally;

/// One state of a game, with its rules.
///
/// A state is pure: equal options, seed and moves give an equal state on every
/// machine. It reads no clock, no file and no randomness but its seed.
pub trait Game: Clone + Send + Sync + 'static {
    /// The opponent; [`NoAi`] for a game that has none.
    type Ai: Ai<Self>;

    /// All that is static. Under 10 ms.
    fn describe(lang: Lang) -> Describe;

    /// A new game.
    ///
    /// # Errors
    /// Options that each are valid but do not fit together; name the key.
    fn create(options: &Options, seed: u64) -> Result<Self, OptionError>;

    /// The board, the same for the whole life of a state except for its words.
    fn layout(&self, lang: Lang) -> Layout;

    /// The number of cells of the layout.
    fn cells(&self) -> usize;

    /// Fills `cells` (all empty at first, [`Game::cells`] long) with what `viewer` may see.
    /// `selected` is the first click of a two-click move.
    fn view(&self, viewer: Viewer, selected: Option<u16>, cells: &mut [GpCell]);

    /// Where the game stands.
    fn status(&self) -> Status;

    /// One line for `viewer`: whose turn, what is expected, how it ended.
    fn status_text(&self, viewer: Viewer, lang: Lang) -> String;

    /// The account of the score for `viewer`; `None` while there is nothing to account for.
    fn tally(&self, viewer: Viewer, lang: Lang) -> Option<Tally> {
        let _ = (viewer, lang);
        None
    }

    /// Appends every legal move once, in a stable order. Without resigning and set-up.
    fn moves(&self, out: &mut Vec<GpMove>);

    /// Plays a move and returns `GP_EVENT_*` bits.
    ///
    /// # Errors
    /// The move is illegal; the state is exactly as before.
    fn apply(&mut self, mv: GpMove) -> Result<u32, Illegal>;

    /// Why `mv` is illegal, in words; `None` for a legal move.
    fn explain(&self, mv: GpMove, lang: Lang) -> Option<String>;

    /// Canonical text of a move in this state: what a record stores.
    fn move_text(&self, mv: GpMove) -> String;

    /// Canonical text back into a move, which need not be legal.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn parse_move(&self, text: &str) -> Result<GpMove, String>;

    /// The move as people write it.
    fn move_label(&self, mv: GpMove, lang: Lang) -> String {
        let _ = lang;
        self.move_text(mv)
    }

    /// A neutral record into the bytes of a format of the field.
    ///
    /// # Errors
    /// The format is unknown or the record cannot be put into it.
    fn write_record(format: &str, record: &str) -> Result<Vec<u8>, RecordError> {
        let _ = record;
        Err(RecordError::unsupported(format))
    }

    /// The bytes of a file into a neutral record.
    ///
    /// # Errors
    /// Where and why the file cannot be read, with as much of it as could be.
    fn read_record(format: &str, bytes: &[u8]) -> Result<String, RecordError> {
        let _ = bytes;
        Err(RecordError::unsupported(format))
    }

    /// Fills `values` (all `GP_OVERLAY_NONE` at first, [`Game::cells`] long) with
    /// overlay `index`; false if there is none.
    fn overlay(&self, index: u32, viewer: Viewer, values: &mut [i32]) -> bool {
        let _ = (index, viewer, values);
        false
    }

    /// Level `index` of the ladder.
    fn level(index: u32, lang: Lang) -> Option<Level> {
        let _ = (index, lang);
        None
    }

    /// How level `index` went for `player`; `None` while the game runs.
    fn level_result(&self, index: u32, player: u16) -> Option<LevelResult> {
        let _ = (index, player);
        None
    }
}

/// A search over a copy of a state.
pub trait Ai<G>: Send + Sized + 'static {
    /// Begins a search.
    ///
    /// # Errors
    /// Why it cannot (a level that does not exist, nobody to move).
    fn start(state: &G, params: &AiParams) -> Result<Self, String>;

    /// Searches for about `budget`, then fills in `report` (empty at first).
    /// Looks at `cancel` often enough to return within 50 ms of its being set.
    fn step(&mut self, budget: Duration, cancel: &AtomicBool, report: &mut Report) -> Progress;
}

/// For a game without an opponent.
pub enum NoAi {}

impl<G> Ai<G> for NoAi {
    fn start(_: &G, _: &AiParams) -> Result<Self, String> {
        Err("this game has no opponent".to_owned())
    }

    fn step(&mut self, _: Duration, _: &AtomicBool, _: &mut Report) -> Progress {
        match *self {}
    }
}

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A player, who sees what is his.
    Player(u16),
    /// Somebody who sees only what is public.
    Public,
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Call again.
    More,
    /// `best` is the answer.
    Done,
}

/// The move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal;

/// How a game stands or ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It runs.
    #[default]
    Running,
    /// Somebody has won, for a reason `GP_REASON_*`.
    Win {
        /// The winner.
        winner: u16,
        /// `GP_REASON_*`.
        reason: u16,
    },
    /// Nobody has won, for a reason `GP_REASON_*`.
    Draw(u16),
    /// A solo level was passed.
    Passed(u16),
    /// A solo level was lost.
    Failed(u16),
}

/// Where the game stands; what is `None` or 0 has no meaning now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The game's own number of its phase; 0 is the ordinary one.
    pub phase: u32,
    /// The player to move.
    pub to_move: Option<u16>,
    /// How it ended, if it has.
    pub outcome: Outcome,
    /// Milliseconds after which the timeout move is due; 0: none.
    pub timeout_ms: u32,
    /// The timed phase is dealt again if the app is hidden in it.
    pub redeal_if_hidden: bool,
    /// Score per player in half points.
    pub score: Option<[i32; GP_MAX_PLAYERS]>,
    /// Pieces taken per player.
    pub captures: Option<[i32; GP_MAX_PLAYERS]>,
    /// Lives left and successes in a row.
    pub lives: Option<(i32, i32)>,
    /// The player to move is in check.
    pub check: bool,
    /// The last move may not be undone.
    pub last_move_final: bool,
    /// A pass is legal.
    pub can_pass: bool,
    /// Moves applied since the start.
    pub move_number: u32,
    /// A key of everything that decides how the game goes on.
    pub key: u64,
}

/// How a level went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelResult {
    /// Whether it was passed.
    pub passed: bool,
    /// 0–3.
    pub stars: u8,
    /// More is better.
    pub points: i32,
}

/// What a search is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AiParams {
    /// Index into the levels of `describe`.
    pub level: u32,
    /// Threads to use, at least 1.
    pub threads: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Nodes or play-outs at the most; `None`: what the level says.
    pub node_limit: Option<u64>,
    /// Time at the most; `None`: no limit.
    pub time: Option<Duration>,
    /// The player whom the search serves.
    pub player: u16,
    /// Candidates wanted at the most.
    pub candidates: usize,
    /// For teaching: as well as time allows, whatever the level, and never resign.
    pub hint: bool,
    /// Go on until cancelled or out of time.
    pub infinite: bool,
}

/// What a search knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The move it would play now.
    pub best: Option<GpMove>,
    /// Chance to win for the searching player, 0–1000.
    pub win_permille: i32,
    /// Nodes or play-outs so far.
    pub nodes: u64,
    /// Plies looked ahead along the main line.
    pub depth: u32,
    /// Moves looked at, best first.
    pub candidates: Vec<Candidate>,
    /// The line it expects, `best` first.
    pub line: Vec<GpMove>,
    /// Per cell −1000–1000, for the second player … for the first; empty if it has none.
    pub heat: Vec<i32>,
}

/// A move that a search has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move.
    pub mv: GpMove,
    /// Chance to win, 0–1000.
    pub win_permille: i32,
    /// Nodes or play-outs spent on it.
    pub visits: u32,
}

/// A record that cannot be read or written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct RecordError {
    /// For people; names line and column where there are any.
    pub message: String,
    /// Whether the format as such is not offered.
    pub unsupported: bool,
    /// The neutral record of as much as could be read.
    pub partial: Option<String>,
}

impl RecordError {
    /// The format is not offered.
    pub fn unsupported(format: &str) -> Self {
        Self {
            message: format!("no record format {format:?}"),
            unsupported: true,
            partial: None,
        }
    }
}
