//! A neutral record into the text of an SGF file. The game is played along, as SGF says whose stone a
//! move is and how the game ended.

use std::fmt::Write as _;

use encoding_rs::UTF_8;

use crate::notation;
use crate::plugin::options;
use crate::rules::{
    Action, Color, End, Game, HandicapBonus, KoRule, Options, RuleSet, Scoring, handicap_points,
};
use crate::sgf::reader::{self, PRIVATE_MOVE, PRIVATE_OPTIONS};
use crate::sgf::record::{Failure, Record};
use crate::sgf::{charset, values};

/// A node of the file that is being made.
#[derive(Default)]
struct Out {
    properties: Vec<(String, Vec<String>)>,
}

impl Out {
    /// Adds a value to a property; a second property of a name becomes a list of values.
    fn add(&mut self, name: &str, raw: impl Into<String>) {
        let raw = raw.into();
        match self.properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, list)) => list.push(raw),
            None => self.properties.push((name.to_owned(), vec![raw])),
        }
    }

    /// Adds a move. Moves of one node keep their order, even where that takes two properties of a name.
    fn add_move(&mut self, name: &str, raw: impl Into<String>) {
        let is_move = |known: &str| matches!(known, "B" | "W" | PRIVATE_MOVE);
        let last = self
            .properties
            .iter_mut()
            .rfind(|(known, _)| is_move(known));
        match last {
            Some((known, list)) if known == name => list.push(raw.into()),
            _ => self.properties.push((name.to_owned(), vec![raw.into()])),
        }
    }

    /// Sets a property to one value.
    fn set(&mut self, name: &str, raw: impl Into<String>) {
        let values = vec![raw.into()];
        match self.properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, list)) => *list = values,
            None => self.properties.push((name.to_owned(), values)),
        }
    }

    fn remove(&mut self, name: &str) {
        self.properties.retain(|(known, _)| known != name);
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(known, _)| known == name);
        found.and_then(|(_, list)| list.first()).map(String::as_str)
    }

    /// Adds the kept properties of a table, name to list of raw values.
    fn extend(&mut self, table: &toml::Table) {
        for (name, list) in table {
            let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
            let list = list.as_array().map_or(&[][..], Vec::as_slice);
            for raw in list
                .iter()
                .filter_map(toml::Value::as_str)
                .filter(|_| is_name)
            {
                self.add(name, closed(raw));
            }
        }
    }

    fn write(&self, out: &mut String) {
        out.push(';');
        for (name, list) in &self.properties {
            out.push_str(name);
            for raw in list {
                out.push('[');
                out.push_str(raw);
                out.push(']');
            }
        }
    }
}

/// A raw value that cannot end early: one from a file is closed as it is, one that was made by
/// somebody else may not be.
fn closed(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match c {
            ']' => out.push_str("\\]"),
            '\\' => {
                out.push('\\');
                out.push(chars.next().unwrap_or('\\'));
            }
            c => out.push(c),
        }
    }
    out
}

/// The order of the root's properties; those that are not named follow as they came.
const ROOT_ORDER: &[&str] = &[
    "FF",
    "GM",
    "CA",
    "AP",
    "SZ",
    "KM",
    "HA",
    "RU",
    PRIVATE_OPTIONS,
    "GN",
    "EV",
    "RO",
    "PC",
    "DT",
    "PB",
    "BR",
    "BT",
    "PW",
    "WR",
    "WT",
    "RE",
    "TM",
    "OT",
    "C",
];

/// Writes a record.
///
/// # Errors
/// The options or a move of the record are none of Go's; the message names them.
pub(super) fn write(record: &Record) -> Result<Vec<u8>, Failure> {
    if record.game != "go" {
        return Err(Failure::new(format!(
            "a record of {:?}, not of \"go\"",
            record.game
        )));
    }
    let options = options::from_table(&record.options)
        .map_err(|error| Failure::new(format!("options.{error}")))?;
    let game = Game::new(options).map_err(|error| Failure::new(format!("options.{error}")))?;
    let mut writer = Writer {
        record,
        children: Vec::new(),
        size: options.size,
        end: None,
        text: String::new(),
    };
    writer.children = writer.find_children()?;
    writer.game(game, options)?;
    let (text, start) = writer.whole();
    Ok(encode(&text, start, record))
}

