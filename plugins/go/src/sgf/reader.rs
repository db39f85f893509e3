//! A game tree into a neutral record: the rules of Go are played along, so that every move of the
//! record is one that the game takes.

use crate::notation;
use crate::plugin::options;
use crate::rules::{
    Action, Color, Game, HandicapBonus, MAX_HANDICAP, MAX_KOMI, MAX_SIZE, MIN_SIZE, Options,
    RuleSet, Scoring, handicap_points, max_free_handicap,
};
use crate::sgf::record::{Extra, Node as Move, Record};
use crate::sgf::{Collection, GameTree, MAX_PROBLEMS, Node, Problem, values};

/// The private property of moves that SGF does not have.
pub(super) const PRIVATE_MOVE: &str = "QIJU";
/// The private property of options that no rule set of SGF says.
pub(super) const PRIVATE_OPTIONS: &str = "QIJUOPTIONS";

/// What was read.
pub(super) struct Read {
    pub record: Record,
    pub problems: Vec<Problem>,
}

/// What a node of the file did to the game.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub is_main_line: bool,
    pub is_move: bool,
}

/// Reads a game of a file; `visit` is told the position at the start and after every node.
///
/// # Errors
/// There is no such game, or it is none that can be played here.
pub(super) fn read(
    collection: &Collection,
    number: usize,
    visit: &mut dyn FnMut(&Game, Step),
) -> Result<Read, Problem> {
    let start = crate::sgf::Place { line: 1, column: 1 };
    let problem = |what: String| Problem { place: start, what };
    let Some(tree) = collection.games.get(number) else {
        let first = collection
            .problems
            .first()
            .filter(|_| collection.games.is_empty());
        return Err(first.cloned().unwrap_or_else(|| {
            let found = collection.games.len();
            problem(format!(
                "there is no game {}: the file has {found}",
                number + 1
            ))
        }));
    };
    let Some(root) = tree.nodes.first() else {
        return Err(problem("the game has no node".to_owned()));
    };
    let children = children(tree);
    let mut reader = Reader {
        tree,
        record: Record {
            format: 1,
            game: "go".to_owned(),
            version: "1".to_owned(),
            ..Record::default()
        },
        problems: Vec::new(),
        size: 19,
    };
    let (options, handicap) = reader.options(root, &children)?;
    let game = Game::new(options).map_err(|error| Problem {
        place: root.place,
        what: error.to_string(),
    })?;
    visit(
        &game,
        Step {
            is_main_line: true,
            is_move: false,
        },
    );
    reader.record.options = options::to_table(&options);
    reader.meta(root);
    reader.walk(game, handicap, &children, visit);
    Ok(Read {
        record: reader.record,
        problems: reader.problems,
    })
}

/// The children of every node, in the order of the file.
fn children(tree: &GameTree) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if let Some(list) = node.parent.and_then(|parent| children.get_mut(parent)) {
            list.push(index);
        }
    }
    children
}

/// How the handicap stones of the root stand in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Handicap {
    /// They are no handicap, or there are none: whatever the root sets up is set up.
    Setup,
    /// They follow from the options.
    Fixed,
    /// They are black's first moves.
    Free(Vec<u16>),
}

struct Reader<'a> {
    tree: &'a GameTree,
    record: Record,
    problems: Vec<Problem>,
    size: u8,
}

/// A way through the tree that is being walked.
struct Frame {
    /// Index of the node in the file.
    node: usize,
    /// How many of its children have been walked.
    walked: usize,
    /// The last node of the record before its children.
    parent: i64,
    game: Game,
    is_main_line: bool,
}

