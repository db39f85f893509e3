//! Colours as arithmetic.

use slint::Color;

/// Red, green and blue, 0–1 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rgb {
    pub red: f32,
    pub green: f32,
    pub blue: f32,
}

impl Rgb {
    /// From a number such as 0xrrggbb.
    pub const fn hex(number: u32) -> Self {
        Self {
            red: ((number >> 16) & 0xff) as f32 / 255.0,
            green: ((number >> 8) & 0xff) as f32 / 255.0,
            blue: (number & 0xff) as f32 / 255.0,
        }
    }

    /// `self` for 0, `other` for 1, and between.
    pub fn mix(self, other: Self, part: f32) -> Self {
        let between = |a: f32, b: f32| a + (b - a) * part;
        Self {
            red: between(self.red, other.red),
            green: between(self.green, other.green),
            blue: between(self.blue, other.blue),
        }
    }

    /// Brighter (above 1) or darker (below 1).
    pub fn scale(self, factor: f32) -> Self {
        Self {
            red: self.red * factor,
            green: self.green * factor,
            blue: self.blue * factor,
        }
    }

    /// For the screens.
    pub fn opaque(self) -> Color {
        Color::from_rgb_u8(byte(self.red), byte(self.green), byte(self.blue))
    }
}

/// 0–1 as 0–255.
pub(super) fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// 0 up to `low`, 1 from `high` on, smooth between.
pub(super) fn smooth_step(low: f32, high: f32, value: f32) -> f32 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}
