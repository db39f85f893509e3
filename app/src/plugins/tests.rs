//! Loading, trying, finding and calling real libraries, good and broken.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use qiju_abi::{GP_MOVE_STEP, GP_NONE, GpMove};

use super::testing::{self, BROKEN, GAME, build, compile, file_name};
use super::*;

fn dir() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn prober() -> Prober {
    Prober::of(testing::program())
}

fn english(error: &LoadError) -> String {
    error.message(Lang::En)
}

/// Breakages that this process survives: the library is loaded right here.
#[test]
fn each_broken_library_has_one_clear_line() {
    let dir = dir();
    for (fault, wanted) in [
        ("null-entry", "its entry function gives nothing"),
        (
            "magic",
            "is not a Qiju plugin (its magic number is 0x12345678)",
        ),
        (
            "major",
            "speaks version 7 of the plugin interface, this app 1",
        ),
        ("none", "holds no game"),
        ("short-entry", "holds no game"),
        ("many", "claims to hold 1000000 games"),
        ("null-game", "the function table of game 0 is null"),
        ("no-apply", "game 0 lacks the required function apply"),
        (
            "short-table",
            "game 0 lacks the required function move_label",
        ),
        ("half-ai", "game 0 lacks the required function ai_step"),
        ("twins", "two of its games have the id broken"),
        ("panic", "describe of game 0 panicked"),
        (
            "refuses",
            "describe of game 0 failed (the game ran out of memory",
        ),
        ("strange-code", "unknown code 77"),
        ("huge", "describe claims a length of 1099511627776"),
        ("never-enough", "describe asks for a buffer that it has"),
        ("overlong", "describe claims 4097 bytes in a buffer of 4096"),
        ("not-utf8", "not UTF-8 at byte 2"),
        (
            "not-toml",
            "the description of game 0 (zh) is wrong: line 2, column 8",
        ),
        ("bad-id", "id \"No Spaces\" is not"),
        ("no-id", "missing field `id`"),
        ("no-sides", "sides has 0 entries"),
        ("five-sides", "sides has 5 entries"),
        ("bad-default", "options.k.default is 12"),
        ("languages-differ", "sides differs between the languages"),
    ] {
        let file = build(BROKEN, dir.path(), fault, fault);
        let error = load(&file).unwrap_err();
        let name = file.file_name().unwrap().to_str().unwrap();
        for lang in Lang::ALL {
            let line = error.message(lang);
            assert!(line.starts_with(name), "{fault}: {line}");
            assert!(!line.contains('\n'), "{fault}: {line}");
        }
        assert!(english(&error).contains(wanted), "{fault}: {error}");
        // What the child tells its parent is the same.
        assert_eq!(prober().probe(&file), Err(error), "{fault}");
    }
}

#[test]
fn a_library_of_another_minor_version_or_size_is_good() {
    let dir = dir();
    for fault in ["", "minor", "long-table", "future"] {
        let file = build(BROKEN, dir.path(), &format!("good-{fault}"), fault);
        let games = load(&file).unwrap_or_else(|error| panic!("{fault}: {error}"));
        assert_eq!(games[0].id(), "broken", "{fault}");
        assert!(!games[0].has_ai());
    }
}

#[test]
fn a_library_without_the_symbol_is_no_plugin() {
    let dir = dir();
    let file = dir.path().join(file_name("other"));
    compile(
        BROKEN,
        &file,
        &["-shared", "-fPIC", "-DFAULT=\"\"", "-DNO_SYMBOL"],
    );
    let error = load(&file).unwrap_err();
    assert_eq!(error.cause, LoadCause::MissingSymbol);
    assert!(english(&error).contains("lacks the symbol game_plugin_entry"));
}

#[test]
fn a_library_that_needs_another_says_so() {
    let dir = dir();
    let file = dir.path().join(file_name("needy"));
    let source = "void nowhere(void); void game_plugin_entry(void); void game_plugin_entry(void) { nowhere(); }";
    let flags: &[&str] = match cfg!(target_os = "macos") {
        true => &["-shared", "-fPIC", "-undefined", "dynamic_lookup"],
        false => &["-shared", "-fPIC"],
    };
    compile(source, &file, flags);
    let error = load(&file).unwrap_err();
    assert!(matches!(error.cause, LoadCause::Open(_)), "{error}");
    assert!(english(&error).contains("nowhere"), "{error}");
}

