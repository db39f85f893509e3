//! The game as the shell sees it: the SDK's traits on top of [`crate::rules`] and [`crate::ai`].

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use qiju_sdk::abi::{
    GP_CELL_DEAD, GP_CELL_LAST, GP_CELL_PLAYABLE, GP_EVENT_CAPTURE, GP_EVENT_END, GP_EVENT_FLIP,
    GP_EVENT_PASS, GP_EVENT_PHASE, GP_EVENT_PLACE, GP_EVENT_WIN, GP_MARK_DOT_FIRST,
    GP_MARK_DOT_SECOND, GP_MOVE_CHOOSE, GP_MOVE_FLAG, GP_MOVE_PASS, GP_MOVE_PLACE, GP_MOVE_RESIGN,
    GP_MOVE_SETUP, GP_MOVE_TAP, GP_NONE, GP_REASON_RESIGN, GP_REASON_SCORE, GP_REASON_TIME,
};
use qiju_sdk::{
    Ai, AiParams, Area, Candidate, Cell, Describe, Format, Lang, Layout, Level, LevelResult, Move,
    Outcome, Overlay, OverlayKind, Piece, Progress, RecordError, Report, Shape, Side, Status,
    Tally, Viewer,
};

use crate::ai::player::{Player, Strength};
use crate::board::Point;
use crate::levels::{self, AI_LEVELS};
use crate::rules::{self, Action, Color, End, Game, Illegal, Phase};
use crate::sgf::record;
use crate::{notation, overlays, texts};

pub(crate) mod options;

/// `arg` of the choice to agree to the marks of dead stones.
const AGREE: u16 = 1;
/// `arg` of the choice to have play go on.
const RESUME: u16 = 2;
/// `arg` of the choice to have the marks as they were proposed.
const PROPOSE: u16 = 3;

/// Id of the Smart Game Format.
const SGF: &str = "sgf";

