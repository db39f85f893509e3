//! Colours, points, and tables with one value per point.

use std::ops::{Index, IndexMut, Not};

/// Length of the tables: the 27 * 26 + 1 points of the largest board with its border, rounded up
/// to a power of two so that a masked index needs no bounds check.
pub(crate) const CAPACITY: usize = 1024;

/// A player, and the colour of that player's stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Black, who moves first in an even game.
    Black = 0,
    /// White.
    White = 1,
}

impl Color {
    /// Both colours, black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for black, 1 for white.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A place in the padded array of a [`Board`](crate::board::Board); only meaningful together with the size.
///
/// Made by [`Board::point`](crate::board::Board::point); [`Point::PASS`] stands for no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// No point: a pass, or "there is no ko". It is a corner of the border.
    pub const PASS: Point = Point(0);

    /// The index in the padded array, below 1024.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point at an index of the padded array.
    #[inline(always)]
    pub(crate) const fn at(index: u16) -> Point {
        Point(index)
    }

    /// The index in the padded array as it is stored.
    #[inline(always)]
    pub(crate) const fn number(self) -> u16 {
        self.0
    }

    /// The point so many places further on.
    #[inline(always)]
    pub(crate) const fn plus(self, distance: u16) -> Point {
        Point(self.0.wrapping_add(distance))
    }

    /// The point so many places before.
    #[inline(always)]
    pub(crate) const fn minus(self, distance: u16) -> Point {
        Point(self.0.wrapping_sub(distance))
    }
}

/// One value per point of the padded array.
#[derive(Clone)]
pub(crate) struct Table<T>([T; CAPACITY]);

impl<T: Copy> Table<T> {
    /// The same value everywhere.
    pub(crate) const fn new(value: T) -> Self {
        Table([value; CAPACITY])
    }

    /// Sets the value at an index below the capacity.
    pub(crate) const fn set_at(&mut self, index: usize, value: T) {
        self.0[index] = value;
    }

    /// The first `len` values.
    #[inline(always)]
    pub(crate) fn first(&self, len: usize) -> &[T] {
        &self.0[..len.min(CAPACITY)]
    }

    /// Copies the first `len` values of another table.
    #[inline(always)]
    pub(crate) fn copy_first(&mut self, other: &Self, len: usize) {
        let len = len.min(CAPACITY);
        self.0[..len].copy_from_slice(&other.0[..len]);
    }
}

impl<T> Index<Point> for Table<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        // Every point is below the capacity already; the mask tells the compiler so.
        &self.0[point.0 as usize & (CAPACITY - 1)]
    }
}

impl<T> IndexMut<Point> for Table<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        &mut self.0[point.0 as usize & (CAPACITY - 1)]
    }
}
