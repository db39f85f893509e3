//! Noughts and crosses 井字棋: the smallest complete game, and the template for a
//! new one. To begin, copy this folder and change, in this order:
//!
//! * `rules.rs`: the state and its rules. No words, no search, nothing of the SDK
//!   but the types of moves and outcomes.
//! * `words.rs`: everything that people read, in Chinese and in English.
//! * `game.rs`: the state as the shell sees it: one short function for each of
//!   the SDK's.
//! * `ai.rs`: the opponent.
//!
//! Nothing here knows the shell, and the shell knows nothing of this game.

mod ai;
mod game;
mod rules;
mod words;

pub use ai::Negamax;
pub use rules::{Noughts, Refusal, Rule};

qiju_sdk::export_plugin!(Noughts);
