//! Options, handicap, turns, the end and the score.

use super::*;
use crate::notation::{parse_point, point_name};

fn game(options: Options) -> Game {
    Game::new(options).expect("valid options")
}

/// Plays moves given as text ("D4", "pass").
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let action = crate::notation::parse_action(text, game.options().size).expect("a move");
        game.apply(action)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn handicap_stones_stand_on_the_points_of_the_protocol() {
    let names = |size, handicap| -> Vec<String> {
        let points = handicap_points(size, handicap).expect("a valid handicap");
        points
            .into_iter()
            .map(|cell| point_name(cell, size))
            .collect()
    };
    assert_eq!(names(19, 2), ["D4", "Q16"]);
    assert_eq!(names(19, 3), ["D4", "Q16", "D16"]);
    assert_eq!(names(19, 4), ["D4", "Q16", "D16", "Q4"]);
    assert_eq!(names(19, 5), ["D4", "Q16", "D16", "Q4", "K10"]);
    assert_eq!(names(19, 6), ["D4", "Q16", "D16", "Q4", "D10", "Q10"]);
    assert_eq!(
        names(19, 7),
        ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K10"]
    );
    assert_eq!(
        names(19, 8),
        ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16"]
    );
    assert_eq!(
        names(19, 9),
        ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16", "K10"]
    );
    assert_eq!(names(9, 2), ["C3", "G7"]);
    assert_eq!(names(13, 5), ["D4", "K10", "D10", "K4", "G7"]);
    assert_eq!(names(7, 4), ["C3", "E5", "C5", "E3"]);
    assert_eq!(names(12, 2), ["C3", "K10"]);
}

#[test]
fn every_size_takes_the_handicap_it_has_and_no_more() {
    for size in MIN_SIZE..=MAX_SIZE {
        for handicap in 0..=12 {
            let result = Game::new(Options {
                size,
                handicap,
                ..Options::default()
            });
            let fits = handicap == 0 || (2..=max_handicap(size)).contains(&handicap);
            assert_eq!(result.is_ok(), fits, "{size}, {handicap}");
            match result {
                Ok(game) => {
                    let black = (0..u16::from(size) * u16::from(size))
                        .filter(|&c| game.position().stone(c) == Some(Color::Black))
                        .count();
                    assert_eq!(black, usize::from(handicap), "{size}");
                    let first = if handicap == 0 {
                        Color::Black
                    } else {
                        Color::White
                    };
                    assert_eq!(game.to_move(), Some(first));
                }
                Err(error) => assert!(error.to_string().starts_with("handicap: "), "{error}"),
            }
        }
    }
}

#[test]
fn wrong_options_name_their_key() {
    for (options, key) in [
        (
            Options {
                size: 1,
                ..Options::default()
            },
            "size",
        ),
        (
            Options {
                size: 26,
                ..Options::default()
            },
            "size",
        ),
        (
            Options {
                komi: MAX_KOMI + 1,
                ..Options::default()
            },
            "komi",
        ),
        (
            Options {
                komi: -MAX_KOMI - 1,
                ..Options::default()
            },
            "komi",
        ),
        (
            Options {
                handicap: 1,
                ..Options::default()
            },
            "handicap",
        ),
        (
            Options {
                size: 6,
                handicap: 2,
                ..Options::default()
            },
            "handicap",
        ),
    ] {
        let error = Game::new(options).map(|_| ()).expect_err("a wrong option");
        assert!(
            error.to_string().starts_with(&format!("{key}: ")),
            "{error}"
        );
    }
}

#[test]
fn hoshi_are_on_the_board_and_symmetric() {
    for size in 2..=MAX_SIZE {
        let points = hoshi(size);
        let side = u16::from(size);
        for &cell in &points {
            let (row, column) = (cell / side, cell % side);
            assert!(points.contains(&(column * side + row)), "{size}");
            assert!(
                points.contains(&((side - 1 - row) * side + column)),
                "{size}"
            );
        }
    }
    assert_eq!(hoshi(19).len(), 9);
    assert_eq!(hoshi(13).len(), 9);
    assert_eq!(hoshi(9).len(), 5);
    assert_eq!(hoshi(8).len(), 4);
    assert_eq!(hoshi(5), [12]);
    assert!(hoshi(6).is_empty());
}