impl Reader<'_> {
    fn note(&mut self, node: &Node, what: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem {
                place: node.place,
                what: what.into(),
            });
        }
    }

    /// The options that the root asks for, and what is to become of its handicap stones.
    fn options(
        &mut self,
        root: &Node,
        children: &[Vec<usize>],
    ) -> Result<(Options, Handicap), Problem> {
        let refuse = |what: String| Problem {
            place: root.place,
            what,
        };
        if let Some(game) = root.value("GM").map(str::trim).filter(|game| *game != "1") {
            let game: String = game.chars().take(20).collect();
            return Err(refuse(format!(
                "GM[{game}]: this is a record of another game"
            )));
        }
        if let Some(raw) = root.value("SZ") {
            self.size = board_size(raw).map_err(refuse)?;
        }
        let rules = root
            .value("RU")
            .and_then(rule_set)
            .unwrap_or(RuleSet::Chinese);
        let mut options = Options {
            komi: 0,
            ..rules.options(self.size)
        };
        for raw in root.values(PRIVATE_OPTIONS) {
            set_private(&mut options, raw);
        }
        if let Some(raw) = root.value("KM") {
            match komi(raw) {
                Some(komi) => options.komi = komi,
                None => self.note(root, format!("KM[{}] is no komi", shorten(raw))),
            }
        }
        let handicap = self.handicap(root, children, &mut options);
        Ok((options, handicap))
    }

    fn handicap(
        &mut self,
        root: &Node,
        children: &[Vec<usize>],
        options: &mut Options,
    ) -> Handicap {
        let Some(raw) = root.value("HA") else {
            return Handicap::Setup;
        };
        let Ok(stones) = raw.trim().parse::<u8>() else {
            self.note(root, format!("HA[{}] is no number of stones", shorten(raw)));
            return Handicap::Setup;
        };
        if !(2..=MAX_HANDICAP).contains(&stones) {
            return Handicap::Setup;
        }
        let mut black: Vec<u16> = Vec::new();
        for raw in root.values("AB") {
            // A value that is no point is noted when the root is read.
            for cell in values::points(raw, self.size).unwrap_or_default() {
                if !black.contains(&cell) {
                    black.push(cell);
                }
            }
        }
        let most = max_free_handicap(self.size);
        let others = root.has("AW") || root.has("AE");
        if black.is_empty() && !others {
            // Black may place them move by move.
            if stones <= most && self.begins_with_black(children, stones) {
                (options.handicap, options.free_handicap) = (stones, true);
            }
            return Handicap::Setup;
        }
        if others || black.len() != usize::from(stones) {
            return Handicap::Setup;
        }
        let mut fixed = handicap_points(self.size, stones).unwrap_or_default();
        let mut sorted = black.clone();
        fixed.sort_unstable();
        sorted.sort_unstable();
        if fixed == sorted {
            options.handicap = stones;
            return Handicap::Fixed;
        }
        if stones > most {
            return Handicap::Setup;
        }
        (options.handicap, options.free_handicap) = (stones, true);
        Handicap::Free(black)
    }

    /// Whether the first moves of the main line are so many black stones.
    fn begins_with_black(&self, children: &[Vec<usize>], stones: u8) -> bool {
        let mut at = 0;
        let mut found = 0;
        loop {
            let Some(node) = self.tree.nodes.get(at) else {
                return false;
            };
            if node.has("W") || node.has("AB") || node.has("AW") || node.has("AE") {
                return false;
            }
            for raw in node.values("B") {
                match values::point_or_pass(raw, self.size) {
                    Ok(Some(_)) => found += 1,
                    _ => return false,
                }
            }
            if found >= stones {
                return true;
            }
            match children.get(at).and_then(|list| list.first()) {
                Some(&next) => at = next,
                None => return false,
            }
        }
    }

    /// What the root says beyond the options.
    fn meta(&mut self, root: &Node) {
        let text = |name| root.value(name).map(values::simple_text);
        let mut meta = toml::Table::new();
        let mut set = |key: &str, text: Option<String>| {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                meta.insert(key.to_owned(), text.into());
            }
        };
        set("title", text("GN"));
        set("event", text("EV"));
        set("date", text("DT"));
        set("result", text("RE"));
        set("comment", root.value("C").map(values::text));
        let players = [text("PB"), text("PW")].map(Option::unwrap_or_default);
        if players.iter().any(|name| !name.is_empty()) {
            let players = players.map(toml::Value::String).to_vec();
            meta.insert("players".to_owned(), players.into());
        }
        let moves = ["AB", "AW", "AE", "PL", "B", "W", "C", PRIVATE_MOVE];
        let rest = raw_properties(root, |name| !moves.contains(&name));
        if !rest.is_empty() {
            meta.insert("sgf".to_owned(), rest.into());
        }
        self.record.meta = meta;
    }

    /// Walks through the whole tree, the main line first, without recursion.
    fn walk(
        &mut self,
        mut game: Game,
        handicap: Handicap,
        children: &[Vec<usize>],
        visit: &mut dyn FnMut(&Game, Step),
    ) {
        let parent = self.enter(0, -1, &mut game, Some(handicap));
        let first = Step {
            is_main_line: true,
            is_move: self.is_move(0),
        };
        visit(&game, first);
        // The line is the main line; the board is opened at its start.
        self.record.line = self.line_to(parent);
        self.record.at = self.record.line.len();
        let mut stack = vec![Frame {
            node: 0,
            walked: 0,
            parent,
            game,
            is_main_line: true,
        }];
        while let Some(mut frame) = stack.pop() {
            let list = children.get(frame.node).map_or(&[][..], Vec::as_slice);
            let Some(&next) = list.get(frame.walked) else {
                continue;
            };
            let is_main_line = frame.is_main_line && frame.walked == 0;
            let before = frame.parent;
            frame.walked += 1;
            // The last child gets the game itself and the place on the stack, so that a long line copies
            // nothing and keeps nothing.
            let mut game = if frame.walked == list.len() {
                frame.game
            } else {
                let copy = frame.game.clone();
                stack.push(frame);
                copy
            };
            let parent = self.enter(next, before, &mut game, None);
            let step = Step {
                is_main_line,
                is_move: self.is_move(next),
            };
            visit(&game, step);
            if is_main_line && parent >= 0 {
                let before = self.record.line.last().map_or(-1, |&i| i as i64);
                let more = self.chain(before, parent);
                self.record.line.extend(more);
            }
            stack.push(Frame {
                node: next,
                walked: 0,
                parent,
                game,
                is_main_line,
            });
        }
    }

    fn is_move(&self, node: usize) -> bool {
        let node = self.tree.nodes.get(node);
        node.is_some_and(|node| node.has("B") || node.has("W"))
    }

    /// The nodes of the record from the start to `last`.
    fn line_to(&self, last: i64) -> Vec<usize> {
        self.chain(-1, last)
    }

    /// The nodes of the record after `before` up to `last`, which follows from it.
    fn chain(&self, before: i64, last: i64) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = last;
        while at != before
            && let Ok(index) = usize::try_from(at)
            && let Some(node) = self.record.nodes.get(index)
        {
            chain.push(index);
            at = node.parent;
        }
        chain.reverse();
        chain
    }

    /// Plays what a node of the file says and adds it to the record behind `parent`; returns the last
    /// node of the record then.
    fn enter(&mut self, index: usize, parent: i64, game: &mut Game, root: Option<Handicap>) -> i64 {
        let tree = self.tree;
        let Some(node) = tree.nodes.get(index) else {
            return parent;
        };
        let is_root = root.is_some();
        let mut chain = Chain {
            moves: Vec::new(),
            is_root,
        };
        let mut left = toml::Table::new();
        match root {
            Some(Handicap::Fixed) => {}
            Some(Handicap::Free(cells)) => {
                for cell in cells {
                    chain.play(game, Action::Place(cell), Extra::default());
                }
            }
            Some(Handicap::Setup) | None => self.set_up(node, game, &mut chain, &mut left),
        }
        self.turn(node, game, &mut chain, &mut left);
        for property in &node.properties {
            let color = match property.name.as_str() {
                "B" => Color::Black,
                "W" => Color::White,
                PRIVATE_MOVE => {
                    for raw in &property.values {
                        self.private_move(node, raw, game, &mut chain, &mut left);
                    }
                    continue;
                }
                _ => continue,
            };
            for raw in &property.values {
                match values::point_or_pass(raw, self.size) {
                    Ok(cell) => self.stone(node, color, cell, raw, game, &mut chain),
                    Err(what) => {
                        self.note(node, format!("{}: {what}", property.name));
                        keep(&mut left, &property.name, raw);
                    }
                }
            }
        }
        let comment = node.value("C").map(values::text).unwrap_or_default();
        if is_root {
            // Its other properties are in `meta`; what was no move there is kept with them.
            if !left.is_empty() {
                let meta = &mut self.record.meta;
                let sgf = meta
                    .entry("sgf")
                    .or_insert_with(|| toml::Table::new().into());
                if let Some(table) = sgf.as_table_mut() {
                    table.extend(left);
                }
            }
            return self.add(parent, chain);
        }
        let known = ["AB", "AW", "AE", "PL", "B", "W", "C", PRIVATE_MOVE];
        let is_counted = node.has(PRIVATE_MOVE);
        for (name, list) in raw_properties(node, |name| {
            // The territory of a counted end is written anew.
            !(known.contains(&name) || is_counted && matches!(name, "TB" | "TW"))
        }) {
            left.insert(name, list);
        }
        if chain.moves.is_empty() {
            let turn = game.to_move().unwrap_or(game.position().to_move());
            let bare = Extra {
                bare: true,
                ..Extra::default()
            };
            chain.play(game, Action::Turn(turn), bare);
        }
        if let Some(last) = chain.moves.last_mut() {
            last.comment = comment;
            last.extra.sgf = left;
        }
        self.add(parent, chain)
    }

    /// Adds the moves of a node to the record; returns the last.
    fn add(&mut self, mut parent: i64, chain: Chain) -> i64 {
        let size = self.size;
        let last = chain.moves.len().saturating_sub(1);
        for (number, mut node) in chain.moves.into_iter().enumerate() {
            node.extra.joined = !chain.is_root && number < last;
            node.extra.root = chain.is_root;
            self.record.nodes.push(Move {
                parent,
                text: notation::action_text(node.action, size),
                comment: node.comment,
                extra: node.extra,
            });
            parent = self.record.nodes.len() as i64 - 1;
        }
        parent
    }

    fn set_up(&mut self, node: &Node, game: &mut Game, chain: &mut Chain, left: &mut toml::Table) {
        for (name, stone) in [
            ("AB", Some(Color::Black)),
            ("AW", Some(Color::White)),
            ("AE", None),
        ] {
            for raw in node.values(name) {
                match values::points(raw, self.size) {
                    Ok(cells) => {
                        for cell in cells {
                            chain.play(game, Action::Setup(cell, stone), Extra::default());
                        }
                    }
                    Err(what) => {
                        self.note(node, format!("{name}: {what}"));
                        keep(left, name, raw);
                    }
                }
            }
        }
    }

    fn turn(&mut self, node: &Node, game: &mut Game, chain: &mut Chain, left: &mut toml::Table) {
        let Some(raw) = node.value("PL") else { return };
        let color = match raw.trim().chars().next().map(|c| c.to_ascii_lowercase()) {
            Some('b' | '1') => Color::Black,
            Some('w' | '2') => Color::White,
            _ => {
                self.note(node, format!("PL[{}] is no colour", shorten(raw)));
                keep(left, "PL", raw);
                return;
            }
        };
        chain.play(game, Action::Turn(color), Extra::default());
    }

    /// A move of the file, whosever turn it is and whatever the rules say.
    fn stone(
        &mut self,
        node: &Node,
        color: Color,
        cell: Option<u16>,
        raw: &str,
        game: &mut Game,
        chain: &mut Chain,
    ) {
        let implied = || Extra {
            implied: true,
            ..Extra::default()
        };
        for action in game.turn_to(color) {
            chain.play(game, action, implied());
        }
        let action = cell.map_or(Action::Pass, Action::Place);
        let Err(why) = game.check(action) else {
            chain.play(game, action, Extra::default());
            return;
        };
        // "Execute a given move (whether legal or not)": as far as stones are set and taken.
        self.note(node, format!("a move that the rules refuse ({why})"));
        let before = game.position().board().clone();
        let mut after = before.clone();
        if let Some(point) = cell.and_then(|cell| before.point(cell)) {
            if !after.is_empty(point) {
                after = after.keep(|p| p != point);
            }
            after.play(point, color);
        }
        for point in before.points() {
            if before.stone(point) != after.stone(point) {
                let action = Action::Setup(before.cell(point), after.stone(point));
                chain.play(game, action, implied());
            }
        }
        let letter = if color == Color::Black { 'B' } else { 'W' };
        let played = Extra {
            played: format!("{letter}[{raw}]"),
            ..Extra::default()
        };
        chain.play(game, Action::Turn(!color), played);
    }

    fn private_move(
        &mut self,
        node: &Node,
        raw: &str,
        game: &mut Game,
        chain: &mut Chain,
        left: &mut toml::Table,
    ) {
        let text = values::simple_text(raw);
        let action = notation::parse_action(&text, self.size).map_err(|error| error.to_string());
        let played = action.and_then(|action| {
            game.check(action).map_err(|error| error.to_string())?;
            Ok(action)
        });
        match played {
            Ok(action) => chain.play(game, action, Extra::default()),
            Err(why) => {
                self.note(node, format!("{PRIVATE_MOVE}[{}]: {why}", shorten(raw)));
                keep(left, PRIVATE_MOVE, raw);
            }
        }
    }
}

