//! The game as the shell sees it: the SDK's traits on top of [`crate::rules`] and [`crate::ai`].

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use qiju_sdk::abi::{
    GP_CELL_LAST, GP_CELL_PLAYABLE, GP_EVENT_CAPTURE, GP_EVENT_END, GP_EVENT_PASS, GP_EVENT_PLACE,
    GP_EVENT_WIN, GP_MARK_DOT_FIRST, GP_MARK_DOT_SECOND, GP_MOVE_FLAG, GP_MOVE_PASS, GP_MOVE_PLACE,
    GP_MOVE_RESIGN, GP_REASON_RESIGN, GP_REASON_SCORE, GP_REASON_TIME,
};
use qiju_sdk::{
    Ai, AiParams, Area, Candidate, Cell, Choice, Describe, Lang, Layout, Level, LevelResult, Move,
    OptionSpec, OptionType, Outcome, Overlay, OverlayKind, Piece, Progress, Report, Shape, Side,
    Status, Value, Viewer,
};

use crate::ai::player::{Player, Strength};
use crate::board::Point;
use crate::levels::{self, AI_LEVELS};
use crate::rules::{self, Action, Color, End, Game, Illegal, KoRule};
use crate::{notation, overlays, score, texts};

/// The player who has this colour: black is the first.
fn player(color: Color) -> u16 {
    color.index() as u16
}

/// The colour of a player.
fn color(player: u16) -> Option<Color> {
    Color::ALL.get(usize::from(player)).copied()
}

/// An action as a move of the ABI.
fn to_move(action: Action) -> Move {
    match action {
        Action::Place(cell) => qiju_sdk::place(cell),
        Action::Pass => qiju_sdk::plain(GP_MOVE_PASS),
        Action::Resign => qiju_sdk::plain(GP_MOVE_RESIGN),
        Action::TimeOut(color) => Move {
            arg: player(color),
            ..qiju_sdk::plain(GP_MOVE_FLAG)
        },
    }
}

/// A move of the ABI as an action; `None` for one that Go does not have.
fn to_action(mv: Move) -> Option<Action> {
    let action = match mv.kind {
        GP_MOVE_PLACE => Action::Place(mv.to),
        GP_MOVE_PASS => Action::Pass,
        GP_MOVE_RESIGN => Action::Resign,
        GP_MOVE_FLAG => Action::TimeOut(color(mv.arg)?),
        _ => return None,
    };
    // Fields that the kind does not use must be at rest, so that equal actions are equal moves.
    (to_move(action) == mv).then_some(action)
}

fn check(game: &Game, mv: Move) -> Result<Action, Illegal> {
    let action = to_action(mv).ok_or(Illegal::WrongPhase)?;
    game.check(action)?;
    Ok(action)
}