#[test]
fn an_empty_board_is_won_by_komi() {
    let mut game = game(Options::default());
    play(&mut game, "pass");
    assert_eq!(game.end(), None);
    assert!(game.last_was_pass());
    play(&mut game, "pass");
    assert_eq!((game.end(), game.phase()), (None, Phase::Counting));
    play(&mut game, "agree agree");
    assert_eq!(game.end(), Some(End::Score));
    assert_eq!(
        game.score(),
        Score {
            black: 0,
            white: 15
        }
    );
    assert_eq!(game.winner(), Some(Color::White));
    assert_eq!(game.to_move(), None);
    assert!(game.legal_cells().is_empty());
}

#[test]
fn one_stone_owns_the_board_and_a_whole_komi_can_draw() {
    let mut even = game(Options {
        size: 5,
        komi: 50,
        ..Options::default()
    });
    play(&mut even, "C3 pass pass agree agree");
    assert_eq!(
        even.score(),
        Score {
            black: 50,
            white: 50
        }
    );
    assert_eq!(even.winner(), None);
}

#[test]
fn passes_must_follow_each_other_to_end_the_game() {
    let mut game = game(Options::default());
    play(&mut game, "pass E5 pass D5 E4 pass");
    assert_eq!(game.end(), None);
    play(&mut game, "pass");
    assert_eq!(game.phase(), Phase::Counting);
    assert_eq!(game.move_number(), 7);
}

#[test]
fn black_gives_back_one_point_for_each_handicap_stone() {
    let mut game = game(Options {
        komi: 1,
        handicap: 3,
        ..Options::default()
    });
    assert_eq!(game.white_bonus(), 7);
    play(&mut game, "pass pass");
    assert_eq!(
        game.score(),
        Score {
            black: 162,
            white: 7
        }
    );
}

#[test]
fn giving_up_and_running_out_of_time_end_the_game() {
    let mut resigned = game(Options::default());
    play(&mut resigned, "E5 resign");
    assert_eq!(resigned.end(), Some(End::Resigned(Color::White)));
    assert_eq!(resigned.winner(), Some(Color::Black));
    assert_eq!(resigned.apply(Action::Pass), Err(Illegal::GameOver));
    assert_eq!(resigned.check(Action::Place(0)), Err(Illegal::GameOver));

    let mut late = game(Options::default());
    assert_eq!(late.apply(Action::TimeOut(Color::Black)), Ok(0));
    assert_eq!(late.winner(), Some(Color::White));
}

#[test]
fn a_refused_move_changes_nothing() {
    let mut game = game(Options {
        size: 5,
        ..Options::default()
    });
    play(&mut game, "B1 E5 A2 D5");
    let key = game.key();
    play(&mut game, "E1");
    let corner = parse_point("A1", 5).expect("a point");
    let before = game.key();
    assert_ne!(key, before);
    assert_eq!(game.apply(Action::Place(corner)), Err(Illegal::Suicide));
    assert_eq!(game.apply(Action::Place(25)), Err(Illegal::OffBoard));
    let taken = parse_point("B1", 5).expect("a point");
    assert_eq!(game.apply(Action::Place(taken)), Err(Illegal::Occupied));
    assert_eq!(game.key(), before);
    assert_eq!(game.move_number(), 5);
    assert_eq!(game.to_move(), Some(Color::White));
}

/// Black takes in a ko at D3; white may not take back at once.
const KO: &str = "D4 C4 E3 B3 D2 C2 C3 D3";

