//! The store as a whole, on real files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use tempfile::TempDir;

use super::*;
use crate::plugins::Trust as _;

pub(super) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub(super) fn open(dir: &TempDir) -> (Store, Vec<Notice>) {
    Store::open(Paths::at(dir.path().to_owned()))
}

pub(super) fn game(n: u32) -> String {
    format!("format = 1\nn = {n}\n")
}

pub(super) fn put(dir: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

pub(super) fn text(dir: &TempDir, name: &str) -> Option<String> {
    fs::read_to_string(dir.path().join(name)).ok()
}

/// Keeps the writer's thread busy with a save of "busy" until the sender is dropped.
fn hold_writer(store: &Store) -> mpsc::Sender<()> {
    let (release, held) = mpsc::channel::<()>();
    let (began, begun) = mpsc::channel();
    store.save_game_then(
        "busy",
        game(0),
        Box::new(move |_| {
            began.send(()).unwrap();
            // Ends with an error when the sender is dropped.
            let _ = held.recv();
        }),
    );
    begun.recv().unwrap();
    release
}

#[test]
fn what_is_kept_is_there_again() {
    let dir = folder();
    let hash = "0f".repeat(32);
    {
        let (store, notices) = open(&dir);
        assert_eq!(notices, []);
        assert_eq!(store.access(), Access::ReadWrite);
        store.save_settings(&Settings {
            language: Language::Zh,
            ..Settings::default()
        });
        store.save_game("a", game(1)).wait().unwrap();
        store.save_game("a", game(2));
        store.agree(&hash, Path::new("/x/y.so"));
        store.update_progress("a", |progress| progress.statistics.played += 1);
        store.update_progress("a", |progress| progress.statistics.played += 1);
        assert_eq!(store.flush(), []);
    }
    let (store, notices) = open(&dir);
    assert_eq!(notices, []);
    assert_eq!(store.settings().language, Language::Zh);
    assert_eq!(store.load_save("a"), Ok(Some(game(2))));
    assert_eq!(store.saves(), Ok(vec!["a".to_owned()]));
    assert!(store.is_trusted(&hash));
    assert_eq!(store.progress("a").statistics.played, 2);
    assert_eq!(store.progress("b"), GameProgress::default());
    assert_eq!(text(&dir, "saves/a.toml.bak"), Some(game(1)));
}

#[test]
fn opening_an_untouched_folder_writes_no_file_but_the_lock() {
    let dir = folder();
    drop(open(&dir));
    let files = fs::read_dir(dir.path())
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().is_file())
        .count();
    assert_eq!(files, 1);
    assert!(dir.path().join("qiju.lock").is_file() && dir.path().join("plugins").is_dir());
}

#[test]
fn the_last_handle_writes_what_waits() {
    let dir = folder();
    let (store, _) = open(&dir);
    let clone = store.clone();
    store.save_game("a", game(1));
    drop(store);
    clone.save_game("a", game(2));
    clone.save_game("b", game(3));
    drop(clone);
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(2)));
    assert_eq!(text(&dir, "saves/b.toml"), Some(game(3)));
}

#[test]
fn what_is_on_its_way_counts_and_only_the_newest_is_written() {
    let dir = folder();
    let (store, _) = open(&dir);
    store.save_game("a", game(1)).wait().unwrap();
    store.save_game("gone", game(1)).wait().unwrap();
    let release = hold_writer(&store);
    let tickets: Vec<Ticket> = (2..=9).map(|n| store.save_game("a", game(n))).collect();
    store.save_game("new", game(5));
    store.remove_save("gone");
    assert!(tickets.iter().all(|ticket| !ticket.is_done()));
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(1)));
    assert_eq!(store.load_save("a"), Ok(Some(game(9))));
    assert_eq!(store.load_save("new"), Ok(Some(game(5))));
    assert_eq!(store.load_save("gone"), Ok(None));
    assert_eq!(
        store.saves(),
        Ok(vec!["a".to_owned(), "busy".to_owned(), "new".to_owned()])
    );
    drop(release);
    for ticket in &tickets {
        assert_eq!(ticket.wait(), Ok(()));
    }
    // Were the others written too, the backup would be 8.
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(9)));
    assert_eq!(text(&dir, "saves/a.toml.bak"), Some(game(1)));
    assert_eq!(store.flush(), []);
    assert_eq!(text(&dir, "saves/gone.toml"), None);
}

