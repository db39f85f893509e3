use super::*;
use crate::notation::{parse_action, parse_point};

fn game(rule: Rule, opening: Opening) -> Game {
    Game::new(Options {
        rule,
        opening,
        ..Options::default()
    })
    .expect("valid options")
}

fn play(game: &mut Game, actions: &str) -> Result<(), Illegal> {
    for text in actions.split_whitespace() {
        let action = parse_action(text, game.options().size).expect("an action");
        game.apply(action)?;
    }
    Ok(())
}

fn cells(names: &str, size: u8) -> Vec<u16> {
    let mut cells: Vec<u16> = names
        .split_whitespace()
        .map(|name| parse_point(name, size).expect("a point"))
        .collect();
    cells.sort_unstable();
    cells
}

#[test]
fn five_in_a_row_wins_in_every_direction() {
    for (black, white) in [
        ("A1 B1 C1 D1 E1", "A3 B3 C3 D3"),
        ("H8 H9 H10 H11 H12", "A3 B3 C3 D3"),
        ("K11 L12 M13 N14 O15", "A3 B3 C3 D3"),
        ("A15 B14 C13 D12 E11", "H3 I3 J3 K3"),
    ] {
        let mut game = game(Rule::Freestyle, Opening::Free);
        let mut white = white.split_whitespace();
        for stone in black.split_whitespace() {
            assert_eq!(game.end(), None);
            play(&mut game, stone).expect("legal");
            if let Some(stone) = white.next() {
                play(&mut game, stone).expect("legal");
            }
        }
        assert_eq!(game.end(), Some(End::Row(Color::Black)));
        assert_eq!(game.winner(), Some(0));
        assert_eq!(game.row(), cells(black, 15));
        assert_eq!(play(&mut game, "A8"), Err(Illegal::GameOver));
        assert_eq!(game.legal_cells(), []);
    }
}

#[test]
fn six_in_a_row_wins_where_the_rule_says_so() {
    // Black fills the gap between three and two stones.
    let six = "A1 A3 B1 B3 C1 C3 E1 E3 F1 F3 D1";
    for (rule, end) in [
        (Rule::Freestyle, Ok(Some(End::Row(Color::Black)))),
        (Rule::Standard, Ok(None)),
        (Rule::Renju, Err(Illegal::Forbidden(Forbidden::Overline))),
    ] {
        let mut game = game(rule, Opening::Free);
        let played = play(&mut game, six);
        assert_eq!(played.map(|()| game.end()), end, "{rule:?}");
    }
    // White's overline wins in renju.
    let mut game = game(Rule::Renju, Opening::Free);
    play(&mut game, "A3 A1 B3 B1 C3 C1 E3 E1 F5 F1 G7 D1").expect("legal");
    assert_eq!(game.end(), Some(End::Row(Color::White)));
    assert_eq!(game.winner(), Some(1));
}

#[test]
fn two_rows_at_once_are_both_marked() {
    let mut game = game(Rule::Freestyle, Opening::Free);
    let black = "A5 B5 C5 D5 E1 E2 E3 E4";
    let white = "J1 J3 J5 J7 J9 J11 J13 L1";
    for (black, white) in black.split_whitespace().zip(white.split_whitespace()) {
        play(&mut game, black).expect("legal");
        play(&mut game, white).expect("legal");
    }
    play(&mut game, "E5").expect("legal");
    assert_eq!(game.row(), cells(&format!("{black} E5"), 15));
}

#[test]
fn renju_names_the_forbidden_shape() {
    for (black, point, reason) in [
        ("G8 I8 H7 H9", "H8", Forbidden::DoubleThree),
        ("E8 F8 G8 H5 H6 H7", "H8", Forbidden::DoubleFour),
        ("D8 E8 F8 G8 I8", "H8", Forbidden::Overline),
    ] {
        let mut game = game(Rule::Renju, Opening::Free);
        for cell in cells(black, 15) {
            game.apply(Action::Setup(cell, Some(Color::Black)))
                .expect("on the board");
        }
        let place = Action::Place(parse_point(point, 15).expect("a point"));
        assert_eq!(game.check(place), Err(Illegal::Forbidden(reason)));
        game.apply(Action::Turn(Color::White)).expect("allowed");
        assert_eq!(game.check(place), Ok(()), "white may");
    }
}