#[test]
fn ko_is_refused_under_each_rule() {
    for (ko, reason) in [
        (KoRule::Simple, Illegal::Ko),
        (KoRule::PositionalSuperko, Illegal::Superko),
        (KoRule::SituationalSuperko, Illegal::Superko),
    ] {
        let mut game = game(Options {
            ko,
            ..Options::default()
        });
        play(&mut game, KO);
        assert_eq!(game.position().captures(Color::White), 1);
        let back = parse_point("C3", 9).expect("a point");
        assert_eq!(game.check(Action::Place(back)), Err(reason));
        play(&mut game, "J9 J1");
        assert_eq!(game.check(Action::Place(back)), Ok(()));
    }
}

#[test]
fn keys_tell_states_apart() {
    let mut a = game(Options::default());
    let mut b = game(Options::default());
    assert_eq!(a.key(), b.key());
    play(&mut a, "D4 E5 C3");
    play(&mut b, "C3 E5 D4");
    // The same stones by another way: other boards are forbidden now.
    assert_ne!(a.key(), b.key());
    let mut c = game(Options {
        ko: KoRule::Simple,
        ..Options::default()
    });
    let mut d = c.clone();
    play(&mut c, "D4 E5 C3");
    play(&mut d, "C3 E5 D4");
    assert_eq!(c.key(), d.key());
    play(&mut d, "pass");
    assert_ne!(c.key(), d.key());
    let other_komi = game(Options {
        komi: 13,
        ..Options::default()
    });
    assert_ne!(other_komi.key(), game(Options::default()).key());
}

#[test]
fn a_set_up_without_liberties_is_refused() {
    let stones = [(0, Color::Black), (1, Color::White), (5, Color::White)];
    let result = Position::from_setup(5, KoRule::Simple, false, &stones, Color::Black);
    assert_eq!(result.map(|_| ()), Err(SetupError::NoLiberty(0)));
    let twice = [(3, Color::Black), (3, Color::White)];
    let result = Position::from_setup(5, KoRule::Simple, false, &twice, Color::Black);
    assert_eq!(result.map(|_| ()), Err(SetupError::Occupied(3)));
    let outside = [(25, Color::Black)];
    let result = Position::from_setup(5, KoRule::Simple, false, &outside, Color::Black);
    assert_eq!(result.map(|_| ()), Err(SetupError::OffBoard(25)));
    let result = Position::new(1, KoRule::Simple, false);
    assert_eq!(result.map(|_| ()), Err(SetupError::Size(1)));
}

#[test]
fn presets_are_told_by_their_flags() {
    for rules in RuleSet::ALL {
        let options = Options {
            komi: 1,
            handicap: 2,
            free_handicap: true,
            ..rules.options(13)
        };
        assert_eq!(RuleSet::of(&options), Some(rules));
        assert!(Game::new(options).is_ok());
    }
    assert_eq!(Options::default(), RuleSet::Chinese.options(9));
    let mixed = Options {
        suicide: true,
        ..RuleSet::Japanese.options(19)
    };
    assert_eq!(RuleSet::of(&mixed), None);
}

/// What each rule set makes of one finished board: black has 44 points of area, white 37; each
/// took one stone, and black placed as many as white.
#[test]
fn one_board_under_every_rule_set() {
    let rows = [
        "....XO...",
        "....XO...",
        "....XO...",
        "...XXO...",
        "...XOO...",
        "....XO...",
        "....XO...",
        "....XO...",
        "....XO...",
    ];
    for (rules, black, white) in [
        (RuleSet::Chinese, 2 * 44, 2 * 37 + 15),
        (RuleSet::Japanese, 2 * 34, 2 * 27 + 13),
        (RuleSet::Aga, 2 * 34, 2 * 27 + 15),
        (RuleSet::NewZealand, 2 * 44, 2 * 37 + 14),
        (RuleSet::TrompTaylor, 2 * 44, 2 * 37 + 15),
    ] {
        let game = Game::from_diagram(rules.options(9), &rows, Color::Black);
        assert_eq!(game.score(), Score { black, white }, "{rules:?}");
    }
}

