//! Lines and answers.

use std::io::Cursor;

use super::*;
use crate::ai::player::Strength;
use crate::rng::Rng;
use crate::rules::RuleSet;

fn settings() -> Settings {
    let playouts = 60;
    Settings {
        strength: Strength {
            playouts,
            ..Strength::UNLIMITED
        },
        playouts_without_clock: playouts,
        threads: 1,
        time: None,
        seed: 1,
        rules: RuleSet::Chinese,
    }
}

/// The answers to lines, each without the empty line behind it.
fn session(lines: &str) -> Vec<String> {
    let mut out = Vec::new();
    serve(
        settings(),
        Cursor::new(lines.to_owned().into_bytes()),
        &mut out,
    )
    .expect("written");
    let out = String::from_utf8(out).expect("UTF-8");
    let answers = out.split("\n\n").map(|answer| answer.trim_end().to_owned());
    answers.filter(|answer| !answer.is_empty()).collect()
}

/// The last answer to lines.
fn last(lines: &str) -> String {
    session(lines).pop().expect("an answer")
}

#[test]
fn every_line_is_answered_as_the_protocol_says() {
    for (lines, expected) in [
        ("protocol_version", "= 2"),
        ("7 name", "=7 Qiju Go"),
        ("# only this\n\n  \nname", "= Qiju Go"),
        ("known_command play", "= true"),
        ("known_command fly", "= false"),
        ("3 fly", "?3 unknown command"),
        ("boardsize 9", "="),
        ("boardsize 99", "? unacceptable size"),
        (
            "boardsize nine",
            "? syntax error: \"nine\" is not a board size",
        ),
        ("boardsize", "? syntax error: boardsize needs a board size"),
        ("boardsize 9\nplay b D4\nclear_board\nplay w D4", "="),
        ("komi 6.5", "="),
        (
            "komi much",
            "? syntax error: \"much\" is not a number of points",
        ),
        (
            "komi 1e99",
            "? unacceptable komi: whole and half points between -500 and 500",
        ),
        (
            "komi nan",
            "? unacceptable komi: whole and half points between -500 and 500",
        ),
        (
            "play b D4\nplay b D4",
            "? illegal move: the point is occupied",
        ),
        ("boardsize 9\nplay b Z9", "? invalid vertex \"Z9\""),
        ("boardsize 9\nplay green D4", "? invalid color \"green\""),
        ("play BLACK d4\nplay White PASS\nplay b q16", "="),
        (
            "play b D4\nplay b C3\nplay b E3\nplay w pass\nplay w pass\nplay w D3",
            "=",
        ),
        ("play b resign\nplay w D4", "="),
        ("undo", "? cannot undo"),
        ("play b D4\nundo\nplay w D4", "="),
        ("boardsize 9\nfixed_handicap 3", "= C3 G7 C7"),
        (
            "boardsize 9\nfixed_handicap 1",
            "? invalid handicap: 2 to 9 stones",
        ),
        (
            "boardsize 8\nfixed_handicap 5",
            "? invalid handicap: 2 to 4 stones",
        ),
        (
            "boardsize 9\nplay b D4\nfixed_handicap 2",
            "? board not empty",
        ),
        ("boardsize 9\nplace_free_handicap 4", "= C3 G7 C7 G3"),
        ("boardsize 9\nset_free_handicap A1 B2 C3", "="),
        (
            "boardsize 9\nset_free_handicap A1 A1",
            "? bad vertex list: \"A1\" is repeated",
        ),
        (
            "boardsize 9\nset_free_handicap A1",
            "? bad vertex list: 2 to 9 stones",
        ),
        (
            "boardsize 9\nset_free_handicap A1 pass",
            "? bad vertex list: a handicap stone cannot be a pass",
        ),
        (
            "boardsize 9\nset_free_handicap A1 B2\nplay b A1",
            "? illegal move: the point is occupied",
        ),
        ("time_settings 300 30 5", "="),
        (
            "time_settings 300",
            "? syntax error: time_settings needs a byo-yomi time in seconds",
        ),
        (
            "time_settings -1 0 0",
            "? syntax error: \"-1\" is not a main time in seconds",
        ),
        ("time_left b 20 0", "="),
        ("kgs-time_settings byoyomi 60 10 5", "="),
        (
            "kgs-time_settings hourglass 60",
            "? unknown time system \"hourglass\"",
        ),
        (
            "kgs-rules japanese\nkata-get-rules",
            "= {\"friendlyPassOk\":true,\"hasButton\":false,\"ko\":\"SIMPLE\",\"scoring\":\"TERRITORY\",\
             \"suicide\":false,\"tax\":\"SEKI\",\"whiteHandicapBonus\":\"0\"}",
        ),
        (
            "kata-set-rules house",
            "? unknown rules \"house\": chinese, japanese, aga, new-zealand, tromp-taylor",
        ),
        ("boardsize 5\nkomi 0.5\nplay b C3\nfinal_score", "= B+24.5"),
        ("boardsize 5\nkomi 25\nplay b C3\nfinal_score", "= 0"),
        ("play b resign\nfinal_score", "= W+R"),
        (
            "boardsize 5\nfinal_status_list blue",
            "? invalid status \"blue\"",
        ),
        ("boardsize 5\nplay b C3\nfinal_status_list alive", "= C3"),
        ("boardsize 5\nplay b C3\nfinal_status_list dead", "="),
        ("loadsgf", "? syntax error: loadsgf needs a file"),
        ("lz-analyze interval", "? interval needs a value"),
        ("genmove", "? syntax error: genmove needs a colour"),
        ("genmove purple", "? invalid color \"purple\""),
        ("quit\nname", "="),
    ] {
        assert_eq!(last(lines), expected, "{lines:?}");
    }
    // What follows the file is a move number only if it is one: names may have spaces.
    for name in ["/no/such/file.sgf", "/no/such/file.sgf x"] {
        let answer = last(&format!("loadsgf {name}"));
        assert!(
            answer.starts_with(&format!("? cannot load file: {name}: ")),
            "{answer}"
        );
    }
}

