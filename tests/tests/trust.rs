//! Plugins from outside: nothing of them runs before the player agrees, and then they are games like
//! any other.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use qiju::PluginState;
use qiju::store::Language;
use qiju_tests::{Driver, built, fixtures, library_name};
use slint::platform::Key;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A data folder with a plugin in it that leaves the file `opened` as soon as it is opened.
struct Dropped {
    data: tempfile::TempDir,
    opened: PathBuf,
}

impl Dropped {
    fn new() -> Self {
        let data = folder();
        let opened = data.path().join("opened");
        std::fs::create_dir(data.path().join("plugins")).expect("a folder");
        let dropped = Self { data, opened };
        dropped.build("one");
        dropped
    }

    /// Builds the plugin; another `edition` is another content.
    fn build(&self, edition: &str) {
        let sources = [fixtures::c_example(), fixtures::c_witness()];
        let witness = self.opened.to_string_lossy();
        let plugins = self.data.path().join("plugins");
        fixtures::build_c(
            &sources,
            &plugins,
            "dropped",
            &[("WITNESS", &witness), ("EDITION", edition)],
        );
    }

    fn start(&self) -> Driver {
        let driver = Driver::start(self.data.path(), &[&built().bundled]);
        driver.app.set_language(Language::En);
        driver.settle();
        driver
    }

    /// Whether the plugin has been opened since this was asked last.
    fn was_opened(&self) -> bool {
        std::fs::remove_file(&self.opened).is_ok()
    }
}

/// The row of a library in the Plugins screen, which is opened for it.
fn row(driver: &Driver, file: &Path) -> qiju::PluginRow {
    let rows = driver.plugin_rows();
    let file = file.to_string_lossy();
    let found = rows.iter().find(|row| row.file.ends_with(&*file));
    found
        .unwrap_or_else(|| panic!("no row for {file}: {rows:#?}"))
        .clone()
}

fn dropped_row(driver: &Driver) -> qiju::PluginRow {
    row(driver, Path::new(&library_name("dropped")))
}

fn agree(driver: &Driver) {
    driver.click(&format!("Agree and load: {}", library_name("dropped")));
    driver.settle();
}

const NEW_GAME: &str = "New game: Hexapawn";

#[test]
fn nothing_of_a_dropped_file_runs_before_the_player_agrees() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    assert!(!driver.shows(NEW_GAME), "{:#?}", driver.labels());
    driver.click("Plugins");
    let found = dropped_row(&driver);
    assert_eq!(found.state, PluginState::New, "{found:?}");
    assert!(
        driver.shows("New") && driver.reads("load only what you trust"),
        "{:#?}",
        driver.labels()
    );
    driver.click("Look again");
    assert_eq!(dropped_row(&driver).state, PluginState::New);
    assert!(!dropped.was_opened(), "its code has run");

    agree(&driver);
    assert!(dropped.was_opened());
    let found = dropped_row(&driver);
    assert_eq!(
        (found.state, &*found.name),
        (PluginState::Loaded, "Hexapawn"),
        "{found:?}"
    );
    driver.special_key(Key::Escape);

    driver.click(NEW_GAME);
    driver.click("Start");
    driver.settle();
    // Two clicks: the pawn, and where it goes.
    driver.tap("A1");
    driver.tap("A2");
    driver.settle();
    assert_eq!(driver.moves(), 2, "{:#?}", driver.labels());
}

#[test]
fn an_agreement_outlives_the_app() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    driver.click("Plugins");
    agree(&driver);
    drop(driver);
    let driver = dropped.start();
    assert!(driver.shows(NEW_GAME), "{:#?}", driver.labels());
}

#[test]
fn a_changed_file_is_asked_about_again() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    driver.click("Plugins");
    agree(&driver);
    assert!(dropped.was_opened());

    dropped.build("another");
    driver.click("Look again");
    driver.settle();
    let found = dropped_row(&driver);
    assert_eq!(found.state, PluginState::Changed, "{found:?}");
    assert!(
        driver.shows("Changed") && driver.reads("has changed since you agreed"),
        "{:#?}",
        driver.labels()
    );
    driver.special_key(Key::Escape);
    assert!(
        !driver.shows(NEW_GAME),
        "its game is gone: {:#?}",
        driver.labels()
    );
    drop(driver);

    let driver = dropped.start();
    assert!(!driver.shows(NEW_GAME));
    driver.click("Plugins");
    assert_eq!(dropped_row(&driver).state, PluginState::Changed);
    assert!(!dropped.was_opened(), "its code has run");
    agree(&driver);
    assert!(dropped.was_opened());
    assert_eq!(dropped_row(&driver).state, PluginState::Loaded);
}