#[test]
fn files_that_are_no_libraries_have_one_clear_line() {
    let dir = dir();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("libempty.so"), b"").unwrap();
    std::fs::write(path("libtext.so"), b"hello").unwrap();
    compile(
        "int main(void) { return 0; }",
        &path("libobject.so"),
        &["-c"],
    );
    for (name, cause) in [
        ("libempty.so", LoadCause::Empty),
        ("libtext.so", LoadCause::NotALibrary),
        ("libobject.so", LoadCause::NotShared),
    ] {
        assert_eq!(load(&path(name)).unwrap_err().cause, cause, "{name}");
    }
    let missing = load(&path("libmissing.so")).unwrap_err();
    assert!(
        matches!(missing.cause, LoadCause::Unreadable(_)),
        "{missing}"
    );
    let folder = load(dir.path()).unwrap_err();
    assert!(matches!(folder.cause, LoadCause::Unreadable(_)), "{folder}");
}

/// The system's loader dies of some of these; the checks before it must not let them through.
#[test]
fn no_truncated_library_reaches_the_loader() {
    let dir = dir();
    let whole = std::fs::read(build(GAME, dir.path(), "whole", "")).unwrap();
    let cut = dir.path().join("libcut.so");
    for part in 1..64 {
        std::fs::write(&cut, &whole[..whole.len() * part / 64]).unwrap();
        let error = load(&cut).unwrap_err();
        assert!(
            matches!(error.cause, LoadCause::Truncated { has, .. } if has == (whole.len() * part / 64) as u64),
            "{part}: {error}"
        );
    }
    std::fs::write(&cut, &whole[..whole.len() - 1]).unwrap();
    assert!(matches!(
        load(&cut).unwrap_err().cause,
        LoadCause::Truncated { .. }
    ));
}

#[test]
fn a_probe_survives_crashes_hangs_and_chatter() {
    let dir = dir();
    let probe = |fault: &str| {
        let prober = match fault {
            // However slow the machine is, this one never answers.
            "hang" => prober().with_limit(Duration::from_millis(300)),
            _ => prober().with_limit(Duration::from_secs(60)),
        };
        prober.probe(&build(BROKEN, dir.path(), fault, fault))
    };
    for (fault, wanted) in [
        ("segfault", "crashed when it was tried (SIGSEGV)"),
        ("abort", "crashed when it was tried (SIGABRT)"),
        ("crash-at-load", "crashed when it was tried (SIGABRT)"),
        ("exit", "crashed when it was tried (exit code 0)"),
        ("hang", "gave no answer within 300 ms"),
    ] {
        let error = probe(fault).unwrap_err();
        assert!(english(&error).contains(wanted), "{fault}: {error}");
    }
    assert_eq!(probe("chatter"), Ok(vec!["broken".to_owned()]));
    assert_eq!(probe("good"), Ok(vec!["broken".to_owned()]));
}

#[test]
fn a_probe_that_cannot_be_run_says_so() {
    let prober = Prober::new(PathBuf::from("/no/such/program"));
    let error = prober.probe(Path::new("libx.so")).unwrap_err();
    assert!(matches!(error.cause, LoadCause::Probe(_)), "{error}");
}

/// What a store keeps, with every question that it was asked.
#[derive(Default)]
struct Book {
    trusted: HashSet<String>,
    known: HashSet<PathBuf>,
    probed: RefCell<HashSet<String>>,
    /// Is replaced the moment before it is tried.
    replaced: Option<(PathBuf, Vec<u8>)>,
}

impl Trust for Book {
    fn trusts(&self, hash: &str) -> bool {
        self.trusted.contains(hash)
    }

    fn knew(&self, path: &Path) -> bool {
        self.known.contains(path)
    }

    fn probed(&self, hash: &str) -> bool {
        if let Some((path, content)) = &self.replaced {
            std::fs::write(path, content).unwrap();
        }
        self.probed.borrow().contains(hash)
    }

