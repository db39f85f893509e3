//! Has boards and pieces drawn at the size that the screen needs.

use slint::{ComponentHandle, Model, ModelRc, VecModel};

use super::super::{App, index};
use crate::art;
use crate::plugins::{Area, Describe, Layout, Piece, Shape, Surface};
use crate::{PieceArt, Play as PlayScreen};
use qiju_abi::{GP_CELL_FACE_DOWN, GpCell};

impl App {
    /// The screen draws the cells of an area with another number of physical pixels now.
    pub(super) fn unit_changed(&self, area: i32, px: f32) {
        let Some(area) = index(area) else { return };
        let px = px.round().clamp(0.0, 1024.0) as u32;
        {
            let mut state = self.0.state.borrow_mut();
            let Some(unit) = state
                .play
                .as_mut()
                .and_then(|play| play.units.get_mut(area))
            else {
                return;
            };
            if *unit == px {
                return;
            }
            *unit = px;
        }
        self.redraw_surface(area);
        if area == 0 {
            self.redraw_pieces();
        }
    }

    /// Has everything drawn again: another game or another theme.
    pub(in super::super) fn redraw_all(&self) {
        let areas = self
            .0
            .state
            .borrow()
            .play
            .as_ref()
            .map_or(0, |play| play.units.len());
        for area in 0..areas {
            self.redraw_surface(area);
        }
        let theme = super::super::preferences::board_theme(&self.0.state.borrow().settings);
        let screen = self.0.window.global::<PlayScreen>();
        screen.set_board_ink(theme.ink());
        screen.set_board_ground(theme.ground());
        self.redraw_pieces();
    }

    fn redraw_surface(&self, area: usize) {
        let margin = self.0.window.global::<PlayScreen>().get_margin();
        let state = self.0.state.borrow();
        let theme = super::super::preferences::board_theme(&state.settings);
        let Some(play) = &state.play else { return };
        let (Some(shape), Some(&unit)) =
            (play.board.layout().areas.get(area), play.units.get(area))
        else {
            return;
        };
        if unit == 0 {
            return;
        }
        if let Some(mut view) = play.areas.row_data(area) {
            view.surface = art::surface(&spec(shape), theme, unit as f32, margin);
            play.areas.set_row_data(area, view);
        }
    }

    fn redraw_pieces(&self) {
        let state = self.0.state.borrow();
        let theme = super::super::preferences::board_theme(&state.settings);
        let Some(play) = &state.play else { return };
        let unit = play.units.first().copied().unwrap_or(0);
        if unit == 0 {
            return;
        }
        let pieces: Vec<PieceArt> = play
            .session
            .plugin()
            .describe(state.lang)
            .pieces
            .iter()
            .map(|piece| piece_art(piece, unit, theme))
            .collect();
        drop(state);
        self.0
            .window
            .global::<PlayScreen>()
            .set_pieces(ModelRc::new(VecModel::from(pieces)));
    }
}

fn piece_art(piece: &Piece, px: u32, theme: art::Theme) -> PieceArt {
    let colour = art::Colour::from_role(&piece.colour);
    PieceArt {
        sprite: art::piece(shape(piece.shape), colour, px, theme),
        glyph: (&piece.glyph).into(),
        glyph_color: art::glyph_ink(shape(piece.shape), colour),
    }
}

/// The piece of a side: the first one of its colour; 1 + its index, 0 if there is none.
pub(super) fn ghost(describe: &Describe, side: u16) -> u16 {
    let Some(side) = describe.sides.get(usize::from(side)) else {
        return 0;
    };
    let kind = describe
        .pieces
        .iter()
        .position(|piece| piece.colour == side.colour);
    kind.and_then(|kind| u16::try_from(kind + 1).ok())
        .unwrap_or(0)
}

/// The sprite of a side: that of the first piece of its colour, else a plain disc in it.
pub(in super::super) fn side_sprite(
    describe: &Describe,
    side: usize,
    px: u32,
    theme: art::Theme,
) -> slint::Image {
    let Some(about) = describe.sides.get(side) else {
        return slint::Image::default();
    };
    let piece = describe
        .pieces
        .iter()
        .find(|piece| piece.colour == about.colour);
    let shape = piece.map_or(art::Shape::Disc, |piece| shape(piece.shape));
    art::piece(shape, art::Colour::from_role(&about.colour), px, theme)
}

/// A picture of the main area with its pieces.
pub(in super::super) fn cover(
    layout: &Layout,
    cells: &[GpCell],
    pieces: &[Piece],
    theme: art::Theme,
    px: u32,
) -> Option<slint::Image> {
    let area = layout.areas.first()?;
    let cols = area.cols.max(1) as usize;
    let shown: Vec<art::PlacedPiece> = cells
        .iter()
        .take(super::super::board::cells_of(area))
        .enumerate()
        .filter(|(_, cell)| cell.flags & GP_CELL_FACE_DOWN == 0)
        .filter_map(|(index, cell)| {
            let piece = pieces.get(usize::from(cell.piece).checked_sub(1)?)?;
            Some(art::PlacedPiece {
                col: u32::try_from(index % cols).ok()?,
                row: u32::try_from(index / cols).ok()?,
                shape: shape(piece.shape),
                colour: art::Colour::from_role(&piece.colour),
            })
        })
        .collect();
    Some(art::cover(&spec(area), &shown, theme, px))
}

/// An area as the drawing code takes it.
fn spec(area: &Area) -> art::SurfaceSpec<'_> {
    art::SurfaceSpec {
        cols: area.cols,
        rows: area.rows,
        material: match area.surface {
            Surface::Board => art::Material::Board,
            Surface::Tray => art::Material::Tray,
            Surface::Plain => art::Material::Plain,
        },
        lines: &area.lines,
        dots: &area.dots,
    }
}

/// A game's shape as the drawing code takes it.
fn shape(shape: Shape) -> art::Shape {
    match shape {
        Shape::Disc => art::Shape::Disc,
        Shape::Coin => art::Shape::Coin,
        Shape::Card => art::Shape::Card,
        Shape::Cross => art::Shape::Cross,
        Shape::Ring => art::Shape::Ring,
        Shape::Tile => art::Shape::Tile,
        Shape::Glyph => art::Shape::Glyph,
    }
}
