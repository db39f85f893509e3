//! Go 围棋: rules, a fast board and a Monte-Carlo player, as a library and as a plugin.
//!
//! * [`board`]: the fast board. [`rules`]: a position with its history, and a whole game.
//!   [`score`]: who owns which point. [`notation`]: how moves are written.
//! * [`ai`]: the computer player. [`levels`]: its ten strengths and the ladder.
//! * [`overlays`]: what learners can have drawn over the board. [`texts`]: everything that a
//!   player reads. [`plugin`]: the game as the shell sees it.
//!
//! Everything but the last two knows nothing of the shell.

pub mod ai;
pub mod board;
pub mod gtp;
mod history;
pub mod levels;
pub mod notation;
pub mod overlays;
pub mod plugin;
mod point;
mod position;
pub use qiju_sdk::rng;
pub mod rules;
pub mod score;
pub mod sgf;
pub mod texts;

qiju_sdk::export_plugin!(rules::Game);
