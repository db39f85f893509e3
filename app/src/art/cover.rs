//! Small pictures of a whole board with its pieces, for cards and samples.

use slint::Image;

use super::canvas::Canvas;
use super::colour::Colour;
use super::piece::{self, Shape};
use super::surface::{self, Material, SurfaceSpec, surface_size};
use super::theme::Theme;

/// A piece on a cell of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// Column from the left.
    pub col: u32,
    /// Row from the top.
    pub row: u32,
    /// Form of the piece.
    pub shape: Shape,
    /// Its colour.
    pub colour: Colour,
}

/// Margin around the outermost centres of a small picture, in cells.
const MARGIN: f32 = 0.75;

/// A square picture, `px` pixels wide and high, of an area with pieces, in the middle of transparent ground.
pub fn cover(spec: &SurfaceSpec<'_>, pieces: &[PlacedPiece], theme: Theme, px: u32) -> Image {
    draw(spec, pieces, theme, px).into_image()
}

fn draw(spec: &SurfaceSpec<'_>, pieces: &[PlacedPiece], theme: Theme, px: u32) -> Canvas {
    let mut picture = Canvas::new(px, px);
    let px = picture.width();
    let longer = spec.cols.max(spec.rows).max(1);
    // Whole pixels a cell: the largest number that fits, margins rounded and all.
    let guess = px as f32 / (longer as f32 - 1.0 + 2.0 * MARGIN);
    let unit = (1..=(guess.ceil() as u32).clamp(1, 1024))
        .rev()
        .find(|&unit| surface_size(longer, longer, unit as f32, MARGIN).0 <= px)
        .unwrap_or(1);
    let mut board = surface::draw(spec, theme, unit as f32, MARGIN);
    let margin = (unit as f32 * MARGIN).round() as i32;
    for placed in pieces
        .iter()
        .filter(|placed| placed.col < spec.cols && placed.row < spec.rows)
    {
        let sprite = piece::draw(placed.shape, placed.colour, unit, theme);
        let place = |index: u32| margin + (index * unit) as i32 - (unit / 2) as i32;
        board.draw(&sprite, place(placed.col), place(placed.row));
    }
    let offset = |side: u32| (px as i32 - side as i32) / 2;
    picture.draw(&board, offset(board.width()), offset(board.height()));
    picture
}

/// A sample of a theme, `px` pixels wide and high: a corner of crossing lines with a dark and a light piece.
pub fn sample(theme: Theme, px: u32) -> Image {
    let lines: Vec<[f32; 4]> = (0..3)
        .flat_map(|index| {
            [
                [0.0, index as f32, 2.5, index as f32],
                [index as f32, 0.0, index as f32, 2.5],
            ]
        })
        .collect();
    let spec = SurfaceSpec {
        cols: 3,
        rows: 3,
        material: Material::Board,
        lines: &lines,
        dots: &[],
    };
    let disc = |col, row, colour| PlacedPiece {
        col,
        row,
        shape: Shape::Disc,
        colour,
    };
    cover(
        &spec,
        &[disc(1, 1, Colour::Black), disc(2, 1, Colour::White)],
        theme,
        px,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(cols: u32, rows: u32) -> SurfaceSpec<'static> {
        SurfaceSpec {
            cols,
            rows,
            material: Material::Board,
            lines: &[],
            dots: &[],
        }
    }

    #[test]
    fn a_cover_is_square_and_shows_its_pieces() {
        let disc = |col, row| PlacedPiece {
            col,
            row,
            shape: Shape::Disc,
            colour: Colour::Black,
        };
        for (cols, rows) in [(1, 1), (3, 3), (9, 10), (19, 19), (64, 64)] {
            let bare = draw(&spec(cols, rows), &[], Theme::Kaya, 120);
            let filled = draw(&spec(cols, rows), &[disc(cols - 1, 0)], Theme::Kaya, 120);
            assert_eq!((bare.width(), bare.height()), (120, 120));
            assert_ne!(bare.bytes(), filled.bytes(), "{cols}×{rows}");
            // A piece beside the board is left out.
            let outside = draw(&spec(cols, rows), &[disc(cols, 0)], Theme::Kaya, 120);
            assert_eq!(bare.bytes(), outside.bytes(), "{cols}×{rows}");
        }
    }

    #[test]
    fn an_oblong_board_stands_in_the_middle() {
        let canvas = draw(&spec(9, 10), &[], Theme::Kaya, 120);
        let row: Vec<bool> = (0..120).map(|x| canvas.pixel(x, 60)[3] > 0).collect();
        let left = row.iter().take_while(|filled| !**filled).count();
        let right = row.iter().rev().take_while(|filled| !**filled).count();
        assert!(left > 0 && left.abs_diff(right) <= 1, "{left} {right}");
    }
}