#[test]
fn swap_leaves_the_colour_to_the_second_player() {
    let mut game = game(Rule::Freestyle, Opening::Swap);
    assert_eq!(game.to_move(), Some(0));
    assert_eq!(game.color_of(0), None);
    play(&mut game, "H8 I9").expect("legal");
    assert_eq!(game.to_move(), Some(0));
    assert_eq!(play(&mut game, "black"), Err(Illegal::WrongPhase));
    play(&mut game, "G7").expect("legal");
    assert_eq!(game.to_move(), Some(1));
    assert_eq!(play(&mut game, "A1"), Err(Illegal::ChooseFirst));
    assert_eq!(play(&mut game, "more"), Err(Illegal::WrongPhase));
    let mut white = game.clone();
    play(&mut game, "black").expect("legal");
    // White is to move with the fourth stone, and that is the first player now.
    assert_eq!((game.turn(), game.to_move()), (Color::White, Some(0)));
    assert_eq!(game.color_of(1), Some(Color::Black));
    play(&mut white, "white").expect("legal");
    assert_eq!((white.turn(), white.to_move()), (Color::White, Some(1)));
    assert_ne!(game.key(), white.key());
}

#[test]
fn swap2_can_give_the_choice_back() {
    let mut game = game(Rule::Standard, Opening::Swap2);
    play(&mut game, "H8 I9 G7 more").expect("legal");
    assert_eq!((game.turn(), game.to_move()), (Color::White, Some(1)));
    play(&mut game, "A1 A2").expect("legal");
    assert_eq!(game.to_move(), Some(0));
    assert_eq!(play(&mut game, "more"), Err(Illegal::WrongPhase));
    play(&mut game, "white").expect("legal");
    assert_eq!((game.turn(), game.to_move()), (Color::White, Some(0)));
    play(&mut game, "B1 resign").expect("legal");
    // Black, the second player, has given up.
    assert_eq!(game.end(), Some(End::Resigned(1)));
    assert_eq!(game.winner(), Some(0));
}

#[test]
fn the_winner_is_whoever_has_the_colour() {
    let mut game = game(Rule::Freestyle, Opening::Swap);
    play(&mut game, "A1 A3 B1 black B3 C1 C3 D1 D3 E1").expect("legal");
    assert_eq!(game.end(), Some(End::Row(Color::Black)));
    assert_eq!(game.winner(), Some(1));
}

#[test]
fn passes_are_renjus() {
    let mut free = game(Rule::Freestyle, Opening::Free);
    assert_eq!(play(&mut free, "pass"), Err(Illegal::NoPass));
    let mut renju = game(Rule::Renju, Opening::Free);
    play(&mut renju, "H8 pass I9 pass pass").expect("legal");
    assert_eq!(renju.end(), Some(End::Passes));
    assert_eq!(renju.winner(), None);
}

#[test]
fn a_full_board_is_a_draw() {
    // Pairs of columns in a pattern that has no five for anybody.
    let size = 13;
    let mut game = Game::new(Options {
        size,
        ..Options::default()
    })
    .expect("valid options");
    let color = |cell: u16| {
        let (x, y) = (cell % u16::from(size), cell / u16::from(size));
        match (x / 2 + y) % 2 {
            0 => Color::Black,
            _ => Color::White,
        }
    };
    let area = u16::from(size) * u16::from(size);
    for cell in 0..area - 1 {
        game.apply(Action::Setup(cell, Some(color(cell))))
            .expect("on the board");
    }
    game.apply(Action::Turn(color(area - 1))).expect("allowed");
    game.apply(Action::Place(area - 1)).expect("legal");
    assert_eq!(game.end(), Some(End::Full));
}

#[test]
fn set_up_ends_an_opening_and_reopens_a_game() {
    let mut game = game(Rule::Freestyle, Opening::Swap2);
    game.apply(Action::Setup(0, Some(Color::White)))
        .expect("on the board");
    assert_eq!(game.phase(), Phase::Play);
    assert_eq!(game.to_move(), Some(0));
    play(&mut game, "resign").expect("legal");
    game.apply(Action::Setup(0, None)).expect("on the board");
    assert_eq!(game.end(), None);
    assert_eq!(game.stones(), 0);
    let off = Action::Setup(225, None);
    assert_eq!(game.check(off), Err(Illegal::OffBoard));
}

#[test]
fn options_out_of_range_are_refused() {
    let with = |size, defence| Options {
        size,
        weights: Weights {
            defence,
            ..Weights::default()
        },
        ..Options::default()
    };
    assert_eq!(Game::new(with(12, 120)).err(), Some(OptionError::Size(12)));
    assert_eq!(Game::new(with(21, 120)).err(), Some(OptionError::Size(21)));
    let error = Game::new(with(15, 301)).err();
    assert_eq!(error, Some(OptionError::Weight("defence", 301)));
}

#[test]
fn equal_positions_have_equal_keys() {
    let mut one = game(Rule::Freestyle, Opening::Free);
    let mut other = one.clone();
    play(&mut one, "H8 A1 I9 B1").expect("legal");
    play(&mut other, "I9 B1 H8 A1").expect("legal");
    assert_eq!(one.key(), other.key());
    play(&mut one, "C1").expect("legal");
    assert_ne!(one.key(), other.key());
}
