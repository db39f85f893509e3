//! The search: grows the tree play-out by play-out, on one thread or several, until told to stop.
//!
//! With one thread everything follows from the problem, the seed and the number of play-outs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::ai::evaluator::{Evaluation, Evaluator, Prior, Situation};
use crate::ai::tree::{MAX_VISITS, Node, WIN};
use crate::board::{Board, Color, Point};
use crate::point::Table;
use crate::position::{KoRule, repetition_key};
use crate::rng::Rng;
use crate::score::{self, Scoring};

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Play-outs, after which the search is done.
    pub playouts: u64,
    /// Nodes of the tree; each thread may go beyond by the children of one node. A full tree
    /// grows no deeper, but goes on counting.
    pub nodes: u32,
    /// Whether the search is done as soon as no play-out that is left could change which move has
    /// the most. The answer is the same; what is known of the other moves is less.
    pub stops_early: bool,
}

/// How often it is looked whether the search can stop early, in play-outs.
const LOOK_EVERY: u64 = 64;

/// Nodes that fit into about 80 MB.
pub const DEFAULT_NODES: u32 = 1_500_000;

/// A leaf gets children once it has been visited as often: at the second visit on small boards,
/// later where children are many and cost more.
fn expand_at(board: &Board) -> u32 {
    (u32::from(board.area()) / 40).max(2)
}

/// Play-outs that a pass is given at first, once the board has filled up.
const PASS_FIRST: u64 = 8;

/// One play-out in as many goes to a pass then.
const PASS_SHARE: u64 = 16;

/// The longest line searched below the root, in moves.
const MAX_DEPTH: usize = 256;

/// Share of a result that says by how much a game was won, so that won games are still played
/// well and lost ones kept close.
const MARGIN_SHARE: f32 = 0.04;

/// The position to search, and what of the rules matters in it.
#[derive(Clone)]
pub struct Problem {
    /// The stones.
    pub board: Board,
    /// Whose turn it is.
    pub to_move: Color,
    /// The last move and the one before it, [`Point::PASS`] for a pass or none.
    pub last: [Point; 2],
    /// Whether the move before was a pass, so that another ends the game.
    pub passed: bool,
    /// The ko rule.
    pub ko_rule: KoRule,
    /// What may not come back under a superko rule: see [`crate::position::Position`].
    pub repetition_keys: Vec<u64>,
    /// What white gets on top of its points, in half points.
    pub white_bonus: i32,
    /// How points are counted. Under [`Scoring::Territory`] play-outs are still counted by area, and
    /// this identity turns the one into the other: black's lead in territory and prisoners is its lead in area less
    /// the stones that it has placed more than white, on the board or taken since.
    pub scoring: Scoring,
    /// Whether two passes lead to an agreement on dead stones; otherwise all live.
    pub agreement: bool,
}

impl Problem {
    /// The board as it is counted after two passes: without the groups that `is_dead` says yes to (it
    /// is given a stone of each) where dead stones are agreed on, else as it stands.
    pub fn board_as_agreed(&self, is_dead: impl Fn(Point) -> bool) -> Board {
        let board = &self.board;
        if !self.agreement {
            return board.clone();
        }
        board.keep(|point| board.stone(point).is_none() || !is_dead(point))
    }

    /// Black's lead in half points if the game were scored on `board`, on which stones may have been
    /// taken for dead.
    pub fn lead_on(&self, board: &Board) -> i32 {
        let (black, white) = score::area(board);
        self.lead(black as i32 - white as i32, &self.board)
    }

    /// Black's lead in half points with a lead in area, on a board that was played to.
    fn lead(&self, area: i32, board: &Board) -> i32 {
        let placed = match self.scoring {
            Scoring::Area => 0,
            Scoring::Territory => placed(board, Color::Black) - placed(board, Color::White),
        };
        2 * (area - placed) - self.white_bonus
    }

    /// A lead of black's as a lead of the side to move.
    pub fn for_mover(&self, lead: i32) -> i32 {
        match self.to_move {
            Color::Black => lead,
            Color::White => -lead,
        }
    }
}

/// How many stones a side has placed: those on the board, and those that were taken. Stones that were
/// handed over count, as they make up for a stone that was not placed.
fn placed(board: &Board, color: Color) -> i32 {
    i32::from(board.stones(color)) + board.captures(!color) as i32
}