    fn set_probed(&self, hash: &str) {
        self.probed.borrow_mut().insert(hash.to_owned());
    }
}

fn outside(dir: &Path) -> SearchPath {
    SearchPath {
        dir: dir.to_owned(),
        bundled: false,
    }
}

fn bundled(dir: &Path) -> SearchPath {
    SearchPath {
        dir: dir.to_owned(),
        bundled: true,
    }
}

/// One word for each entry.
fn states(found: &[Found]) -> Vec<String> {
    found
        .iter()
        .map(|file| {
            let name = file.path.file_stem().unwrap().to_str().unwrap();
            let state = match &file.state {
                FoundState::Loaded(games) => {
                    let ids: Vec<&str> = games.iter().map(Plugin::id).collect();
                    format!("loaded {}", ids.join(" "))
                }
                FoundState::New => "new".to_owned(),
                FoundState::Changed => "changed".to_owned(),
                FoundState::Broken(error) => format!("broken {}", english(error)),
                FoundState::Shadowed { id, by } => {
                    format!(
                        "{id} shadowed by {}",
                        by.file_stem().unwrap().to_str().unwrap()
                    )
                }
            };
            format!("{name}: {state}")
        })
        .collect()
}

#[test]
fn a_file_from_outside_runs_only_when_it_is_trusted() {
    let dir = dir();
    // Its constructor ends the process that opens it.
    let bomb = build(BROKEN, dir.path(), "bomb", "crash-at-load");
    let paths = [outside(dir.path())];
    let nobody = |_: &str| false;
    let found = discover(&paths, &nobody, &prober());
    assert_eq!(states(&found), ["libbomb: new"]);
    assert_eq!(found[0].hash.len(), 64);

    let known = Book {
        known: [bomb.clone()].into(),
        ..Book::default()
    };
    assert_eq!(
        states(&discover(&paths, &known, &prober())),
        ["libbomb: changed"]
    );

    // Trusted, it dies in the child.
    let everybody = |_: &str| true;
    let states = states(&discover(&paths, &everybody, &prober()));
    assert!(
        states[0].contains(&format!("broken {}: crashed", file_name("bomb"))),
        "{states:?}"
    );
}

#[test]
fn a_trusted_file_is_tried_once_and_then_known() {
    let dir = dir();
    build(GAME, dir.path(), "game", "");
    let paths = [outside(dir.path())];
    let hash = discover(&paths, &|_: &str| false, &prober())[0]
        .hash
        .clone();
    let book = Book {
        trusted: [hash.clone()].into(),
        ..Book::default()
    };
    let found = discover(&paths, &book, &prober());
    assert_eq!(states(&found), ["libgame: loaded faulty"]);
    assert!(book.probed.borrow().contains(&hash));

    // Tried before, it needs no child: here there is none to be had.
    let no_child = Prober::new(PathBuf::from("/no/such/program"));
    let found = discover(&paths, &book, &no_child);
    assert_eq!(states(&found), ["libgame: loaded faulty"]);
}

#[test]
fn a_file_replaced_while_it_is_tried_is_not_loaded() {
    let dir = dir();
    let file = build(GAME, dir.path(), "game", "");
    let other = std::fs::read(build(
        BROKEN,
        &dir.path().join("."),
        "other",
        "crash-at-load",
    ))
    .unwrap();
    std::fs::remove_file(dir.path().join(file_name("other"))).unwrap();
    let paths = [outside(dir.path())];
    let hash = discover(&paths, &|_: &str| false, &prober())[0]
        .hash
        .clone();
    let good_again = build(BROKEN, dir.path(), "harmless", "");
    let harmless = std::fs::read(&good_again).unwrap();
    std::fs::remove_file(good_again).unwrap();
    for (content, wanted) in [
        (harmless, "was replaced while it was being tried"),
        (other, "crashed when it was tried"),
    ] {
        let original = std::fs::read(&file).unwrap();
        let book = Book {
            trusted: [hash.clone()].into(),
            replaced: Some((file.clone(), content)),
            ..Book::default()
        };
        let states = states(&discover(&paths, &book, &prober()));
        assert!(states[0].contains(wanted), "{states:?}");
        assert!(book.probed.borrow().is_empty());
        std::fs::write(&file, original).unwrap();
    }
}

