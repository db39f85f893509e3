//! What the play screen adds to any game: the analysis and its memory, the account of a score. Played in the
//! real window with the examples and with the game of the conformance checks, which hides something.
#![cfg(unix)]

use std::path::Path;

use qiju::store::Language;
use qiju_tests::{DESKTOP, Driver, PHONE, built, fixtures};
use slint::ComponentHandle;

const ANALYSIS: &str = "The computer's analysis";

fn start(data: &Path, plugins: &Path) -> Driver {
    let driver = Driver::start(data, &[plugins]);
    driver.app.set_language(Language::En);
    driver
}

fn hexapawn(dir: &Path) {
    fixtures::build_c(&[fixtures::c_example()], dir, "hexapawn", &[]);
}

fn switch_analysis(driver: &Driver, to: &str) {
    driver.click("More");
    driver.click(to);
    driver.settle();
}

#[test]
fn the_analysis_of_a_game_of_steps_shows_from_where_to_where() {
    let (data, plugins) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hexapawn(plugins.path());
    let driver = start(data.path(), plugins.path());
    driver.app.open_new_game("hexapawn");
    driver.seat_people();
    driver.click("Start");
    driver.settle();
    switch_analysis(&driver, ANALYSIS);
    assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
    let best: Vec<String> = driver.board();
    let chances = best.iter().filter(|label| label.contains("% to win"));
    assert!(chances.count() >= 2, "{best:#?}");
    let bests = best.iter().filter(|label| label.contains("to win, best"));
    assert_eq!(bests.count(), 1, "{best:#?}");
    assert_eq!(driver.hinted(), 1, "the piece that would go");

    // A move, and taking it back, end it and begin the next one.
    driver.tap("A1");
    driver.tap("A2");
    driver.settle();
    assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
    assert_eq!(driver.hinted(), 1);
    driver.key("u");
    driver.settle();
    assert_eq!(driver.hinted(), 1);
    switch_analysis(&driver, "Nothing");
    assert!(!driver.reads("Analysis: "), "{:#?}", driver.labels());
    assert_eq!((driver.veils(), driver.hinted()), (0, 0));
}

#[test]
fn what_is_shown_on_the_board_is_remembered_for_each_game() {
    let data = tempfile::tempdir().unwrap();
    {
        let driver = start(data.path(), &built().examples);
        driver.click("New game: Noughts and crosses");
        driver.seat_people();
        driver.click("Start");
        driver.settle();
        assert!(!driver.reads("Analysis: "), "off at first");
        switch_analysis(&driver, ANALYSIS);
        assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
    }
    {
        let driver = start(data.path(), &built().examples);
        driver.app.open_new_game("noughts");
        driver.click("Start");
        driver.settle();
        assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
        switch_analysis(&driver, "Worth of each square");
        assert!(!driver.reads("Analysis: "));
        assert!(driver.veils() > 0);
    }
    {
        let driver = start(data.path(), &built().examples);
        driver.app.open_new_game("noughts");
        driver.click("Start");
        driver.settle();
        assert!(driver.veils() > 0 && !driver.reads("Analysis: "));
        switch_analysis(&driver, "Nothing");
    }
    let driver = start(data.path(), &built().examples);
    driver.app.open_new_game("noughts");
    driver.click("Start");
    driver.settle();
    assert_eq!(driver.veils(), 0);
}

#[test]
fn the_analysis_is_silent_on_the_computers_turn_and_at_the_end() {
    let data = tempfile::tempdir().unwrap();
    let driver = start(data.path(), &built().examples);
    driver.click("New game: Noughts and crosses");
    driver.choose_level(1, 0);
    driver.click("Start");
    driver.settle();
    switch_analysis(&driver, ANALYSIS);
    while !driver.shows("Again") {
        assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
        driver.tap_free();
        // Until the computer has answered, which it may have already, nothing of the last position is left.
        if !driver.may_play() {
            assert!(!driver.reads("Analysis: "), "{:#?}", driver.labels());
            assert_eq!(driver.veils(), 0);
        }
        driver.settle();
    }
    assert!(!driver.reads("Analysis: "), "{:#?}", driver.labels());
    assert_eq!(driver.veils(), 0);
}

/// The game of the conformance checks: it hides cards, and accounts for the moves played at any time.
fn hidden(dir: &Path) {
    fixtures::build_c(&[fixtures::c_checked()], dir, "hidden", &[]);
}

#[test]
fn the_account_of_a_score_is_a_table_or_a_sheet_and_speaks() {
    let (data, plugins) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hidden(plugins.path());
    let driver = start(data.path(), plugins.path());
    driver.app.open_new_game("faulty");
    driver.seat_people();
    driver.click("Start");
    driver.settle();
    assert!(driver.shows("Moves: Black 0"), "{:#?}", driver.labels());
    driver.tap("a1");
    driver.tap("a2");
    driver.settle();
    assert!(driver.shows("Moves: Black 1"), "{:#?}", driver.labels());
    driver.app.set_language(Language::Zh);
    assert!(driver.shows("步数: 黑方 1"), "{:#?}", driver.labels());
    driver.app.set_language(Language::En);

    driver.resize(PHONE);
    assert!(!driver.shows("Moves: Black 1"), "a phone opens it");
    driver.click("Score");
    assert!(driver.shows("Moves: Black 1"), "{:#?}", driver.labels());
    driver.special_key(slint::platform::Key::Escape);
    assert!(!driver.shows("Moves: Black 1"), "Escape closes it");
    driver.resize(DESKTOP);
}

#[test]
fn a_preset_of_numbers_is_chosen_and_left_again() {
    let (data, plugins) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hidden(plugins.path());
    let driver = start(data.path(), plugins.path());
    driver.resize((1280.0, 1600.0));
    driver.app.open_new_game("faulty");
    assert!(driver.reads("Custom"), "{:#?}", driver.labels());
    driver.click("Choose the rules");
    driver.click("20");
    assert!(!driver.reads("Custom"), "{:#?}", driver.labels());
    driver.choose_number("limit", 40);
    assert!(driver.reads("Custom"), "{:#?}", driver.labels());
}

#[test]
fn where_something_is_hidden_the_analysis_serves_who_looks_and_nobody_else() {
    let (data, plugins) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hidden(plugins.path());
    let driver = start(data.path(), plugins.path());
    driver.app.open_new_game("faulty");
    // The computer moves first, and the person waits.
    let screen = driver.app.window().global::<qiju::NewGame>();
    screen.invoke_swap_seats();
    driver.click("Start");
    // It moves a pawn or turns a card, as its seed has it; a card has its time, and the end of that would begin another
    // analysis than the one that is waited for.
    for _ in 0..3 {
        driver.settle();
    }
    assert!(driver.shows("Black to move"), "{:#?}", driver.labels());
    driver.click("More");
    driver.click(ANALYSIS);
    driver.settle();
    assert!(driver.reads("Analysis: "), "{:#?}", driver.labels());
    assert!(driver.veils() > 0);
}