/// What all threads share.
struct Shared {
    problem: Problem,
    forbidden: HashSet<u64>,
    root: Node,
    nodes: AtomicU32,
    started: AtomicU64,
    /// Play-outs that began with a pass.
    passes: AtomicU32,
    /// Whether the search stopped early.
    is_decided: AtomicBool,
    limits: Limits,
}

impl Shared {
    /// Whether the move with the most visits keeps that place if all `left` play-outs go to another.
    fn cannot_change(&self, left: u64) -> bool {
        let (mut most, mut second) = (0, 0);
        for child in self.root.children() {
            let visits = child.visits();
            if visits > most {
                (most, second) = (visits, most);
            } else {
                second = second.max(visits);
            }
        }
        u64::from(most - second) > left
    }

    /// The pass at the root, if it is time to look at it again: once the board has filled up, the
    /// first few play-outs and then one in [`PASS_SHARE`] go there, so that it is always known what
    /// a pass would lose.
    fn due_pass(&self) -> Option<&Node> {
        let board = &self.problem.board;
        if board.empty_count() > board.area() / 2 {
            return None;
        }
        let playouts = self.started.load(Relaxed);
        let due = (playouts / 4).min(PASS_FIRST).max(playouts / PASS_SHARE);
        if u64::from(self.passes.load(Relaxed)) >= due {
            return None;
        }
        let mut children = self.root.children().iter();
        children.find(|c| c.point == Point::PASS)
    }
}

/// What each thread has of its own.
struct Worker {
    evaluator: Box<dyn Evaluator>,
    rng: Rng,
    board: Board,
    result: Evaluation,
    priors: Vec<Prior>,
    legal: Vec<Point>,
    path_keys: Vec<u64>,
    /// Black's lead of the last play-out, in half points.
    lead: i32,
    /// Over all play-outs.
    all: Owners,
    /// Over those that began with a pass.
    after_pass: Owners,
    /// Sum of the leads of all play-outs.
    lead_sum: i64,
}

/// Who owned each point at the end of play-outs.
struct Owners {
    /// Per point: owned by black minus owned by white.
    sum: Table<i32>,
    playouts: u32,
}

impl Owners {
    fn new() -> Owners {
        Owners {
            sum: Table::new(0),
            playouts: 0,
        }
    }

    fn add(&mut self, board: &Board, result: &Evaluation) {
        self.playouts += 1;
        for point in board.points() {
            self.sum[point] += i32::from(result.owner[point]);
        }
    }

    /// The mean of several, per cell; `None` without any play-out.
    fn mean<'a>(
        board: &Board,
        several: impl Iterator<Item = &'a Owners> + Clone,
    ) -> Option<Vec<f32>> {
        let playouts: u32 = several.clone().map(|o| o.playouts).sum();
        (playouts > 0).then(|| {
            let sums = board
                .points()
                .map(|p| several.clone().map(|o| o.sum[p]).sum::<i32>());
            sums.map(|sum| sum as f32 / playouts as f32).collect()
        })
    }
}

/// A search of one position.
pub struct Search {
    shared: Shared,
    /// Play-outs asked for.
    playouts: u64,
    workers: Vec<Worker>,
}

/// A move that was looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move; [`Point::PASS`] for a pass.
    pub point: Point,
    /// Play-outs that began with it.
    pub visits: u32,
    /// Chance of the side to move to win with it, 0–1.
    pub win_rate: f32,
}

impl Search {
    /// A search with one thread per evaluator, ready to run.
    pub fn new(
        problem: Problem,
        evaluators: Vec<Box<dyn Evaluator>>,
        seed: u64,
        limits: Limits,
    ) -> Search {
        let mut seeds = Rng::new(seed);
        let workers = evaluators
            .into_iter()
            .map(|mut evaluator| {
                evaluator.begin(&problem);
                evaluator
            })
            .map(|evaluator| Worker {
                evaluator,
                rng: Rng::new(seeds.next_u64()),
                board: problem.board.clone(),
                result: Evaluation::new(),
                priors: Vec::new(),
                legal: Vec::new(),
                path_keys: Vec::new(),
                lead: 0,
                all: Owners::new(),
                after_pass: Owners::new(),
                lead_sum: 0,
            })
            .collect();
        Search {
            playouts: limits.playouts,
            shared: Shared {
                root: Node::new(problem.last[0], Prior::default()),
                forbidden: forbidden(&problem),
                problem,
                nodes: AtomicU32::new(1),
                started: AtomicU64::new(0),
                passes: AtomicU32::new(0),
                is_decided: AtomicBool::new(false),
                limits: Limits {
                    playouts: limits.playouts.min(u64::from(MAX_VISITS)),
                    ..limits
                },
            },
            workers,
        }
    }

