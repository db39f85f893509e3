//! Alpha–beta over all moves, with iterative deepening, a table of positions and threats read out at its leaves.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use crate::ai::class::Class;
use crate::ai::field::{Field, MAX_AREA};
use crate::ai::table::{Bound, Entry, Table};
use crate::ai::threats::{self, Solver, Win};
use crate::color::Color;

/// Score of a five that has been made; one less for every ply until then.
pub const WIN: i32 = 30_000;

/// Scores beyond this are wins that were read out.
pub const READ_OUT: i32 = WIN - 1_000;

/// Most plies below the root.
const MAX_PLY: usize = 96;

/// Moves looked at in one position at the most, at the root and below.
const WIDTH: [usize; 2] = [60, 24];

/// Positions between two looks at the clock and at [`Control`].
const CHECK_EVERY: u64 = 512;

/// Fours in a row that are read out at the root, within the search, and at its leaves.
const FOURS: [u32; 3] = [40, 12, 8];

/// Positions for reading fours within the search, per position.
const FOUR_NODES: [u64; 2] = [400, 150];

/// Open threes and fours in a row that are read out at the root.
const THREES: u32 = 14;

/// Stops and pauses a search from outside.
#[derive(Default)]
pub struct Control {
    is_stopped: AtomicBool,
    /// Whether the search has to wait.
    is_paused: AtomicBool,
    gate: Mutex<()>,
    opened: Condvar,
}

impl Control {
    /// Ends the search soon; it cannot be taken back.
    pub fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
        self.set_paused(false);
    }

    /// Lets the search wait, or go on.
    pub fn set_paused(&self, is_paused: bool) {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_paused.store(is_paused, Relaxed);
        self.opened.notify_all();
    }

    /// Whether the search has to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    fn wait_if_paused(&self) {
        if !self.is_paused.load(Relaxed) {
            return;
        }
        let mut gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_paused.load(Relaxed) && !self.is_stopped() {
            gate = self
                .opened
                .wait(gate)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// When a search ends: at the first of these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Plies, 0 for any number.
    pub depth: u32,
    /// A moment.
    pub deadline: Option<Instant>,
    /// A moment after which no deeper round begins.
    pub soft_deadline: Option<Instant>,
}

/// How a search is done.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether wins by threats are read out.
    pub reads_threats: bool,
    /// Root moves with a score of their own; the others are only known to be no better.
    pub full_width: usize,
    /// Largest bonus that chance gives to a root move, for variety.
    pub jitter: i32,
    /// Seed of that chance.
    pub seed: u64,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            reads_threats: true,
            full_width: 1,
            jitter: 0,
            seed: 0,
        }
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The move it would play.
    pub best: Option<u16>,
    /// The score of that move for the side to move.
    pub score: i32,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies of the last finished round.
    pub depth: u32,
    /// The line that it expects, the best move first.
    pub line: Vec<u16>,
    /// Moves with their scores, best first.
    pub candidates: Vec<(u16, i32)>,
}

/// Chance to win, 0–1000, by a score.
pub fn win_permille(score: i32) -> i32 {
    if score >= READ_OUT {
        return 1000;
    }
    if score <= -READ_OUT {
        return 0;
    }
    let chance = 1.0 / (1.0 + (-f64::from(score) / 220.0).exp());
    ((chance * 1000.0).round() as i32).clamp(1, 999)
}

/// The search was ended from outside.
struct Stopped;

type Scored = Result<i32, Stopped>;

/// A move with what it is ordered by.
type Moves = arrayvec::ArrayVec<(i32, u16), MAX_AREA>;

/// One thread of a search.
struct Worker<'a> {
    field: Field,
    table: &'a Table,
    control: &'a Control,
    limits: Limits,
    solver: Solver,
    style: Style,
    nodes: u64,
    next_check: u64,
    killers: [[u16; 2]; MAX_PLY],
    history: Box<[[i32; MAX_AREA]; 2]>,
}

/// What is to be searched, and with what.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The board.
    pub field: &'a Field,
    /// The colour to move, which may move somewhere.
    pub us: Color,
    /// When to end.
    pub limits: Limits,
    /// How to search.
    pub style: Style,
    /// Threads, at least one.
    pub threads: u32,
    /// What is remembered of positions, from search to search.
    pub table: &'a Table,
    /// Stops it from outside.
    pub control: &'a Control,
}

