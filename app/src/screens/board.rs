//! From a game's view to the cells of the board on screen.
//!
//! One row per cell in a model per area; a change of the view sets only the
//! rows that differ, so that one placed piece repaints one cell.

use std::rc::Rc;

use qiju_abi::*;
use slint::{Color, Model, ModelRc, SharedString, VecModel};

use crate::art;
use crate::plugins::{Area, Describe, Lang, Layout, OverlayKind, Piece, Style, Surface};
use crate::{AreaView, BoardLabel, CellView, words};

/// What is shown on a cell beyond the game's own view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    /// Waits for the player's confirmation.
    pub pending: bool,
    /// The hint.
    pub hinted: bool,
    /// Value of the overlay that is switched on; [`GP_OVERLAY_NONE`] without.
    pub overlay: Option<i32>,
    /// Chance to win with a move to here, 0–1000, in an analysis, and whether it is the best move.
    pub chance: Option<(i32, bool)>,
    /// A piece that is not there yet (1 + index): the one that waits for confirmation.
    pub ghost: u16,
}

/// The areas of a game on screen.
pub struct Board {
    layout: Layout,
    pieces: Vec<Piece>,
    /// First cell of each area, and at the end the number of cells.
    firsts: Vec<usize>,
    models: Vec<Rc<VecModel<CellView>>>,
    /// Spoken name of each cell: "D4".
    names: Vec<String>,
    shown: Vec<Option<(GpCell, Extra)>>,
    /// Names of the players, first to move first.
    sides: Vec<String>,
    lang: Lang,
}

impl Board {
    /// An empty board for a layout.
    pub fn new(layout: Layout, describe: &Describe, lang: Lang) -> Self {
        let mut firsts = vec![0];
        let mut models = Vec::new();
        let mut names = Vec::new();
        for area in &layout.areas {
            let cells = cells_of(area);
            firsts.push(firsts.last().copied().unwrap_or(0) + cells);
            models.push(Rc::new(VecModel::from(vec![CellView::default(); cells])));
            names.extend((0..cells).map(|cell| cell_name(area, cell)));
        }
        let shown = vec![None; names.len()];
        Self {
            layout,
            pieces: describe.pieces.clone(),
            firsts,
            models,
            names,
            shown,
            sides: describe
                .sides
                .iter()
                .map(|side| side.name.clone())
                .collect(),
            lang,
        }
    }

    /// The areas' layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of cells in all areas.
    pub fn cells(&self) -> usize {
        self.names.len()
    }

    /// Spoken name of a cell.
    pub fn name(&self, cell: usize) -> &str {
        self.names.get(cell).map_or("", String::as_str)
    }

    /// The cell at a place of an area.
    pub fn cell(&self, area: usize, index: usize) -> Option<u16> {
        let (first, end) = (*self.firsts.get(area)?, *self.firsts.get(area + 1)?);
        let cell = first.checked_add(index)?;
        (cell < end)
            .then_some(cell)
            .and_then(|cell| u16::try_from(cell).ok())
    }

    /// The place of a cell: its area and its index there.
    pub fn place(&self, cell: u16) -> Option<(usize, usize)> {
        let cell = usize::from(cell);
        let area = self.firsts.iter().rposition(|&first| first <= cell)?;
        (area < self.models.len())
            .then(|| (area, cell - self.firsts.get(area).copied().unwrap_or(0)))
    }

    /// The cell beside another one, `dx` columns and `dy` rows on; at the edge
    /// of an area upwards or downwards the next area begins.
    pub fn neighbour(&self, cell: u16, dx: i32, dy: i32) -> Option<u16> {
        let (area, index) = self.place(cell)?;
        let shape = self.layout.areas.get(area)?;
        let cols = usize::try_from(shape.cols).ok()?.max(1);
        let (col, row) = (index % cols, index / cols);
        let col = col.checked_add_signed(isize::try_from(dx).ok()?)?;
        if col >= cols {
            return None;
        }
        match row.checked_add_signed(isize::try_from(dy).ok()?) {
            Some(row) if row < shape.rows as usize => self.cell(area, row * cols + col),
            beyond => {
                let other = if beyond.is_some() {
                    area.checked_add(1)?
                } else {
                    area.checked_sub(1)?
                };
                let shape = self.layout.areas.get(other)?;
                let col = col.min((shape.cols as usize).saturating_sub(1));
                let row = if other > area {
                    0
                } else {
                    (shape.rows as usize).saturating_sub(1)
                };
                self.cell(other, row * shape.cols as usize + col)
            }
        }
    }