    /// The position searched.
    pub fn problem(&self) -> &Problem {
        &self.shared.problem
    }

    /// Searches on for `budget` at the most, or until `cancel` is set, which is looked at before
    /// every play-out; without `cancel` at least one is played. True when the search has reached its limit.
    pub fn run(&mut self, budget: Duration, cancel: &AtomicBool) -> bool {
        let deadline = Instant::now().checked_add(budget);
        let shared = &self.shared;
        match self.workers.as_mut_slice() {
            [only] => only.run(shared, deadline, cancel),
            workers => std::thread::scope(|scope| {
                for worker in workers {
                    scope.spawn(move || worker.run(shared, deadline, cancel));
                }
            }),
        }
        self.is_done()
    }

    fn is_done(&self) -> bool {
        self.shared.started.load(Relaxed) >= self.shared.limits.playouts
            || self.shared.is_decided.load(Relaxed)
            || self.workers.is_empty()
    }

    /// Whether the move with the most visits keeps that place if all of `left` further play-outs go
    /// to another one.
    pub fn is_decided(&self, left: u64) -> bool {
        self.shared.cannot_change(left)
    }

    /// Whether the move with the most visits is also the one that wins most, of those that have at
    /// least a quarter of its visits.
    pub fn is_sure(&self) -> bool {
        let candidates = self.candidates();
        let Some(best) = candidates.first() else {
            return false;
        };
        let rivals = candidates.iter().filter(|c| c.visits >= best.visits / 4);
        rivals.into_iter().all(|c| c.win_rate <= best.win_rate)
    }

    /// Goes on with the position after `moves` (one or two of them), of which `problem` is the
    /// position, keeping what the tree knows of it. False if the tree knows nothing of it; the search
    /// is of no use then.
    pub fn advance(&mut self, moves: &[Point], problem: Problem) -> bool {
        for &point in moves {
            match self.shared.root.take_child(point) {
                Some(child) => self.shared.root = child,
                None => return false,
            }
        }
        let shared = &mut self.shared;
        *shared.nodes.get_mut() = shared.root.count();
        *shared.started.get_mut() = 0;
        *shared.passes.get_mut() = 0;
        // What was counted before counts on.
        let room = MAX_VISITS.saturating_sub(shared.root.visits());
        shared.limits.playouts = self.playouts.min(u64::from(room));
        *shared.is_decided.get_mut() = false;
        shared.forbidden = forbidden(&problem);
        for worker in &mut self.workers {
            worker.all = Owners::new();
            worker.after_pass = Owners::new();
            worker.lead_sum = 0;
            worker.evaluator.begin(&problem);
        }
        shared.problem = problem;
        true
    }

    /// Nodes of the tree so far.
    pub fn nodes(&self) -> u32 {
        self.shared.nodes.load(Relaxed)
    }

    /// Play-outs so far.
    pub fn playouts(&self) -> u64 {
        self.workers.iter().map(|w| u64::from(w.all.playouts)).sum()
    }

    /// Chance of the side to move to win, 0–1, over all play-outs; one half before the first.
    pub fn win_rate(&self) -> f32 {
        match self.shared.root.visits() {
            0 => 0.5,
            _ => 1.0 - self.shared.root.win_rate(),
        }
    }

    /// Expected lead of the side to move in half points: the mean over all play-outs.
    pub fn expected_lead(&self) -> f32 {
        let playouts = self.playouts().max(1) as f32;
        let sum: i64 = self.workers.iter().map(|w| w.lead_sum).sum();
        let lead = sum as f32 / playouts;
        match self.shared.problem.to_move {
            Color::Black => lead,
            Color::White => -lead,
        }
    }