#[test]
fn writing_what_is_there_keeps_the_backup_before_it() {
    let dir = folder();
    let (store, _) = open(&dir);
    for n in [1, 2, 2, 2] {
        store.save_game("a", game(n)).wait().unwrap();
    }
    assert_eq!(text(&dir, "saves/a.toml.bak"), Some(game(1)));
}

#[test]
fn a_text_saved_just_before_its_removal_is_in_the_backup() {
    let dir = folder();
    let (store, _) = open(&dir);
    let release = hold_writer(&store);
    store.save_game("a", game(1));
    store.save_game("a", game(2));
    let removed = store.remove_save("a");
    let after = store.save_game("b", game(3));
    drop(release);
    assert_eq!(removed.wait(), Ok(()));
    assert_eq!(after.wait(), Ok(()));
    assert_eq!(store.load_save("a"), Ok(None));
    assert_eq!(text(&dir, "saves/a.toml.bak"), Some(game(2)));
    assert_eq!(store.remove_save("never").wait(), Ok(()));
}

#[test]
fn whoever_is_called_back_finds_the_ticket_done_and_may_panic() {
    let dir = folder();
    let (store, _) = open(&dir);
    let (told, hear) = mpsc::channel();
    let ticket = store.save_game_then(
        "a",
        game(1),
        Box::new(move |result| told.send(result).unwrap()),
    );
    assert_eq!(hear.recv().unwrap(), Ok(()));
    assert!(ticket.is_done());
    assert_eq!(ticket.result(), Some(Ok(())));
    store.save_game_then(
        "a",
        game(2),
        Box::new(|_| panic!("a defect of the caller: meant by this test")),
    );
    assert_eq!(store.save_game("a", game(3)).wait(), Ok(()));
    let (told, hear) = mpsc::channel();
    store.save_game_then(
        "A",
        game(1),
        Box::new(move |result| told.send(result).unwrap()),
    );
    assert!(matches!(
        hear.recv().unwrap(),
        Err(StoreError::BadId { .. })
    ));
}

#[test]
fn the_last_handle_may_go_in_a_callback() {
    let dir = folder();
    let (store, _) = open(&dir);
    let (told, hear) = mpsc::channel();
    let release = hold_writer(&store);
    let own = store.clone();
    store.save_game_then(
        "a",
        game(1),
        Box::new(move |_| {
            drop(own);
            told.send(()).unwrap();
        }),
    );
    drop(store);
    drop(release);
    hear.recv().unwrap();
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(1)));
}

#[test]
fn bad_ids_reach_no_file() {
    let dir = folder();
    let (store, _) = open(&dir);
    for id in ["", "..", "../settings", "a/b", "A", "con", "a.toml"] {
        let bad = StoreError::BadId { id: id.to_owned() };
        assert_eq!(store.load_save(id), Err(bad.clone()));
        assert_eq!(store.save_game(id, game(1)).wait(), Err(bad.clone()));
        assert_eq!(store.remove_save(id).wait(), Err(bad.clone()));
        assert_eq!(store.set_save_aside(id).wait(), Err(bad));
    }
    assert_eq!(store.flush(), []);
    assert!(!dir.path().join("saves").exists());
}