#[test]
fn an_agreement_can_be_taken_back() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    driver.click("Plugins");
    agree(&driver);
    driver.click("Forget: Hexapawn");
    driver.settle();
    assert_eq!(dropped_row(&driver).state, PluginState::New);
    driver.special_key(Key::Escape);
    assert!(!driver.shows(NEW_GAME), "{:#?}", driver.labels());
    drop(driver);
    dropped.was_opened();
    let driver = dropped.start();
    assert!(!driver.shows(NEW_GAME) && !dropped.was_opened());
}

#[test]
fn a_changed_file_can_be_forgotten() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    driver.click("Plugins");
    agree(&driver);
    dropped.build("another");
    driver.click("Look again");
    driver.click(&format!("Forget: {}", library_name("dropped")));
    driver.settle();
    assert_eq!(dropped_row(&driver).state, PluginState::New);
    // Not even the file that was agreed to once is known any more.
    dropped.build("one");
    driver.click("Look again");
    assert_eq!(dropped_row(&driver).state, PluginState::New);
}

#[test]
fn a_broken_list_of_agreements_trusts_nobody() {
    let dropped = Dropped::new();
    let driver = dropped.start();
    driver.click("Plugins");
    agree(&driver);
    drop(driver);
    assert!(dropped.was_opened());
    let list = dropped.data.path().join("plugins.toml");
    std::fs::write(&list, "[files").expect("a file");
    // The version before knows of the agreement, too.
    let _ = std::fs::remove_file(dropped.data.path().join("plugins.toml.bak"));
    let driver = dropped.start();
    let notices = driver.notices();
    let told = notices
        .iter()
        .filter(|line| line.contains("plugins.toml.broken-1"));
    assert_eq!(told.count(), 1, "{notices:#?}");
    assert!(!driver.shows(NEW_GAME) && !dropped.was_opened());
    driver.click("Plugins");
    assert_eq!(dropped_row(&driver).state, PluginState::New);
}

#[test]
fn of_two_plugins_with_one_game_the_first_found_wins() {
    let data = folder();
    let plugins = data.path().join("plugins");
    std::fs::create_dir(&plugins).expect("a folder");
    let name = library_name("qiju_go");
    std::fs::copy(built().bundled.join(&name), plugins.join(&name)).expect("a copy");
    let driver = Driver::start(data.path(), &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver.click("Plugins");
    let copy = plugins.join(&name);
    assert_eq!(row(&driver, &copy).state, PluginState::New);
    driver.click(&format!("Agree and load: {name}"));
    driver.settle();
    let hidden = row(&driver, &copy);
    assert_eq!(hidden.state, PluginState::Shadowed, "{hidden:?}");
    let first = built().bundled.join(&name);
    assert!(
        hidden.line.contains(&*first.to_string_lossy()),
        "{hidden:?}"
    );
    assert_eq!(row(&driver, &first).state, PluginState::Loaded);
    assert!(
        driver.shows("Hidden by another") && driver.shows(&hidden.line),
        "{:#?}",
        driver.labels()
    );
    assert_eq!(driver.app.game_ids(), ["go"], "it is there once");
}

#[test]
fn without_any_plugin_the_home_screen_says_where_it_looked() {
    let (data, bundled) = (folder(), folder());
    let driver = Driver::start(data.path(), &[bundled.path()]);
    driver.app.set_language(Language::En);
    assert!(driver.shows("No game was found"), "{:#?}", driver.labels());
    for place in [bundled.path().to_owned(), data.path().join("plugins")] {
        assert!(
            driver.shows(&place.to_string_lossy()),
            "{}: {:#?}",
            place.display(),
            driver.labels()
        );
    }
    driver.click("Open the list of plugins");
    assert!(
        driver.shows("No plugin was found."),
        "{:#?}",
        driver.labels()
    );
}
