//! A player of a given strength: searches, then decides between a move, a pass and giving up.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ai::evaluator::{Evaluator, PlayoutEvaluator, Prior, Situation};
use crate::ai::playout::Policy;
use crate::ai::prior;
use crate::ai::search::{DEFAULT_NODES, Limits, Problem, Search};
use crate::ai::tactics;
use crate::ai::tree::MAX_VISITS;
use crate::board::{Board, Color, Point};
use crate::rng::Rng;
use crate::rules::{Action, Game, Phase, Scoring};
use crate::score;

/// How well to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Play-outs for a move.
    pub playouts: u64,
    /// Chance, 0–1, of a move that merely looks natural, without search.
    pub slip: f32,
    /// Whether a hopeless game is given up.
    pub resigns: bool,
    /// Whether the search ends as soon as nothing can change the move any more.
    pub stops_early: bool,
}

impl Strength {
    /// Everything that can be had: as many play-outs as the tree can count. For analysis, which
    /// ends by time or on command.
    pub const UNLIMITED: Strength = Strength {
        playouts: MAX_VISITS as u64,
        slip: 0.0,
        resigns: false,
        stops_early: false,
    };
}

/// A point is settled when one side owned it at the end of this share of the play-outs.
const SETTLED: f32 = 0.8;

/// A chance to win below this is hopeless.
const HOPELESS: f32 = 0.05;

/// A move is nearly as good as another if it promises this share of its chance to win.
const NEARLY: f32 = 0.7;

/// Play-outs below which "hopeless" may be bad luck, so that nobody resigns on it.
const ENOUGH_TO_RESIGN: u64 = 200;

/// Play-outs below which what they say of each point is too rough to hold up the end of a game.
const ENOUGH_TO_JUDGE: u64 = 200;

/// Play-outs for each thread below which another thread is not worth its start.
const WORTH_A_THREAD: u64 = 200;

/// Moves for each point of the board after which the player only passes. No game comes near;
/// simple ko alone would let two players go round in circles for ever.
const LONGEST_GAME: u32 = 8;

/// A search of a game's position on behalf of the side to move.
pub struct Player {
    search: Search,
    strength: Strength,
    move_number: u32,
    rng: Rng,
}

/// The searching side's problem in `game`, or `None` unless somebody is to place a stone.
pub fn problem(game: &Game) -> Option<Problem> {
    if !matches!(game.phase(), Phase::Play | Phase::Handicap(_)) {
        return None;
    }
    let to_move = game.to_move()?;
    let position = game.position();
    let board = position.board().clone();
    let last = game.last().map(|action| match action {
        Some(Action::Place(cell)) => board.point(cell).unwrap_or(Point::PASS),
        _ => Point::PASS,
    });
    let options = game.options();
    // Pass stones make territory equal to area, with a point for all handicap stones but one.
    let (scoring, white_bonus) = match options.scoring {
        Scoring::Territory if options.pass_stones => {
            let stones = i32::from(options.handicap);
            (Scoring::Area, options.komi + 2 * (stones - 1).max(0))
        }
        scoring => (scoring, game.white_bonus()),
    };
    Some(Problem {
        to_move,
        last,
        passed: game.pass_ends_play(),
        ko_rule: position.ko_rule(),
        repetition_keys: position.repetition_keys(),
        white_bonus,
        scoring,
        agreement: game.options().agreement,
        board,
    })
}

impl Player {
    /// Looks at the position of `game`; `None` if the game is over. With one thread, what it does
    /// follows from the game, the strength and the seed.
    pub fn new(game: &Game, strength: Strength, threads: u32, seed: u64) -> Option<Player> {
        let problem = problem(game)?;
        let useful = (strength.playouts / WORTH_A_THREAD).clamp(1, 64) as u32;
        let size = problem.board.size();
        let evaluators = (0..threads.clamp(1, useful))
            .map(|_| -> Box<dyn Evaluator> {
                Box::new(PlayoutEvaluator::new(size, Policy::STANDARD))
            })
            .collect();
        let mut rng = Rng::new(seed);
        let limits = Limits {
            playouts: strength.playouts,
            nodes: DEFAULT_NODES,
            stops_early: strength.stops_early,
        };
        let search = Search::new(problem, evaluators, rng.next_u64(), limits);
        Some(Player {
            search,
            strength,
            move_number: game.move_number(),
            rng,
        })
    }

