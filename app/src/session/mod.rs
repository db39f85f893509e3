//! One game being played: its record, its state, whose turn it is, undo and redo.
//!
//! Play, redo, hint and load all go one way: text → `parse_move` → `apply` →
//! record ([`record`]). The record is the truth, the state a cache of it. The
//! opponent thinks on a thread of its own ([`worker`]). Nothing here draws,
//! writes a file, or knows a game.

pub mod record;
pub mod worker;

pub use record::{Record, RecordError, Seat};

use crate::plugins::{Game, GameError, Lang, Plugin};
use qiju_abi::{
    GP_EVENT_END, GP_EVENT_WIN, GP_MOVE_FLAG, GP_MOVE_RESIGN, GP_MOVE_TIMEOUT, GP_NONE,
    GP_OUTCOME_RUNNING, GP_STATUS_FINAL, GP_VIEWER_PUBLIC, GpMove, GpStatus,
};

/// A copy of the state is kept after every so many moves at first, from which undo replays.
const SNAPSHOT_EVERY: usize = 8;

/// So many copies are kept at the most: when there are more, every second one goes, and the distance
/// between them doubles. A record of 20,000 moves must not fill the memory.
const SNAPSHOTS: usize = 64;

/// A game being played.
pub struct Session {
    plugin: Plugin,
    record: Record,
    game: Game,
    /// States after 0, n, 2 n, … moves of the line, where n is `spacing`.
    snapshots: Vec<Game>,
    spacing: usize,
    /// Who was to move before each move on the board, and who is now.
    turns: Vec<u16>,
    /// Labels of the whole line in the language asked for last.
    labels: Labels,
}

#[derive(Default)]
struct Labels {
    lang: Option<Lang>,
    texts: Vec<String>,
}

