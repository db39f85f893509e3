//! Every text exists in Chinese and in English.

use super::Check;
use crate::plugins::conformance::subject::{Checked, Fault, Subject, ensure, passed, skipped};
use crate::plugins::{Area, Describe, Lang};

pub const CHECKS: &[Check] = &[
    ("texts/describe", describe),
    ("texts/layout", layout),
    ("texts/status", status),
    ("texts/moves", moves),
    ("texts/tally", tally),
];

/// A text that must be there, and be of its language: Chinese has a Chinese
/// character, English a Latin letter.
fn prose(lang: Lang, what: &str, text: &str) -> Result<(), Fault> {
    ensure!(!text.trim().is_empty(), "{what} ({}) is empty", lang.tag());
    let of_language = match lang {
        Lang::Zh => text.chars().any(is_han),
        Lang::En => text.chars().any(|c| c.is_ascii_alphabetic()),
    };
    ensure!(
        of_language,
        "{what} ({}) is not of that language: {text:?}",
        lang.tag()
    );
    Ok(())
}

/// A name that must be there; figures and symbols are enough.
fn name(lang: Lang, what: &str, text: &str) -> Result<(), Fault> {
    ensure!(!text.trim().is_empty(), "{what} ({}) is empty", lang.tag());
    Ok(())
}

/// CJK unified ideographs, with the extensions that games' names may use.
fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

/// Every word of the description.
fn describe(subject: &Subject<'_>) -> Checked {
    for lang in Lang::ALL {
        let Describe {
            name: title,
            version,
            summary,
            help,
            sides,
            options,
            pieces,
            overlays,
            formats,
            levels,
            ..
        } = subject.plugin.describe(lang);
        name(lang, "version", version)?;
        prose(lang, "name", title)?;
        prose(lang, "summary", summary)?;
        prose(lang, "help", help)?;
        for (i, side) in sides.iter().enumerate() {
            prose(lang, &format!("sides[{i}].name"), &side.name)?;
            name(lang, &format!("sides[{i}].colour"), &side.colour)?;
        }
        for option in options {
            prose(lang, &format!("options.{}.name", option.key), &option.name)?;
            for choice in &option.choices {
                let what = format!("options.{}.choices.{}", option.key, choice.value);
                name(lang, &what, &choice.name)?;
            }
        }
        for (i, piece) in pieces.iter().enumerate() {
            prose(lang, &format!("pieces[{i}].name"), &piece.name)?;
        }
        for overlay in overlays {
            prose(
                lang,
                &format!("overlays.{}.name", overlay.id),
                &overlay.name,
            )?;
        }
        for format in formats {
            name(lang, &format!("formats.{}.name", format.id), &format.name)?;
        }
        for (i, level) in levels.iter().enumerate() {
            name(lang, &format!("levels[{i}].name"), &level.name)?;
        }
    }
    passed("zh, en")
}

/// The layout differs between the languages in words only, and every cell has a spoken name.
fn layout(subject: &Subject<'_>) -> Checked {
    for number in 0..subject.games {
        let mut rng = subject.rng("texts/layout", number);
        let (game, start) = subject.begin(number, &mut rng)?;
        let layouts = [game.layout(Lang::Zh)?, game.layout(Lang::En)?];
        let [zh, en] = &layouts;
        zh.same_but_for_words(en)
            .map_err(|what| Fault(format!("with {}: {what}", start.options)))?;
        for (lang, layout) in Lang::ALL.into_iter().zip(&layouts) {
            for area in &layout.areas {
                let what = format!("name of area {}", area.id);
                prose(lang, &what, &area.name)?;
                ensure!(
                    has_spoken_names(area),
                    "area {} ({}) has cells without a spoken name: neither names nor columns and row_names",
                    area.id,
                    lang.tag()
                );
            }
        }
    }
    passed("zh, en")
}

fn has_spoken_names(area: &Area) -> bool {
    let full = |names: &[String]| !names.is_empty() && names.iter().all(|n| !n.trim().is_empty());
    full(&area.names) || (full(&area.columns) && full(&area.row_names))
}

/// There is a line for everybody, at every moment.
fn status(subject: &Subject<'_>) -> Checked {
    let count = subject.walk("texts/status", |position| {
        for viewer in subject.viewers() {
            for lang in Lang::ALL {
                let text = position.game.status_text(viewer, lang)?;
                prose(lang, &format!("status_text for {viewer}"), &text)?;
                ensure!(
                    !text.contains('\n'),
                    "status_text for {viewer} ({}) has a line break",
                    lang.tag()
                );
            }
        }
        Ok(())
    })?;
    passed(format!("{count} positions"))
}

/// Every legal move has a text to store and a label in both languages.
fn moves(subject: &Subject<'_>) -> Checked {
    let mut seen = 0;
    subject.walk("texts/moves", |position| {
        for mv in position.moves {
            seen += 1;
            let text = position.game.move_text(*mv)?;
            ensure!(
                !text.trim().is_empty() && !text.chars().any(char::is_control),
                "move_text of {mv:?} is empty or has control characters: {text:?}"
            );
            for lang in Lang::ALL {
                let label = position.game.move_label(*mv, lang)?;
                name(lang, &format!("move_label of {mv:?}"), &label)?;
            }
        }
        Ok(())
    })?;
    passed(format!("{seen} moves"))
}

/// An account of the score reads in both languages and has the same rows in each; it says nothing to one
/// viewer in one language that it does not say in the other.
fn tally(subject: &Subject<'_>) -> Checked {
    if subject.plugin.vtable().tally.is_none() {
        return skipped("the game has no account of a score");
    }
    let mut seen = 0;
    subject.walk("texts/tally", |position| {
        for viewer in subject.viewers() {
            let (zh, en) = (
                position.game.tally(viewer, Lang::Zh)?,
                position.game.tally(viewer, Lang::En)?,
            );
            let (zh, en) = match (zh, en) {
                (Some(zh), Some(en)) => (zh, en),
                (None, None) => continue,
                _ => return Err(Fault("there is a tally in one language only".to_owned())),
            };
            zh.same_but_for_words(&en)
                .map_err(|why| Fault(format!("tally for {viewer}: {why}")))?;
            for (lang, tally) in [(Lang::Zh, &zh), (Lang::En, &en)] {
                prose(lang, "the tally's title", &tally.title)?;
                for row in &tally.rows {
                    name(lang, "a row of the tally", &row.name)?;
                }
            }
            seen += 1;
        }
        Ok(())
    })?;
    passed(format!("{seen} accounts"))
}