#[test]
fn every_listed_command_is_known_and_all_of_the_protocol_are_there() {
    let list = last("list_commands");
    for name in list.trim_start_matches("= ").lines() {
        assert_eq!(last(&format!("known_command {name}")), "= true", "{name}");
        // Without arguments: an answer, whatever it is, and not that the command is unknown.
        if name != "quit" && !name.contains("genmove") {
            assert_ne!(last(&format!("boardsize 5\n{name}")), "? unknown command");
        }
    }
    for name in [
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "reg_genmove",
        "undo",
        "final_score",
        "final_status_list",
        "showboard",
        "time_settings",
        "time_left",
        "kgs-time_settings",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "loadsgf",
        "known_command",
        "list_commands",
        "protocol_version",
        "name",
        "version",
        "quit",
        "lz-analyze",
        "kata-analyze",
    ] {
        assert!(
            list.lines()
                .any(|line| line.trim_start_matches("= ") == name),
            "{name}"
        );
    }
}

#[test]
fn moves_are_found_played_and_repeated_by_seed() {
    let lines = "boardsize 7\ngenmove b\ngenmove w\ngenmove w\nreg_genmove b\nshowboard";
    let answers = session(lines);
    assert_eq!(
        answers,
        session(lines),
        "with one thread and a seed all is the same again"
    );
    let board = answers.last().expect("a board");
    assert_eq!(
        board.matches('X').count(),
        2,
        "one stone, and the legend: {board}"
    );
    assert_eq!(
        board.matches('O').count(),
        3,
        "two stones, and the legend: {board}"
    );
    // A won game without anything left to gain is passed.
    let wall: String = (1..=5)
        .map(|row| format!("play b C{row}\nplay w D{row}\n"))
        .collect();
    let done = format!(
        "boardsize 5\nkomi 0.5\n{wall}play b B2\nplay b B4\nplay w E2\nplay w E4\nplay w pass\ngenmove b"
    );
    assert_eq!(last(&done), "= pass");
}

