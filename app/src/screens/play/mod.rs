//! The play screen: one session on the board, the opponent's thread, the autosave.
//!
//! [`input`] turns taps and keys into moves, [`show`] brings the screen in line
//! with the session, [`draw`] has boards and pieces drawn. This file holds what
//! they share, and the turn of events: move → disk → opponent → move.

mod draw;
mod input;
mod show;

use std::rc::Rc;
use std::time::Duration;

use qiju_abi::GpMove;
use slint::{ComponentHandle, ModelRc, Timer, TimerMode, VecModel};

use super::{App, Board, number};
use crate::plugins::{AiParams, AiReport, GameError, Lang};
use crate::session::worker::{News, Worker};
use crate::session::{Seat, Session};
use crate::store::Ticket;
use crate::{AreaView, MoveRow, Play as PlayScreen, PlayerRow, words};

pub(super) use draw::{cover, side_sprite};

/// How long the opponent looks for a hint.
const HINT_MS: u64 = 2_000;

/// How long an analysis goes on for one position; then the machine is left alone.
const ANALYSIS_MS: u64 = 5_000;

/// Moves that an analysis shows.
const ANALYSIS_MOVES: u16 = 8;

/// Keys of a game's settings: id of the overlay that is on; whether the analysis is.
const OVERLAY_KEY: &str = "overlay";
const ANALYSIS_KEY: &str = "analysis";

/// What is on the board.
pub(super) struct Play {
    pub(super) session: Session,
    worker: Worker,
    wanted: Wanted,
    board: Board,
    areas: Rc<VecModel<AreaView>>,
    players: Rc<VecModel<PlayerRow>>,
    moves: Rc<VecModel<MoveRow>>,
    /// Physical pixels of a cell, per area; 0 until the screen has told.
    units: Vec<u32>,
    /// First click of a two-click move.
    selected: Option<u16>,
    /// A move that waits for the player's confirmation.
    pending: Option<GpMove>,
    /// The keyboard's cell.
    cursor: Option<u16>,
    hint: Option<Hint>,
    /// What the analysis of this position has found so far.
    analysis: Option<AiReport>,
    /// Index of the overlay that is on; the one behind the game's own is the analysis.
    overlay: Option<usize>,
    refusal: String,
    /// The moves behind the buttons on screen.
    choices: Vec<GpMove>,
    /// The nodes of the record behind the buttons for variations.
    variations: Vec<usize>,
    /// Several moves fit the player's click: he chooses among these.
    asking: Vec<GpMove>,
    /// The last move on its way to the disk.
    saving: Option<Ticket>,
    /// What the player asked for while the last move was on its way to the disk.
    waiting: Option<Waiting>,
    /// Runs while a timed phase does.
    clock: Timer,
}

/// What the running search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Move,
    Hint,
    Analysis,
}

/// A hint on the board.
struct Hint {
    mv: GpMove,
    line: String,
}

/// An action that waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Play(GpMove),
    Think,
}

impl App {
    pub(super) fn bind_play(&self) {
        let screen = self.0.window.global::<PlayScreen>();
        macro_rules! bind {
            ($($on:ident => $method:ident($($arg:ident),*);)*) => {$(
                let weak = self.weak();
                screen.$on(move |$($arg),*| weak.with(|app| app.$method($($arg),*)));
            )*};
        }
        bind! {
            on_tap => tap(area, cell);
            on_move_cursor => move_cursor(dx, dy);
            on_activate_cursor => activate_cursor();
            on_go_to => go_to(ply);
            on_follow => follow(variation);
            on_undo => undo();
            on_redo => redo();
            on_hint => hint();
            on_pass => pass();
            on_resign => resign();
            on_confirm => confirm();
            on_cancel => cancel_pending();
            on_choose => choose(choice);
            on_show_overlay => show_overlay(overlay);
            on_again => play_again();
            on_new_game => new_game_of_play();
            on_rules => rules_of_play();
            on_unit_changed => unit_changed(area, px);
        }
    }

