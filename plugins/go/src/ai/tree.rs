//! The search tree: shared by all threads, grown without locks.
//!
//! A node holds what is known of one move. Threads that walk down count a visit at once and bring
//! the result on the way back, so that a visit under way looks like a loss (a *virtual loss*) and
//! the other threads go elsewhere.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::ai::evaluator::Prior;
use crate::board::Point;

/// A won game, in the parts that results are counted in. A result is 0..=WIN parts, so that a
/// node can hold four million visits.
pub const WIN: u32 = 1_000;

/// The most visits that a node can count: a search stops there.
pub const MAX_VISITS: u32 = 4_000_000;

/// As many games of a move's own outweigh what its all-moves-as-first games say by half.
const AMAF_GAMES: f32 = 1_500.0;

/// One move in the tree.
pub struct Node {
    /// The move that leads here.
    pub point: Point,
    prior: Prior,
    visits: AtomicU32,
    /// In parts of [`WIN`], for the side that made the move.
    wins: AtomicU32,
    amaf_games: AtomicU32,
    amaf_wins: AtomicU32,
    children: OnceLock<Box<[Node]>>,
}

impl Node {
    /// A node without visits or children.
    pub fn new(point: Point, prior: Prior) -> Node {
        Node {
            point,
            prior,
            visits: AtomicU32::new(0),
            wins: AtomicU32::new(0),
            amaf_games: AtomicU32::new(0),
            amaf_wins: AtomicU32::new(0),
            children: OnceLock::new(),
        }
    }

    /// Games that went through here, those under way included.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The share of those games that the side which made the move has won, 0–1; one half without
    /// any.
    #[inline]
    pub fn win_rate(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 {
            return 0.5;
        }
        self.wins.load(Relaxed) as f32 / (visits as f32 * WIN as f32)
    }

    /// The chance to win that the prior gives the move, 0–1.
    pub fn first_impression(&self) -> f32 {
        self.prior.chance()
    }

    /// The moves from here; empty until the node is expanded.
    #[inline]
    pub fn children(&self) -> &[Node] {
        self.children.get().map_or(&[], |children| children)
    }

    /// Whether [`Node::expand`] was called.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.children.get().is_some()
    }

    /// Gives the node its children, once: a second thread waits for the first.
    pub fn expand(&self, make: impl FnOnce() -> Box<[Node]>) -> &[Node] {
        self.children.get_or_init(make)
    }

    /// Takes the child that `point` leads to out of the tree, with all that is known of it.
    pub fn take_child(&mut self, point: Point) -> Option<Node> {
        let mut children = self.children.take()?.into_vec();
        let index = children.iter().position(|child| child.point == point)?;
        Some(children.swap_remove(index))
    }

    /// How many nodes the tree below has, this one included.
    pub fn count(&self) -> u32 {
        let mut count: u32 = 0;
        let mut left = vec![self];
        while let Some(node) = left.pop() {
            count = count.saturating_add(1);
            left.extend(node.children());
        }
        count
    }

    /// Counts a visit that is under way.
    #[inline]
    pub fn enter(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// Adds the result of a visit, 0..=[`WIN`] for the side that made the move.
    #[inline]
    pub fn add(&self, result: u32) {
        self.wins.fetch_add(result, Relaxed);
    }

    /// Adds the result of a game in which this move was played later.
    #[inline]
    pub fn add_amaf(&self, result: u32) {
        self.amaf_games.fetch_add(1, Relaxed);
        self.amaf_wins.fetch_add(result, Relaxed);
    }

    /// How promising the move looks: its own games and prior, mixed with the all-moves-as-first
    /// games, whose weight falls as its own games grow (Gelly and Silver, 2007).
    #[inline]
    pub fn promise(&self) -> f32 {
        let games = self.visits() as f32 + self.prior.games;
        let wins = self.wins.load(Relaxed) as f32 / WIN as f32 + self.prior.wins;
        let own = wins / games.max(1.0);
        let amaf_games = self.amaf_games.load(Relaxed) as f32;
        if amaf_games == 0.0 {
            return own;
        }
        let amaf = self.amaf_wins.load(Relaxed) as f32 / (amaf_games * WIN as f32);
        let weight = amaf_games / (amaf_games + games + games * amaf_games / AMAF_GAMES);
        weight * amaf + (1.0 - weight) * own
    }

    /// The child that looks most promising; the first of equals.
    #[inline]
    pub fn most_promising(&self) -> Option<&Node> {
        let mut best = None;
        let mut best_promise = f32::NEG_INFINITY;
        for child in self.children() {
            let promise = child.promise();
            if promise > best_promise {
                best_promise = promise;
                best = Some(child);
            }
        }
        best
    }

    /// The child with the most visits; of equals the one that wins more, then the first.
    pub fn most_visited(&self) -> Option<&Node> {
        self.children()
            .iter()
            .filter(|c| c.visits() > 0)
            .reduce(|best, c| {
                let better = (c.visits(), c.win_rate()) > (best.visits(), best.win_rate());
                if better { c } else { best }
            })
    }
}