/// Searches for the best move. `report` is called after every round.
///
/// Helpers on further threads share the table; with one thread and no clock the result depends on the task alone.
pub fn run(task: Task<'_>, report: &mut dyn FnMut(&Found)) -> Found {
    let us = task.us;
    let mut main = Worker::new(&task, task.control, task.limits);
    if let Some(found) = main.without_search(us) {
        report(&found);
        return found;
    }
    let helpers_control = Control::default();
    std::thread::scope(|scope| {
        for number in 1..task.threads {
            let limits = Limits {
                nodes: None,
                ..task.limits
            };
            let mut helper = Worker::new(&task, &helpers_control, limits);
            scope.spawn(move || {
                // Others than the main thread begin deeper, so that they are ahead of it.
                helper.deepen(us, 1 + (number as i32 & 1), &mut |_| {});
            });
        }
        let found = main.deepen(us, 1, report);
        helpers_control.stop();
        found
    })
}

/// A position in the search that is not decided at a glance.
struct Node {
    depth: i32,
    alpha: i32,
    beta: i32,
    ply: usize,
    key: u64,
    /// The move that the table knows; `u16::MAX` for none.
    first: u16,
}

impl<'a> Worker<'a> {
    fn new(task: &Task<'a>, control: &'a Control, limits: Limits) -> Worker<'a> {
        Worker {
            field: task.field.clone(),
            table: task.table,
            control,
            limits,
            solver: Solver::new(),
            style: task.style,
            nodes: 0,
            next_check: CHECK_EVERY,
            killers: [[u16::MAX; 2]; MAX_PLY],
            history: Box::new([[0; MAX_AREA]; 2]),
        }
    }
}

