//! The options that a player chose, read and checked by the game's own schema.

use serde::Serialize;

use crate::describe::{OptionSpec, OptionType};
use crate::lang::Lang;

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number, or a number of halves.
    Int(i64),
    /// A choice.
    Text(String),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// An option that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The options are not a TOML table.
    #[error("the options are not TOML: {0}")]
    Toml(String),
    /// A value that the key cannot take: said in Chinese and in English.
    #[error("{key}: {en}")]
    Value {
        /// The key.
        key: String,
        /// Why, in Chinese.
        zh: String,
        /// Why, in English.
        en: String,
    },
}

impl OptionError {
    /// A value that `key` cannot take.
    pub fn value(key: &str, zh: impl Into<String>, en: impl Into<String>) -> Self {
        Self::Value {
            key: key.to_owned(),
            zh: zh.into(),
            en: en.into(),
        }
    }

    /// The message for people. It always names the key.
    pub fn message(&self, lang: Lang) -> String {
        match self {
            Self::Toml(why) => lang.pick(
                format!("选项不是有效的 TOML：{why}"),
                format!("the options are not TOML: {why}"),
            ),
            Self::Value { key, zh, en } => {
                lang.pick(format!("{key}：{zh}"), format!("{key}: {en}"))
            }
        }
    }
}

/// Options with every key of the schema present and valid.
#[derive(Clone, Debug)]
pub struct Options {
    values: Vec<(String, Value)>,
}

impl Options {
    /// Reads a TOML table. Keys that the schema lacks are ignored, absent ones take their default.
    ///
    /// # Errors
    /// The text is not TOML, or a value has the wrong type or is out of its range.
    pub fn read(text: &str, schema: &[OptionSpec]) -> Result<Self, OptionError> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| OptionError::Toml(error.message().to_owned()))?;
        let values = schema
            .iter()
            .map(|spec| {
                let value = match table.get(&spec.key) {
                    None => spec.default.clone(),
                    Some(given) => check(spec, given)?,
                };
                Ok((spec.key.clone(), value))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { values })
    }

    /// A number; 0 if the schema has no such number.
    pub fn int(&self, key: &str) -> i64 {
        match self.get(key) {
            Some(Value::Int(value)) => *value,
            _ => 0,
        }
    }

    /// True or false; false if the schema has no such option.
    pub fn bool(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Value::Bool(true)))
    }

    /// A choice; empty if the schema has no such choice.
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Value::Text(value)) => value,
            _ => "",
        }
    }

    fn get(&self, key: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }
}

fn check(spec: &OptionSpec, given: &toml::Value) -> Result<Value, OptionError> {
    let value = match given {
        toml::Value::Boolean(value) => Value::Bool(*value),
        toml::Value::Integer(value) => Value::Int(*value),
        toml::Value::String(value) => Value::Text(value.clone()),
        other => return Err(wrong_type(spec, &other.to_string())),
    };
    match (spec.kind, &value) {
        (OptionType::Bool, Value::Bool(_)) => Ok(value),
        (OptionType::Int | OptionType::Half, Value::Int(number)) => {
            let min = spec.min.unwrap_or(i64::MIN);
            let max = spec.max.unwrap_or(i64::MAX);
            let step = spec.step.max(1);
            let off_step = number
                .checked_sub(min)
                .is_some_and(|above| above % step != 0);
            if *number < min || *number > max {
                return Err(OptionError::value(
                    &spec.key,
                    format!("{number} 不在 {min} 到 {max} 之间"),
                    format!("{number} is not between {min} and {max}"),
                ));
            }
            if off_step && spec.min.is_some() {
                return Err(OptionError::value(
                    &spec.key,
                    format!("{number} 不是从 {min} 起每 {step} 一档的值"),
                    format!("{number} is not one of {min}, {min} + {step}, …"),
                ));
            }
            Ok(value)
        }
        (OptionType::Choice, _) => {
            if spec.choices.iter().any(|choice| choice.value == value) {
                return Ok(value);
            }
            let known: Vec<String> = spec
                .choices
                .iter()
                .map(|choice| shown(&choice.value))
                .collect();
            let known = known.join(", ");
            let given = shown(&value);
            Err(OptionError::value(
                &spec.key,
                format!("{given} 不是可选值（{known}）"),
                format!("{given} is none of {known}"),
            ))
        }
        _ => Err(wrong_type(spec, &shown(&value))),
    }
}

fn wrong_type(spec: &OptionSpec, given: &str) -> OptionError {
    let (zh, en) = match spec.kind {
        OptionType::Int | OptionType::Half => ("整数", "a whole number"),
        OptionType::Bool => ("true 或 false", "true or false"),
        OptionType::Choice => ("可选值之一", "one of its choices"),
    };
    OptionError::value(
        &spec.key,
        format!("{given} 应为{zh}"),
        format!("{given} should be {en}"),
    )
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Text(value) => format!("\"{value}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Vec<OptionSpec> {
        let spec = |key: &str, kind, default: Value| OptionSpec {
            key: key.to_owned(),
            name: String::new(),
            help: String::new(),
            kind,
            default,
            min: None,
            max: None,
            step: 0,
            choices: Vec::new(),
        };
        let choice = |value: &str| crate::Choice {
            value: value.into(),
            name: String::new(),
        };
        vec![
            OptionSpec {
                min: Some(5),
                max: Some(25),
                step: 2,
                ..spec("side", OptionType::Int, Value::Int(9))
            },
            spec("swap", OptionType::Bool, Value::Bool(true)),
            OptionSpec {
                choices: vec![choice("a"), choice("b")],
                ..spec("rule", OptionType::Choice, "a".into())
            },
        ]
    }

    #[test]
    fn absent_keys_take_defaults_and_unknown_ones_are_ignored() -> Result<(), OptionError> {
        let options = Options::read("colour = 7", &schema())?;
        assert_eq!(
            (
                options.int("side"),
                options.bool("swap"),
                options.text("rule")
            ),
            (9, true, "a")
        );
        Ok(())
    }

    #[test]
    fn a_wrong_value_names_its_key() {
        for (text, key) in [
            ("side = 4", "side"),
            ("side = 26", "side"),
            ("side = 8", "side"),
            ("side = \"9\"", "side"),
            ("side = 9.5", "side"),
            ("swap = 1", "swap"),
            ("rule = \"c\"", "rule"),
            ("rule = [1]", "rule"),
        ] {
            for lang in [Lang::Zh, Lang::En] {
                let error = Options::read(text, &schema()).map(|_| ()).unwrap_err();
                assert!(
                    error.message(lang).starts_with(key),
                    "{text}: {}",
                    error.message(lang)
                );
            }
        }
    }

    #[test]
    fn text_that_is_no_toml_is_refused() {
        assert!(matches!(
            Options::read("= 3", &schema()),
            Err(OptionError::Toml(_))
        ));
    }
}
