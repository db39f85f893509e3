//! Broken settings, saves and plugins: each gives one clear line on screen and in the log, nothing
//! is lost, and the app goes on and plays.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use qiju::PluginState;
use qiju::plugins::Lang;
use qiju::store::Language;
use qiju_tests::{Driver, Log, built, fixtures, library_name};
use slint::platform::Key;

const NOUGHTS: &str = "noughts";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Starts with both games, in English from the first line on.
fn start(data: &Path) -> Driver {
    if !data.join("settings.toml").exists() {
        write(
            &data.join("settings.toml"),
            "format = 1\nlanguage = \"en\"\n",
        );
    }
    start_as_it_is(data, &[])
}

fn start_as_it_is(data: &Path, more: &[&Path]) -> Driver {
    let folders: Vec<&Path> = [&*built().bundled, &*built().examples]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    let driver = Driver::start(data, &folders);
    driver.settle();
    driver
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    }
    std::fs::write(path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Both games are there, and one of them is played from the home screen: a move and its answer.
fn plays(driver: &Driver) {
    driver.app.set_language(Language::En);
    driver.settle();
    assert!(driver.shows("New game: Go"), "{:#?}", driver.labels());
    begin(driver);
    assert_eq!(driver.moves(), 2, "{:#?}", driver.labels());
    driver.special_key(Key::Escape);
}

fn begin(driver: &Driver) {
    driver.click("New game: Noughts and crosses");
    driver.click("Start");
    driver.settle();
    driver.tap_free();
    driver.settle();
}

/// The one message that contains `part`: it is on screen and in the log, and is one line.
#[track_caller]
fn the_line(driver: &Driver, log: &Log, part: &str) -> String {
    let notices = driver.notices();
    let mut found = notices.iter().filter(|line| line.contains(part));
    let (line, more) = (found.next(), found.next());
    let Some(line) = line else {
        panic!("no message has {part:?}: {notices:#?}")
    };
    assert_eq!(more, None, "two messages have {part:?}: {notices:#?}");
    assert!(!line.contains('\n'), "{line:?}");
    assert!(
        driver.shows(line),
        "{line:?} is not on screen: {:#?}",
        driver.labels()
    );
    assert!(log.has(part), "{part:?} is not in the log:\n{}", log.text());
    line.clone()
}

/// A text in the language that the app has before it knows any settings.
fn own<'a>(driver: &Driver, zh: &'a str, en: &'a str) -> &'a str {
    match driver.app.lang() {
        Lang::Zh => zh,
        Lang::En => en,
    }
}

// ---- Settings ---------------------------------------------------------------

#[test]
fn broken_settings_are_kept_aside_and_defaults_used() {
    for (content, zh, en) in [
        (
            &b"language = \"en\"\nanimation =\n"[..],
            "第 2 行第 12 列",
            "line 2, column 12",
        ),
        (
            &b"language = \"en\"\n# \xff\n"[..],
            "第 2 行第 3 列",
            "line 2, column 3",
        ),
        (&b""[..], "文件为空", "it is empty"),
        (
            &b"format = \"one\"\n"[..],
            "format = \"one\"",
            "format = \"one\"",
        ),
    ] {
        let data = folder();
        let file = data.path().join("settings.toml");
        write(&file, content);
        let log = Log::start();
        let driver = start_as_it_is(data.path(), &[]);
        let line = the_line(&driver, &log, "settings.toml.broken-1");
        assert!(line.contains(own(&driver, zh, en)), "{line}");
        assert_eq!(driver.notices().len(), 1, "{:#?}", driver.notices());
        assert_eq!(read(&data.path().join("settings.toml.broken-1")), content);
        plays(&driver);
        drop(driver);
        // What was set since is kept, and there is nothing more to complain of.
        let driver = start_as_it_is(data.path(), &[]);
        assert_eq!(driver.notices(), [""; 0]);
        assert_eq!(driver.app.lang(), Lang::En);
    }
}

#[test]
fn broken_settings_give_way_to_their_backup() {
    let data = folder();
    let file = data.path().join("settings.toml");
    write(&file, "language = ");
    write(
        &data.path().join("settings.toml.bak"),
        "format = 1\nlanguage = \"zh\"\n",
    );
    let log = Log::start();
    let driver = start_as_it_is(data.path(), &[]);
    assert_eq!(driver.app.lang(), Lang::Zh);
    the_line(&driver, &log, "settings.toml.broken-1");
    the_line(&driver, &log, "settings.toml.bak");
    assert_eq!(driver.notices().len(), 2, "{:#?}", driver.notices());
    plays(&driver);
}

#[test]
fn a_wrong_setting_is_named_and_the_others_count() {
    let data = folder();
    let file = data.path().join("settings.toml");
    write(
        &file,
        "format = 1\nlanguage = \"en\"\nanimation = \"wild\"\ncoordinates = 3\nfuture = \"kept\"\n[window]\nwidth = -4\n",
    );
    let log = Log::start();
    let driver = start_as_it_is(data.path(), &[]);
    for wrong in [
        "animation = \"wild\"",
        "coordinates = 3",
        "window.width = -4",
    ] {
        let line = the_line(&driver, &log, wrong);
        assert!(
            line.contains("settings.toml") && line.contains("the default is used"),
            "{line}"
        );
    }
    assert_eq!(driver.notices().len(), 3, "{:#?}", driver.notices());
    assert_eq!(driver.app.lang(), Lang::En, "a sound value counts");
    driver.app.set_language(Language::Zh);
    plays(&driver);
    drop(driver);
    let kept = String::from_utf8(read(&file)).expect("text");
    for value in ["future = \"kept\"", "animation = \"wild\""] {
        assert!(kept.contains(value), "{value} is lost: {kept}");
    }
}

#[test]
fn settings_of_a_newer_version_are_used_and_not_written() {
    let data = folder();
    let file = data.path().join("settings.toml");
    let content = "format = 99\nlanguage = \"en\"\n";
    write(&file, content);
    let log = Log::start();
    let driver = start_as_it_is(data.path(), &[]);
    let line = the_line(&driver, &log, "99");
    assert!(
        line.contains("settings.toml") && line.contains("newer version"),
        "{line}"
    );
    driver.app.set_language(Language::Zh);
    plays(&driver);
    drop(driver);
    assert_eq!(read(&file), content.as_bytes());
}

#[test]
fn a_remembered_option_that_cannot_be_is_named_at_its_row() {
    let data = folder();
    write(
        &data.path().join("settings.toml"),
        "format = 1\nlanguage = \"en\"\n[games.go.options]\nsize = 99\n",
    );
    let log = Log::start();
    let driver = start(data.path());
    driver.click("New game: Go");
    driver.click("Start");
    driver.settle();
    assert!(driver.shows("Start"), "the screen stays");
    let errors = driver.option_errors();
    let error = errors.iter().find(|(key, _)| key == "size");
    let (_, error) = error.expect("a row for the size");
    assert!(!error.is_empty() && driver.reads(error), "{errors:?}");
    assert!(log.has("size"), "{}", log.text());
    driver.click("9×9");
    driver.seat_people();
    driver.click("Start");
    driver.settle();
    driver.tap_free();
    driver.settle();
    assert_eq!(driver.moves(), 1, "{:#?}", driver.labels());
}

// ---- Saves ------------------------------------------------------------------

/// A folder in which a game of noughts and crosses waits after four moves, and its save.
fn with_save() -> (tempfile::TempDir, PathBuf) {
    let data = folder();
    let driver = start(data.path());
    begin(&driver);
    driver.tap_free();
    driver.settle();
    assert_eq!(driver.moves(), 4);
    drop(driver);
    let file = data.path().join("saves").join(format!("{NOUGHTS}.toml"));
    assert!(file.exists());
    (data, file)
}

fn backup(file: &Path) -> PathBuf {
    file.with_extension("toml.bak")
}

/// Files beside `file` that were kept aside.
fn asides(file: &Path) -> Vec<PathBuf> {
    let name = format!(
        "{}.broken-",
        file.file_name().unwrap_or_default().to_string_lossy()
    );
    let dir = file.parent().expect("a folder");
    let entries =
        std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let paths = entries.map(|entry| entry.expect("a folder's entry").path());
    paths
        .filter(|path| {
            path.file_name()
                .is_some_and(|found| found.to_string_lossy().starts_with(&name))
        })
        .collect()
}

/// Whether some file in the folder of saves has this content still.
fn is_kept(file: &Path, content: &[u8]) -> bool {
    let dir = file.parent().expect("a folder");
    let mut entries =
        std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    entries.any(|entry| read(&entry.expect("a folder's entry").path()) == content)
}

const CONTINUE: &str = "Continue: Noughts and crosses";

#[test]
fn a_broken_save_without_a_backup_is_kept_aside() {
    for (content, why) in [
        (&b"format = 1\ngame = "[..], "line 2, column 8"),
        (&b"\xff\xfe"[..], "line 1, column 1"),
        (&b""[..], "it is empty"),
    ] {
        let (data, file) = with_save();
        write(&file, content);
        std::fs::remove_file(backup(&file)).expect("there is a backup");
        let log = Log::start();
        let driver = start(data.path());
        let line = the_line(&driver, &log, "noughts.toml.broken-1");
        assert!(line.contains(why), "{line}");
        assert!(!driver.shows(CONTINUE));
        plays(&driver);
        assert_eq!(driver.notices().len(), 1, "{:#?}", driver.notices());
        drop(driver);
        assert_eq!(
            asides(&file)
                .iter()
                .map(|path| read(path))
                .collect::<Vec<_>>(),
            [content]
        );
    }
}

#[test]
fn a_broken_save_gives_way_to_its_backup() {
    let (data, file) = with_save();
    write(&file, "format = 1\ngame = ");
    let log = Log::start();
    let driver = start(data.path());
    the_line(&driver, &log, "noughts.toml.broken-1");
    the_line(&driver, &log, "noughts.toml.bak");
    driver.click(CONTINUE);
    driver.settle();
    // The backup is from before the last answer, which the computer then gives again.
    assert_eq!(driver.moves(), 4, "{:#?}", driver.labels());
    driver.special_key(Key::Escape);
    plays(&driver);
    assert_eq!(asides(&file).len(), 1);
}

#[test]
fn a_save_of_a_newer_version_is_told_and_never_overwritten() {
    let (data, file) = with_save();
    let content =
        String::from_utf8(read(&file))
            .expect("text")
            .replacen("format = 1", "format = 2", 1);
    assert!(content.contains("format = 2"), "{content}");
    write(&file, &content);
    let log = Log::start();
    let driver = start(data.path());
    let line = the_line(
        &driver,
        &log,
        "noughts.toml was written by a newer version (format 2",
    );
    assert!(line.contains("not changed"), "{line}");
    plays(&driver);
    drop(driver);
    assert_eq!(read(&file), content.as_bytes());
}

/// Name of a case, what it does to a good save, and what the app says of it.
type Unusable = (&'static str, fn(&mut toml::Table), &'static str);

/// Saves that are sound files but no games of this plugin.
fn unusable() -> Vec<Unusable> {
    fn set_move(save: &mut toml::Table, number: usize, text: &str) {
        let node = save
            .get_mut("nodes")
            .and_then(|nodes| nodes.get_mut(number - 1))
            .and_then(toml::Value::as_table_mut);
        node.expect("a node").insert("move".to_owned(), text.into());
    }
    vec![
        (
            "of another game",
            |save| drop(save.insert("game".to_owned(), "other".into())),
            "the record is of \"other\", not of \"noughts\"",
        ),
        (
            "a move twice",
            |save| {
                let first = save["nodes"][0]["move"]
                    .as_str()
                    .expect("a move")
                    .to_owned();
                set_move(save, 3, &first);
            },
            "move 3 (\"",
        ),
        (
            "a move that is none",
            |save| set_move(save, 2, "Z99"),
            "move 2 (\"Z99\"): ",
        ),
        (
            "beyond its end",
            |save| drop(save.insert("at".to_owned(), 99.into())),
            "at = 99 is beyond the line of 4 moves",
        ),
        (
            "a wrong type",
            |save| drop(save.insert("seed".to_owned(), "x".into())),
            "invalid type: string \"x\"",
        ),
        (
            "a wrong option",
            |save| {
                let mut options = toml::Table::new();
                options.insert("rule".to_owned(), "wild".into());
                save.insert("options".to_owned(), options.into());
            },
            "rule",
        ),
    ]
}

#[test]
fn a_save_that_is_no_game_is_told_and_kept() {
    for (case, change, wanted) in unusable() {
        let (data, file) = with_save();
        let mut save: toml::Table =
            toml::from_str(&String::from_utf8(read(&file)).expect("text")).expect("TOML");
        change(&mut save);
        let content = toml::to_string(&save).expect("TOML");
        write(&file, &content);
        let log = Log::start();
        let driver = start(data.path());
        if driver.shows(CONTINUE) {
            driver.click(CONTINUE);
            driver.settle();
        }
        let line = the_line(&driver, &log, wanted);
        assert!(
            line.contains("Noughts and crosses cannot be opened"),
            "{case}: {line}"
        );
        driver.special_key(Key::Escape);
        plays(&driver);
        drop(driver);
        // Several games later it is still there, whole.
        let driver = start(data.path());
        plays(&driver);
        plays(&driver);
        drop(driver);
        assert!(
            is_kept(&file, content.as_bytes()),
            "{case}: the save is lost"
        );
    }
}

// ---- Plugins ----------------------------------------------------------------

/// Puts a broken file under the library's name `libbad` into a folder.
type Breakage = fn(&Path);

/// Files of which no code can run, with a part of the line about each.
fn no_libraries() -> Vec<(Breakage, &'static str)> {
    fn bad(dir: &Path) -> PathBuf {
        dir.join(library_name("bad"))
    }
    vec![
        (
            |dir| write(&bad(dir), "This is not a library.\n"),
            "is not a shared library",
        ),
        (|dir| write(&bad(dir), ""), "the file is empty"),
        (
            |dir| {
                let whole = read(&built().bundled.join(library_name("qiju_go")));
                write(&bad(dir), &whole[..whole.len() / 3]);
            },
            "the file is not whole",
        ),
        (
            |dir| {
                let whole = read(&built().bundled.join(library_name("qiju_go")));
                write(&bad(dir), &whole[..whole.len() - 1]);
            },
            "the file is not whole",
        ),
    ]
}

/// Libraries that can be opened but are no plugins for this app.
fn bad_libraries() -> Vec<(Breakage, &'static str)> {
    fn faulty(dir: &Path, fault: &str) {
        fixtures::build_c(&[fixtures::c_broken()], dir, "bad", &[("FAULT", fault)]);
    }
    vec![
        (
            |dir| faulty(dir, "major"),
            "speaks version 7 of the plugin interface, this app 1",
        ),
        (
            |dir| {
                drop(fixtures::build_c(
                    &[fixtures::c_witness()],
                    dir,
                    "bad",
                    &[("WITNESS", "/dev/null")],
                ))
            },
            "it lacks the symbol game_plugin_entry",
        ),
        (|dir| faulty(dir, "not-toml"), "line 2, column 8"),
        (
            |dir| {
                drop(std::fs::rename(
                    fixtures::build_panicking(dir),
                    dir.join(library_name("bad")),
                ))
            },
            "describe of game 0 panicked",
        ),
    ]
}

/// The row of the broken file in the Plugins screen.
fn bad_row(driver: &Driver) -> qiju::PluginRow {
    let rows = driver.plugin_rows();
    let name = library_name("bad");
    let mut found = rows.into_iter().filter(|row| row.file.ends_with(&name));
    let row = found.next().expect("a row for the file");
    assert_eq!(found.next(), None, "one row for one file");
    row
}

#[test]
fn a_broken_bundled_plugin_is_named_and_the_others_play() {
    for (break_it, wanted) in no_libraries().into_iter().chain(bad_libraries()) {
        let (data, bundled) = (folder(), folder());
        break_it(bundled.path());
        write(
            &data.path().join("settings.toml"),
            "format = 1\nlanguage = \"en\"\n",
        );
        let log = Log::start();
        let driver = start_as_it_is(data.path(), &[bundled.path()]);
        let line = the_line(&driver, &log, wanted);
        assert!(line.contains(&library_name("bad")), "{line}");
        assert_eq!(driver.notices().len(), 1, "{:#?}", driver.notices());
        driver.click("Plugins");
        let row = bad_row(&driver);
        assert_eq!(row.state, PluginState::Broken);
        assert!(
            row.line.contains(wanted) && driver.shows(&row.line),
            "{row:?}"
        );
        driver.click("Look again");
        assert_eq!(
            driver.notices().len(),
            1,
            "looking again repeats it: {:#?}",
            driver.notices()
        );
        driver.special_key(Key::Escape);
        plays(&driver);
    }
}

#[test]
fn a_broken_file_that_was_dropped_in_is_named_without_being_asked_about() {
    for (break_it, wanted) in no_libraries() {
        let data = folder();
        let plugins = data.path().join("plugins");
        std::fs::create_dir_all(&plugins).expect("a folder");
        break_it(&plugins);
        let log = Log::start();
        let driver = start(data.path());
        the_line(&driver, &log, wanted);
        driver.click("Plugins");
        let row = bad_row(&driver);
        assert_eq!(row.state, PluginState::Broken);
        assert!(row.line.contains(wanted), "{row:?}");
        assert!(
            !driver.reads("Agree and load"),
            "there is nothing to agree to"
        );
        driver.special_key(Key::Escape);
        plays(&driver);
    }
}

#[test]
fn a_bad_library_that_was_dropped_in_is_named_once_it_was_agreed_to() {
    let crashing: Breakage = |dir| {
        drop(fixtures::build_c(
            &[fixtures::c_broken()],
            dir,
            "bad",
            &[("FAULT", "segfault")],
        ))
    };
    for (break_it, wanted) in bad_libraries()
        .into_iter()
        .chain([(crashing, "crashed when it was tried (SIGSEGV)")])
    {
        let data = folder();
        let plugins = data.path().join("plugins");
        std::fs::create_dir_all(&plugins).expect("a folder");
        break_it(&plugins);
        let log = Log::start();
        let driver = start(data.path());
        assert_eq!(driver.notices(), [""; 0], "{wanted}");
        driver.click("Plugins");
        assert_eq!(bad_row(&driver).state, PluginState::New, "{wanted}");
        driver.click(&format!("Agree and load: {}", library_name("bad")));
        let row = bad_row(&driver);
        assert_eq!(row.state, PluginState::Broken, "{wanted}: {row:?}");
        assert!(row.line.contains(wanted), "{row:?}");
        the_line(&driver, &log, wanted);
        driver.special_key(Key::Escape);
        plays(&driver);
    }
}

#[test]
fn a_named_pipe_is_no_plugin_and_does_not_hang() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let folder = data.path().join("plugins");
    std::fs::create_dir_all(&folder).expect("made");
    let pipe = folder.join(library_name("pipe"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    let driver = start(data.path());
    assert!(driver.reads("not a regular file"), "{:#?}", driver.labels());
    plays(&driver);
}

#[test]
fn a_level_that_does_not_exist_is_said() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let save = "format = 1\ngame = \"noughts\"\nversion = \"0.1.0\"\nseed = 1\nline = [0]\nat = 1\n\
        [options]\n[[seats]]\nwho = \"person\"\n[[seats]]\nwho = \"computer\"\nlevel = 99\n\
        [[nodes]]\nparent = -1\nmove = \"B2\"\n";
    std::fs::create_dir_all(data.path().join("saves")).expect("made");
    std::fs::write(data.path().join("saves/noughts.toml"), save).expect("written");
    let driver = start(data.path());
    driver.click("Continue: Noughts and crosses");
    driver.settle();
    assert!(
        driver.reads("names a level that does not exist"),
        "{:#?}",
        driver.labels()
    );
}

#[test]
fn a_game_beside_a_newer_save_says_that_it_is_not_kept() {
    let data = tempfile::tempdir().expect("a temporary folder");
    let file = data.path().join("saves/noughts.toml");
    std::fs::create_dir_all(data.path().join("saves")).expect("made");
    std::fs::write(&file, "format = 2\n").expect("written");
    let driver = start(data.path());
    driver.click("New game: Noughts and crosses");
    driver.click("Start");
    driver.settle();
    assert!(driver.reads("is not kept"), "{:#?}", driver.labels());
    assert_eq!(
        std::fs::read_to_string(&file).expect("there"),
        "format = 2\n"
    );
}
