//! A person plays Go in the real window against the computer from the real dylib.

use qiju::store::Language;
use qiju_tests::{Driver, PHONE, built};
use slint::platform::Key;

fn start(data: &std::path::Path) -> Driver {
    let driver = Driver::start(data, &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver
}

/// From the home screen to an empty 9×9 board against the weakest computer.
fn begin(driver: &Driver) {
    driver.click("New game: Go");
    driver.click("9×9");
    driver.choose_level(1, 0);
    driver.click("Start");
    driver.settle();
    assert!(
        driver.cell_label("E5").contains("empty"),
        "{}",
        driver.cell_label("E5")
    );
}

/// Number of stones on the board as a screen reader finds them.
fn stones(driver: &Driver) -> usize {
    driver
        .board()
        .iter()
        .filter(|label| label.contains(" stone"))
        .count()
}

#[test]
fn a_whole_game_from_the_home_screen_to_the_score() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    let mut turns = 0;
    // Every second crossing of the inner board as far as it is free, then passes.
    for name in ["E5", "C3", "G7", "C7", "G3", "E3", "E7", "C5", "G5"] {
        if driver.cell_label(name).contains("empty") {
            let before = stones(&driver);
            driver.tap(name);
            driver.settle();
            assert!(
                stones(&driver) > before,
                "{name} and the answer to it: {:#?}",
                driver.labels()
            );
            turns += 1;
        }
    }
    assert!(turns >= 4, "only {turns} of the player's moves were free");
    let mut passes = 0;
    while !driver.shows("Again") {
        // Two passes open the counting: the computer has agreed to its own proposal, or will.
        driver.click(if driver.shows("Agree") {
            "Agree"
        } else {
            "Pass"
        });
        driver.settle();
        passes += 1;
        assert!(
            passes < 200,
            "the game does not end: {:#?}",
            driver.labels()
        );
    }
    assert!(
        driver.reads("Black") && driver.reads("wins by") || driver.reads("resigned"),
        "{:#?}",
        driver.labels()
    );
    // The end is clear, and the way on from it works.
    driver.click("Again");
    driver.settle();
    assert_eq!(stones(&driver), 0);
}

#[test]
fn undo_takes_back_both_moves_and_redo_plays_them_again() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.settle();
    driver.tap_free();
    driver.settle();
    let after = driver.board();
    assert_eq!(stones(&driver), 4);
    driver.key("u");
    assert_eq!(stones(&driver), 2);
    driver.key("u");
    assert_eq!(stones(&driver), 0);
    driver.key("u");
    assert_eq!(stones(&driver), 0, "there is nothing more to undo");
    driver.key("r");
    driver.key("r");
    driver.settle();
    assert_eq!(driver.board(), after);
}

#[test]
fn undo_while_the_computer_thinks_cancels_it() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.app.pump();
    // The answer may be on its way: it must not arrive any more.
    driver.key("u");
    driver.settle();
    assert_eq!(stones(&driver), 0);
    driver.tap("D4");
    driver.settle();
    assert_eq!(stones(&driver), 2);
}

#[test]
fn a_hint_shows_a_move_and_the_line_behind_it() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.key("h");
    driver.settle();
    assert!(driver.reads("Expected: "), "{:#?}", driver.labels());
    assert_eq!(stones(&driver), 0, "a hint is no move");
}

#[test]
fn a_refused_move_says_why_and_changes_nothing() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.settle();
    let before = driver.board();
    driver.tap("E5");
    assert!(
        driver.reads("stone") && driver.reads("already") || driver.reads("occupied"),
        "{:#?}",
        driver.labels()
    );
    assert_eq!(driver.board(), before);
    assert_eq!(stones(&driver), 2);
}

#[test]
fn the_language_changes_in_the_middle_of_a_game() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.settle();
    driver.app.set_language(Language::Zh);
    driver.tick(500);
    assert!(
        driver.cell_label("E5").contains("黑"),
        "{}",
        driver.cell_label("E5")
    );
    assert!(driver.reads("悔棋"), "{:#?}", driver.labels());
    driver.app.set_language(Language::En);
    driver.tick(500);
    assert!(
        driver.cell_label("E5").contains("black"),
        "{}",
        driver.cell_label("E5")
    );
    driver.tap_free();
    driver.settle();
    assert_eq!(stones(&driver), 4, "and it goes on");
}

#[test]
fn quit_and_continue() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let before = {
        let driver = start(data.path());
        begin(&driver);
        driver.tap("E5");
        driver.settle();
        driver.tap_free();
        driver.settle();
        driver.board()
    };
    let driver = start(data.path());
    driver.click("Continue: Go");
    driver.settle();
    assert_eq!(driver.board(), before);
    driver.key("u");
    assert_eq!(stones(&driver), 2, "undo reaches behind the restart");
    driver.special_key(Key::Escape);
    assert!(
        driver.shows("New game: Go"),
        "Esc leads home: {:#?}",
        driver.labels()
    );
}

#[test]
fn the_keyboard_alone_plays() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.special_key(Key::RightArrow);
    driver.special_key(Key::UpArrow);
    driver.special_key(Key::Return);
    driver.settle();
    assert!(
        driver.cell_label("E6").contains("black"),
        "{}",
        driver.cell_label("E6")
    );
    driver.key("p");
    driver.settle();
    assert!(driver.reads("pass") || driver.reads("Pass"));
}

#[test]
fn resigning_asks_first_and_ends_the_game() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.settle();
    driver.click("Resign");
    assert!(driver.reads("Resign this game?"), "{:#?}", driver.labels());
    driver.click("Cancel");
    assert_eq!(stones(&driver), 2);
    driver.click("Resign");
    driver.click_last("Resign");
    driver.settle();
    assert!(driver.reads("The computer wins"), "{:#?}", driver.labels());
}

#[test]
fn a_move_is_confirmed_on_a_phone() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    driver.resize(PHONE);
    driver.click("New game: Go");
    driver.click("19×19");
    driver.click("Start");
    driver.settle();
    driver.tap("Q16");
    assert_eq!(stones(&driver), 0, "the first tap only marks");
    driver.click("Cancel");
    driver.tap("Q16");
    driver.click("Play here");
    assert!(stones(&driver) >= 1);
}

#[test]
fn overlays_show_and_hide() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    begin(&driver);
    driver.tap("E5");
    driver.settle();
    driver.click("More");
    driver.click("Liberties");
    let shown = driver.veils();
    assert!(
        shown >= 2,
        "two stones have liberties, {shown} numbers are shown"
    );
}

#[test]
fn a_wrong_option_is_named_at_its_row() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = start(data.path());
    driver.click("New game: Go");
    // Side 5 has no room for handicap stones.
    driver.choose_number("size", 5);
    driver.choose_number("handicap", 9);
    driver.click("Start");
    assert!(driver.shows("Start"), "the screen stays");
    let errors = driver.option_errors();
    let handicap = errors.iter().find(|(key, _)| key == "handicap");
    assert!(
        handicap.is_some_and(|(_, error)| !error.is_empty()),
        "{errors:?}"
    );
}
