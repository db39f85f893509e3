//! The store on a disk that refuses: nothing is lost, and the player is told.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::tests::{folder, game, open, put, text};
use super::*;

#[test]
fn a_failed_write_is_said_once_and_tried_again() {
    let dir = folder();
    let (store, _) = open(&dir);
    let woken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&woken);
    store.on_notice(move || {
        count.fetch_add(1, Ordering::Relaxed);
    });
    // A file where the folder of the saves should be.
    let obstacle = put(&dir, "saves", "in the way");
    for n in 1..=3 {
        assert!(matches!(
            store.save_game("a", game(n)).wait(),
            Err(StoreError::Write { .. })
        ));
    }
    assert_eq!(store.flush().len(), 1);
    assert!(matches!(
        store.take_notices()[..],
        [Notice::WriteFailed { .. }]
    ));
    assert_eq!(
        store.load_save("a"),
        Ok(Some(game(3))),
        "it is not on disk, but not lost"
    );
    assert_eq!(fs::read(&obstacle).unwrap(), b"in the way");

    fs::remove_file(&obstacle).unwrap();
    store.save_game("b", game(9)).wait().unwrap();
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(3)));
    assert_eq!(store.flush(), []);
    assert!(matches!(
        store.take_notices()[..],
        [Notice::WriteRecovered { .. }]
    ));
    assert_eq!(woken.load(Ordering::Relaxed), 2);
}

#[test]
fn flush_and_the_end_try_a_failed_write_again() {
    for by_flush in [true, false] {
        let dir = folder();
        let (store, _) = open(&dir);
        let obstacle = put(&dir, "saves", "in the way");
        assert!(store.save_game("a", game(1)).wait().is_err());
        fs::remove_file(obstacle).unwrap();
        if by_flush {
            assert_eq!(store.flush(), []);
        } else {
            drop(store);
        }
        assert_eq!(
            text(&dir, "saves/a.toml"),
            Some(game(1)),
            "by flush: {by_flush}"
        );
    }
}

#[test]
fn a_failed_write_does_not_come_back_after_a_removal() {
    let dir = folder();
    let (store, _) = open(&dir);
    let obstacle = put(&dir, "saves", "in the way");
    assert!(store.save_game("a", game(1)).wait().is_err());
    assert_eq!(store.remove_save("a").wait(), Ok(()));
    fs::remove_file(obstacle).unwrap();
    assert_eq!(store.flush(), []);
    assert_eq!(store.load_save("a"), Ok(None));
    assert_eq!(text(&dir, "saves/a.toml"), None);
}

#[test]
fn a_file_in_the_place_of_the_folder_costs_memory_nothing() {
    let outer = folder();
    put(&outer, "data", "not a folder");
    let (store, notices) = Store::open(Paths::at(outer.path().join("data")));
    assert!(
        matches!(notices[..], [Notice::LockUnavailable { .. }]),
        "{notices:?}"
    );
    assert_eq!(store.settings(), Settings::default());
    assert_eq!(store.load_save("a"), Ok(None));
    let changed = Settings {
        coordinates: false,
        ..Settings::default()
    };
    assert!(matches!(
        store.save_settings(&changed).wait(),
        Err(StoreError::Write { .. })
    ));
    assert!(matches!(
        store.save_game("a", game(1)).wait(),
        Err(StoreError::Write { .. })
    ));
    assert_eq!(store.settings(), changed);
    assert_eq!(store.load_save("a"), Ok(Some(game(1))));
    assert_eq!(store.flush().len(), 2);
    drop(store);
    assert_eq!(text(&outer, "data").as_deref(), Some("not a folder"));
}

/// A link to itself: the system cannot say what is there.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_now_is_not_overwritten() {
    let dir = folder();
    fs::create_dir(dir.path().join("saves")).unwrap();
    for name in ["settings.toml", "saves/a.toml"] {
        std::os::unix::fs::symlink(dir.path().join(name), dir.path().join(name)).unwrap();
    }
    let (store, notices) = open(&dir);
    assert!(
        matches!(notices[..], [Notice::Unreadable { .. }]),
        "{notices:?}"
    );
    assert!(matches!(store.load_save("a"), Err(StoreError::Read { .. })));
    assert!(matches!(
        store.save_game("a", game(1)).wait(),
        Err(StoreError::Read { .. })
    ));
    assert!(matches!(
        store.save_settings(&Settings::default()).wait(),
        Err(StoreError::Read { .. })
    ));
    for name in ["settings.toml", "saves/a.toml"] {
        assert!(fs::read_link(dir.path().join(name)).is_ok(), "{name}");
    }
    // Readable again: the settings of before are whole, the game that waited is written.
    fs::remove_file(dir.path().join("saves/a.toml")).unwrap();
    fs::remove_file(dir.path().join("settings.toml")).unwrap();
    put(&dir, "settings.toml", "language = \"zh\"");
    assert_eq!(
        store
            .save_settings(&Settings::default())
            .result()
            .map(|result| result.is_err()),
        Some(true)
    );
    assert_eq!(store.flush(), []);
    assert_eq!(
        text(&dir, "settings.toml").as_deref(),
        Some("language = \"zh\"")
    );
    assert_eq!(text(&dir, "saves/a.toml"), Some(game(1)));
}
