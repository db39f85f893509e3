//! Legal moves, and the way a game goes on and ends.

use std::collections::HashSet;

use qiju_abi::{
    GP_CELL_TARGET, GP_MOVE_FLAG, GP_MOVE_PASS, GP_MOVE_RESIGN, GP_MOVE_SETUP, GP_MOVE_STEP,
    GP_MOVE_TIMEOUT, GP_NONE, GP_OUTCOME_RUNNING, GP_STATUS_CAN_PASS, GP_STATUS_REDEAL_IF_HIDDEN,
    GpMove,
};
use rand::RngExt;

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Position, Subject, ensure, passed, skipped,
};
use crate::plugins::{Game, GameError, Lang};

pub const CHECKS: &[Check] = &[
    ("play/legal", legal),
    ("play/unique", unique),
    ("play/stable", stable),
    ("play/from", from),
    ("play/targets", targets),
    ("play/unlisted", unlisted),
    ("play/running", running),
    ("play/over", over),
    ("play/resign", resign),
    ("play/timeout", timeout),
    ("play/count", count),
    ("play/layout", layout),
];

/// One in so many positions is looked at move by move.
const THOROUGH: u32 = 8;

fn positions(count: usize) -> Checked {
    passed(format!("{count} positions"))
}

/// A move that belongs to no cell.
fn plain(kind: u16, arg: u16) -> GpMove {
    GpMove {
        kind,
        from: GP_NONE,
        to: GP_NONE,
        arg,
    }
}

/// Every listed move is accepted.
fn legal(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/legal", |position| {
        if !position.rng.random_ratio(1, THOROUGH) && !position.texts.is_empty() {
            return Ok(());
        }
        for mv in position.moves {
            position
                .game
                .try_clone()?
                .apply(*mv)
                .map_err(|error| Fault(format!("the listed move {mv:?} fails: {error}")))?;
        }
        Ok(())
    })?;
    positions(count)
}

/// No move is listed twice.
fn unique(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/unique", |position| {
        let mut seen = HashSet::new();
        match position.moves.iter().find(|mv| !seen.insert(**mv)) {
            Some(mv) => Err(Fault(format!("the move {mv:?} is listed twice"))),
            None => Ok(()),
        }
    })?;
    positions(count)
}

/// The order is the same in a second call and in a clone.
fn stable(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/stable", |position| {
        let again = position.game.moves(None)?;
        ensure!(
            again == position.moves,
            "a second call lists other moves or in another order"
        );
        let clones = position.game.try_clone()?.moves(None)?;
        ensure!(
            clones == position.moves,
            "a clone lists other moves or in another order"
        );
        Ok(())
    })?;
    positions(count)
}

/// The moves of a cell are those of the whole list that begin there, in the same order.
fn from(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/from", |position| {
        let mut cells: HashSet<u16> = position.moves.iter().map(|mv| mv.from).collect();
        cells.extend((0..2).map(|_| position.rng.random_range(0..position.game.cells()) as u16));
        cells.remove(&GP_NONE);
        for cell in cells {
            let expected: Vec<GpMove> = position
                .moves
                .iter()
                .copied()
                .filter(|mv| mv.from == cell)
                .collect();
            ensure!(
                position.game.moves(Some(cell))? == expected,
                "moves(from {cell}) are not those of the whole list that begin there"
            );
        }
        Ok(())
    })?;
    positions(count)
}

/// With a cell selected, its targets are marked.
fn targets(subject: &Subject<'_>) -> Checked {
    let mut seen = 0;
    subject.walk("play/targets", |position| {
        let steps: Vec<&GpMove> = position
            .moves
            .iter()
            .filter(|mv| mv.kind == GP_MOVE_STEP)
            .collect();
        let Some(first) = steps.first() else {
            return Ok(());
        };
        let view = position
            .game
            .view(position.status.to_move, Some(first.from))?;
        for step in steps.iter().filter(|step| step.from == first.from) {
            seen += 1;
            let flags = view.get(usize::from(step.to)).map_or(0, |cell| cell.flags);
            ensure!(
                flags & GP_CELL_TARGET != 0,
                "with cell {} selected, its target {} is not marked",
                step.from,
                step.to
            );
        }
        Ok(())
    })?;
    match seen {
        0 => skipped("no move has two clicks"),
        seen => passed(format!("{seen} targets")),
    }
}

/// Resigning, losing on time and set-up are never listed; a pass is announced.
fn unlisted(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/unlisted", |position| {
        let never = [GP_MOVE_RESIGN, GP_MOVE_FLAG, GP_MOVE_SETUP];
        if let Some(mv) = position.moves.iter().find(|mv| never.contains(&mv.kind)) {
            return Err(Fault(format!("the move {mv:?} must never be listed")));
        }
        let listed = position.moves.iter().any(|mv| mv.kind == GP_MOVE_PASS);
        let told = position.status.flags & GP_STATUS_CAN_PASS != 0;
        ensure!(
            listed == told,
            "a pass is listed: {listed}, but GP_STATUS_CAN_PASS says {told}"
        );
        Ok(())
    })?;
    positions(count)
}