#[test]
fn the_first_of_two_games_with_one_id_wins() {
    let (first, second) = (dir(), dir());
    build(GAME, second.path(), "a", "");
    build(GAME, first.path(), "b", "");
    build(BROKEN, first.path(), "c", "");
    let found = discover(
        &[bundled(first.path()), bundled(second.path())],
        &|_: &str| false,
        &prober(),
    );
    assert_eq!(
        states(&found),
        [
            "libb: loaded faulty",
            "libc: loaded broken",
            "liba: faulty shadowed by libb"
        ]
    );
    assert!(found.iter().all(|file| file.bundled));
}

#[test]
fn a_file_is_found_once_however_many_ways_lead_to_it() {
    let dir = dir();
    let file = build(GAME, dir.path(), "game", "");
    std::os::unix::fs::symlink(&file, dir.path().join(file_name("z"))).unwrap();
    std::os::unix::fs::symlink(dir.path().join("gone"), dir.path().join(file_name("gone")))
        .unwrap();
    std::fs::write(dir.path().join("readme.txt"), "no plugin's name").unwrap();
    std::fs::write(dir.path().join("game.so"), "no plugin's name").unwrap();
    std::fs::create_dir(dir.path().join(file_name("folder"))).unwrap();
    let missing = dir.path().join("missing");
    let paths = [
        bundled(dir.path()),
        bundled(&missing),
        bundled(&dir.path().join(".")),
    ];
    let states = states(&discover(&paths, &|_: &str| false, &prober()));
    assert_eq!(states.len(), 2, "{states:?}");
    assert_eq!(states[0], "libgame: loaded faulty");
    assert!(states[1].contains(": cannot be read"), "{states:?}");
}

#[test]
fn broken_bundled_files_do_not_hide_the_good_ones() {
    let dir = dir();
    std::fs::write(dir.path().join(file_name("a")), "text").unwrap();
    build(BROKEN, dir.path(), "b", "panic");
    build(GAME, dir.path(), "c", "");
    let states = states(&discover(
        &[bundled(dir.path())],
        &|_: &str| false,
        &prober(),
    ));
    assert_eq!(states.len(), 3);
    assert!(
        states[0].ends_with(": is not a shared library"),
        "{states:?}"
    );
    assert!(
        states[1].ends_with("describe of game 0 panicked"),
        "{states:?}"
    );
    assert_eq!(states[2], "libc: loaded faulty");
}

#[test]
fn the_folders_are_searched_in_order() {
    let paths = search_paths(Path::new("/data/plugins"));
    assert!(paths[0].bundled && paths[0].dir.ends_with("plugins"));
    assert_eq!(paths[1], outside(Path::new("/data/plugins")));
}

/// The game with a fault, loaded into this process.
fn game_with(fault: &str) -> (tempfile::TempDir, Game) {
    let dir = dir();
    let file = build(GAME, dir.path(), &format!("live-{fault}"), fault);
    let plugin = load(&file).unwrap().remove(0);
    let game = plugin.create(&toml::Table::new(), 1, Lang::En).unwrap();
    (dir, game)
}

#[test]
fn a_game_is_played_through_safe_calls() {
    let (_dir, mut game) = game_with("");
    let wrong: toml::Table = "limit = 7".parse().unwrap();
    let error = game.plugin().create(&wrong, 1, Lang::Zh).unwrap_err();
    assert_eq!(error, GameError::Option("limit：不能取这个值".to_owned()));

    let layout = game.layout(Lang::Zh).unwrap();
    assert_eq!((layout.areas.len(), layout.cells()), (2, 11));
    assert_eq!(game.view(0, None).unwrap().len(), 11);
    let mv = game.parse_move("6-3").unwrap();
    assert_eq!(
        mv,
        GpMove {
            kind: GP_MOVE_STEP,
            from: 6,
            to: 3,
            arg: 0
        }
    );
    let copy = game.try_clone().unwrap();
    assert_ne!(game.apply(mv).unwrap(), 0);
    assert_eq!(game.apply(mv), Err(GameError::Illegal));
    assert_eq!(game.explain(mv, Lang::En).unwrap(), "not possible");
    assert_eq!(
        (
            copy.status().unwrap().move_number,
            game.status().unwrap().move_number
        ),
        (0, 1)
    );
    assert_eq!(game.overlay(1, 0), Err(GameError::Unsupported));
    assert_eq!(
        game.plugin().level(3, Lang::En),
        Err(GameError::Unsupported)
    );
    let refusal = game.plugin().read_record("txt", b"x").unwrap_err();
    assert_eq!(refusal.message(Lang::En), "line 1, column 1: no record");
    assert_eq!(
        game.plugin().write_record("txt", ""),
        Err(GameError::Unsupported)
    );
}

