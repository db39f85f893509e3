//! Everything that a player reads, in Chinese and in English.

use qiju_sdk::Lang;

use crate::notation;
use crate::rules::{Action, Color, End, Game, Illegal, OptionError, max_handicap};

/// The rules and house decisions, for the help page.
pub fn help(lang: Lang) -> &'static str {
    lang.pick(
        "\
双方轮流在交叉点上落子，黑先。一块棋的气是与它直接相邻的空点；没有气的棋被提走。落子时先提对方无气的棋，再看自己。

自杀：落子后己方无气又没有提子，为禁着；选项可改为允许（新西兰规则）。

打劫与全局同形：默认禁止重现先前出现过的全局局面（中国围棋规则 2002 年版第六条，按局面同形理解）。选项可改为只禁止立即提回的单劫，或把轮到谁走也算在内。停一手不受此限。

双方接连停一手即终局，按子空皆地计分：活棋与只被一方围住的空点归该方，白方另加贴目。中国规则 7.5 目即 3¾ 子。终局时盘上所有棋子都按活棋计算，所以停手之前请先提掉对方的死子；计算机也会这样做。

让子：黑棋先放在固定的星位上（5 路、6 路不让子，7 路与双数路至多四子，其余至多九子），白先。每让一子黑方还白方一目。让子棋通常把贴目设为 0 或半目。

认输随时可以。",
        "\
The players place stones on the crossings in turn, black first. The liberties of a group are the empty points directly beside it; a group without any is taken. A move first takes the other side's groups without liberties, then its own is looked at.

Suicide, a move that leaves its own group without liberties and takes nothing, is forbidden; an option allows it (New Zealand rules).

Ko and repetition: by default no whole-board position may come back (Chinese rules of 2002, article 6, read as positional superko). Options forbid only the immediate retaking of a ko, or count whose turn it is as part of the position. A pass is never forbidden.

Two passes in a row end the game. It is scored by area: living stones and the empty points that only one side surrounds, with komi added for white; 7.5 points are the Chinese 3¾ stones. Every stone on the board counts as living, so take dead stones off before you pass; the computer does the same.

Handicap: black's stones stand on fixed points before the game (none on sides 5 and 6, up to four on side 7 and on even sides, up to nine on the others), and white moves first. Black gives back one point for each stone. Handicap games are usually played with a komi of 0 or ½.

You may resign at any time.",
    )
}

/// "Black".
pub fn color_name(color: Color, lang: Lang) -> &'static str {
    match color {
        Color::Black => lang.pick("黑方", "Black"),
        Color::White => lang.pick("白方", "White"),
    }
}

/// Half points as points: "7.5", "-3", "0".
pub fn points(half: i32) -> String {
    let sign = if half < 0 { "-" } else { "" };
    let half = half.unsigned_abs();
    let fraction = if half % 2 == 1 { ".5" } else { "" };
    format!("{sign}{}{fraction}", half / 2)
}

/// Whose turn it is, or how the game ended.
pub fn status(game: &Game, lang: Lang) -> String {
    let Some(end) = game.end() else {
        let mover = color_name(game.position().to_move(), lang);
        return if game.last_was_pass() {
            let other = color_name(!game.position().to_move(), lang);
            lang.pick(
                format!("{other}停一手；{mover}若也停，即终局数子"),
                format!("{other} passed; a pass by {mover} ends the game"),
            )
        } else {
            lang.pick(format!("轮到{mover}"), format!("{mover} to play"))
        };
    };
    match end {
        End::Score => {
            let score = game.score();
            let (black, white) = (points(score.black), points(score.white));
            let margin = points(score.lead().abs());
            match game.winner().map(|winner| color_name(winner, lang)) {
                Some(winner) => lang.pick(
                    format!("{winner}胜 {margin} 目（黑 {black}，白 {white}）"),
                    format!("{winner} wins by {margin} (Black {black}, White {white})"),
                ),
                None => lang.pick(
                    format!("和棋（各 {black} 目）"),
                    format!("A draw ({black} each)"),
                ),
            }
        }
        End::Resigned(loser) => {
            let (winner, loser) = (color_name(!loser, lang), color_name(loser, lang));
            lang.pick(
                format!("{loser}认输，{winner}胜"),
                format!("{loser} resigned: {winner} wins"),
            )
        }
        End::TimeOut(loser) => {
            let (winner, loser) = (color_name(!loser, lang), color_name(loser, lang));
            lang.pick(
                format!("{loser}超时，{winner}胜"),
                format!("{loser} ran out of time: {winner} wins"),
            )
        }
    }
}

/// Why a move is illegal.
pub fn illegal(reason: Illegal, lang: Lang) -> &'static str {
    match reason {
        Illegal::Occupied => lang.pick("这里已经有棋子", "There is a stone here already"),
        Illegal::Suicide => lang.pick(
            "禁着：落子后己方无气，又没有提子",
            "Suicide: the stone would have no liberty and take nothing",
        ),
        Illegal::Ko => lang.pick(
            "打劫：不能立即提回，先在别处走一手",
            "Ko: you may not take back at once; play elsewhere first",
        ),
        Illegal::Superko => lang.pick(
            "全局同形：这一手会重现先前的局面",
            "Superko: this would bring back an earlier position of the whole board",
        ),
        Illegal::OffBoard => lang.pick("棋盘上没有这个点", "There is no such point on the board"),
        Illegal::GameOver => lang.pick("对局已经结束", "The game is over"),
        Illegal::WrongPhase => lang.pick("现在不能这样走", "This move is not possible now"),
    }
}

/// A move as people write it.
pub fn action_label(action: Action, size: u8, lang: Lang) -> String {
    match action {
        Action::Place(cell) => notation::point_name(cell, size),
        Action::Pass => lang.pick("停一手", "Pass").to_owned(),
        Action::Resign => lang.pick("认输", "Resign").to_owned(),
        Action::TimeOut(color) => {
            let name = color_name(color, lang);
            lang.pick(format!("{name}超时"), format!("{name} out of time"))
        }
    }
}

/// An option that cannot be taken, with its key.
pub fn option_error(error: OptionError) -> qiju_sdk::OptionError {
    let english = error.to_string();
    let (key, zh) = match error {
        OptionError::Size(size) => ("size", format!("{size} 不在 5 到 25 之间")),
        OptionError::Komi(komi) => ("komi", format!("{komi} 个半目超出范围")),
        OptionError::Handicap { size, handicap } => (
            "handicap",
            match max_handicap(size) {
                0 => format!("{size} 路棋盘不让子，不能让 {handicap} 子"),
                most => format!("{size} 路棋盘可让 2 到 {most} 子，不能让 {handicap} 子"),
            },
        ),
    };
    let prefix = format!("{key}: ");
    let en = english.strip_prefix(&prefix).unwrap_or(&english);
    qiju_sdk::OptionError::value(key, zh, en)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_are_written_as_points() {
        let written: Vec<String> = [15, -15, 0, 1, -1, 14, -6].map(points).to_vec();
        assert_eq!(written, ["7.5", "-7.5", "0", "0.5", "-0.5", "7", "-3"]);
    }
}
