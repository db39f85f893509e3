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
                size: 4,
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
    play(&mut even, "C3 pass pass");
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
    assert_eq!(game.end(), Some(End::Score));
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
