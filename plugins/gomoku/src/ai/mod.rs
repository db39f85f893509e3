//! The computer player.
//!
//! * [`class`]: what a stone is worth by the shapes that it makes. [`field`]: that for every cell, kept up to date.
//! * [`threats`]: wins by fours and open threes. [`search`]: alpha–beta over all moves, with [`table`] as its memory.

pub mod class;
pub mod field;
pub mod search;
pub mod table;
pub mod threats;