    /// Goes on with `game`, which one or two moves have been played in since, keeping what the tree
    /// knows of it. False if it does not follow, or nothing is known; a new player is needed then.
    pub fn advance(&mut self, game: &Game) -> bool {
        let Some(next) = problem(game) else {
            return false;
        };
        let old = self.search.problem();
        let (before, after) = (&old.repetition_keys, &next.repetition_keys);
        let played = after.len().saturating_sub(before.len());
        let follows = (1..=2).contains(&played)
            && after.starts_with(before)
            && (old.ko_rule, old.white_bonus, old.scoring, old.agreement)
                == (next.ko_rule, next.white_bonus, next.scoring, next.agreement)
            && old.board.size() == next.board.size();
        if !follows {
            return false;
        }
        // The moves, the older one first, found again by playing them on the old board.
        let mut moves = Vec::new();
        let mut board = old.board.clone();
        let mut mover = old.to_move;
        for action in game.last().into_iter().take(played).rev() {
            let point = match action {
                Some(Action::Pass) => Point::PASS,
                Some(Action::Place(cell)) => match board.point(cell).filter(|&p| board.is_empty(p))
                {
                    Some(point) => point,
                    None => return false,
                },
                _ => return false,
            };
            if point == Point::PASS {
                board.pass();
            } else {
                board.play(point, mover);
            }
            mover = !mover;
            moves.push(point);
        }
        if board.key() != next.board.key() || mover != next.to_move {
            return false;
        }
        self.move_number = game.move_number();
        self.rng.next_u64();
        self.search.advance(&moves, next)
    }

    /// Searches on for `budget` at the most, or until `cancel` is set. True when the strength's
    /// play-outs are done.
    pub fn run(&mut self, budget: Duration, cancel: &AtomicBool) -> bool {
        self.search.run(budget, cancel)
    }

    /// How well it plays.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// What has been found so far.
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// What to do, after what has been found so far.
    pub fn decide(&self) -> Action {
        let judge = Judge::new(&self.search);
        let area = u32::from(self.search.problem().board.area());
        if judge.can_end_won_game() || judge.is_settled() || self.move_number >= LONGEST_GAME * area
        {
            return Action::Pass;
        }
        if self.strength.resigns && self.is_hopeless(&judge) {
            return Action::Resign;
        }
        if judge.can_end_lost_game() {
            return Action::Pass;
        }
        let mut rng = self.rng.clone();
        if rng.unit() < self.strength.slip
            && let Some(point) = judge.natural_move(&mut rng)
        {
            return judge.place(point);
        }
        judge.best_move().map_or(Action::Pass, |p| judge.place(p))
    }

    /// Whether the game is lost beyond doubt: hardly a play-out is won, the expected loss is more
    /// than a tenth of the board, and the opening is over.
    fn is_hopeless(&self, judge: &Judge<'_>) -> bool {
        let area = u32::from(self.search.problem().board.area());
        self.search.playouts() >= ENOUGH_TO_RESIGN
            && self.search.win_rate() < HOPELESS
            && judge.search.expected_lead() < -(area as f32) / 5.0
            && self.move_number > area / 3
    }
}

/// The sum of per-cell values over the stones of a group; 0 where there are none.
fn sum_over(board: &Board, stone: Point, values: &[f32]) -> f32 {
    let cells = board.group(stone).map(|p| usize::from(board.cell(p)));
    cells.filter_map(|cell| values.get(cell)).sum()
}

/// What the search says about the position, for deciding.
struct Judge<'a> {
    search: &'a Search,
    /// The side to move.
    mover: Color,
    /// Who would own each cell if the game ended now; where dead stones are agreed on, without
    /// those that are dead beyond doubt.
    owners: Vec<Option<Color>>,
    /// Who owns each cell at the end of the play-outs in which the mover passes first: 1.0 the
    /// mover, -1.0 the other side. Empty if there are too few of them.
    after_pass: Vec<f32>,
    /// Whether the mover's own area needs no defence.
    own_area_is_safe: bool,
    /// Whether the mover would win if the game ended now.
    wins_as_it_stands: bool,
}

