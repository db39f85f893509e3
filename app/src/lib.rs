//! The shell of Qiju: finds games, opens them, shows them, keeps what was played.
//!
//! It knows no game by name or by rule. The parts, each of which names only those before it:
//!
//! * [`plugins`]: libraries of games, safe calls over the C ABI, the checks of `qiju check`.
//! * [`store`]: settings, saves and trust on disk.
//! * [`session`]: one game being played, its record, the opponent's thread.
//! * [`art`]: boards and pieces as pictures, from their descriptions.
//! * [`screens`]: all of it in the window that `ui/` describes.
//! * [`desktop`]: arguments, log and start on a desktop system.

#[allow(
    missing_docs,
    unused_qualifications,
    clippy::all,
    reason = "made by Slint's compiler from ui/"
)]
mod ui {
    slint::include_modules!();
}

pub mod art;
pub mod desktop;
pub mod plugins;
pub mod screens;
pub mod session;
pub mod store;
mod words;

pub use ui::*;