/// The schema of the options.
fn option_specs(lang: Lang) -> Vec<OptionSpec> {
    let named = |value: Value, name: String| Choice { value, name };
    let sizes = [9, 13, 19].map(|side: i64| named(side.into(), format!("{side}×{side}")));
    let handicaps = [0, 2, 3, 4, 5, 6, 7, 8, 9].map(|stones: i64| {
        let name = match stones {
            0 => lang.pick("不让子", "None").to_owned(),
            _ => lang.pick(format!("{stones} 子"), format!("{stones} stones")),
        };
        named(stones.into(), name)
    });
    let kos = [
        ("positional", lang.pick("全局同形", "Positional superko")),
        (
            "situational",
            lang.pick("全局同形（计行棋方）", "Situational superko"),
        ),
        ("simple", lang.pick("单劫", "Simple ko")),
    ]
    .map(|(value, name)| named(value.into(), name.to_owned()));
    let max_komi = i64::from(rules::MAX_KOMI);
    vec![
        OptionSpec {
            key: "size".to_owned(),
            name: lang.pick("棋盘", "Board").to_owned(),
            help: lang
                .pick("边长，5 到 25 路", "Side of the board, 5 to 25")
                .to_owned(),
            kind: OptionType::Int,
            default: 9.into(),
            min: Some(rules::MIN_SIZE.into()),
            max: Some(rules::MAX_SIZE.into()),
            step: 1,
            choices: sizes.to_vec(),
        },
        OptionSpec {
            key: "komi".to_owned(),
            name: lang.pick("贴目", "Komi").to_owned(),
            help: lang
                .pick(
                    "白方所得的目数。让子棋通常设为 0 或 0.5",
                    "Points given to White. Usually 0 or 0.5 in handicap games",
                )
                .to_owned(),
            kind: OptionType::Half,
            default: 15.into(),
            min: Some(-max_komi),
            max: Some(max_komi),
            step: 1,
            choices: Vec::new(),
        },
        OptionSpec {
            key: "handicap".to_owned(),
            name: lang.pick("让子", "Handicap").to_owned(),
            help: lang
                .pick(
                    "黑方先放在星位上的棋子；双数路与 7 路至多 4 子",
                    "Black's stones on the star points; up to 4 on even sides and side 7",
                )
                .to_owned(),
            kind: OptionType::Choice,
            default: 0.into(),
            min: None,
            max: None,
            step: 0,
            choices: handicaps.to_vec(),
        },
        OptionSpec {
            key: "ko".to_owned(),
            name: lang.pick("劫的规则", "Ko rule").to_owned(),
            help: lang
                .pick("哪些重复的局面是禁着", "Which repetitions are forbidden")
                .to_owned(),
            kind: OptionType::Choice,
            default: "positional".into(),
            min: None,
            max: None,
            step: 0,
            choices: kos.to_vec(),
        },
        OptionSpec {
            key: "suicide".to_owned(),
            name: lang.pick("允许自杀", "Suicide allowed").to_owned(),
            help: lang
                .pick(
                    "落子后己方无气时，把己方的棋提走",
                    "A move that leaves its own group without liberties takes it off",
                )
                .to_owned(),
            kind: OptionType::Bool,
            default: false.into(),
            min: None,
            max: None,
            step: 0,
            choices: Vec::new(),
        },
    ]
}

impl qiju_sdk::Game for Game {
    type Ai = Opponent;

    fn describe(lang: Lang) -> Describe {
        let piece = |colour: &str, name: &str| Piece {
            shape: Shape::Disc,
            glyph: String::new(),
            latin: String::new(),
            colour: colour.to_owned(),
            name: name.to_owned(),
        };
        let side = |color: Color, colour: &str| Side {
            name: texts::color_name(color, lang).to_owned(),
            colour: colour.to_owned(),
        };
        let overlay = |id: &str, name: &str, kind| Overlay {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
        };
        let level = |level: &levels::AiLevel| {
            let [zh, en] = level.name;
            let [zh_help, en_help] = level.help;
            qiju_sdk::AiLevel {
                name: lang.pick(zh, en).to_owned(),
                help: lang.pick(zh_help, en_help).to_owned(),
            }
        };
        Describe {
            id: "go".to_owned(),
            version: "1".to_owned(),
            name: lang.pick("围棋", "Go").to_owned(),
            summary: lang
                .pick(
                    "围地吃子，气尽则亡",
                    "Surround territory; a group without liberties is taken",
                )
                .to_owned(),
            help: texts::help(lang).to_owned(),
            resign: true,
            hidden: false,
            ladder: levels::LADDER,
            sides: vec![side(Color::Black, "black"), side(Color::White, "white")],
            options: option_specs(lang),
            pieces: vec![
                piece("black", lang.pick("黑子", "black stone")),
                piece("white", lang.pick("白子", "white stone")),
            ],
            overlays: vec![
                overlay(
                    "liberties",
                    lang.pick("气", "Liberties"),
                    OverlayKind::Number,
                ),
                overlay("groups", lang.pick("棋块", "Groups"), OverlayKind::Group),
                overlay("atari", lang.pick("打吃", "Atari"), OverlayKind::Mark),
                overlay(
                    "territory",
                    lang.pick("形势", "Territory"),
                    OverlayKind::Owner,
                ),
            ],
            formats: Vec::new(),
            levels: AI_LEVELS.iter().map(level).collect(),
        }
    }