/// Encodes the file, in its own charset where that has all characters and is found again by who reads it: the
/// declaration that counts may be that of another game. This game begins at `start`.
fn encode(text: &str, start: usize, record: &Record) -> Vec<u8> {
    let wanted = record.meta.get("charset").and_then(toml::Value::as_str);
    let own = wanted.and_then(charset::by_name).filter(|e| *e != UTF_8);
    let in_own = own.and_then(|encoding| {
        let (before, rest) = text.split_at_checked(start)?;
        let rest = rest.replacen("CA[UTF-8]", &format!("CA[{}]", encoding.name()), 1);
        let text = [before, &rest].concat();
        let bytes = charset::encode(&text, encoding)?;
        let read = charset::decode(&bytes);
        (read.encoding == encoding && read.text == text).then_some(bytes)
    });
    in_own.unwrap_or_else(|| {
        let bytes = text.as_bytes();
        if charset::decode(bytes).text == text {
            return bytes.to_vec();
        }
        // Only a byte-order mark is stronger than what another game declares.
        [b"\xEF\xBB\xBF", bytes].concat()
    })
}

struct Writer<'a> {
    record: &'a Record,
    /// The children of the start, then of each node.
    children: Vec<Vec<usize>>,
    size: u8,
    /// The last node of the main line, with the game there: its dead stones are searched once.
    end: Option<(usize, Game)>,
    text: String,
}

/// What is left to do on the way through the tree.
enum Task {
    /// Write the nodes from this one on, which follows from the given state.
    Node(usize, Box<Game>),
    Open,
    Close,
}

