//! The opponent: legal moves, kept limits, equal answers. How long it takes is in `clock`.

use qiju_abi::{GP_MOVE_RESIGN, GP_NONE, GP_OUTCOME_RUNNING, GpMove};
use rand::RngExt;

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Subject, ensure, passed, random_move, skipped,
};
use crate::plugins::{AiParams, AiReport, Game, GameError, Job, Lang};

pub const CHECKS: &[Check] = &[
    ("ai/legal", legal),
    ("ai/report", report),
    ("ai/repeats", repeats),
    ("ai/node-limit", node_limit),
    ("ai/hint", hint),
    ("ai/threads", threads),
    ("ai/own-copy", own_copy),
    ("ai/cancel", cancel),
    ("ai/unused", unused),
    ("ai/beyond", beyond),
];

/// Nodes or play-outs of a search here, unless limits are what is looked at.
const NODES: u64 = 60;
/// Candidates asked for.
const CANDIDATES: u16 = 5;
/// Budget of one step, in milliseconds.
const STEP_MS: u32 = 1_000;
/// Steps after which a search with a node limit is taken to be endless.
const MAX_STEPS: u32 = 600;
/// Most random moves before a searched position.
const MAX_PLIES: usize = 24;
/// Positions of each level.
const POSITIONS: u32 = 4;

/// What a search with a node limit is asked for.
pub fn params(level: u32, player: u16, seed: u64) -> AiParams {
    AiParams {
        level,
        threads: 1,
        seed,
        node_limit: NODES,
        time_ms: 0,
        player,
        candidates: CANDIDATES,
        hint: false,
        infinite: false,
    }
}

/// Begins a search.
fn start(game: &Game, params: &AiParams) -> Result<Job, Fault> {
    game.start_ai(params)
        .map_err(|error| Fault(format!("level {}: ai_start fails: {error}", params.level)))
}

/// Steps a search to its end.
fn finish(job: &mut Job) -> Result<AiReport, Fault> {
    for _ in 0..MAX_STEPS {
        let (done, report) = job.step(STEP_MS)?;
        if done {
            return Ok(report);
        }
    }
    Err(Fault(format!(
        "a search of {NODES} nodes is not done after {MAX_STEPS} steps"
    )))
}

/// Runs a search to its end.
pub fn search(game: &Game, params: &AiParams) -> Result<AiReport, Fault> {
    finish(&mut start(game, params)?)
}

/// The searched positions: some for each level, with the level and the player to move.
fn for_positions(
    subject: &Subject<'_>,
    check: &str,
    mut look: impl FnMut(&Game, u32, u16) -> Result<(), Fault>,
) -> Result<Option<usize>, Fault> {
    if !subject.plugin.has_ai() {
        return Ok(None);
    }
    let mut seen = 0;
    for level in 0..subject.describe().levels.len() as u32 {
        for number in 0..POSITIONS {
            let mut rng = subject.rng(check, level * POSITIONS + number);
            let (mut game, start) = subject.begin(number, &mut rng)?;
            let plies = rng.random_range(0..=MAX_PLIES);
            let mut last = None;
            for ply in 0..=plies {
                let status = game.status()?;
                if status.outcome != GP_OUTCOME_RUNNING {
                    break;
                }
                if status.to_move != GP_NONE {
                    last = Some((game.try_clone()?, status.to_move));
                }
                let Some(mv) = random_move(&game.moves(None)?, &mut rng) else {
                    break;
                };
                if ply < plies {
                    game.apply(mv)?;
                }
            }
            if let Some((game, player)) = last {
                seen += 1;
                look(&game, level, player).map_err(|fault| {
                    Fault(format!(
                        "level {level}, position {number} (options {:?}): {fault}",
                        start.options.to_string()
                    ))
                })?;
            }
        }
        subject.tick();
    }
    Ok(Some(seen))
}

fn verdict(seen: Option<usize>) -> Checked {
    match seen {
        None => skipped("the game has no opponent"),
        Some(seen) => passed(format!("{seen} positions")),
    }
}

/// The answer, if it is a move that can be played.
fn legal_answer(
    subject: &Subject<'_>,
    game: &Game,
    report: &AiReport,
    may_resign: bool,
) -> Result<GpMove, Fault> {
    let Some(best) = report.best else {
        return Err(Fault("a finished search has no move".to_owned()));
    };
    let resigns = best.kind == GP_MOVE_RESIGN && may_resign && subject.describe().resign;
    ensure!(
        resigns || game.moves(None)?.contains(&best),
        "the answer {best:?} is not legal"
    );
    Ok(best)
}

/// Every level answers with a legal move.
fn legal(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/legal",
        |game, level, player| {
            let report = search(game, &params(level, player, 1))?;
            legal_answer(subject, game, &report, true).map(drop)
        },
    )?)
}

/// Candidates, line and heat make sense.
fn report(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/report",
        |game, level, player| {
            let report = search(game, &params(level, player, 2))?;
            let moves = game.moves(None)?;
            for candidate in &report.candidates {
                ensure!(
                    moves.contains(&candidate.mv),
                    "the candidate {:?} is not legal",
                    candidate.mv
                );
            }
            ensure!(
                report
                    .line
                    .first()
                    .is_none_or(|first| Some(*first) == report.best),
                "the line begins with {:?}, but the answer is {:?}",
                report.line.first(),
                report.best
            );
            let mut clone = game.try_clone()?;
            for mv in &report.line {
                clone.apply(*mv).map_err(|error| {
                    Fault(format!("the move {mv:?} of the line fails: {error}"))
                })?;
            }
            let range = -1000..=1000;
            ensure!(
                report.heat.iter().all(|heat| range.contains(heat)),
                "heat is not within −1000 and 1000"
            );
            Ok(())
        },
    )?)
}