/// The moves that a node of the file becomes.
struct Chain {
    moves: Vec<ChainMove>,
    is_root: bool,
}

struct ChainMove {
    action: Action,
    comment: String,
    extra: Extra,
}

impl Chain {
    /// Plays a move that has been found possible and adds it.
    fn play(&mut self, game: &mut Game, action: Action, extra: Extra) {
        if game.apply(action).is_ok() {
            self.moves.push(ChainMove {
                action,
                comment: String::new(),
                extra,
            });
        }
    }
}

/// The properties of a node whose name `wanted` says yes to, as they stand in the file.
fn raw_properties(node: &Node, wanted: impl Fn(&str) -> bool) -> toml::Table {
    let mut table = toml::Table::new();
    for property in node.properties.iter().filter(|p| wanted(&p.name)) {
        for raw in &property.values {
            keep(&mut table, &property.name, raw);
        }
    }
    table
}

/// Adds a raw value to the list of a property.
fn keep(table: &mut toml::Table, name: &str, raw: &str) {
    let list = table
        .entry(name)
        .or_insert_with(|| toml::Value::Array(Vec::new()));
    if let Some(list) = list.as_array_mut() {
        list.push(raw.into());
    }
}

fn shorten(raw: &str) -> String {
    raw.chars().take(30).collect()
}

