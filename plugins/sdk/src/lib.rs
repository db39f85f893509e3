//! Write a game for Qiju in safe Rust.
//!
//! Implement [`Game`] for a struct that holds one state of your game, implement
//! [`Ai`] for a search over it (or name [`NoAi`]), and export both:
//!
//! ```ignore
//! qiju_sdk::export_plugin!(Noughts);
//! ```
//!
//! Build the crate as a `cdylib`, and the file is a plugin. The smallest whole
//! game is `plugins/examples/noughts`; the ABI behind it is told in `docs/ABI.md`.
//!
//! * [`describe`]: what a game says about itself (names, options, pieces, levels).
//! * [`layout`]: its board as areas, lines, dots and names.
//! * [`options`]: reading the options that a player chose, checked by the schema.
//! * [`tally`]: the account of a score.
//! * [`rng`]: random numbers that are the same on every machine.
//! * [`export`]: the border itself. The only unsafe code that a game needs is there.

pub mod describe;
pub mod export;
pub mod game;
pub mod lang;
pub mod layout;
pub mod options;
pub mod rng;
pub mod tally;

pub use describe::{
    AiLevel, Choice, Describe, Format, Level, OptionSpec, OptionType, Overlay, OverlayKind, Piece,
    Preset, Shape, Side,
};
pub use game::{
    Ai, AiParams, Candidate, Game, Illegal, LevelResult, NoAi, Outcome, Progress, RecordError,
    Report, Status, Viewer,
};
pub use lang::Lang;
pub use layout::{Area, Layout, Style, Surface};
pub use options::{OptionError, Options, Value};
pub use qiju_abi as abi;
pub use qiju_abi::{GpCell as Cell, GpMove as Move};
pub use tally::{Tally, TallyRow};

/// A move that places a piece on `to`.
pub fn place(to: u16) -> Move {
    Move {
        kind: abi::GP_MOVE_PLACE,
        from: abi::GP_NONE,
        to,
        arg: 0,
    }
}

/// A move of one piece from `from` to `to`.
pub fn step(from: u16, to: u16) -> Move {
    Move {
        kind: abi::GP_MOVE_STEP,
        from,
        to,
        arg: 0,
    }
}

/// A tap on `to`.
pub fn tap(to: u16) -> Move {
    Move {
        kind: abi::GP_MOVE_TAP,
        from: abi::GP_NONE,
        to,
        arg: 0,
    }
}

/// A choice that is a button.
pub fn choose(arg: u16) -> Move {
    Move {
        kind: abi::GP_MOVE_CHOOSE,
        from: abi::GP_NONE,
        to: abi::GP_NONE,
        arg,
    }
}

/// A move that needs no cell: `GP_MOVE_PASS`, `GP_MOVE_RESIGN`, `GP_MOVE_TIMEOUT`.
pub fn plain(kind: u16) -> Move {
    Move {
        kind,
        from: abi::GP_NONE,
        to: abi::GP_NONE,
        arg: 0,
    }
}
