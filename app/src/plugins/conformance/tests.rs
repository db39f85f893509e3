//! The checks pass a good game, and each of them can fail: one C game, built
//! with one fault at a time.

use std::collections::HashSet;
use std::time::Duration;

use super::{Request, Runner, groups};
use crate::plugins::testing::{self, GAME};

/// Each fault of `faulty.c`, with the check that finds it.
const FAULTS: &[(&str, &str)] = &[
    ("zh-missing", "texts/describe"),
    ("zh-is-en", "texts/describe"),
    ("layout-differs", "texts/layout"),
    ("cell-unnamed", "texts/layout"),
    ("end-untold", "texts/status"),
    ("label-missing", "texts/moves"),
    ("tally-rows", "texts/tally"),
    ("tally-columns", "texts/tally"),
    ("lists-illegal", "play/legal"),
    ("duplicate-move", "play/unique"),
    ("unstable-order", "play/stable"),
    ("from-ignored", "play/from"),
    ("targets-unmarked", "play/targets"),
    ("lists-resign", "play/unlisted"),
    ("pass-untold", "play/unlisted"),
    ("stuck", "play/running"),
    ("moves-after-end", "play/over"),
    ("no-reason", "play/over"),
    ("resign-refused", "play/resign"),
    ("resigner-wins", "play/resign"),
    ("flag-of-nobody", "play/resign"),
    ("timeout-unlisted", "play/timeout"),
    ("no-redeal", "play/timeout"),
    ("count-stands", "play/count"),
    ("layout-changes", "play/layout"),
    ("accepts-any-arg", "refuse/illegal"),
    ("wrong-code", "refuse/illegal"),
    ("illegal-counts", "refuse/unchanged"),
    ("illegal-marks", "refuse/unchanged"),
    ("unexplained", "refuse/explained"),
    ("explains-legal", "refuse/legal-unexplained"),
    ("clone-forgets", "copies/equal"),
    ("key-of-address", "copies/equal"),
    ("clone-shares", "copies/independent"),
    ("clone-borrows", "copies/outlives"),
    ("reader-writes", "copies/threads"),
    ("global-state", "replay/equal"),
    ("text-ambiguous", "replay/parse"),
    ("resign-unwritten", "replay/unlisted"),
    ("setup-off-board", "setup/refused"),
    ("setup-unexplained", "setup/refused"),
    ("setup-uncounted", "setup/consistent"),
    ("setup-ignored", "setup/consistent"),
    ("setup-turn", "setup/consistent"),
    ("setup-not-after-end", "setup/consistent"),
    ("setup-text", "setup/replay"),
    ("setup-forgotten", "setup/replay"),
    ("face-shown", "hidden/face-down"),
    ("face-numbered", "hidden/face-down"),
    ("hidden-untold", "hidden/face-down"),
    ("public-sees-more", "hidden/public"),
    ("open-differs", "hidden/open"),
    ("status-leaks", "hidden/same-to-see"),
    ("overlay-leaks", "hidden/same-to-see"),
    ("tally-leaks", "hidden/same-to-see"),
    ("label-leaks", "hidden/same-to-see"),
    ("ai-peeks", "hidden/opponent"),
    ("ai-peeks-odds", "hidden/opponent"),
    ("max-refused", "options/accepted"),
    ("key-unnamed", "options/refused"),
    ("wrong-type-taken", "options/refused"),
    ("unknown-refused", "options/unknown"),
    ("preset-refused", "options/presets"),
    ("any-toml", "options/not-toml"),
    ("opponent-unknown", "ladder/levels"),
    ("level-option", "ladder/levels"),
    ("ladder-endless", "ladder/beyond"),
    ("result-early", "ladder/result"),
    ("too-many-stars", "ladder/result"),
    ("overlay-short", "overlays/values"),
    ("overlay-range", "overlays/values"),
    ("overlay-beyond", "overlays/beyond"),
    ("ai-illegal", "ai/legal"),
    ("ai-no-move", "ai/legal"),
    ("ai-line", "ai/report"),
    ("ai-candidates", "ai/report"),
    ("ai-forgets-seed", "ai/repeats"),
    ("ai-over-nodes", "ai/node-limit"),
    ("ai-resigns-hint", "ai/hint"),
    ("ai-bad-threads", "ai/threads"),
    ("ai-borrows", "ai/own-copy"),
    ("ai-cancel-crashes", "ai/cancel"),
    ("ai-unused-crashes", "ai/unused"),
    ("ai-any-level", "ai/beyond"),
    ("ai-process", "ai/fresh-process"),
    ("describe-slow", "clock/describe"),
    ("ai-late", "clock/ai-time"),
    ("ai-ignores-cancel", "clock/ai-cancel"),
    ("need-lies", "buffers/texts"),
    ("buffer-ignored", "buffers/texts"),
    ("text-overrun", "buffers/texts"),
    ("array-overrun", "buffers/arrays"),
    ("error-cut", "buffers/errors"),
    ("struct-overrun", "buffers/structs"),
    ("report-overrun", "buffers/report"),
    ("null-crashes", "hostile/null"),
    ("ai-null-crashes", "hostile/null-ai"),
    ("utf8-unchecked", "hostile/not-utf8"),
    ("viewer-crashes", "hostile/numbers"),
    ("long-text-crashes", "hostile/move-texts"),
    ("parses-off-board", "hostile/move-texts"),
    ("long-options-crash", "hostile/options"),
    ("record-panics", "hostile/records"),
];

