//! Every text can be drawn with the bundled typefaces and exists in both languages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use qiju::plugins::{Lang, OptionType, Plugin, load};
use qiju_tests::{built, fixtures, library_name};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below a folder with an ending, sorted.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder's entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

// ---- Translations -----------------------------------------------------------

/// A message of a screen: the component that shows it, and its English text.
type Message = (String, String);

/// Reads the text that begins behind a quotation mark; gives it and what follows its end.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut read = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((read, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => read.push('\n'),
                other => read.push(other),
            },
            c => read.push(c),
        }
    }
    None
}

/// Every `@tr` text of the screens.
fn messages() -> BTreeSet<Message> {
    let mut found = BTreeSet::new();
    for path in files("ui", "slint") {
        let mut component = String::new();
        for line in read(&path).lines() {
            let line = line.split("//").next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            if let Some(place) = words.iter().position(|word| *word == "component") {
                component = words[place + 1].to_owned();
            }
            for call in line.split("@tr(").skip(1) {
                let text = call.strip_prefix('"').and_then(quoted);
                let Some((text, rest)) = text else {
                    panic!("{}: @tr({call}", path.display())
                };
                // A context of its own or a plural would need more of this reader.
                assert!(
                    rest.starts_with([')', ',']),
                    "{}: @tr({call}",
                    path.display()
                );
                found.insert((component.clone(), text));
            }
        }
    }
    assert!(found.len() > 60, "only {} texts were found", found.len());
    found
}

/// The translations of a `.po` file. Twice the same message is an error.
fn translations(path: &Path) -> BTreeMap<Message, String> {
    let mut entries = BTreeMap::new();
    for block in read(path).split("\n\n") {
        let mut fields: BTreeMap<&str, String> = BTreeMap::new();
        let mut key = "";
        for line in block.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line
                .split_once(' ')
                .filter(|(name, _)| name.starts_with("msg"))
            {
                key = name;
            }
            let start = line
                .find('"')
                .unwrap_or_else(|| panic!("{}: {line}", path.display()));
            let (text, _) =
                quoted(&line[start + 1..]).unwrap_or_else(|| panic!("{}: {line}", path.display()));
            fields.entry(key).or_default().push_str(&text);
        }
        let take = |key: &str| fields.get(key).cloned().unwrap_or_default();
        if take("msgid").is_empty() {
            continue;
        }
        let message = (take("msgctxt"), take("msgid"));
        let twice = entries.insert(message.clone(), take("msgstr"));
        assert_eq!(
            twice,
            None,
            "{}: {message:?} is there twice",
            path.display()
        );
    }
    entries
}

fn placeholders(text: &str) -> usize {
    text.matches('{').count()
}

#[test]
fn every_text_of_the_screens_is_translated_and_nothing_else_is() {
    let messages = messages();
    let catalogues = files("ui/lang", "po");
    assert!(!catalogues.is_empty());
    for path in catalogues {
        let translated = translations(&path);
        let known: BTreeSet<Message> = translated.keys().cloned().collect();
        let missing: Vec<&Message> = messages.difference(&known).collect();
        assert!(missing.is_empty(), "{} lacks {missing:#?}", path.display());
        let stale: Vec<&Message> = known.difference(&messages).collect();
        assert!(
            stale.is_empty(),
            "{} has what no screen says: {stale:#?}",
            path.display()
        );
        for ((component, text), translation) in &translated {
            assert!(
                !translation.trim().is_empty(),
                "{component}: {text:?} has no translation"
            );
            assert_eq!(
                placeholders(text),
                placeholders(translation),
                "{component}: {text:?}"
            );
        }
    }
}

// ---- Typefaces --------------------------------------------------------------

/// A bundled typeface.
struct Typeface {
    name: &'static str,
    bytes: Vec<u8>,
}

impl Typeface {
    fn open(name: &'static str) -> Self {
        let path = root().join("ui/fonts").join(name);
        let bytes =
            std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { name, bytes }
    }

    /// The characters that it lacks, each with a text that has it.
    fn missing(&self, texts: &BTreeMap<char, String>) -> Vec<String> {
        let face = ttf_parser::Face::parse(&self.bytes, 0)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let lacks = |c: char| !c.is_control() && face.glyph_index(c).is_none();
        let lacking = texts.iter().filter(|(c, _)| lacks(**c));
        lacking
            .map(|(c, text)| format!("{}: U+{:04X} {c} of {text:?}", self.name, u32::from(*c)))
            .collect()
    }
}

/// Characters, each with one text in which it stands.
#[derive(Default)]
struct Characters(BTreeMap<char, String>);

impl Characters {
    fn add(&mut self, text: &str) {
        for c in text.chars() {
            self.0
                .entry(c)
                .or_insert_with(|| text.chars().take(60).collect());
        }
    }
}