#[test]
fn a_game_that_panicked_once_is_given_up() {
    let (_dir, mut game) = game_with("panics-at-3");
    for text in ["6-3", "1-4"] {
        let mv = game.parse_move(text).unwrap();
        game.apply(mv).unwrap();
    }
    let healthy = game.try_clone().unwrap();
    let third = game.moves(None).unwrap()[0];
    game.apply(third).unwrap();
    assert!(game.status().is_ok());
    assert_eq!(game.status_text(0, Lang::En), Err(GameError::Panicked));
    assert_eq!(
        game.status(),
        Err(GameError::Panicked),
        "the C side would still answer"
    );
    assert_eq!(game.apply(third), Err(GameError::Panicked));
    assert!(game.try_clone().is_err());
    assert!(healthy.status_text(0, Lang::En).is_ok());
}

#[test]
fn answers_that_break_the_abi_are_refused() {
    for (fault, wanted) in [
        (
            "overlay-short",
            "overlay 0 has 9 values and layout 11 cells",
        ),
        ("too-many-stars", "4 stars"),
        ("parses-off-board", "parse_move has the move"),
        ("opponent-unknown", "opponent is 2"),
    ] {
        let (_dir, mut game) = game_with(fault);
        let result = match fault {
            "overlay-short" => game.overlay(0, 0).map(drop),
            "parses-off-board" => game.parse_move("tap 77").map(drop),
            "opponent-unknown" => game.plugin().level(0, Lang::En).map(drop),
            _ => {
                let resign = game.parse_move("resign").unwrap();
                game.apply(resign).unwrap();
                game.level_result(0, 0).map(drop)
            }
        };
        match result {
            Err(GameError::BadOutput(what)) => assert!(what.contains(wanted), "{fault}: {what}"),
            other => panic!("{fault}: {other:?}"),
        }
    }
}

fn params() -> AiParams {
    AiParams {
        level: 1,
        threads: 1,
        seed: 3,
        node_limit: 50,
        time_ms: 0,
        player: 0,
        candidates: 3,
        hint: false,
        infinite: false,
    }
}

#[test]
fn a_search_reports_and_can_be_cancelled_at_any_time() {
    let (_dir, game) = game_with("");
    let mut job = game.start_ai(&params()).unwrap();
    let (done, report) = job.step(60_000).unwrap();
    assert!(done);
    assert_eq!((report.nodes, report.candidates.len()), (50, 3));
    assert_eq!(report.line, [report.best.unwrap()]);
    assert!(game.moves(None).unwrap().contains(&report.best.unwrap()));

    let endless = AiParams {
        infinite: true,
        ..params()
    };
    let mut job = game.start_ai(&endless).unwrap();
    let canceller = job.canceller();
    // The state may end before the search does.
    drop(game);
    let canceled = std::thread::scope(|scope| {
        let searcher = scope.spawn(|| {
            // Without the cancel this would never end.
            while !job.step(10).unwrap().0 {}
        });
        canceller.cancel();
        searcher.join()
    });
    assert!(canceled.is_ok());
    drop(job);
    canceller.clone().cancel();
}

#[test]
fn a_search_that_cannot_begin_says_why() {
    let (_dir, game) = game_with("");
    let beyond = AiParams {
        level: 9,
        ..params()
    };
    let error = game.start_ai(&beyond).unwrap_err();
    assert_eq!(
        error,
        GameError::Argument("ai_start: no such level, or not to move".to_owned())
    );
    let nobody = AiParams {
        player: GP_NONE,
        ..params()
    };
    assert!(game.start_ai(&nobody).is_err());
}