    /// The moves looked at, the most visited first.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = self
            .shared
            .root
            .children()
            .iter()
            .filter(|c| c.visits() > 0)
            .map(|c| Candidate {
                point: c.point,
                visits: c.visits(),
                win_rate: c.win_rate(),
            })
            .collect();
        candidates.sort_by(|a, b| {
            b.visits
                .cmp(&a.visits)
                .then(b.win_rate.total_cmp(&a.win_rate))
        });
        candidates
    }

    /// Every move from here, tried or not, with the chance to win that it seemed to have at first
    /// sight, 0–1; empty before the first play-out.
    pub fn first_impressions(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        let children = self.shared.root.children().iter();
        children.map(|c| (c.point, c.first_impression()))
    }

    /// Every move from here, tried or not, with how promising it looks now, 0–1.
    pub fn promises(&self) -> impl Iterator<Item = (Point, f32)> + '_ {
        let children = self.shared.root.children().iter();
        children.map(|c| (c.point, c.promise()))
    }

    /// The line expected after `first`, that move included, as long as it was played out
    /// `at_least` times.
    pub fn line(&self, first: Point, at_least: u32) -> Vec<Point> {
        let mut line = Vec::new();
        let mut node = self
            .shared
            .root
            .children()
            .iter()
            .find(|c| c.point == first);
        while let Some(here) = node {
            line.push(here.point);
            node = here.most_visited().filter(|c| c.visits() >= at_least);
        }
        line
    }

    /// The owner of each cell, from 1.0 (black in every play-out) to -1.0 (white); all 0.0 before
    /// the first.
    pub fn ownership(&self) -> Vec<f32> {
        let board = &self.shared.problem.board;
        Owners::mean(board, self.workers.iter().map(|w| &w.all))
            .unwrap_or_else(|| vec![0.0; usize::from(board.area())])
    }

    /// As [`Search::ownership`], over those play-outs that began with a pass; `None` while there
    /// are too few to say anything.
    pub fn ownership_after_pass(&self) -> Option<Vec<f32>> {
        let after_pass = self.workers.iter().map(|w| &w.after_pass);
        let playouts: u32 = after_pass.clone().map(|o| o.playouts).sum();
        if u64::from(playouts) < PASS_FIRST / 2 {
            return None;
        }
        Owners::mean(&self.shared.problem.board, after_pass)
    }
}

/// The keys that may not come back.
fn forbidden(problem: &Problem) -> HashSet<u64> {
    match problem.ko_rule {
        KoRule::Simple => HashSet::new(),
        KoRule::PositionalSuperko | KoRule::SituationalSuperko => {
            problem.repetition_keys.iter().copied().collect()
        }
    }
}

impl Worker {
    fn run(&mut self, shared: &Shared, deadline: Option<Instant>, cancel: &AtomicBool) {
        while !cancel.load(Relaxed) && !shared.is_decided.load(Relaxed) {
            let number = shared.started.fetch_add(1, Relaxed);
            if number >= shared.limits.playouts {
                // Not started after all.
                shared.started.fetch_sub(1, Relaxed);
                return;
            }
            self.playout(shared);
            if shared.limits.stops_early
                && number.is_multiple_of(LOOK_EVERY)
                && shared.cannot_change(shared.limits.playouts - number)
            {
                shared.is_decided.store(true, Relaxed);
                return;
            }
            if deadline.is_some_and(|d| Instant::now() >= d) {
                return;
            }
        }
    }

    /// Walks down the tree, adds to it, plays the game out, and carries the result back up.
    fn playout(&mut self, shared: &Shared) {
        let problem = &shared.problem;
        self.board.copy_from(&problem.board);
        self.path_keys.clear();
        self.result.moves.clear();
        let mut path: [Option<&Node>; MAX_DEPTH + 1] = [None; MAX_DEPTH + 1];
        let mut node = &shared.root;
        let mut last = problem.last;
        let mut passed = problem.passed;
        let mut color = problem.to_move;
        let mut depth = 0;
        let mut is_over = false;
        node.enter();
        while depth < MAX_DEPTH && !is_over {
            if !node.is_expanded() {
                let is_wanted = depth == 0 || node.visits() >= expand_at(&problem.board);
                if !is_wanted || shared.nodes.load(Relaxed) >= shared.limits.nodes {
                    break;
                }
                node.expand(|| self.children(shared, color, last));
            }
            let due_pass = if depth == 0 { shared.due_pass() } else { None };
            let Some(child) = due_pass.or_else(|| node.most_promising()) else {
                break;
            };
            child.enter();
            if child.point == Point::PASS {
                if depth == 0 {
                    shared.passes.fetch_add(1, Relaxed);
                }
                self.board.pass();
                is_over = passed;
                passed = true;
            } else {
                self.board.play(child.point, color);
                passed = false;
            }
            self.result.moves.push(child.point);
            last = [child.point, last[0]];
            color = !color;
            self.path_keys
                .push(repetition_key(problem.ko_rule, self.board.key(), color));
            depth += 1;
            path[depth] = Some(child);
            node = child;
        }
        // Stones that are placed in the play-out are placed by both sides in turn and change
        // nothing in what they have placed more than the other.
        let here = problem.lead(0, &self.board);
        if is_over && !problem.agreement {
            self.score_as_it_stands();
        } else {
            // Also after two passes: the play-out finds out what is dead.
            self.evaluator.evaluate(
                &mut self.board,
                color,
                last[0],
                &mut self.rng,
                &mut self.result,
            );
        }
        self.lead = here + 2 * self.result.score;
        self.lead_sum += i64::from(self.lead);
        self.all.add(&problem.board, &self.result);
        if self.result.moves.first() == Some(&Point::PASS) {
            self.after_pass.add(&problem.board, &self.result);
        }
        self.back_up(shared, &path[..=depth]);
    }