/// Under AGA rules the margin is the same by area and by territory, however the game went: each
/// side has handed over or placed as many stones as the other when white has passed last.
#[test]
fn pass_stones_make_territory_equal_to_area() {
    use crate::rng::Rng;
    for seed in 0..30_u64 {
        for handicap in [0, 2, 3] {
            let mut rng = Rng::new(seed);
            let territory = Options {
                handicap,
                free_handicap: seed % 2 == 1,
                ..RuleSet::Aga.options(7)
            };
            let mut game = self::game(territory);
            while !matches!(game.phase(), Phase::Counting) {
                let cells = game.legal_cells();
                let done = game.move_number() > 150;
                let passes = matches!(game.phase(), Phase::Play) && (done || rng.below(12) == 0);
                let action = match cells.get(rng.below(cells.len().max(1) as u32) as usize) {
                    Some(&cell) if !passes => Action::Place(cell),
                    _ => Action::Pass,
                };
                game.apply(action).expect("a legal move");
            }
            let by_territory = game.score_of(&game.count_with(&[]));
            let mut area = game.clone();
            area.options.scoring = Scoring::Area;
            let by_area = area.score_of(&area.count_with(&[]));
            assert_eq!(
                by_territory.lead(),
                by_area.lead(),
                "seed {seed}, handicap {handicap}"
            );
        }
    }
}

#[test]
fn under_pass_stones_white_passes_last() {
    let mut game = game(RuleSet::Aga.options(9));
    play(&mut game, "E5 pass pass");
    assert_eq!(game.phase(), Phase::Play, "black passed last");
    assert_eq!(game.position().captures(Color::Black), 1);
    assert_eq!(game.position().captures(Color::White), 1);
    play(&mut game, "pass");
    assert_eq!(game.phase(), Phase::Counting);
    assert_eq!(game.position().captures(Color::Black), 2);
}

#[test]
fn tromp_and_taylor_count_the_board_as_it_stands() {
    let mut game = game(RuleSet::TrompTaylor.options(5));
    play(&mut game, "C3 A1 pass pass");
    assert_eq!(game.end(), Some(End::Score));
    assert!(game.dead().is_empty());
    assert_eq!(game.score().black, 2);
}

/// A wall down the board, one white stone lost behind it.
const LOST_STONE: [&str; 9] = [
    "..XO.....",
    ".OXO.....",
    "..XO.....",
    "..XO.....",
    "..XO.....",
    "..XO.....",
    "..XO.....",
    "..XO.....",
    "..XO.....",
];

#[test]
fn dead_stones_are_proposed_marked_and_agreed_on() {
    let mut game = Game::from_diagram(Options::default(), &LOST_STONE, Color::Black);
    play(&mut game, "pass pass");
    assert_eq!(game.phase(), Phase::Counting);
    let lost = parse_point("B8", 9).expect("a point");
    let dead: Vec<usize> = (0..81).filter(|&cell| game.dead()[cell]).collect();
    assert_eq!(dead, [usize::from(lost)], "one stone is proposed");
    assert_eq!(game.score().lead(), 2 * (27 - 54) - 15);
    assert_eq!(game.check(Action::Propose), Err(Illegal::WrongPhase));
    assert_eq!(game.check(Action::Place(0)), Err(Illegal::Counting));
    assert_eq!(game.check(Action::Pass), Err(Illegal::WrongPhase));
    assert_eq!(game.check(Action::Toggle(0)), Err(Illegal::NoStone));
    assert_eq!(game.check(Action::Toggle(81)), Err(Illegal::OffBoard));

    // Black agrees; white says the stone lives, which takes black's word back.
    let untouched = game.key();
    play(&mut game, "agree");
    assert_eq!(game.to_move(), Some(Color::White));
    assert_ne!(game.key(), untouched);
    game.apply(Action::Toggle(lost)).expect("a stone");
    assert!(game.dead().iter().all(|dead| !dead));
    assert_eq!(game.to_move(), Some(Color::White));
    assert_eq!(
        game.score().lead(),
        2 * (9 - 55) - 15,
        "the region is nobody's now"
    );
    play(&mut game, "agree");
    assert_eq!((game.end(), game.to_move()), (None, Some(Color::Black)));
    // Black has the proposal back, and both agree.
    play(&mut game, "propose agree agree");
    assert_eq!(game.end(), Some(End::Score));
    assert_eq!(game.winner(), Some(Color::White));
    assert_eq!(game.dead().iter().filter(|dead| **dead).count(), 1);
}