/// Every game of this repository.
fn plugins() -> Vec<Plugin> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut libraries = vec![
        built().bundled.join(library_name("qiju_go")),
        built().examples.join(library_name("qiju_noughts")),
    ];
    if cfg!(unix) {
        libraries.push(fixtures::build_c(
            &[fixtures::c_example()],
            dir.path(),
            "hexapawn",
            &[],
        ));
    }
    let load = |path: &PathBuf| load(path).unwrap_or_else(|error| panic!("{error}"));
    libraries.iter().flat_map(load).collect()
}

/// Options to play a game with: the defaults, and each choice and each end of a range alone.
fn options(plugin: &Plugin) -> Vec<toml::Table> {
    let mut found = vec![toml::Table::new()];
    for spec in &plugin.describe(Lang::En).options {
        let choices = spec.choices.iter().map(|choice| choice.value.clone());
        let ends = [spec.min, spec.max]
            .into_iter()
            .flatten()
            .filter(|_| matches!(spec.kind, OptionType::Int | OptionType::Half));
        for value in choices.chain(ends.map(toml::Value::Integer)) {
            let mut table = toml::Table::new();
            table.insert(spec.key.clone(), value);
            found.push(table);
        }
    }
    found
}

/// Every text that a plugin says: its description, and its words along random games.
fn spoken(plugin: &Plugin) -> (Characters, Characters) {
    const MOVES: usize = 120;
    let (mut plain, mut on_board) = (Characters::default(), Characters::default());
    for lang in Lang::ALL {
        let describe = plugin.describe(lang);
        // Names, helps, choices, levels: whatever text it has.
        plain.add(&format!("{describe:?}"));
        for piece in &describe.pieces {
            on_board.add(&piece.glyph);
        }
        for level in 0..describe.ladder {
            plain.add(&format!(
                "{:?}",
                plugin
                    .level(level, lang)
                    .unwrap_or_else(|error| panic!("level {level}: {error}"))
            ));
        }
        for (seed, options) in (1..).zip(options(plugin)) {
            let mut game = match plugin.create(&options, seed, lang) {
                Ok(game) => game,
                // Two values that do not fit together: the reason is a text, too.
                Err(error) => {
                    plain.add(&error.to_string());
                    continue;
                }
            };
            let layout = game.layout(lang).expect("a layout");
            plain.add(&format!("{layout:?}"));
            for area in &layout.areas {
                area.labels
                    .iter()
                    .for_each(|label| on_board.add(&label.text));
            }
            let mut random = StdRng::seed_from_u64(seed);
            let mut last = None;
            for _ in 0..MOVES {
                plain.add(&game.status_text(0, lang).expect("a status"));
                if let Some(last) = last {
                    plain.add(&game.explain(last, lang).expect("an explanation"));
                }
                let moves = game.moves(None).expect("moves");
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                plain.add(&game.move_label(mv, lang).expect("a label"));
                game.apply(mv).expect("a legal move");
                last = Some(mv);
            }
        }
    }
    (plain, on_board)
}

/// The texts in a Rust source: what stands in quotation marks before its tests and not in a comment.
fn literals(source: &str) -> String {
    let code = source
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_character_is_in_the_bundled_typefaces() {
    let mut plain = Characters::default();
    let mut on_board = Characters::default();
    for path in files("ui/lang", "po").iter().chain(&files("ui", "slint")) {
        plain.add(&literals(&read(path)));
    }
    for path in [
        "app/src/words.rs",
        "app/src/plugins/load_error.rs",
        "app/src/plugins/error.rs",
        "app/src/art/theme.rs",
    ] {
        plain.add(&literals(&read(&root().join(path))));
    }
    for plugin in plugins() {
        let (said, drawn) = spoken(&plugin);
        said.0
            .values()
            .chain(drawn.0.values())
            .for_each(|text| assert!(!text.is_empty()));
        plain.0.extend(said.0);
        on_board.0.extend(drawn.0);
    }
    assert!(
        plain.0.len() > 400,
        "only {} characters were found",
        plain.0.len()
    );

    let mut missing = Vec::new();
    for name in ["QijuSans-Regular.otf", "QijuSans-Bold.otf"] {
        missing.extend(Typeface::open(name).missing(&plain.0));
    }
    missing.extend(Typeface::open("QijuKai-Regular.ttf").missing(&on_board.0));
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn a_character_that_a_typeface_lacks_is_found() {
    let mut texts = Characters::default();
    texts.add("A\u{10ffff}");
    let missing = Typeface::open("QijuSans-Regular.otf").missing(&texts.0);
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert!(missing[0].contains("U+10FFFF"), "{missing:?}");
}
