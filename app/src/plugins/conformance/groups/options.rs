//! Options: what the schema promises is taken, everything else is refused by name.

use super::Check;
use crate::plugins::conformance::subject::{
    Checked, Fault, Picture, Subject, ensure, passed, skipped,
};
use crate::plugins::{Game, GameError, Lang, OptionSpec, OptionType};

pub const CHECKS: &[Check] = &[
    ("options/accepted", accepted),
    ("options/refused", refused),
    ("options/unknown", unknown),
    ("options/presets", presets),
    ("options/not-toml", not_toml),
];

/// The seed of all games here.
const SEED: u64 = 1;
/// The cell that is selected in the pictures.
const SELECTED: u16 = 0;

fn table(key: &str, value: toml::Value) -> toml::Table {
    [(key.to_owned(), value)].into_iter().collect()
}

/// The ends and the steps of an option's range, its choices and its default.
fn good_values(spec: &OptionSpec) -> Vec<toml::Value> {
    let step = spec.step.max(1);
    let ends = [
        spec.min,
        spec.max,
        spec.min.map(|min| min.saturating_add(step)),
    ];
    let candidates = match spec.kind {
        OptionType::Bool => vec![true.into(), false.into()],
        OptionType::Choice => Vec::new(),
        OptionType::Int | OptionType::Half => ends
            .into_iter()
            .flatten()
            .map(toml::Value::Integer)
            .collect(),
    };
    candidates
        .into_iter()
        .filter(|value| spec.takes(value))
        .chain(spec.choices.iter().map(|choice| choice.value.clone()))
        .chain([spec.default.clone()])
        .collect()
}

/// Values of the wrong type, out of range, off the step, or none of the choices.
/// No tables: options are one `key = value` a line.
fn bad_values(spec: &OptionSpec) -> Vec<toml::Value> {
    let number = |value: Option<i64>| value.map(toml::Value::Integer);
    let near = [
        number(spec.min.and_then(|min| min.checked_sub(1))),
        number(spec.max.and_then(|max| max.checked_add(1))),
        number(spec.min.and_then(|min| min.checked_add(1))),
    ];
    let wild = [
        toml::Value::Integer(i64::MIN),
        toml::Value::Integer(i64::MAX),
        toml::Value::Float(9.5),
        toml::Value::Float(f64::NAN),
        toml::Value::Boolean(true),
        toml::Value::String(String::new()),
        toml::Value::String("no such choice".to_owned()),
        toml::Value::String("9".to_owned()),
        toml::Value::Array(vec![spec.default.clone()]),
    ];
    near.into_iter()
        .flatten()
        .chain(wild)
        .filter(|value| !spec.takes(value))
        .collect()
}

/// Every option takes both ends of its range, each of its choices and its default.
fn accepted(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    let defaults = Picture::of(subject, &subject.default_game(SEED)?, SELECTED)?;
    for spec in &subject.describe().options {
        for value in good_values(spec) {
            tried += 1;
            let game = subject
                .plugin
                .create(&table(&spec.key, value.clone()), SEED, Lang::En)
                .map_err(|error| Fault(format!("{} = {value} is not taken: {error}", spec.key)))?;
            let picture = Picture::of(subject, &game, SELECTED)
                .map_err(|fault| Fault(format!("with {} = {value} {fault}", spec.key)))?;
            ensure!(
                value != spec.default || picture.difference(&defaults).is_none(),
                "{} = {value} is the default, but gives another game than none at all",
                spec.key
            );
        }
    }
    match tried {
        0 => skipped("the game has no options"),
        tried => passed(format!("{tried} values")),
    }
}

/// A wrong value is refused with an error that names the key, in both languages.
fn refused(subject: &Subject<'_>) -> Checked {
    let mut tried = 0;
    for spec in &subject.describe().options {
        for value in bad_values(spec) {
            tried += 1;
            for lang in Lang::ALL {
                let at = format!("{} = {value} ({})", spec.key, lang.tag());
                match subject
                    .plugin
                    .create(&table(&spec.key, value.clone()), SEED, lang)
                {
                    Err(GameError::Option(why)) => ensure!(
                        why.contains(&spec.key),
                        "{at} is refused without naming the key: {why:?}"
                    ),
                    Err(error) => {
                        return Err(Fault(format!(
                            "{at} is not refused as an option, but: {error}"
                        )));
                    }
                    Ok(_) => return Err(Fault(format!("{at} is taken, against the schema"))),
                }
            }
        }
    }
    match tried {
        0 => skipped("the game has no options"),
        tried => passed(format!("{tried} values")),
    }
}

/// A game can be made of every preset, and each differs from the others in what it sets.
fn presets(subject: &Subject<'_>) -> Checked {
    let presets = &subject.describe().presets;
    for (number, preset) in presets.iter().enumerate() {
        for key in preset.options.keys() {
            ensure!(
                subject
                    .describe()
                    .options
                    .iter()
                    .any(|spec| spec.key == *key),
                "preset {} sets {key}, which is no option",
                preset.id
            );
        }
        ensure!(
            !presets
                .iter()
                .take(number)
                .any(|other| other.options == preset.options),
            "preset {} sets what another one does",
            preset.id
        );
        let game = subject
            .plugin
            .create(&preset.options, SEED, Lang::En)
            .map_err(|error| Fault(format!("preset {} cannot be begun: {error}", preset.id)))?;
        Picture::of(subject, &game, SELECTED)
            .map_err(|fault| Fault(format!("with preset {} {fault}", preset.id)))?;
    }
    match presets.len() {
        0 => skipped("the game has no presets"),
        count => passed(format!("{count} presets")),
    }
}

/// Keys of the future are ignored.
fn unknown(subject: &Subject<'_>) -> Checked {
    let defaults = Picture::of(subject, &subject.default_game(SEED)?, SELECTED)?;
    let table = table("key-of-the-future", toml::Value::Integer(7));
    let game = subject
        .plugin
        .create(&table, SEED, Lang::En)
        .map_err(|error| Fault(format!("an unknown key is not ignored: {error}")))?;
    match defaults.difference(&Picture::of(subject, &game, SELECTED)?) {
        Some(what) => Err(Fault(format!("with an unknown key {what}"))),
        None => passed("ignored"),
    }
}

/// Options that are no TOML table are refused.
fn not_toml(subject: &Subject<'_>) -> Checked {
    for text in ["= 3", "[", "a = ", "\"", "a = 1 a = 2", "\u{0}"] {
        match Game::create(&subject.plugin, text, SEED, Lang::En) {
            Err(GameError::Option(why) | GameError::Parse(why)) if !why.trim().is_empty() => {}
            Err(error) => {
                return Err(Fault(format!(
                    "the options {text:?} are not refused with a reason: {error}"
                )));
            }
            Ok(_) => return Err(Fault(format!("the options {text:?} are taken"))),
        }
    }
    passed("refused")
}
