//! Set-up moves: a record puts pieces on the board and gives the turn, outside the course of the game.
//!
//! A game that takes none refuses them like any illegal move. What is said here of the others holds at
//! any time, also after the end: a record may go on from there with a variation.

use qiju_abi::{
    GP_CELL_FACE_DOWN, GP_CELL_VOID, GP_MOVE_SETUP, GP_NONE, GP_OUTCOME_RUNNING, GP_VIEWER_PUBLIC,
    GpMove,
};
use rand::RngExt;

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Position, Subject, ensure, passed, skipped,
};
use crate::plugins::{Game, GameError, Lang};

pub const CHECKS: &[Check] = &[
    ("setup/refused", refused),
    ("setup/consistent", consistent),
    ("setup/replay", replay),
];

/// Cells that are tried with every kind of piece in a position.
const CELLS: usize = 2;
/// One in so many positions is looked at, besides the first and the last of a game.
const SAMPLED: u32 = 4;
/// Why the checks of accepted set-ups do not apply.
const NONE_TAKEN: &str = "the game takes no set-up";

fn piece(to: u16, arg: u16) -> GpMove {
    GpMove {
        kind: GP_MOVE_SETUP,
        from: GP_NONE,
        to,
        arg,
    }
}

fn turn(player: u16) -> GpMove {
    piece(GP_NONE, player)
}

fn is_looked_at(position: &mut Position<'_>) -> bool {
    position.texts.is_empty()
        || position.status.outcome != GP_OUTCOME_RUNNING
        || position.rng.random_ratio(1, SAMPLED)
}

/// Set-ups that mean something: each kind of piece and none on some cells, the turn to each player.
fn sensible(subject: &Subject<'_>, position: &mut Position<'_>) -> Vec<GpMove> {
    let describe = subject.describe();
    let cells = position.game.cells();
    let mut all: Vec<GpMove> = (0..describe.sides.len() as u16).map(turn).collect();
    for _ in 0..CELLS {
        let cell = position.rng.random_range(0..cells) as u16;
        all.extend((0..=describe.pieces.len() as u16).map(|arg| piece(cell, arg)));
    }
    all
}

/// Set-ups of pieces, cells and players that there are not, and those with a cell where they begin.
fn senseless(subject: &Subject<'_>, position: &mut Position<'_>) -> Vec<GpMove> {
    let describe = subject.describe();
    let cells = position.game.cells();
    let cell = position.rng.random_range(0..cells) as u16;
    vec![
        piece(cells as u16, 0),
        piece(cells as u16, 1),
        piece(cell, describe.pieces.len() as u16 + 1),
        piece(cell, u16::MAX),
        turn(describe.sides.len() as u16),
        turn(GP_NONE),
        GpMove {
            from: cell,
            ..piece(cell, 0)
        },
        GpMove {
            from: cell,
            ..turn(0)
        },
    ]
}

/// Plays a set-up on a clone; `None` if it is refused as illegal.
fn tried(game: &Game, mv: GpMove) -> Result<Option<Game>, Fault> {
    let mut clone = game.try_clone()?;
    match clone.apply(mv) {
        Ok(_) => Ok(Some(clone)),
        Err(GameError::Illegal) => Ok(None),
        Err(error) => Err(Fault(format!(
            "{mv:?} is neither taken nor refused as illegal: {error}"
        ))),
    }
}

