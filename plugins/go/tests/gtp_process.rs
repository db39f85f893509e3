//! The program `qiju-go` as other programs meet it: over pipes, with flags.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiju-go"));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[test]
fn it_plays_over_pipes_and_ends_with_its_input() {
    let mut child = program()
        .args([
            "--level",
            "1",
            "--threads",
            "1",
            "--seed",
            "3",
            "--no-resign",
        ])
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |line: &str| {
        writeln!(stdin, "{line}").expect("it listens");
        let answer = lines.next().expect("an answer").expect("a line");
        let _ = lines.next();
        answer
    };
    assert_eq!(ask("boardsize 9"), "=");
    assert_eq!(ask("1 nonsense"), "?1 unknown command");
    let answer = ask("genmove b");
    assert!(answer.starts_with("= ") && answer.len() > 3, "{answer}");
    assert_eq!(ask("undo"), "=");
    drop(stdin);
    let status = child.wait().expect("it ends");
    assert!(status.success(), "the end of the input is no error");
}

#[test]
fn wrong_flags_are_named() {
    for (flags, named) in [
        (&["--level", "11"][..], "--level 11"),
        (&["--level", "x"], "x"),
        (&["--time", "-1"], "--time"),
        (&["--rules", "house"], "--rules house"),
        (&["--colour"], "--colour"),
        (&["stray"], "stray"),
    ] {
        let output = program().args(flags).output().expect("the program");
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(named), "{flags:?}: {text}");
        assert!(output.stdout.is_empty());
    }
    let help = program().arg("--help").output().expect("the program");
    assert!(help.status.success());
    assert!(String::from_utf8_lossy(&help.stdout).contains("--playouts"));
}

#[test]
fn it_survives_a_reader_that_goes_away() {
    let mut child = program()
        .args(["--playouts", "10"])
        .spawn()
        .expect("the program");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    for _ in 0..100 {
        // Once it has noticed, it is gone, and the pipe is closed on this side too.
        if writeln!(stdin, "name").is_err() {
            break;
        }
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}