#[test]
fn every_kind_of_broken_file_is_kept_and_named() {
    for name in [
        "settings.toml",
        "progress.toml",
        "plugins.toml",
        "saves/a.toml",
    ] {
        for (content, part) in [
            (&b""[..], "empty"),
            (b"language = ", "line 1"),
            (b"a = 1\nb == 2", "line 2, column"),
            (b"\xff\xfe", "UTF-8"),
            (b"format = \"x\"", "format"),
            (b"format = 1\n[window]\nwidth = 90", ""),
        ] {
            let dir = folder();
            put(&dir, name, content);
            let (store, mut notices) = open(&dir);
            assert_eq!(store.settings().language, Language::System);
            let loaded = store.load_save("a");
            notices.extend(store.take_notices());
            if part.is_empty() {
                // Cut where a value ends: still TOML.
                assert_eq!(text(&dir, name).unwrap().as_bytes(), content);
                continue;
            }
            assert_eq!(loaded, Ok(None));
            assert_eq!(notices.len(), 1, "{notices:?}");
            let line = notices[0].to_string();
            assert!(
                line.contains(part)
                    && line.contains(Path::new(name).file_name().unwrap().to_str().unwrap()),
                "{line}"
            );
            assert_eq!(
                fs::read(dir.path().join(format!("{name}.broken-1"))).unwrap(),
                content
            );
            assert_eq!(text(&dir, name), None);
        }
    }
}

#[test]
fn a_broken_save_gives_way_to_its_backup() {
    let dir = folder();
    let (store, _) = open(&dir);
    store.save_game("a", game(1)).wait().unwrap();
    store.save_game("a", game(2)).wait().unwrap();
    put(&dir, "saves/a.toml", "format = 1\nnum");
    assert_eq!(store.load_save("a"), Ok(Some(game(1))));
    let notices = store.take_notices();
    assert!(
        matches!(
            notices[..],
            [Notice::Broken { .. }, Notice::BackupUsed { .. }]
        ),
        "{notices:?}"
    );
    store.save_game("a", game(3)).wait().unwrap();
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(3)));
    assert_eq!(
        text(&dir, "saves/a.toml.broken-1").as_deref(),
        Some("format = 1\nnum")
    );
}

#[test]
fn a_broken_save_that_was_never_loaded_is_not_overwritten() {
    let dir = folder();
    put(&dir, "saves/a.toml", "?");
    put(&dir, "saves/a.toml.bak", game(1));
    put(&dir, "saves/b.toml", "?");
    fs::create_dir_all(dir.path().join("saves/c.toml/d")).unwrap();
    let (store, _) = open(&dir);
    store.save_game("a", game(2)).wait().unwrap();
    store.remove_save("b").wait().unwrap();
    store.save_game("c", game(4)).wait().unwrap();
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(2)));
    assert_eq!(text(&dir, "saves/a.toml.bak"), Some(game(1)));
    for name in ["a", "b"] {
        assert_eq!(
            text(&dir, &format!("saves/{name}.toml.broken-1")).as_deref(),
            Some("?")
        );
    }
    assert_eq!(text(&dir, "saves/b.toml"), None);
    assert_eq!(text(&dir, "saves/c.toml"), Some(game(4)));
    assert!(dir.path().join("saves/c.toml.broken-1/d").is_dir());
    assert_eq!(store.take_notices().len(), 3);
}

#[test]
fn a_newer_file_is_never_rewritten() {
    let dir = folder();
    let newer = "format = 99\nlanguage = \"zh\"\n";
    for name in [
        "settings.toml",
        "progress.toml",
        "plugins.toml",
        "saves/a.toml",
    ] {
        put(&dir, name, newer);
    }
    let (store, notices) = open(&dir);
    assert!(
        notices
            .iter()
            .all(|notice| matches!(notice, Notice::Newer { found: 99, .. })),
        "{notices:?}"
    );
    assert_eq!(notices.len(), 3);
    for _ in 0..2 {
        assert!(matches!(
            store.load_save("a"),
            Err(StoreError::Newer { found: 99, .. })
        ));
        assert!(matches!(
            store.save_game("a", game(1)).wait(),
            Err(StoreError::Newer { .. })
        ));
        assert!(matches!(
            store.remove_save("a").wait(),
            Err(StoreError::Newer { .. })
        ));
    }
    // What is understood is read, and changes count in memory.
    assert_eq!(store.settings().language, Language::Zh);
    let changed = Settings {
        coordinates: false,
        ..store.settings()
    };
    assert!(matches!(
        store.save_settings(&changed).wait(),
        Err(StoreError::Newer { .. })
    ));
    assert_eq!(store.settings(), changed);
    assert!(matches!(
        store.update_progress("a", |p| p.statistics.won = 1).wait(),
        Err(StoreError::Newer { .. })
    ));
    assert_eq!(store.progress("a").statistics.won, 1);
    // Said once, though met many times.
    assert_eq!(store.take_notices().len(), 1);
    drop(store);
    for name in [
        "settings.toml",
        "progress.toml",
        "plugins.toml",
        "saves/a.toml",
    ] {
        assert_eq!(text(&dir, name).as_deref(), Some(newer));
        assert_eq!(text(&dir, &format!("{name}.bak")), None);
    }
}

