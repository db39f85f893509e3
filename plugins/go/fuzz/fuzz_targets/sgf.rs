//! Whatever the bytes are: the reader comes back; what it read can be written; what was written reads
//! as the same games with the same moves; and written again it is the same file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use qiju_go::sgf::record;

/// Games of one file that are looked at.
const GAMES: usize = 3;

/// The record of a game, whole or as far as it could be read.
fn read(bytes: &[u8], number: usize) -> Option<String> {
    match record::read_nth(bytes, number) {
        Ok(text) => Some(text),
        Err(failure) => failure.partial,
    }
}

/// What of a record must come through a file unchanged. `meta` is not all the same: the first file may
/// lack properties that ours always have (GM, AP).
fn facts(record: &str) -> toml::Table {
    let mut table: toml::Table = record.parse().expect("a record is TOML");
    table.retain(|key, _| matches!(key, "options" | "nodes" | "line" | "at"));
    table
}

fuzz_target!(|bytes: &[u8]| {
    let games = record::games(bytes).len();
    for number in 0..games.min(GAMES) {
        let Some(first) = read(bytes, number) else {
            continue;
        };
        let file = record::write(&first).expect("what was read can be written");
        assert_eq!(games, record::games(&file).len(), "no game is lost");
        let second = read(&file, number).expect("what was written can be read");
        assert_eq!(facts(&first), facts(&second));
        let again = record::write(&second).expect("what was read can be written");
        assert!(
            file == again,
            "two files:\n{}\n{}",
            String::from_utf8_lossy(&file),
            String::from_utf8_lossy(&again)
        );
    }
    // The protocol's `loadsgf`.
    let _ = record::load(bytes, Some(2));
});
