//! The computer player: a Monte-Carlo tree search over the fast board.
//!
//! From the inside out: [`playout`] plays games to their end by chance, with the small readings of
//! [`tactics`] and the shapes of [`pattern`]; [`evaluator`] is what the search asks of a judge of
//! positions, [`prior`] what is thought of a move before it is tried; [`tree`] and [`search`] grow
//! the tree on all threads; [`player`] turns what was found into a move, a pass or giving up, at
//! the strength of a level.

pub mod ending;
pub mod evaluator;
pub mod pattern;
pub mod player;
pub mod playout;
pub mod prior;
pub mod search;
pub mod tactics;
pub mod tree;

#[cfg(test)]
mod tests;