    fn create(options: &qiju_sdk::Options, _seed: u64) -> Result<Game, qiju_sdk::OptionError> {
        let out_of_range = |key: &str| {
            let number = options.int(key);
            qiju_sdk::OptionError::value(
                key,
                format!("{number} 超出范围"),
                format!("{number} is out of range"),
            )
        };
        let options = rules::Options {
            size: u8::try_from(options.int("size")).map_err(|_| out_of_range("size"))?,
            komi: i32::try_from(options.int("komi")).map_err(|_| out_of_range("komi"))?,
            handicap: u8::try_from(options.int("handicap"))
                .map_err(|_| out_of_range("handicap"))?,
            ko: match options.text("ko") {
                "simple" => KoRule::Simple,
                "situational" => KoRule::SituationalSuperko,
                _ => KoRule::PositionalSuperko,
            },
            suicide: options.bool("suicide"),
        };
        Game::new(options).map_err(texts::option_error)
    }

    fn layout(&self, lang: Lang) -> Layout {
        let size = self.options().size;
        let side = u16::from(size);
        let dots = rules::hoshi(size)
            .into_iter()
            .map(|cell| [f32::from(cell % side), f32::from(cell / side)])
            .collect();
        let board = Area {
            dots,
            columns: notation::column_names(size),
            row_names: notation::row_names(size),
            turnable: true,
            ..Area::points(lang.pick("棋盘", "Board"), size.into(), size.into())
        };
        Layout { areas: vec![board] }
    }

    fn cells(&self) -> usize {
        usize::from(self.position().board().area())
    }

    fn view(&self, _viewer: Viewer, _selected: Option<u16>, cells: &mut [Cell]) {
        let ended_by_score = self.end() == Some(End::Score);
        let owners = ended_by_score.then(|| score::owners(self.position().board()));
        for (number, cell) in (0_u16..).zip(cells.iter_mut()) {
            cell.piece = match self.position().stone(number) {
                Some(Color::Black) => 1,
                Some(Color::White) => 2,
                None => 0,
            };
            let owner = owners
                .as_ref()
                .and_then(|o| o.get(usize::from(number)).copied());
            if cell.piece == 0
                && let Some(Some(owner)) = owner
            {
                cell.mark = match owner {
                    Color::Black => GP_MARK_DOT_FIRST,
                    Color::White => GP_MARK_DOT_SECOND,
                };
            }
        }
        for number in self.legal_cells() {
            if let Some(cell) = cells.get_mut(usize::from(number)) {
                cell.flags |= GP_CELL_PLAYABLE;
            }
        }
        if let [Some(Action::Place(last)), _] = self.last()
            && let Some(cell) = cells.get_mut(usize::from(last))
        {
            cell.flags |= GP_CELL_LAST;
        }
    }

    fn status(&self) -> Status {
        let outcome = match (self.end(), self.winner()) {
            (None, _) => Outcome::Running,
            (Some(end), winner) => {
                let reason = match end {
                    End::Score => GP_REASON_SCORE,
                    End::Resigned(_) => GP_REASON_RESIGN,
                    End::TimeOut(_) => GP_REASON_TIME,
                };
                winner.map_or(Outcome::Draw(reason), |winner| Outcome::Win {
                    winner: player(winner),
                    reason,
                })
            }
        };
        let score = (self.end() == Some(End::Score)).then(|| {
            let score = self.score();
            [score.black, score.white, 0, 0]
        });
        let taken = |color| i32::try_from(self.position().captures(color)).unwrap_or(i32::MAX);
        Status {
            to_move: self.to_move().map(player),
            outcome,
            score,
            captures: Some([taken(Color::Black), taken(Color::White), 0, 0]),
            can_pass: self.end().is_none(),
            move_number: self.move_number(),
            key: self.key(),
            ..Status::default()
        }
    }