/// Groups that a test may ask to pass: all that do not look at the clock.
fn groups_without_clock() -> Vec<String> {
    groups::names()
        .filter(|name| *name != "clock")
        .map(str::to_owned)
        .collect()
}

/// Builds the game with a fault and checks it; the lines.
fn check(fault: &str, groups: Vec<String>, seed: u64, silence: Option<Duration>) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let request = Request {
        file: testing::build(GAME, dir.path(), "faulty", fault),
        seed,
        games: 10,
        groups,
        game: None,
        after: None,
    };
    let mut out = Vec::new();
    let mut runner = Runner::new(testing::program(), &request, &mut out);
    if let Some(silence) = silence {
        runner.silence = silence;
    }
    let tally = runner.run().unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count() as u32;
    assert_eq!(
        (count("ok   "), count("FAIL "), count("skip ")),
        (tally.passed, tally.failed, tally.skipped),
        "{text}"
    );
    assert_eq!(
        lines.last().map(String::as_str),
        Some(format!("{} passed, {} failed", tally.passed, tally.failed).as_str())
    );
    lines
}

fn failures(lines: &[String]) -> Vec<&str> {
    lines
        .iter()
        .filter_map(|line| line.strip_prefix("FAIL "))
        .collect()
}

#[test]
fn a_good_game_passes_everything() {
    for seed in 1..=3 {
        let lines = check("", groups_without_clock(), seed, None);
        assert_eq!(failures(&lines), Vec::<&str>::new(), "seed {seed}");
        for name in groups::check_names().filter(|name| !name.starts_with("clock/")) {
            assert!(
                lines
                    .iter()
                    .any(|line| line.split_whitespace().nth(1) == Some(name)),
                "{name} was not run"
            );
        }
    }
}

#[test]
fn every_fault_is_found_by_its_check() {
    let missed: Vec<String> = FAULTS
        .iter()
        .filter_map(|(fault, name)| {
            let group = name.split('/').next().unwrap_or_default().to_owned();
            let lines = check(fault, vec![group], 1, None);
            let failures = failures(&lines);
            println!("{fault}: {failures:?}");
            let found = failures
                .iter()
                .any(|line| line.split_whitespace().next() == Some(name));
            (!found).then(|| format!("{fault} is not found by {name}: {failures:?}"))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_check_has_a_fault_that_it_finds() {
    let found: HashSet<&str> = FAULTS.iter().map(|(_, name)| *name).collect();
    let names = groups::check_names().chain(["ai/fresh-process"]);
    let without: Vec<&str> = names.filter(|name| !found.contains(name)).collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn a_failure_tells_how_to_see_it_again() {
    let lines = check("duplicate-move", vec!["play".to_owned()], 77, None);
    let failures = failures(&lines);
    assert!(
        failures
            .iter()
            .any(|line| line.ends_with("(again: --seed 77 --games 10 --group play)")),
        "{failures:?}"
    );
    let again = check("duplicate-move", vec!["play".to_owned()], 77, None);
    // The first line names the file, which is another.
    assert_eq!(
        again[1..],
        lines[1..],
        "the same seed must show the same failures"
    );
}

#[test]
fn a_crash_fails_its_check_and_the_others_go_on() {
    let groups = vec!["hostile".to_owned()];
    let lines = check("null-crashes", groups, 1, None);
    let failures = failures(&lines);
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0].starts_with("hostile/null "), "{failures:?}");
    assert!(failures[0].contains("SIGSEGV"), "{failures:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("ok   hostile/options"))
    );
}

#[test]
fn a_hang_fails_its_check() {
    let silence = Some(Duration::from_secs(5));
    let lines = check("overlay-hangs", vec!["overlays".to_owned()], 1, silence);
    let failures = failures(&lines);
    assert!(!failures.is_empty());
    for failure in &failures {
        assert!(
            failure.starts_with("overlays/") && failure.contains("hangs"),
            "{failures:?}"
        );
    }
}

#[test]
fn a_file_that_is_no_plugin_is_one_failure() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("libtext.so");
    std::fs::write(&file, "a text").unwrap();
    let request = Request {
        file,
        seed: 1,
        games: 1,
        groups: Vec::new(),
        game: None,
        after: None,
    };
    let mut out = Vec::new();
    let tally = Runner::new(testing::program(), &request, &mut out)
        .run()
        .unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!((tally.passed, tally.failed), (0, 1), "{text}");
    assert!(
        text.contains("libtext.so: is not a shared library"),
        "{text}"
    );
}

fn args(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn arguments_are_read() {
    let request = Request::parse(&args("x.so --seed 5 --games 3 --group ai --group play")).unwrap();
    assert_eq!((request.seed, request.games), (5, 3));
    assert_eq!(request.groups, ["ai", "play"]);
    for (bad, why) in [
        ("", "no file"),
        ("a b", "more than one file"),
        ("a --seed", "needs a value"),
        ("a --seed x", "whole number"),
        ("a --games 99999999999", "too large"),
        ("a --group nothing", "no group nothing"),
        ("a --what 3", "unknown option"),
    ] {
        let error = Request::parse(&args(bad)).unwrap_err();
        assert!(error.contains(why), "{bad}: {error}");
    }
}
