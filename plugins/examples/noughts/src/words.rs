//! Everything of this game that people read, in Chinese and in English.

use qiju_sdk::abi::{GP_MOVE_FLAG, GP_MOVE_RESIGN, GP_REASON_RESIGN, GP_REASON_TIME};
use qiju_sdk::{
    AiLevel, Choice, Describe, Lang, Level, Move, OptionSpec, OptionType, Outcome, Overlay,
    OverlayKind, Piece, Shape, Side, Value,
};

use crate::rules::{CELLS, Noughts, Refusal, Rule, SIDE};

/// Key of the option that says what a line does.
pub const RULE: &str = "rule";
const NORMAL: &str = "normal";
const MISERE: &str = "misere";

/// Text of a resignation in a record.
pub const RESIGN: &str = "resign";
/// Text of a clock that ran out in a record, before the number of the player.
pub const FLAG: &str = "flag ";

const HELP_ZH: &str = "叉先走，双方轮流在空格里画上自己的记号。

通常规则：先把三个记号连成一线（横、竖、斜都算）的一方获胜。反向规则：先连成一线的一方落败。

格子画满而没有连线，则为和棋。双方都不出错时，两种规则都是和棋。";

const HELP_EN: &str =
    "Crosses begin. In turn, each player puts a mark of their own on an empty square.

Normal: the first to have three marks in a line (across, down or diagonally) wins. Misère: the first to have three in a line loses.

A full board without a line is a draw. Without a mistake, a game by either rule is a draw.";

/// All that is static about the game.
pub fn describe(lang: Lang) -> Describe {
    let text = |zh: &str, en: &str| lang.pick(zh, en).to_owned();
    let side = |player, colour: &str| Side {
        name: side_name(player, lang).to_owned(),
        colour: colour.to_owned(),
    };
    let piece = |player, shape, colour: &str| Piece {
        shape,
        glyph: String::new(),
        latin: String::new(),
        colour: colour.to_owned(),
        name: side_name(player, lang).to_owned(),
    };
    let choice = |value: &str, zh: &str, en: &str| Choice {
        value: Value::from(value),
        name: text(zh, en),
    };
    let level = |zh: &str, en: &str, help_zh: &str, help_en: &str| AiLevel {
        name: text(zh, en),
        help: text(help_zh, help_en),
    };
    Describe {
        id: "noughts".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: text("井字棋", "Noughts and crosses"),
        summary: text("三子连成一线", "Three in a line"),
        help: text(HELP_ZH, HELP_EN),
        resign: true,
        hidden: false,
        ladder: LADDER,
        sides: vec![side(0, "red"), side(1, "blue")],
        options: vec![OptionSpec {
            key: RULE.to_owned(),
            name: text("规则", "Rule"),
            help: text(
                "连成一线的一方获胜，还是落败。",
                "Whether a line wins or loses.",
            ),
            kind: OptionType::Choice,
            default: Value::from(NORMAL),
            min: None,
            max: None,
            step: 0,
            choices: vec![
                choice(NORMAL, "连线者胜", "A line wins"),
                choice(MISERE, "连线者负", "A line loses (misère)"),
            ],
        }],
        presets: Vec::new(),
        pieces: vec![piece(0, Shape::Cross, "red"), piece(1, Shape::Ring, "blue")],
        overlays: vec![
            Overlay {
                id: "worth".to_owned(),
                name: text("每格的价值", "Worth of each square"),
                kind: OverlayKind::Heat,
            },
            Overlay {
                id: "lines".to_owned(),
                name: text("还能连成的线", "Lines still open"),
                kind: OverlayKind::Number,
            },
        ],
        formats: Vec::new(),
        levels: vec![
            level("初学", "Beginner", "常常乱走", "Often plays anywhere"),
            level("普通", "Casual", "偶尔走错", "Errs now and then"),
            level("完美", "Perfect", "从不出错", "Never errs"),
        ],
    }
}

/// The rule that a value of the option stands for. The SDK has checked the value.
pub fn rule(value: &str) -> Rule {
    if value == MISERE {
        Rule::Misere
    } else {
        Rule::Normal
    }
}