/// The side of the board from "19" or "19:19".
fn board_size(raw: &str) -> Result<u8, String> {
    let side = |text: &str| text.trim().parse::<u32>().ok();
    let bad = || format!("SZ[{}] is no size of a board", shorten(raw));
    let size = match raw.split_once(':') {
        None => side(raw).ok_or_else(bad)?,
        Some((columns, rows)) => {
            let (columns, rows) = (side(columns).ok_or_else(bad)?, side(rows).ok_or_else(bad)?);
            if columns != rows {
                return Err(format!(
                    "SZ[{}]: only square boards are played",
                    shorten(raw)
                ));
            }
            columns
        }
    };
    u8::try_from(size)
        .ok()
        .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))
        .ok_or_else(|| format!("SZ[{size}]: boards of {MIN_SIZE} to {MAX_SIZE} lines are played"))
}

/// Komi in half points. Some Chinese servers write hundredths of stones (375), some records stones
/// (3.75): quarters can only be stones, of which each is two points.
pub(super) fn komi(raw: &str) -> Option<i32> {
    let number: f64 = raw.trim().replace(',', ".").parse().ok()?;
    let number = if number.abs() >= 100.0 {
        number / 100.0
    } else {
        number
    };
    let is_quarter = (number * 2.0).fract() != 0.0 && (number * 4.0).fract() == 0.0;
    let points = if is_quarter { number * 2.0 } else { number };
    let half = (points * 2.0).round();
    (half.is_finite() && half.abs() <= f64::from(MAX_KOMI)).then_some(half as i32)
}

