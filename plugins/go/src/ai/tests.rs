//! The player at the board: what it must find, when it must pass, and that it repeats itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::evaluator::{Evaluator, PlayoutEvaluator};
use super::player::{Player, Strength, problem};
use super::playout::Policy;
use super::search::{Limits, Search};
use crate::levels::AI_LEVELS;
use crate::notation::{parse_action, parse_point};
use crate::rules::{Action, Color, End, Game, Options};

const NO_LIMIT: Duration = Duration::from_secs(3_600);

fn strength(playouts: u64) -> Strength {
    Strength {
        playouts,
        slip: 0.0,
        resigns: false,
        stops_early: false,
    }
}

/// A game in which these moves have been played.
fn game(options: Options, moves: &str) -> Game {
    let mut game = Game::new(options).expect("valid options");
    for text in moves.split_whitespace() {
        let action = parse_action(text, options.size).expect("a move");
        game.apply(action)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    game
}

fn size(size: u8) -> Options {
    Options {
        size,
        // The board is counted as it stands, so that a game is over after two passes.
        agreement: false,
        ..Options::default()
    }
}

fn decide(game: &Game, strength: Strength, seed: u64) -> Action {
    let mut player = Player::new(game, strength, 1, seed).expect("a running game");
    player.run(NO_LIMIT, &AtomicBool::new(false));
    player.decide()
}

fn at(name: &str, size: u8) -> Action {
    Action::Place(parse_point(name, size).expect("a point"))
}

/// The middle of white's wall has one liberty left, E5, which joins it to white's living stones.
/// Who plays there wins the game.
const DECISIVE: [&str; 9] = [
    ".........",
    ".........",
    "XXXXXXXXX",
    "XXOOOOOXX",
    "XXXX.XXXX",
    "OOOOOOOOO",
    ".........",
    ".........",
    ".........",
];

fn little_komi() -> Options {
    Options { komi: 1, ..size(9) }
}

#[test]
fn takes_a_group_that_decides_the_game() {
    let game = Game::from_diagram(little_komi(), &DECISIVE, Color::Black);
    for seed in 0..3 {
        assert_eq!(
            decide(&game, strength(500), seed),
            at("E5", 9),
            "seed {seed}"
        );
    }
}

#[test]
fn saves_a_group_in_atari_that_decides_the_game() {
    let game = Game::from_diagram(little_komi(), &DECISIVE, Color::White);
    for seed in 0..3 {
        assert_eq!(
            decide(&game, strength(500), seed),
            at("E5", 9),
            "seed {seed}"
        );
    }
}

/// Two closed areas, black's the larger one.
const CLOSED: [&str; 9] = [
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
    "....XO...",
];

#[test]
fn ends_a_won_game_after_the_other_side_has_passed() {
    let mut game = Game::from_diagram(little_komi(), &CLOSED, Color::White);
    game.apply(Action::Pass).expect("a pass is legal");
    for (level, ai) in AI_LEVELS.iter().enumerate().take(8) {
        assert_eq!(decide(&game, ai.strength, 5), Action::Pass, "level {level}");
    }
}

/// As [`CLOSED`], with stones inside that leave no room for an invasion.
const SETTLED: [&str; 9] = [
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
];

#[test]
fn passes_when_nothing_is_left_to_play_for() {
    for komi in [1, 51] {
        let options = Options { komi, ..size(9) };
        for to_move in Color::ALL {
            let game = Game::from_diagram(options, &SETTLED, to_move);
            let action = decide(&game, strength(400), 1);
            assert_eq!(action, Action::Pass, "{to_move:?}, komi {komi}");
        }
    }
}

#[test]
fn takes_dead_stones_before_it_passes() {
    // White's stones in black's area are dead, but count while they stand.
    let mut rows = CLOSED;
    rows[1] = ".O..XO...";
    rows[3] = "..O.XO...";
    rows[5] = ".O..XO...";
    rows[7] = "..O.XO...";
    let mut game = Game::from_diagram(little_komi(), &rows, Color::White);
    assert!(game.score().lead() < 0, "as it stands white would win");
    // White passes again and again; black takes stone after stone, then passes and wins.
    while game.end().is_none() {
        let action = match game.to_move() {
            Some(Color::Black) => decide(&game, strength(400), game.move_number().into()),
            _ => Action::Pass,
        };
        game.apply(action).expect("a legal move");
        assert!(game.move_number() < 100, "it plays on for ever");
    }
    assert_eq!(game.winner(), Some(Color::Black));
}

#[test]
fn gives_up_a_hopeless_game_if_the_level_does_so() {
    // Black has a little more of the board, white fifty points of komi; the walls do not meet the
    // lower edge yet, so that there is something left to play for.
    let options = Options {
        komi: 100,
        ..size(9)
    };
    let rows = [
        "....XO.O.",
        "....XOOOO",
        "....XO.O.",
        "....XOOOO",
        "....XO.O.",
        "....XOOOO",
        "....XO.O.",
        "....XOOOO",
        ".........",
    ];
    let mut game = Game::from_diagram(options, &rows, Color::Black);
    let own_area = "A9 A7 A5 A3 B8 B6 B4 C9 C7 C5 C3 D8 D6 D4";
    for text in own_area.split_whitespace() {
        game.apply(at(text, 9)).expect("a legal move");
        game.apply(Action::Pass).expect("a pass is legal");
    }
    let resigning = Strength {
        resigns: true,
        ..strength(400)
    };
    assert_eq!(decide(&game, resigning, 1), Action::Resign);
    assert_eq!(decide(&game, strength(400), 1), Action::Pass);
}

#[test]
fn does_not_open_on_the_first_line() {
    for board_size in [9, 13, 19] {
        for (level, ai) in AI_LEVELS.iter().enumerate().take(5) {
            for seed in 0..4 {
                let mut game = game(size(board_size), "");
                for _ in 0..4 {
                    let action = decide(&game, ai.strength, seed);
                    let Action::Place(cell) = action else {
                        panic!("{action:?} in the opening: size {board_size}, level {level}");
                    };
                    let side = u16::from(board_size);
                    let (row, column) = (cell / side, cell % side);
                    let is_edge = row == 0 || column == 0 || row == side - 1 || column == side - 1;
                    assert!(!is_edge, "size {board_size}, level {level}, seed {seed}");
                    game.apply(action).expect("a legal move");
                }
            }
        }
    }
}

#[test]
fn one_thread_repeats_itself() {
    let game = game(size(9), "E5 C3 G7 E3 C6");
    let run = |seed| {
        let mut player = Player::new(&game, strength(600), 1, seed).expect("a running game");
        // In many small steps or in one: the same.
        while !player.run(
            Duration::from_micros(seed * 200 + 1),
            &AtomicBool::new(false),
        ) {}
        (
            player.decide(),
            player.search().candidates(),
            player.search().ownership(),
        )
    };
    let mut again = Player::new(&game, strength(600), 1, 3).expect("a running game");
    again.run(NO_LIMIT, &AtomicBool::new(false));
    let (action, candidates, ownership) = run(3);
    assert_eq!(action, again.decide());
    assert_eq!(candidates, again.search().candidates());
    assert_eq!(ownership, again.search().ownership());
    let visits: u32 = candidates.iter().map(|c| c.visits).sum();
    assert_eq!(visits, 600, "every play-out began with some move");
    assert_ne!(candidates, run(4).1, "another seed plays other games");
}

#[test]
fn all_threads_together_do_the_play_outs_asked_for() {
    let game = game(size(9), "E5 C3");
    let mut player = Player::new(&game, strength(2_000), 4, 9).expect("a running game");
    assert!(player.run(NO_LIMIT, &AtomicBool::new(false)));
    assert_eq!(player.search().playouts(), 2_000);
    assert!(matches!(player.decide(), Action::Place(_)));
}

#[test]
fn the_tree_stays_within_its_bound() {
    let game = game(size(9), "E5 C3");
    let problem = problem(&game).expect("a running game");
    let evaluators = (0..2)
        .map(|_| -> Box<dyn Evaluator> { Box::new(PlayoutEvaluator::new(9, Policy::STANDARD)) })
        .collect();
    let limits = Limits {
        playouts: 3_000,
        nodes: 500,
        stops_early: false,
    };
    let mut search = Search::new(problem, evaluators, 1, limits);
    assert!(search.run(NO_LIMIT, &AtomicBool::new(false)));
    assert_eq!(search.playouts(), 3_000);
    assert!(search.nodes() >= 500, "it was filled: {}", search.nodes());
    assert!(search.nodes() <= 500 + 2 * 82, "{}", search.nodes());
}

#[test]
fn a_pass_in_the_opening_does_not_end_the_game() {
    let game = game(size(9), "E5 C3 pass");
    assert!(game.score().lead() < 0, "white would win by passing");
    assert!(matches!(decide(&game, strength(200), 1), Action::Place(_)));
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let game = game(size(19), "D4 Q16");
    let mut player = Player::new(&game, Strength::UNLIMITED, 2, 1).expect("a running game");
    let cancel = AtomicBool::new(false);
    let done = std::thread::scope(|scope| {
        let search = scope.spawn(|| player.run(NO_LIMIT, &cancel));
        cancel.store(true, Ordering::Relaxed);
        search.join()
    });
    assert!(!done.expect("no panic"), "it was not at its limit");
    assert!(player.search().playouts() < u64::from(u32::MAX));
}

#[test]
fn whole_games_end_with_legal_moves_and_the_stronger_side_wins() {
    let (lowest, middle) = (AI_LEVELS[0].strength, AI_LEVELS[5].strength);
    for seed in 0..4_u64 {
        let mut game = game(size(9), "");
        let strong = if seed % 2 == 0 {
            Color::Black
        } else {
            Color::White
        };
        let limit = 4 * 81;
        while game.end().is_none() {
            let strength = if game.to_move() == Some(strong) {
                middle
            } else {
                lowest
            };
            let action = decide(
                &game,
                strength,
                seed * 1_000 + u64::from(game.move_number()),
            );
            game.apply(action)
                .unwrap_or_else(|error| panic!("seed {seed}, {action:?}: {error}"));
            assert!(game.move_number() < limit, "seed {seed}: it never ends");
        }
        assert_eq!(
            game.winner(),
            Some(strong),
            "seed {seed}, {:?}",
            game.score()
        );
    }
}

#[test]
fn the_lowest_levels_end_their_games_too() {
    for board_size in [5, 9, 13] {
        for seed in 0..3_u64 {
            let mut game = game(size(board_size), "");
            let limit = 5 * u32::from(board_size) * u32::from(board_size);
            while game.end().is_none() {
                let level = AI_LEVELS[game.move_number() as usize % 2].strength;
                let action = decide(&game, level, seed * 1_000 + u64::from(game.move_number()));
                game.apply(action)
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                assert!(
                    game.move_number() < limit,
                    "size {board_size}, seed {seed}: it never ends"
                );
            }
            assert_eq!(game.end(), Some(End::Score));
        }
    }
}
