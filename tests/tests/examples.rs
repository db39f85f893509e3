//! A second game appears and is played without one changed line of the shell.

use qiju::store::Language;
use qiju_tests::{Driver, built};

#[test]
fn noughts_and_crosses_appears_beside_and_plays() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let driver = Driver::start(data.path(), &[&built().bundled, &built().examples]);
    driver.app.set_language(Language::En);
    assert!(driver.shows("New game: Go"));
    driver.click("New game: Noughts and crosses");
    driver.click("Start");
    driver.settle();
    let full = |driver: &Driver| {
        driver
            .board()
            .iter()
            .filter(|label| !label.contains("empty"))
            .count()
    };
    let mut before = 0;
    while !driver.shows("Again") {
        driver.tap_free();
        driver.settle();
        let now = full(&driver);
        assert!(now > before, "{:#?}", driver.labels());
        before = now;
    }
    driver.click("Again");
    driver.settle();
    assert!(full(&driver) <= 1);
}
