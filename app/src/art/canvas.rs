//! A picture under way: premultiplied pixels, and the few ways to lay colour on them.

use slint::{Image, Rgba8Pixel, SharedPixelBuffer};
use tiny_skia::{FillRule, Paint, Path, Pixmap, PremultipliedColorU8, Stroke, Transform};

use super::shade::{Rgb, byte};

/// The largest side of a picture. Beyond it a screen would have to be larger than any there is.
const MAX_SIDE: u32 = 8192;

/// A picture under way.
pub(super) struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    /// A transparent picture; its sides are brought into 1…[`MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.clamp(1, MAX_SIDE), height.clamp(1, MAX_SIDE));
        let pixels = Pixmap::new(width, height)
            .unwrap_or_else(|| unreachable!("1…{MAX_SIDE} is a valid size"));
        Self { pixels }
    }

    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Gives every pixel the colour and the opacity that `shade` tells for it.
    pub fn shade(&mut self, shade: impl Fn(u32, u32) -> (Rgb, f32)) {
        let width = self.width() as usize;
        for (y, row) in self.pixels.pixels_mut().chunks_exact_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let (colour, alpha) = shade(x as u32, y as u32);
                *pixel = premultiplied(colour, alpha);
            }
        }
    }

    /// Gives every pixel an opaque colour, row by row: `row` is called for each with its number, and gives
    /// what tells the colours along it.
    pub fn shade_rows<F: Fn(u32) -> Rgb>(&mut self, mut row: impl FnMut(u32) -> F) {
        let width = self.width() as usize;
        for (y, pixels) in self.pixels.pixels_mut().chunks_exact_mut(width).enumerate() {
            let shade = row(y as u32);
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let Rgb { red, green, blue } = shade(x as u32);
                *pixel = tiny_skia::ColorU8::from_rgba(byte(red), byte(green), byte(blue), 255)
                    .premultiply();
            }
        }
    }

    /// Fills whole pixels, without smoothing; what lies outside is left out.
    pub fn rectangle(
        &mut self,
        left: i64,
        top: i64,
        width: i64,
        height: i64,
        colour: Rgb,
        alpha: f32,
    ) {
        let clip = |from: i64, length: i64, side: u32| {
            let side = i64::from(side);
            (
                from.clamp(0, side) as usize,
                from.saturating_add(length).clamp(0, side) as usize,
            )
        };
        let (x0, x1) = clip(left, width, self.width());
        let (y0, y1) = clip(top, height, self.height());
        let stride = self.width() as usize;
        for row in self
            .pixels
            .pixels_mut()
            .chunks_exact_mut(stride)
            .take(y1)
            .skip(y0)
        {
            for pixel in row.iter_mut().take(x1).skip(x0) {
                *pixel = over(*pixel, colour, alpha);
            }
        }
    }

    /// Fills a path, smoothed.
    pub fn fill(&mut self, path: &Path, colour: Rgb, alpha: f32) {
        self.pixels.fill_path(
            path,
            &paint(colour, alpha),
            FillRule::EvenOdd,
            Transform::identity(),
            None,
        );
    }

    /// Strokes a path, smoothed, with round ends.
    pub fn stroke(&mut self, path: &Path, width: f32, colour: Rgb, alpha: f32) {
        let stroke = Stroke {
            width,
            line_cap: tiny_skia::LineCap::Round,
            line_join: tiny_skia::LineJoin::Round,
            ..Stroke::default()
        };
        self.pixels.stroke_path(
            path,
            &paint(colour, alpha),
            &stroke,
            Transform::identity(),
            None,
        );
    }

    /// Lays another picture over this one.
    pub fn draw(&mut self, other: &Self, left: i32, top: i32) {
        let paint = tiny_skia::PixmapPaint::default();
        self.pixels.draw_pixmap(
            left,
            top,
            other.pixels.as_ref(),
            &paint,
            Transform::identity(),
            None,
        );
    }

    /// Multiplies the opacity of every pixel.
    pub fn mask(&mut self, mask: impl Fn(u32, u32) -> f32) {
        let width = self.width() as usize;
        for (y, row) in self.pixels.pixels_mut().chunks_exact_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                let part = mask(x as u32, y as u32);
                if part < 1.0 {
                    let scale = |value: u8| (f32::from(value) * part.max(0.0)) as u8;
                    let (red, green, blue) = (
                        scale(pixel.red()),
                        scale(pixel.green()),
                        scale(pixel.blue()),
                    );
                    let alpha = scale(pixel.alpha());
                    *pixel = PremultipliedColorU8::from_rgba(red, green, blue, alpha)
                        .unwrap_or(PremultipliedColorU8::TRANSPARENT);
                }
            }
        }
    }

    /// Red, green, blue and opacity of a pixel, premultiplied.
    #[cfg(test)]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        self.pixels.pixel(x, y).map_or([0; 4], |pixel| {
            [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
        })
    }

    /// All bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> &[u8] {
        self.pixels.data()
    }

    /// For the screens.
    pub fn into_image(self) -> Image {
        let buffer = SharedPixelBuffer::<Rgba8Pixel>::clone_from_slice(
            self.pixels.data(),
            self.width(),
            self.height(),
        );
        Image::from_rgba8_premultiplied(buffer)
    }
}

fn paint(colour: Rgb, alpha: f32) -> Paint<'static> {
    let mut paint = Paint {
        anti_alias: true,
        ..Paint::default()
    };
    paint.set_color_rgba8(
        byte(colour.red),
        byte(colour.green),
        byte(colour.blue),
        byte(alpha),
    );
    paint
}

fn premultiplied(colour: Rgb, alpha: f32) -> PremultipliedColorU8 {
    let alpha_byte = byte(alpha);
    let part = |value: f32| byte(value.clamp(0.0, 1.0) * alpha).min(alpha_byte);
    PremultipliedColorU8::from_rgba(
        part(colour.red),
        part(colour.green),
        part(colour.blue),
        alpha_byte,
    )
    .unwrap_or(PremultipliedColorU8::TRANSPARENT)
}

fn over(below: PremultipliedColorU8, colour: Rgb, alpha: f32) -> PremultipliedColorU8 {
    let above = premultiplied(colour, alpha);
    let rest = 255 - u32::from(above.alpha());
    let blend = |above: u8, below: u8| u32::from(above) + (u32::from(below) * rest + 127) / 255;
    let alpha = blend(above.alpha(), below.alpha()).min(255);
    let part = |above: u8, below: u8| blend(above, below).min(alpha) as u8;
    PremultipliedColorU8::from_rgba(
        part(above.red(), below.red()),
        part(above.green(), below.green()),
        part(above.blue(), below.blue()),
        alpha as u8,
    )
    .unwrap_or(below)
}