    fn status_text(&self, _viewer: Viewer, lang: Lang) -> String {
        texts::status(self, lang)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.legal_cells().into_iter().map(qiju_sdk::place));
        if self.end().is_none() {
            out.push(to_move(Action::Pass));
        }
    }

    fn apply(&mut self, mv: Move) -> Result<u32, qiju_sdk::Illegal> {
        let action = check(self, mv).map_err(|_| qiju_sdk::Illegal)?;
        let taken = Game::apply(self, action).map_err(|_| qiju_sdk::Illegal)?;
        let mut events = match action {
            Action::Place(_) if taken > 0 => GP_EVENT_PLACE | GP_EVENT_CAPTURE,
            Action::Place(_) => GP_EVENT_PLACE,
            Action::Pass => GP_EVENT_PASS,
            Action::Resign | Action::TimeOut(_) => 0,
        };
        if self.end().is_some() {
            events |= self.winner().map_or(GP_EVENT_END, |_| GP_EVENT_WIN);
        }
        Ok(events)
    }

    fn explain(&self, mv: Move, lang: Lang) -> Option<String> {
        let reason = check(self, mv).err()?;
        Some(texts::illegal(reason, lang).to_owned())
    }

    fn move_text(&self, mv: Move) -> String {
        to_action(mv).map_or_else(
            || format!("? {} {} {} {}", mv.kind, mv.from, mv.to, mv.arg),
            |action| notation::action_text(action, self.options().size),
        )
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        notation::parse_action(text, self.options().size)
            .map(to_move)
            .map_err(|error| error.to_string())
    }

    fn move_label(&self, mv: Move, lang: Lang) -> String {
        to_action(mv).map_or_else(
            || self.move_text(mv),
            |action| texts::action_label(action, self.options().size, lang),
        )
    }

    fn overlay(&self, index: u32, _viewer: Viewer, values: &mut [i32]) -> bool {
        match index {
            0 => overlays::liberties(self, values),
            1 => overlays::groups(self, values),
            2 => overlays::atari(self, values),
            3 => overlays::territory(self, values),
            _ => return false,
        }
        true
    }

    fn level(index: u32, lang: Lang) -> Option<Level> {
        let level = levels::ladder(index)?;
        let rules::Options {
            size,
            komi,
            handicap,
            ..
        } = level.options;
        let [zh, en] = AI_LEVELS.get(level.opponent)?.name;
        let opponent = lang.pick(zh, en);
        let number = index + 1;
        let name = lang.pick(
            format!("第 {number} 关 · {size} 路 · {opponent}"),
            format!("{number} · {size}×{size} · {opponent}"),
        );
        let colour = texts::color_name(level.player, lang);
        let komi_points = texts::points(komi);
        let help = match handicap {
            0 => lang.pick(
                format!("执{colour}，贴 {komi_points} 目，战胜{opponent}"),
                format!("Beat {opponent} as {colour}; komi {komi_points}"),
            ),
            _ => lang.pick(
                format!("受让 {handicap} 子，战胜{opponent}"),
                format!("Beat {opponent} with {handicap} handicap stones"),
            ),
        };
        let mut options = toml::Table::new();
        options.insert("size".to_owned(), i64::from(size).into());
        options.insert("komi".to_owned(), i64::from(komi).into());
        options.insert("handicap".to_owned(), i64::from(handicap).into());
        Some(Level {
            name,
            help,
            player: player(level.player).into(),
            opponent: level.opponent as u32,
            options,
        })
    }

    fn level_result(&self, index: u32, by: u16) -> Option<LevelResult> {
        let end = self.end()?;
        levels::ladder(index)?;
        let own = color(by)?;
        let lead = (end == End::Score).then(|| self.score().lead().abs());
        let passed = self.winner() == Some(own);
        let stars = if passed {
            levels::stars(self.options().size, lead)
        } else {
            0
        };
        let points = if passed {
            levels::points(self.options().size, lead)
        } else {
            0
        };
        Some(LevelResult {
            passed,
            stars,
            points,
        })
    }
}