/// What is refused is explained and changes nothing; what makes no sense is refused.
fn refused(subject: &Subject<'_>) -> Checked {
    let mut seen = 0;
    subject.walk("setup/refused", |position| {
        if !is_looked_at(position) {
            return Ok(());
        }
        let senseless = senseless(subject, position);
        let sensible = sensible(subject, position);
        let selected = position.rng.random_range(0..position.game.cells()) as u16;
        let before = Picture::of(subject, position.game, selected)?;
        for mv in senseless.iter().chain(&sensible) {
            let mut clone = position.game.try_clone()?;
            match clone.apply(*mv) {
                Err(GameError::Illegal) => seen += 1,
                Ok(_) if senseless.contains(mv) => {
                    return Err(Fault(format!("{mv:?} makes no sense and is taken")));
                }
                Ok(_) => continue,
                Err(error) => {
                    return Err(Fault(format!("{mv:?} is not refused as illegal: {error}")));
                }
            }
            if let Some(what) = before.difference(&Picture::of(subject, &clone, selected)?) {
                return Err(Fault(format!("after the refused set-up {mv:?} {what}")));
            }
            for lang in Lang::ALL {
                ensure!(
                    !position.game.explain(*mv, lang)?.trim().is_empty(),
                    "there is no explanation ({}) why {mv:?} is illegal",
                    lang.tag()
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{seen} set-ups"))
}

/// After a set-up the state is as sound as after any move, and shows what was set up.
fn consistent(subject: &Subject<'_>) -> Checked {
    let mut taken = 0;
    // The last set-up that the present game took before its end.
    let mut earlier = None;
    subject.walk("setup/consistent", |position| {
        if position.texts.is_empty() {
            earlier = None;
        }
        if !is_looked_at(position) {
            return Ok(());
        }
        let is_over = position.status.outcome != GP_OUTCOME_RUNNING;
        if is_over && let Some(mv) = earlier {
            ensure!(
                tried(position.game, mv)?.is_some(),
                "{mv:?} was taken before the end and is not after it"
            );
        }
        for mv in sensible(subject, position) {
            let Some(after) = tried(position.game, mv)? else {
                continue;
            };
            taken += 1;
            if !is_over {
                earlier = Some(mv);
            }
            sound(subject, position, mv, &after)
                .map_err(|fault| Fault(format!("after the set-up {mv:?} {fault}")))?;
        }
        Ok(())
    })?;
    match taken {
        0 => skipped(NONE_TAKEN),
        taken => passed(format!("{taken} set-ups")),
    }
}

fn sound(
    subject: &Subject<'_>,
    position: &Position<'_>,
    mv: GpMove,
    after: &Game,
) -> Result<(), Fault> {
    for lang in Lang::ALL {
        let why = position.game.explain(mv, lang)?;
        ensure!(
            why.is_empty(),
            "it is explained to be illegal ({}): {why}",
            lang.tag()
        );
        for viewer in subject.viewers() {
            ensure!(
                !after.status_text(viewer, lang)?.trim().is_empty(),
                "there is no status text for {viewer} ({})",
                lang.tag()
            );
            after.tally(viewer, lang)?;
        }
    }
    let (status, moves) = (after.status()?, after.moves(None)?);
    let expected = position.status.move_number.saturating_add(1);
    ensure!(
        status.move_number == expected,
        "move_number is {} and not {expected}",
        status.move_number
    );
    if status.outcome == GP_OUTCOME_RUNNING {
        ensure!(
            !moves.is_empty() && (status.to_move != GP_NONE || status.timeout_ms > 0),
            "the game runs, but nobody can go on"
        );
        ensure!(
            mv.to != GP_NONE || status.to_move == mv.arg,
            "player {} is to move",
            status.to_move
        );
    } else {
        ensure!(
            moves.is_empty() && status.reason != 0,
            "the game is over, but a move is listed or there is no reason"
        );
    }
    let view = after.view(GP_VIEWER_PUBLIC, None)?;
    if let Some(cell) = view.get(usize::from(mv.to)) {
        let is_open = cell.flags & (GP_CELL_FACE_DOWN | GP_CELL_VOID) == 0;
        ensure!(
            !is_open || cell.piece == mv.arg,
            "the cell shows piece {}",
            cell.piece
        );
    }
    Ok(())
}

/// A set-up is stored as text and played from it like any other move.
fn replay(subject: &Subject<'_>) -> Checked {
    let mut taken = 0;
    subject.walk("setup/replay", |position| {
        if !is_looked_at(position) {
            return Ok(());
        }
        for mv in sensible(subject, position) {
            let Some(after) = tried(position.game, mv)? else {
                continue;
            };
            taken += 1;
            let text = position.game.move_text(mv)?;
            ensure!(
                !text.trim().is_empty() && !text.chars().any(char::is_control),
                "move_text of {mv:?} is empty or has control characters: {text:?}"
            );
            for lang in Lang::ALL {
                ensure!(
                    !position.game.move_label(mv, lang)?.trim().is_empty(),
                    "{mv:?} has no label ({})",
                    lang.tag()
                );
            }
            let back = position.game.parse_move(&text).map_err(|error| {
                Fault(format!("{mv:?} is {text:?}, which is not read: {error}"))
            })?;
            ensure!(back == mv, "{mv:?} is {text:?}, which is read as {back:?}");
            let Some(again) = tried(position.game, back)? else {
                return Err(Fault(format!("{text:?} is taken once and then refused")));
            };
            let selected = position.rng.random_range(0..position.game.cells()) as u16;
            let picture = Picture::of(subject, &after, selected)?;
            for (what, other) in [("a replay", &again), ("a clone", &after.try_clone()?)] {
                if let Some(differs) = picture.difference(&Picture::of(subject, other, selected)?) {
                    return Err(Fault(format!("in {what} of {text:?} {differs}")));
                }
                ensure!(
                    other.moves(None)? == after.moves(None)?,
                    "{what} of {text:?} has other legal moves"
                );
            }
        }
        Ok(())
    })?;
    match taken {
        0 => skipped(NONE_TAKEN),
        taken => passed(format!("{taken} set-ups")),
    }
}