#[test]
fn rules_and_komi_change_in_the_middle_or_not_at_all() {
    // A suicide of two stones is a move under New Zealand's rules alone.
    let corner =
        "boardsize 5\nkata-set-rules new-zealand\nplay w B1\nplay w B2\nplay w A3\nplay b A1\n";
    assert_eq!(last(&format!("{corner}play b A2")), "=");
    assert!(
        last(&format!("{corner}play b A2\nkata-set-rules chinese"))
            .starts_with("? move 5: illegal move: suicide")
    );
    assert_eq!(
        last(&format!(
            "{corner}play b A2\nkata-set-rules chinese\nkata-get-rules"
        )),
        last(&format!("{corner}kata-get-rules"))
    );
    assert_eq!(
        last("boardsize 5\nplay b C3\nkomi 0.5\nundo\nplay b C3\nfinal_score"),
        "= B+24.5"
    );
}

#[test]
fn an_analysis_reports_until_the_next_line() {
    for (command, sign) in [
        ("lz-analyze 1", "info move "),
        ("kata-analyze b interval 1 ownership true", " ownership "),
    ] {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        let (report, mut sink) = std::io::pipe().expect("a pipe");
        let engine = std::thread::spawn(move || {
            serve(settings(), std::io::BufReader::new(reader), &mut sink).expect("written");
        });
        writeln!(writer, "boardsize 5\n{command}").expect("a line");
        let mut lines = std::io::BufReader::new(report).lines();
        let line = lines
            .by_ref()
            .map_while(Result::ok)
            .find(|line| line.contains(sign));
        assert!(line.is_some(), "{command}");
        writeln!(writer, "name\nquit").expect("a line");
        let rest: Vec<String> = lines.map_while(Result::ok).collect();
        assert!(rest.iter().any(|line| line == "= Qiju Go"), "{rest:?}");
        engine.join().expect("no panic");
    }
    let answer = session("boardsize 5\nkata-genmove_analyze b 1");
    let played = answer
        .iter()
        .flat_map(|a| a.lines())
        .find(|line| line.starts_with("play "));
    assert!(played.is_some(), "{answer:?}");
}

#[test]
fn random_lines_are_each_answered_once() {
    let seed = 20_261_201;
    println!("seed {seed}");
    let mut rng = Rng::new(seed);
    let commands = last("list_commands");
    let commands: Vec<&str> = commands.trim_start_matches("= ").lines().collect();
    let words = [
        "b",
        "w",
        "black",
        "D4",
        "pass",
        "A1",
        "Z99",
        "5",
        "-1",
        "0",
        "99999999999999999999",
        "1e400",
        "nan",
        "dead",
        "interval",
        "#",
        "棋",
        "\u{7}",
        "resign",
        "canadian",
        "japanese",
    ];
    let mut lines = String::new();
    let mut expected = 0;
    for _ in 0..600 {
        let command = commands[rng.below(commands.len() as u32) as usize];
        // Searches take time, files are somebody else's, and quitting ends the test.
        if command.contains("gen")
            || command.contains("analyze")
            || command == "quit"
            || command == "loadsgf"
        {
            continue;
        }
        let arguments: Vec<&str> = (0..rng.below(4))
            .map(|_| words[rng.below(words.len() as u32) as usize])
            .collect();
        lines.push_str(&format!("{command} {}\n", arguments.join(" ")));
        expected += 1;
    }
    let answers = session(&lines);
    assert_eq!(answers.len(), expected);
    for answer in answers {
        assert!(answer.starts_with(['=', '?']), "{answer}");
    }
}

#[test]
fn a_closed_pipe_ends_the_session_quietly() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let result = serve(settings(), Cursor::new(b"name\n".to_vec()), &mut Closed);
    assert_eq!(result.map_err(|e| e.kind()), Err(io::ErrorKind::BrokenPipe));
}
