//! Files to trees and records, and back.

use super::record::{self, Failure};
use super::*;
use crate::notation;
use crate::rules::{Action, Color, Game, Phase};

/// The neutral record of a file; with its problems if it has any.
fn read(text: &str) -> (toml::Table, Option<String>) {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> (toml::Table, Option<String>) {
    let (text, problem) = match record::read(bytes) {
        Ok(text) => (text, None),
        Err(Failure {
            message,
            partial: Some(text),
        }) => (text, Some(message)),
        Err(failure) => panic!("{failure}"),
    };
    (text.parse().expect("TOML"), problem)
}

/// The record of a file that has no problem.
fn good(text: &str) -> toml::Table {
    let (record, problem) = read(text);
    assert_eq!(problem, None, "{text}");
    record
}

fn moves(record: &toml::Table) -> Vec<String> {
    let nodes = record.get("nodes").and_then(toml::Value::as_array);
    let nodes = nodes.map_or(&[][..], Vec::as_slice);
    let text = |node: &toml::Value| node["move"].as_str().expect("a move").to_owned();
    nodes.iter().map(text).collect()
}

/// Reads, writes, and reads again; the second record is like the first.
fn again(text: &str) -> String {
    let (first, _) = read(text);
    let bytes = record::write(&first.to_string()).unwrap_or_else(|f| panic!("{text}: {f}"));
    let written = charset::decode(&bytes).text;
    let (second, _) = read(&written);
    assert_eq!(first["nodes"], second["nodes"], "{text}\n{written}");
    assert_eq!(
        record::write(&second.to_string()).map_err(|f| f.message),
        Ok(bytes),
        "{text}"
    );
    written
}

#[test]
fn a_game_with_everything_that_is_common() {
    let text = "(;FF[4]GM[1]SZ[9]KM[6.5]RU[Japanese]PB[Ai]PW[Bo\\]b]EV[Cup]RE[W+R]GN[One]C[start]
;B[ee]C[first: centre];W[gc]TR[ee][gc](;B[cc]BL[31.5];W[])(;B[tt]N[pass];W[aa]))";
    let record = good(text);
    assert_eq!(moves(&record), ["E5", "G7", "C7", "pass", "pass", "A9"]);
    assert_eq!(record["options"].get("size"), None, "9 is the default");
    assert_eq!(record["options"]["komi"].as_integer(), Some(13));
    assert_eq!(record["options"]["scoring"].as_str(), Some("territory"));
    let meta = &record["meta"];
    assert_eq!(meta["players"][1].as_str(), Some("Bo]b"));
    assert_eq!(meta["title"].as_str(), Some("One"));
    assert_eq!(meta["comment"].as_str(), Some("start"));
    assert_eq!(
        record["nodes"][0]["comment"].as_str(),
        Some("first: centre")
    );
    assert_eq!(record["nodes"][4]["parent"].as_integer(), Some(1));
    assert_eq!(
        record["at"].as_integer(),
        Some(0),
        "the file opens at its start"
    );
    let written = again(text);
    for part in [
        "TR[ee][gc]",
        "BL[31.5]",
        "N[pass]",
        "PW[Bo\\]b]",
        "RE[W+R]",
        "KM[6.5]",
        "RU[Japanese]",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn what_old_and_careless_programs_write() {
    for (text, expected) in [
        // Mail headers before the game, names in full, several values, white space anywhere.
        (
            "From: me\n(not a game)\n( ;\nGaMe[1]SiZe[9] AddBlack[aa] [bb]\n;White[cc])",
            &["set B A9", "set B B8", "turn W", "C7"][..],
        ),
        (
            "(;SZ[9:9]AB[aa:ba];W[cc])",
            &["set B A9", "set B B9", "turn W", "C7"],
        ),
        ("(;SZ[9]\r\n;B[aa]\r\n;W[\r\n])", &["A9", "pass"]),
        ("(;SZ[21];B[tt];W[])", &["U2", "pass"]),
        // Both moves in one node, a node without anything, colours out of turn.
        (
            "(;SZ[9];B[aa]W[bb];;W[cc];W[dd])",
            &["A9", "B8", "turn B", "turn W", "C7", "turn W", "D6"],
        ),
        ("(;SZ[9];b[aa];w[bb])", &["A9", "B8"]),
        ("(;SZ[9]PL[W];W[aa])", &["turn W", "A9"]),
        ("(;SZ[9]B[aa];W[bb])", &["A9", "B8"]),
        (
            "(;SZ[9];AE[aa]AW[bb]PL[B])",
            &["set W B8", "set - A9", "turn B"],
        ),
    ] {
        assert_eq!(moves(&good(text)), expected, "{text}");
        again(text);
    }
}

#[test]
fn handicap_becomes_an_option_where_it_is_one() {
    let fixed = good("(;SZ[9]HA[2]AB[cg][gc]KM[0.5];W[ee])");
    assert_eq!(fixed["options"]["handicap"].as_integer(), Some(2));
    assert_eq!(moves(&fixed), ["E5"]);
    let written = again("(;SZ[9]HA[2]AB[cg][gc]KM[0.5];W[ee])");
    assert!(
        written.contains("HA[2]") && written.contains("AB[cg][gc]"),
        "{written}"
    );
    let free = "(;SZ[9]HA[2]AB[aa][bb];W[ee])";
    assert_eq!(moves(&good(free)), ["A9", "B8", "E5"]);
    assert_eq!(good(free)["options"]["free_handicap"].as_bool(), Some(true));
    assert_eq!(
        good(free)["at"].as_integer(),
        Some(2),
        "it opens with the stones"
    );
    assert!(again(free).contains("AB[aa][bb]"));
    let by_moves = "(;SZ[9]HA[3];B[aa];B[bb];B[cc];W[ee])";
    assert_eq!(moves(&good(by_moves)), ["A9", "B8", "C7", "E5"]);
    again(by_moves);
    let just_said = "(;SZ[9]HA[3];B[aa];W[bb])";
    assert_eq!(good(just_said)["options"].get("handicap"), None);
    assert!(again(just_said).contains("HA[3]"));
    again("(;SZ[9]HA[2]AB[aa][bb]AW[cc];W[ee])");
    again("(;SZ[5]HA[2]AB[aa][bb];W[cc])");
}

#[test]
fn komi_in_every_guise() {
    for (raw, rules, half) in [
        ("7.5", "Chinese", 15),
        ("6,5", "Japanese", 13),
        ("3.75", "Chinese", 15),
        ("375", "", 15),
        ("650", "", 13),
        ("0", "", 0),
        ("-5.5", "", -11),
        ("2.75", "Chinese", 11),
    ] {
        let text = format!("(;SZ[9]KM[{raw}]RU[{rules}])");
        let record = good(&text);
        let komi = record["options"]
            .get("komi")
            .and_then(toml::Value::as_integer);
        assert_eq!(komi.unwrap_or(15), half, "{raw}");
        assert!(again(&text).contains(&format!("KM[{raw}]")), "{raw}");
    }
    assert_eq!(good("(;SZ[9])")["options"]["komi"].as_integer(), Some(0));
}

#[test]
fn options_that_no_rule_set_has_survive() {
    for options in [
        "size = 9\nko = \"simple\"\nsuicide = true\nscoring = \"territory\"",
        "agreement = false\npass_stones = true\nhandicap_bonus = \"none\"",
        "handicap = 3\nkomi = 1\nhandicap_bonus = \"all-but-one\"",
        "handicap = 4\nfree_handicap = true",
    ] {
        let record = format!("format = 1\ngame = \"go\"\n[options]\n{options}\n");
        let bytes = record::write(&record).expect("a file");
        let back: toml::Table = record::read(&bytes)
            .expect("a record")
            .parse()
            .expect("TOML");
        let options: toml::Table = options.parse().expect("TOML");
        let mut expected = options.clone();
        expected.remove("size");
        if options.contains_key("free_handicap") {
            // No stone has been placed: the file cannot tell that they were to be placed freely.
            continue;
        }
        assert_eq!(back["options"].as_table(), Some(&expected));
    }
}

#[test]
fn moves_that_the_rules_refuse_are_shown_all_the_same() {
    // White plays on black's stone, and takes it back; then a suicide; then a ko at once.
    for text in [
        "(;SZ[9];B[aa];W[aa];B[bb])",
        "(;SZ[9]AB[ba][ab];W[aa];B[ee])",
        "(;SZ[9]AB[bc][cb][dc]AW[bd][ce][dd][cc]PL[B];B[cd];W[cc];B[ee])",
    ] {
        let (record, problem) = read(text);
        let problem = problem.expect(text);
        assert!(problem.contains("the rules refuse"), "{problem}");
        assert!(problem.starts_with("line 1, column "), "{problem}");
        assert!(!moves(&record).is_empty());
        again(text);
    }
    let line = record::load(b"(;SZ[9];B[aa];W[aa])", None).expect("a game");
    assert_eq!(line.game.position().stone(0), Some(Color::White));
}

#[test]
fn moves_that_sgf_does_not_have_survive() {
    let text = "(;SZ[5]KM[0.5];B[cc];W[];B[];QIJU[dead C3];QIJU[propose];QIJU[agree];QIJU[agree])";
    let record = good(text);
    assert_eq!(
        moves(&record),
        ["C3", "pass", "pass", "dead C3", "propose", "agree", "agree"]
    );
    let written = again(text);
    assert!(written.contains("RE[B+24.5]"), "{written}");
    assert!(written.contains("TB["), "{written}");
    let resigned = again("(;SZ[5];B[cc];QIJU[resign])");
    assert!(resigned.contains("RE[B+R]"), "{resigned}");
    // After two passes a file may simply go on.
    let on = good("(;SZ[5];B[];W[];B[cc])");
    assert_eq!(moves(&on), ["pass", "pass", "resume", "C3"]);
    again("(;SZ[5];B[];W[];B[cc])");
    again("(;SZ[5];B[];W[];C[well played];W[cc])");
    let (_, problem) = read("(;SZ[5];QIJU[fly to the moon])");
    assert!(problem.is_some_and(|p| p.contains("fly to the moon")));
}

#[test]
fn broken_files_say_where_and_open_as_far_as_they_can() {
    for (text, place, moves_read) in [
        ("(;SZ[9];B[aa];W[bb", "line 1, column 16", 2),
        ("(;SZ[9]\n;B[aa]\n;W[bb]", "line 3, column 7", 2),
        ("(;SZ[9];B[aa]x;W[bb])", "line 1, column 14", 2),
        ("(;SZ[9];B[aa]]];W[bb])", "line 1, column 14", 2),
        ("(;SZ[9];B[a];W[bb])", "line 1, column 8", 3),
        ("(;SZ[9];B[zz];W[bb])", "line 1, column 8", 3),
        ("(;SZ[9]KM[much];B[aa])", "line 1, column 2", 1),
        ("(;SZ[9];B[aa](W[bb];B[cc]))", "line 1, column 15", 3),
        ("(;SZ[9];B[aa][", "line 1, column 14", 3),
        ("(;SZ[9]CA[klingon];B[aa])", "line 1, column 1", 1),
    ] {
        let (record, problem) = read(text);
        let problem = problem.expect(text);
        assert!(problem.contains(place), "{text}: {problem}");
        assert_eq!(
            moves(&record).len(),
            moves_read,
            "{text}: {:?}",
            moves(&record)
        );
    }
    for (text, cause) in [
        ("", "no game"),
        ("hello", "no game"),
        ("(;GM[2]SZ[8])", "another game"),
        ("(;SZ[1])", "2 to 25"),
        ("(;SZ[52])", "2 to 25"),
        ("(;SZ[9:13])", "square"),
        ("(;SZ[big])", "big"),
    ] {
        let failure = record::read(text.as_bytes()).expect_err(text);
        assert!(failure.message.contains(cause), "{text}: {failure}");
        assert!(failure.message.starts_with("line 1"), "{failure}");
        assert_eq!(failure.partial, None, "{text}");
    }
}

#[test]
fn several_games_in_one_file() {
    let text = "(;SZ[9]PB[One];B[aa])\njunk\n(;SZ[9]PB[Two];B[bb])(;SZ[9]GN[Three];B[cc])";
    let games = record::games(text.as_bytes());
    assert_eq!(games.len(), 3);
    assert_eq!(games[1].players[0], "Two");
    assert_eq!(games[2].title, "Three");
    let second = record::read_nth(text.as_bytes(), 1).expect("the second");
    let bytes = record::write(&second).expect("a file");
    let names: Vec<String> = record::games(&bytes)
        .into_iter()
        .map(|game| game.players[0].clone())
        .collect();
    assert_eq!(names, ["One", "Two", ""], "all of them are written back");
    let failure = record::read_nth(text.as_bytes(), 3).expect_err("the fourth");
    assert!(failure.message.contains("has 3"), "{failure}");
}

#[test]
fn a_file_keeps_its_charset() {
    for (label, text) in [
        (
            "GB18030",
            "(;CA[gb18030]SZ[9]PB[古力]PW[李世石]C[好局];B[aa]C[妙手])",
        ),
        ("Big5", "(;CA[Big5]SZ[9]PB[許功蓋]C[好局];B[aa]C[妙手])"),
        (
            "Shift_JIS",
            "(;CA[Shift_JIS]SZ[9]PB[表示ソ];B[aa]C[ソ\\]能])",
        ),
        (
            "windows-1252",
            "(;CA[ISO-8859-1]SZ[9]PB[Jörg];B[aa]C[Köln])",
        ),
    ] {
        let encoding = charset::by_name(label).expect("a charset");
        let (bytes, _, bad) = encoding.encode(text);
        assert!(!bad, "{label}");
        let record = record::read(&bytes).unwrap_or_else(|f| panic!("{label}: {f}"));
        let table: toml::Table = record.parse().expect("TOML");
        let written = record::write(&record).expect("a file");
        let decoded = charset::decode(&written);
        assert_eq!(decoded.encoding, encoding, "{label}");
        let (back, _) = read_bytes(&written);
        assert_eq!(back["nodes"], table["nodes"]);
        assert_eq!(back["meta"]["players"], table["meta"]["players"]);
        // A character that the set lacks makes the file UTF-8. GB18030 lacks none.
        if label == "GB18030" {
            continue;
        }
        let more = record.replacen("comment = \"", "comment = \"\u{1F600}", 1);
        let written = record::write(&more).expect("a file");
        assert!(String::from_utf8(written).is_ok_and(|text| text.contains("CA[UTF-8]")));
    }
}

#[test]
fn a_position_is_loaded_before_a_move() {
    let text = b"(;SZ[9]AB[aa];W[bb];B[cc](;W[dd])(;W[ee]))";
    let stones = |before| {
        let line = record::load(text, before).expect("a game");
        // The actions are those that lead there.
        let mut again = Game::new(*line.game.options()).expect("the options of a game");
        for &action in &line.actions {
            again.apply(action).expect("an action of the game");
        }
        assert_eq!(again.key(), line.game.key());
        let board = line.game.position().board();
        board.stones(Color::Black) + board.stones(Color::White)
    };
    assert_eq!(
        [stones(Some(1)), stones(Some(2)), stones(Some(3))],
        [1, 2, 3]
    );
    assert_eq!([stones(None), stones(Some(99))], [4, 4]);
    assert!(record::load(b"no game", None).is_err());
}

#[test]
fn a_node_into_which_somebody_played_is_split() {
    // The shell may go back into the middle of what was one node of the file, and play there.
    let (record, _) = read("(;SZ[9];AB[aa][bb]AW[cc];W[dd])");
    let mut text = record.to_string();
    text.push_str("\n[[nodes]]\nparent = 1\nmove = \"E5\"\n");
    let bytes = record::write(&text).expect("a file");
    let (back, _) = read_bytes(&bytes);
    assert_eq!(
        moves(&back),
        ["set B A9", "set B B8", "set W C7", "turn W", "D6", "E5"]
    );
}

#[test]
fn records_that_are_none_are_refused_by_name() {
    for (text, cause) in [
        ("format = 1", "line 1"),
        ("format = 1\ngame = \"chess\"", "chess"),
        ("format = 1\ngame = \"go\"\n[options]\nsize = 99", "size"),
        (
            "format = 1\ngame = \"go\"\n[[nodes]]\nparent = 5\nmove = \"A1\"",
            "nodes[0].parent",
        ),
        (
            "format = 1\ngame = \"go\"\n[[nodes]]\nparent = -1\nmove = \"Z9\"",
            "nodes[0] \"Z9\"",
        ),
    ] {
        let failure = record::write(text).expect_err(text);
        assert!(failure.message.contains(cause), "{text}: {failure}");
    }
}

#[test]
fn deep_and_wide_trees_do_not_exhaust_the_stack() {
    let deep = format!("(;SZ[9]{}{}", "(;C[x]".repeat(20_000), ")".repeat(20_001));
    assert_eq!(moves(&good(&deep)).len(), 20_000);
    let wide = format!("(;SZ[9]{})", "(;B[aa])".repeat(2_000));
    assert_eq!(moves(&good(&wide)).len(), 2_000);
    let open = "(".repeat(50_000) + ";";
    assert!(record::read(open.as_bytes()).is_err());
}

#[test]
fn handicap_is_still_to_be_placed_in_an_empty_file() {
    let record = "format = 1\ngame = \"go\"\n[options]\nhandicap = 2\nfree_handicap = true\n";
    let bytes = record::write(record).expect("a file");
    let text = charset::decode(&bytes).text;
    assert!(text.contains("HA[2]"), "{text}");
    let game = Game::new(crate::rules::Options {
        handicap: 2,
        free_handicap: true,
        ..crate::rules::Options::default()
    });
    assert!(game.is_ok_and(|game| game.phase() == Phase::Handicap(2)));
    let action = notation::parse_action("A1", 9);
    assert_eq!(action, Ok(Action::Place(72)));
}

#[test]
fn two_moves_in_the_root_survive() {
    // Found by fuzzing: the turn that the second move implies became a property of its own.
    let written = again("(;SZ[9]B[aa]B[aa];W[bb])");
    assert!(written.contains("B[aa][aa];W[bb]"), "{written}");
    assert!(!written.contains("PL"), "{written}");
    again("(;SZ[9]B[aa][bb]W[cc];B[dd])");
}

#[test]
fn moves_of_one_node_keep_their_order() {
    // Found by fuzzing: both black moves became one property, before white's.
    let written = again("(;SZ[9]B[aa]W[cc]B[dd];PL[W])");
    assert!(written.contains("B[aa]W[cc]B[dd]"), "{written}");
    let written = again("(;SZ[9];W[aa]B[cc]W[dd][ee]B[ff])");
    assert!(written.contains("W[aa]B[cc]W[dd][ee]B[ff]"), "{written}");
    let bytes = b"(;SZ[9]B[aa]C[a move in the root]bb]W[cc]B[dd];;PL[2])\n";
    let first = record::read(bytes)
        .expect_err("text between properties")
        .partial
        .expect("a record");
    let second = record::read(&record::write(&first).expect("written")).expect("read");
    let nodes = |text: &str| text.parse::<toml::Table>().expect("TOML")["nodes"].clone();
    assert_eq!(nodes(&first), nodes(&second));
}

#[test]
fn a_second_game_without_an_end_does_not_grow() {
    // Found by fuzzing: each writing added an empty line.
    for end in ["PB", "PB[open value", "C[soft\\", ""] {
        let bytes = format!("(;SZ[9];B[aa])\n(;GM[1]SZ[5]{end}\n\n");
        let read = |bytes: &[u8]| match record::read(bytes) {
            Ok(text) => text,
            Err(failure) => failure.partial.expect("a record"),
        };
        let once = record::write(&read(bytes.as_bytes())).expect("written");
        let twice = record::write(&read(&once)).expect("written");
        assert_eq!(
            String::from_utf8_lossy(&once),
            String::from_utf8_lossy(&twice)
        );
        assert!(String::from_utf8_lossy(&once).contains(end));
    }
}

#[test]
fn the_declaration_of_another_game_does_not_garble_this_one() {
    let (before, _, _) =
        encoding_rs::SHIFT_JIS.encode("(;CA[Shift_JIS]SZ[9]PB[\u{8868}\u{793a}])\n(;SZ[9];B[aa])");
    let record = record::read_nth(&before, 1).expect("a record");
    let mut table: toml::Table = record.parse().expect("TOML");
    let comment = "\u{1f600} is in no Shift-JIS";
    table["nodes"][0]
        .as_table_mut()
        .expect("a node")
        .insert("comment".to_owned(), comment.into());
    let file = record::write(&table.to_string()).expect("written");
    let back: toml::Table = record::read_nth(&file, 1)
        .expect("read")
        .parse()
        .expect("TOML");
    assert_eq!(back["nodes"][0]["comment"].as_str(), Some(comment));
    assert_eq!(record::games(&file)[0].players[0], "\u{8868}\u{793a}");
}

#[test]
fn a_character_set_that_a_reader_would_not_find_is_not_declared() {
    // Found by fuzzing: the set was guessed from bytes between the properties, which are not written again.
    let bytes = b"(;CA[what(;CA[x])(;SZ[9]BM[-5,5]\xb0\xc2\xc3\xd7\xe4\xd7\xbd\xa2;B[aa])";
    let read = |bytes: &[u8]| match record::read_nth(bytes, 1) {
        Ok(text) => text,
        Err(failure) => failure.partial.expect("a record"),
    };
    let once = record::write(&read(bytes)).expect("written");
    let twice = record::write(&read(&once)).expect("written");
    assert_eq!(
        String::from_utf8_lossy(&once),
        String::from_utf8_lossy(&twice)
    );
}

#[test]
fn a_property_name_begins_with_a_letter() {
    // Found by fuzzing: of "si1SZ" stayed "1SZ", which reads as SZ when it is written.
    let read = |bytes: &[u8]| match record::read(bytes) {
        Ok(text) => text,
        Err(failure) => failure.partial.expect("a record"),
    };
    let nodes = |text: &str| text.parse::<toml::Table>().expect("TOML")["nodes"].clone();
    let first = read(b"(;SZ[9]si1ZZ[x]a1[y];B[aa]k9[z])");
    let second = read(&record::write(&first).expect("written"));
    assert_eq!(nodes(&first), nodes(&second));
    for kept in ["ZZ", "A1", "K9"] {
        assert!(first.contains(kept), "{kept}: {first}");
    }
}

#[test]
fn the_character_set_is_declared_in_the_game_that_is_written() {
    // Found by fuzzing: it was put in the place of another game's words.
    let bytes = b"(;C[a];XCA[UTF-8];B[aa])(;SZ[9]C[Trom\x99\x99\x99\x99\x99];B[bb])";
    let read = |bytes: &[u8]| match record::read_nth(bytes, 1) {
        Ok(text) => text,
        Err(failure) => failure.partial.expect("a record"),
    };
    let first = read(bytes);
    let file = record::write(&first).expect("written");
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains("XCA[UTF-8]"), "{text}");
    assert!(!text.contains("GM[1]CA[UTF-8]"), "{text}");
    assert_eq!(record::write(&read(&file)).expect("written"), file);
}
