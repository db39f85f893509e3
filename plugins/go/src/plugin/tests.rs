//! The game through the SDK's traits.

use qiju_sdk::Game as _;
use qiju_sdk::abi::{GP_MARK_NONE, GP_MOVE_STEP, GP_OVERLAY_NONE};

use super::*;

fn new_game(options: &str) -> Result<Game, qiju_sdk::OptionError> {
    let options = qiju_sdk::Options::read(options, &Game::describe(Lang::En).options)?;
    Game::create(&options, 0)
}

fn game(options: &str) -> Game {
    new_game(options).expect("valid options")
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).expect("a move");
        qiju_sdk::Game::apply(game, mv).unwrap_or_else(|_| panic!("{text} is illegal"));
    }
}

#[test]
fn options_are_read_and_refused_by_key() {
    assert_eq!(game("").options(), &rules::Options::default());
    let given = game("size = 13\nkomi = 1\nhandicap = 4\nko = \"simple\"\nsuicide = true");
    assert_eq!(
        given.options(),
        &rules::Options {
            size: 13,
            komi: 1,
            handicap: 4,
            ko: crate::rules::KoRule::Simple,
            suicide: true,
            ..rules::Options::default()
        }
    );
    for (text, key) in [
        ("size = 1", "size"),
        ("size = 26", "size"),
        ("size = \"nine\"", "size"),
        ("komi = 1001", "komi"),
        ("komi = 7.5", "komi"),
        ("handicap = 1", "handicap"),
        ("handicap = 10", "handicap"),
        ("size = 6\nhandicap = 2", "handicap"),
        ("size = 10\nhandicap = 5", "handicap"),
        ("ko = \"none\"", "ko"),
        ("suicide = 1", "suicide"),
    ] {
        for lang in [Lang::Zh, Lang::En] {
            let message = new_game(text).map(|_| ()).expect_err(text).message(lang);
            assert!(message.starts_with(key), "{text}: {message}");
        }
    }
}

#[test]
fn every_text_exists_in_both_languages_and_differs() {
    let zh = Game::describe(Lang::Zh);
    let en = Game::describe(Lang::En);
    let has_han = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let pairs = [
        (&zh.name, &en.name),
        (&zh.summary, &en.summary),
        (&zh.help, &en.help),
    ];
    for (zh, en) in pairs {
        assert!(has_han(zh) && !has_han(en), "{zh} / {en}");
    }
    for (zh, en) in zh.options.iter().zip(&en.options) {
        assert!(has_han(&zh.name) && !has_han(&en.name), "{}", zh.key);
        assert!(has_han(&zh.help) && !has_han(&en.help), "{}", zh.key);
    }
    for (zh, en) in zh.levels.iter().zip(&en.levels) {
        assert!(has_han(&zh.name) && has_han(&zh.help), "{}", zh.name);
        assert!(!has_han(&en.name) && !has_han(&en.help), "{}", en.name);
    }
    assert_eq!(zh.levels.len(), 10);
    for reason in [
        Illegal::Occupied,
        Illegal::Suicide,
        Illegal::Ko,
        Illegal::Superko,
        Illegal::OffBoard,
        Illegal::GameOver,
        Illegal::WrongPhase,
    ] {
        assert!(has_han(texts::illegal(reason, Lang::Zh)), "{reason:?}");
        assert!(!has_han(texts::illegal(reason, Lang::En)), "{reason:?}");
    }
}

#[test]
fn moves_are_listed_once_in_order_and_all_accepted() {
    let mut game = game("size = 5");
    play(&mut game, "C3 B3 C2 B2");
    let mut moves = Vec::new();
    game.moves(&mut moves);
    assert_eq!(moves.len(), 25 - 4 + 1);
    assert!(moves.is_sorted_by(|a, b| a < b));
    for &mv in &moves {
        assert_eq!(game.explain(mv, Lang::En), None);
        assert!(
            qiju_sdk::Game::apply(&mut game.clone(), mv).is_ok(),
            "{mv:?}"
        );
        assert_eq!(game.parse_move(&game.move_text(mv)), Ok(mv));
    }
}

