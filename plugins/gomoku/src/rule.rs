//! What wins, and what is forbidden.

use crate::color::Color;
use crate::shape::{Row, Shapes};

/// The rules about rows.
///
/// Freestyle and standard are rules 0 and 1 of the Gomocup protocol, renju is rule 4: The International Rules of Renju,
/// Renju International Federation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more win.
    #[default]
    Freestyle,
    /// Exactly five win.
    Standard,
    /// Exactly five win for black, who may not make an overline, a double four or a double three; five or more for white.
    Renju,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// What counts as a five for a colour.
    pub const fn row(self, color: Color) -> Row {
        match (self, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => Row::FiveOrMore,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => Row::ExactlyFive,
        }
    }

    /// The shapes of a colour's lines.
    pub fn shapes(self, color: Color) -> &'static Shapes {
        Shapes::get(self.row(color))
    }

    /// Whether there are points where a colour may not play.
    pub const fn restricts(self, color: Color) -> bool {
        matches!((self, color), (Rule::Renju, Color::Black))
    }
}
