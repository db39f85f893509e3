//! Random records through SGF and back: the boards at every node, the variations and the comments
//! are the same.

use proptest::prelude::*;
use qiju_go::notation;
use qiju_go::rules::{Action, Color, Game, KoRule, Options, RuleSet};
use qiju_go::sgf::record;

/// One step of a tree that is being made: what is done, and how far back it branches off.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    cell: u16,
    back: u8,
    comment: String,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let comment = prop_oneof![
        3 => Just(String::new()),
        1 => "[\\]\\[\\\\:;()a-z 中文ソ能\n]{0,12}",
        1 => "\\PC{0,20}",
    ];
    let step = (any::<u8>(), any::<u16>(), any::<u8>(), comment).prop_map(
        |(kind, cell, back, comment)| Step {
            kind,
            cell,
            back,
            comment,
        },
    );
    prop::collection::vec(step, 0..60)
}

/// A node of the tree as it was made.
struct Node {
    parent: i64,
    text: String,
    comment: String,
    game: Game,
}

/// Plays the steps; what is not possible is left out.
fn tree(options: Options, steps: &[Step]) -> Vec<Node> {
    let start = Game::new(options).expect("valid options");
    let mut nodes: Vec<Node> = Vec::new();
    for step in steps {
        // Mostly behind the last node; sometimes behind an earlier one.
        let last = nodes.len() as i64 - 1;
        let parent = match step.back {
            0..200 => last,
            back => (last - i64::from(back % 8)).max(-1),
        };
        let game = usize::try_from(parent).map_or(&start, |index| &nodes[index].game);
        let area = game.position().board().area();
        let cell = step.cell % area;
        let color = Color::ALL[usize::from(step.kind & 1)];
        let actions = match step.kind % 16 {
            0 => [Action::Pass, Action::Turn(color)],
            1 => [Action::Setup(cell, Some(color)), Action::Pass],
            2 => [Action::Setup(cell, None), Action::Pass],
            3 => [Action::Turn(color), Action::Pass],
            4 => [Action::Agree, Action::Resume],
            5 => [Action::Toggle(cell), Action::Place(cell)],
            6 if step.back < 20 => [Action::Resign, Action::Pass],
            _ => [Action::Place(cell), Action::Pass],
        };
        let Some(action) = actions.into_iter().find(|&a| game.check(a).is_ok()) else {
            continue;
        };
        let mut game = game.clone();
        game.apply(action).expect("checked");
        nodes.push(Node {
            parent,
            text: notation::action_text(action, options.size),
            comment: step.comment.clone(),
            game,
        });
    }
    nodes
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The tree as a neutral record.
fn neutral(options: &str, nodes: &[Node]) -> String {
    let mut text = format!("format = 1\ngame = \"go\"\n[options]\n{options}\n");
    for node in nodes {
        text.push_str(&format!(
            "[[nodes]]\nparent = {}\nmove = {}\ncomment = {}\n",
            node.parent,
            quoted(&node.text),
            quoted(&node.comment)
        ));
    }
    text
}

/// Path from the start by number of child, with comment and board: what must be the same.
fn facts(options: Options, record: &toml::Table) -> Vec<(Vec<usize>, String, String)> {
    let nodes = record.get("nodes").and_then(toml::Value::as_array);
    let nodes = nodes.map_or(&[][..], Vec::as_slice);
    let start = Game::new(options).expect("valid options");
    let mut known: Vec<(Vec<usize>, Game, usize)> = Vec::new();
    let mut first = 0;
    let mut facts = Vec::new();
    for node in nodes {
        let parent = node["parent"].as_integer().expect("a parent");
        let (mut path, mut game) = match usize::try_from(parent) {
            Ok(index) => {
                let entry = &mut known[index];
                entry.2 += 1;
                let mut path = entry.0.clone();
                path.push(entry.2);
                (path, entry.1.clone())
            }
            Err(_) => {
                first += 1;
                (vec![first], start.clone())
            }
        };
        let text = node["move"].as_str().expect("a move");
        let action = notation::parse_action(text, options.size).expect("a move");
        game.apply(action).expect("a possible move");
        let comment = node.get("comment").and_then(toml::Value::as_str);
        let board: String = (0..game.position().board().area())
            .map(|cell| match game.position().stone(cell) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            })
            .collect();
        let phase = format!("{board} {:?} {:?}", game.phase(), game.to_move());
        facts.push((path.clone(), comment.unwrap_or_default().to_owned(), phase));
        path.shrink_to_fit();
        known.push((path, game, 0));
    }
    facts.sort();
    facts
}

/// A comment as SGF can hold it: white space that is not a line end is a space.
fn as_sgf(comment: &str) -> String {
    qiju_go::sgf::values::text(&qiju_go::sgf::values::escape(comment))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn export_and_import_are_the_identity(
        size in 5_u8..=25,
        handicap in prop_oneof![Just(0_u8), 2_u8..=4],
        simple in any::<bool>(),
        steps in steps(),
    ) {
        let handicap = if size < 7 { 0 } else { handicap };
        let ko = if simple { KoRule::Simple } else { KoRule::PositionalSuperko };
        let options = Options { handicap, ko, ..RuleSet::Chinese.options(size) };
        let nodes = tree(options, &steps);
        let options_text = format!(
            "size = {size}\nhandicap = {handicap}\nko = \"{}\"",
            if simple { "simple" } else { "positional" }
        );
        let text = neutral(&options_text, &nodes);
        let bytes = record::write(&text).expect("a file");
        let read = record::read(&bytes)
            .unwrap_or_else(|failure| panic!("{failure}\n{}", String::from_utf8_lossy(&bytes)));
        let mut expected: toml::Table = text.parse().expect("TOML");
        if let Some(nodes) = expected.get_mut("nodes").and_then(toml::Value::as_array_mut) {
            for node in nodes {
                let comment = as_sgf(node["comment"].as_str().unwrap_or_default());
                node["comment"] = comment.into();
            }
        }
        let read: toml::Table = read.parse().expect("TOML");
        prop_assert_eq!(
            facts(options, &expected),
            facts(options, &read),
            "{}", String::from_utf8_lossy(&bytes)
        );
        // And the second file is the first.
        let again = record::write(&read.to_string()).expect("a file");
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&bytes));
    }

    /// Whatever the bytes are, the reader comes back, and what it read can be written.
    #[test]
    fn no_bytes_break_the_reader(text in "(\\(;|\\)|[;:\\[\\]()\\\\]|SZ\\[9\\]|[BW]\\[[a-i]{2}\\]|A[BWE]\\[|C\\[|QIJU\\[(agree|resign|dead E5)\\]|\\PC){0,60}") {
        let text = match record::read(text.as_bytes()) {
            Ok(text) => Some(text),
            Err(failure) => failure.partial,
        };
        if let Some(text) = text {
            record::write(&text).expect("what was read can be written");
        }
    }
}
