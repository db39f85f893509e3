//! The game under test, and random play of it.

use qiju_abi::{GP_MOVE_PASS, GP_OUTCOME_RUNNING, GP_VIEWER_PUBLIC, GpCell, GpMove, GpStatus};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::report::Reporter;
use crate::plugins::{Describe, Game, GameError, Lang, OptionSpec, OptionType, Plugin};

/// Moves after which a random game is broken off. Games without a limit of
/// their own would never end.
const MAX_MOVES: usize = 400;
/// One in so many moves may be a pass where there is another: random games
/// would end too soon otherwise.
const PASS_RARITY: u32 = 20;
/// Moves that a failure shows of the game that led to it.
const SHOWN_MOVES: usize = 8;

/// How a check came out, if it did not fail.
pub enum Verdict {
    /// It is passed; what was looked at.
    Passed(String),
    /// It does not apply to this game; why.
    Skipped(String),
}

/// What a game did wrong, and where.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

impl From<GameError> for Fault {
    fn from(error: GameError) -> Self {
        Self(error.to_string())
    }
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self(what)
    }
}

/// Of a check: what it looked at, or what is wrong.
pub type Checked = Result<Verdict, Fault>;

/// Ends a check with a fault unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err($crate::plugins::conformance::subject::Fault(format!($($message)+)));
        }
    };
}
pub(super) use ensure;

/// A check that is passed.
pub fn passed(detail: impl Into<String>) -> Checked {
    Ok(Verdict::Passed(detail.into()))
}

/// A check that does not apply.
pub fn skipped(why: &str) -> Checked {
    Ok(Verdict::Skipped(why.to_owned()))
}

/// The game under test.
pub struct Subject<'a> {
    /// The game.
    pub plugin: Plugin,
    /// Random games of each check.
    pub games: u32,
    seed: u64,
    reporter: &'a Reporter,
}

/// How a game was begun.
#[derive(Clone, Debug)]
pub struct Start {
    /// Its options.
    pub options: toml::Table,
    /// Its seed.
    pub seed: u64,
}

/// A position that random play came to.
pub struct Position<'a> {
    /// The state.
    pub game: &'a Game,
    /// Its legal moves.
    pub moves: &'a [GpMove],
    /// Its status.
    pub status: &'a GpStatus,
    /// How the game was begun.
    pub start: &'a Start,
    /// The canonical texts of the moves up to here.
    pub texts: &'a [String],
    /// Randomness of this check.
    pub rng: &'a mut StdRng,
}

impl<'a> Subject<'a> {
    /// A game with the seed of all that is random.
    pub fn new(plugin: Plugin, seed: u64, games: u32, reporter: &'a Reporter) -> Self {
        Self {
            plugin,
            games,
            seed,
            reporter,
        }
    }

    /// The description, in English.
    pub fn describe(&self) -> &Describe {
        self.plugin.describe(Lang::En)
    }

    /// Everybody who can look: each player, and the public.
    pub fn viewers(&self) -> impl Iterator<Item = u16> + use<> {
        let sides = self.describe().sides.len() as u16;
        (0..sides).chain([GP_VIEWER_PUBLIC])
    }

    /// Randomness that depends on the seed, the check and the number of the
    /// game only, so that a check run alone does the same as among others.
    pub fn rng(&self, check: &str, game: u32) -> StdRng {
        // FNV-1a: stable from build to build, which the standard hasher is not.
        const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0100_0000_01b3;
        let words = [self.plugin.id(), check].into_iter().flat_map(str::bytes);
        let hash = words
            .chain(game.to_le_bytes())
            .chain(self.seed.to_le_bytes())
            .fold(BASIS, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(PRIME)
            });
        StdRng::seed_from_u64(hash)
    }

    /// Tells the parent that the check goes on.
    pub fn tick(&self) {
        self.reporter.tick();
    }

    /// Hands the parent something to compare with another process.
    pub fn note(&self, text: &str) {
        self.reporter.note(text);
    }

    /// A new game with every option at its default.
    ///
    /// # Errors
    /// The game does not take its own defaults.
    pub fn default_game(&self, seed: u64) -> Result<Game, Fault> {
        Ok(self.plugin.create(&toml::Table::new(), seed, Lang::En)?)
    }

    /// Begins game number `number` of a check. The even ones have the default
    /// options; the odd ones in turn the ends of each option's values, so that
    /// all are met soon, and random values. If they do not fit together, the
    /// game begins with the defaults.
    ///
    /// # Errors
    /// The game cannot be created.
    pub fn begin(&self, number: u32, rng: &mut StdRng) -> Result<(Game, Start), Fault> {
        let seed = rng.random();
        let specs = &self.describe().options;
        let turn = (number / 4) as usize;
        let options = match number % 4 {
            0 | 2 => toml::Table::new(),
            1 => (turn..)
                .zip(specs)
                .map(|(turn, spec)| (spec.key.clone(), end_value(spec, turn)))
                .collect(),
            _ => specs
                .iter()
                .map(|spec| (spec.key.clone(), random_value(spec, rng)))
                .collect(),
        };
        let start = Start { options, seed };
        match self.plugin.create(&start.options, seed, Lang::En) {
            Ok(game) => Ok((game, start)),
            Err(GameError::Option(_)) if !start.options.is_empty() => {
                let game = self.default_game(seed)?;
                let options = toml::Table::new();
                Ok((game, Start { options, seed }))
            }
            Err(error) => Err(Fault(format!(
                "create fails with {}: {error}",
                start.options
            ))),
        }
    }

    /// Plays random games and looks at every position of them, the first and
    /// the last included. Gives the number of positions.
    ///
    /// # Errors
    /// What `look` finds wrong, with the game that led there; a listed move is refused.
    pub fn walk(
        &self,
        check: &str,
        mut look: impl FnMut(&mut Position<'_>) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        let mut positions = 0;
        for number in 0..self.games {
            let mut rng = self.rng(check, number);
            let (game, start) = self.begin(number, &mut rng)?;
            let mut texts = Vec::new();
            positions += self
                .walk_one(game, &start, &mut texts, &mut rng, &mut look)
                .map_err(|fault| in_game(&fault, number, &start, &texts))?;
            self.tick();
        }
        Ok(positions)
    }

    fn walk_one(
        &self,
        mut game: Game,
        start: &Start,
        texts: &mut Vec<String>,
        rng: &mut StdRng,
        look: &mut impl FnMut(&mut Position<'_>) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        loop {
            let (moves, status) = (game.moves(None)?, game.status()?);
            look(&mut Position {
                game: &game,
                moves: &moves,
                status: &status,
                start,
                texts,
                rng,
            })?;
            let over = status.outcome != GP_OUTCOME_RUNNING;
            let Some(mv) = random_move(&moves, rng) else {
                return Ok(texts.len() + 1);
            };
            if over || texts.len() >= MAX_MOVES {
                return Ok(texts.len() + 1);
            }
            let text = game.move_text(mv)?;
            game.apply(mv)
                .map_err(|error| Fault(format!("the listed move {text} fails: {error}")))?;
            texts.push(text);
        }
    }
}

