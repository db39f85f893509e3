//! The game that a session plays, its clocks, and the search for a move.

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::ai::player::{Player, Strength};
use crate::gtp::clock::{Clock, System};
use crate::gtp::line::Line;
use crate::gtp::{Input, commands};
use crate::rng::Rng;
use crate::rules::{Action, Color, Game, Illegal, OptionError, Options, RuleSet};

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

/// A game under way by the protocol.
pub struct Session {
    pub(super) settings: Settings,
    pub(super) rules: RuleSet,
    pub(super) game: Game,
    /// The games before each move, for `undo` and for a change of komi.
    past: Vec<Game>,
    /// What was played since the start, one list per command.
    played: Vec<Vec<Action>>,
    pub(super) clocks: [Clock; 2],
    rng: Rng,
    /// The last search, whose tree the next may go on with.
    player: Option<Player>,
}

/// Why a move was not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PlayError {
    /// The rules refuse it.
    #[error("illegal move: {0}")]
    Illegal(#[from] Illegal),
}

impl Session {
    /// An empty board of 19 lines.
    ///
    /// # Errors
    /// The rule set's own options do not fit together, which none of them does.
    pub fn new(settings: Settings) -> Result<Session, OptionError> {
        let rules = settings.rules;
        let game = Game::new(rules.options(19))?;
        Ok(Session {
            rng: Rng::new(settings.seed),
            rules,
            game,
            past: Vec::new(),
            played: Vec::new(),
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

    /// Begins a new game.
    pub(super) fn begin(&mut self, options: Options) -> Result<(), OptionError> {
        self.game = Game::new(options)?;
        self.past.clear();
        self.played.clear();
        self.player = None;
        Ok(())
    }

    /// Goes on from a game that was loaded.
    pub(super) fn load(&mut self, game: Game) {
        self.game = game;
        self.past.clear();
        self.played.clear();
        self.player = None;
    }

    /// Whether anything was played since the start.
    pub(super) fn is_fresh(&self) -> bool {
        self.past.is_empty()
            && self.game.position().board().stones(Color::Black) == 0
            && self.game.position().board().stones(Color::White) == 0
    }

    /// Plays for a colour, whoever's turn it is, also after two passes or a resignation.
    pub(super) fn play(&mut self, color: Color, action: Action) -> Result<(), PlayError> {
        let mut game = self.game.clone();
        let mut actions = Vec::new();
        actions.extend(game.turn_to(color));
        actions.push(action);
        for &action in &actions {
            game.apply(action)?;
        }
        self.past.push(std::mem::replace(&mut self.game, game));
        self.played.push(actions);
        Ok(())
    }

    /// Takes the last command that played something back; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(game) = self.past.pop() else {
            return false;
        };
        self.played.pop();
        self.game = game;
        self.player = None;
        true
    }

    /// Plays the game so far again under other options.
    ///
    /// # Errors
    /// The options do not fit, or a move is not legal under them; nothing has changed then.
    pub(super) fn change(&mut self, options: Options) -> Result<(), String> {
        let mut game = Game::new(options).map_err(|error| error.to_string())?;
        let mut past = Vec::new();
        for (number, actions) in (1..).zip(&self.played) {
            past.push(game.clone());
            for &action in actions {
                game.apply(action)
                    .map_err(|error| format!("move {number} would be illegal: {error}"))?;
            }
        }
        self.game = game;
        self.past = past;
        self.player = None;
        Ok(())
    }

    /// A search for `color`, whose turn it is made; it goes on with the last one's tree if it can.
    pub(super) fn search(&mut self, color: Color, strength: Strength) -> Option<Player> {
        let mut game = self.game.clone();
        for action in game.turn_to(color) {
            game.apply(action).ok()?;
        }
        let seed = self.rng.next_u64();
        if let Some(mut player) = self.player.take()
            && player.strength() == strength
            && player.advance(&game)
        {
            return Some(player);
        }
        Player::new(&game, strength, self.settings.threads, seed)
    }

    /// Keeps a search for the next move.
    pub(super) fn keep(&mut self, player: Player) {
        self.player = Some(player);
    }

    /// What to play with in so much time.
    pub(super) fn strength_within(&self, time: Option<Duration>) -> Strength {
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

    /// Time for a move of `color` by its clock or by the settings; `None` without a limit.
    pub(super) fn time_for(&self, color: Color) -> Option<Duration> {
        let area = u32::from(self.game.position().board().area());
        let clock = self.clocks[color.index()].allot(area, self.game.move_number());
        self.settings.time.or(clock)
    }

    /// Thinks about a move for `color` within its time and its play-outs.
    pub(super) fn think(&mut self, color: Color) -> Action {
        let started = Instant::now();
        let time = self.time_for(color);
        let strength = self.strength_within(time);
        let Some(mut player) = self.search(color, strength) else {
            return Action::Pass;
        };
        match time {
            Some(time) => think_for(&mut player, time, self.settings.time.is_none()),
            None => {
                player.run(Duration::from_secs(24 * 3_600), &AtomicBool::new(false));
            }
        }
        let action = player.decide();
        self.keep(player);
        self.clocks[color.index()].spend(started.elapsed());
        action
    }
}

/// Searches for about `time`. It ends before, when nothing that could still be found would change the
/// move; and where the clock allows it goes on for half as long again, when the most visited move is
/// not the one that wins most.
fn think_for(player: &mut Player, time: Duration, may_extend: bool) {
    const SLICE: Duration = Duration::from_millis(25);
    let never = AtomicBool::new(false);
    let started = Instant::now();
    let mut end = time;
    let mut is_extended = false;
    loop {
        let spent = started.elapsed();
        let Some(left) = end.checked_sub(spent).filter(|left| !left.is_zero()) else {
            if may_extend && !is_extended && !player.search().is_sure() {
                is_extended = true;
                end = time + time / 2;
                continue;
            }
            return;
        };
        if player.run(left.min(SLICE), &never) {
            return;
        }
        let spent = started.elapsed().as_secs_f64().max(1e-3);
        let rate = player.search().playouts() as f64 / spent;
        let to_come = rate * end.saturating_sub(started.elapsed()).as_secs_f64();
        if player.search().is_decided(to_come as u64) {
            return;
        }
    }
}