    /// Shows a view; only rows that differ are set. Returns how many.
    pub fn show(
        &mut self,
        cells: &[GpCell],
        extras: &[Extra],
        overlay: Option<OverlayKind>,
        last_moves: bool,
    ) -> usize {
        let mut changed = 0;
        for index in 0..self.names.len().min(cells.len()) {
            let (Some(&cell), Some(shown)) = (cells.get(index), self.shown.get(index)) else {
                continue;
            };
            let mut cell = cell;
            if !last_moves {
                cell.flags &= !(GP_CELL_LAST | GP_CELL_LAST_FROM);
            }
            let extra = extras.get(index).copied().unwrap_or_default();
            if *shown == Some((cell, extra)) {
                continue;
            }
            let view = self.cell_view(index, &cell, &extra, overlay);
            let Some((area, row)) = u16::try_from(index).ok().and_then(|cell| self.place(cell))
            else {
                continue;
            };
            if let Some(model) = self.models.get(area) {
                model.set_row_data(row, view);
                changed += 1;
            }
            if let Some(shown) = self.shown.get_mut(index) {
                *shown = Some((cell, extra));
            }
        }
        changed
    }

    /// Shows every row again at the next [`Board::show`]: the overlay's kind or the language has changed.
    pub fn forget(&mut self) {
        self.shown.fill(None);
    }

    fn cell_view(
        &self,
        index: usize,
        cell: &GpCell,
        extra: &Extra,
        overlay: Option<OverlayKind>,
    ) -> CellView {
        let has = |flag: u32| cell.flags & flag != 0;
        let piece = if extra.ghost != 0 {
            extra.ghost
        } else {
            cell.piece
        };
        let (veil, veil_text) = match (extra.chance, extra.overlay, overlay) {
            (Some((permille, is_best)), ..) => chance(permille, is_best),
            (None, Some(value), Some(kind)) => veil(kind, value),
            _ => (Color::default(), SharedString::default()),
        };
        CellView {
            piece: i32::from(if usize::from(piece) <= self.pieces.len() {
                piece
            } else {
                0
            }),
            mark: i32::from(cell.mark),
            playable: has(GP_CELL_PLAYABLE),
            last: has(GP_CELL_LAST),
            last_from: has(GP_CELL_LAST_FROM),
            target: has(GP_CELL_TARGET),
            check: has(GP_CELL_CHECK),
            face_down: has(GP_CELL_FACE_DOWN),
            flash: has(GP_CELL_FLASH),
            dead: has(GP_CELL_DEAD),
            winning: has(GP_CELL_WINNING),
            right: has(GP_CELL_RIGHT),
            wrong: has(GP_CELL_WRONG),
            selected: has(GP_CELL_SELECTED),
            dim: has(GP_CELL_DIM),
            void: has(GP_CELL_VOID),
            pending: extra.pending,
            hinted: extra.hinted,
            number: if has(GP_CELL_NUMBER) {
                cell.number.to_string().into()
            } else {
                SharedString::default()
            },
            tint: tint(cell.tint),
            veil,
            label: self.spoken(index, cell, extra, &veil_text).into(),
            veil_text,
        }
    }

    /// What a screen reader says: "D4, black piece, last move"; `veil_text` is what an overlay writes there.
    fn spoken(&self, index: usize, cell: &GpCell, extra: &Extra, veil_text: &str) -> String {
        let has = |flag: u32| cell.flags & flag != 0;
        let what = if has(GP_CELL_FACE_DOWN) {
            words::face_down(self.lang)
        } else {
            usize::from(cell.piece)
                .checked_sub(1)
                .and_then(|kind| self.pieces.get(kind))
                .map_or(words::empty(self.lang), |piece| piece.name.as_str())
        };
        let mut text = format!("{}, {what}", self.name(index));
        if has(GP_CELL_NUMBER) {
            text.push_str(&format!(", {}", cell.number));
        }
        for (flag, word) in [
            (GP_CELL_DEAD, words::dead(self.lang)),
            (GP_CELL_LAST, words::last_move(self.lang)),
            (GP_CELL_SELECTED, words::selected(self.lang)),
            (GP_CELL_TARGET, words::target(self.lang)),
        ] {
            if has(flag) {
                text.push_str(", ");
                text.push_str(word);
            }
        }
        let owner = match cell.mark {
            GP_MARK_DOT_FIRST => self.sides.first(),
            GP_MARK_DOT_SECOND => self.sides.get(1),
            _ => None,
        };
        if let Some(owner) = owner {
            text.push_str(", ");
            text.push_str(&words::point_of(self.lang, owner));
        }
        if let Some((permille, is_best)) = extra.chance {
            text.push_str(", ");
            text.push_str(&words::chance(self.lang, permille, is_best));
        } else if !veil_text.is_empty() {
            text.push_str(", ");
            text.push_str(veil_text);
        }
        text
    }