/// One of the legal moves, seldom a pass; none if there are none.
pub fn random_move(moves: &[GpMove], rng: &mut StdRng) -> Option<GpMove> {
    let mv = *moves.choose(rng)?;
    if mv.kind == GP_MOVE_PASS && !rng.random_ratio(1, PASS_RARITY) {
        let others: Vec<GpMove> = moves
            .iter()
            .copied()
            .filter(|mv| mv.kind != GP_MOVE_PASS)
            .collect();
        return Some(others.choose(rng).copied().unwrap_or(mv));
    }
    Some(mv)
}

/// The ends of a number's range, or the values of another option, in turn.
fn end_value(spec: &OptionSpec, turn: usize) -> toml::Value {
    let values: Vec<toml::Value> = match spec.kind {
        OptionType::Bool => vec![true.into(), false.into()],
        OptionType::Choice => spec.choices.iter().map(|c| c.value.clone()).collect(),
        OptionType::Int | OptionType::Half => [spec.min, spec.max]
            .into_iter()
            .flatten()
            .map(toml::Value::Integer)
            .filter(|value| spec.takes(value))
            .collect(),
    };
    let value = values.get(turn.checked_rem(values.len()).unwrap_or(0));
    value.unwrap_or(&spec.default).clone()
}

/// A value that the option can take.
fn random_value(spec: &OptionSpec, rng: &mut StdRng) -> toml::Value {
    match spec.kind {
        OptionType::Bool => toml::Value::Boolean(rng.random()),
        OptionType::Choice => spec
            .choices
            .choose(rng)
            .map_or_else(|| spec.default.clone(), |choice| choice.value.clone()),
        OptionType::Int | OptionType::Half => {
            let (Some(min), Some(max)) = (spec.min, spec.max) else {
                return spec.default.clone();
            };
            let step = spec.step.max(1);
            let steps = max.saturating_sub(min) / step;
            let value = min.saturating_add(rng.random_range(0..=steps).saturating_mul(step));
            toml::Value::Integer(value)
        }
    }
}

/// A fault with the game in which it was found.
fn in_game(fault: &Fault, number: u32, start: &Start, texts: &[String]) -> Fault {
    let shown = texts.len().saturating_sub(SHOWN_MOVES);
    let last = texts.get(shown..).unwrap_or_default().join(" ");
    let options = match start.options.is_empty() {
        true => "default options".to_owned(),
        false => start.options.to_string().trim().replace('\n', ", "),
    };
    Fault(format!(
        "{fault}; in game {number} ({options}, seed {}) after {} moves: {}{last}",
        start.seed,
        texts.len(),
        if shown > 0 { "… " } else { "" },
    ))
}

/// All that can be seen of a state, for comparison: the status, and what
/// everybody sees, with nothing and with `selected` selected.
#[derive(PartialEq, Eq)]
pub struct Picture {
    /// The status.
    pub status: GpStatus,
    views: Vec<Vec<GpCell>>,
}

impl Picture {
    /// Takes the picture of a state.
    ///
    /// # Errors
    /// Any failure of the game.
    pub fn of(subject: &Subject<'_>, game: &Game, selected: u16) -> Result<Self, Fault> {
        let views = subject
            .viewers()
            .flat_map(|viewer| [(viewer, None), (viewer, Some(selected))])
            .map(|(viewer, selected)| game.view(viewer, selected))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            status: game.status()?,
            views,
        })
    }

    /// What differs in another picture; none if they are equal.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.status != other.status {
            return Some(format!(
                "the status is {:?} and was {:?}",
                other.status, self.status
            ));
        }
        let (one, two) = self
            .views
            .iter()
            .flatten()
            .zip(other.views.iter().flatten())
            .find(|(one, two)| one != two)?;
        Some(format!("a cell of the view is {two:?} and was {one:?}"))
    }
}
