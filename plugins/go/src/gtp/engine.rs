//! The game that a session plays, its clocks, and the search for a move.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::ai::player::{Player, Strength};
use crate::gtp::clock::{Allotment, Clock, System};
use crate::gtp::line::Line;
use crate::gtp::{Input, commands};
use crate::rng::Rng;
use crate::rules::{Action, Color, Game, OptionError, Options, Phase, RuleSet};
use crate::sgf::record;

/// How a session plays.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Play-outs at the most, mistakes on purpose, and whether to resign.
    pub strength: Strength,
    /// Play-outs for a move that neither a clock nor a time limits.
    pub playouts_without_clock: u64,
    /// Threads to search with.
    pub threads: u32,
    /// Time for each move, whatever the clock says; `None`: by the clock, without one by the
    /// strength alone.
    pub time: Option<Duration>,
    /// Seed of everything random.
    pub seed: u64,
    /// The rule set to begin with.
    pub rules: RuleSet,
}

/// What a game begins with.
struct Start {
    options: Options,
    /// Handicap stones that the options do not say, or what a file sets up.
    actions: Vec<Action>,
}

/// What is taken back at once.
#[derive(Clone, Debug)]
enum Step {
    /// A side plays, whoever's turn it is.
    Play(Color, Action),
    /// A move of a file, with what stands before it.
    Recorded(Vec<Action>),
}

impl Step {
    fn apply(&self, game: &mut Game) -> Result<(), String> {
        match self {
            Step::Play(color, action) => {
                for turn in game.turn_to(*color) {
                    apply(game, turn)?;
                }
                apply(game, *action)
            }
            Step::Recorded(actions) => actions.iter().try_for_each(|&action| apply(game, action)),
        }
    }
}

fn apply(game: &mut Game, action: Action) -> Result<(), String> {
    match game.apply(action) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("illegal move: {error}")),
    }
}

/// A game under way by the protocol.
pub struct Session {
    pub(super) settings: Settings,
    pub(super) game: Game,
    start: Start,
    /// What was played since the start.
    played: Vec<Step>,
    system: System,
    clocks: [Clock; 2],
    rng: Rng,
    /// The last search, whose tree the next may go on with, and the key of the game it searched.
    player: Option<(u64, Player)>,
}

impl Session {
    /// An empty board of 19 lines.
    ///
    /// # Errors
    /// The rule set's own options do not fit together, which none of them does.
    pub fn new(settings: Settings) -> Result<Session, OptionError> {
        let options = settings.rules.options(19);
        Ok(Session {
            rng: Rng::new(settings.seed),
            game: Game::new(options)?,
            start: Start {
                options,
                actions: Vec::new(),
            },
            played: Vec::new(),
            system: System::None,
            clocks: [Clock::new(System::None); 2],
            player: None,
            settings,
        })
    }

    /// Answers one line; true for `quit`.
    ///
    /// # Errors
    /// Writing failed.
    pub(super) fn answer(
        &mut self,
        line: &Line,
        input: &mut Input,
        sink: &mut impl Write,
    ) -> io::Result<bool> {
        commands::answer(self, line, input, sink)
    }

    /// Begins a new game, in which `actions` come before the first move.
    ///
    /// # Errors
    /// The options do not fit, or an action is not possible; nothing has changed then.
    pub(super) fn begin(&mut self, options: Options, actions: Vec<Action>) -> Result<(), String> {
        let start = Start { options, actions };
        self.game = replay(&start.options, &start.actions, &[])?;
        self.start = start;
        self.played.clear();
        self.player = None;
        self.clocks = [Clock::new(self.system); 2];
        Ok(())
    }

    /// Goes on from a position of a file, whose moves can be taken back.
    ///
    /// # Errors
    /// As [`Session::begin`].
    pub(super) fn load(&mut self, line: &record::Line) -> Result<(), String> {
        let options = *line.game.options();
        let mut game = Game::new(options).map_err(|error| error.to_string())?;
        let (mut start, mut steps, mut step) = (Vec::new(), Vec::new(), Vec::new());
        for &action in &line.actions {
            let is_handicap = matches!(game.phase(), Phase::Handicap(_));
            let is_move = matches!(action, Action::Place(_) | Action::Pass) && !is_handicap;
            game.apply(action).map_err(|error| error.to_string())?;
            if steps.is_empty() && !is_move && !matches!(action, Action::Turn(_)) {
                start.append(&mut step);
                start.push(action);
                continue;
            }
            step.push(action);
            if is_move {
                steps.push(Step::Recorded(std::mem::take(&mut step)));
            }
        }
        match steps.is_empty() {
            true => start.append(&mut step),
            false if !step.is_empty() => steps.push(Step::Recorded(step)),
            false => {}
        }
        self.begin(options, start)?;
        self.game = game;
        self.played = steps;
        Ok(())
    }

    /// Whether nothing was played and no stone is on the board.
    pub(super) fn is_fresh(&self) -> bool {
        self.played.is_empty()
            && self.game.position().board().stones(Color::Black) == 0
            && self.game.position().board().stones(Color::White) == 0
    }

    /// Plays for a colour, whoever's turn it is, also after two passes or a resignation.
    ///
    /// # Errors
    /// The rules refuse it; nothing has changed then.
    pub(super) fn play(&mut self, color: Color, action: Action) -> Result<(), String> {
        let step = Step::Play(color, action);
        let mut game = self.game.clone();
        step.apply(&mut game)?;
        self.game = game;
        self.played.push(step);
        Ok(())
    }

