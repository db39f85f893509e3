//! A board without its pieces: material, lines, dots, edge.

use slint::Image;
use tiny_skia::PathBuilder;

use super::canvas::Canvas;
use super::shade::{Rgb, smooth_step};
use super::theme::Theme;

/// What an area is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// The theme's material, with an edge.
    Board,
    /// A tray: the theme's material, darker, sunk.
    Tray,
    /// Nothing: lines and dots on the page.
    Plain,
}

/// An area to draw, in board units: cell (c, r) is centred on (c, r).
#[derive(Clone, Copy, Debug)]
pub struct SurfaceSpec<'a> {
    /// Columns.
    pub cols: u32,
    /// Rows.
    pub rows: u32,
    /// What it is made of.
    pub material: Material,
    /// Strokes from (x1, y1) to (x2, y2).
    pub lines: &'a [[f32; 4]],
    /// Dots at (x, y).
    pub dots: &'a [[f32; 2]],
}

/// Width and height in pixels of an area's picture: `unit` pixels a cell, and `margin` cells,
/// rounded to whole pixels, around the outermost centres.
pub fn surface_size(cols: u32, rows: u32, unit: f32, margin: f32) -> (u32, u32) {
    let place = Grid::new(unit, margin);
    let side = |count: u32| {
        let cells = count.saturating_sub(1) as f32;
        (cells * place.unit + 2.0 * place.margin).round().max(1.0) as u32
    };
    (side(cols), side(rows))
}

/// The picture of an area: see [`surface_size`] for its size.
pub fn surface(spec: &SurfaceSpec<'_>, theme: Theme, unit: f32, margin: f32) -> Image {
    draw(spec, theme, unit, margin).into_image()
}

/// Whole pixels of a cell and of the margin.
#[derive(Clone, Copy)]
struct Grid {
    unit: f32,
    margin: f32,
}

impl Grid {
    fn new(unit: f32, margin: f32) -> Self {
        let unit = if unit.is_finite() {
            unit.clamp(1.0, 1024.0)
        } else {
            1.0
        };
        let margin = if margin.is_finite() {
            margin.clamp(0.0, 8.0)
        } else {
            0.0
        };
        Self {
            unit,
            margin: (unit * margin).round(),
        }
    }

    /// Pixel position of a place in board units.
    fn at(self, place: f32) -> f32 {
        self.margin + place.clamp(-64.0, 128.0) * self.unit
    }
}

pub(super) fn draw(spec: &SurfaceSpec<'_>, theme: Theme, unit: f32, margin: f32) -> Canvas {
    let (width, height) = surface_size(spec.cols, spec.rows, unit, margin);
    let grid = Grid::new(unit, margin);
    let mut canvas = Canvas::new(width, height);
    if spec.material != Material::Plain {
        ground(&mut canvas, theme, spec.material, grid.unit);
    }
    let (ink, alpha) = match spec.material {
        // Shows on light and on dark pages alike.
        Material::Plain => (Rgb::hex(0x8a7c69), 1.0),
        Material::Board | Material::Tray => theme.line(),
    };
    lines(&mut canvas, spec.lines, grid, ink, alpha);
    for &[x, y] in spec.dots {
        let radius = (grid.unit * 0.105).clamp(1.6, 9.0);
        // The dot shares the middle of a line one pixel wide.
        if let Some(dot) = PathBuilder::from_circle(grid.at(x) + 0.5, grid.at(y) + 0.5, radius) {
            canvas.fill(&dot, ink, alpha.max(0.85));
        }
    }
    canvas
}

