//! Every record of a folder of real SGF files opens: GNU Go's regression suite, say
//! (`apt-get source gnugo`). The folder is named by `QIJU_SGF_FILES`; without it nothing is checked.

use std::path::{Path, PathBuf};

use qiju_go::sgf::record;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder that can be read");
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("sgf"))
        {
            found.push(path);
        }
    }
}

#[test]
fn every_file_opens_and_comes_back() {
    let Some(folder) = std::env::var_os("QIJU_SGF_FILES") else {
        eprintln!("SKIPPED: QIJU_SGF_FILES names no folder of SGF files");
        return;
    };
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no SGF file in {}", folder.display());
    let mut notes = 0;
    let mut failures = Vec::new();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a file that can be read");
        if bytes.is_empty() {
            println!("{}: empty", path.display());
            continue;
        }
        let games = record::games(&bytes).len();
        for number in 0..games.max(1) {
            let first = match record::read_nth(&bytes, number) {
                Ok(text) => text,
                Err(failure) => match failure.partial {
                    Some(text) => {
                        notes += 1;
                        println!("{} {number}: {}", path.display(), failure.message);
                        text
                    }
                    None => {
                        failures.push(format!("{}: {}", path.display(), failure.message));
                        continue;
                    }
                },
            };
            let written = record::write(&first)
                .unwrap_or_else(|failure| panic!("{}: {failure}", path.display()));
            let second = match record::read_nth(&written, number) {
                Ok(text) => text,
                Err(failure) => failure.partial.expect("what was written opens"),
            };
            let nodes = |text: &str| -> toml::Table {
                let mut table: toml::Table = text.parse().expect("a record");
                table.retain(|key, _| key == "nodes" || key == "options");
                table
            };
            assert_eq!(nodes(&first), nodes(&second), "{}", path.display());
        }
    }
    println!("{} files, {notes} games with a remark", paths.len());
    assert!(
        failures.is_empty(),
        "{}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
