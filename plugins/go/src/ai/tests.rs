//! The player at the board: what it must find, when it must pass, and that it repeats itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use super::evaluator::{Evaluation, Evaluator, PlayoutEvaluator, Prior, Situation};
use super::player::{Player, Strength, problem};
use super::playout::Policy;
use super::search::{Limits, Problem, Search};
use crate::board::{Board, Point};
use crate::levels::AI_LEVELS;
use crate::notation::{parse_action, parse_point};
use crate::rng::Rng;
use crate::rules::{Action, Color, End, Game, KoRule, Options, RuleSet};
use crate::score::{Count, Scoring};

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

/// Sees one point only: who has it will win. Plays nothing out and knows no owners.
struct OnePoint {
    cell: u16,
    /// Whether it says of a move there that it looks good; the value is then always even.
    by_policy: bool,
    heard: Arc<AtomicI32>,
}

impl Evaluator for OnePoint {
    fn begin(&mut self, problem: &Problem) {
        self.heard.store(problem.white_bonus, Ordering::Relaxed);
    }

    fn priors(&mut self, situation: Situation<'_>, moves: &[Point], priors: &mut Vec<Prior>) {
        priors.extend(moves.iter().map(|&point| {
            let is_good = self.by_policy && situation.board.cell(point) == self.cell;
            Prior {
                wins: if is_good { 19.0 } else { 10.0 },
                games: 20.0,
            }
        }));
    }

    fn evaluate(
        &mut self,
        board: &mut Board,
        _to_move: Color,
        _last: Point,
        _rng: &mut Rng,
        result: &mut Evaluation,
    ) {
        let owner = board.point(self.cell).and_then(|point| board.stone(point));
        result.chance = Some(match owner {
            _ if self.by_policy => 0.5,
            Some(Color::Black) => 0.9,
            Some(Color::White) => 0.1,
            None => 0.5,
        });
    }
}

#[test]
fn another_judge_can_take_the_place_of_the_play_outs() {
    for (by_policy, threads) in [(false, 1), (true, 1), (false, 2)] {
        for moves in ["", "E5"] {
            let game = game(size(9), moves);
            let problem = problem(&game).expect("a running game");
            let heard = Arc::new(AtomicI32::new(i32::MIN));
            let Action::Place(cell) = at("G3", 9) else {
                panic!("a point")
            };
            let judges = (0..threads)
                .map(|_| -> Box<dyn Evaluator> {
                    Box::new(OnePoint {
                        cell,
                        by_policy,
                        heard: Arc::clone(&heard),
                    })
                })
                .collect();
            let limits = Limits {
                playouts: 12_000,
                nodes: 1_000_000,
                stops_early: false,
            };
            let mut search = Search::new(problem, judges, 1, limits);
            search.run(NO_LIMIT, &AtomicBool::new(false));
            assert_eq!(heard.load(Ordering::Relaxed), 15, "it was told the komi");
            let best = search.candidates()[0];
            let board = &search.problem().board;
            assert_eq!(board.cell(best.point), cell, "{moves:?}, {by_policy}");
            if !by_policy {
                let rate = search.win_rate();
                assert!(rate > 0.6, "it hopes for that point: {rate}");
            }
        }
    }
}

#[test]
fn a_tree_is_kept_over_moves_that_follow() {
    let before = game(size(9), "E5 C3");
    let mut player = Player::new(&before, strength(2_000), 1, 7).expect("a running game");
    player.run(NO_LIMIT, &AtomicBool::new(false));
    let line = player
        .search()
        .line(player.search().candidates()[0].point, 20);
    let cell = |point| player.search().problem().board.cell(point);
    let mut after = before.clone();
    for &point in &line[..2] {
        after
            .apply(Action::Place(cell(point)))
            .expect("a legal move");
    }
    assert!(player.advance(&after), "it follows by two moves");
    let known: u32 = player.search().candidates().iter().map(|c| c.visits).sum();
    assert!(known >= 20, "what was known of it is known: {known}");
    assert_eq!(player.search().playouts(), 0, "play-outs are counted anew");
    player.run(NO_LIMIT, &AtomicBool::new(false));
    assert_eq!(player.search().playouts(), 2_000);
    let now: u32 = player.search().candidates().iter().map(|c| c.visits).sum();
    assert_eq!(now, known + 2_000);
    let legal = after.legal_cells();
    for candidate in player.search().candidates() {
        let cell = player.search().problem().board.cell(candidate.point);
        assert!(candidate.point == Point::PASS || legal.contains(&cell));
    }
    assert!(matches!(player.decide(), Action::Place(_)));
}

#[test]
fn a_tree_is_not_kept_where_the_game_does_not_follow() {
    let before = game(size(9), "E5 C3");
    let others = [
        ("the same", game(size(9), "E5 C3")),
        ("a move back", game(size(9), "E5")),
        ("three moves on", game(size(9), "E5 C3 G7 G3 C7")),
        ("another beginning", game(size(9), "E5 C4 G7")),
        ("another board", game(size(13), "E5 C3 G7")),
        ("another komi", game(little_komi(), "E5 C3 G7")),
        ("a stone set up", {
            let mut game = before.clone();
            let set_up = parse_action("set B G7", 9).expect("a set-up");
            game.apply(set_up).expect("an empty point");
            game
        }),
        ("the turn changed", {
            let mut game = before.clone();
            game.apply(Action::Turn(Color::White)).expect("any time");
            game
        }),
        ("over", game(size(9), "E5 C3 resign")),
    ];
    for (what, other) in others {
        let mut player = Player::new(&before, strength(300), 1, 7).expect("a running game");
        player.run(NO_LIMIT, &AtomicBool::new(false));
        assert!(!player.advance(&other), "{what}");
    }
    let mut unused = Player::new(&before, strength(300), 1, 7).expect("a running game");
    assert!(!unused.advance(&game(size(9), "E5 C3 G7")), "nothing known");
}