/// A running game can continue: somebody has a move, or time passes.
fn running(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/running", |position| {
        let status = position.status;
        if status.outcome != GP_OUTCOME_RUNNING {
            return Ok(());
        }
        ensure!(
            !position.moves.is_empty(),
            "the game runs, but there is no legal move"
        );
        ensure!(
            status.to_move != GP_NONE || status.timeout_ms > 0,
            "the game runs, but nobody is to move and no time passes"
        );
        ensure!(
            status.reason == 0,
            "the game runs, but has the reason {} for its end",
            status.reason
        );
        Ok(())
    })?;
    positions(count)
}

/// When a game is over, nothing more can be played.
fn over(subject: &Subject<'_>) -> Checked {
    let mut ends = 0;
    let mut last_moves: Vec<GpMove> = Vec::new();
    subject.walk("play/over", |position| {
        let status = position.status;
        if status.outcome == GP_OUTCOME_RUNNING {
            last_moves = position.moves.to_vec();
            return Ok(());
        }
        ends += 1;
        ensure!(
            position.moves.is_empty(),
            "the game is over, but {:?} is listed",
            position.moves.first()
        );
        ensure!(
            status.to_move == GP_NONE && status.timeout_ms == 0,
            "the game is over, but somebody is to move or time passes"
        );
        ensure!(status.reason != 0, "the game is over without a reason");
        for mv in &last_moves {
            refused(position.game, *mv, "the game is over, but")?;
        }
        Ok(())
    })?;
    passed(format!("{ends} of {} games ended", subject.games))
}

/// Tries a move that must be refused, on a clone.
fn refused(game: &Game, mv: GpMove, when: &str) -> Result<(), Fault> {
    match game.try_clone()?.apply(mv) {
        Err(GameError::Illegal) => Ok(()),
        Ok(_) => Err(Fault(format!("{when} {mv:?} is accepted"))),
        Err(error) => Err(Fault(format!(
            "{when} {mv:?} is not refused as illegal: {error}"
        ))),
    }
}

/// Giving up and losing on time end the game if the description says so, else they are refused.
fn resign(subject: &Subject<'_>) -> Checked {
    let (may, sides) = (subject.describe().resign, subject.describe().sides.len());
    let count = subject.walk("play/resign", |position| {
        let status = position.status;
        let flags = (0..sides).map(|player| plain(GP_MOVE_FLAG, player as u16));
        let nobody = plain(GP_MOVE_FLAG, sides as u16);
        refused(position.game, nobody, "there is no such player, but")?;
        for mv in flags.chain([plain(GP_MOVE_RESIGN, 0)]) {
            let runs = status.outcome == GP_OUTCOME_RUNNING;
            if runs && status.to_move == GP_NONE {
                // Nobody is to move, so nobody can give up; either answer makes sense.
                continue;
            }
            if !may || !runs {
                refused(position.game, mv, "resigning is not offered here, but")?;
                continue;
            }
            let mut clone = position.game.try_clone()?;
            clone
                .apply(mv)
                .map_err(|error| Fault(format!("{mv:?} fails: {error}")))?;
            let after = clone.status()?;
            ensure!(
                after.outcome != GP_OUTCOME_RUNNING,
                "the game goes on after {mv:?}"
            );
            let loser = if mv.kind == GP_MOVE_FLAG {
                mv.arg
            } else {
                status.to_move
            };
            ensure!(
                after.winner != loser,
                "player {loser} wins by {mv:?} of his own"
            );
        }
        Ok(())
    })?;
    positions(count)
}

/// The timeout is listed exactly while time passes, and dealing again works where it is offered.
fn timeout(subject: &Subject<'_>) -> Checked {
    let mut seen = 0;
    subject.walk("play/timeout", |position| {
        let listed = position.moves.iter().any(|mv| mv.kind == GP_MOVE_TIMEOUT);
        let timed = position.status.timeout_ms > 0;
        ensure!(
            listed == timed,
            "GP_MOVE_TIMEOUT is listed: {listed}, but timeout_ms is {}",
            position.status.timeout_ms
        );
        seen += usize::from(timed);
        if position.status.flags & GP_STATUS_REDEAL_IF_HIDDEN != 0 {
            ensure!(
                timed,
                "GP_STATUS_REDEAL_IF_HIDDEN is set in a phase without a timeout"
            );
            let again = plain(GP_MOVE_TIMEOUT, 1);
            position
                .game
                .try_clone()?
                .apply(again)
                .map_err(|error| Fault(format!("the phase cannot be dealt again: {error}")))?;
        }
        Ok(())
    })?;
    match seen {
        0 => skipped("no phase is timed"),
        seen => passed(format!("{seen} timed positions")),
    }
}

/// The status counts the moves.
fn count(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("play/count", |position: &mut Position<'_>| {
        let (told, played) = (position.status.move_number, position.texts.len());
        ensure!(
            told as usize == played,
            "move_number is {told} after {played} moves"
        );
        Ok(())
    })?;
    positions(count)
}

/// The layout stays the same for the whole life of a state.
fn layout(subject: &Subject<'_>) -> Checked {
    let mut first = None;
    let count = subject.walk("play/layout", |position| {
        if !position.texts.is_empty() && !position.rng.random_ratio(1, THOROUGH) {
            return Ok(());
        }
        let now = position.game.layout(Lang::En)?;
        if position.texts.is_empty() {
            first = Some(now);
        } else {
            ensure!(
                first.as_ref() == Some(&now),
                "the layout is not the one that the game began with"
            );
        }
        Ok(())
    })?;
    positions(count)
}
