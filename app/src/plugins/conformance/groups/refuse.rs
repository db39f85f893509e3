//! Illegal moves are refused, change nothing, and are explained.

use std::collections::HashSet;

use qiju_abi::{GP_MOVE_FLAG, GP_MOVE_RESIGN, GP_MOVE_SETUP, GP_MOVE_TIMEOUT, GP_NONE, GpMove};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Position, Subject, ensure, passed,
};
use crate::plugins::{GameError, Lang};

pub const CHECKS: &[Check] = &[
    ("refuse/illegal", illegal),
    ("refuse/unchanged", unchanged),
    ("refuse/explained", explained),
    ("refuse/legal-unexplained", legal_unexplained),
];

/// Illegal moves tried in each position.
const TRIES: usize = 24;
/// One in so many positions has every legal move looked at.
const THOROUGH: u32 = 8;

/// Moves that are not legal: some wild, some a legal one with one field changed.
///
/// Resigning, losing on time and set-up are legal without being listed, and so
/// is the timeout that deals again; they are left out here.
fn illegal_moves(position: &mut Position<'_>) -> Vec<GpMove> {
    let listed: HashSet<GpMove> = position.moves.iter().copied().collect();
    let unlisted = [GP_MOVE_RESIGN, GP_MOVE_FLAG, GP_MOVE_SETUP, GP_MOVE_TIMEOUT];
    let cells = position.game.cells();
    (0..TRIES)
        .map(|_| match position.moves.choose(position.rng) {
            Some(near) if position.rng.random() => changed(*near, cells, position.rng),
            _ => wild(cells, position.rng),
        })
        .filter(|mv| !listed.contains(mv) && !unlisted.contains(&mv.kind))
        .collect()
}

fn wild(cells: usize, rng: &mut StdRng) -> GpMove {
    GpMove {
        kind: match rng.random_ratio(3, 4) {
            true => rng.random_range(0..=GP_MOVE_FLAG),
            false => rng.random(),
        },
        from: wild_cell(cells, rng),
        to: wild_cell(cells, rng),
        arg: wild_number(rng),
    }
}

fn changed(mut mv: GpMove, cells: usize, rng: &mut StdRng) -> GpMove {
    match rng.random_range(0..4) {
        0 => mv.kind = rng.random_range(0..=GP_MOVE_FLAG + 1),
        1 => mv.from = wild_cell(cells, rng),
        2 => mv.to = wild_cell(cells, rng),
        _ => mv.arg = wild_number(rng),
    }
    mv
}

fn wild_cell(cells: usize, rng: &mut StdRng) -> u16 {
    match rng.random_range(0..8) {
        0 => GP_NONE,
        1 => cells as u16,
        2 => rng.random(),
        _ => rng.random_range(0..cells) as u16,
    }
}

fn wild_number(rng: &mut StdRng) -> u16 {
    match rng.random_range(0..4) {
        0 => 0,
        1 => rng.random(),
        _ => rng.random_range(0..4),
    }
}

/// A move that is not listed is refused as illegal.
fn illegal(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("refuse/illegal", |position| {
        for mv in illegal_moves(position) {
            tried += 1;
            match position.game.try_clone()?.apply(mv) {
                Err(GameError::Illegal) => {}
                Ok(_) => {
                    return Err(Fault(format!(
                        "the move {mv:?} is accepted, but not listed"
                    )));
                }
                Err(error) => {
                    return Err(Fault(format!("{mv:?} is not refused as illegal: {error}")));
                }
            }
        }
        Ok(())
    })?;
    passed(format!("{tried} moves"))
}

/// A refused move leaves the state exactly as it was.
fn unchanged(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("refuse/unchanged", |position| {
        let selected = position.rng.random_range(0..position.game.cells()) as u16;
        let before = Picture::of(subject, position.game, selected)?;
        let mut clone = position.game.try_clone()?;
        for mv in illegal_moves(position) {
            // Whether it is refused is another check's matter.
            if clone.apply(mv) == Err(GameError::Illegal) {
                tried += 1;
                if let Some(what) = before.difference(&Picture::of(subject, &clone, selected)?) {
                    return Err(Fault(format!("after the refused move {mv:?} {what}")));
                }
            } else {
                clone = position.game.try_clone()?;
            }
        }
        ensure!(
            clone.moves(None)? == position.moves,
            "after refused moves the legal moves are others"
        );
        Ok(())
    })?;
    passed(format!("{tried} moves"))
}

/// A move that is not listed is explained in both languages.
fn explained(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("refuse/explained", |position| {
        for mv in illegal_moves(position) {
            tried += 1;
            for lang in Lang::ALL {
                ensure!(
                    !position.game.explain(mv, lang)?.trim().is_empty(),
                    "there is no explanation ({}) why {mv:?} is illegal",
                    lang.tag()
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{tried} moves"))
}

/// A legal move has no explanation why it is not.
fn legal_unexplained(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("refuse/legal-unexplained", |position| {
        let all = position.texts.is_empty() || position.rng.random_ratio(1, THOROUGH);
        let looked_at = if all { position.moves.len() } else { 1 };
        for mv in position.moves.iter().take(looked_at) {
            tried += 1;
            for lang in Lang::ALL {
                let why = position.game.explain(*mv, lang)?;
                ensure!(
                    why.is_empty(),
                    "the legal move {mv:?} is explained to be illegal ({}): {why}",
                    lang.tag()
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{tried} moves"))
}