#[test]
fn a_kept_tree_takes_back_no_ko_that_may_not_be_taken() {
    // Black takes the ko at D5 that white may not take back at once, under either kind of rule.
    for ko in [KoRule::Simple, KoRule::PositionalSuperko] {
        let options = Options { ko, ..size(9) };
        let mut game = game(options, "C5 E6 D6 E4 D4 F5 A1 D5");
        let mut player = Player::new(&game, strength(3_000), 1, 5).expect("a running game");
        player.run(NO_LIMIT, &AtomicBool::new(false));
        game.apply(at("E5", 9)).expect("black takes the ko");
        assert!(game.check(at("D5", 9)).is_err(), "it is a ko");
        if !player.advance(&game) {
            player = Player::new(&game, strength(3_000), 1, 5).expect("a running game");
        }
        player.run(NO_LIMIT, &AtomicBool::new(false));
        let banned = player
            .search()
            .problem()
            .board
            .point(parse_point("D5", 9).expect("a point"));
        assert!(
            player
                .search()
                .first_impressions()
                .all(|(p, _)| Some(p) != banned)
        );
    }
}

#[test]
fn an_early_stop_changes_no_move() {
    for seed in 0..6 {
        let game = game(size(9), "E5 C3 G7 E3 C6 G4");
        let full = decide(&game, strength(800), seed);
        let stopping = Strength {
            stops_early: true,
            ..strength(800)
        };
        assert_eq!(decide(&game, stopping, seed), full, "seed {seed}");
    }
    let game = Game::from_diagram(little_komi(), &DECISIVE, Color::Black);
    let stopping = Strength {
        stops_early: true,
        ..strength(2_000)
    };
    let mut player = Player::new(&game, stopping, 1, 1).expect("a running game");
    assert!(player.run(NO_LIMIT, &AtomicBool::new(false)));
    let playouts = player.search().playouts();
    assert!(playouts < 2_000, "one move is far ahead: {playouts}");
}

/// As [`SETTLED`], with a white stone in black's area that cannot live.
const DEAD_STONE: [&str; 9] = [
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    "....XO.O.",
    ".O..XOOOO",
    "....XO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
];

#[test]
fn leaves_dead_stones_where_they_are_agreed_on() {
    for rules in [RuleSet::Chinese, RuleSet::Japanese] {
        for seed in 0..3 {
            let options = Options {
                komi: 1,
                ..rules.options(9)
            };
            let mut game = Game::from_diagram(options, &DEAD_STONE, Color::White);
            game.apply(Action::Pass).expect("a pass is legal");
            let action = decide(&game, strength(800), seed);
            assert_eq!(action, Action::Pass, "{rules:?}, seed {seed}");
        }
    }
}

/// As [`SETTLED`], with one neutral point at E5, where whoever plays it gains it under area scoring.
const NEUTRAL: [&str; 9] = [
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.X.O.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
    "XXX.XOOOO",
    ".X.XXO.O.",
];

#[test]
fn takes_the_last_neutral_point_where_it_counts() {
    for komi in [1, 17] {
        let options = Options {
            komi,
            ..RuleSet::Chinese.options(9)
        };
        let mut game = Game::from_diagram(options, &NEUTRAL, Color::White);
        game.apply(Action::Pass).expect("a pass is legal");
        assert_eq!(decide(&game, strength(800), 1), at("E5", 9), "komi {komi}");
    }
}

#[test]
fn fills_no_territory_of_its_own_where_that_costs() {
    for komi in [1, 51] {
        let options = Options {
            komi,
            ..RuleSet::Japanese.options(9)
        };
        for to_move in Color::ALL {
            let game = Game::from_diagram(options, &SETTLED, to_move);
            let action = decide(&game, strength(400), 1);
            assert_eq!(action, Action::Pass, "{to_move:?}, komi {komi}");
        }
    }
}

#[test]
fn area_less_stones_placed_is_territory() {
    for seed in 0..20_u64 {
        let options = Options {
            agreement: false,
            ..RuleSet::Japanese.options(7)
        };
        let mut game = Game::new(options).expect("valid options");
        let mut rng = Rng::new(seed);
        for _ in 0..120 {
            let board = game.position().board();
            let to_move = game.to_move().expect("nobody has passed twice");
            let point = board.clone().random_move(to_move, &mut rng);
            let action = point.map_or(Action::Pass, |point| Action::Place(board.cell(point)));
            let is_legal = game.check(action).is_ok();
            if !is_legal || action == Action::Pass && game.pass_ends_play() {
                break;
            }
            game.apply(action).expect("a legal move");
            let problem = problem(&game).expect("a running game");
            let board = game.position().board();
            // Territory in seki, which Japanese rules leave out, is none of the identity's business.
            let [black, white] = Count::new(board, &[false; 49], true).points(Scoring::Territory);
            let points = |color, territory: u32| (territory + board.captures(color)) as i32;
            let lead = points(Color::Black, black) - points(Color::White, white);
            assert_eq!(
                problem.lead_on(board),
                2 * lead - game.white_bonus(),
                "seed {seed}, move {}",
                game.move_number()
            );
        }
    }
}
