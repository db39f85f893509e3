//! Records as files, in the real window: opened by the browser and from the command line, saved, replaced
//! only after asking; broken ones say where.

use std::path::Path;

use qiju::Records;
use qiju::store::Language;
use qiju_tests::{Driver, built};
use slint::ComponentHandle;

const GAME: &str = "(;GM[1]FF[4]SZ[9]KM[7.5]PB[Ai]PW[Bo]C[before the first move]\
                    ;B[ee]C[the centre];W[cc](;B[gg])(;B[gc]C[the other way];W[gg]))";

fn start(data: &Path) -> Driver {
    let driver = Driver::start(data, &[&built().bundled]);
    driver.app.set_language(Language::En);
    driver
}

/// Goes to a folder as if its path had been written into the field.
fn go(driver: &Driver, folder: &Path) {
    let records = driver.app.window().global::<Records>();
    records.invoke_go(folder.display().to_string().into());
    driver.tick(20);
}

/// Opens a file of a folder from the home screen.
fn open(driver: &Driver, folder: &Path, name: &str) {
    driver.click("Open a record");
    go(driver, folder);
    driver.click(name);
    driver.settle();
}

#[test]
fn a_record_is_opened_walked_through_and_branched_off() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("game.sgf"), GAME).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no record").unwrap();
    let driver = start(data.path());
    driver.click("Open a record");
    go(&driver, folder.path());
    assert!(!driver.shows("notes.txt"), "{:#?}", driver.labels());
    driver.click("game.sgf");
    driver.settle();
    assert!(
        driver.reads("before the first move"),
        "{:#?}",
        driver.labels()
    );
    assert!(
        driver.cell_label("E5").contains("empty"),
        "it opens at its start"
    );
    driver.click("Redo");
    assert!(driver.cell_label("E5").contains("black"));
    assert!(driver.reads("the centre"), "{:#?}", driver.labels());
    driver.click("Redo");
    driver.click("Variation G7");
    assert!(
        driver.cell_label("G7").contains("black"),
        "{:#?}",
        driver.labels()
    );
    assert!(driver.reads("the other way"));
    driver.click("Redo");
    assert!(driver.cell_label("G3").contains("white"));
    // It is the game that waits now, with all its variations.
    driver.click("Back");
    driver.click("Continue: Go");
    driver.settle();
    assert!(
        driver.cell_label("G3").contains("white"),
        "{:#?}",
        driver.labels()
    );
}

#[test]
fn a_record_is_saved_and_a_file_replaced_only_after_asking() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let driver = start(data.path());
    open(
        &driver,
        {
            std::fs::write(folder.path().join("game.sgf"), GAME).unwrap();
            folder.path()
        },
        "game.sgf",
    );
    let save = |name: &str| {
        driver.click("More");
        driver.click("Save record as");
        go(&driver, folder.path());
        let records = driver.app.window().global::<Records>();
        records.invoke_save(name.into());
        driver.settle();
        driver.tick(20);
    };
    save("copy");
    let copy = folder.path().join("copy.sgf");
    let written = std::fs::read_to_string(&copy).expect("the file");
    for part in [
        "PB[Ai]",
        "C[the centre]",
        "(;B[gc]C[the other way]",
        ";B[ee]",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    // Another game under the same name: not without asking.
    driver.click("Redo");
    driver.tap("A1");
    driver.settle();
    save("copy.sgf");
    assert!(driver.reads("Replace the file?"), "{:#?}", driver.labels());
    driver.click("Cancel");
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), written);
    driver.click("Save");
    driver.click("Replace");
    driver.settle();
    let replaced = std::fs::read_to_string(&copy).unwrap();
    assert_ne!(replaced, written);
    assert!(replaced.contains(";W[ai]"), "{replaced}");
    // What cannot be is said, and nothing is written.
    for (name, why) in [("", "file name"), ("a/b", "file name")] {
        save(name);
        assert!(driver.reads(why), "{name:?}: {:#?}", driver.labels());
        driver.click("Back");
    }
}

#[test]
fn broken_and_foreign_files_say_what_is_wrong() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    file("cut.sgf", &GAME.as_bytes()[..GAME.len() - 40]);
    file("chess.sgf", b"(;GM[3]SZ[8])");
    file("empty.sgf", b"");
    let driver = start(data.path());
    for (name, why) in [
        ("chess.sgf", "another game"),
        ("empty.sgf", "no game begins"),
    ] {
        driver.click("Open a record");
        go(&driver, folder.path());
        driver.click(name);
        assert!(driver.reads(why), "{name}: {:#?}", driver.labels());
        driver.click("Back");
    }
    open(&driver, folder.path(), "cut.sgf");
    assert!(
        driver
            .notices()
            .iter()
            .any(|n| n.contains("cut.sgf") && n.contains("line 1, column")),
        "{:#?}",
        driver.notices()
    );
    driver.click("Redo");
    assert!(
        driver.cell_label("E5").contains("black"),
        "it opens as far as it can"
    );
    driver.click("Back");
    driver.click("Open a record");
    go(&driver, &folder.path().join("nowhere"));
    assert!(
        driver.reads("nowhere cannot be read"),
        "{:#?}",
        driver.labels()
    );
}

#[test]
fn the_command_line_opens_a_record_too() {
    let (data, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().join("game.SGF");
    std::fs::write(&path, GAME).unwrap();
    let driver = start(data.path());
    driver.app.open_given(&path);
    driver.settle();
    assert!(
        driver.reads("before the first move"),
        "{:#?}",
        driver.labels()
    );
    driver.app.open_given(&folder.path().join("none.sgf"));
    assert!(
        driver.notices().iter().any(|n| n.contains("none.sgf")),
        "{:#?}",
        driver.notices()
    );
    driver.app.open_given(Path::new("x.pgn"));
    assert!(
        driver.notices().iter().any(|n| n.contains("x.pgn")),
        "{:#?}",
        driver.notices()
    );
}