impl Worker<'_> {
    fn count(&self) -> u64 {
        self.nodes + self.solver.nodes
    }

    fn check(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.limits.nodes.is_some_and(|limit| self.count() >= limit) {
            return Err(Stopped);
        }
        if self.count() >= self.next_check {
            self.next_check = self.count() + CHECK_EVERY;
            self.control.wait_if_paused();
            let is_late = self
                .limits
                .deadline
                .is_some_and(|end| Instant::now() >= end);
            if is_late || self.control.is_stopped() {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// The answer where there is nothing to search: the first stone, a five, a win by fours or threes, the only move.
    fn without_search(&mut self, us: Color) -> Option<Found> {
        let found = |cell: u16, score, line: Vec<u16>, nodes| {
            Some(Found {
                best: Some(cell),
                score,
                nodes,
                depth: line.len() as u32,
                line,
                candidates: vec![(cell, score)],
            })
        };
        if self.field.played().is_empty() {
            let middle = self.field.area() / 2
                + if self.field.area().is_multiple_of(2) {
                    self.side() / 2
                } else {
                    0
                };
            return found(middle, 0, vec![middle], 1);
        }
        if let Some(cell) = self.field.find(us, Class::Five) {
            return found(cell, WIN - 1, vec![cell], 1);
        }
        let them = us.other();
        if self.field.count(them, Class::Five) > 0 {
            // With two such cells, or none that is allowed, the game is lost: one of them it is all the same.
            let cells = self.field.cells(them, Class::Five, Class::Five);
            let allowed = cells
                .filter(|&cell| !self.field.is_forbidden(us, cell))
                .min();
            if let Some(cell) = allowed {
                let is_lost = self.field.count(them, Class::Five) > 1;
                let score = if is_lost { 3 - WIN } else { 0 };
                return found(cell, score, vec![cell], 1);
            }
        }
        if !self.style.reads_threats {
            return None;
        }
        let (four_nodes, three_nodes) = match self.limits.nodes {
            Some(nodes) => (nodes / 8, nodes / 4),
            None => (100_000, 60_000),
        };
        let field = &mut self.field;
        let win = self
            .solver
            .vcf(field, us, FOURS[0], four_nodes)
            .or_else(|| self.solver.vct(field, us, THREES, three_nodes))?;
        let best = win.line.first().copied()?;
        let Win { plies, line } = win;
        found(best, WIN - plies as i32, line, self.count())
    }

    fn side(&self) -> u16 {
        self.field.lines().size().into()
    }

    /// Searches round after round, each a ply deeper.
    fn deepen(&mut self, us: Color, first: i32, report: &mut dyn FnMut(&Found)) -> Found {
        let mut moves = self.root_moves(us);
        let mut found = Found {
            best: moves.first().map(|m| m.0),
            line: moves.first().map(|m| m.0).into_iter().collect(),
            candidates: moves.iter().map(|m| (m.0, 0)).collect(),
            ..Found::default()
        };
        if moves.is_empty() {
            return found;
        }
        let last = match self.limits.depth {
            0 => MAX_PLY as i32 / 2,
            depth => (depth as i32).min(MAX_PLY as i32 / 2),
        };
        for depth in first..=last {
            let outcome = self.round(us, depth, &mut moves);
            // What an unfinished round has found counts once its first move, the best of the round before, was searched.
            let is_stopped = outcome.is_err();
            let searched = moves.iter().take_while(|m| m.1 > i32::MIN).count();
            if is_stopped && searched == 0 {
                break;
            }
            moves.sort_by_key(|m| std::cmp::Reverse(m.1));
            let (best, score) = moves[0];
            found.best = Some(best);
            found.score = score;
            found.nodes = self.count();
            found.depth = if is_stopped {
                found.depth
            } else {
                depth as u32
            };
            found.line = self.line(us, best);
            found.candidates = moves.iter().copied().filter(|m| m.1 > i32::MIN).collect();
            report(&found);
            let is_late = self
                .limits
                .soft_deadline
                .is_some_and(|end| Instant::now() >= end);
            if is_stopped || is_late || score.abs() >= READ_OUT || moves.len() == 1 {
                break;
            }
        }
        found.nodes = self.count();
        found
    }

    /// The moves of the root, in the order of their looks.
    fn root_moves(&mut self, us: Color) -> Vec<(u16, i32)> {
        let them = us.other();
        let has_threat = self.field.has(them, Class::DoubleFour, Class::OpenFour);
        let mut cells: Vec<u16> = if has_threat {
            threats::defences(&mut self.field, us)
        } else {
            Vec::new()
        };
        if cells.is_empty() {
            let mut moves = Moves::new();
            self.quiet(us, 0, u16::MAX, &mut moves);
            moves.sort_unstable_by(|a, b| b.cmp(a));
            cells = moves.into_iter().map(|m| m.1).take(WIDTH[0]).collect();
        }
        if cells.is_empty() {
            // Nothing near a stone may be played on: any cell then.
            let any = (0..self.field.area())
                .filter(|&cell| self.field.is_empty(cell) && !self.field.is_forbidden(us, cell));
            cells = any.take(1).collect();
        }
        cells.into_iter().map(|cell| (cell, 0)).collect()
    }

    /// One round: gives every root move a score, `i32::MIN` where it was not reached.
    fn round(&mut self, us: Color, depth: i32, moves: &mut [(u16, i32)]) -> Result<(), Stopped> {
        for m in moves.iter_mut() {
            m.1 = i32::MIN;
        }
        let mut alpha = -WIN;
        for (number, m) in moves.iter_mut().enumerate() {
            let cell = m.0;
            let bonus = self.jitter(cell);
            self.field.play(cell, us);
            let is_full = number < self.style.full_width.max(1);
            let floor = if is_full { -WIN } else { alpha };
            let scored = if is_full {
                self.search(us.other(), depth - 1, -WIN, -floor, 1)
                    .map(|s| -s)
            } else {
                match self.search(us.other(), depth - 1, -floor - 1, -floor, 1) {
                    Ok(score) if -score > floor => self
                        .search(us.other(), depth - 1, -WIN, -floor, 1)
                        .map(|s| -s),
                    other => other.map(|s| -s),
                }
            };
            self.field.undo();
            let score = scored?;
            let score = if score.abs() < READ_OUT {
                score + bonus
            } else {
                score
            };
            m.1 = if is_full || score > alpha {
                score
            } else {
                score.min(alpha - 1)
            };
            alpha = alpha.max(score);
            if score >= READ_OUT {
                break;
            }
        }
        Ok(())
    }

    fn jitter(&self, cell: u16) -> i32 {
        if self.style.jitter == 0 {
            return 0;
        }
        let number = qiju_sdk::rng::split_mix(self.style.seed ^ u64::from(cell) << 32).0;
        (number % (self.style.jitter as u64 + 1)) as i32
    }

    /// The line that the table knows after a move.
    fn line(&mut self, us: Color, best: u16) -> Vec<u16> {
        let mut line = vec![best];
        let mut side = us.other();
        self.field.play(best, us);
        while line.len() < MAX_PLY {
            if self.field.count(side.other(), Class::Five) == 0
                && let Some(cell) = self.field.find(side, Class::Five)
            {
                line.push(cell);
                break;
            }
            let next = match self.field.find(side.other(), Class::Five) {
                Some(cell) => Some(cell),
                None => self
                    .table
                    .get(key(&self.field, side))
                    .map(|entry| entry.best),
            };
            let Some(next) = next
                .filter(|&cell| self.field.is_empty(cell) && !self.field.is_forbidden(side, cell))
            else {
                break;
            };
            self.field.play(next, side);
            line.push(next);
            side = side.other();
        }
        for _ in 0..self.field.played().len() {
            if self.field.played().last() == Some(&best) {
                break;
            }
            self.field.undo();
        }
        self.field.undo();
        line
    }

    /// The score of a position for the side to move, `depth` plies deep.
    fn search(
        &mut self,
        us: Color,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
    ) -> Scored {
        self.check()?;
        let them = us.other();
        let at = |plies: i32| WIN - ply as i32 - plies;
        if self.field.count(us, Class::Five) > 0 {
            return Ok(at(1));
        }
        if self.field.played().len() >= usize::from(self.field.area()) {
            return Ok(0);
        }
        alpha = alpha.max(-at(2));
        beta = beta.min(at(3));
        if alpha >= beta {
            return Ok(alpha);
        }
        match self.field.count(them, Class::Five) {
            0 => {}
            1 => {
                let Some(cell) = self.field.find(them, Class::Five) else {
                    return Ok(0);
                };
                if self.field.is_forbidden(us, cell) || ply + 1 >= MAX_PLY {
                    return Ok(-at(2));
                }
                self.field.play(cell, us);
                let score = self.search(them, depth, -beta, -alpha, ply + 1);
                self.field.undo();
                return score.map(|s| -s);
            }
            _ => return Ok(-at(2)),
        }
        if self.field.has(us, Class::DoubleFour, Class::OpenFour) {
            return Ok(at(3));
        }
        let key = key(&self.field, us);
        let known = self.table.get(key);
        if let Some(entry) = known
            && entry.depth >= depth.max(0)
        {
            let score = from_table(entry.score, ply);
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if is_enough {
                return Ok(score);
            }
        }
        let is_leaf = depth <= 0 || ply + 2 >= MAX_PLY;
        if self.style.reads_threats && (is_leaf || known.is_none()) {
            let (depth, nodes) = match is_leaf {
                true => (FOURS[2], FOUR_NODES[1]),
                false => (FOURS[1], FOUR_NODES[0]),
            };
            if let Some(win) = self.solver.vcf(&mut self.field, us, depth, nodes) {
                let score = at(win.plies as i32);
                let entry = Entry {
                    depth: 255,
                    score: to_table(score, ply),
                    bound: Bound::Lower,
                    best: win.line.first().copied().unwrap_or(u16::MAX),
                };
                self.table.put(key, entry);
                return Ok(score);
            }
        }
        if is_leaf {
            return Ok(self.evaluate(us));
        }
        let first = known.map_or(u16::MAX, |entry| entry.best);
        let node = Node {
            depth,
            alpha,
            beta,
            ply,
            key,
            first,
        };
        self.moves(us, node)
    }

    /// Searches the moves of a position where nothing is decided yet.
    fn moves(&mut self, us: Color, node: Node) -> Scored {
        let Node {
            depth,
            mut alpha,
            beta,
            ply,
            key,
            first,
        } = node;
        let them = us.other();
        let is_threatened = self.field.has(them, Class::DoubleFour, Class::OpenFour);
        let mut moves = Moves::new();
        if is_threatened {
            let cells = threats::defences(&mut self.field, us);
            if cells.is_empty() {
                // Whatever is played, an open four follows.
                return Ok(-(WIN - ply as i32 - 4));
            }
            for (number, cell) in (0_i32..).zip(cells) {
                let order = if cell == first { i32::MAX } else { -number };
                moves.push((order, cell));
            }
        } else {
            self.quiet(us, ply, first, &mut moves);
        }
        if moves.is_empty() {
            return Ok(self.evaluate(us));
        }
        moves.sort_unstable_by(|a, b| b.cmp(a));
        let before = alpha;
        let mut best = (-WIN, u16::MAX);
        for (number, (_, cell)) in moves.into_iter().take(WIDTH[1]).enumerate() {
            let class = self.field.class(us, cell);
            let is_quiet = !is_threatened && class < Class::Three;
            self.field.play(cell, us);
            let next = depth - 1;
            // Late quiet moves are looked at less deeply first.
            let less = match number {
                0..=2 => 0,
                _ if depth < 3 || !is_quiet => 0,
                3..=9 => 1,
                _ => 2,
            };
            let scored = if number == 0 {
                self.search(them, next, -beta, -alpha, ply + 1)
            } else {
                let narrow = |worker: &mut Self, depth| {
                    worker.search(them, depth, -alpha - 1, -alpha, ply + 1)
                };
                let mut scored = narrow(self, next - less);
                if less > 0 && scored.as_ref().is_ok_and(|&s| -s > alpha) {
                    scored = narrow(self, next);
                }
                if scored.as_ref().is_ok_and(|&s| -s > alpha && -s < beta) {
                    scored = self.search(them, next, -beta, -alpha, ply + 1);
                }
                scored
            };
            self.field.undo();
            let score = -scored?;
            if score > best.0 {
                best = (score, cell);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                if is_quiet {
                    self.remember(us, cell, depth, ply);
                }
                break;
            }
        }
        let bound = match best.0 {
            score if score >= beta => Bound::Lower,
            score if score > before => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry {
            depth,
            score: to_table(best.0, ply),
            bound,
            best: best.1,
        };
        self.table.put(key, entry);
        Ok(best.0)
    }

    /// A quiet move has refuted a position: it is tried early in others.
    fn remember(&mut self, us: Color, cell: u16, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply.min(MAX_PLY - 1)];
        if killers[0] != cell {
            killers[1] = killers[0];
            killers[0] = cell;
        }
        let slot = &mut self.history[us.index()][usize::from(cell)];
        *slot += depth * depth;
        if *slot > 4_000 {
            for slot in self.history.iter_mut().flatten() {
                *slot /= 2;
            }
        }
    }

    /// All moves near a stone that are allowed, with what they are ordered by.
    fn quiet(&self, us: Color, ply: usize, first: u16, moves: &mut Moves) {
        let them = us.other();
        let killers = self.killers[ply.min(MAX_PLY - 1)];
        for cell in 0..self.field.area() {
            if !self.field.is_empty(cell) || !self.field.is_near(cell) {
                continue;
            }
            if self.field.is_forbidden(us, cell) {
                continue;
            }
            let (own, other) = (self.field.class(us, cell), self.field.class(them, cell));
            let worth = self.field.worth(us, cell) * 5 / 4 + self.field.worth(them, cell);
            let mut order = 8 * (worth + urgency(own) + urgency(other) * 3 / 4);
            order += self.history[us.index()][usize::from(cell)] / 16;
            if killers.contains(&cell) {
                order += 400;
            }
            if cell == first {
                order = i32::MAX;
            }
            if moves.try_push((order, cell)).is_err() {
                return;
            }
        }
    }

    /// The worth of a position for the side to move where no threat is left to read.
    fn evaluate(&self, us: Color) -> i32 {
        let them = us.other();
        let balance = self.field.balance(us);
        let count = |color, class| i32::from(self.field.count(color, class));
        // Whoever is to move can use what he has; the other has to wait a move.
        let own = 28 * count(us, Class::DoubleThree).min(3)
            + 45 * count(us, Class::FourThree).min(3)
            + 5 * count(us, Class::ThreePlus).min(6)
            + 4 * count(us, Class::FourPlus).min(6);
        let other = 14 * count(them, Class::DoubleThree).min(3)
            + 26 * count(them, Class::FourThree).min(3)
            + 3 * count(them, Class::ThreePlus).min(6)
            + 2 * count(them, Class::FourPlus).min(6);
        (balance + 30 + 2 * own - 2 * other).clamp(-READ_OUT + 1, READ_OUT - 1)
    }
}

/// What a class adds to the order of a move.
fn urgency(class: Class) -> i32 {
    match class {
        Class::Forbidden | Class::Nothing | Class::Suspect => 0,
        Class::Two => 2,
        Class::TwoTwo => 12,
        Class::ClosedThree => 4,
        Class::ClosedThreePlus => 14,
        Class::Three => 30,
        Class::ThreePlus => 44,
        Class::DoubleThree => 90,
        Class::Four => 20,
        Class::FourPlus => 40,
        Class::FourThree => 160,
        Class::DoubleFour | Class::OpenFour => 220,
        Class::Five => 400,
    }
}

/// A number that differs with who is to move.
fn key(field: &Field, us: Color) -> u64 {
    match us {
        Color::Black => field.key(),
        Color::White => !field.key(),
    }
}

/// Wins are counted from the root in the search, from the position in the table.
fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        READ_OUT.. => score + ply as i32,
        _ if score <= -READ_OUT => score - ply as i32,
        _ => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        READ_OUT.. => score - ply as i32,
        _ if score <= -READ_OUT => score + ply as i32,
        _ => score,
    }
}