impl Writer<'_> {
    /// The children of the start and of every node, those of the line first.
    fn find_children(&self) -> Result<Vec<Vec<usize>>, Failure> {
        let nodes = &self.record.nodes;
        let mut children = vec![Vec::new(); nodes.len() + 1];
        for (index, node) in nodes.iter().enumerate() {
            let slot = usize::try_from(node.parent + 1).unwrap_or(usize::MAX);
            match children.get_mut(slot) {
                Some(list) if slot <= index => list.push(index),
                _ => {
                    return Err(Failure::new(format!(
                        "nodes[{index}].parent = {} is not a node before it",
                        node.parent
                    )));
                }
            }
        }
        // The line that is on the board is the main line of the file.
        let mut slot = 0;
        for &index in &self.record.line {
            if let Some(list) = children.get_mut(slot)
                && let Some(place) = list.iter().position(|&child| child == index)
            {
                list.get_mut(..=place).unwrap_or_default().rotate_right(1);
            }
            slot = index.saturating_add(1);
        }
        Ok(children)
    }

    fn children(&self, of: Option<usize>) -> &[usize] {
        let slot = of.map_or(0, |index| index + 1);
        self.children.get(slot).map_or(&[], Vec::as_slice)
    }

    /// Plays a node of the record.
    fn play(&self, index: usize, game: &mut Game) -> Result<Action, Failure> {
        let text = self.record.nodes.get(index).map_or("", |node| &node.text);
        let fail = |why: String| Failure::new(format!("nodes[{index}] {text:?}: {why}"));
        let action =
            notation::parse_action(text, self.size).map_err(|error| fail(error.to_string()))?;
        game.apply(action)
            .map_err(|error| fail(error.to_string()))?;
        Ok(action)
    }

    /// Writes the root and everything behind it.
    fn game(&mut self, mut game: Game, options: Options) -> Result<(), Failure> {
        let mut out = Out::default();
        let mut at = None;
        // Nodes of the root stand in a chain from the start.
        let mut set_up = Vec::new();
        while let [only] = *self.children(at) {
            let node = &self.record.nodes[only];
            if !node.extra.root {
                break;
            }
            set_up.push(only);
            at = Some(only);
        }
        self.end = self.main_end(&game);
        let result = self.end.as_ref().and_then(|(_, end)| result(end));
        self.root(&mut out, &options, result);
        if !options.free_handicap && options.handicap > 0 {
            let cells = handicap_points(self.size, options.handicap).unwrap_or_default();
            for cell in cells {
                out.add("AB", values::point_text(cell, self.size));
            }
        }
        for (number, &index) in set_up.iter().enumerate() {
            let is_handicap = matches!(game.phase(), crate::rules::Phase::Handicap(_));
            let mover = game.to_move();
            let action = self.play(index, &mut game)?;
            match action {
                Action::Place(cell) if is_handicap => {
                    out.add("AB", values::point_text(cell, self.size));
                }
                // It follows from the move that is still to come.
                _ if self.record.nodes[index].extra.implied && number + 1 < set_up.len() => {}
                action => self.properties(index, action, mover, &game, &mut out),
            }
        }
        self.text.push('(');
        out.write(&mut self.text);
        let mut tasks = Vec::new();
        self.then(at, game, &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => self.text.push_str("\n("),
                Task::Close => self.text.push(')'),
                Task::Node(index, mut game) => {
                    let last = self.node(index, &mut game)?;
                    self.then(Some(last), *game, &mut tasks);
                }
            }
        }
        self.text.push(')');
        Ok(())
    }

    /// Adds what comes after a node to the tasks.
    fn then(&self, at: Option<usize>, game: Game, tasks: &mut Vec<Task>) {
        let list = self.children(at);
        if let [only] = *list {
            tasks.push(Task::Node(only, Box::new(game)));
            return;
        }
        for &child in list.iter().rev() {
            tasks.push(Task::Close);
            tasks.push(Task::Node(child, Box::new(game.clone())));
            tasks.push(Task::Open);
        }
    }

    /// Writes one node of the file, which may be several of the record; returns the last.
    fn node(&mut self, first: usize, game: &mut Game) -> Result<usize, Failure> {
        let mut out = Out::default();
        let mut index = first;
        loop {
            let mover = game.to_move();
            let action = self.play(index, game)?;
            let next = match (
                &self.record.nodes[index].extra.joined,
                self.children(Some(index)),
            ) {
                (true, [next]) => Some(*next),
                _ => None,
            };
            let node = &self.record.nodes[index];
            let is_left_out = node.extra.implied && next.is_some();
            if !is_left_out && !node.extra.bare {
                self.properties(index, action, mover, game, &mut out);
            }
            if !node.comment.is_empty() {
                out.add("C", values::escape(&node.comment));
            }
            out.extend(&node.extra.sgf);
            match next {
                Some(next) => index = next,
                None => break,
            }
        }
        // Ten nodes to a line are easy on the eye and on version control.
        let line = self.text.rsplit('\n').next().map_or(0, str::len);
        if line > 72 {
            self.text.push('\n');
        }
        out.write(&mut self.text);
        Ok(index)
    }

    /// The properties of a move; `mover` is whose turn it was.
    fn properties(
        &self,
        index: usize,
        action: Action,
        mover: Option<Color>,
        game: &Game,
        out: &mut Out,
    ) {
        let played = &self.record.nodes[index].extra.played;
        if let Some((name @ ("B" | "W"), raw)) = played.split_once('[') {
            out.add_move(name, closed(raw.strip_suffix(']').unwrap_or(raw)));
            return;
        }
        let point = |cell| values::point_text(cell, self.size);
        let letter = |color| match color {
            Color::Black => "B",
            Color::White => "W",
        };
        match (action, mover) {
            (Action::Place(cell), Some(color)) => out.add_move(letter(color), point(cell)),
            (Action::Pass, Some(color)) => out.add_move(letter(color), ""),
            (Action::Setup(cell, stone), _) => {
                let name = match stone {
                    Some(Color::Black) => "AB",
                    Some(Color::White) => "AW",
                    None => "AE",
                };
                out.add(name, point(cell));
            }
            (Action::Turn(color), _) => out.add("PL", letter(color)),
            (action, _) => {
                out.add_move(PRIVATE_MOVE, notation::action_text(action, self.size));
                if game.end() == Some(End::Score) {
                    let known = self.end.as_ref().filter(|(last, _)| *last == index);
                    self.territory(known.map_or(game, |(_, end)| end), out);
                }
            }
        }
    }

    /// Whose points are whose at a counted end.
    fn territory(&self, game: &Game, out: &mut Out) {
        let dead = game.dead();
        for (cell, owner) in (0_u16..).zip(game.count().owners) {
            let is_dead = dead.get(usize::from(cell)) == Some(&true);
            if game.position().stone(cell).is_none() || is_dead {
                let name = match owner {
                    Some(Color::Black) => "TB",
                    Some(Color::White) => "TW",
                    None => continue,
                };
                out.add(name, values::point_text(cell, self.size));
            }
        }
    }

    /// The last node of the main line, with the game there; `None` if there is none that can be reached.
    fn main_end(&self, start: &Game) -> Option<(usize, Game)> {
        let mut game = start.clone();
        let mut at = None;
        while let Some(&next) = self.children(at).first() {
            self.play(next, &mut game).ok()?;
            at = Some(next);
        }
        at.map(|last| (last, game))
    }

    /// The properties of the root.
    fn root(&self, out: &mut Out, options: &Options, result: Option<String>) {
        let meta = &self.record.meta;
        for (name, raw) in [("FF", "4"), ("GM", "1"), ("CA", "UTF-8")] {
            out.set(name, raw);
        }
        out.set("AP", concat!("Qiju:", env!("CARGO_PKG_VERSION")));
        let mut kept = Out::default();
        if let Some(table) = meta.get("sgf").and_then(toml::Value::as_table) {
            kept.extend(table);
        }
        for name in ["FF", "GM", "CA", "AP", PRIVATE_OPTIONS] {
            kept.remove(name);
        }
        out.set("SZ", options.size.to_string());
        kept.remove("SZ");
        // What the file said is kept where it says the same.
        if kept.value("KM").and_then(reader::komi) != Some(options.komi)
            && (kept.value("KM").is_some() || options.komi != 0)
        {
            kept.remove("KM");
            out.set("KM", (f64::from(options.komi) / 2.0).to_string());
        }
        let said = kept.value("HA").and_then(|raw| raw.trim().parse().ok());
        if options.handicap > 0 && said != Some(options.handicap) {
            kept.remove("HA");
            out.set("HA", options.handicap.to_string());
        }
        self.rules(out, &mut kept, options);
        let text = |key: &str| meta.get(key).and_then(toml::Value::as_str);
        let players = meta.get("players").and_then(toml::Value::as_array);
        let player = |side: usize| {
            players
                .and_then(|p| p.get(side))
                .and_then(toml::Value::as_str)
        };
        for (name, wanted) in [
            ("GN", text("title")),
            ("EV", text("event")),
            ("DT", text("date")),
            ("RE", result.as_deref().or(text("result"))),
            ("PB", player(0)),
            ("PW", player(1)),
        ] {
            let wanted = wanted.unwrap_or_default();
            let is_kept = kept
                .value(name)
                .map(values::simple_text)
                .unwrap_or_default()
                == wanted;
            if !is_kept {
                kept.remove(name);
                if !wanted.is_empty() {
                    out.set(name, values::escape(wanted));
                }
            }
        }
        if let Some(comment) = text("comment") {
            out.set("C", values::escape(comment));
        }
        for (name, list) in kept.properties {
            for raw in list {
                out.add(&name, raw);
            }
        }
        out.properties.sort_by_key(|(name, _)| {
            let place = ROOT_ORDER.iter().position(|known| known == name);
            place.unwrap_or(ROOT_ORDER.len())
        });
    }

    /// The rule set, and the options in which the game differs from it.
    fn rules(&self, out: &mut Out, kept: &mut Out, options: &Options) {
        let named = kept.value("RU").and_then(reader::rule_set);
        let found = RuleSet::of(options);
        let base = match (named, found) {
            (Some(named), found) if found.is_none_or(|found| found == named) => named,
            (None, Some(RuleSet::Chinese)) if kept.value("RU").is_some() => RuleSet::Chinese,
            (_, found) => {
                let rules = found.unwrap_or(RuleSet::Chinese);
                kept.remove("RU");
                out.set("RU", rules.sgf_name());
                rules
            }
        };
        let preset = base.options(options.size);
        let mut differs = |is_same: bool, text: &str| {
            if !is_same {
                out.add(PRIVATE_OPTIONS, text);
            }
        };
        differs(
            preset.ko == options.ko,
            match options.ko {
                KoRule::Simple => "ko:simple",
                KoRule::PositionalSuperko => "ko:positional",
                KoRule::SituationalSuperko => "ko:situational",
            },
        );
        differs(
            preset.scoring == options.scoring,
            match options.scoring {
                Scoring::Area => "scoring:area",
                Scoring::Territory => "scoring:territory",
            },
        );
        differs(
            preset.handicap_bonus == options.handicap_bonus,
            match options.handicap_bonus {
                HandicapBonus::None => "handicap_bonus:none",
                HandicapBonus::AllButOne => "handicap_bonus:all-but-one",
                HandicapBonus::All => "handicap_bonus:all",
            },
        );
        for (name, preset, own) in [
            ("suicide", preset.suicide, options.suicide),
            ("pass_stones", preset.pass_stones, options.pass_stones),
            ("agreement", preset.agreement, options.agreement),
        ] {
            differs(preset == own, &format!("{name}:{own}"));
        }
    }

    /// The text with the other games of its file around it, and where in it this game begins.
    fn whole(self) -> (String, usize) {
        let part = |key: &str| {
            let text = self.record.meta.get(key).and_then(toml::Value::as_str);
            text.unwrap_or_default()
        };
        let mut whole = String::new();
        let mut add = |text: &str| {
            let start = whole.len();
            if !text.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(whole, "{text}");
            }
            start
        };
        add(part("games_before"));
        let start = add(&self.text);
        add(part("games_after"));
        (whole, start)
    }
}

/// How a game ended, if it did, as RE says it.
fn result(game: &Game) -> Option<String> {
    let letter = |color| match color {
        Color::Black => 'B',
        Color::White => 'W',
    };
    Some(match (game.end()?, game.winner()) {
        (End::Resigned(_), Some(winner)) => format!("{}+R", letter(winner)),
        (End::TimeOut(_), Some(winner)) => format!("{}+T", letter(winner)),
        (End::Score, Some(winner)) => {
            let lead = f64::from(game.score().lead().abs()) / 2.0;
            format!("{}+{lead}", letter(winner))
        }
        (_, None) => "0".to_owned(),
    })
}