    /// Puts a session on the board. The screen need not be open yet.
    pub(super) fn begin(&self, session: Session) {
        let lang = self.lang();
        let layout = match session.game().layout(lang) {
            Ok(layout) => layout,
            Err(error) => return self.notice(words::game_failed(lang, &error.to_string())),
        };
        let board = Board::new(layout, session.plugin().describe(lang), lang);
        let areas = Rc::new(VecModel::from(board.area_views()));
        // A board of the same shape keeps its size on screen, and then the screen does not tell it again.
        let units = {
            let state = self.0.state.borrow();
            match &state.play {
                Some(old) if old.units.len() == board.layout().areas.len() => old.units.clone(),
                _ => vec![0; board.layout().areas.len()],
            }
        };
        let overlay = self.remembered_overlay(&session);
        let play = Play {
            session,
            worker: Worker::default(),
            wanted: Wanted::Move,
            board,
            areas: areas.clone(),
            players: Rc::default(),
            moves: Rc::default(),
            units,
            selected: None,
            pending: None,
            cursor: None,
            hint: None,
            analysis: None,
            overlay,
            refusal: String::new(),
            choices: Vec::new(),
            variations: Vec::new(),
            asking: Vec::new(),
            saving: None,
            waiting: None,
            clock: Timer::default(),
        };
        let screen = self.0.window.global::<PlayScreen>();
        screen.set_overlay(overlay.map_or(-1, number));
        screen.set_players(ModelRc::from(play.players.clone()));
        screen.set_moves(ModelRc::from(play.moves.clone()));
        self.0.state.borrow_mut().play = Some(play);
        self.redraw_all();
        screen.set_areas(ModelRc::from(areas));
        self.refresh_play();
    }

    /// Goes on where the game stands: the opponent thinks if it is his turn, a timed phase runs.
    pub(super) fn resume(&self) {
        self.start_clock();
        self.think();
        self.analyse();
    }

    /// Whether the analysis is switched on.
    fn analysis_is_on(play: &Play) -> bool {
        let describe = play.session.plugin().describe(Lang::En);
        play.overlay == Some(describe.overlays.len())
    }

    /// Whether the players are agreeing on an end, where there is nothing to search.
    fn is_agreeing(play: &Play) -> Result<bool, GameError> {
        let game = play.session.game();
        let has_tally = game.tally(play.session.viewer(), Lang::En)?.is_some();
        Ok(has_tally && show::is_agreement(&game.moves(None)?, has_tally))
    }

    /// The overlay that was on when the game was last played.
    fn remembered_overlay(&self, session: &Session) -> Option<usize> {
        let describe = session.plugin().describe(Lang::En);
        let state = self.0.state.borrow();
        let chosen = state.settings.games.get(session.plugin().id())?;
        if chosen.get(ANALYSIS_KEY).and_then(toml::Value::as_bool) == Some(true) {
            let can = session.plugin().has_ai() && !describe.levels.is_empty();
            return can.then_some(describe.overlays.len());
        }
        let id = chosen.get(OVERLAY_KEY)?.as_str()?;
        describe
            .overlays
            .iter()
            .position(|overlay| overlay.id == id)
    }

    /// Keeps which overlay is on for the next game.
    fn remember_overlay(&self) {
        let mut state = self.0.state.borrow_mut();
        let Some(play) = &state.play else { return };
        let plugin = play.session.plugin().clone();
        let overlay = play.overlay;
        let is_analysis = Self::analysis_is_on(play);
        let table = state
            .settings
            .games
            .entry(plugin.id().to_owned())
            .or_default();
        table.insert(ANALYSIS_KEY.to_owned(), toml::Value::Boolean(is_analysis));
        match overlay.and_then(|overlay| plugin.describe(Lang::En).overlays.get(overlay)) {
            Some(overlay) => {
                table.insert(OVERLAY_KEY.to_owned(), overlay.id.clone().into());
            }
            None => drop(table.remove(OVERLAY_KEY)),
        }
        let settings = state.settings.clone();
        state.store.save_settings(&settings);
    }

