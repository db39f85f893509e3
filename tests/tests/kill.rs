//! A game survives the end of its process at any moment, and a second copy of the app.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use qiju::store::Language;
use qiju_tests::{BUILT_BY_PARENT, Driver, built};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

/// Names the data folder to the child. Its presence makes a process the child.
const CHILD_DIR: &str = "QIJU_TEST_KILL_CHILD";
/// Repeats a run: the number that it printed.
const SEED: &str = "QIJU_TEST_SEED";
const ROUNDS: u32 = 6;

fn start(data: &Path) -> Driver {
    let driver = Driver::start(data, &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver.settle();
    driver
}

/// A new game for two people at one device.
fn begin(driver: &Driver) {
    driver.click("New game: Go");
    driver.click("13×13");
    driver.seat_people();
    driver.click("Start");
    driver.settle();
}

/// Plays until it is killed. Each number that it prints is of moves that are on the disk.
fn child(data: &Path) {
    let driver = start(data);
    if driver.shows("Continue: Go") {
        driver.click("Continue: Go");
    } else {
        begin(&driver);
    }
    while driver.try_tap_free() {
        driver.settle();
        println!("kept {}", driver.moves());
    }
}

#[test]
fn a_game_survives_a_kill_after_any_move() {
    if let Some(data) = std::env::var_os(CHILD_DIR) {
        return child(Path::new(&data));
    }
    let seed: u64 = match std::env::var(SEED) {
        Ok(seed) => seed.parse().expect("a whole number"),
        Err(_) => rand::random(),
    };
    println!("{SEED}={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let data = tempfile::tempdir().expect("a temporary folder");
    built();
    let mut kept = 0;
    for round in 1..=ROUNDS {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args([
                "a_game_survives_a_kill_after_any_move",
                "--exact",
                "--nocapture",
            ])
            .env(CHILD_DIR, data.path())
            .env(BUILT_BY_PARENT, "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("a child");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut counts = output.lines().map_while(Result::ok).filter_map(|line| {
            // The test harness may have begun the line.
            line.split_once("kept ")
                .and_then(|(_, count)| count.parse::<usize>().ok())
        });
        let before = kept;
        for _ in 0..random.random_range(1..=6) {
            kept = counts.next().expect("the child plays until it is killed");
        }
        // Otherwise every kill would come just after a move.
        for _ in 0..random.random_range(0..3_000_000_u32) {
            std::hint::spin_loop();
        }
        child.kill().expect("a kill");
        // What it had promised before the kill, and was not read yet.
        kept = counts.last().unwrap_or(kept);
        child.wait().expect("its end");
        assert!(
            kept > before,
            "round {round}: the child went on from {before} moves, and said {kept}"
        );

        let driver = start(data.path());
        assert_eq!(driver.notices(), [""; 0], "round {round}");
        driver.click("Continue: Go");
        driver.settle();
        let found = driver.moves();
        assert!(
            found >= kept,
            "round {round}: {found} moves are there, {kept} were promised"
        );
        driver.tap_free();
        driver.settle();
        assert_eq!(driver.moves(), found + 1, "round {round}: it goes on");
        kept = found + 1;
    }
}

#[test]
fn a_second_copy_says_so_and_leaves_the_firsts_game_alone() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let file = data.path().join("saves/go.toml");
    let save =
        || std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let first = start(data.path());
    assert_eq!(first.notices(), [""; 0]);
    begin(&first);
    first.tap_free();
    first.settle();
    let before = save();

    let second = start(data.path());
    let notices = second.notices();
    let told =
        |line: &&String| line.contains("another copy of the app is using") && second.shows(line);
    assert_eq!(notices.iter().filter(told).count(), 1, "{notices:#?}");
    // It shows the first one's game, and plays; what it plays is its own affair.
    second.click("Continue: Go");
    second.settle();
    assert_eq!(second.moves(), 1);
    second.tap_free();
    second.settle();
    assert_eq!(second.moves(), 2, "{:#?}", second.labels());
    drop(second);
    assert_eq!(save(), before);

    first.tap_free();
    first.settle();
    assert_eq!(first.moves(), 2);
    assert_ne!(save(), before, "the first copy still saves");
}
