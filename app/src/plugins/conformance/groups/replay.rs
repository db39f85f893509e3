//! The record's texts lead to the same game again.

use qiju_abi::{GP_MOVE_FLAG, GP_MOVE_RESIGN, GP_NONE, GpMove};

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Subject, ensure, passed, skipped,
};
use crate::plugins::{Game, Lang};

pub const CHECKS: &[Check] = &[
    ("replay/equal", equal),
    ("replay/parse", parse),
    ("replay/unlisted", unlisted),
];

/// The cell that is selected in the pictures.
const SELECTED: u16 = 0;

/// A second game with the same options and seed, played from the texts of the
/// first, equals it after every move.
fn equal(subject: &Subject<'_>) -> Checked {
    let mut copy: Option<Game> = None;
    let count = subject.walk("replay/equal", |position| {
        let replayed = match (position.texts.last(), copy.take()) {
            (Some(text), Some(mut game)) => {
                let mv = game
                    .parse_move(text)
                    .map_err(|error| Fault(format!("the text {text:?} is not read: {error}")))?;
                game.apply(mv)
                    .map_err(|error| Fault(format!("the text {text:?} is not played: {error}")))?;
                game
            }
            _ => subject
                .plugin
                .create(&position.start.options, position.start.seed, Lang::Zh)?,
        };
        let original = Picture::of(subject, position.game, SELECTED)?;
        if let Some(what) = original.difference(&Picture::of(subject, &replayed, SELECTED)?) {
            return Err(Fault(format!("in a replay {what}")));
        }
        ensure!(
            replayed.moves(None)? == position.moves,
            "a replay has other legal moves"
        );
        copy = Some(replayed);
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// Every legal move is read back from its text.
fn parse(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    subject.walk("replay/parse", |position| {
        for mv in position.moves {
            tried += 1;
            let text = position.game.move_text(*mv)?;
            let back = position.game.parse_move(&text).map_err(|error| {
                Fault(format!("{mv:?} is {text:?}, which is not read: {error}"))
            })?;
            ensure!(back == *mv, "{mv:?} is {text:?}, which is read as {back:?}");
        }
        Ok(())
    })?;
    passed(format!("{tried} moves"))
}

/// Resigning and losing on time, which are never listed, have texts, too.
fn unlisted(subject: &Subject<'_>) -> Checked {
    if !subject.describe().resign {
        return skipped("no player may resign");
    }
    let flags = (0..subject.describe().sides.len()).map(|player| (GP_MOVE_FLAG, player as u16));
    let unlisted: Vec<(u16, u16)> = flags.chain([(GP_MOVE_RESIGN, 0)]).collect();
    let count = subject.walk("replay/unlisted", |position| {
        for (kind, arg) in &unlisted {
            let mv = GpMove {
                kind: *kind,
                from: GP_NONE,
                to: GP_NONE,
                arg: *arg,
            };
            let text = position.game.move_text(mv)?;
            let back = position.game.parse_move(&text).map_err(|error| {
                Fault(format!("{mv:?} is {text:?}, which is not read: {error}"))
            })?;
            ensure!(back == mv, "{mv:?} is {text:?}, which is read as {back:?}");
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}
