//! Boards and pieces as pictures, drawn from their descriptions.
//!
//! What comes in is what a game says of itself: shapes, colour roles, lines and
//! dots in board units. No game is known here by name or by rule. What goes out
//! is a [`slint::Image`] of exactly the asked number of physical pixels, since
//! the software renderer scales by dropping pixels.
//!
//! Everything is drawn by arithmetic alone, so the same description gives the
//! same bytes on every machine.

mod canvas;
mod colour;
mod cover;
mod noise;
mod piece;
mod shade;
mod surface;
mod theme;

pub use colour::{Colour, glyph_ink, tint};
pub use cover::{PlacedPiece, cover, sample};
pub use piece::{Shape, piece};
pub use surface::{Material, SurfaceSpec, surface, surface_size};
pub use theme::Theme;