impl<'a> Judge<'a> {
    fn new(search: &'a Search) -> Judge<'a> {
        let problem = search.problem();
        let mover = problem.to_move;
        let sign = match mover {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        let after_pass: Vec<f32> = search
            .ownership_after_pass()
            .unwrap_or_default()
            .iter()
            .map(|o| sign * o)
            .collect();
        let board = problem.board_as_agreed(|stone| {
            let owner = sum_over(&problem.board, stone, &after_pass);
            let stones = f32::from(problem.board.group_size(stone));
            match problem.board.stone(stone) == Some(mover) {
                true => owner <= -SETTLED * stones,
                false => owner >= SETTLED * stones,
            }
        });
        let mut judge = Judge {
            search,
            mover,
            owners: score::owners(&board),
            after_pass,
            own_area_is_safe: false,
            wins_as_it_stands: problem.for_mover(problem.lead_on(&board)) > 0,
        };
        judge.own_area_is_safe = judge.is_own_area_safe();
        judge
    }

    fn place(&self, point: Point) -> Action {
        Action::Place(self.search.problem().board.cell(point))
    }

    /// Whether a pass ends the game at once. A pass in the opening is not taken as a wish to end
    /// the game there and then.
    fn can_end_game(&self) -> bool {
        self.search.problem().passed && !self.is_opening()
    }

    /// Whether a pass ends the game at once and wins it.
    ///
    /// While dead stones of the other side would lose the game as it stands, this is false, and
    /// [`Judge::is_settled`] is too: the player goes on and takes them. Where dead stones are agreed on,
    /// the other side may see it differently: then nothing may be left to defend or to gain,
    /// as far as the play-outs can tell.
    fn can_end_won_game(&self) -> bool {
        let is_final = !self.search.problem().agreement
            || self.search.playouts() < ENOUGH_TO_JUDGE
            || self.own_area_is_safe && !self.has_gain_left();
        self.can_end_game() && self.wins_as_it_stands && is_final
    }

    /// Whether a neutral point is left that the mover can take and that counts.
    fn has_gain_left(&self) -> bool {
        let board = &self.search.problem().board;
        let mut points = board.points().zip(&self.owners);
        points.any(|(point, owner)| {
            owner.is_none()
                && !self.is_worthless(point)
                && board.is_legal(point, self.mover)
                && !tactics::is_self_atari(board, point, self.mover)
        })
    }

    /// Whether a neutral point is worth nothing to anybody: under territory scoring, one between stones.
    fn is_worthless(&self, point: Point) -> bool {
        let problem = self.search.problem();
        problem.scoring == Scoring::Territory && problem.board.empty_neighbors(point) == 0
    }

    /// Whether a pass ends the game at once and nothing else would save it.
    fn can_end_lost_game(&self) -> bool {
        self.can_end_game() && self.search.playouts() > 0 && self.search.win_rate() < HOPELESS
    }

    /// Whether most of the board is still empty.
    fn is_opening(&self) -> bool {
        let board = &self.search.problem().board;
        board.empty_count() > board.area() / 5 * 4
    }

    /// Whether everybody's area is what it will be even if the mover passes: no neutral point is
    /// left to fill, no dead stone to take, nothing to defend.
    fn is_settled(&self) -> bool {
        let points = self.search.problem().board.points();
        let mut cells = points.zip(self.owners.iter().zip(&self.after_pass));
        !self.after_pass.is_empty()
            && cells.all(|(point, (&owner, &after_pass))| match owner {
                None => self.is_worthless(point),
                Some(color) if color == self.mover => after_pass >= SETTLED,
                Some(_) => after_pass <= -SETTLED,
            })
    }

    /// Whether the mover's own area needs no defence: a pass leaves it as it is.
    fn is_own_area_safe(&self) -> bool {
        let mut cells = self.owners.iter().zip(&self.after_pass);
        !self.after_pass.is_empty()
            && cells.all(|(&owner, &after_pass)| owner != Some(self.mover) || after_pass >= SETTLED)
    }

    /// Whether a move can change nothing: it plays inside the mover's own area, which is safe.
    fn is_pointless(&self, point: Point) -> bool {
        let cell = usize::from(self.search.problem().board.cell(point));
        self.own_area_is_safe && self.owners.get(cell) == Some(&Some(self.mover))
    }

    /// The most visited move; `None` for a pass.
    ///
    /// In a game that would be won as it stands, a pointless move gives way to a pass. In one that
    /// would be lost, the play-outs may count on dead stones being taken some time, so that one
    /// move seems as good as another: then the most promising move that is not pointless is played
    /// to get there, as long as it is nearly as good.
    fn best_move(&self) -> Option<Point> {
        let candidates = self.search.candidates();
        let best = candidates.first()?;
        let is_idle = best.point == Point::PASS || self.is_pointless(best.point);
        if !is_idle {
            return Some(best.point);
        }
        if self.wins_as_it_stands {
            return None;
        }
        let useful = self
            .search
            .promises()
            .filter(|&(point, _)| point != Point::PASS && !self.is_pointless(point))
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        match useful {
            Some((point, promise)) if promise >= NEARLY * best.win_rate => Some(point),
            _ if self.search.win_rate() < HOPELESS => None,
            _ => candidates
                .iter()
                .map(|c| c.point)
                .find(|&point| point != Point::PASS),
        }
    }

    /// A move that looks natural to somebody who overlooks which stones can be taken, drawn by how natural
    /// it looks. Never one that looks bad, and none on the first line while most of the board is empty.
    fn natural_move(&self, rng: &mut Rng) -> Option<Point> {
        let problem = self.search.problem();
        let board = &problem.board;
        let points: Vec<Point> = self
            .search
            .first_impressions()
            .map(|(point, _)| point)
            .filter(|&point| {
                point != Point::PASS
                    && (!self.is_opening() || board.line(point) != 1)
                    && !self.is_pointless(point)
                    && !tactics::is_self_atari(board, point, self.mover)
            })
            .collect();
        let situation = Situation {
            board,
            to_move: self.mover,
            last: problem.last,
        };
        let mut priors = Vec::new();
        prior::glance(situation, &points, &mut priors);
        let moves: Vec<(Point, f32)> = points
            .into_iter()
            .zip(priors.iter().map(Prior::chance))
            .filter(|&(_, chance)| chance >= 0.5)
            .map(|(point, chance)| (point, chance.powi(4)))
            .collect();
        let total: f32 = moves.iter().map(|&(_, weight)| weight).sum();
        let mut left = rng.unit() * total;
        moves
            .iter()
            .find(|&&(_, weight)| {
                left -= weight;
                left < 0.0
            })
            .or(moves.last())
            .map(|&(point, _)| point)
    }
}