fn ground(canvas: &mut Canvas, theme: Theme, material: Material, unit: f32) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    let texture = theme.texture();
    let tray = material == Material::Tray;
    let base = if tray {
        theme.base().scale(0.84)
    } else {
        theme.base()
    };
    let (light, shade) = theme.bevel();
    let edge = (unit * 0.09).clamp(1.5, 5.0);
    let longer = width.max(height);
    let (white, black) = (Rgb::hex(0xffffff), Rgb::hex(0x1c1006));
    canvas.shade_rows(|row| {
        let y = row as f32 + 0.5;
        let grain = texture.row(y / longer);
        move |column| {
            let x = column as f32 + 0.5;
            // Light falls from the upper left: a little darker towards the far corner.
            let fall = 1.03 - 0.03 * (x / width + y / height);
            let colour = base.scale(grain.at(x / longer) * fall);
            let (upper, lower) = (y.min(x) / edge, (height - y).min(width - x) / edge);
            if upper >= 3.0 && lower >= 1.0 {
                return colour;
            }
            if tray {
                // Sunk: the upper edge throws a shadow inwards.
                let colour = colour.mix(black, 0.35 * (1.0 - smooth_step(0.0, 3.0, upper)));
                return colour.mix(white, light * 0.3 * (1.0 - smooth_step(0.0, 1.0, lower)));
            }
            // What has no thickness to catch the light is only outlined.
            let (tone, strength) = if light > 0.0 {
                (white, light)
            } else {
                (black, shade)
            };
            let colour = colour.mix(tone, strength * (1.0 - smooth_step(0.0, 1.0, upper)));
            colour.mix(black, shade * (1.0 - smooth_step(0.0, 1.0, lower)))
        }
    });
    round_corners(canvas, (unit * 0.16).clamp(3.0, 10.0));
}

/// Takes the corners away.
pub(super) fn round_corners(canvas: &mut Canvas, radius: f32) {
    let (width, height) = (canvas.width() as f32, canvas.height() as f32);
    canvas.mask(|x, y| {
        let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
        let across = (radius - x).max(x - (width - radius)).max(0.0);
        let down = (radius - y).max(y - (height - radius)).max(0.0);
        if across == 0.0 || down == 0.0 {
            1.0
        } else {
            (radius - across.hypot(down) + 0.5).clamp(0.0, 1.0)
        }
    });
}

