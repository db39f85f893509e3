//! The games that the tests of the border play.

use std::cell::Cell as Counter;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use qiju_sdk::abi::*;
use qiju_sdk::{
    Ai, AiLevel, AiParams, Area, Candidate, Describe, Game, Illegal, Lang, Layout, Level,
    LevelResult, Move, NoAi, OptionError, OptionSpec, OptionType, Options, Outcome, Preset,
    Progress, RecordError, Report, Side, Status, TallyRow, Value, Viewer, place,
};

/// What an option of the test game is told to be, in both languages longer than a few bytes.
pub const ODD_ZH: &str = "限制必须是偶数";
/// The same in English.
pub const ODD_EN: &str = "the limit must be even";

/// A description with one number as its option and nothing else of note.
fn describe(id: &str) -> Describe {
    let limit = OptionSpec {
        key: "limit".to_owned(),
        name: "Limit".to_owned(),
        help: String::new(),
        kind: OptionType::Int,
        default: Value::Int(4),
        min: Some(1),
        max: Some(9),
        step: 1,
        choices: Vec::new(),
    };
    let preset = Preset {
        id: "short".to_owned(),
        name: "Short".to_owned(),
        help: String::new(),
        options: BTreeMap::from([("limit".to_owned(), Value::Int(2))]),
    };
    let level = AiLevel {
        name: "Only".to_owned(),
        help: String::new(),
    };
    Describe {
        id: id.to_owned(),
        version: "1".to_owned(),
        name: "数 Tally".to_owned(),
        summary: String::new(),
        help: String::new(),
        resign: true,
        hidden: false,
        ladder: 1,
        sides: vec![Side {
            name: "Only".to_owned(),
            colour: "red".to_owned(),
        }],
        options: vec![limit],
        presets: vec![preset],
        pieces: Vec::new(),
        overlays: Vec::new(),
        formats: Vec::new(),
        levels: vec![level],
    }
}

thread_local! {
    /// States of [`Tally`] alive on this thread.
    static LIVE: Counter<i64> = const { Counter::new(0) };
}

/// States of [`Tally`] that this thread has made and not destroyed.
pub fn live() -> i64 {
    LIVE.get()
}

/// A game for one on two squares: `limit` taps, and it is over.
pub struct Tally {
    limit: u32,
    taps: [u32; 2],
}

impl Tally {
    fn new(limit: u32, taps: [u32; 2]) -> Self {
        LIVE.set(LIVE.get() + 1);
        Self { limit, taps }
    }

    fn played(&self) -> u32 {
        self.taps.iter().sum()
    }
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        Self::new(self.limit, self.taps)
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
    }
}

impl Game for Tally {
    type Ai = Echo;

    fn describe(_: Lang) -> Describe {
        describe("tally")
    }

    fn create(options: &Options, _: u64) -> Result<Self, OptionError> {
        let limit = options.int("limit") as u32;
        if limit % 2 == 1 {
            return Err(OptionError::value("limit", ODD_ZH, ODD_EN));
        }
        Ok(Self::new(limit, [0, 0]))
    }

    fn layout(&self, lang: Lang) -> Layout {
        Layout {
            areas: vec![Area::cells(lang.pick("盘", "board"), 2, 1)],
        }
    }

    fn cells(&self) -> usize {
        2
    }

    fn view(&self, viewer: Viewer, selected: Option<u16>, cells: &mut [GpCell]) {
        for (cell, taps) in cells.iter_mut().zip(self.taps) {
            cell.number = taps as i32;
            cell.mark = match viewer {
                Viewer::Public => GP_MARK_CROSS,
                Viewer::Player(player) => player,
            };
        }
        if let Some(cell) = selected.and_then(|cell| cells.get_mut(usize::from(cell))) {
            cell.flags = GP_CELL_SELECTED;
        }
    }

    fn status(&self) -> Status {
        let over = self.played() >= self.limit;
        Status {
            to_move: (!over).then_some(0),
            outcome: if over {
                Outcome::Passed(GP_REASON_COMPLETE)
            } else {
                Outcome::Running
            },
            score: Some([self.played() as i32, 0, 0, 0]),
            move_number: self.played(),
            key: 0x0123_4567_89AB_CDEF,
            ..Status::default()
        }
    }

