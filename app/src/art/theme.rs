//! What boards are made of.

use std::sync::OnceLock;

use slint::Color;

use super::noise;
use super::shade::{Rgb, smooth_step};

/// A board's material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Light, warm wood with a straight grain.
    Kaya,
    /// Dark wood, light lines.
    Walnut,
    /// Ink on paper.
    Paper,
    /// Dark slate, light lines.
    Slate,
}

impl Theme {
    /// All themes, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Kaya, Self::Walnut, Self::Paper, Self::Slate];

    /// Name in the settings.
    pub fn id(self) -> &'static str {
        match self {
            Self::Kaya => "kaya",
            Self::Walnut => "walnut",
            Self::Paper => "paper",
            Self::Slate => "slate",
        }
    }

    /// The theme of that name; the first one for a name that is unknown.
    pub fn from_id(id: &str) -> Self {
        Self::ALL
            .into_iter()
            .find(|theme| theme.id() == id)
            .unwrap_or(Self::Kaya)
    }

    /// Colour of names and coordinates on the board.
    pub fn ink(self) -> Color {
        self.line().0.opaque()
    }

    /// Middle colour of the board, for a patch behind a number.
    pub fn ground(self) -> Color {
        self.base().opaque()
    }

    pub(super) fn base(self) -> Rgb {
        match self {
            Self::Kaya => Rgb::hex(0xdfb879),
            Self::Walnut => Rgb::hex(0x7c5133),
            Self::Paper => Rgb::hex(0xf5ecd9),
            Self::Slate => Rgb::hex(0x525b62),
        }
    }

    /// Colour and opacity of lines.
    pub(super) fn line(self) -> (Rgb, f32) {
        match self {
            Self::Kaya => (Rgb::hex(0x3d2914), 0.88),
            Self::Walnut => (Rgb::hex(0xf2ddba), 0.72),
            Self::Paper => (Rgb::hex(0x2a241e), 0.86),
            Self::Slate => (Rgb::hex(0xe6e9e6), 0.62),
        }
    }

    /// Light on the upper edges, shade on the lower ones, 0–1.
    pub(super) fn bevel(self) -> (f32, f32) {
        match self {
            Self::Kaya => (0.45, 0.34),
            Self::Walnut => (0.22, 0.42),
            Self::Paper => (0.0, 0.16),
            Self::Slate => (0.2, 0.4),
        }
    }

    /// How bright the material is at a place, as a factor around 1; `x` and `y` are 0–1 over the texture.
    fn brightness(self, x: f32, y: f32) -> f32 {
        match self {
            Self::Kaya => {
                // The grain runs from top to bottom; slow noise bends it.
                let bent = x + 0.022 * noise::value(x * 2.0, y * 1.1, 1);
                let rings = noise::value(bent * 17.0, y * 0.5, 2) * 0.035
                    + noise::value(bent * 46.0, y * 0.7, 3) * 0.026;
                let fibres = noise::value(bent * 150.0, y * 5.0, 4) * 0.022;
                let cloud = noise::value(x * 2.2, y * 1.6, 5) * 0.02;
                1.0 + rings + fibres + cloud
            }
            Self::Walnut => {
                let bent = x + 0.06 * noise::value(x * 1.6, y * 0.9, 11);
                let rings = noise::value(bent * 11.0, y * 0.45, 12) * 0.1
                    + noise::value(bent * 37.0, y * 0.8, 13) * 0.055;
                let fibres = noise::value(bent * 140.0, y * 6.0, 14);
                // Dark pores, short and few.
                let pores =
                    smooth_step(0.55, 0.95, noise::value(bent * 170.0, y * 22.0, 15)) * 0.12;
                1.0 + rings + fibres * 0.035 - pores
            }
            Self::Paper => {
                let fibres = noise::value(x * 120.0, y * 90.0, 21) * 0.010
                    + noise::value(x * 260.0, y * 60.0, 22) * 0.008;
                let cloud = noise::value(x * 3.0, y * 3.0, 23) * 0.012;
                1.0 + fibres + cloud
            }
            Self::Slate => {
                let layers = noise::value(x * 4.0 + y * 1.5, y * 9.0, 31) * 0.035;
                let grain = noise::value(x * 180.0, y * 180.0, 32) * 0.03
                    + noise::value(x * 60.0, y * 60.0, 33) * 0.02;
                1.0 + layers + grain
            }
        }
    }

    /// The material's texture: made once, then only read.
    pub(super) fn texture(self) -> &'static Texture {
        static TEXTURES: [OnceLock<Texture>; 4] = [const { OnceLock::new() }; 4];
        let place = match self {
            Self::Kaya => 0,
            Self::Walnut => 1,
            Self::Paper => 2,
            Self::Slate => 3,
        };
        TEXTURES[place].get_or_init(|| Texture::new(self))
    }
}

/// Brightness of a material over a square.
pub(super) struct Texture {
    texels: Vec<f32>,
}

impl Texture {
    /// Texels on a side: a whole number of grain lines stays visible, and making it takes some milliseconds.
    const SIDE: usize = 384;

    fn new(theme: Theme) -> Self {
        let side = Self::SIDE as f32;
        let texels = (0..Self::SIDE * Self::SIDE)
            .map(|index| {
                theme.brightness(
                    (index % Self::SIDE) as f32 / side,
                    (index / Self::SIDE) as f32 / side,
                )
            })
            .collect();
        Self { texels }
    }

    /// The brightness along a row; `y` is 0–1 from top to bottom, between the texels above and below.
    pub fn row(&self, y: f32) -> TextureRow {
        let (row, down) = place(y);
        let rows = self.texels.chunks_exact(Self::SIDE).skip(row).take(2);
        let mut texels = [1.0; Self::SIDE];
        for (part, row) in [1.0 - down, down].into_iter().zip(rows) {
            for (sum, texel) in texels.iter_mut().zip(row) {
                *sum += part * (texel - 1.0);
            }
        }
        TextureRow { texels }
    }
}

/// One row of a [`Texture`].
pub(super) struct TextureRow {
    texels: [f32; Texture::SIDE],
}

impl TextureRow {
    /// The brightness at a place, 0–1 from left to right, between the texels beside it.
    pub fn at(&self, x: f32) -> f32 {
        let (column, across) = place(x);
        match self.texels.get(column..column + 2) {
            Some(&[left, right]) => left + (right - left) * across,
            _ => 1.0,
        }
    }
}

/// The texel before a place of 0–1, and how far the place is on the way to the next one.
fn place(part: f32) -> (usize, f32) {
    let last = Texture::SIDE - 1;
    let exact = part.clamp(0.0, 1.0) * last as f32;
    let whole = (exact as usize).min(last - 1);
    (whole, exact - whole as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_themes() {
        for theme in Theme::ALL {
            assert_eq!(Theme::from_id(theme.id()), theme);
        }
        assert_eq!(Theme::from_id("marble"), Theme::Kaya);
    }

    #[test]
    fn a_texture_varies_around_the_middle() {
        for theme in Theme::ALL {
            let texels = &theme.texture().texels;
            let mean = texels.iter().sum::<f32>() / texels.len() as f32;
            assert!((mean - 1.0).abs() < 0.05, "{theme:?}: {mean}");
            assert!(
                texels.iter().any(|texel| (texel - mean).abs() > 0.01),
                "{theme:?} is flat"
            );
        }
    }
}
