//! Pieces: one cell wide, seen from above, lit from the upper left.

use slint::Image;
use tiny_skia::{Path, PathBuilder};

use super::canvas::Canvas;
use super::colour::Colour;
use super::noise;
use super::shade::{Rgb, smooth_step};
use super::theme::Theme;

/// Form of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A rounded lens of slate, shell or glass.
    Disc,
    /// A flat round of wood with a groove in its colour.
    Coin,
    /// A paper card.
    Card,
    /// Two crossing strokes.
    Cross,
    /// A ring.
    Ring,
    /// A square tile.
    Tile,
    /// Nothing but the glyph that the screen writes.
    Glyph,
}

/// A picture of a piece, `px` pixels wide and high, shadow and all.
pub fn piece(shape: Shape, colour: Colour, px: u32, theme: Theme) -> Image {
    draw(shape, colour, px, theme).into_image()
}

pub(super) fn draw(shape: Shape, colour: Colour, px: u32, theme: Theme) -> Canvas {
    let mut canvas = Canvas::new(px, px);
    match shape {
        Shape::Disc => disc(&mut canvas, colour),
        Shape::Coin => coin(&mut canvas, colour),
        Shape::Card => slab(&mut canvas, &CARD, colour),
        Shape::Tile => slab(&mut canvas, &TILE, colour),
        Shape::Cross => cross(&mut canvas, brush(colour, theme)),
        Shape::Ring => ring(&mut canvas, brush(colour, theme)),
        Shape::Glyph => {}
    }
    canvas
}

/// Ink of a brush stroke on a board: light where the board is dark and the ink is black.
fn brush(colour: Colour, theme: Theme) -> Rgb {
    match (colour, theme) {
        (Colour::Black, Theme::Walnut | Theme::Slate) => Rgb::hex(0x14110f),
        (Colour::Black | Colour::White, _) | (_, Theme::Kaya | Theme::Paper) => colour.ink(),
        (_, Theme::Walnut | Theme::Slate) => colour.body().mix(Rgb::hex(0xffffff), 0.25),
    }
}

/// A place on a round body, measured from its middle in radii; up and left are negative.
#[derive(Clone, Copy)]
struct Spot {
    x: f32,
    y: f32,
    /// Distance from the middle.
    distance: f32,
    /// How much of the pixel the body covers, 0–1.
    cover: f32,
}

/// Draws a round body and the shadow that it throws to the lower right.
fn round(canvas: &mut Canvas, radius: f32, shadow: f32, body: impl Fn(Spot) -> Rgb) {
    let px = canvas.width() as f32;
    let radius = radius * px;
    // A little up and left, so that the shadow has room.
    let middle = px * 0.492;
    let shadow_offset = px * 0.028;
    let blur = (px * 0.05).max(0.8);
    canvas.shade(|column, row| {
        let (dx, dy) = (column as f32 + 0.5 - middle, row as f32 + 0.5 - middle);
        let distance = dx.hypot(dy);
        let cover = (radius - distance + 0.5).clamp(0.0, 1.0);
        let below = (dx - shadow_offset).hypot(dy - shadow_offset * 1.3);
        let shade = shadow * (1.0 - smooth_step(radius - blur, radius + blur, below));
        if cover == 0.0 {
            return (Rgb::hex(0x140c05), shade);
        }
        let spot = Spot {
            x: dx / radius,
            y: dy / radius,
            distance: (distance / radius).min(1.0),
            cover,
        };
        // At the rim the body lies over its own shadow.
        let alpha = spot.cover + shade * (1.0 - spot.cover);
        let colour = Rgb::hex(0x140c05).mix(body(spot), spot.cover / alpha.max(1e-3));
        (colour, alpha)
    });
}