    /// Takes the last move back; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some((_, before)) = self.played.split_last() else {
            return false;
        };
        let Ok(game) = replay(&self.start.options, &self.start.actions, before) else {
            return false;
        };
        self.game = game;
        self.played.pop();
        true
    }

    /// Plays the game so far again under other options.
    ///
    /// # Errors
    /// The options do not fit, or a move is not legal under them; nothing has changed then.
    pub(super) fn change(&mut self, options: Options) -> Result<(), String> {
        self.game = replay(&options, &self.start.actions, &self.played)?;
        self.start.options = options;
        self.player = None;
        Ok(())
    }

    /// Forgets what was found by searching.
    pub(super) fn forget(&mut self) {
        self.player = None;
    }

    /// Sets both sides' clocks by a time system, for this game and those that follow.
    pub(super) fn set_time_system(&mut self, system: System) {
        self.system = system;
        self.clocks = [Clock::new(system); 2];
    }

    /// The clock of a side.
    pub(super) fn clock(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks[color.index()]
    }

    /// A search for `color`, whose turn it is made; it goes on with the last one's tree if it can.
    pub(super) fn search(&mut self, color: Color, strength: Strength) -> Option<Player> {
        let mut game = self.game.clone();
        for action in game.turn_to(color) {
            game.apply(action).ok()?;
        }
        if let Some((key, mut player)) = self.player.take()
            && player.strength() == strength
            && (key == game.key() || player.advance(&game))
        {
            return Some(player);
        }
        let seed = self.rng.next_u64();
        Player::new(&game, strength, self.settings.threads, seed)
    }

    /// Keeps a search for the next move; `color` is whose turn it was.
    pub(super) fn keep(&mut self, color: Color, player: Player) {
        let mut game = self.game.clone();
        let turn = game.turn_to(color);
        if turn.into_iter().all(|action| game.apply(action).is_ok()) {
            self.player = Some((game.key(), player));
        }
    }

    /// What to play with in so much time.
    pub(super) fn strength_within(&self, time: Option<Allotment>) -> Strength {
        let strength = self.settings.strength;
        let most = match time {
            Some(_) => strength.playouts,
            None => strength.playouts.min(self.settings.playouts_without_clock),
        };
        Strength {
            playouts: most,
            ..strength
        }
    }

    /// Time for a move of `color` by the settings or by its clock; `None` without a limit.
    pub(super) fn time_for(&self, color: Color) -> Option<Allotment> {
        let area = u32::from(self.game.position().board().area());
        match self.settings.time {
            Some(time) => Some(Allotment::exactly(time)),
            None => self.clocks[color.index()].allot(area, self.game.move_number()),
        }
    }

    /// Thinks about a move for `color` within its time and its play-outs.
    pub(super) fn think(&mut self, color: Color) -> Action {
        let time = self.time_for(color);
        let Some(mut player) = self.search(color, self.strength_within(time)) else {
            return Action::Pass;
        };
        think_for(&mut player, time, |_| {});
        let action = player.decide();
        self.keep(color, player);
        action
    }

    /// As [`Session::think`], but as if no stone were taken for dead at the end: the player takes
    /// the other side's dead stones off the board before it passes, unless it wins all the same.
    pub(super) fn think_of_cleaning_up(&mut self, color: Color) -> Action {
        let options = Options {
            agreement: false,
            ..*self.game.options()
        };
        let game = replay(&options, &self.start.actions, &self.played);
        let Ok(mut game) = game else {
            return self.think(color);
        };
        let turn = game.turn_to(color);
        let is_ready = turn.into_iter().all(|action| game.apply(action).is_ok());
        let time = self.time_for(color);
        let strength = Strength {
            resigns: false,
            ..self.strength_within(time)
        };
        let seed = self.rng.next_u64();
        match Player::new(&game, strength, self.settings.threads, seed) {
            Some(mut player) if is_ready => {
                think_for(&mut player, time, |_| {});
                player.decide()
            }
            _ => Action::Pass,
        }
    }
}

/// A game from its start.
fn replay(options: &Options, start: &[Action], played: &[Step]) -> Result<Game, String> {
    let mut game = Game::new(*options).map_err(|error| error.to_string())?;
    for &action in start {
        apply(&mut game, action)?;
    }
    for (number, step) in (1..).zip(played) {
        step.apply(&mut game)
            .map_err(|error| format!("move {number}: {error}"))?;
    }
    Ok(game)
}

/// Play-outs that are made however little time there is, so that there is a move to choose.
const FEWEST: u64 = 10;

/// Searches until the play-outs are done or about the allotted time is over, and calls `look` every
/// now and then. It ends before, when nothing that could still be found would change the move; and it
/// goes on for as long as it may, when the most visited move is not the one that wins most.
pub(super) fn think_for(
    player: &mut Player,
    allotment: Option<Allotment>,
    mut look: impl FnMut(&Player),
) {
    const SLICE: Duration = Duration::from_millis(25);
    let never = AtomicBool::new(false);
    let Some(Allotment { time, most }) = allotment else {
        while !player.run(SLICE, &never) {
            look(player);
        }
        return;
    };
    let started = Instant::now();
    let before = player.search().playouts();
    let mut end = time;
    loop {
        let left = end.saturating_sub(started.elapsed());
        if player.run(left.min(SLICE), &never) {
            return;
        }
        look(player);
        let spent = started.elapsed();
        if spent >= end {
            if player.search().playouts() < FEWEST {
                continue;
            }
            if end < most && !player.search().is_sure() {
                end = most;
                continue;
            }
            return;
        }
        let made = player.search().playouts().saturating_sub(before);
        let rate = made as f64 / spent.as_secs_f64().max(1e-3);
        let to_come = rate * (end - spent).as_secs_f64();
        if player.search().is_decided(to_come as u64) {
            return;
        }
    }
}