#[test]
fn a_text_that_could_not_be_read_again_is_not_written() {
    let dir = folder();
    let (store, _) = open(&dir);
    store.save_game("a", game(1)).wait().unwrap();
    assert!(matches!(
        store.save_game("a", "= =".to_owned()).wait(),
        Err(StoreError::BadText { .. })
    ));
    assert!(matches!(
        store.save_game("a", String::new()).wait(),
        Err(StoreError::BadText { .. })
    ));
    assert!(matches!(
        store.save_game("a", "format = 2".to_owned()).wait(),
        Err(StoreError::Newer { .. })
    ));
    assert_eq!(store.load_save("a"), Ok(Some(game(1))));
}

#[test]
fn unknown_keys_survive_many_runs() {
    let dir = folder();
    put(
        &dir,
        "settings.toml",
        "sound = true\n[games.a]\nx = 1\n[games.a.deep]\ny = [1, { z = 2 }]\n[new]\nw = 3\n",
    );
    for n in 1..=3 {
        let (store, notices) = open(&dir);
        assert_eq!(notices, []);
        let mut settings = store.settings();
        settings.window.width = 1000 + n;
        settings
            .games
            .entry("a".to_owned())
            .or_default()
            .insert("seen".to_owned(), i64::from(n).into());
        store.save_settings(&settings).wait().unwrap();
    }
    let table: toml::Table = toml::from_str(&text(&dir, "settings.toml").unwrap()).unwrap();
    let expected: toml::Table = toml::from_str(
        "sound = true\n[games.a]\nx = 1\nseen = 3\n[games.a.deep]\ny = [1, { z = 2 }]\n[new]\nw = 3\n[window]\nwidth = 1003\n",
    )
    .unwrap();
    assert_eq!(table, expected);
}

#[test]
fn a_second_copy_reads_and_writes_nothing() {
    let dir = folder();
    let (first, _) = open(&dir);
    first.save_game("a", game(1)).wait().unwrap();
    first
        .save_settings(&Settings {
            coordinates: false,
            ..Settings::default()
        })
        .wait()
        .unwrap();
    put(&dir, "saves/b.toml", "?");
    put(&dir, "saves/.qiju-x.tmp", "of the first copy");

    let (second, notices) = open(&dir);
    assert_eq!(
        notices,
        [Notice::AnotherCopyRuns {
            data_dir: dir.path().to_owned()
        }]
    );
    assert_eq!(second.access(), Access::ReadOnly);
    assert_eq!(second.load_save("a"), Ok(Some(game(1))));
    assert_eq!(second.load_save("b"), Ok(None));
    assert_eq!(text(&dir, "saves/b.toml").as_deref(), Some("?"));
    assert_eq!(
        text(&dir, "saves/.qiju-x.tmp").as_deref(),
        Some("of the first copy")
    );
    assert!(!second.settings().coordinates);
    let refused = StoreError::AnotherCopyRuns {
        data_dir: dir.path().to_owned(),
    };
    let (told, hear) = mpsc::channel();
    second.save_game_then(
        "a",
        game(2),
        Box::new(move |result| told.send(result).unwrap()),
    );
    assert_eq!(hear.recv().unwrap(), Err(refused.clone()));
    assert_eq!(
        second.save_settings(&Settings::default()).wait(),
        Err(refused.clone())
    );
    assert!(second.settings().coordinates, "it counts in this run");
    assert_eq!(second.remove_save("a").wait(), Err(refused.clone()));
    assert_eq!(second.set_save_aside("a").wait(), Err(refused));
    assert_eq!(second.flush(), []);
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(1)));

    first.save_game("a", game(3)).wait().unwrap();
    drop(first);
    let (third, notices) = open(&dir);
    assert_eq!(notices, []);
    assert_eq!(third.access(), Access::ReadWrite);
    assert_eq!(third.load_save("a"), Ok(Some(game(3))));
    assert_eq!(text(&dir, "saves/.qiju-x.tmp"), None);
}

