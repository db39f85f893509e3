//! The end of a game of Go in the real window: dead stones marked by taps, agreed on or disputed, the
//! account of the score; rule sets chosen by clicks; the computer's analysis on the board.

use qiju::store::Language;
use qiju_tests::{DESKTOP, Driver, PHONE, built};

/// Two people on a 9×9 board, under the rule set of that name.
fn begin(data: &std::path::Path, rules: Option<&str>) -> Driver {
    let driver = Driver::start(data, &[&built().bundled]);
    driver.app.set_language(Language::En);
    // High enough for the whole page of options.
    driver.resize((1280.0, 2400.0));
    driver.click("New game: Go");
    driver.click("9×9");
    if let Some(rules) = rules {
        driver.click("Choose the rules");
        driver.click(rules);
    }
    driver.seat_people();
    driver.click("Start");
    driver.resize(DESKTOP);
    driver.settle();
    driver
}

/// Black walls off the left three lines, white the right five; one white stone is lost behind the wall.
fn play_to_the_end(driver: &Driver) {
    for row in 1..=9 {
        driver.tap(&format!("D{row}"));
        driver.settle();
        driver.tap(&format!("E{row}"));
        driver.settle();
    }
    // Black makes the area safe; white throws a stone in.
    driver.tap("B5");
    driver.tap("B8");
    driver.settle();
    driver.tap("B7");
    driver.tap("G5");
    driver.settle();
    for _ in 0..2 {
        driver.click("Pass");
        driver.settle();
    }
}

#[test]
fn dead_stones_are_marked_disputed_and_agreed_on_by_clicks() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = begin(data.path(), None);
    play_to_the_end(&driver);
    assert!(driver.reads("Counting"), "{:#?}", driver.labels());
    assert!(
        driver.cell_label("B8").contains("dead"),
        "the lost stone is proposed: {}",
        driver.cell_label("B8")
    );
    // 27 points behind the wall and the 9 of it; white has 45 and komi.
    assert!(
        driver.reads("Total: Black 36, White 52.5"),
        "{:#?}",
        driver.labels()
    );
    assert!(driver.reads("White wins by 16.5"), "{:#?}", driver.labels());

    // Marked alive, it makes the region nobody's.
    driver.tap("B8");
    driver.settle();
    assert!(!driver.cell_label("B8").contains("dead"));
    assert!(!driver.reads("Total: Black 36,"), "{:#?}", driver.labels());
    driver.click("Undo marks");
    driver.settle();
    assert!(driver.cell_label("B8").contains("dead"));

    // A dispute: play goes on, and two passes count again.
    driver.click("Agree");
    driver.settle();
    driver.click("Play on");
    driver.settle();
    assert!(driver.reads("Black to play"), "{:#?}", driver.labels());
    assert!(!driver.reads("Total:"), "{:#?}", driver.labels());
    for _ in 0..2 {
        driver.click("Pass");
        driver.settle();
    }
    for _ in 0..2 {
        assert!(!driver.shows("Again"));
        driver.click("Agree");
        driver.settle();
    }
    assert!(driver.shows("Again"), "{:#?}", driver.labels());
    assert!(driver.reads("White wins by 16.5"), "{:#?}", driver.labels());
    assert!(
        driver.reads("Total: Black 36, White 52.5"),
        "{:#?}",
        driver.labels()
    );

    // Undo leads back into the counting.
    driver.key("u");
    assert!(driver.shows("Agree"), "{:#?}", driver.labels());
}

#[test]
fn japanese_rules_count_territory_and_prisoners() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = begin(data.path(), Some("Japanese"));
    play_to_the_end(&driver);
    // 25 points, the one under the lost stone among them, and the stone; white 35 points and 6.5.
    assert!(
        driver.reads("Dead stones on the board: Black 1, White 0"),
        "{:#?}",
        driver.labels()
    );
    assert!(
        driver.reads("Total: Black 26, White 41.5"),
        "{:#?}",
        driver.labels()
    );
}

#[test]
fn a_rule_set_is_chosen_and_its_parts_can_be_changed() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = Driver::start(data.path(), &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver.resize((1280.0, 3000.0));
    driver.click("New game: Go");
    assert!(
        !driver.shows("Suicide allowed"),
        "parts are folded at first"
    );
    driver.click("Choose the rules");
    driver.click("New Zealand");
    driver.click("More options");
    assert!(driver.shows("Suicide allowed"), "{:#?}", driver.labels());
    driver.click("Suicide allowed");
    assert!(driver.reads("Custom"), "{:#?}", driver.labels());
    driver.click("Fewer options");
    assert!(!driver.shows("Suicide allowed"));
}

#[test]
fn on_a_phone_marks_need_no_confirmation_and_the_score_opens() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = Driver::start(data.path(), &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver.resize(PHONE);
    driver.click("New game: Go");
    driver.click("19×19");
    driver.seat_people();
    driver.click("Start");
    driver.settle();
    driver.tap("Q16");
    driver.click("Play here");
    driver.settle();
    for _ in 0..2 {
        driver.click("Pass");
        driver.settle();
    }
    let before = driver.cell_label("Q16");
    driver.tap("Q16");
    driver.settle();
    assert_ne!(
        driver.cell_label("Q16").contains("dead"),
        before.contains("dead")
    );
    driver.click("Score");
    assert!(driver.reads("Total: Black"), "{:#?}", driver.labels());
}

#[test]
fn the_analysis_shows_chances_and_stops() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = begin(data.path(), None);
    driver.tap("E5");
    driver.settle();
    driver.click("More");
    driver.click("The computer's analysis");
    driver.settle();
    assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
    assert!(
        driver.veils() >= 2,
        "{} moves have a chance",
        driver.veils()
    );
    // Off again, nothing is left of it.
    driver.click("More");
    driver.click("Nothing");
    assert_eq!(driver.veils(), 0);
    assert!(!driver.reads("Analysis: "));
}

#[test]
fn the_move_list_leads_to_any_move() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = begin(data.path(), None);
    for name in ["E5", "C3", "G7"] {
        driver.tap(name);
        driver.settle();
    }
    driver.click("1 E5");
    assert!(driver.cell_label("E5").contains("black"));
    assert!(driver.cell_label("C3").contains("empty"));
    driver.click("3 G7");
    assert!(driver.cell_label("G7").contains("black"));
    // Another move makes a variation, and both are offered where they part.
    driver.click("1 E5");
    driver.tap("D3");
    driver.settle();
    driver.click("1 E5");
    driver.click("Variation C3");
    assert!(
        driver.cell_label("C3").contains("white"),
        "{:#?}",
        driver.labels()
    );
    driver.click("3 G7");
    assert!(driver.cell_label("G7").contains("black"));
}