#[test]
fn moves_that_go_does_not_have_are_refused() {
    let mut game = game("");
    let key = game.status().key;
    for mv in [
        Move {
            kind: GP_MOVE_STEP,
            from: 0,
            to: 1,
            arg: 0,
        },
        Move {
            from: 3,
            ..qiju_sdk::place(0)
        },
        Move {
            arg: 1,
            ..qiju_sdk::place(0)
        },
        Move {
            arg: 2,
            ..qiju_sdk::plain(GP_MOVE_FLAG)
        },
        Move {
            kind: 99,
            from: 0,
            to: 0,
            arg: 0,
        },
        qiju_sdk::place(81),
        qiju_sdk::place(u16::MAX),
    ] {
        assert!(qiju_sdk::Game::apply(&mut game, mv).is_err(), "{mv:?}");
        for lang in [Lang::Zh, Lang::En] {
            assert!(
                game.explain(mv, lang).is_some_and(|why| !why.is_empty()),
                "{mv:?}"
            );
            assert!(!game.move_label(mv, lang).is_empty());
        }
        assert_eq!(game.status().key, key);
    }
}

#[test]
fn the_view_shows_stones_last_move_and_territory() {
    let mut game = game("size = 5");
    play(&mut game, "C3");
    let mut cells = vec![Cell::default(); game.cells()];
    game.view(Viewer::Public, None, &mut cells);
    assert_eq!((cells[12].piece, cells[12].flags), (1, GP_CELL_LAST));
    assert!(
        cells
            .iter()
            .enumerate()
            .all(|(i, c)| (c.flags & GP_CELL_PLAYABLE != 0) == (i != 12))
    );
    play(&mut game, "pass pass");
    let mut cells = vec![Cell::default(); game.cells()];
    game.view(Viewer::Public, None, &mut cells);
    for (i, cell) in cells.iter().enumerate() {
        let mark = if i == 12 {
            GP_MARK_NONE
        } else {
            GP_MARK_DOT_FIRST
        };
        assert_eq!((cell.mark, cell.flags), (mark, 0), "{i}");
    }
}

#[test]
fn the_status_follows_the_game() {
    let mut game = game("size = 5\nkomi = 1");
    assert_eq!(game.status().to_move, Some(0));
    assert!(game.status().can_pass);
    play(&mut game, "C3 pass pass");
    assert_eq!((game.status().phase, game.status().to_move), (1, Some(1)));
    play(&mut game, "agree agree");
    let status = game.status();
    assert_eq!(
        status.outcome,
        Outcome::Win {
            winner: 0,
            reason: GP_REASON_SCORE
        }
    );
    assert_eq!(status.score, Some([50, 1, 0, 0]));
    assert_eq!(
        (status.to_move, status.can_pass, status.move_number),
        (None, false, 5)
    );
    assert_eq!(
        game.status_text(Viewer::Public, Lang::En),
        "Black wins by 24.5 (Black 25, White 0.5)"
    );
    assert_eq!(
        game.status_text(Viewer::Public, Lang::Zh),
        "黑方胜 24.5 目（黑 25，白 0.5）"
    );
}

#[test]
fn events_tell_of_captures_and_the_end() {
    let mut game = game("size = 5");
    play(&mut game, "A1 B1");
    play(&mut game, "C3");
    let take = game.parse_move("A2").expect("a move");
    assert_eq!(
        qiju_sdk::Game::apply(&mut game, take),
        Ok(GP_EVENT_PLACE | GP_EVENT_CAPTURE)
    );
    assert_eq!(game.status().captures, Some([0, 1, 0, 0]));
    let resign = game.parse_move("resign").expect("a move");
    assert_eq!(qiju_sdk::Game::apply(&mut game, resign), Ok(GP_EVENT_WIN));
}

#[test]
fn overlays_say_what_they_should() {
    let mut game = game("size = 5");
    play(&mut game, "A1 B1 D3 E5 D4");
    let overlay = |index: u32| {
        let mut values = vec![GP_OVERLAY_NONE; game.cells()];
        assert!(game.overlay(index, Viewer::Public, &mut values));
        values
    };
    let cell = |name: &str| usize::from(notation::parse_point(name, 5).expect("a point"));
    let liberties = overlay(0);
    assert_eq!(liberties[cell("A1")], 1);
    assert_eq!(liberties[cell("D3")], 6);
    assert_eq!(liberties[cell("C3")], GP_OVERLAY_NONE);
    let groups = overlay(1);
    assert_eq!(groups[cell("D3")], groups[cell("D4")]);
    assert_ne!(groups[cell("D3")], groups[cell("A1")]);
    let atari = overlay(2);
    assert_eq!(atari.iter().filter(|&&v| v == 1).count(), 1);
    assert_eq!(atari[cell("A1")], 1);
    assert_eq!(overlay(3), overlay(3), "equal positions look equal");
    assert!(overlay(3).iter().all(|v| (-1000..=1000).contains(v)));
    assert!(!game.overlay(4, Viewer::Public, &mut []));
}