/// The rule set that RU names, in whatever of its usual spellings.
pub(super) fn rule_set(raw: &str) -> Option<RuleSet> {
    let name = values::simple_text(raw).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["tromp"]) {
        Some(RuleSet::TrompTaylor)
    } else if has(&["zealand"]) || name.trim() == "nz" {
        Some(RuleSet::NewZealand)
    } else if has(&["aga", "american"]) {
        Some(RuleSet::Aga)
    } else if has(&["japan", "korea", "日本", "韩国", "韓国", "韓國"])
        || matches!(name.trim(), "jp" | "kr")
    {
        Some(RuleSet::Japanese)
    } else if has(&["chin", "中国", "中國", "goe", "ing"]) || name.trim() == "cn" {
        Some(RuleSet::Chinese)
    } else {
        None
    }
}

/// Sets an option of our own from `key:value`; one that is not known is left.
fn set_private(options: &mut Options, raw: &str) {
    use crate::rules::KoRule;
    match raw.trim() {
        "ko:simple" => options.ko = KoRule::Simple,
        "ko:positional" => options.ko = KoRule::PositionalSuperko,
        "ko:situational" => options.ko = KoRule::SituationalSuperko,
        "suicide:true" => options.suicide = true,
        "suicide:false" => options.suicide = false,
        "scoring:area" => options.scoring = Scoring::Area,
        "scoring:territory" => options.scoring = Scoring::Territory,
        "pass_stones:true" => options.pass_stones = true,
        "pass_stones:false" => options.pass_stones = false,
        "handicap_bonus:none" => options.handicap_bonus = HandicapBonus::None,
        "handicap_bonus:all-but-one" => options.handicap_bonus = HandicapBonus::AllButOne,
        "handicap_bonus:all" => options.handicap_bonus = HandicapBonus::All,
        "agreement:true" => options.agreement = true,
        "agreement:false" => options.agreement = false,
        _ => {}
    }
}
