//! Taps, keys and buttons: from what the player does to a move.

use qiju_abi::{
    GP_MOVE_PASS, GP_MOVE_PLACE, GP_MOVE_RESIGN, GP_MOVE_STEP, GP_MOVE_TAP, GP_NONE, GpMove,
};
use slint::ComponentHandle;

use super::super::{App, index, number};
use super::Wanted;
use crate::plugins::{GameError, Lang};
use crate::session::Seat;
use crate::store::ConfirmMove;
use crate::{Play as PlayScreen, words};

/// Below this many logical pixels per cell a finger easily hits the wrong one.
const SMALL_CELL_PX: f32 = 34.0;

/// What a tap on a cell means.
enum Meaning {
    /// Exactly one move.
    Move(GpMove),
    /// Several moves: the player chooses.
    Ask(Vec<GpMove>),
    /// The first click of a two-click move.
    Select(u16),
    /// Nothing is selected any more.
    Deselect,
    /// No legal move; why not.
    Refused(String),
}

impl App {
    pub(super) fn tap(&self, area: i32, cell: i32) {
        let place = match (index(area), index(cell)) {
            (Some(area), Some(cell)) => {
                let state = self.0.state.borrow();
                state
                    .play
                    .as_ref()
                    .and_then(|play| play.board.cell(area, cell))
            }
            _ => None,
        };
        if let Some(cell) = place {
            self.hide_cursor();
            self.tap_cell(cell);
        }
    }

    fn tap_cell(&self, cell: u16) {
        let lang = self.lang();
        if !self.person_may_move() {
            return;
        }
        let confirms = {
            let state = self.0.state.borrow();
            let Some(play) = &state.play else { return };
            play.pending.is_some_and(|mv| mv.to == cell)
        };
        if confirms {
            return self.confirm();
        }
        let meaning = match self.meaning(cell, lang) {
            Ok(meaning) => meaning,
            Err(error) => return self.refuse(words::game_failed(lang, &error.to_string())),
        };
        let confirm_first = self.confirm_first();
        let mut state = self.0.state.borrow_mut();
        let Some(play) = &mut state.play else { return };
        play.asking.clear();
        play.refusal.clear();
        play.pending = None;
        match meaning {
            // A mark or a card is no move that a slip of the finger would lose.
            Meaning::Move(mv) if confirm_first && mv.kind != GP_MOVE_TAP => play.pending = Some(mv),
            Meaning::Move(mv) => {
                drop(state);
                return self.play_move(mv);
            }
            Meaning::Ask(moves) => play.asking = moves,
            Meaning::Select(cell) => play.selected = Some(cell),
            Meaning::Deselect => play.selected = None,
            Meaning::Refused(why) => play.refusal = why,
        }
        drop(state);
        self.refresh_play();
    }

    /// Whether a person may move now; says so if it is the computer's turn.
    fn person_may_move(&self) -> bool {
        let lang = self.lang();
        let mut state = self.0.state.borrow_mut();
        let Some(play) = &mut state.play else {
            return false;
        };
        if play.session.over() {
            return false;
        }
        match play
            .session
            .to_move()
            .and_then(|side| play.session.seat(side))
        {
            Some(Seat::Person) => true,
            Some(Seat::Computer { .. }) => {
                play.refusal = words::wait_for_computer(lang);
                drop(state);
                self.refresh_play();
                false
            }
            // Nobody is to move: taps during a timed phase cost nothing.
            None => false,
        }
    }

    /// What a tap on a cell means here.
    fn meaning(&self, cell: u16, lang: Lang) -> Result<Meaning, GameError> {
        let state = self.0.state.borrow();
        let Some(play) = &state.play else {
            return Ok(Meaning::Deselect);
        };
        let game = play.session.game();
        let moves = game.moves(None)?;
        let one_or_ask = |mut found: Vec<GpMove>| match found.len() {
            0 => None,
            1 => found.pop().map(Meaning::Move),
            _ => Some(Meaning::Ask(found)),
        };
        if let Some(from) = play.selected {
            let steps = moves
                .iter()
                .filter(|mv| mv.from == from && mv.to == cell)
                .copied()
                .collect();
            if let Some(meaning) = one_or_ask(steps) {
                return Ok(meaning);
            }
            if from == cell {
                return Ok(Meaning::Deselect);
            }
        }
        let clicks = moves
            .iter()
            .filter(|mv| mv.from == GP_NONE && mv.to == cell)
            .copied()
            .collect();
        if let Some(meaning) = one_or_ask(clicks) {
            return Ok(meaning);
        }
        if moves.iter().any(|mv| mv.from == cell) {
            return Ok(Meaning::Select(cell));
        }
        // Not legal: the game explains the move that was most likely meant.
        let meant = match play.selected {
            Some(from) => GpMove {
                kind: GP_MOVE_STEP,
                from,
                to: cell,
                arg: 0,
            },
            None => {
                let kind = match moves.iter().find(|mv| mv.to != GP_NONE) {
                    Some(mv) if mv.kind == GP_MOVE_STEP => GP_MOVE_STEP,
                    Some(mv) if mv.kind == GP_MOVE_TAP => GP_MOVE_TAP,
                    _ => GP_MOVE_PLACE,
                };
                if kind == GP_MOVE_STEP {
                    return Ok(Meaning::Deselect);
                }
                GpMove {
                    kind,
                    from: GP_NONE,
                    to: cell,
                    arg: 0,
                }
            }
        };
        let why = game.explain(meant, lang)?;
        Ok(Meaning::Refused(if why.is_empty() {
            words::not_legal(lang)
        } else {
            why
        }))
    }

