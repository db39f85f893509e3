//! The colour roles of pieces, and the inks that belong to them.

use slint::Color;

use super::Shape;
use super::shade::Rgb;

/// A colour role: what a game calls the colour of a piece, a side or a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// "black"
    Black,
    /// "white"
    White,
    /// "red"
    Red,
    /// "green"
    Green,
    /// "blue"
    Blue,
    /// "yellow"
    Yellow,
    /// "brown"
    Brown,
    /// "gray"
    Gray,
}

impl Colour {
    /// All roles, in the order of their indices.
    pub const ALL: [Self; 8] = [
        Self::Black,
        Self::White,
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Yellow,
        Self::Brown,
        Self::Gray,
    ];

    /// The role of that name; gray for one that is unknown.
    pub fn from_role(role: &str) -> Self {
        match role {
            "black" => Self::Black,
            "white" => Self::White,
            "red" => Self::Red,
            "green" => Self::Green,
            "blue" => Self::Blue,
            "yellow" => Self::Yellow,
            "brown" => Self::Brown,
            _ => Self::Gray,
        }
    }

    /// The role with that number in a cell's `tint`: 0 is none, 1 the first of [`Colour::ALL`].
    pub fn from_index(index: u32) -> Option<Self> {
        let index = usize::try_from(index.checked_sub(1)?).ok()?;
        Self::ALL.get(index).copied()
    }

    /// Colour of a solid body.
    pub(super) fn body(self) -> Rgb {
        match self {
            Self::Black => Rgb::hex(0x2a2a2d),
            Self::White => Rgb::hex(0xf8f5ee),
            Self::Red => Rgb::hex(0xb93729),
            Self::Green => Rgb::hex(0x3d7d52),
            Self::Blue => Rgb::hex(0x2f5c98),
            Self::Yellow => Rgb::hex(0xd9a532),
            Self::Brown => Rgb::hex(0x7d5436),
            Self::Gray => Rgb::hex(0x84827d),
        }
    }

    /// Colour of a stroke or a sign on a light ground: wood, paper, ivory.
    pub(super) fn ink(self) -> Rgb {
        match self {
            Self::Black => Rgb::hex(0x1f1b18),
            Self::White => Rgb::hex(0xfffdf7),
            Self::Red => Rgb::hex(0xa92218),
            Self::Green => Rgb::hex(0x1f633c),
            Self::Blue => Rgb::hex(0x1d4580),
            Self::Yellow => Rgb::hex(0x8c5f0a),
            Self::Brown => Rgb::hex(0x633d20),
            Self::Gray => Rgb::hex(0x55524d),
        }
    }
}

/// Colour of the text on a piece: of its glyph, and of a number laid over it.
pub fn glyph_ink(shape: Shape, colour: Colour) -> Color {
    let ink = match shape {
        // The body has the colour, so the sign must stand against it.
        Shape::Disc if matches!(colour, Colour::White | Colour::Yellow) => Rgb::hex(0x26211c),
        Shape::Disc => Rgb::hex(0xfbf6ea),
        // The body is light and the sign has the colour; white would vanish on it.
        Shape::Coin | Shape::Card | Shape::Tile if colour == Colour::White => Rgb::hex(0x6b6256),
        Shape::Coin | Shape::Card | Shape::Tile | Shape::Cross | Shape::Ring | Shape::Glyph => {
            colour.ink()
        }
    };
    ink.opaque()
}

/// Background of a cell: clear, but light enough that lines and pieces show through.
pub fn tint(colour: Colour) -> Color {
    let alpha = match colour {
        Colour::Black => 0.28,
        Colour::White => 0.45,
        _ => 0.32,
    };
    colour.body().opaque().with_alpha(alpha)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_read_by_name_and_by_number() {
        assert_eq!(Colour::from_role("white"), Colour::White);
        assert_eq!(Colour::from_role("octarine"), Colour::Gray);
        assert_eq!(Colour::from_index(0), None);
        assert_eq!(Colour::from_index(1), Some(Colour::Black));
        assert_eq!(Colour::from_index(8), Some(Colour::Gray));
        assert_eq!(Colour::from_index(9), None);
        assert_eq!(Colour::from_index(u32::MAX), None);
    }

    /// WCAG's relative luminance of a colour.
    fn luminance(colour: Color) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(colour.red()) + 0.7152 * part(colour.green()) + 0.0722 * part(colour.blue())
    }

    fn contrast(a: Color, b: Color) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn a_sign_reads_on_its_piece() {
        for colour in Colour::ALL {
            let on_body = contrast(glyph_ink(Shape::Disc, colour), colour.body().opaque());
            assert!(on_body >= 3.0, "disc {colour:?}: {on_body:.2}");
            let on_ivory = contrast(
                glyph_ink(Shape::Card, colour),
                Color::from_rgb_u8(0xf7, 0xef, 0xdd),
            );
            assert!(on_ivory >= 4.5, "card {colour:?}: {on_ivory:.2}");
            let on_wood = contrast(
                glyph_ink(Shape::Coin, colour),
                Color::from_rgb_u8(0xe9, 0xca, 0x95),
            );
            assert!(on_wood >= 3.0, "coin {colour:?}: {on_wood:.2}");
        }
    }
}