/// A search for the shell.
pub struct Opponent {
    player: Player,
    cells: usize,
    started: Instant,
    time: Option<Duration>,
    candidates: usize,
}

impl Ai<Game> for Opponent {
    fn start(game: &Game, params: &AiParams) -> Result<Opponent, String> {
        let known = AI_LEVELS.len();
        let level = usize::try_from(params.level)
            .ok()
            .and_then(|index| AI_LEVELS.get(index))
            .ok_or_else(|| {
                format!(
                    "level {}: there are levels 0 to {}",
                    params.level,
                    known - 1
                )
            })?;
        let strength = match (
            params.infinite || params.hint && params.time.is_some(),
            params.hint,
        ) {
            (true, _) => Strength::UNLIMITED,
            (false, true) => Strength {
                resigns: false,
                ..levels::STRONGEST
            },
            (false, false) => level.strength,
        };
        let strength = Strength {
            playouts: params
                .node_limit
                .map_or(strength.playouts, |most| most.min(strength.playouts)),
            ..strength
        };
        if game
            .to_move()
            .is_some_and(|mover| player(mover) != params.player)
        {
            return Err(format!("player {} is not to move", params.player));
        }
        let player = Player::new(game, strength, params.threads, params.seed)
            .ok_or_else(|| "the game is over: nobody is to move".to_owned())?;
        Ok(Opponent {
            player,
            cells: qiju_sdk::Game::cells(game),
            started: Instant::now(),
            time: params.time,
            candidates: params.candidates,
        })
    }

    fn step(&mut self, budget: Duration, cancel: &AtomicBool, report: &mut Report) -> Progress {
        let left = self
            .time
            .map(|time| time.saturating_sub(self.started.elapsed()));
        let is_done = self
            .player
            .run(left.map_or(budget, |left| left.min(budget)), cancel);
        self.report(report);
        let out_of_time = self.time.is_some_and(|time| self.started.elapsed() >= time);
        let cancelled = cancel.load(std::sync::atomic::Ordering::Relaxed);
        if is_done || out_of_time || cancelled {
            Progress::Done
        } else {
            Progress::More
        }
    }
}

impl Opponent {
    fn report(&self, report: &mut Report) {
        let search = self.player.search();
        report.nodes = search.playouts();
        if report.nodes == 0 {
            return;
        }
        let board = &search.problem().board;
        let mv = |point: Point| match point {
            Point::PASS => to_move(Action::Pass),
            _ => qiju_sdk::place(board.cell(point)),
        };
        let permille = |rate: f32| (rate.clamp(0.0, 1.0) * 1000.0).round() as i32;
        let best = self.player.decide();
        report.best = Some(to_move(best));
        report.win_permille = permille(search.win_rate());
        report.candidates = search
            .candidates()
            .into_iter()
            .take(self.candidates)
            .map(|c| Candidate {
                mv: mv(c.point),
                win_permille: permille(c.win_rate),
                visits: c.visits,
            })
            .collect();
        let first = match best {
            Action::Place(cell) => board.point(cell),
            Action::Pass => Some(Point::PASS),
            Action::Resign | Action::TimeOut(_) => None,
        };
        // A continuation that was seen less than a few times is noise.
        let line = first.map_or_else(Vec::new, |first| search.line(first, 8));
        report.line = if line.is_empty() {
            vec![to_move(best)]
        } else {
            line.into_iter().map(mv).collect()
        };
        report.depth = report.line.len() as u32;
        report.heat = search
            .ownership()
            .into_iter()
            .take(self.cells)
            .map(|owner| (owner.clamp(-1.0, 1.0) * 1000.0).round() as i32)
            .collect();
    }
}

#[cfg(test)]
mod tests;
