//! The stones on the board as four sets of lines.

use crate::color::Color;
use crate::shape::{REACH, Shape, Shapes};

/// Largest side of a board.
pub const MAX_SIZE: u8 = 20;

/// Most lines of one direction.
const LINES: usize = 2 * MAX_SIZE as usize - 1;

/// Directions of lines: along a row, down a column, down to the right, down to the left.
pub const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// A number for a stone on a cell: the sum (exclusive or) over all stones tells positions apart.
pub(crate) const fn stone_key(cell: u16, color: Color) -> u64 {
    qiju_sdk::rng::split_mix(2 * cell as u64 + color as u64 + 1).0
}

/// Where a cell stands in the lines of one direction.
#[derive(Clone, Copy)]
struct Slot {
    line: usize,
    place: u32,
}

/// A line as one colour sees it, from a place in it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    own: u32,
    blocked: u32,
    place: u32,
}

impl Window {
    /// The shape that a stone has, or would have, some steps along the line. The place must be on the board.
    #[inline(always)]
    pub fn shape(&self, shapes: &Shapes, steps: i32) -> Shape {
        let place = self.place.wrapping_add_signed(steps);
        debug_assert!(place < u32::from(MAX_SIZE));
        shapes.of(self.own >> (place & 31), self.blocked >> (place & 31))
    }
}

/// Stones of both colours. Cells are counted along the rows from the top left.
#[derive(Clone, Debug)]
pub struct Lines {
    size: u8,
    /// Per direction and line one bit for each stone of a colour, `REACH` bits up.
    own: [[[u32; LINES]; 4]; 2],
    /// The same for what a colour cannot use: the other's stones, and everything off the board.
    blocked: [[[u32; LINES]; 4]; 2],
}

impl Lines {
    /// An empty board; the side is brought into 1 to [`MAX_SIZE`].
    pub fn new(size: u8) -> Lines {
        let size = size.clamp(1, MAX_SIZE);
        let mut lines = Lines {
            size,
            own: [[[0; LINES]; 4]; 2],
            blocked: [[[u32::MAX; LINES]; 4]; 2],
        };
        for cell in 0..lines.area() {
            for (direction, slot) in lines.slots(cell).into_iter().enumerate() {
                for colour in &mut lines.blocked {
                    colour[direction][slot.line] &= !(1 << (slot.place + REACH));
                }
            }
        }
        lines
    }

    /// Side of the board.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Number of cells.
    pub const fn area(&self) -> u16 {
        self.size as u16 * self.size as u16
    }

    #[inline(always)]
    fn slots(&self, cell: u16) -> [Slot; 4] {
        let size = u32::from(self.size);
        let (x, y) = (u32::from(cell) % size, u32::from(cell) / size);
        let slot = |line: u32, place| Slot {
            line: (line as usize).min(LINES - 1),
            place,
        };
        [
            slot(y, x),
            slot(x, y),
            slot((x + size - 1).wrapping_sub(y), x),
            slot(x + y, y),
        ]
    }

    /// Puts a stone on an empty cell of the board, or takes it off again.
    #[inline]
    pub fn toggle(&mut self, cell: u16, color: Color) {
        debug_assert!(cell < self.area());
        for (direction, slot) in self.slots(cell).into_iter().enumerate() {
            let bit = 1 << (slot.place + REACH);
            self.own[color.index()][direction][slot.line] ^= bit;
            self.blocked[color.other().index()][direction][slot.line] ^= bit;
        }
    }

    /// The stone on a cell of the board.
    pub fn stone(&self, cell: u16) -> Option<Color> {
        let [row, ..] = self.slots(cell);
        let is_there =
            |color: &Color| self.own[color.index()][0][row.line] >> (row.place + REACH) & 1 == 1;
        Color::ALL.into_iter().find(is_there)
    }

    /// The shape that a stone of a colour on a cell has, or would have, in one direction.
    #[inline]
    pub fn shape(&self, shapes: &Shapes, cell: u16, color: Color, direction: usize) -> Shape {
        let slot = self.slots(cell)[direction];
        let window = |bits: u32| bits >> slot.place;
        shapes.of(
            window(self.own[color.index()][direction][slot.line]),
            window(self.blocked[color.index()][direction][slot.line]),
        )
    }

    /// The line of a cell in one direction, for black and for white.
    #[inline(always)]
    pub fn windows(&self, cell: u16, direction: usize) -> [Window; 2] {
        let slot = self.slots(cell)[direction];
        Color::ALL.map(|color| Window {
            own: self.own[color.index()][direction][slot.line],
            blocked: self.blocked[color.index()][direction][slot.line],
            place: slot.place,
        })
    }

    /// The shapes in all directions.
    #[inline]
    pub fn shapes(&self, shapes: &Shapes, cell: u16, color: Color) -> [Shape; 4] {
        std::array::from_fn(|direction| self.shape(shapes, cell, color, direction))
    }

    /// The cell some steps away; `None` off the board.
    pub fn step(&self, cell: u16, direction: usize, steps: i32) -> Option<u16> {
        let size = i32::from(self.size);
        let (dx, dy) = DIRECTIONS[direction];
        let x = i32::from(cell) % size + dx * steps;
        let y = i32::from(cell) / size + dy * steps;
        ((0..size).contains(&x) && (0..size).contains(&y)).then_some((y * size + x) as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Row;

    #[test]
    fn stones_come_and_go() {
        for size in [1, 5, 13, 15, MAX_SIZE] {
            let mut lines = Lines::new(size);
            for cell in 0..lines.area() {
                for color in Color::ALL {
                    assert_eq!(lines.stone(cell), None);
                    lines.toggle(cell, color);
                    assert_eq!(lines.stone(cell), Some(color));
                    lines.toggle(cell, color);
                }
            }
        }
    }

    #[test]
    fn a_five_is_seen_wherever_it_lies() {
        let shapes = Shapes::get(Row::ExactlyFive);
        for size in [13, MAX_SIZE] {
            let mut lines = Lines::new(size);
            for cell in 0..lines.area() {
                for direction in 0..DIRECTIONS.len() {
                    let row: Option<Vec<u16>> = (0..5)
                        .map(|steps| lines.step(cell, direction, steps))
                        .collect();
                    for &cell in row.iter().flatten() {
                        lines.toggle(cell, Color::White);
                    }
                    for &cell in row.iter().flatten() {
                        assert_eq!(
                            lines.shape(shapes, cell, Color::White, direction),
                            Shape::Five
                        );
                    }
                    for &cell in row.iter().flatten() {
                        lines.toggle(cell, Color::White);
                    }
                }
            }
        }
    }

    #[test]
    fn steps_stop_at_the_edges() {
        let lines = Lines::new(13);
        assert_eq!(lines.step(0, 0, 12), Some(12));
        assert_eq!(lines.step(0, 0, 13), None);
        assert_eq!(lines.step(0, 1, -1), None);
        assert_eq!(lines.step(0, 2, 12), Some(168));
        assert_eq!(lines.step(12, 3, 12), Some(156));
        assert_eq!(lines.step(0, 3, 1), None);
    }
}
