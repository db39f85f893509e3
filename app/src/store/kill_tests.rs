//! Kills a process that saves without pause, at random moments, and looks at what is left.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Notice, Paths, Store};

/// Names the folder to the child. Its presence makes a process the child.
const CHILD_DIR: &str = "QIJU_TEST_STORE_CHILD";
/// Repeats a run: the number that it printed.
const SEED: &str = "QIJU_TEST_SEED";
const ROUNDS: u32 = 25;

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

/// A save of several disk blocks that shows a mixture of two versions.
fn text(n: u64) -> String {
    let moves = vec![format!("\"m{n}\""); 2_000].join(", ");
    format!("format = 1\nn = {n}\nmoves = [{moves}]\nend = {n}\n")
}

/// The number of a save. It must be one that was written, to the last byte.
fn number(saved: &str) -> u64 {
    let table: toml::Table = toml::from_str(saved).unwrap();
    let n = u64::try_from(table["n"].as_integer().unwrap()).unwrap();
    assert!(saved == text(n), "save {n} is not what was written");
    n
}

/// Saves for ever. Even rounds wait for the disk after each save; odd ones only now and then, so
/// that the writer always has a newer text waiting.
fn child(dir: &Path) {
    let (store, _) = Store::open(Paths::at(dir.to_owned()));
    let start = store
        .load_save("a")
        .unwrap()
        .map_or(0, |saved| number(&saved));
    for n in start + 1.. {
        let ticket = store.save_game("a", text(n));
        if start.is_multiple_of(2) || n.is_multiple_of(7) {
            ticket.wait().unwrap();
            println!("kept {n}");
        }
    }
}

#[test]
fn a_kill_at_any_moment_loses_nothing_that_was_promised() {
    if let Some(dir) = std::env::var_os(CHILD_DIR) {
        return child(Path::new(&dir));
    }
    let seed = match std::env::var(SEED) {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => rand::random(),
    };
    println!("{SEED}={seed}");
    let mut random = Random(seed);
    let dir = tempfile::tempdir().unwrap();
    let mut last = 0;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["kill_tests::a_kill_at_any_moment", "--nocapture"])
            .env(CHILD_DIR, dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut kept = output
            .lines()
            .map_while(Result::ok)
            // The test harness may have begun the line.
            .filter_map(|line| {
                line.split_once("kept ")
                    .and_then(|(_, n)| n.parse::<u64>().ok())
            });
        let lines = random.below(6);
        for _ in 0..=lines {
            last = kept.next().expect("the child goes on until it is killed");
        }
        // Otherwise every kill would come just after a save.
        for _ in 0..random.below(2_000_000) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        // What it had promised before the kill, and we had not read yet.
        last = kept.last().unwrap_or(last);
        child.wait().unwrap();

        // The lock went with the process, and nothing is broken.
        let (store, notices) = Store::open(Paths::at(dir.path().to_owned()));
        assert_eq!(notices, Vec::<Notice>::new(), "round {round}");
        let found = number(&store.load_save("a").unwrap().unwrap());
        assert_eq!(store.take_notices(), [], "round {round}");
        assert!(
            found >= last,
            "round {round}: {found} is there, {last} was promised"
        );
        let litter = std::fs::read_dir(dir.path().join("saves")).unwrap().count();
        assert!(
            litter <= 2,
            "round {round}: only the save and its backup, not {litter} files"
        );
    }
    assert!(last >= u64::from(ROUNDS), "the child saved in every round");
}