fn lines(canvas: &mut Canvas, lines: &[[f32; 4]], grid: Grid, ink: Rgb, alpha: f32) {
    let thin = (grid.unit / 34.0).round().max(1.0);
    // The frame of a board is drawn stronger than what lies inside.
    let frame = if grid.unit >= 22.0 {
        thin + (grid.unit / 60.0).round().max(1.0)
    } else {
        thin
    };
    let reach = |low: usize, high: usize| {
        lines.iter().flat_map(|line| [line[low], line[high]]).fold(
            (f32::INFINITY, f32::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        )
    };
    let (across, down) = (reach(0, 2), reach(1, 3));
    for &[x1, y1, x2, y2] in lines {
        if ![x1, y1, x2, y2].iter().all(|value| value.is_finite()) {
            continue;
        }
        let on_frame =
            (x1 == x2 && (x1 == across.0 || x1 == across.1) && (y1 - y2).abs() == down.1 - down.0)
                || (y1 == y2
                    && (y1 == down.0 || y1 == down.1)
                    && (x1 - x2).abs() == across.1 - across.0);
        let width = if on_frame { frame } else { thin };
        if x1 == x2 || y1 == y2 {
            // Straight lines fill whole pixels, the middle one of which is the cell's middle.
            let start =
                |place: f32| (grid.at(place) - ((width - 1.0) / 2.0).floor()).floor() as i64;
            let (left, top) = (start(x1.min(x2)), start(y1.min(y2)));
            let (right, bottom) = (start(x1.max(x2)), start(y1.max(y2)));
            let width = width as i64;
            canvas.rectangle(
                left,
                top,
                right - left + width,
                bottom - top + width,
                ink,
                alpha,
            );
        } else {
            let mut path = PathBuilder::new();
            path.move_to(grid.at(x1) + 0.5, grid.at(y1) + 0.5);
            path.line_to(grid.at(x2) + 0.5, grid.at(y2) + 0.5);
            if let Some(path) = path.finish() {
                canvas.stroke(&path, width * 1.1, ink, alpha);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(cols: u32, rows: u32) -> Vec<[f32; 4]> {
        let (right, bottom) = (cols as f32 - 1.0, rows as f32 - 1.0);
        let across = (0..rows).map(|row| [0.0, row as f32, right, row as f32]);
        let down = (0..cols).map(|col| [col as f32, 0.0, col as f32, bottom]);
        across.chain(down).collect()
    }

    fn spec(cols: u32, rows: u32, lines: &[[f32; 4]]) -> SurfaceSpec<'_> {
        SurfaceSpec {
            cols,
            rows,
            material: Material::Board,
            lines,
            dots: &[],
        }
    }

    #[test]
    fn a_picture_has_the_told_size_from_the_smallest_board_to_the_largest() {
        for (cols, rows) in [(1, 1), (3, 3), (9, 10), (19, 19), (25, 25)] {
            for (unit, margin) in [(4.0, 1.0), (17.0, 0.7), (40.0, 1.0), (41.0, 0.5)] {
                let canvas = draw(
                    &spec(cols, rows, &crossing(cols, rows)),
                    Theme::Kaya,
                    unit,
                    margin,
                );
                let side =
                    |count: u32| (count - 1) * unit as u32 + 2 * (unit * margin).round() as u32;
                assert_eq!((canvas.width(), canvas.height()), (side(cols), side(rows)));
                assert_eq!(
                    (canvas.width(), canvas.height()),
                    surface_size(cols, rows, unit, margin)
                );
            }
        }
    }

    #[test]
    fn absurd_numbers_still_give_a_picture() {
        let lines = [
            [f32::NAN, 0.0, 1.0, 1.0],
            [-1e30, 0.0, 1e30, 0.0],
            [0.0, 0.0, 1e9, 1e9],
        ];
        for (unit, margin) in [
            (0.0, 0.0),
            (-5.0, -1.0),
            (f32::NAN, f32::NAN),
            (f32::INFINITY, 2.0),
        ] {
            let canvas = draw(&spec(3, 3, &lines), Theme::Slate, unit, margin);
            assert!(canvas.width() >= 1 && canvas.height() >= 1);
        }
    }

    #[test]
    fn lines_lie_on_the_middles_of_cells_and_are_mirror_images() {
        let lines = crossing(9, 9);
        let unit = 31.0;
        let bare = draw(&spec(9, 9, &[]), Theme::Paper, unit, 1.0);
        let ruled = draw(&spec(9, 9, &lines), Theme::Paper, unit, 1.0);
        let inked = |x: u32, y: u32| bare.pixel(x, y) != ruled.pixel(x, y);
        // Between two rows only the columns' lines are inked.
        let y = (31.0 + 31.0 * 4.5) as u32;
        let columns: Vec<u32> = (0..ruled.width()).filter(|&x| inked(x, y)).collect();
        for col in 0..9 {
            assert!(
                columns.contains(&(31 + 31 * col)),
                "column {col}: {columns:?}"
            );
        }
        // Turned about the diagonal it is the same drawing.
        for a in 0..ruled.width() {
            for b in 0..a {
                assert_eq!(inked(a, b), inked(b, a), "({a}, {b})");
            }
        }
    }

    #[test]
    fn the_same_description_gives_the_same_bytes() {
        let lines = crossing(5, 5);
        for theme in Theme::ALL {
            let one = draw(&spec(5, 5, &lines), theme, 20.0, 1.0);
            let two = draw(&spec(5, 5, &lines), theme, 20.0, 1.0);
            assert_eq!(one.bytes(), two.bytes());
        }
    }

    #[test]
    fn only_a_plain_area_lets_the_page_through() {
        let lines = crossing(3, 3);
        for (material, opaque) in [
            (Material::Board, true),
            (Material::Tray, true),
            (Material::Plain, false),
        ] {
            let canvas = draw(
                &SurfaceSpec {
                    material,
                    ..spec(3, 3, &lines)
                },
                Theme::Kaya,
                20.0,
                1.0,
            );
            assert_eq!(canvas.pixel(30, 30)[3] == 255, opaque, "{material:?}");
            assert_eq!(
                canvas.pixel(0, 0)[3],
                0,
                "{material:?}: the corner is round"
            );
        }
    }
}