    /// Whether a tap is shown first and played after a second one.
    fn confirm_first(&self) -> bool {
        let state = self.0.state.borrow();
        match state.settings.confirm_move {
            ConfirmMove::Always => true,
            ConfirmMove::Never => false,
            ConfirmMove::Auto => {
                let px = state
                    .play
                    .as_ref()
                    .and_then(|play| play.units.first().copied())
                    .unwrap_or(0);
                let logical = px as f32 / self.0.window.window().scale_factor().max(0.1);
                px > 0 && logical < SMALL_CELL_PX
            }
        }
    }

    /// Plays the move that waits for confirmation.
    pub fn confirm(&self) {
        let mv = match &mut self.0.state.borrow_mut().play {
            Some(play) => play.pending.take(),
            None => None,
        };
        if let Some(mv) = mv {
            self.play_move(mv);
        }
    }

    /// Takes back what has only been begun: a pending move, a question, a selection.
    pub(super) fn cancel_pending(&self) {
        if let Some(play) = &mut self.0.state.borrow_mut().play {
            play.pending = None;
            play.asking.clear();
            play.selected = None;
            play.hint = None;
            play.refusal.clear();
        }
        self.refresh_play();
    }

    /// A button of the game's own.
    pub(super) fn choose(&self, choice: i32) {
        let mv = {
            let state = self.0.state.borrow();
            state
                .play
                .as_ref()
                .and_then(|play| play.choices.get(index(choice)?).copied())
        };
        if let Some(mv) = mv
            && self.person_may_move()
        {
            self.play_move(mv);
        }
    }

    /// Moves the keyboard's cell; the first key shows it in the middle of the board.
    pub(super) fn move_cursor(&self, dx: i32, dy: i32) {
        let turned = self.0.window.global::<PlayScreen>().get_turned();
        let (dx, dy) = if turned { (-dx, -dy) } else { (dx, dy) };
        let mut state = self.0.state.borrow_mut();
        let Some(play) = &mut state.play else { return };
        play.cursor = match play.cursor {
            Some(cell) => play.board.neighbour(cell, dx, dy).or(Some(cell)),
            None => {
                let main = play.board.layout().areas.first();
                main.and_then(|area| {
                    let (cols, rows) = (area.cols as usize, area.rows as usize);
                    play.board.cell(0, rows / 2 * cols + cols / 2)
                })
            }
        };
        drop(state);
        self.refresh_cursor();
    }

    pub(super) fn activate_cursor(&self) {
        let cell = self
            .0
            .state
            .borrow()
            .play
            .as_ref()
            .and_then(|play| play.cursor);
        if let Some(cell) = cell {
            self.tap_cell(cell);
        }
    }

    fn hide_cursor(&self) {
        if let Some(play) = &mut self.0.state.borrow_mut().play {
            play.cursor = None;
        }
        self.refresh_cursor();
    }

    fn refresh_cursor(&self) {
        let state = self.0.state.borrow();
        let place = state
            .play
            .as_ref()
            .and_then(|play| play.board.place(play.cursor?));
        drop(state);
        let screen = self.0.window.global::<PlayScreen>();
        screen.set_cursor_area(place.map_or(-1, |(area, _)| number(area)));
        screen.set_cursor_cell(place.map_or(-1, |(_, cell)| number(cell)));
    }

    pub(super) fn pass(&self) {
        if self.person_may_move() {
            self.play_move(GpMove {
                kind: GP_MOVE_PASS,
                from: GP_NONE,
                to: GP_NONE,
                arg: 0,
            });
        }
    }

    /// Gives up for the person to move.
    pub fn resign(&self) {
        if self.person_may_move() {
            self.play_move(GpMove {
                kind: GP_MOVE_RESIGN,
                from: GP_NONE,
                to: GP_NONE,
                arg: 0,
            });
        }
    }

    /// Puts the position after so many moves of the line on the board.
    pub(super) fn go_to(&self, ply: i32) {
        let Some(ply) = index(ply) else { return };
        self.walk(|session| session.go_to(ply));
    }

    /// Goes on along the variation with this number among those that are offered.
    pub(super) fn follow(&self, variation: i32) {
        let node = {
            let state = self.0.state.borrow();
            let play = state.play.as_ref();
            play.and_then(|play| play.variations.get(index(variation)?).copied())
        };
        if let Some(node) = node {
            self.walk(|session| session.follow(node).map(|()| 1));
        }
    }

    pub(super) fn undo(&self) {
        self.walk(|session| session.undo());
    }

    pub(super) fn redo(&self) {
        self.walk(|session| session.redo());
    }

    /// Undo or redo: the opponent is cancelled, what has only been begun is dropped, the new place is saved.
    fn walk(&self, step: impl FnOnce(&mut crate::session::Session) -> Result<usize, GameError>) {
        let lang = self.lang();
        let result = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            play.worker.cancel();
            play.waiting = None;
            play.selected = None;
            play.pending = None;
            play.asking.clear();
            play.hint = None;
            play.analysis = None;
            play.refusal.clear();
            step(&mut play.session)
        };
        match result {
            Ok(0) => {}
            Ok(_) => self.save_game(),
            Err(error) => self.refuse(words::game_failed(lang, &error.to_string())),
        }
        self.refresh_play();
        self.resume();
    }

    /// Switches an overlay on; the one that is on, or −1, off.
    pub fn show_overlay(&self, overlay: i32) {
        let chosen = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            let wanted = index(overlay);
            play.overlay = if wanted == play.overlay { None } else { wanted };
            play.board.forget();
            play.analysis = None;
            if play.wanted == Wanted::Analysis {
                play.worker.cancel();
            }
            play.overlay
        };
        self.0
            .window
            .global::<PlayScreen>()
            .set_overlay(chosen.map_or(-1, number));
        self.remember_overlay();
        self.analyse();
        self.refresh_play();
    }
}
