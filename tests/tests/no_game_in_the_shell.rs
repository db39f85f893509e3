//! The shell knows no game by name or by rule: its sources and screens hold no word of one.

use std::path::{Path, PathBuf};

/// Words that belong to games. English "go" as a verb may stand in prose, so
/// that one is looked for in code only.
const WORDS: [&str; 27] = [
    "gomoku",
    "xiangqi",
    "weiqi",
    "baduk",
    "renju",
    "chess",
    "noughts",
    "hexapawn",
    "stone",
    "stones",
    "komi",
    "atari",
    "joseki",
    "handicap",
    "superko",
    "liberty",
    "liberties",
    "palace",
    "rook",
    "bishop",
    "pawn",
    "goban",
    "hoshi",
    "围棋",
    "五子棋",
    "象棋",
    "棋子",
];

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    let mut folders = vec![root.join("app/src"), root.join("ui")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder's entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ["rs", "slint", "po"].iter().any(|known| ending == *known))
            {
                found.push(path);
            }
        }
    }
    found
}

fn words(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn offences(line: &str, code: bool) -> Vec<String> {
    let mut found: Vec<String> = words(line)
        .flat_map(|word| word.split('_').map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| WORDS.contains(&word.as_str()))
        .collect();
    found.extend(
        WORDS
            .iter()
            .filter(|word| !word.is_ascii() && line.contains(*word))
            .map(|word| (*word).to_owned()),
    );
    if code {
        let statement = line.split("//").next().unwrap_or_default();
        // A text of one word, or a name: both would be the game's.
        if statement.contains("\"go\"")
            || statement
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == "Go")
        {
            found.push("go".to_owned());
        }
    }
    found
}

#[test]
fn no_source_of_the_shell_names_a_game() {
    let mut bad = Vec::new();
    let sources = sources();
    assert!(
        sources.len() > 30,
        "only {} sources were found",
        sources.len()
    );
    for path in sources {
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (number, line) in text.lines().enumerate() {
            for word in offences(line, true) {
                bad.push(format!(
                    "{}:{}: {word}: {}",
                    path.display(),
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    assert!(bad.is_empty(), "the shell names games:\n{}", bad.join("\n"));
}

#[test]
fn the_search_finds_what_it_looks_for() {
    for line in [
        "let stone = 1;",
        "if id == \"go\" {",
        "fn place_stone()",
        "// the komi of it",
        "text: \"围棋\";",
        "Go::new()",
    ] {
        assert!(!offences(line, true).is_empty(), "{line}");
    }
    for line in [
        "// we go on",
        "self.go_to(3)",
        "milestone",
        "let board = 3;",
    ] {
        assert!(offences(line, true).is_empty(), "{line}");
    }
}
