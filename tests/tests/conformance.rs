//! `qiju check`, the real program, on every game of this repository, and on files that are none.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use qiju_tests::{built, fixtures, library_name};

/// The same games in every run; `qiju check` prints it with every failure.
const SEED: &str = "20261201";

fn check(arguments: &[&str]) -> Output {
    let program = &built().program;
    let output = Command::new(program).arg("check").args(arguments).output();
    output.unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every group of checks, as the program itself names them, but the one that looks at the clock.
fn groups() -> Vec<String> {
    let output = check(&["any.so", "--group", "no-such-group"]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    let (_, list) = message
        .split_once("there are: ")
        .unwrap_or_else(|| panic!("{message}"));
    let names = list.lines().next().unwrap_or_default().split(", ");
    let groups: Vec<String> = names
        .filter(|name| *name != "clock")
        .map(str::to_owned)
        .collect();
    assert!(groups.len() > 8, "{message}");
    groups
}

/// Checks a good plugin: every check is passed or has a reason to be skipped.
fn passes(file: &Path, id: &str) {
    let groups = groups();
    let file = file.to_string_lossy();
    let mut arguments = vec![&*file, "--seed", SEED, "--games", "1"];
    for group in &groups {
        arguments.extend(["--group", group]);
    }
    let output = check(&arguments);
    let out = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{out}\n{}",
        text(&output.stderr)
    );
    assert!(!out.lines().any(|line| line.starts_with("FAIL")), "{out}");
    let passed = out
        .lines()
        .filter(|line| line.starts_with("ok ") && line.contains(id))
        .count();
    assert!(passed > 20, "only {passed} checks: {out}");
    let last = out.lines().last().unwrap_or_default();
    assert!(last.contains(" passed, 0 failed"), "{last}");
    for group in &groups {
        assert!(
            out.contains(&format!(" {group}/")),
            "no check of {group}: {out}"
        );
    }
}

#[test]
fn go_keeps_every_promise() {
    passes(&built().bundled.join(library_name("qiju_go")), "go");
}

#[test]
fn noughts_and_crosses_keeps_every_promise() {
    passes(
        &built().examples.join(library_name("qiju_noughts")),
        "noughts",
    );
}

#[test]
fn the_example_in_c_keeps_every_promise() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    passes(
        &fixtures::build_c(&[fixtures::c_example()], dir.path(), "hexapawn", &[]),
        "hexapawn",
    );
}

#[test]
fn a_file_that_is_no_plugin_fails_with_one_line() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, content: &[u8]| -> PathBuf {
        let path = dir.path().join(library_name(name));
        std::fs::write(&path, content).expect("a file");
        path
    };
    let whole = std::fs::read(built().bundled.join(library_name("qiju_go"))).expect("the library");
    let faulty = |fault: &str| {
        fixtures::build_c(
            &[fixtures::c_broken()],
            dir.path(),
            fault,
            &[("FAULT", fault)],
        )
    };
    for (path, wanted) in [
        (file("text", b"no library"), "is not a shared library"),
        (file("empty", b""), "the file is empty"),
        (
            file("cut", &whole[..whole.len() / 2]),
            "the file is not whole",
        ),
        (dir.path().join(library_name("missing")), "cannot be read"),
        (faulty("major"), "speaks version 7 of the plugin interface"),
        (faulty("panic"), "describe of game 0 panicked"),
        (faulty("segfault"), "SIGSEGV"),
    ] {
        let output = check(&[&path.to_string_lossy(), "--seed", SEED]);
        let out = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{}: {out}", path.display());
        let failures: Vec<&str> = out
            .lines()
            .filter(|line| line.starts_with("FAIL"))
            .collect();
        let [failure] = failures[..] else {
            panic!("{}: not one failure: {out}", path.display())
        };
        assert!(failure.contains(wanted), "{failure}");
        assert!(
            out.lines()
                .last()
                .is_some_and(|last| last.contains("0 passed, 1 failed")),
            "{out}"
        );
    }
}