fn failed(failure: record::Failure) -> RecordError {
    RecordError {
        message: failure.message,
        unsupported: false,
        partial: failure.partial,
    }
}

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
        Action::Toggle(cell) => qiju_sdk::tap(cell),
        Action::Agree => qiju_sdk::choose(AGREE),
        Action::Resume => qiju_sdk::choose(RESUME),
        Action::Propose => qiju_sdk::choose(PROPOSE),
        Action::Setup(cell, stone) => Move {
            to: cell,
            arg: stone.map_or(0, |color| 1 + player(color)),
            ..qiju_sdk::plain(GP_MOVE_SETUP)
        },
        Action::Turn(color) => Move {
            arg: player(color),
            ..qiju_sdk::plain(GP_MOVE_SETUP)
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
        GP_MOVE_TAP => Action::Toggle(mv.to),
        GP_MOVE_CHOOSE if mv.arg == AGREE => Action::Agree,
        GP_MOVE_CHOOSE if mv.arg == RESUME => Action::Resume,
        GP_MOVE_CHOOSE if mv.arg == PROPOSE => Action::Propose,
        GP_MOVE_SETUP if mv.to == GP_NONE => Action::Turn(color(mv.arg)?),
        GP_MOVE_SETUP => {
            let stone = match mv.arg {
                0 => None,
                piece => Some(color(piece - 1)?),
            };
            Action::Setup(mv.to, stone)
        }
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
            options: options::specs(lang),
            presets: options::presets(lang),
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
            formats: vec![Format {
                id: SGF.to_owned(),
                name: lang.pick("SGF 棋谱", "Smart Game Format").to_owned(),
                extensions: vec!["sgf".to_owned()],
                read: true,
                write: true,
            }],
            levels: AI_LEVELS.iter().map(level).collect(),
        }
    }

    fn create(options: &qiju_sdk::Options, _seed: u64) -> Result<Game, qiju_sdk::OptionError> {
        Game::new(options::read(options)?).map_err(texts::option_error)
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
        // The owners of points are shown while they are agreed on, and once they decided the game.
        let is_counted = self.phase() == Phase::Counting || self.end() == Some(End::Score);
        let count = is_counted.then(|| self.count());
        let dead = if is_counted { self.dead() } else { &[] };
        for (number, cell) in (0_u16..).zip(cells.iter_mut()) {
            cell.piece = match self.position().stone(number) {
                Some(Color::Black) => 1,
                Some(Color::White) => 2,
                None => 0,
            };
            let is_dead = dead.get(usize::from(number)) == Some(&true);
            if is_dead {
                cell.flags |= GP_CELL_DEAD;
            }
            let owner = count
                .as_ref()
                .and_then(|c| c.owners.get(usize::from(number)).copied());
            if (cell.piece == 0 || is_dead)
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
            phase: self.status_phase(),
            to_move: self.to_move().map(player),
            outcome,
            score,
            captures: Some([taken(Color::Black), taken(Color::White), 0, 0]),
            can_pass: self.check(Action::Pass).is_ok(),
            move_number: self.move_number(),
            key: self.key(),
            ..Status::default()
        }
    }

    fn status_text(&self, _viewer: Viewer, lang: Lang) -> String {
        texts::status(self, lang)
    }

    fn tally(&self, _viewer: Viewer, lang: Lang) -> Option<Tally> {
        let is_counted = self.phase() == Phase::Counting || self.end() == Some(End::Score);
        is_counted.then(|| texts::tally(self, lang))
    }

    fn moves(&self, out: &mut Vec<Move>) {
        match self.phase() {
            Phase::Over => {}
            Phase::Counting => {
                let choices = [Action::Agree, Action::Resume, Action::Propose];
                let possible = choices.into_iter().filter(|&c| self.check(c).is_ok());
                out.extend(possible.map(to_move));
                let stones = (0..self.position().board().area())
                    .filter(|&cell| self.position().stone(cell).is_some());
                out.extend(stones.map(qiju_sdk::tap));
            }
            Phase::Handicap(_) | Phase::Play => {
                out.extend(self.legal_cells().into_iter().map(qiju_sdk::place));
                if self.check(Action::Pass).is_ok() {
                    out.push(to_move(Action::Pass));
                }
            }
        }
    }

    fn apply(&mut self, mv: Move) -> Result<u32, qiju_sdk::Illegal> {
        let action = check(self, mv).map_err(|_| qiju_sdk::Illegal)?;
        let phase = self.status_phase();
        let taken = Game::apply(self, action).map_err(|_| qiju_sdk::Illegal)?;
        let mut events = match action {
            Action::Place(_) if taken > 0 => GP_EVENT_PLACE | GP_EVENT_CAPTURE,
            Action::Place(_) => GP_EVENT_PLACE,
            Action::Pass => GP_EVENT_PASS,
            Action::Toggle(_) => GP_EVENT_FLIP,
            Action::Setup(..) => GP_EVENT_PLACE,
            Action::Resign
            | Action::TimeOut(_)
            | Action::Agree
            | Action::Propose
            | Action::Resume
            | Action::Turn(_) => 0,
        };
        if self.status_phase() != phase {
            events |= GP_EVENT_PHASE;
        }
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

    fn write_record(format: &str, text: &str) -> Result<Vec<u8>, RecordError> {
        match format {
            SGF => record::write(text).map_err(failed),
            _ => Err(RecordError::unsupported(format)),
        }
    }

    fn read_record(format: &str, bytes: &[u8]) -> Result<String, RecordError> {
        match format {
            SGF => record::read(bytes).map_err(failed),
            _ => Err(RecordError::unsupported(format)),
        }
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

impl Game {
    /// The number of the phase that the shell is told.
    fn status_phase(&self) -> u32 {
        match self.phase() {
            Phase::Play | Phase::Over => 0,
            Phase::Counting => 1,
            Phase::Handicap(_) => 2,
        }
    }

    /// What the computer does without a search: in the counting phase it agrees to its own
    /// proposal and to nothing else; free handicap stones it puts on the fixed points.
    fn plain_answer(&self) -> Option<Action> {
        match self.phase() {
            Phase::Counting if self.dead() == self.proposal() => Some(Action::Agree),
            Phase::Counting => Some(Action::Propose),
            Phase::Handicap(_) => {
                let rules::Options { size, handicap, .. } = *self.options();
                let points = rules::handicap_points(size, handicap).ok()?;
                let free = points.into_iter().map(Action::Place);
                free.into_iter().find(|&action| self.check(action).is_ok())
            }
            Phase::Play | Phase::Over => None,
        }
    }
}

/// What the computer does for the shell.
enum Task {
    Search(Box<Player>),
    /// The answer is known.
    Answer(Move),
}

/// A search for the shell.
pub struct Opponent {
    task: Task,
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
        let task = match game.plain_answer() {
            Some(action) => Task::Answer(to_move(action)),
            None => Player::new(game, strength, params.threads, params.seed)
                .map(|player| Task::Search(Box::new(player)))
                .ok_or_else(|| "the game is over: nobody is to move".to_owned())?,
        };
        Ok(Opponent {
            task,
            cells: qiju_sdk::Game::cells(game),
            started: Instant::now(),
            time: params.time,
            candidates: params.candidates,
        })
    }

    fn step(&mut self, budget: Duration, cancel: &AtomicBool, report: &mut Report) -> Progress {
        let player = match &mut self.task {
            Task::Answer(answer) => {
                report.best = Some(*answer);
                report.line = vec![*answer];
                report.win_permille = 500;
                report.depth = 1;
                return Progress::Done;
            }
            Task::Search(player) => player,
        };
        let left = self
            .time
            .map(|time| time.saturating_sub(self.started.elapsed()));
        let is_done = player.run(left.map_or(budget, |left| left.min(budget)), cancel);
        describe_search(player, self.cells, self.candidates, report);
        let out_of_time = self.time.is_some_and(|time| self.started.elapsed() >= time);
        let cancelled = cancel.load(std::sync::atomic::Ordering::Relaxed);
        if is_done || out_of_time || cancelled {
            Progress::Done
        } else {
            Progress::More
        }
    }
}

/// Fills in the report of a search.
fn describe_search(player: &Player, cells: usize, candidates: usize, report: &mut Report) {
    let search = player.search();
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
    let best = player.decide();
    report.best = Some(to_move(best));
    report.win_permille = permille(search.win_rate());
    report.candidates = search
        .candidates()
        .into_iter()
        .take(candidates)
        .map(|c| Candidate {
            mv: mv(c.point),
            win_permille: permille(c.win_rate),
            visits: c.visits,
        })
        .collect();
    let first = match best {
        Action::Place(cell) => board.point(cell),
        Action::Pass => Some(Point::PASS),
        _ => None,
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
        .take(cells)
        .map(|owner| (owner.clamp(-1.0, 1.0) * 1000.0).round() as i32)
        .collect();
}

#[cfg(test)]
mod tests;