fn disc(canvas: &mut Canvas, colour: Colour) {
    let base = colour.body();
    let fine = canvas.width() >= 26;
    let white = Rgb::hex(0xffffff);
    round(canvas, 0.468, 0.42, |spot| {
        // A lens: nearly flat in the middle, steep at the rim.
        let steep = spot.distance.powi(3) * 0.95;
        let (nx, ny) = (
            spot.x * steep.max(spot.distance * 0.42),
            spot.y * steep.max(spot.distance * 0.42),
        );
        let nz = (1.0 - (nx * nx + ny * ny).min(0.98)).sqrt();
        let lit = (nx * -0.46 + ny * -0.58 + nz * 0.67).max(0.0);
        // The highlight sits where the lens mirrors the light.
        let gloss_distance = (spot.x + 0.33).hypot(spot.y + 0.4);
        match colour {
            Colour::Black => {
                // Slate: a broad, dull sheen and a thin light along the lower rim.
                let sheen = (1.0 - smooth_step(0.0, 0.95, gloss_distance)).powf(1.4);
                let rim = smooth_step(0.86, 1.0, spot.distance) * (spot.x + spot.y).max(0.0) * 0.12;
                let grain = if fine {
                    noise::value(spot.x * 19.0, spot.y * 19.0, 41) * 0.012
                } else {
                    0.0
                };
                base.scale(0.42 + 0.72 * lit + grain)
                    .mix(white, 0.34 * sheen + rim)
            }
            Colour::White => {
                // Shell: bright, a small clear highlight, fine curved lines.
                let shade = Rgb::hex(0xb9ae9c);
                let glow = 1.0 - smooth_step(0.0, 0.42, gloss_distance);
                let stripes = if fine {
                    let curve = spot.y + 0.12 * spot.x * spot.x;
                    (curve * 34.0).sin() * 0.010 * (1.0 - spot.distance * spot.distance)
                } else {
                    0.0
                };
                let dark =
                    (1.0 - lit / 0.72).max(0.0) * 0.9 + smooth_step(0.8, 1.0, spot.distance) * 0.16;
                base.mix(shade, dark.min(1.0))
                    .scale(1.0 + stripes)
                    .mix(white, 0.85 * glow)
            }
            _ => {
                let sheen = (1.0 - smooth_step(0.0, 0.75, gloss_distance)).powi(2);
                let rim = smooth_step(0.86, 1.0, spot.distance) * (spot.x + spot.y).max(0.0) * 0.1;
                base.scale(0.5 + 0.7 * lit).mix(white, 0.45 * sheen + rim)
            }
        }
    });
}

fn coin(canvas: &mut Canvas, colour: Colour) {
    let px = canvas.width() as f32;
    let wood = Rgb::hex(0xeacb96);
    let ink = if colour == Colour::White {
        Rgb::hex(0x6b6256)
    } else {
        colour.ink()
    };
    let (white, black) = (Rgb::hex(0xffffff), Rgb::hex(0x3a220c));
    // The groove is at least a pixel wide.
    let half = (0.022f32).max(0.5 / (0.462 * px));
    round(canvas, 0.462, 0.45, |spot| {
        let rings = noise::value(spot.x * 2.3 + 3.0, spot.y * 0.35, 51) * 0.035
            + noise::value(spot.x * 9.0, spot.y * 0.6, 52) * 0.03;
        let mut body = wood.scale(1.0 + rings);
        // The bevelled rim: light on the upper left, shade on the lower right.
        let slope = smooth_step(0.84, 0.97, spot.distance);
        let facing = -(spot.x * 0.62 + spot.y * 0.78);
        body = if facing >= 0.0 {
            body.mix(white, slope * facing * 0.5)
        } else {
            body.mix(black, slope * -facing * 0.5)
        };
        let groove = 1.0 - smooth_step(half * 0.6, half * 1.5, (spot.distance - 0.76).abs());
        body.mix(ink, groove * 0.85)
    });
}

/// Measures of a flat piece with straight sides, in cells.
struct Slab {
    width: f32,
    height: f32,
    corner: f32,
    body: Rgb,
    /// Distance of the inner line from the edge; none: no line.
    line: Option<f32>,
    /// Strength of the lower edge's shade.
    depth: f32,
}

