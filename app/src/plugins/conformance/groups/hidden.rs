//! Hidden information: nobody is shown, told or helped by what he may not know.
//!
//! What the ABI lets one check of any game:
//!
//! * a cell that is face down carries neither piece nor number;
//! * what the public sees, every player sees, too;
//! * a game that says it hides nothing shows everybody the same;
//! * two games that have looked the same to a player up to now, but differ
//!   in what is under the cards (they were begun with different seeds), tell
//!   that player the same, offer him the same moves, and his side's search
//!   comes to the same answer. Whatever differs there was let out.

use qiju_abi::{
    GP_CELL_FACE_DOWN, GP_CELL_NUMBER, GP_CELL_VOID, GP_NONE, GP_OUTCOME_RUNNING, GP_VIEWER_PUBLIC,
    GpCell, GpStatus,
};
use rand::RngExt;

use super::Check;
use super::ai;
use crate::plugins::conformance::subject::{
    Checked, Fault, Subject, ensure, passed, random_move, skipped,
};
use crate::plugins::{Game, Lang};

pub const CHECKS: &[Check] = &[
    ("hidden/face-down", face_down),
    ("hidden/public", public),
    ("hidden/open", open),
    ("hidden/same-to-see", same_to_see),
    ("hidden/opponent", opponent),
];

/// Pairs of games for each random game asked for: most pairs part soon.
const PAIRS: u32 = 4;
/// Moves after which a pair is left.
const MAX_MOVES: usize = 60;
/// Levels of the opponent that are asked: the first and the last so many.
const LEVELS: u32 = 2;

/// A face-down cell says nothing about what is under it.
fn face_down(subject: &Subject<'_>) -> Checked {
    let mut seen = 0_usize;
    subject.walk("hidden/face-down", |position| {
        for viewer in subject.viewers() {
            for (i, cell) in position.game.view(viewer, None)?.iter().enumerate() {
                if cell.flags & GP_CELL_FACE_DOWN == 0 {
                    continue;
                }
                seen += 1;
                ensure!(
                    subject.describe().hidden,
                    "cell {i} is face down, but the description says hidden = false"
                );
                let number = cell.number != 0 || cell.flags & GP_CELL_NUMBER != 0;
                ensure!(
                    cell.piece == 0 && !number,
                    "viewer {viewer} sees what is under the face-down cell {i}: {cell:?}"
                );
            }
        }
        Ok(())
    })?;
    match seen {
        0 => skipped("no cell is ever face down"),
        seen => passed(format!("{seen} cells")),
    }
}

