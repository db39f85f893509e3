//! Gomoku 五子棋. So far what its rules stand on; the game itself is still to come.
//!
//! * [`shape`]: what a stone makes of its line. [`lines`]: the stones of a board, line by line.
//! * [`renju`]: black's forbidden points.

pub mod ai;
pub mod color;
pub mod lines;
pub mod notation;
pub mod renju;
pub mod rule;
pub mod rules;
pub mod shape;