    /// The game ended with two passes: its score is the area as the board stands.
    fn score_as_it_stands(&mut self) {
        let owners = score::owners(&self.board);
        self.result.score = 0;
        self.result.chance = None;
        for (point, owner) in self.board.points().zip(owners) {
            let owner = match owner {
                Some(Color::Black) => 1,
                Some(Color::White) => -1,
                None => 0,
            };
            self.result.owner[point] = owner;
            self.result.score += i32::from(owner);
        }
    }

    /// The moves of a node: legal, no eye filled, and a pass; in random order, so that equals are
    /// tried in random order.
    fn children(&mut self, shared: &Shared, color: Color, last: [Point; 2]) -> Box<[Node]> {
        let problem = &shared.problem;
        let superko = problem.ko_rule != KoRule::Simple;
        self.legal.clear();
        for &point in self.board.empties() {
            if !self.board.is_legal(point, color) || self.board.is_eye(point, color) {
                continue;
            }
            if superko {
                let after = self.board.key_after(point, color);
                let key = repetition_key(problem.ko_rule, after, !color);
                if shared.forbidden.contains(&key) || self.path_keys.contains(&key) {
                    continue;
                }
            }
            self.legal.push(point);
        }
        self.legal.push(Point::PASS);
        for i in (1..self.legal.len()).rev() {
            let j = self.rng.below(i as u32 + 1) as usize;
            self.legal.swap(i, j);
        }
        self.priors.clear();
        let situation = Situation {
            board: &self.board,
            to_move: color,
            last,
        };
        self.evaluator
            .priors(situation, &self.legal, &mut self.priors);
        shared.nodes.fetch_add(self.legal.len() as u32, Relaxed);
        let moves = self.legal.iter().zip(&self.priors);
        moves
            .map(|(&point, &prior)| Node::new(point, prior))
            .collect()
    }

    /// Adds the result to every node of the path, and to the siblings that were played later.
    fn back_up(&mut self, shared: &Shared, path: &[Option<&Node>]) {
        let problem = &shared.problem;
        let lead = self.lead as f32;
        let won = match self.result.chance {
            Some(chance) => chance.clamp(0.0, 1.0),
            None if lead > 0.0 => 1.0,
            None if lead < 0.0 => 0.0,
            None => 0.5,
        };
        let margin = (lead / (2.0 * f32::from(problem.board.area()))).clamp(-1.0, 1.0);
        let for_black = (1.0 - MARGIN_SHARE) * won + MARGIN_SHARE * (0.5 + 0.5 * margin);
        let black_parts = (for_black * WIN as f32) as u32;
        let parts = |color: Color| match color {
            Color::Black => black_parts,
            Color::White => WIN - black_parts,
        };

        // Who was the first to play on a point after the node that is being looked at.
        let mut first: Table<Option<Color>> = Table::new(None);
        let mover = |ply: usize| {
            if ply.is_multiple_of(2) {
                problem.to_move
            } else {
                !problem.to_move
            }
        };
        let depth = path.len() - 1;
        let moves = &self.result.moves;
        for (ply, &point) in moves.iter().enumerate().skip(depth).rev() {
            first[point] = Some(mover(ply));
        }
        for ply in (0..path.len()).rev() {
            if ply < depth
                && let Some(&point) = moves.get(ply)
            {
                first[point] = Some(mover(ply));
            }
            let Some(node) = path[ply].or((ply == 0).then_some(&shared.root)) else {
                continue;
            };
            let color = mover(ply);
            node.add(parts(!color));
            for child in node.children() {
                if child.point != Point::PASS && first[child.point] == Some(color) {
                    child.add_amaf(parts(color));
                }
            }
        }
    }
}