    fn status_text(&self, _: Viewer, lang: Lang) -> String {
        lang.pick("点吧", "tap").to_owned()
    }

    fn tally(&self, _: Viewer, lang: Lang) -> Option<qiju_sdk::Tally> {
        let row = |name: &str, value: u32, total: bool| TallyRow {
            name: name.to_owned(),
            values: vec![value.to_string()],
            total,
        };
        (self.played() >= self.limit).then(|| qiju_sdk::Tally {
            title: lang.pick("计数", "Count").to_owned(),
            note: "\"so\"".to_owned(),
            columns: vec![lang.pick("唯一", "Only").to_owned()],
            rows: vec![row("0", self.taps[0], false), row("=", self.played(), true)],
        })
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.played() < self.limit {
            out.extend([place(0), place(1)]);
        }
    }

    fn apply(&mut self, mv: Move) -> Result<u32, Illegal> {
        if self.explain(mv, Lang::En).is_some() {
            return Err(Illegal);
        }
        self.taps[usize::from(mv.to)] += 1;
        Ok(GP_EVENT_PLACE)
    }

    fn explain(&self, mv: Move, lang: Lang) -> Option<String> {
        let legal = mv.kind == GP_MOVE_PLACE && mv.to < 2 && self.played() < self.limit;
        (!legal).then(|| lang.pick("不行", "no").to_owned())
    }

    fn move_text(&self, mv: Move) -> String {
        format!("第{}格", mv.to)
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        match text {
            "第0格" => Ok(place(0)),
            "第1格" => Ok(place(1)),
            _ => Err("没有这一格".to_owned()),
        }
    }

    fn write_record(format: &str, record: &str) -> Result<Vec<u8>, RecordError> {
        match format {
            "raw" => Ok(record.as_bytes().to_vec()),
            _ => Err(RecordError::unsupported(format)),
        }
    }

    fn read_record(format: &str, bytes: &[u8]) -> Result<String, RecordError> {
        if format != "raw" {
            return Err(RecordError::unsupported(format));
        }
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        if valid.len() == bytes.len() {
            return Ok(valid.to_owned());
        }
        Err(RecordError {
            message: format!("column {}", valid.len() + 1),
            unsupported: false,
            partial: Some(valid.to_owned()),
        })
    }

    fn overlay(&self, index: u32, _: Viewer, values: &mut [i32]) -> bool {
        if index != 0 {
            return false;
        }
        values[1] = 7;
        true
    }

    fn level(index: u32, lang: Lang) -> Option<Level> {
        (index == 0).then(|| Level {
            name: lang.pick("唯一", "only").to_owned(),
            help: String::new(),
            player: 0,
            opponent: 0,
            options: toml::Table::new(),
        })
    }

    fn level_result(&self, _: u32, _: u16) -> Option<LevelResult> {
        (self.played() >= self.limit).then_some(LevelResult {
            passed: true,
            stars: 200,
            points: -5,
        })
    }
}

/// Set while an endless search of [`Echo`] runs.
pub static SEARCHING: AtomicBool = AtomicBool::new(false);

/// Seed that asks [`Echo`] for a search which only a cancel ends.
pub const ENDLESS: u64 = 99;

/// A search that reports what it was asked for.
pub struct Echo(AiParams);

impl Ai<Tally> for Echo {
    fn start(_: &Tally, params: &AiParams) -> Result<Self, String> {
        match params.level {
            0 => Ok(Self(params.clone())),
            level => Err(format!("没有第 {level} 级")),
        }
    }

    fn step(&mut self, budget: Duration, cancel: &AtomicBool, report: &mut Report) -> Progress {
        let asked = &self.0;
        if asked.seed == ENDLESS {
            SEARCHING.store(true, Ordering::Release);
            while !cancel.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        }
        report.best = Some(place(asked.player));
        report.nodes = asked.node_limit.unwrap_or(0);
        report.depth = asked.threads * 10 + u32::from(asked.hint) * 2 + u32::from(asked.infinite);
        report.win_permille = asked.time.map_or(-1, |time| time.as_millis() as i32);
        report.candidates = (0..asked.candidates)
            .map(|rank| Candidate {
                mv: place(rank as u16),
                win_permille: rank as i32,
                visits: 1,
            })
            .collect();
        report.line = vec![place(0), place(1), place(0)];
        report.heat = vec![-1000, 1000];
        if budget.is_zero() {
            Progress::More
        } else {
            Progress::Done
        }
    }
}