#[test]
fn the_ladder_reads_as_games() {
    let count = Game::describe(Lang::En).ladder;
    for index in 0..count {
        for lang in [Lang::Zh, Lang::En] {
            let level = Game::level(index, lang).expect("within the ladder");
            let game = game(&level.options.to_string());
            assert_eq!(
                game.options(),
                &levels::ladder(index).expect("the same").options
            );
        }
    }
    assert!(Game::level(count, Lang::En).is_none());
}

#[test]
fn a_level_is_passed_by_winning_it() {
    let mut game = game("size = 9\nkomi = 1\nhandicap = 3");
    assert_eq!(game.level_result(0, 0), None);
    play(&mut game, "pass pass agree agree");
    let won = game.level_result(0, 0).expect("it is over");
    assert_eq!((won.passed, won.stars), (true, 3));
    assert_eq!(won.points, 120);
    let lost = game.level_result(0, 1).expect("it is over");
    assert_eq!((lost.passed, lost.stars, lost.points), (false, 0, 0));
}

fn params(level: u32, node_limit: Option<u64>) -> AiParams {
    AiParams {
        level,
        threads: 1,
        seed: 7,
        node_limit,
        time: None,
        player: 0,
        candidates: 5,
        hint: false,
        infinite: false,
    }
}

#[test]
fn a_search_reports_and_repeats() {
    let mut game = game("size = 9");
    play(&mut game, "E5 C4 E3");
    let run = |slice: Duration| {
        let params = AiParams {
            player: 1,
            ..params(9, Some(400))
        };
        let mut search = Opponent::start(&game, &params).expect("a search");
        let mut report = Report::default();
        while search.step(slice, &AtomicBool::new(false), &mut report) == Progress::More {
            report = Report::default();
        }
        report
    };
    let report = run(Duration::from_secs(600));
    assert_eq!(
        report,
        run(Duration::from_millis(1)),
        "the length of a step changes nothing"
    );
    assert_eq!(report.nodes, 400);
    assert_eq!(report.heat.len(), 81);
    assert!(report.heat.iter().all(|v| (-1000..=1000).contains(v)));
    assert!(!report.candidates.is_empty() && report.candidates.len() <= 5);
    assert_eq!(report.line.first().copied(), report.best);
    assert_eq!(report.depth as usize, report.line.len());
    let mut after = game.clone();
    for &mv in &report.line {
        assert!(qiju_sdk::Game::apply(&mut after, mv).is_ok(), "{mv:?}");
    }
}

#[test]
fn a_cancelled_search_is_done() {
    let game = game("size = 19");
    let mut search = Opponent::start(&game, &params(9, None)).expect("a search");
    let mut report = Report::default();
    let cancel = AtomicBool::new(true);
    assert_eq!(
        search.step(Duration::from_secs(600), &cancel, &mut report),
        Progress::Done
    );
    assert_eq!(report.nodes, 0);
    assert_eq!(report.best, None);
}

#[test]
fn a_search_that_cannot_be_says_why() {
    let mut game = game("");
    let error = Opponent::start(&game, &params(10, None))
        .map(|_| ())
        .expect_err("no such level");
    assert!(error.contains("level 10"), "{error}");
    let stranger = AiParams {
        player: 2,
        ..params(0, None)
    };
    let error = Opponent::start(&game, &stranger)
        .map(|_| ())
        .expect_err("no such player");
    assert!(error.contains("player 2"), "{error}");
    play(&mut game, "resign");
    let error = Opponent::start(&game, &params(0, None))
        .map(|_| ())
        .expect_err("it is over");
    assert!(error.contains("over"), "{error}");
}
