//! The options of a new game as the shell offers them, and as the game reads them.

use qiju_sdk::{Choice, Lang, OptionSpec, OptionType, Preset, Value};

use crate::rules::{self, HandicapBonus, KoRule, RuleSet, Scoring};
use crate::texts;

/// The ko rules by their value in options.
const KO_RULES: [(&str, KoRule); 3] = [
    ("positional", KoRule::PositionalSuperko),
    ("situational", KoRule::SituationalSuperko),
    ("simple", KoRule::Simple),
];

/// The ways of scoring by their value in options.
const SCORINGS: [(&str, Scoring); 2] = [("area", Scoring::Area), ("territory", Scoring::Territory)];

/// The bonuses for handicap by their value in options.
const BONUSES: [(&str, HandicapBonus); 3] = [
    ("none", HandicapBonus::None),
    ("all-but-one", HandicapBonus::AllButOne),
    ("all", HandicapBonus::All),
];

/// What stands for a text in a table of choices.
fn by_text<T: Copy>(table: &[(&str, T)], text: &str) -> Option<T> {
    let found = table.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value)
}

/// The text of a value in a table of choices.
fn text_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    let found = table.iter().find(|(_, v)| v == value);
    found.map_or("", |&(name, _)| name)
}

/// An option that is switched on or chosen from a list.
fn spec(key: &str, name: &str, help: &str, kind: OptionType, default: Value) -> OptionSpec {
    OptionSpec {
        key: key.to_owned(),
        name: name.to_owned(),
        help: help.to_owned(),
        kind,
        default,
        min: None,
        max: None,
        step: 0,
        choices: Vec::new(),
    }
}

/// The schema of the options.
pub fn specs(lang: Lang) -> Vec<OptionSpec> {
    let named = |value: Value, name: String| Choice { value, name };
    let named_texts = |choices: &[(&str, &str)]| -> Vec<Choice> {
        let choices = choices.iter();
        choices
            .map(|&(value, name)| named(value.into(), name.to_owned()))
            .collect()
    };
    let sizes = [9, 13, 19].map(|side: i64| named(side.into(), format!("{side}×{side}")));
    let handicaps = [0, 2, 3, 4, 5, 6, 7, 8, 9].map(|stones: i64| {
        let name = match stones {
            0 => lang.pick("不让子", "None").to_owned(),
            _ => lang.pick(format!("{stones} 子"), format!("{stones} stones")),
        };
        named(stones.into(), name)
    });
    let default = rules::Options::default();
    let max_komi = i64::from(rules::MAX_KOMI);
    vec![
        OptionSpec {
            min: Some(rules::MIN_SIZE.into()),
            max: Some(rules::MAX_SIZE.into()),
            step: 1,
            choices: sizes.to_vec(),
            ..spec(
                "size",
                lang.pick("棋盘", "Board"),
                lang.pick("边长，2 到 25 路", "Side of the board, 2 to 25"),
                OptionType::Int,
                i64::from(default.size).into(),
            )
        },
        OptionSpec {
            choices: handicaps.to_vec(),
            ..spec(
                "handicap",
                lang.pick("让子", "Handicap"),
                lang.pick(
                    "黑方先放的棋子；固定让子时双数路与 7 路至多 4 子",
                    "Black's stones before the game; on fixed points up to 4 on even sides and side 7",
                ),
                OptionType::Choice,
                0.into(),
            )
        },
        OptionSpec {
            min: Some(-max_komi),
            max: Some(max_komi),
            step: 1,
            ..spec(
                "komi",
                lang.pick("贴目", "Komi"),
                lang.pick(
                    "白方所得的目数。让子棋通常设为 0 或 0.5",
                    "Points given to White. Usually 0 or 0.5 in handicap games",
                ),
                OptionType::Half,
                i64::from(default.komi).into(),
            )
        },
        spec(
            "free_handicap",
            lang.pick("自由让子", "Free handicap"),
            lang.pick(
                "让子由黑方自己放，不限星位",
                "Black places the handicap stones where he likes",
            ),
            OptionType::Bool,
            false.into(),
        ),
        OptionSpec {
            choices: named_texts(&[
                ("area", lang.pick("数子", "Area")),
                ("territory", lang.pick("数目", "Territory")),
            ]),
            ..spec(
                "scoring",
                lang.pick("计分", "Scoring"),
                lang.pick(
                    "数子：活棋与围住的空点；数目：围住的空点与提子",
                    "Area: stones and surrounded points; territory: surrounded points and prisoners",
                ),
                OptionType::Choice,
                text_of(&SCORINGS, &default.scoring).into(),
            )
        },
        OptionSpec {
            choices: named_texts(&[
                ("positional", lang.pick("全局同形", "Positional superko")),
                (
                    "situational",
                    lang.pick("全局同形（计行棋方）", "Situational superko"),
                ),
                ("simple", lang.pick("单劫", "Simple ko")),
            ]),
            ..spec(
                "ko",
                lang.pick("劫的规则", "Ko rule"),
                lang.pick("哪些重复的局面是禁着", "Which repetitions are forbidden"),
                OptionType::Choice,
                text_of(&KO_RULES, &default.ko).into(),
            )
        },
        spec(
            "suicide",
            lang.pick("允许自杀", "Suicide allowed"),
            lang.pick(
                "落子后己方无气时，把己方的棋提走",
                "A move that leaves its own group without liberties takes it off",
            ),
            OptionType::Bool,
            default.suicide.into(),
        ),
        spec(
            "pass_stones",
            lang.pick("停手交子", "Pass stones"),
            lang.pick(
                "停一手交给对方一子，白方最后停手",
                "A pass hands over a stone, and White passes last",
            ),
            OptionType::Bool,
            default.pass_stones.into(),
        ),
        OptionSpec {
            choices: named_texts(&[
                ("none", lang.pick("不还", "Nothing")),
                ("all-but-one", lang.pick("少还一目", "All but one")),
                ("all", lang.pick("每子一目", "A point each")),
            ]),
            ..spec(
                "handicap_bonus",
                lang.pick("让子还目", "Handicap points"),
                lang.pick(
                    "数子时黑方为让子还给白方的目数",
                    "What White gets for the stones when area is counted",
                ),
                OptionType::Choice,
                text_of(&BONUSES, &default.handicap_bonus).into(),
            )
        },
        spec(
            "agreement",
            lang.pick("协商死子", "Agree on dead stones"),
            lang.pick(
                "双方停手后标出死子；关闭时盘上棋子都算活棋",
                "Dead stones are marked after two passes; otherwise every stone lives",
            ),
            OptionType::Bool,
            default.agreement.into(),
        ),
    ]
}

