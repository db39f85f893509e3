//! The ladder of levels and what a finished level comes to.

use qiju_abi::{GP_MOVE_RESIGN, GP_NONE, GP_OUTCOME_RUNNING, GpMove};

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Subject, ensure, passed, random_move, skipped,
};
use crate::plugins::{Game, GameError, Lang, Level};

pub const CHECKS: &[Check] = &[
    ("ladder/levels", levels),
    ("ladder/beyond", beyond),
    ("ladder/result", result),
];

/// Levels looked at, spread over the ladder.
const LOOKED_AT: u32 = 60;
/// Moves after which a random game is given up.
const MAX_MOVES: usize = 2_000;

/// Indices spread over the ladder, the first and the last among them.
fn indices(subject: &Subject<'_>) -> Vec<u32> {
    let ladder = subject.describe().ladder;
    let step = ladder.div_ceil(LOOKED_AT).max(1) as usize;
    let mut indices: Vec<u32> = (0..ladder).step_by(step).collect();
    if ladder > 0 && indices.last() != Some(&(ladder - 1)) {
        indices.push(ladder - 1);
    }
    indices
}

/// Every level can be read in both languages, and a game be made of it.
fn levels(subject: &Subject<'_>) -> Checked {
    let indices = indices(subject);
    if indices.is_empty() {
        return skipped("the game has no ladder");
    }
    for index in &indices {
        let level = |lang: Lang| -> Result<Level, Fault> {
            let level = subject
                .plugin
                .level(*index, lang)
                .map_err(|error| Fault(format!("level {index}: {error}")))?;
            ensure!(
                !level.name.trim().is_empty(),
                "level {index} ({}) has no name",
                lang.tag()
            );
            Ok(level)
        };
        let (zh, en) = (level(Lang::Zh)?, level(Lang::En)?);
        ensure!(
            (zh.player, zh.opponent, &zh.options) == (en.player, en.opponent, &en.options),
            "level {index} differs between the languages in more than words"
        );
        for spec in &subject.describe().options {
            ensure!(
                en.options.get(&spec.key).is_none_or(|v| spec.takes(v)),
                "level {index} has a value of {} that the schema does not allow",
                spec.key
            );
        }
        let game = subject
            .plugin
            .create(&en.options, 1, Lang::En)
            .map_err(|error| Fault(format!("level {index} cannot be begun: {error}")))?;
        ensure!(
            game.status()?.outcome == GP_OUTCOME_RUNNING,
            "level {index} is over before it begins"
        );
        subject.tick();
    }
    passed(format!("{} levels", indices.len()))
}

/// There is no level past the last.
fn beyond(subject: &Subject<'_>) -> Checked {
    let ladder = subject.describe().ladder;
    for index in [ladder, u32::MAX] {
        match subject.plugin.level(index, Lang::En) {
            Err(GameError::Unsupported | GameError::Argument(_)) => {}
            Err(error) => return Err(Fault(format!("level {index}: {error}"))),
            Ok(_) => {
                return Err(Fault(format!(
                    "level {index} exists, but the ladder has {ladder}"
                )));
            }
        }
    }
    passed("refused")
}

/// A level has no result while it runs, and one that makes sense when it is over.
fn result(subject: &Subject<'_>) -> Checked {
    let indices = indices(subject);
    if indices.is_empty() {
        return skipped("the game has no ladder");
    }
    let mut ended = 0;
    for number in 0..subject.games {
        let spread = number as usize * indices.len() / subject.games as usize;
        let Some(&index) = indices.get(spread) else {
            continue;
        };
        let level = subject.plugin.level(index, Lang::En)?;
        let player = level.player as u16;
        let mut rng = subject.rng("ladder/result", number);
        let mut game = subject
            .plugin
            .create(&level.options, number.into(), Lang::En)?;
        for _ in 0..MAX_MOVES {
            if game.status()?.outcome != GP_OUTCOME_RUNNING {
                break;
            }
            match game.level_result(index, player) {
                Err(GameError::Unsupported | GameError::Argument(_)) => {}
                Err(error) => return Err(Fault(format!("result of level {index}: {error}"))),
                Ok(_) => {
                    return Err(Fault(format!("level {index} has a result while it runs")));
                }
            }
            let Some(mv) = random_move(&game.moves(None)?, &mut rng) else {
                break;
            };
            game.apply(mv)?;
        }
        if end(subject, &mut game)? {
            ended += 1;
            game.level_result(index, player)
                .map_err(|error| Fault(format!("result of the finished level {index}: {error}")))?;
        }
        subject.tick();
    }
    passed(format!(
        "{ended} of {} levels played to their end",
        subject.games
    ))
}

/// Resigns a game that random play did not end, if that is offered; whether it is over.
fn end(subject: &Subject<'_>, game: &mut Game) -> Result<bool, Fault> {
    let running =
        |game: &Game| -> Result<bool, Fault> { Ok(game.status()?.outcome == GP_OUTCOME_RUNNING) };
    let resigns = subject.describe().resign && game.status()?.to_move != GP_NONE;
    if resigns && running(game)? {
        game.apply(GpMove {
            kind: GP_MOVE_RESIGN,
            from: GP_NONE,
            to: GP_NONE,
            arg: 0,
        })?;
    }
    Ok(!running(game)?)
}