/// The same node limit and seed with one thread give the same answer.
fn repeats(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/repeats",
        |game, level, player| {
            let params = params(level, player, 3);
            let (first, second) = (search(game, &params)?, search(game, &params)?);
            ensure!(
                (first.best, first.win_permille, first.nodes)
                    == (second.best, second.win_permille, second.nodes),
                "a second search answers {:?} ({} of 1000, {} nodes), the first {:?} ({} of 1000, {} nodes)",
                second.best,
                second.win_permille,
                second.nodes,
                first.best,
                first.win_permille,
                first.nodes
            );
            Ok(())
        },
    )?)
}

/// A search looks at no more nodes than it may.
fn node_limit(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/node-limit",
        |game, level, player| {
            for limit in [1, 40] {
                let params = AiParams {
                    node_limit: limit,
                    ..params(level, player, 4)
                };
                let report = search(game, &params)?;
                ensure!(
                    report.nodes <= limit,
                    "{} nodes were looked at, {limit} allowed",
                    report.nodes
                );
                legal_answer(subject, game, &report, true)?;
            }
            Ok(())
        },
    )?)
}

/// A hint is a move, never to resign.
fn hint(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(subject, "ai/hint", |game, level, player| {
        let params = AiParams {
            hint: true,
            ..params(level, player, 5)
        };
        let report = search(game, &params)?;
        legal_answer(subject, game, &report, false).map(drop)
    })?)
}

/// Several threads give a legal move, too.
fn threads(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/threads",
        |game, level, player| {
            let params = AiParams {
                threads: 3,
                ..params(level, player, 6)
            };
            let report = search(game, &params)?;
            legal_answer(subject, game, &report, true).map(drop)
        },
    )?)
}

/// A search works on its own copy: the state does not change, and may change and end.
fn own_copy(subject: &Subject<'_>) -> Checked {
    const SELECTED: u16 = 0;
    verdict(for_positions(
        subject,
        "ai/own-copy",
        |game, level, player| {
            let params = params(level, player, 7);
            let before = Picture::of(subject, game, SELECTED)?;
            let expected = search(game, &params)?.best;
            if let Some(what) = before.difference(&Picture::of(subject, game, SELECTED)?) {
                return Err(Fault(format!("after a search {what}")));
            }
            let mut other = game.try_clone()?;
            let mut job = start(&other, &params)?;
            if let Some(mv) = other.moves(None)?.first() {
                other.apply(*mv)?;
            }
            drop(other);
            let found = finish(&mut job)?.best;
            ensure!(
                found == expected,
                "when its state goes on, a search answers {found:?} instead of {expected:?}"
            );
            Ok(())
        },
    )?)
}

/// A search that was cancelled before its first step is done at once; cancelling is harmless at any time.
fn cancel(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/cancel",
        |game, level, player| {
            let params = AiParams {
                node_limit: 0,
                infinite: true,
                ..params(level, player, 8)
            };
            let mut job = start(game, &params)?;
            let canceller = job.canceller();
            canceller.cancel();
            canceller.cancel();
            for _ in 0..2 {
                let (done, report) = job.step(STEP_MS)?;
                ensure!(done, "a cancelled search says that it goes on");
                if report.best.is_some() {
                    legal_answer(subject, game, &report, true)?;
                }
            }
            drop(job);
            canceller.cancel();
            Ok(())
        },
    )?)
}

/// A search can be freed without a step, and after the first of several.
fn unused(subject: &Subject<'_>) -> Checked {
    verdict(for_positions(
        subject,
        "ai/unused",
        |game, level, player| {
            let params = params(level, player, 9);
            drop(start(game, &params)?);
            let mut job = start(game, &params)?;
            job.step(1)?;
            Ok(())
        },
    )?)
}

/// A level past the last, and a player that there is not, are refused.
fn beyond(subject: &Subject<'_>) -> Checked {
    if !subject.plugin.has_ai() {
        return skipped("the game has no opponent");
    }
    let levels = subject.describe().levels.len() as u32;
    let sides = subject.describe().sides.len() as u16;
    let game = subject.default_game(1)?;
    let cases = [(levels, 0), (u32::MAX, 0), (0, sides), (0, GP_NONE)];
    for (level, player) in cases {
        match game.start_ai(&params(level, player, 10)) {
            Err(GameError::Argument(_) | GameError::Unsupported) => {}
            Err(error) => {
                return Err(Fault(format!("level {level}, player {player}: {error}")));
            }
            Ok(_) => {
                return Err(Fault(format!(
                    "a search for level {level} and player {player} begins"
                )));
            }
        }
    }
    passed("refused")
}

/// Writes each level's answer in a few positions, to be compared with another process.
///
/// # Errors
/// Any failure of the game.
pub fn answers(subject: &Subject<'_>) -> Result<(), Fault> {
    for_positions(subject, "ai/answers", |game, level, player| {
        let report = search(game, &params(level, player, 11))?;
        let text = match report.best {
            Some(best) if best.kind != GP_MOVE_RESIGN => game.move_text(best)?,
            Some(_) => "resigns".to_owned(),
            None => "none".to_owned(),
        };
        let label = &subject.plugin.describe(Lang::En).levels;
        let label = label.get(level as usize).map_or("", |l| l.name.as_str());
        subject.note(&format!("{label}: {text}, {} of 1000", report.win_permille));
        Ok(())
    })
    .map(drop)
}