/// The rule sets as named sets of options.
pub fn presets(lang: Lang) -> Vec<Preset> {
    let of_rules = [
        "komi",
        "scoring",
        "ko",
        "suicide",
        "pass_stones",
        "handicap_bonus",
        "agreement",
    ];
    let preset = |rules: RuleSet| {
        let values = values(&rules.options(rules::Options::default().size));
        let options = values
            .into_iter()
            .filter(|(key, _)| of_rules.contains(key))
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        Preset {
            id: rules.id().to_owned(),
            name: texts::rule_set(rules, lang).to_owned(),
            help: texts::rule_set_help(rules, lang).to_owned(),
            options,
        }
    };
    RuleSet::ALL.into_iter().map(preset).collect()
}

/// The options of a game from what the shell gives, which fits the schema.
///
/// # Errors
/// A number that no board has; the error names the key.
pub fn read(options: &qiju_sdk::Options) -> Result<rules::Options, qiju_sdk::OptionError> {
    let out_of_range = |key: &str| {
        let number = options.int(key);
        qiju_sdk::OptionError::value(
            key,
            format!("{number} 超出范围"),
            format!("{number} is out of range"),
        )
    };
    let default = rules::Options::default();
    Ok(rules::Options {
        size: u8::try_from(options.int("size")).map_err(|_| out_of_range("size"))?,
        komi: i32::try_from(options.int("komi")).map_err(|_| out_of_range("komi"))?,
        handicap: u8::try_from(options.int("handicap")).map_err(|_| out_of_range("handicap"))?,
        free_handicap: options.bool("free_handicap"),
        ko: by_text(&KO_RULES, options.text("ko")).unwrap_or(default.ko),
        suicide: options.bool("suicide"),
        scoring: by_text(&SCORINGS, options.text("scoring")).unwrap_or(default.scoring),
        pass_stones: options.bool("pass_stones"),
        handicap_bonus: by_text(&BONUSES, options.text("handicap_bonus"))
            .unwrap_or(default.handicap_bonus),
        agreement: options.bool("agreement"),
    })
}

/// Options as keys and values that [`read`] reads.
pub fn values(options: &rules::Options) -> Vec<(&'static str, Value)> {
    vec![
        ("size", i64::from(options.size).into()),
        ("handicap", i64::from(options.handicap).into()),
        ("komi", i64::from(options.komi).into()),
        ("free_handicap", options.free_handicap.into()),
        ("scoring", text_of(&SCORINGS, &options.scoring).into()),
        ("ko", text_of(&KO_RULES, &options.ko).into()),
        ("suicide", options.suicide.into()),
        ("pass_stones", options.pass_stones.into()),
        (
            "handicap_bonus",
            text_of(&BONUSES, &options.handicap_bonus).into(),
        ),
        ("agreement", options.agreement.into()),
    ]
}

/// Options as the TOML table of a record; those that have their default are left out.
pub fn to_table(options: &rules::Options) -> toml::Table {
    let defaults = values(&rules::Options::default());
    let differing = values(options)
        .into_iter()
        .zip(defaults)
        .filter(|((_, value), (_, default))| value != default);
    differing
        .map(|((key, value), _)| {
            let value = match value {
                Value::Bool(value) => value.into(),
                Value::Int(value) => value.into(),
                Value::Text(value) => value.into(),
            };
            (key.to_owned(), value)
        })
        .collect()
}

/// The options in the TOML table of a record.
///
/// # Errors
/// A value that an option cannot take; the message names the key.
pub fn from_table(table: &toml::Table) -> Result<rules::Options, qiju_sdk::OptionError> {
    let given = qiju_sdk::Options::read(&table.to_string(), &specs(Lang::En))?;
    read(&given)
}