#[test]
fn a_save_that_nobody_understands_is_set_aside_whole() {
    let dir = folder();
    let (store, _) = open(&dir);
    for n in 1..=2 {
        store.save_game("a", game(n));
        store.set_save_aside("a");
        store.save_game("a", game(n + 10)).wait().unwrap();
        assert_eq!(
            text(&dir, &format!("saves/a.toml.broken-{n}")),
            Some(game(n))
        );
        assert_eq!(text(&dir, "saves/a.toml"), Some(game(n + 10)));
    }
    let notices = store.take_notices();
    assert_eq!(
        notices
            .iter()
            .filter(|notice| matches!(notice, Notice::SetAside { .. }))
            .count(),
        2
    );
    // A newer version's save goes the same way, if that is what is asked for.
    put(&dir, "saves/b.toml", "format = 9");
    store.set_save_aside("b").wait().unwrap();
    assert_eq!(
        text(&dir, "saves/b.toml.broken-1").as_deref(),
        Some("format = 9")
    );
}

#[test]
fn trust_is_by_content_and_is_remembered() {
    let dir = folder();
    let (one, two) = ("ab".repeat(32), "cd".repeat(32));
    let path = Path::new("/plugins/x.so");
    {
        let (store, _) = open(&dir);
        assert!(!store.is_trusted(&one) && !store.knew(path));
        store.agree(&one, path);
        assert!(
            store.is_trusted(&one) && store.is_trusted(&one.to_uppercase()),
            "at once"
        );
        assert!(!store.is_trusted(&two) && store.knew(path) && !store.probed(&one));
        store.set_probed(&one);
        store.set_probed(&two);
        assert!(store.probed(&one) && !store.probed(&two) && !store.is_trusted(&two));
        assert!(matches!(
            store.agree("../x", path).wait(),
            Err(StoreError::BadHash { .. })
        ));
        assert!(!store.is_trusted("../x") && !store.is_trusted(""));
    }
    let (store, notices) = open(&dir);
    assert_eq!(notices, []);
    assert!(store.trusts(&one) && store.probed(&one) && store.knew(path));
    let trusted = store.trusted();
    assert_eq!(trusted.len(), 1);
    assert_eq!(trusted[0].1.path, "/plugins/x.so");
    assert_eq!(trusted[0].1.agreed.len(), "2026-11-03".len());
    store.forget(&one).wait().unwrap();
    assert!(!store.is_trusted(&one));
    drop(store);
    assert!(!open(&dir).0.is_trusted(&one));
}

#[test]
fn the_handle_goes_to_any_thread() {
    fn sendable<T: Send + Sync + Clone + 'static>() {}
    sendable::<Store>();
    sendable::<Ticket>();
    let dir = folder();
    let (store, _) = open(&dir);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for n in 0..20 {
                    store.save_game("a", game(n));
                    store.save_game(&format!("a{thread}"), game(n));
                    store.update_progress("a", |progress| progress.statistics.played += 1);
                    assert!(store.load_save("a").unwrap().is_some());
                }
            });
        }
    });
    assert_eq!(store.flush(), []);
    assert_eq!(store.saves().unwrap().len(), 5);
    drop(store);
    let (store, notices) = open(&dir);
    assert_eq!(notices, []);
    assert_eq!(store.progress("a").statistics.played, 80);
    assert_eq!(store.load_save("a3"), Ok(Some(game(19))));
}
