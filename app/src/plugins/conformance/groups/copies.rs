//! A clone is equal, independent, and outlives its original; states can be read by many threads.

use rand::RngExt;

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Position, Subject, ensure, passed, random_move,
};
use crate::plugins::{Game, Lang};

pub const CHECKS: &[Check] = &[
    ("copies/equal", equal),
    ("copies/independent", independent),
    ("copies/outlives", outlives),
    ("copies/threads", threads),
];

/// Moves played on a copy to see whether the other notices.
const PLAYED: usize = 6;
/// One in so many positions is played on from.
const SAMPLED: u32 = 4;
/// Threads that read one state at once.
const THREADS: usize = 4;

fn any_cell(position: &mut Position<'_>) -> u16 {
    position.rng.random_range(0..position.game.cells()) as u16
}

/// A clone looks like its original, to everybody.
fn equal(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("copies/equal", |position| {
        let cell = any_cell(position);
        let clone = position.game.try_clone()?;
        let original = Picture::of(subject, position.game, cell)?;
        if let Some(what) = original.difference(&Picture::of(subject, &clone, cell)?) {
            return Err(Fault(format!("in a clone {what}")));
        }
        ensure!(
            clone.moves(None)? == position.moves,
            "a clone has other legal moves"
        );
        for lang in Lang::ALL {
            ensure!(
                clone.layout(lang)? == position.game.layout(lang)?,
                "a clone has another layout"
            );
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// Plays some random moves.
fn play_on(game: &mut Game, position: &mut Position<'_>) -> Result<(), Fault> {
    for _ in 0..PLAYED {
        let Some(mv) = random_move(&game.moves(None)?, position.rng) else {
            break;
        };
        game.apply(mv)?;
    }
    Ok(())
}

/// What is played on one of the two does not show on the other.
fn independent(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("copies/independent", |position| {
        if position.moves.is_empty() || !position.rng.random_ratio(1, SAMPLED) {
            return Ok(());
        }
        tried += 1;
        let cell = any_cell(position);
        let mut original = position.game.try_clone()?;
        let mut clone = original.try_clone()?;
        let before = Picture::of(subject, &original, cell)?;
        play_on(&mut clone, position)?;
        if let Some(what) = before.difference(&Picture::of(subject, &original, cell)?) {
            return Err(Fault(format!(
                "moves played on a clone change the original: {what}"
            )));
        }
        let before = Picture::of(subject, &clone, cell)?;
        play_on(&mut original, position)?;
        if let Some(what) = before.difference(&Picture::of(subject, &clone, cell)?) {
            return Err(Fault(format!(
                "moves played on the original change a clone: {what}"
            )));
        }
        Ok(())
    })?;
    passed(format!("{tried} pairs"))
}

/// A clone goes on when its original is gone.
fn outlives(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("copies/outlives", |position| {
        if !position.rng.random_ratio(1, SAMPLED) {
            return Ok(());
        }
        tried += 1;
        let cell = any_cell(position);
        let original = position.game.try_clone()?;
        let mut clone = original.try_clone()?;
        let before = Picture::of(subject, &original, cell)?;
        drop(original);
        // Fills the freed memory, so that a clone that still uses it is likely to show.
        let others: Vec<Game> = (0..4)
            .map(|seed| subject.default_game(seed))
            .collect::<Result<_, _>>()?;
        let after = Picture::of(subject, &clone, cell)?;
        drop(others);
        if let Some(what) = before.difference(&after) {
            return Err(Fault(format!(
                "when the original is gone, in its clone {what}"
            )));
        }
        play_on(&mut clone, position)
    })?;
    passed(format!("{tried} clones"))
}

/// Calls that do not change a state may run beside each other.
fn threads(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("copies/threads", |position| {
        if !position.rng.random_ratio(1, SAMPLED) {
            return Ok(());
        }
        tried += 1;
        let cell = any_cell(position);
        let game = position.game;
        let alone = Picture::of(subject, game, cell)?;
        let plugin = &subject.plugin;
        let viewers: Vec<u16> = subject.viewers().collect();
        let read = || -> Result<_, Fault> {
            let texts = viewers
                .iter()
                .map(|viewer| game.status_text(*viewer, Lang::En))
                .collect::<Result<Vec<_>, _>>()?;
            Ok((
                game.moves(None)?,
                game.status()?,
                game.layout(Lang::Zh)?,
                texts,
            ))
        };
        let expected = read()?;
        std::thread::scope(|scope| {
            let readers: Vec<_> = (0..THREADS).map(|_| scope.spawn(read)).collect();
            for reader in readers {
                let found = reader.join().map_err(|_| {
                    Fault(format!("a reading thread of {} panicked", plugin.id()))
                })??;
                ensure!(
                    found == expected,
                    "several threads that read one state get different answers"
                );
            }
            Ok(())
        })?;
        match alone.difference(&Picture::of(subject, game, cell)?) {
            Some(what) => Err(Fault(format!("after reading by several threads {what}"))),
            None => Ok(()),
        }
    })?;
    passed(format!("{tried} positions"))
}
