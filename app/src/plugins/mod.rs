//! Plugins: find them, trust them, try them, load them, and call them safely.
//!
//! * [`discover`]: where plugin files are looked for, and what each turned out to be.
//! * [`load`]: one file into its games, with a clear error for every way in
//!   which that can fail. Cheap checks of the file's own tables come before
//!   the system's loader, which does not survive every broken file.
//! * [`Prober`]: the same in a process of its own, for files from outside.
//! * [`Plugin`], [`Game`], [`Job`]: safe Rust over the C ABI. Whatever a game
//!   answers is checked here, so that the rest of the shell can rely on it.
//! * `conformance`: the checks that any plugin must pass (`qiju check FILE`).
//!
//! This is the only part of the shell with unsafe code. Nothing here knows a
//! game by name or by rule, draws anything or stores anything.

mod buffer;
mod child;
mod conformance;
mod describe;
mod discover;
mod error;
mod game;
mod job;
mod lang;
mod layout;
mod load;
mod load_error;
mod object_file;
mod plugin;
mod probe;
mod tally;
#[cfg(all(test, unix))]
mod testing;
#[cfg(all(test, unix))]
mod tests;
mod toml_text;
mod vtable;

pub use conformance::{check_command, check_group_command};
pub use describe::{
    AiLevel, Choice, Describe, Format, Level, OptionSpec, OptionType, Overlay, OverlayKind, Piece,
    Preset, Shape, Side,
};
pub use discover::{Found, FoundState, SearchPath, Trust, discover, search_paths};
pub use error::{GameError, ReadRecordError};
pub use game::Game;
pub use job::{AiParams, AiReport, Canceller, Job};
pub use lang::Lang;
pub use layout::{Area, Label, Layout, Style, Surface};
pub use load::load;
pub use load_error::{LoadCause, LoadError};
pub use plugin::Plugin;
pub use probe::{Prober, probe_command};
pub use tally::{Tally, TallyRow};