#[test]
fn a_mark_takes_all_of_a_colour_in_its_region() {
    let rows = ["XX.XO", "OOOOO", "..X..", ".....", "....."];
    let options = Options {
        size: 5,
        ..Options::default()
    };
    let mut game = Game::from_diagram(options, &rows, Color::Black);
    play(&mut game, "pass pass");
    let before = game.dead().to_vec();
    game.apply(Action::Toggle(0)).expect("a stone");
    let changed: Vec<usize> = (0..25)
        .filter(|&cell| game.dead()[cell] != before[cell])
        .collect();
    // The stone behind white's wall is not in the region, and white's stones are not black's.
    assert_eq!(changed, [0, 1, 3]);
}

#[test]
fn a_dispute_is_played_out() {
    let mut game = Game::from_diagram(Options::default(), &LOST_STONE, Color::Black);
    play(&mut game, "pass pass agree resume");
    assert_eq!(
        (game.phase(), game.to_move()),
        (Phase::Play, Some(Color::Black))
    );
    assert!(game.dead().is_empty());
    assert!(!game.last_was_pass());
    play(&mut game, "A8 pass B9 pass B7 pass");
    assert_eq!(game.position().captures(Color::Black), 1);
    play(&mut game, "pass");
    assert_eq!(game.phase(), Phase::Counting);
}

#[test]
fn resigning_and_time_end_the_counting_too() {
    let mut resigned = game(Options::default());
    play(&mut resigned, "pass pass agree resign");
    assert_eq!(resigned.end(), Some(End::Resigned(Color::White)));
    let mut late = game(Options::default());
    play(&mut late, "pass pass");
    late.apply(Action::TimeOut(Color::Black)).expect("a clock");
    assert_eq!(late.winner(), Some(Color::White));
}

#[test]
fn territory_counts_prisoners_and_dead_stones() {
    let options = RuleSet::Japanese.options(9);
    let mut game = Game::from_diagram(options, &LOST_STONE, Color::Black);
    play(&mut game, "pass pass");
    // 18 empty points behind the wall, the one under the dead stone among them, and the stone.
    assert_eq!(
        game.score(),
        Score {
            black: 2 * (18 + 1),
            white: 2 * 45 + 13
        }
    );
}

#[test]
fn points_in_seki_are_no_territory() {
    // Top left: black has an eye at A9, white one at E9, and neither can fill C9.
    let rows = [
        ".X.O.OX..",
        "XXOOOOX..",
        "OOOXXXX..",
        "XXXX.....",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
    ];
    let cell = |name| usize::from(parse_point(name, 9).expect("a point"));
    let owners = |rules: RuleSet| {
        let game = Game::from_diagram(rules.options(9), &rows, Color::Black);
        game.count_with(&[]).owners
    };
    let (area, territory, aga) = (
        owners(RuleSet::Chinese),
        owners(RuleSet::Japanese),
        owners(RuleSet::Aga),
    );
    for (name, owner) in [("A9", Color::Black), ("E9", Color::White)] {
        assert_eq!(area[cell(name)], Some(owner));
        assert_eq!(territory[cell(name)], None);
        assert_eq!(aga[cell(name)], Some(owner), "pass stones make up for it");
    }
    assert_eq!(area[cell("C9")], None);
    assert_eq!(
        territory[cell("A5")],
        Some(Color::Black),
        "outside it counts"
    );
}

