//! Everything that a player reads, in Chinese and in English.

use qiju_sdk::{Lang, Tally, TallyRow};

use crate::notation;
use crate::rules::{
    Action, Color, Count, End, Game, Illegal, OptionError, Phase, RuleSet, Scoring, max_handicap,
};

/// The rules and house decisions, for the help page.
pub fn help(lang: Lang) -> &'static str {
    lang.pick(
        "\
双方轮流在交叉点上落子，黑先。一块棋的气是与它直接相邻的空点；没有气的棋被提走。落子时先提对方无气的棋，再看自己。

规则：可选中国、日本、美国（AGA）、新西兰与 Tromp–Taylor 规则，也可逐项设定。

自杀：落子后己方无气又没有提子，为禁着；新西兰与 Tromp–Taylor 规则允许。

打劫与全局同形：中国规则（2002 年版第六条）与 Tromp–Taylor 规则禁止重现先前出现过的全局局面；AGA 与新西兰规则把轮到谁走也算在内；日本规则只禁止立即提回。停一手不受此限。

双方接连停一手，进入点目：计算机先标出它认为的死子（淡色显示），点一块棋可改判死活；双方都确认后计分，有争议可继续下。Tromp–Taylor 规则不认死子，盘上所有棋子都算活棋，请先提净。

计分：子空皆地（中国、新西兰、Tromp–Taylor）：活棋与只被一方围住的空点归该方，白方另加贴目；中国规则 7.5 目即 3¾ 子。数目（日本）：只算围住的空点与提子，盘上的死子也算提子，双活中的眼不算目。AGA 规则停一手交一子给对方，白方最后停手，因此数目与数子结果相同。

让子：固定让子放在星位上（5 路、6 路不让子，7 路与双数路至多四子，其余至多九子），自由让子由黑方自己先放，然后白先。中国规则每让一子黑方还白方一目。让子棋通常把贴目设为 0 或半目。

认输随时可以。",
        "\
The players place stones on the crossings in turn, black first. The liberties of a group are the empty points directly beside it; a group without any is taken. A move first takes the other side's groups without liberties, then its own is looked at.

Rules: Chinese, Japanese, AGA, New Zealand and Tromp–Taylor rules are offered, and each part of them by itself.

Suicide, a move that leaves its own group without liberties and takes nothing, is forbidden; New Zealand and Tromp–Taylor rules allow it.

Ko and repetition: under Chinese rules (2002, article 6) and Tromp–Taylor no whole-board position may come back; AGA and New Zealand rules count whose turn it is as part of the position; Japanese rules forbid only the immediate retaking of a ko. A pass is never forbidden.

Two passes in a row begin the counting: the computer marks the stones that it thinks dead (drawn faded), and a tap on a group marks it dead or alive. When both players agree, the game is scored; in a dispute play goes on. Tromp–Taylor rules know no dead stones: every stone on the board lives, so take dead ones off first.

Scoring by area (Chinese, New Zealand, Tromp–Taylor): living stones and the empty points that only one side surrounds, with komi added for white; 7.5 points are the Chinese 3¾ stones. Scoring by territory (Japanese): surrounded points and prisoners only, dead stones on the board counting as prisoners; eyes in seki do not count. Under AGA rules a pass hands over a stone and white passes last, so that counting territory gives the same result as counting area.

Handicap: fixed stones stand on the star points before the game (none on sides 5 and 6, up to four on side 7 and on even sides, up to nine on the others); free ones are placed by black. White moves then. Under Chinese rules black gives back one point for each stone. Handicap games are usually played with a komi of 0 or ½.

You may resign at any time.",
    )
}

/// A rule set's name.
pub fn rule_set(rules: RuleSet, lang: Lang) -> &'static str {
    match rules {
        RuleSet::Chinese => lang.pick("中国规则", "Chinese"),
        RuleSet::Japanese => lang.pick("日本规则", "Japanese"),
        RuleSet::Aga => lang.pick("美国（AGA）规则", "AGA"),
        RuleSet::NewZealand => lang.pick("新西兰规则", "New Zealand"),
        RuleSet::TrompTaylor => lang.pick("Tromp–Taylor 规则", "Tromp–Taylor"),
    }
}