/// Why a session cannot be begun or gone on with.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SessionError {
    /// The record belongs to another game.
    #[error("the record is of \"{found}\", not of \"{expected}\"")]
    OtherGame {
        /// The plugin's id.
        expected: String,
        /// The record's.
        found: String,
    },
    /// The record cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A move of the record is not possible.
    #[error("move {number} (\"{text}\"): {cause}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// As it stands in the record.
        text: String,
        /// What the game says.
        cause: GameError,
    },
    /// The game itself says no.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl Session {
    /// A new game.
    ///
    /// # Errors
    /// The options cannot be taken, or the game failed.
    pub fn start(
        plugin: &Plugin,
        options: toml::Table,
        seed: u64,
        seats: Vec<Seat>,
        lang: Lang,
    ) -> Result<Self, SessionError> {
        let version = &plugin.describe(lang).version;
        let record = Record::new(plugin.id(), version, options, seed, seats);
        Self::replay(plugin, record, lang)
    }

    /// A game from its record: the code that playing it ran.
    ///
    /// # Errors
    /// The record is of another game, or holds a move that its game refuses; the message names it.
    pub fn replay(plugin: &Plugin, mut record: Record, lang: Lang) -> Result<Self, SessionError> {
        if record.game != plugin.id() {
            return Err(SessionError::OtherGame {
                expected: plugin.id().to_owned(),
                found: record.game,
            });
        }
        let sides = plugin.describe(lang).sides.len();
        let levels = plugin.describe(lang).levels.len();
        record.seats.resize(sides, Seat::Person);
        for seat in &mut record.seats {
            if let Seat::Computer { level } = seat {
                if levels == 0 || !plugin.has_ai() {
                    *seat = Seat::Person;
                } else {
                    *level = (*level).min(u32::try_from(levels - 1).unwrap_or(u32::MAX));
                }
            }
        }
        let game = plugin.create(&record.options, record.seed(), lang)?;
        let turns = vec![game.status()?.to_move];
        let snapshots = vec![game.try_clone()?];
        let mut session = Self {
            plugin: plugin.clone(),
            record,
            game,
            snapshots,
            spacing: SNAPSHOT_EVERY,
            turns,
            labels: Labels::default(),
        };
        let texts: Vec<String> = session.record.played().map(str::to_owned).collect();
        for (ply, text) in texts.iter().enumerate() {
            session.apply(text).map_err(|cause| SessionError::Move {
                number: ply + 1,
                text: text.clone(),
                cause,
            })?;
        }
        Ok(session)
    }

    /// The game's plugin.
    pub fn plugin(&self) -> &Plugin {
        &self.plugin
    }

    /// The state as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The record as it stands.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Who plays each side.
    pub fn seats(&self) -> &[Seat] {
        &self.record.seats
    }

    /// Where the game stands.
    ///
    /// # Errors
    /// The game failed.
    pub fn status(&self) -> Result<GpStatus, GameError> {
        self.game.status()
    }

    /// Whose turn it is; `None` if nobody's.
    pub fn to_move(&self) -> Option<u16> {
        self.turns.last().copied().filter(|&turn| turn != GP_NONE)
    }

    /// Who sits on a side.
    pub fn seat(&self, side: u16) -> Option<Seat> {
        self.record.seats.get(usize::from(side)).copied()
    }

    /// The level of the computer whose turn it is, if it is a computer's.
    pub fn computer_to_move(&self) -> Option<(u16, u32)> {
        let side = self.to_move()?;
        match self.seat(side)? {
            Seat::Computer { level } => Some((side, level)),
            Seat::Person => None,
        }
    }

    /// Through whose eyes the board is shown: the only person's, the person's
    /// whose turn it is, or the public's.
    pub fn viewer(&self) -> u16 {
        let mut people = (0_u16..)
            .zip(&self.record.seats)
            .filter(|(_, seat)| **seat == Seat::Person);
        match (people.next(), people.next()) {
            (Some((only, _)), None) => only,
            (None, _) => GP_VIEWER_PUBLIC,
            (Some((first, _)), Some(_)) => {
                let to_move = self
                    .to_move()
                    .filter(|&side| self.seat(side) == Some(Seat::Person));
                // In a timed phase nobody is to move: the last person to move goes on looking.
                let last = || {
                    self.turns
                        .iter()
                        .rev()
                        .copied()
                        .find(|&side| self.seat(side) == Some(Seat::Person))
                };
                to_move.or_else(last).unwrap_or(first)
            }
        }
    }

    /// Plays a move: the one way on which every move goes. Returns `GP_EVENT_*` bits.
    ///
    /// # Errors
    /// [`GameError::Illegal`] with the game as before, or the game failed.
    pub fn play(&mut self, mv: GpMove) -> Result<u32, GameError> {
        let text = self.game.move_text(mv)?;
        let events = self.apply(&text)?;
        let known = self.record.ahead() > 0
            && self
                .record
                .texts()
                .nth(self.record.at)
                .is_some_and(|next| next == text);
        self.record.push(&text);
        if !known {
            self.labels.texts.truncate(self.record.at.saturating_sub(1));
        }
        Ok(events)
    }

    /// Text → move → state; the record is the caller's business.
    fn apply(&mut self, text: &str) -> Result<u32, GameError> {
        let mv = self.game.parse_move(text)?;
        let events = self.game.apply(mv)?;
        self.turns.push(self.game.status()?.to_move);
        let plies = self.turns.len() - 1;
        if plies.is_multiple_of(self.spacing) && self.snapshots.len() == plies / self.spacing {
            self.snapshots.push(self.game.try_clone()?);
            if self.snapshots.len() > SNAPSHOTS {
                let mut number = 0_usize;
                self.snapshots.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.spacing *= 2;
            }
        }
        Ok(events)
    }

    /// Gives up for the side to move, or, while the computer thinks, for the person beside it.
    ///
    /// # Errors
    /// The game does not know resigning, or is over.
    pub fn resign(&mut self) -> Result<u32, GameError> {
        self.play(GpMove {
            kind: GP_MOVE_RESIGN,
            from: GP_NONE,
            to: GP_NONE,
            arg: 0,
        })
    }

    /// The time of a phase has run out. `dealt_again`: it was cut short since the app was hidden.
    ///
    /// # Errors
    /// No timed phase runs.
    pub fn timeout(&mut self, dealt_again: bool) -> Result<u32, GameError> {
        self.play(GpMove {
            kind: GP_MOVE_TIMEOUT,
            from: GP_NONE,
            to: GP_NONE,
            arg: dealt_again.into(),
        })
    }

    /// Whether a move, if played, ends the game for another reason than the board's.
    pub fn is_surrender(mv: GpMove) -> bool {
        mv.kind == GP_MOVE_RESIGN || mv.kind == GP_MOVE_FLAG
    }

    /// Whether the events of a move tell of the end.
    pub fn ends(events: u32) -> bool {
        events & (GP_EVENT_WIN | GP_EVENT_END) != 0
    }

    /// Whether the game is over.
    pub fn over(&self) -> bool {
        self.game
            .status()
            .is_ok_and(|status| status.outcome != GP_OUTCOME_RUNNING)
    }

    /// How many moves undo takes back: to the last turn of a person, so that
    /// against a computer both moves go. 0: none can be.
    pub fn undo_depth(&self) -> usize {
        let at = self.record.at;
        if at == 0
            || self
                .game
                .status()
                .is_ok_and(|status| status.flags & GP_STATUS_FINAL != 0)
        {
            return 0;
        }
        let person_at = |ply: &usize| {
            self.turns.get(*ply).and_then(|&side| self.seat(side)) == Some(Seat::Person)
        };
        match (0..at).rev().find(person_at) {
            Some(ply) => at - ply,
            // Only computers play: one move at a time.
            None if !self.record.seats.contains(&Seat::Person) => 1,
            // The computer began, and no person has moved yet.
            None => 0,
        }
    }

    /// Takes back moves until a person's turn. Returns how many.
    ///
    /// # Errors
    /// The game failed while it was replayed; the session is as before.
    pub fn undo(&mut self) -> Result<usize, GameError> {
        let depth = self.undo_depth();
        if depth > 0 {
            self.rewind(self.record.at - depth)?;
        }
        Ok(depth)
    }

    /// Plays undone moves again, up to the next turn of a person. Returns how many.
    ///
    /// # Errors
    /// The game failed; the moves before are on the board.
    pub fn redo(&mut self) -> Result<usize, GameError> {
        let texts: Vec<String> = self
            .record
            .texts()
            .skip(self.record.at)
            .map(str::to_owned)
            .collect();
        let mut done = 0;
        for text in texts {
            self.apply(&text)?;
            self.record.at += 1;
            done += 1;
            let person = self.to_move().and_then(|side| self.seat(side)) == Some(Seat::Person);
            if person || !self.record.seats.contains(&Seat::Person) {
                break;
            }
        }
        Ok(done)
    }

    /// Whether a move can be redone.
    pub fn can_redo(&self) -> bool {
        self.record.ahead() > 0
    }

    /// Sets the board to the position after `ply` moves of the line, before or behind. Back over a move
    /// that may not be undone it does not go. Returns how many moves lie between.
    ///
    /// # Errors
    /// The game failed; going ahead, the moves before are on the board.
    pub fn go_to(&mut self, ply: usize) -> Result<usize, GameError> {
        let ply = ply.min(self.record.line.len());
        let at = self.record.at;
        if ply < at {
            if self.game.status()?.flags & GP_STATUS_FINAL != 0 {
                return Ok(0);
            }
            self.rewind(ply)?;
            return Ok(at - ply);
        }
        let texts: Vec<String> = self
            .record
            .texts()
            .take(ply)
            .skip(at)
            .map(str::to_owned)
            .collect();
        for text in texts {
            self.apply(&text)?;
            self.record.at += 1;
        }
        Ok(ply - at)
    }

    /// The moves that the record has behind the position on the board: one for each variation, with
    /// its label, the one of the line first. None is there at the end of a line.
    ///
    /// # Errors
    /// The game cannot read a move of the record.
    pub fn variations(&self, lang: Lang) -> Result<Vec<(usize, String)>, GameError> {
        let last = self
            .record
            .at
            .checked_sub(1)
            .and_then(|ply| self.record.line.get(ply));
        let parent = last.map_or(-1, |&index| index as i64);
        let next = self.record.line.get(self.record.at).copied();
        let mut found = Vec::new();
        for (index, node) in self.record.nodes.iter().enumerate() {
            if node.parent == parent {
                let mv = self.game.parse_move(&node.text)?;
                found.push((index, self.game.move_label(mv, lang)?));
            }
        }
        found.sort_by_key(|&(index, _)| (Some(index) != next, index));
        Ok(found)
    }

    /// Goes on along another variation: node `index` follows from the position on the board and is
    /// played; what the record has behind it becomes the line.
    ///
    /// # Errors
    /// The game refuses the move; nothing has changed then.
    pub fn follow(&mut self, index: usize) -> Result<(), GameError> {
        let text = self.record.nodes.get(index).map(|node| node.text.clone());
        let text = text.ok_or(GameError::Illegal)?;
        self.apply(&text)?;
        let at = self.record.at;
        let is_on_line = self.record.line.get(at) == Some(&index);
        if !is_on_line {
            self.record.line.truncate(at);
            self.labels.texts.truncate(at);
            let mut next = Some(index);
            while let Some(node) = next {
                self.record.line.push(node);
                next = self.record.first_child(node);
            }
        }
        self.record.at += 1;
        Ok(())
    }

    /// The comment on the position on the board; empty without one.
    pub fn comment(&self) -> &str {
        match self.record.at.checked_sub(1) {
            Some(ply) => {
                let node = self
                    .record
                    .line
                    .get(ply)
                    .and_then(|&index| self.record.nodes.get(index));
                node.map_or("", |node| node.comment.as_str())
            }
            None => self
                .record
                .meta
                .get("comment")
                .and_then(toml::Value::as_str)
                .unwrap_or(""),
        }
    }

    /// Sets the board back to the position after `ply` moves of the line.
    fn rewind(&mut self, ply: usize) -> Result<(), GameError> {
        let nearest = (ply / self.spacing).min(self.snapshots.len().saturating_sub(1));
        let Some(snapshot) = self.snapshots.get(nearest) else {
            return Err(GameError::Resource);
        };
        let from = nearest * self.spacing;
        let mut game = snapshot.try_clone()?;
        for text in self.record.texts().skip(from).take(ply - from) {
            game.apply(game.parse_move(text)?)?;
        }
        self.game = game;
        self.turns.truncate(ply + 1);
        self.snapshots.truncate(ply / self.spacing + 1);
        self.record.at = ply;
        Ok(())
    }

    /// The record as text for the disk; `result` in one line once the game is over.
    ///
    /// # Errors
    /// Only for a kept key that cannot be written, which no read record has.
    pub fn text_to_save(&mut self, result: Option<String>) -> Result<String, toml::ser::Error> {
        match result {
            Some(result) => self
                .record
                .meta
                .insert("result".to_owned(), toml::Value::String(result)),
            None => self.record.meta.remove("result"),
        };
        self.record.write()
    }

    /// Changes who plays a side, in the middle of a game.
    pub fn set_seat(&mut self, side: usize, seat: Seat) {
        if let Some(place) = self.record.seats.get_mut(side) {
            *place = seat;
        }
    }

    /// The label of every move of the line in a language, and who played it.
    ///
    /// # Errors
    /// The game failed.
    pub fn labels(&mut self, lang: Lang) -> Result<Vec<(String, u16)>, GameError> {
        if self.labels.lang != Some(lang) {
            self.labels = Labels {
                lang: Some(lang),
                texts: Vec::new(),
            };
        }
        self.labels.texts.truncate(self.record.line.len());
        let known = self.labels.texts.len();
        if known < self.record.line.len() {
            // A label needs the state before its move: replay from the nearest one kept.
            let nearest = (known / self.spacing).min(self.snapshots.len().saturating_sub(1));
            let Some(snapshot) = self.snapshots.get(nearest) else {
                return Err(GameError::Resource);
            };
            let mut game = snapshot.try_clone()?;
            for (ply, text) in self.record.texts().enumerate().skip(nearest * self.spacing) {
                let mv = game.parse_move(text)?;
                if ply >= known {
                    self.labels.texts.push(game.move_label(mv, lang)?);
                }
                game.apply(mv)?;
            }
        }
        let turn = |ply: usize| self.turns.get(ply).copied().unwrap_or(GP_NONE);
        Ok(self
            .labels
            .texts
            .iter()
            .enumerate()
            .map(|(ply, text)| (text.clone(), turn(ply)))
            .collect())
    }
}