    /// Has the opponent look at the position if the analysis is on and a person is to move.
    fn analyse(&self) {
        let wake = self.waker();
        let seed = self.seed();
        let failed = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            let mover = play.session.to_move();
            let is_person = mover.and_then(|side| play.session.seat(side)) == Some(Seat::Person);
            let (Some(player), true) = (mover, is_person && Self::analysis_is_on(play)) else {
                return;
            };
            // It looks through the eyes of who looks at the board, and no other's.
            if play.session.over() || play.worker.thinking() || play.session.viewer() != player {
                return;
            }
            if Self::is_agreeing(play).unwrap_or(true) {
                return;
            }
            play.wanted = Wanted::Analysis;
            play.analysis = None;
            let params = AiParams {
                level: top_level(play),
                threads: threads(),
                seed,
                node_limit: 0,
                time_ms: ANALYSIS_MS,
                player,
                candidates: ANALYSIS_MOVES,
                hint: true,
                infinite: true,
            };
            play.worker
                .start(play.session.game(), &params, Box::new(wake))
                .err()
        };
        if let Some(error) = failed {
            self.refuse(words::opponent_failed(self.lang(), &error.to_string()));
        }
    }

    /// Stops the opponent and the clock.
    pub(super) fn rest(&self) {
        if let Some(play) = &mut self.0.state.borrow_mut().play {
            play.worker.cancel();
            play.clock.stop();
            play.waiting = None;
        }
        self.refresh_play();
    }

    /// Has the opponent think if it is a computer's turn.
    fn think(&self) {
        let seed = self.seed();
        let wake = self.waker();
        let failed = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            let Some((player, level)) = play.session.computer_to_move() else {
                return;
            };
            if play.session.over() || play.worker.thinking() {
                return;
            }
            if play.saving.as_ref().is_some_and(|ticket| !ticket.is_done()) {
                play.waiting = Some(Waiting::Think);
                return;
            }
            play.wanted = Wanted::Move;
            let params = AiParams {
                level,
                threads: threads(),
                seed,
                node_limit: 0,
                time_ms: 0,
                player,
                candidates: 0,
                hint: false,
                infinite: false,
            };
            play.worker
                .start(play.session.game(), &params, Box::new(wake))
                .err()
        };
        if let Some(error) = failed {
            self.refuse(words::opponent_failed(self.lang(), &error.to_string()));
        }
        self.refresh_play();
    }

    /// Asks the opponent for the best move here; asks again to stop asking.
    pub fn hint(&self) {
        let wake = self.waker();
        let seed = self.seed();
        let lang = self.lang();
        let failed = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            if play.worker.thinking() {
                if play.wanted != Wanted::Move {
                    play.worker.cancel();
                }
                if play.wanted != Wanted::Analysis {
                    drop(state);
                    return self.refresh_play();
                }
            }
            let Some(player) = play.session.to_move() else {
                return;
            };
            if !play.session.plugin().has_ai() || play.session.over() {
                return;
            }
            // A game that fails here says so when the screen is brought in line.
            if Self::is_agreeing(play).unwrap_or(true) {
                return;
            }
            play.wanted = Wanted::Hint;
            play.hint = None;
            play.refusal.clear();
            let params = AiParams {
                level: top_level(play),
                threads: threads(),
                seed,
                node_limit: 0,
                time_ms: HINT_MS,
                player,
                candidates: 5,
                hint: true,
                infinite: false,
            };
            play.worker
                .start(play.session.game(), &params, Box::new(wake))
                .err()
        };
        if let Some(error) = failed {
            self.refuse(words::opponent_failed(lang, &error.to_string()));
        }
        self.refresh_play();
    }

    /// Plays a move for whoever's turn it is, saves, and gives the turn on.
    fn play_move(&self, mv: GpMove) {
        let lang = self.lang();
        let result = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            if play.saving.as_ref().is_some_and(|ticket| !ticket.is_done()) {
                play.waiting = Some(Waiting::Play(mv));
                return;
            }
            play.worker.cancel();
            play.selected = None;
            play.pending = None;
            play.asking.clear();
            play.hint = None;
            play.analysis = None;
            match play.session.play(mv) {
                Ok(events) => {
                    play.refusal.clear();
                    Ok(events)
                }
                Err(GameError::Illegal) => {
                    let why = play.session.game().explain(mv, lang).unwrap_or_default();
                    Err(Some(if why.is_empty() {
                        words::not_legal(lang)
                    } else {
                        why
                    }))
                }
                Err(error) => Err(Some(words::game_failed(lang, &error.to_string()))),
            }
        };
        match result {
            Ok(_) => {
                self.save_game();
                self.refresh_play();
                self.resume();
            }
            Err(why) => self.refuse(why.unwrap_or_default()),
        }
    }

    /// Puts the record on its way to the disk.
    pub(super) fn save_game(&self) {
        let wake = self.waker();
        let mut state = self.0.state.borrow_mut();
        let store = state.store.clone();
        let Some(play) = &mut state.play else { return };
        let result = show::result_text(&play.session);
        match play.session.text_to_save(result) {
            Ok(text) => {
                let id = play.session.plugin().id();
                play.saving = Some(store.save_game_then(id, text, Box::new(move |_| wake())));
            }
            Err(error) => tracing::error!("the record cannot be written: {error}"),
        }
    }

    /// Starts the clock of a timed phase, if one runs.
    fn start_clock(&self) {
        let weak = self.weak();
        let state = self.0.state.borrow();
        let Some(play) = &state.play else { return };
        play.clock.stop();
        let timeout_ms = play.session.status().map_or(0, |status| status.timeout_ms);
        if timeout_ms > 0 {
            let due = Duration::from_millis(timeout_ms.into());
            play.clock.start(TimerMode::SingleShot, due, move || {
                weak.with(App::time_is_up)
            });
        }
    }

    fn time_is_up(&self) {
        let result = {
            let mut state = self.0.state.borrow_mut();
            let Some(play) = &mut state.play else { return };
            play.session.timeout(false)
        };
        match result {
            Ok(_) => {
                self.save_game();
                self.refresh_play();
                self.resume();
            }
            Err(error) => self.refuse(words::game_failed(self.lang(), &error.to_string())),
        }
    }

    /// Takes finished saves and the opponent's news.
    pub(super) fn pump_play(&self) {
        loop {
            let (waiting, news) = {
                let mut state = self.0.state.borrow_mut();
                let Some(play) = &mut state.play else { return };
                if play.saving.as_ref().is_some_and(Ticket::is_done) {
                    play.saving = None;
                }
                let waiting = if play.saving.is_none() {
                    play.waiting.take()
                } else {
                    None
                };
                (waiting, play.worker.news())
            };
            match waiting {
                Some(Waiting::Play(mv)) => self.play_move(mv),
                Some(Waiting::Think) => self.think(),
                None => {}
            }
            match news {
                Some(news) => self.take_news(news),
                None if waiting.is_none() => return,
                None => {}
            }
        }
    }

    /// Waits until the opponent has answered and the record is on disk.
    pub(super) fn settle_play(&self) {
        loop {
            self.pump_play();
            let ticket = {
                let state = self.0.state.borrow();
                state.play.as_ref().and_then(|play| play.saving.clone())
            };
            if let Some(ticket) = ticket {
                // A failed write is told by the store's own notice.
                let _ = ticket.wait();
                continue;
            }
            let news = {
                let mut state = self.0.state.borrow_mut();
                let Some(play) = &mut state.play else { return };
                play.worker.wait()
            };
            match news {
                Some(news) => self.take_news(news),
                None => return,
            }
        }
    }

    fn take_news(&self, news: News) {
        let wanted = match &self.0.state.borrow().play {
            Some(play) => play.wanted,
            None => return,
        };
        let lang = self.lang();
        match (news, wanted) {
            (News::Done(AiReport { best: Some(mv), .. }), Wanted::Move) => self.play_move(mv),
            (News::Done(_), Wanted::Move) => {
                self.refuse(words::opponent_failed(lang, &words::no_hint(lang)));
            }
            (News::Done(report), Wanted::Hint) => self.show_hint(&report),
            (News::Thinking(report) | News::Done(report), Wanted::Analysis) => {
                if let Some(play) = &mut self.0.state.borrow_mut().play {
                    play.analysis = Some(report);
                }
                self.refresh_play();
            }
            (News::Thinking(_), _) => {}
            (News::Failed(error), _) => {
                self.refuse(words::opponent_failed(lang, &error.to_string()))
            }
        }
    }

    fn show_hint(&self, report: &AiReport) {
        let lang = self.lang();
        let mut state = self.0.state.borrow_mut();
        let Some(play) = &mut state.play else { return };
        match report.best {
            Some(mv) => {
                let line = show::line_text(play.session.game(), &report.line, mv, lang);
                play.hint = Some(Hint {
                    mv,
                    line: words::hint_line(lang, &line, report.win_permille),
                });
            }
            None => play.refusal = words::no_hint(lang),
        }
        drop(state);
        self.refresh_play();
    }

    /// Shows why something was not done.
    fn refuse(&self, why: String) {
        tracing::debug!("refused: {why}");
        if let Some(play) = &mut self.0.state.borrow_mut().play {
            play.refusal = why;
        }
        self.refresh_play();
    }

    fn rules_of_play(&self) {
        let id = self
            .0
            .state
            .borrow()
            .play
            .as_ref()
            .map(|play| play.session.plugin().id().to_owned());
        if let Some(id) = id {
            self.open_rules(&id);
        }
    }
}

/// The strongest level of the game on the board.
fn top_level(play: &Play) -> u32 {
    let levels = play.session.plugin().describe(Lang::En).levels.len();
    u32::try_from(levels.saturating_sub(1)).unwrap_or(0)
}

/// Threads for a search: all cores.
fn threads() -> u32 {
    std::thread::available_parallelism().map_or(1, |count| u32::try_from(count.get()).unwrap_or(1))
}