/// Levels of the ladder.
const LADDER: u32 = 3;
/// The last level: its opponent never errs, so a draw passes it.
pub const TOP_LEVEL: u32 = LADDER - 1;

/// Level `index` of the ladder: against the opponent of the same number.
pub fn ladder_level(index: u32, lang: Lang) -> Option<Level> {
    let (name, help) = match index {
        0 => lang.pick(("起步", "执叉取胜"), ("First steps", "Win with crosses")),
        1 => lang.pick(("交锋", "执叉取胜"), ("A fair fight", "Win with crosses")),
        TOP_LEVEL => lang.pick(
            ("不败", "执圈不输"),
            ("Unbeaten", "Do not lose with noughts"),
        ),
        _ => return None,
    };
    let mut options = toml::Table::new();
    options.insert(RULE.to_owned(), NORMAL.into());
    Some(Level {
        name: name.to_owned(),
        help: help.to_owned(),
        player: u32::from(index == TOP_LEVEL),
        opponent: index,
        options,
    })
}

/// Name of a player's side.
pub fn side_name(player: u16, lang: Lang) -> &'static str {
    if player == 0 {
        lang.pick("叉", "Crosses")
    } else {
        lang.pick("圈", "Noughts")
    }
}

/// Name of the whole board.
pub fn board_name(lang: Lang) -> &'static str {
    lang.pick("棋盘", "Board")
}

/// One line on how the game stands.
pub fn status(state: &Noughts, lang: Lang) -> String {
    let (winner, reason) = match state.result() {
        Outcome::Running => {
            let side = side_name(state.turn(), lang);
            return lang.pick(format!("轮到{side}"), format!("{side} to move"));
        }
        Outcome::Win { winner, reason } => (winner, reason),
        _ => {
            return lang
                .pick("格子已满，和棋", "The board is full: a draw")
                .to_owned();
        }
    };
    let (won, lost) = (side_name(winner, lang), side_name(1 - winner, lang));
    match (reason, state.rule()) {
        (GP_REASON_RESIGN, _) => lang.pick(
            format!("{lost}认输，{won}胜"),
            format!("{lost} resigned: {won} win"),
        ),
        (GP_REASON_TIME, _) => lang.pick(
            format!("{lost}超时，{won}胜"),
            format!("{lost} ran out of time: {won} win"),
        ),
        (_, Rule::Normal) => lang.pick(
            format!("{won}连成一线，{won}胜"),
            format!("{won} made a line and win"),
        ),
        (_, Rule::Misere) => lang.pick(
            format!("{lost}连成一线，{won}胜"),
            format!("{lost} made a line: {won} win"),
        ),
    }
}

/// Why a move is illegal.
pub fn refusal(refusal: Refusal, lang: Lang) -> &'static str {
    match refusal {
        Refusal::Over => lang.pick("棋局已经结束", "The game is over"),
        Refusal::Unknown => lang.pick("井字棋没有这种着法", "This game has no such move"),
        Refusal::OffBoard => lang.pick("棋盘上没有这一格", "There is no such square"),
        Refusal::Taken => lang.pick("这一格已经有记号了", "This square is taken"),
    }
}

/// Names of the columns from the left.
pub const COLUMNS: [&str; SIDE] = ["A", "B", "C"];
/// Names of the rows from the top.
pub const ROWS: [&str; SIDE] = ["3", "2", "1"];

/// Name of a square: "B2". Empty for one that does not exist.
pub fn square(cell: u16) -> String {
    let cell = usize::from(cell);
    if cell >= CELLS {
        return String::new();
    }
    format!("{}{}", COLUMNS[cell % SIDE], ROWS[cell / SIDE])
}

/// The square of a name.
pub fn square_named(name: &str) -> Option<u16> {
    (0..CELLS as u16).find(|&cell| square(cell).eq_ignore_ascii_case(name))
}

/// A move as people write it.
pub fn label(mv: Move, lang: Lang) -> String {
    match mv.kind {
        GP_MOVE_RESIGN => lang.pick("认输", "resigns").to_owned(),
        GP_MOVE_FLAG => {
            let side = side_name(mv.arg, lang);
            lang.pick(format!("{side}超时"), format!("{side} out of time"))
        }
        _ => square(mv.to),
    }
}
