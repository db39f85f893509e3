//! What has occurred in a game, for the superko rules.
//!
//! A game's states are copied often (undo, search) and may be long (records of 20,000 moves), so
//! the past is kept in shared chunks: a copy costs one count per chunk, and a look-up skips every
//! chunk whose filter says that it holds nothing of the kind.

use std::sync::Arc;

use crate::point::Color;
use crate::position::{KoRule, repetition_key};

/// A board that has occurred, and who was to move then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Situation {
    /// Key of the stones.
    pub key: u64,
    /// Whose turn it was.
    pub to_move: Color,
}

/// Situations in one chunk.
const CHUNK: usize = 256;

/// A set of keys that errs by saying "perhaps": 4,096 bits, so that a full chunk answers "no" to
/// 94 of 100 keys that it does not hold.
#[derive(Clone)]
struct Filter([u64; 64]);

impl Filter {
    fn place(key: u64) -> (usize, u64) {
        let bit = key >> 52;
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    fn add(&mut self, key: u64) {
        let (word, bit) = Filter::place(key);
        self.0[word] |= bit;
    }

    fn may_hold(&self, key: u64) -> bool {
        let (word, bit) = Filter::place(key);
        self.0[word] & bit != 0
    }
}

/// Some situations in their order, as keys under the rule in force.
#[derive(Clone)]
struct Chunk {
    keys: Vec<u64>,
    filter: Filter,
}

impl Chunk {
    fn new() -> Chunk {
        Chunk {
            keys: Vec::new(),
            filter: Filter([0; 64]),
        }
    }

    fn holds(&self, key: u64) -> bool {
        self.filter.may_hold(key) && self.keys.contains(&key)
    }

    fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.filter.add(key);
    }
}

/// All situations of a game in their order.
#[derive(Clone)]
pub(crate) struct History {
    ko: KoRule,
    full: Vec<Arc<Chunk>>,
    open: Chunk,
    last: Situation,
    /// Whether the last situation had not occurred before.
    last_is_new: bool,
    /// Sum of the mixed keys of everything that has occurred before the last, each once.
    sum: u64,
}

fn mix(key: u64) -> u64 {
    crate::rng::split_mix(key).0
}

impl History {
    /// A past of one situation.
    pub fn new(ko: KoRule, first: Situation) -> History {
        History {
            ko,
            full: Vec::new(),
            open: Chunk::new(),
            last: first,
            last_is_new: true,
            sum: 0,
        }
    }

    fn repetition_key(&self, situation: Situation) -> u64 {
        repetition_key(self.ko, situation.key, situation.to_move)
    }

    fn holds_before_last(&self, key: u64) -> bool {
        self.open.holds(key) || self.full.iter().rev().any(|chunk| chunk.holds(key))
    }

    /// Whether a situation counts as a repetition under the superko rule in force.
    pub fn has_occurred(&self, situation: Situation) -> bool {
        let key = self.repetition_key(situation);
        key == self.repetition_key(self.last) || self.holds_before_last(key)
    }

    /// Adds the situation that has come about.
    pub fn push(&mut self, situation: Situation) {
        let last = self.repetition_key(self.last);
        if self.last_is_new {
            self.sum = self.sum.wrapping_add(mix(last));
        }
        if self.open.keys.len() == CHUNK {
            let full = std::mem::replace(&mut self.open, Chunk::new());
            self.full.push(Arc::new(full));
        }
        self.open.push(last);
        self.last = situation;
        self.last_is_new = !self.holds_before_last(self.repetition_key(situation));
    }

    /// Changes whose turn it is in the last situation.
    pub fn set_last_turn(&mut self, color: Color) {
        self.last.to_move = color;
        self.last_is_new = !self.holds_before_last(self.repetition_key(self.last));
    }

    /// The keys of all situations, the last one last.
    pub fn repetition_keys(&self) -> impl Iterator<Item = u64> + '_ {
        let before = self.full.iter().flat_map(|chunk| chunk.keys.iter());
        before
            .chain(&self.open.keys)
            .copied()
            .chain([self.repetition_key(self.last)])
    }

    /// A key of what has occurred, in whatever order and however often; 0 under simple ko, where
    /// the past does not matter.
    pub fn key(&self) -> u64 {
        if self.ko == KoRule::Simple {
            return 0;
        }
        let last = self.repetition_key(self.last);
        let last = if self.last_is_new { mix(last) } else { 0 };
        self.sum.wrapping_add(last)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rng::Rng;

    /// Against a plain list, with keys drawn from so few that many repeat.
    #[test]
    fn it_agrees_with_a_plain_list() {
        let seed = 7;
        println!("seed {seed}");
        for ko in [KoRule::PositionalSuperko, KoRule::SituationalSuperko] {
            let mut rng = Rng::new(seed);
            let mut draw = || Situation {
                key: mix(u64::from(rng.below(900))),
                to_move: Color::ALL[rng.below(2) as usize],
            };
            let first = draw();
            let mut list = vec![first];
            let mut history = History::new(ko, first);
            for step in 0..2_000 {
                let asked = draw();
                let expected = list.iter().any(|&s| {
                    s.key == asked.key
                        && (ko == KoRule::PositionalSuperko || s.to_move == asked.to_move)
                });
                assert_eq!(history.has_occurred(asked), expected, "{ko:?} {step}");
                if step % 7 == 0 {
                    history.set_last_turn(asked.to_move);
                    list.last_mut().expect("a first one").to_move = asked.to_move;
                }
                let next = draw();
                list.push(next);
                history.push(next);
                let keys: Vec<u64> = list
                    .iter()
                    .map(|s| repetition_key(ko, s.key, s.to_move))
                    .collect();
                let distinct: HashSet<u64> = keys.iter().copied().collect();
                let sum = distinct
                    .iter()
                    .fold(0_u64, |sum, &key| sum.wrapping_add(mix(key)));
                assert_eq!(history.key(), sum, "{ko:?} {step}");
                if step % 100 == 0 {
                    assert!(history.repetition_keys().eq(keys), "{ko:?} {step}");
                }
            }
        }
    }
}