    /// The areas for the screen, without their surfaces.
    pub fn area_views(&self) -> Vec<AreaView> {
        let strings = |list: &[String]| {
            ModelRc::new(VecModel::from_iter(list.iter().map(SharedString::from)))
        };
        self.layout
            .areas
            .iter()
            .zip(&self.models)
            .map(|(area, cells)| AreaView {
                name: (&area.name).into(),
                cols: i32::try_from(area.cols).unwrap_or(0),
                rows: i32::try_from(area.rows).unwrap_or(0),
                points: area.style == Style::Points,
                surface_kind: match area.surface {
                    Surface::Board => 0,
                    Surface::Tray => 1,
                    Surface::Plain => 2,
                },
                surface: slint::Image::default(),
                labels: ModelRc::new(VecModel::from_iter(area.labels.iter().map(|label| {
                    BoardLabel {
                        x: label.x,
                        y: label.y,
                        height: label.height,
                        text: (&label.text).into(),
                    }
                }))),
                columns: strings(&area.columns),
                row_names: strings(&area.row_names),
                cells: ModelRc::from(cells.clone()),
            })
            .collect()
    }

    /// The row that is shown for a cell, for tests.
    pub fn shown(&self, cell: u16) -> Option<CellView> {
        let (area, row) = self.place(cell)?;
        self.models.get(area)?.row_data(row)
    }
}

/// Number of cells of an area.
pub fn cells_of(area: &Area) -> usize {
    area.cols as usize * area.rows as usize
}

/// Spoken name of a cell of an area: its own, or column and row.
fn cell_name(area: &Area, cell: usize) -> String {
    if let Some(name) = area.names.get(cell) {
        return name.clone();
    }
    let cols = (area.cols as usize).max(1);
    let (col, row) = (cell % cols, cell / cols);
    match (area.columns.get(col), area.row_names.get(row)) {
        (Some(column), Some(row)) => format!("{column}{row}"),
        _ => format!("{} {}-{}", area.name, col + 1, row + 1),
    }
}

fn tint(role: u32) -> Color {
    match art::Colour::from_index(role) {
        Some(colour) => art::tint(colour),
        None => Color::default(),
    }
}

/// How the chance of a move looks on its cell: per cent, the best move in the colour of a right answer.
fn chance(permille: i32, is_best: bool) -> (Color, SharedString) {
    let colour = if is_best {
        Color::from_argb_u8(150, 70, 160, 90)
    } else {
        Color::from_argb_u8(110, 90, 130, 190)
    };
    let percent = (permille.clamp(0, 1000) + 5) / 10;
    (colour, percent.to_string().into())
}

/// How a value of an overlay looks on its cell: a veil and a text.
fn veil(kind: OverlayKind, value: i32) -> (Color, SharedString) {
    if value == GP_OVERLAY_NONE {
        return (Color::default(), SharedString::default());
    }
    let part = |value: i32| (value.clamp(0, 1000) as f32) / 1000.0;
    match kind {
        OverlayKind::Number => (Color::default(), value.to_string().into()),
        OverlayKind::Heat => {
            let heat = part(value);
            let colour =
                Color::from_rgb_f32(0.85, 0.75 - 0.55 * heat, 0.15).with_alpha(0.12 + 0.6 * heat);
            (colour, SharedString::default())
        }
        OverlayKind::Owner => {
            let strength = part(value.saturating_abs()) * 0.7;
            let shade = if value >= 0 {
                Color::from_rgb_u8(20, 18, 16)
            } else {
                Color::from_rgb_u8(252, 250, 244)
            };
            (shade.with_alpha(strength), SharedString::default())
        }
        OverlayKind::Group => {
            const HUES: [(u8, u8, u8); 10] = [
                (214, 69, 65),
                (52, 110, 180),
                (76, 153, 84),
                (221, 150, 40),
                (136, 84, 168),
                (44, 150, 150),
                (200, 90, 140),
                (120, 120, 60),
                (90, 90, 200),
                (160, 100, 60),
            ];
            let index = usize::try_from(value.rem_euclid(HUES.len() as i32)).unwrap_or(0);
            let (red, green, blue) = HUES.get(index).copied().unwrap_or((0, 0, 0));
            (
                Color::from_argb_u8(140, red, green, blue),
                SharedString::default(),
            )
        }
        OverlayKind::Mark if value != 0 => (
            Color::from_argb_u8(150, 206, 60, 50),
            SharedString::default(),
        ),
        OverlayKind::Mark => (Color::default(), SharedString::default()),
    }
}