#[test]
fn free_handicap_stones_are_black_s_first_moves() {
    let mut game = game(Options {
        handicap: 3,
        free_handicap: true,
        ..Options::default()
    });
    assert_eq!(game.phase(), Phase::Handicap(3));
    assert_eq!(game.check(Action::Pass), Err(Illegal::HandicapFirst));
    play(&mut game, "A1 E5");
    assert_eq!(
        (game.phase(), game.to_move()),
        (Phase::Handicap(1), Some(Color::Black))
    );
    play(&mut game, "J9");
    assert_eq!(
        (game.phase(), game.to_move()),
        (Phase::Play, Some(Color::White))
    );
    assert_eq!(game.white_bonus(), 15 + 6);
    let result = Game::new(Options {
        handicap: 10,
        free_handicap: true,
        ..Options::default()
    });
    assert_eq!(
        result.map(|_| ()).unwrap_err(),
        OptionError::FreeHandicap {
            most: 9,
            handicap: 10
        }
    );
}

#[test]
fn records_set_up_stones_and_turns_at_any_moment() {
    let apply = |game: &mut Game, text: &str| {
        let action = crate::notation::parse_action(text, 9).expect("a move");
        game.apply(action)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    };
    let mut game = game(Options::default());
    apply(&mut game, "E5");
    for text in ["set W A1", "set B A2", "set B B1", "set - E5", "set W A1"] {
        apply(&mut game, text);
    }
    let stone = |game: &Game, name| {
        game.position()
            .stone(parse_point(name, 9).expect("a point"))
    };
    assert_eq!(
        stone(&game, "A1"),
        Some(Color::White),
        "it stands without liberties"
    );
    assert_eq!(stone(&game, "E5"), None);
    assert_eq!(game.to_move(), Some(Color::White), "the turn stays");
    apply(&mut game, "turn B");
    apply(&mut game, "turn B");
    assert_eq!(game.to_move(), Some(Color::Black));
    // Also out of the counting phase and after the end.
    for end in [
        &["pass", "pass"][..],
        &["pass", "pass", "agree", "agree"],
        &["resign"],
    ] {
        let mut ended = game.clone();
        for text in end {
            apply(&mut ended, text);
        }
        apply(&mut ended, "set W J9");
        assert_eq!((ended.phase(), ended.end()), (Phase::Play, None), "{end:?}");
    }
    assert_eq!(game.check(Action::Setup(81, None)), Err(Illegal::OffBoard));
}

#[test]
fn a_record_may_be_long() {
    let mut game = game(Options {
        size: 19,
        ..RuleSet::Japanese.options(19)
    });
    for number in 0..20_000_u32 {
        let color = if number % 2 == 0 { "B" } else { "W" };
        let cell = (number % 361) as u16;
        let text = crate::notation::parse_action(&format!("turn {color}"), 19).expect("a turn");
        game.apply(text).expect("a turn");
        let stone = if number / 361 % 2 == 0 {
            Some(Color::Black)
        } else {
            None
        };
        game.apply(Action::Setup(cell, stone)).expect("a stone");
    }
    assert_eq!(game.move_number(), 40_000);
}

#[test]
fn toggles_mean_the_same_before_and_after_the_marks_are_known() {
    let mut game = Game::new(RuleSet::Chinese.options(5)).expect("options");
    for action in [
        Action::Place(12),
        Action::Place(24),
        Action::Pass,
        Action::Pass,
    ] {
        game.apply(action).expect("legal");
    }
    let mut looked = game.clone();
    for cell in [24, 12, 24, 24] {
        // The marks of one are asked for all the time, those of the other only at the end.
        assert_eq!(looked.dead().len(), 25);
        for game in [&mut game, &mut looked] {
            game.apply(Action::Toggle(cell)).expect("a stone is there");
        }
    }
    assert_eq!(game.dead(), looked.dead());
    assert_eq!(game.key(), looked.key());
    assert_eq!(game.score(), looked.score());
}