/// What distinguishes a rule set, in one sentence.
pub fn rule_set_help(rules: RuleSet, lang: Lang) -> &'static str {
    match rules {
        RuleSet::Chinese => lang.pick(
            "数子，禁全局同形，贴 7.5 目（3¾ 子）",
            "Area, no position may come back, komi 7.5",
        ),
        RuleSet::Japanese => lang.pick(
            "数目，提子算目，单劫，贴 6.5 目",
            "Territory and prisoners, simple ko, komi 6.5",
        ),
        RuleSet::Aga => lang.pick(
            "数目，停一手交一子，白方最后停手，贴 7.5 目",
            "Territory with pass stones, white passes last, komi 7.5",
        ),
        RuleSet::NewZealand => {
            lang.pick("数子，允许自杀，贴 7 目", "Area, suicide allowed, komi 7")
        }
        RuleSet::TrompTaylor => lang.pick(
            "数子，允许自杀，盘上棋子都算活棋，贴 7.5 目",
            "Area, suicide allowed, every stone on the board lives, komi 7.5",
        ),
    }
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

/// Whose turn it is, what is asked for, or how the game ended.
pub fn status(game: &Game, lang: Lang) -> String {
    let Some(end) = game.end() else {
        return running_status(game, lang);
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

fn running_status(game: &Game, lang: Lang) -> String {
    let mover = game.to_move().unwrap_or(game.position().to_move());
    let (name, other) = (color_name(mover, lang), color_name(!mover, lang));
    match game.phase() {
        Phase::Handicap(1) => lang.pick(
            format!("{name}再放一颗让子"),
            format!("{name} places the last handicap stone"),
        ),
        Phase::Handicap(left) => lang.pick(
            format!("{name}还要放 {left} 颗让子"),
            format!("{name} places {left} more handicap stones"),
        ),
        Phase::Counting => {
            let lead = game.score().lead();
            let result = match lead {
                0 => lang.pick("和棋".to_owned(), "a draw".to_owned()),
                _ => {
                    let leader = if lead > 0 { Color::Black } else { Color::White };
                    let (leader, margin) = (color_name(leader, lang), points(lead.abs()));
                    lang.pick(
                        format!("{leader}胜 {margin} 目"),
                        format!("{leader} wins by {margin}"),
                    )
                }
            };
            lang.pick(
                format!("点目：点一块棋改判死活，{name}确认（现为{result}）"),
                format!(
                    "Counting: tap a group to mark it dead or alive; {name} to agree ({result})"
                ),
            )
        }
        Phase::Play | Phase::Over if game.pass_ends_play() => lang.pick(
            format!("{other}停一手；{name}若也停，即开始点目"),
            format!("{other} passed; a pass by {name} ends play"),
        ),
        Phase::Play | Phase::Over if game.last_was_pass() => lang.pick(
            format!("{other}停一手，轮到{name}"),
            format!("{other} passed; {name} to play"),
        ),
        Phase::Play | Phase::Over => lang.pick(format!("轮到{name}"), format!("{name} to play")),
    }
}

/// The account of the score: what each side's points are made of, and why who wins.
pub fn tally(game: &Game, lang: Lang) -> Tally {
    let count = game.count();
    let options = game.options();
    let row = |name: &str, black: String, white: String| TallyRow {
        name: name.to_owned(),
        values: vec![black, white],
        total: false,
    };
    let numbers =
        |name: &str, [black, white]: [u32; 2]| row(name, black.to_string(), white.to_string());
    let mut rows = Vec::new();
    match options.scoring {
        Scoring::Area => {
            rows.push(numbers(lang.pick("活棋", "Living stones"), count.stones));
            rows.push(numbers(
                lang.pick("围住的空点", "Surrounded points"),
                count.territory,
            ));
        }
        Scoring::Territory => {
            let taken = |color| game.position().captures(color);
            let [dead_black, dead_white] = count.dead;
            rows.push(numbers(
                lang.pick("围住的空点", "Territory"),
                count.territory,
            ));
            rows.push(numbers(
                lang.pick("提子", "Prisoners"),
                [taken(Color::Black), taken(Color::White)],
            ));
            rows.push(numbers(
                lang.pick("盘上的死子", "Dead stones on the board"),
                [dead_white, dead_black],
            ));
        }
    }
    if options.komi != 0 {
        rows.push(row(
            lang.pick("贴目", "Komi"),
            String::new(),
            points(options.komi),
        ));
    }
    if game.handicap_bonus() != 0 {
        let bonus = points(game.handicap_bonus());
        rows.push(row(lang.pick("让子还目", "Handicap"), String::new(), bonus));
    }
    let score = game.score_of(&count);
    rows.push(TallyRow {
        total: true,
        ..row(
            lang.pick("合计", "Total"),
            points(score.black),
            points(score.white),
        )
    });
    let title = match options.scoring {
        Scoring::Area => lang.pick("数子法", "Area scoring"),
        Scoring::Territory => lang.pick("数目法", "Territory scoring"),
    };
    Tally {
        title: match RuleSet::of(options) {
            Some(rules) => lang.pick(
                format!("{title}（{}）", rule_set(rules, lang)),
                format!("{title} ({})", rule_set(rules, lang)),
            ),
            None => title.to_owned(),
        },
        note: margin_note(game, &count, lang),
        columns: Color::ALL.map(|c| color_name(c, lang).to_owned()).to_vec(),
        rows,
    }
}

/// Why who wins by how much: the lead on the board, and what white gets on top.
fn margin_note(game: &Game, count: &Count, lang: Lang) -> String {
    let lead = game.score_of(count).lead();
    let bonus = game.white_bonus();
    let on_board = lead + bonus;
    let side = |lead: i32| if lead > 0 { Color::Black } else { Color::White };
    let board = match on_board {
        0 => lang.pick("盘面两清".to_owned(), "The board is even".to_owned()),
        _ => {
            let (name, margin) = (color_name(side(on_board), lang), points(on_board.abs()));
            lang.pick(
                format!("盘面{name}多 {margin} 目"),
                format!("On the board {name} leads by {margin}"),
            )
        }
    };
    let given = match bonus {
        0 => String::new(),
        1.. => lang.pick(
            format!("，白方另得 {} 目", points(bonus)),
            format!("; White gets {} on top", points(bonus)),
        ),
        _ => lang.pick(
            format!("，黑方另得 {} 目", points(-bonus)),
            format!("; Black gets {} on top", points(-bonus)),
        ),
    };
    let result = match lead {
        0 => lang.pick("和棋".to_owned(), "a draw".to_owned()),
        _ => {
            let (name, margin) = (color_name(side(lead), lang), points(lead.abs()));
            lang.pick(
                format!("{name}胜 {margin} 目"),
                format!("{name} wins by {margin}"),
            )
        }
    };
    let neutral = match count.neutral {
        0 => String::new(),
        number => lang.pick(
            format!("双方都不得的点：{number}。"),
            format!(" Points that count for nobody: {number}."),
        ),
    };
    lang.pick(
        format!("{board}{given}：{result}。{neutral}"),
        format!("{board}{given}: {result}.{neutral}"),
    )
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
        Illegal::Counting => lang.pick(
            "正在点目；要继续下，请先选“继续对局”",
            "Dead stones are being agreed on; choose \"Play on\" to go on",
        ),
        Illegal::NoStone => lang.pick("这里没有棋子", "There is no stone here"),
        Illegal::HandicapFirst => lang.pick("先把让子放完", "Place the handicap stones first"),
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
        Action::Toggle(cell) => {
            let point = notation::point_name(cell, size);
            lang.pick(format!("{point} 改判死活"), format!("{point} dead/alive"))
        }
        Action::Agree => lang.pick("确认结果", "Agree").to_owned(),
        Action::Propose => lang.pick("恢复原判", "Undo marks").to_owned(),
        Action::Resume => lang.pick("继续对局", "Play on").to_owned(),
        Action::Setup(cell, stone) => {
            let point = notation::point_name(cell, size);
            match stone.map(|color| color_name(color, lang)) {
                Some(name) => lang.pick(
                    format!("摆{name} {point}"),
                    format!("{name} set at {point}"),
                ),
                None => lang.pick(format!("拿掉 {point}"), format!("{point} cleared")),
            }
        }
        Action::Turn(color) => {
            let name = color_name(color, lang);
            lang.pick(format!("由{name}走"), format!("{name}'s turn"))
        }
    }
}

/// An option that cannot be taken, with its key.
pub fn option_error(error: OptionError) -> qiju_sdk::OptionError {
    let english = error.to_string();
    let (key, zh) = match error {
        OptionError::Size(size) => ("size", format!("{size} 不在 2 到 25 之间")),
        OptionError::Komi(komi) => ("komi", format!("{komi} 个半目超出范围")),
        OptionError::FreeHandicap { most, handicap } => (
            "handicap",
            format!("自由让子为 2 到 {most} 子，不能让 {handicap} 子"),
        ),
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