const CARD: Slab = Slab {
    width: 0.8,
    height: 0.9,
    corner: 0.09,
    body: Rgb::hex(0xf9f2e2),
    line: Some(0.065),
    depth: 0.02,
};

const TILE: Slab = Slab {
    width: 0.86,
    height: 0.86,
    corner: 0.13,
    body: Rgb::hex(0xf5ead0),
    line: None,
    depth: 0.06,
};

fn slab(canvas: &mut Canvas, slab: &Slab, colour: Colour) {
    let px = canvas.width() as f32;
    let (left, top) = (
        (1.0 - slab.width) / 2.0,
        (1.0 - slab.height) / 2.0 - slab.depth / 2.0,
    );
    let outline = |left: f32, top: f32, inset: f32| {
        rounded(
            (left + inset) * px,
            (top + inset) * px,
            (slab.width - 2.0 * inset) * px,
            (slab.height - 2.0 * inset) * px,
            ((slab.corner - inset) * px).max(0.5),
        )
    };
    let shadow = Rgb::hex(0x140c05);
    // A soft shadow from a few thin layers.
    for layer in 1..=4 {
        let spread = 0.008 * layer as f32;
        if let Some(path) = outline(
            left + spread,
            top + slab.depth + spread * 1.4,
            -spread * 0.3,
        ) {
            canvas.fill(&path, shadow, 0.09);
        }
    }
    if let Some(path) = outline(left, top + slab.depth, 0.0) {
        canvas.fill(&path, slab.body.scale(0.68), 1.0);
    }
    if let Some(path) = outline(left, top, 0.0) {
        canvas.fill(&path, slab.body, 1.0);
        canvas.stroke(&path, (px * 0.012).max(0.7), slab.body.scale(0.74), 0.9);
    }
    if let Some(path) = slab.line.and_then(|inset| outline(left, top, inset)) {
        let ink = if colour == Colour::White {
            Rgb::hex(0xa89b86)
        } else {
            colour.ink()
        };
        canvas.stroke(&path, (px * 0.022).max(0.8), ink, 0.75);
    }
}

fn rounded(left: f32, top: f32, width: f32, height: f32, radius: f32) -> Option<Path> {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (left + width, top + height);
    // Bézier circles: the usual 0.5523.
    let bend = radius * (1.0 - 0.5523);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(right - bend, top, right, top + bend, right, top + radius);
    path.line_to(right, bottom - radius);
    path.cubic_to(
        right,
        bottom - bend,
        right - bend,
        bottom,
        right - radius,
        bottom,
    );
    path.line_to(left + radius, bottom);
    path.cubic_to(
        left + bend,
        bottom,
        left,
        bottom - bend,
        left,
        bottom - radius,
    );
    path.line_to(left, top + radius);
    path.cubic_to(left, top + bend, left + bend, top, left + radius, top);
    path.close();
    path.finish()
}

/// A brush stroke: sets down broad, draws out thin. Places in cells.
fn brush_stroke(
    from: (f32, f32),
    to: (f32, f32),
    broad: f32,
    thin: f32,
    sag: f32,
    px: f32,
) -> Option<Path> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    // At the part `along` of the stroke, `aside` to its left; the stroke hangs a little.
    let at = |along: f32, aside: f32| {
        let hang = sag * (1.0 - (2.0 * along - 1.0).powi(2));
        (
            (from.0 + dx * along - uy * (aside + hang)) * px,
            (from.1 + dy * along + ux * (aside + hang)) * px,
        )
    };
    let mut path = PathBuilder::new();
    let (x, y) = at(-0.035, 0.0);
    path.move_to(x, y);
    let mut quad = |control: (f32, f32), end: (f32, f32)| {
        let ((cx, cy), (x, y)) = (at(control.0, control.1), at(end.0, end.1));
        path.quad_to(cx, cy, x, y);
    };
    quad((-0.04, broad * 0.75), (0.07, broad));
    quad((0.3, thin * 1.5), (0.62, thin * 1.15));
    quad((0.9, thin), (1.04, 0.0));
    quad((0.9, -thin), (0.62, -thin * 1.15));
    quad((0.3, -thin * 1.5), (0.07, -broad));
    quad((-0.04, -broad * 0.75), (-0.035, 0.0));
    path.close();
    path.finish()
}