/// What the public sees, every player sees.
fn public(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("hidden/public", |position| {
        let public = position.game.view(GP_VIEWER_PUBLIC, None)?;
        for viewer in subject.viewers() {
            let view = position.game.view(viewer, None)?;
            for (i, (all, own)) in public.iter().zip(&view).enumerate() {
                ensure!(
                    all.piece == 0 || all.piece == own.piece,
                    "cell {i}: the public sees piece {}, player {viewer} {}",
                    all.piece,
                    own.piece
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// What a cell shows, without marks that help the player to move.
fn content(cell: &GpCell) -> (u16, i32, u32) {
    (
        cell.piece,
        cell.number,
        cell.flags & (GP_CELL_FACE_DOWN | GP_CELL_VOID),
    )
}

/// A game that hides nothing shows everybody the same.
fn open(subject: &Subject<'_>) -> Checked {
    if subject.describe().hidden {
        return skipped("the game hides something");
    }
    let count = subject.walk("hidden/open", |position| {
        let public = position.game.view(GP_VIEWER_PUBLIC, None)?;
        for viewer in subject.viewers() {
            let view = position.game.view(viewer, None)?;
            ensure!(
                view.iter().map(content).eq(public.iter().map(content)),
                "viewer {viewer} sees something else than the public, but the description says hidden = false"
            );
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// Two games with the same options and moves that differ in their seeds.
struct Pair {
    one: Game,
    two: Game,
    /// Those to whom both have looked the same all the time.
    fooled: Vec<u16>,
}

/// What everybody is told of a state; the key is the shell's alone.
fn told(game: &Game) -> Result<GpStatus, Fault> {
    let mut status = game.status()?;
    status.key = 0;
    Ok(status)
}

impl Pair {
    /// Strikes off those who see a difference now.
    fn look(&mut self) -> Result<(), Fault> {
        if told(&self.one)? != told(&self.two)? {
            self.fooled.clear();
        }
        let mut fooled = Vec::new();
        for viewer in self.fooled.drain(..) {
            if self.one.view(viewer, None)? == self.two.view(viewer, None)? {
                fooled.push(viewer);
            }
        }
        self.fooled = fooled;
        Ok(())
    }

    /// Whether there is a difference that nobody can see.
    fn differs(&self) -> Result<bool, Fault> {
        Ok(self.one.status()?.key != self.two.status()?.key)
    }
}

/// Plays pairs as long as somebody cannot tell them apart, and looks at each
/// position that differs in hidden things. Gives the number of those.
fn for_pairs(
    subject: &Subject<'_>,
    check: &str,
    mut look: impl FnMut(&Pair) -> Result<(), Fault>,
) -> Result<usize, Fault> {
    let mut seen = 0;
    for number in 0..subject.games * PAIRS {
        let mut rng = subject.rng(check, number);
        let (one, start) = subject.begin(number, &mut rng)?;
        let seed = rng.random();
        let two = subject.plugin.create(&start.options, seed, Lang::En)?;
        let mut pair = Pair {
            one,
            two,
            fooled: subject.viewers().collect(),
        };
        for _ in 0..MAX_MOVES {
            pair.look()?;
            if pair.fooled.is_empty() {
                break;
            }
            if pair.differs()? {
                seen += 1;
                look(&pair).map_err(|fault| {
                    Fault(format!(
                        "{fault} (pair {number}, seeds {} and {seed}, options {:?})",
                        start.seed,
                        start.options.to_string()
                    ))
                })?;
            }
            let moves = pair.two.moves(None)?;
            let common: Vec<_> = pair
                .one
                .moves(None)?
                .into_iter()
                .filter(|mv| moves.contains(mv))
                .collect();
            let Some(mv) = random_move(&common, &mut rng) else {
                break;
            };
            if pair.one.apply(mv)? != pair.two.apply(mv)? {
                // Sound and animation are for everybody.
                break;
            }
        }
        subject.tick();
    }
    Ok(seen)
}

fn verdict(subject: &Subject<'_>, seen: usize) -> Checked {
    match (subject.describe().hidden, seen) {
        (false, _) => skipped("the game hides nothing"),
        (true, 0) => skipped("no two positions were met that look the same and are not"),
        (true, seen) => passed(format!("{seen} pairs of positions")),
    }
}

/// Those who cannot tell two positions apart are told the same.
fn same_to_see(subject: &Subject<'_>) -> Checked {
    if !subject.describe().hidden {
        return verdict(subject, 0);
    }
    let overlays = subject.describe().overlays.len() as u32;
    let seen = for_pairs(subject, "hidden/same-to-see", |pair| {
        let (one, two) = (&pair.one, &pair.two);
        for viewer in &pair.fooled {
            for lang in Lang::ALL {
                let (a, b) = (
                    one.status_text(*viewer, lang)?,
                    two.status_text(*viewer, lang)?,
                );
                ensure!(
                    a == b,
                    "the status text tells viewer {viewer} what he may not know: {a:?} or {b:?}"
                );
            }
            ensure!(
                one.tally(*viewer, Lang::En)? == two.tally(*viewer, Lang::En)?,
                "the tally tells viewer {viewer} what he may not know"
            );
            for index in 0..overlays {
                ensure!(
                    one.overlay(index, *viewer)? == two.overlay(index, *viewer)?,
                    "overlay {index} shows viewer {viewer} what he may not know"
                );
            }
            if one.status()?.to_move != *viewer {
                continue;
            }
            let moves = one.moves(None)?;
            ensure!(
                moves == two.moves(None)?,
                "the legal moves tell player {viewer} what he may not know"
            );
            for mv in moves {
                for lang in Lang::ALL {
                    let (a, b) = (one.move_label(mv, lang)?, two.move_label(mv, lang)?);
                    ensure!(
                        a == b,
                        "the label of a move tells player {viewer} what he may not know: {a:?} or {b:?}"
                    );
                }
            }
        }
        Ok(())
    })?;
    verdict(subject, seen)
}

/// The opponent cannot tell them apart, either.
fn opponent(subject: &Subject<'_>) -> Checked {
    if !subject.plugin.has_ai() {
        return skipped("the game has no opponent");
    }
    if !subject.describe().hidden {
        return verdict(subject, 0);
    }
    let levels = subject.describe().levels.len() as u32;
    let asked: Vec<u32> = (0..levels)
        .filter(|level| *level < LEVELS || levels - level <= LEVELS)
        .collect();
    let seen = for_pairs(subject, "hidden/opponent", |pair| {
        let status = pair.one.status()?;
        let player = status.to_move;
        if status.outcome != GP_OUTCOME_RUNNING
            || player == GP_NONE
            || !pair.fooled.contains(&player)
        {
            return Ok(());
        }
        for level in &asked {
            let params = ai::params(*level, player, 1);
            let (one, two) = (
                ai::search(&pair.one, &params)?,
                ai::search(&pair.two, &params)?,
            );
            ensure!(
                one == two,
                "level {level} uses what player {player} may not know: it answers {:?} ({} of 1000) or {:?} ({} of 1000)",
                one.best,
                one.win_permille,
                two.best,
                two.win_permille
            );
        }
        Ok(())
    })?;
    verdict(subject, seen)
}