/// A game whose states panic whatever they are asked, even when they are dropped.
pub struct Mine;

impl Clone for Mine {
    fn clone(&self) -> Self {
        panic!("clone")
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        panic!("drop")
    }
}

impl Game for Mine {
    type Ai = Fuse;

    fn describe(_: Lang) -> Describe {
        describe("mine")
    }

    fn create(_: &Options, _: u64) -> Result<Self, OptionError> {
        Ok(Self)
    }

    fn layout(&self, _: Lang) -> Layout {
        panic!("layout")
    }

    fn cells(&self) -> usize {
        panic!("cells")
    }

    fn view(&self, _: Viewer, _: Option<u16>, _: &mut [GpCell]) {
        panic!("view")
    }

    fn status(&self) -> Status {
        panic!("status")
    }

    fn status_text(&self, _: Viewer, _: Lang) -> String {
        panic!("status_text")
    }

    fn moves(&self, _: &mut Vec<Move>) {
        panic!("moves")
    }

    fn apply(&mut self, _: Move) -> Result<u32, Illegal> {
        panic!("apply")
    }

    fn explain(&self, _: Move, _: Lang) -> Option<String> {
        panic!("explain")
    }

    fn move_text(&self, _: Move) -> String {
        panic!("move_text")
    }

    fn parse_move(&self, _: &str) -> Result<Move, String> {
        panic!("parse_move")
    }

    fn overlay(&self, _: u32, _: Viewer, _: &mut [i32]) -> bool {
        panic!("overlay")
    }

    fn level_result(&self, _: u32, _: u16) -> Option<LevelResult> {
        panic!("level_result")
    }
}

/// A search that panics when it is stepped and when it is dropped; with level 1, at once.
pub struct Fuse;

impl Drop for Fuse {
    fn drop(&mut self) {
        panic!("drop of the search")
    }
}

impl Ai<Mine> for Fuse {
    fn start(_: &Mine, params: &AiParams) -> Result<Self, String> {
        if params.level == 1 {
            panic!("start")
        }
        Ok(Self)
    }

    fn step(&mut self, _: Duration, _: &AtomicBool, _: &mut Report) -> Progress {
        panic!("step")
    }
}

/// What a panic carries; it panics itself when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("drop of a panic's payload")
    }
}

/// A game that panics before there is a state.
#[derive(Clone)]
pub struct Broken;

impl Game for Broken {
    type Ai = NoAi;

    fn describe(_: Lang) -> Describe {
        std::panic::panic_any(Bomb)
    }

    fn create(_: &Options, _: u64) -> Result<Self, OptionError> {
        unreachable!("the schema is read first")
    }

    fn layout(&self, _: Lang) -> Layout {
        Layout { areas: Vec::new() }
    }

    fn cells(&self) -> usize {
        0
    }

    fn view(&self, _: Viewer, _: Option<u16>, _: &mut [GpCell]) {}

    fn status(&self) -> Status {
        Status::default()
    }

    fn status_text(&self, _: Viewer, _: Lang) -> String {
        String::new()
    }

    fn moves(&self, _: &mut Vec<Move>) {}

    fn apply(&mut self, _: Move) -> Result<u32, Illegal> {
        Err(Illegal)
    }

    fn explain(&self, _: Move, _: Lang) -> Option<String> {
        None
    }

    fn move_text(&self, _: Move) -> String {
        String::new()
    }

    fn parse_move(&self, _: &str) -> Result<Move, String> {
        Err(String::new())
    }

    fn write_record(_: &str, _: &str) -> Result<Vec<u8>, RecordError> {
        panic!("write_record")
    }

    fn read_record(_: &str, _: &[u8]) -> Result<String, RecordError> {
        panic!("read_record")
    }

    fn level(_: u32, _: Lang) -> Option<Level> {
        panic!("level")
    }
}