fn cross(canvas: &mut Canvas, ink: Rgb) {
    let px = canvas.width() as f32;
    let strokes = [
        brush_stroke((0.2, 0.2), (0.81, 0.8), 0.074, 0.036, -0.02, px),
        brush_stroke((0.8, 0.19), (0.19, 0.81), 0.066, 0.032, 0.025, px),
    ];
    for path in strokes.into_iter().flatten() {
        canvas.fill(&path, ink, 0.94);
    }
}

fn ring(canvas: &mut Canvas, ink: Rgb) {
    let px = canvas.width() as f32;
    // Two circles, the inner one off the middle: thick where the brush was pressed, thin where it lifted.
    let middle = px * 0.5;
    let outer = px * 0.36;
    let inner = px * 0.262;
    let (shift_x, shift_y) = (px * 0.024, px * -0.026);
    canvas.shade(|column, row| {
        let (x, y) = (column as f32 + 0.5 - middle, row as f32 + 0.5 - middle);
        let angle = y.atan2(x);
        let wobble = noise::value(angle.cos() * 1.6, angle.sin() * 1.6, 61) * px * 0.008;
        let outside = (outer + wobble - x.hypot(y) + 0.5).clamp(0.0, 1.0);
        let inside = (inner - wobble - (x - shift_x).hypot(y - shift_y) + 0.5).clamp(0.0, 1.0);
        (ink, 0.94 * (outside - inside).max(0.0))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [Shape; 6] = [
        Shape::Disc,
        Shape::Coin,
        Shape::Card,
        Shape::Cross,
        Shape::Ring,
        Shape::Tile,
    ];

    fn opacity(canvas: &Canvas) -> u64 {
        canvas
            .bytes()
            .chunks_exact(4)
            .map(|pixel| u64::from(pixel[3]))
            .sum()
    }

    #[test]
    fn every_shape_in_every_colour_is_drawn_at_every_size() {
        for shape in SHAPES {
            for colour in Colour::ALL {
                for px in [1, 8, 16, 40, 161] {
                    let canvas = draw(shape, colour, px, Theme::Kaya);
                    assert_eq!((canvas.width(), canvas.height()), (px, px));
                    if px >= 8 {
                        let share = opacity(&canvas) as f32 / (255.0 * (px * px) as f32);
                        assert!(
                            (0.08..0.95).contains(&share),
                            "{shape:?} {colour:?} {px}: {share}"
                        );
                    }
                }
            }
        }
        assert_eq!(
            opacity(&draw(Shape::Glyph, Colour::Red, 20, Theme::Kaya)),
            0
        );
        assert_eq!(draw(Shape::Disc, Colour::Red, 0, Theme::Kaya).width(), 1);
    }

    #[test]
    fn the_same_piece_gives_the_same_bytes_and_another_one_others() {
        for shape in SHAPES {
            let black = draw(shape, Colour::Black, 40, Theme::Kaya);
            assert_eq!(
                black.bytes(),
                draw(shape, Colour::Black, 40, Theme::Kaya).bytes()
            );
            if shape != Shape::Tile {
                assert_ne!(
                    black.bytes(),
                    draw(shape, Colour::Red, 40, Theme::Kaya).bytes(),
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn light_falls_from_the_upper_left() {
        for colour in [Colour::Black, Colour::White, Colour::Red] {
            let canvas = draw(Shape::Disc, colour, 64, Theme::Kaya);
            let sum = |[red, green, blue, _]: [u8; 4]| {
                u32::from(red) + u32::from(green) + u32::from(blue)
            };
            assert!(
                sum(canvas.pixel(20, 18)) > sum(canvas.pixel(46, 48)) + 10,
                "{colour:?}"
            );
        }
    }
}
