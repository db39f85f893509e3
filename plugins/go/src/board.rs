//! The fast board: stones, groups, liberties and keys, kept up to date move by move.
//!
//! What lives here: everything a play-out asks for in its inner loop. What may not: history
//! (superko), turns, scores with komi, options and texts; those are in [`crate::rules`].
//!
//! # How it works
//!
//! The points lie in one row-major array with a border: each row is one wider than the board, so
//! that the border on the right of a row is also the border on the left of the next. A neighbour
//! is an addition away and the edge needs no test.
//!
//! * A **group** is a circular list of stones (`next`) with one of them as its root. The smaller
//!   of two joined groups takes the root of the larger.
//! * Its **liberties** are kept as pseudo-liberties: a liberty counts once for each stone that
//!   touches it. Count, sum and sum of squares of the points share one 64-bit word, so gaining or
//!   losing one is a single addition. No liberty is left when the word is 0; only one point is
//!   left when `count * squares == sum * sum` (the equality case of Cauchy–Schwarz).
//! * Each point knows **what is around it** (how many black, white and empty neighbours, the
//!   border counting for both colours), so "is this an eye" is one comparison before the diagonals.
//! * The **empty points** are a list with a back index: a random one is one look-up.
//!
//! Nothing here recurses or allocates.

pub use crate::point::{Color, Point};

use crate::point::{CAPACITY, Table};
use crate::rng::Rng;

/// The largest board side.
pub const MAX_SIZE: u8 = 25;

const BLACK: u8 = Color::Black as u8;
const WHITE: u8 = Color::White as u8;
const EMPTY: u8 = 2;
const BORDER: u8 = 3;

/// The bits of one neighbour of the given kind in [`Board::around`]: four bits each for the number
/// of black, of white and of empty neighbours, where the border counts as black and as white.
const AROUND: [u16; 4] = [0x001, 0x010, 0x100, 0x011];

/// Where the number of neighbours of a colour stands in [`Board::around`].
#[inline(always)]
const fn around_shift(color: u8) -> u32 {
    4 * color as u32
}

/// The word that one pseudo-liberty at `point` adds to its group: 1 in bits 0–11 (the count, at
/// most 4 * 625), the point in bits 12–32 (the sum, below 2^21) and its square in bits 33–63 (the
/// sum of squares, below 2^31).
#[inline(always)]
const fn liberty_word(point: Point) -> u64 {
    let p = point.number() as u64;
    p * ((p << 33) | (1 << 12)) + 1
}

/// The only liberty in such a word, if there is exactly one.
#[inline(always)]
const fn only_liberty(word: u64) -> Option<Point> {
    let count = word & 0xFFF;
    let sum = (word >> 12) & 0x1F_FFFF;
    let squares = word >> 33;
    if count != 0 && count * squares == sum * sum {
        Some(Point::at((sum / count) as u16))
    } else {
        None
    }
}

/// One random key per colour and point. The sum (exclusive or) of the keys of all stones is the
/// position's key; the seed is fixed, so that keys are the same on every machine.
static ZOBRIST: [Table<u64>; 2] = {
    let mut tables = [Table::new(0), Table::new(0)];
    let mut state = 0x51C6_2F0B_9D1A_7E33;
    let mut i = 0;
    while i < CAPACITY {
        let (a, next) = crate::rng::split_mix(state);
        let (b, next) = crate::rng::split_mix(next);
        tables[0].set_at(i, a);
        tables[1].set_at(i, b);
        state = next;
        i += 1;
    }
    tables
};

/// Stones on a board of side 2 to 25 with everything that follows from them, and the ko point.
///
/// It does not know whose turn it is. Suicide is legal for [`Board::play`] but not for
/// [`Board::is_legal`].
#[derive(Clone)]
pub struct Board {
    size: u8,
    /// Distance from a point to the one below it: side + 1.
    stride: u16,
    /// How much of each table this size uses.
    used: u16,
    ko: Point,
    key: u64,
    stones: [u16; 2],
    captures: [u32; 2],
    empty_count: u16,
    cells: Table<u8>,
    around: Table<u16>,
    root: Table<Point>,
    next: Table<Point>,
    /// Meaningful at roots only, as is `group_size`.
    liberties: Table<u64>,
    group_size: Table<u16>,
    /// The empty points, in the first `empty_count` places.
    empties: Table<Point>,
    /// Where in `empties` an empty point stands.
    slot: Table<u16>,
}

impl Board {
    /// An empty board. Sides outside 2 to 25 are taken to the nearest of those.
    pub fn new(size: u8) -> Board {
        let size = size.clamp(2, MAX_SIZE);
        let stride = u16::from(size) + 1;
        let mut board = Board {
            size,
            stride,
            used: stride * (u16::from(size) + 2) + 1,
            ko: Point::PASS,
            key: 0,
            stones: [0; 2],
            captures: [0; 2],
            empty_count: 0,
            cells: Table::new(BORDER),
            around: Table::new(0),
            root: Table::new(Point::PASS),
            next: Table::new(Point::PASS),
            liberties: Table::new(0),
            group_size: Table::new(0),
            empties: Table::new(Point::PASS),
            slot: Table::new(0),
        };
        let points: Vec<Point> = board.points().collect();
        for &point in &points {
            board.cells[point] = EMPTY;
            board.add_empty(point);
        }
        for &point in &points {
            board.around[point] = board
                .neighbors(point)
                .iter()
                .map(|&n| AROUND[usize::from(board.cells[n] & 3)])
                .sum();
        }
        board
    }

    /// Makes this board equal to `other`, copying only what a board of that size uses.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        let used = usize::from(other.used);
        if self.size != other.size {
            // Beyond a smaller board's points the old tables would show through.
            self.cells = Table::new(BORDER);
        }
        self.size = other.size;
        self.stride = other.stride;
        self.used = other.used;
        self.ko = other.ko;
        self.key = other.key;
        self.stones = other.stones;
        self.captures = other.captures;
        self.empty_count = other.empty_count;
        self.cells.copy_first(&other.cells, used);
        self.around.copy_first(&other.around, used);
        self.root.copy_first(&other.root, used);
        self.next.copy_first(&other.next, used);
        self.liberties.copy_first(&other.liberties, used);
        self.group_size.copy_first(&other.group_size, used);
        self.empties
            .copy_first(&other.empties, usize::from(other.empty_count));
        self.slot.copy_first(&other.slot, used);
    }

    /// The side, in points.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// How many points the board has.
    #[inline]
    pub fn area(&self) -> u16 {
        u16::from(self.size) * u16::from(self.size)
    }

    /// The point of `cell` (row * side + column, row 0 at the top), if the board has it.
    #[inline]
    pub fn point(&self, cell: u16) -> Option<Point> {
        let size = u16::from(self.size);
        (cell < size * size).then(|| Point::at((cell / size + 1) * self.stride + cell % size + 1))
    }

    /// The cell of a point on the board (see [`Board::point`]).
    #[inline]
    pub fn cell(&self, point: Point) -> u16 {
        let row = (point.number() / self.stride).wrapping_sub(1);
        let column = (point.number() % self.stride).wrapping_sub(1);
        row.wrapping_mul(u16::from(self.size)).wrapping_add(column)
    }

    /// Every point of the board, row by row from the top.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (size, stride) = (u16::from(self.size), self.stride);
        (1..=size)
            .flat_map(move |row| (1..=size).map(move |column| Point::at(row * stride + column)))
    }

    /// Distance of a point from the nearest edge: 1 on the first line.
    #[inline]
    pub fn line(&self, point: Point) -> u16 {
        let size = u16::from(self.size);
        let (row, column) = (point.number() / self.stride, point.number() % self.stride);
        row.min(size + 1 - row.min(size + 1))
            .min(column)
            .min(size + 1 - column)
    }

    /// Whether the point is on the board (the border is not).
    #[inline(always)]
    pub fn is_on_board(&self, point: Point) -> bool {
        self.cells[point] != BORDER
    }

    /// Whether the point is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point] == EMPTY
    }

    /// The colour of the stone at `point`; `None` for an empty point and for the border.
    #[inline(always)]
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[point] {
            BLACK => Some(Color::Black),
            WHITE => Some(Color::White),
            _ => None,
        }
    }

    /// What stands at a point, as two bits: 0 black, 1 white, 2 empty, 3 border.
    #[inline(always)]
    pub(crate) fn cell_bits(&self, point: Point) -> u8 {
        self.cells[point]
    }

    /// The four neighbours (left, right, up, down); some may be border.
    #[inline(always)]
    pub fn neighbors(&self, point: Point) -> [Point; 4] {
        [
            point.minus(1),
            point.plus(1),
            point.minus(self.stride),
            point.plus(self.stride),
        ]
    }

    /// The four diagonal neighbours; some may be border.
    #[inline(always)]
    pub fn diagonals(&self, point: Point) -> [Point; 4] {
        [
            point.minus(self.stride + 1),
            point.minus(self.stride - 1),
            point.plus(self.stride - 1),
            point.plus(self.stride + 1),
        ]
    }

    /// The Zobrist key of the stones; neither the turn nor the ko is in it.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The point where retaking a single stone would restore the position before the last move,
    /// or [`Point::PASS`].
    #[inline]
    pub fn ko_point(&self) -> Point {
        self.ko
    }

    /// How many stones of a colour stand on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> u16 {
        self.stones[color.index()]
    }

    /// How many stones `color` has taken; a suicide counts as taken by the other side.
    #[inline]
    pub fn captures(&self, color: Color) -> u32 {
        self.captures[color.index()]
    }

    /// How many points are empty.
    #[inline]
    pub fn empty_count(&self) -> u16 {
        self.empty_count
    }

    /// The empty points, in no particular order.
    #[inline]
    pub fn empties(&self) -> &[Point] {
        self.empties.first(usize::from(self.empty_count))
    }

    /// The stone that stands for the group of the stone at `point`.
    #[inline(always)]
    pub fn root(&self, point: Point) -> Point {
        self.root[point]
    }

    /// How many stones the group at `point` (a stone) has.
    #[inline(always)]
    pub fn group_size(&self, point: Point) -> u16 {
        self.group_size[self.root[point]]
    }

    /// The stones of the group of the stone at `point`, beginning with that stone.
    #[inline]
    pub fn group(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        let mut here = Some(point);
        std::iter::from_fn(move || {
            let stone = here?;
            let next = self.next[stone];
            here = (next != point).then_some(next);
            Some(stone)
        })
    }

    /// The last liberty of the group of the stone at `point`, if it has just one.
    #[inline(always)]
    pub fn atari(&self, point: Point) -> Option<Point> {
        only_liberty(self.liberties[self.root[point]])
    }

    /// The first `limit` (at most 8) distinct liberties of the group at `point` (a stone), written
    /// to `out`; returns how many were found.
    #[inline]
    pub fn some_liberties(&self, point: Point, out: &mut [Point; 8], limit: usize) -> usize {
        let limit = limit.min(out.len());
        let mut found = 0;
        for stone in self.group(point) {
            for n in self.neighbors(stone) {
                if self.is_empty(n) && !out[..found].contains(&n) {
                    out[found] = n;
                    found += 1;
                    if found == limit {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// How many distinct liberties the group at `point` has; 0 for an empty point.
    pub fn liberties(&self, point: Point) -> u32 {
        if self.stone(point).is_none() {
            return 0;
        }
        let mut seen = [0_u64; CAPACITY / 64];
        let mut count = 0;
        for stone in self.group(point) {
            for n in self.neighbors(stone) {
                let (word, bit) = (n.index() / 64 % seen.len(), 1 << (n.index() % 64));
                if self.is_empty(n) && seen[word] & bit == 0 {
                    seen[word] |= bit;
                    count += 1;
                }
            }
        }
        count
    }

    /// How many of the four neighbours are empty.
    #[inline(always)]
    pub fn empty_neighbors(&self, point: Point) -> u16 {
        self.around[point] >> around_shift(EMPTY)
    }

    /// How many of the four neighbours are of that colour or border.
    #[inline(always)]
    pub fn own_or_border_neighbors(&self, point: Point, color: Color) -> u16 {
        (self.around[point] >> around_shift(color as u8)) & 0xF
    }

    /// Whether an empty point looks like an eye of `color`: all neighbours are its stones (or the
    /// edge) and the other side holds at most one diagonal, none at the edge.
    #[inline(always)]
    pub fn is_eye(&self, point: Point, color: Color) -> bool {
        if self.own_or_border_neighbors(point, color) != 4 {
            return false;
        }
        let enemy = !color as u8;
        let mut hostile = 0;
        let mut edge = 0;
        for d in self.diagonals(point) {
            let cell = self.cells[d];
            hostile += u8::from(cell == enemy);
            edge |= u8::from(cell == BORDER);
        }
        hostile + edge < 2
    }

    /// Whether `color` may place a stone at `point`: it is empty, not the ko point, and the stone
    /// would not be without liberties.
    #[inline(always)]
    pub fn is_legal(&self, point: Point, color: Color) -> bool {
        if self.cells[point] != EMPTY {
            return false;
        }
        // A ko point has no empty neighbour, so this order is right and fast.
        if self.empty_neighbors(point) != 0 {
            return true;
        }
        point != self.ko && !self.is_suicide(point, color)
    }

    /// Whether a stone of `color` at the empty `point` would end without liberties. The point must
    /// have no empty neighbour.
    #[inline]
    fn is_suicide(&self, point: Point, color: Color) -> bool {
        let word = liberty_word(point);
        let roots = self.neighbors(point).map(|n| match self.cells[n] {
            BORDER => Point::PASS,
            _ => self.root[n],
        });
        roots.iter().all(|&root| {
            // The group touches the point as often as its root stands in the list.
            let touching = roots.iter().filter(|&&r| r == root).count() as u64;
            let all_here = self.liberties[root] == word * touching;
            let own = self.cells[root] == color as u8;
            root == Point::PASS || own == all_here
        })
    }

    /// Whether a stone of `color` at the empty `point` would take nothing and have no liberty.
    pub fn would_be_suicide(&self, point: Point, color: Color) -> bool {
        self.empty_neighbors(point) == 0 && self.is_suicide(point, color)
    }

    /// The key of the position after `color` plays at the empty `point`, captures and suicide
    /// included, without playing.
    pub fn key_after(&self, point: Point, color: Color) -> u64 {
        let mut key = self.key ^ ZOBRIST[color.index()][point];
        let neighbors = self.neighbors(point);
        let mut taken: [Point; 4] = [Point::PASS; 4];
        let suicide = self.would_be_suicide(point, color);
        for (i, &n) in neighbors.iter().enumerate() {
            let Some(owner) = self.stone(n) else { continue };
            let dies = if owner == color {
                suicide
            } else {
                self.atari(n) == Some(point)
            };
            let root = self.root[n];
            if dies && !taken.contains(&root) {
                taken[i] = root;
                for stone in self.group(n) {
                    key ^= ZOBRIST[owner.index()][stone];
                }
            }
        }
        if suicide {
            key ^= ZOBRIST[color.index()][point];
        }
        key
    }

    /// Puts a stone of `color` on the empty `point`, takes every enemy group that is left without
    /// liberties, and then its own group if that has none (suicide). Returns the number of enemy
    /// stones taken. The caller has made sure that the point is empty.
    #[inline]
    pub fn play(&mut self, point: Point, color: Color) -> u32 {
        debug_assert!(self.is_empty(point));
        self.ko = Point::PASS;
        if !self.place(point, color) && self.liberties[self.root[point]] != 0 {
            return 0;
        }
        let enemy = !color as u8;
        let mut taken = 0;
        let mut taken_point = Point::PASS;
        for n in self.neighbors(point) {
            if self.cells[n] == enemy && self.liberties[self.root[n]] == 0 {
                taken += self.remove(n, !color);
                taken_point = n;
            }
        }
        let root = self.root[point];
        if taken == 1 && self.group_size[root] == 1 && self.atari(point) == Some(taken_point) {
            // A lone stone took a lone stone and stands in atari there: taking it back at once
            // changes exactly these two points, which restores the position before this move.
            self.ko = taken_point;
        } else if self.liberties[root] == 0 {
            self.remove(point, color);
        }
        taken
    }

    /// This board with only those stones that `keep` says yes to; what has been captured stays,
    /// a ko is over.
    pub(crate) fn keep(&self, keep: impl Fn(Point) -> bool) -> Board {
        let mut board = Board::new(self.size);
        for p in self.points().filter(|&p| keep(p)) {
            if let Some(color) = self.stone(p) {
                board.place(p, color);
            }
        }
        board.captures = self.captures;
        board
    }

    /// Counts stones as taken by `color` that were not taken on the board.
    pub(crate) fn add_captures(&mut self, color: Color, stones: u32) {
        self.captures[color.index()] += stones;
    }

    /// Takes note of a pass: a ko is over.
    #[inline]
    pub fn pass(&mut self) {
        self.ko = Point::PASS;
    }

    /// Puts a stone down and joins groups, without taking anything. Returns whether some enemy
    /// group is now without liberties.
    #[inline]
    pub(crate) fn place(&mut self, point: Point, color: Color) -> bool {
        let own = color as u8;
        let word = liberty_word(point);
        self.take_empty(point);
        self.cells[point] = own;
        self.key ^= ZOBRIST[color.index()][point];
        self.stones[color.index()] += 1;
        self.root[point] = point;
        self.next[point] = point;
        self.group_size[point] = 1;
        let change = AROUND[usize::from(own & 1)].wrapping_sub(AROUND[usize::from(EMPTY)]);
        let mut liberties = 0;
        let mut takes = false;
        let neighbors = self.neighbors(point);
        for n in neighbors {
            self.around[n] = self.around[n].wrapping_add(change);
            match self.cells[n] {
                EMPTY => liberties += liberty_word(n),
                BORDER => {}
                cell => {
                    let root = self.root[n];
                    let left = self.liberties[root] - word;
                    self.liberties[root] = left;
                    takes |= cell != own && left == 0;
                }
            }
        }
        self.liberties[point] = liberties;
        if self.own_or_border_neighbors(point, color) != 0 {
            for n in neighbors {
                if self.cells[n] == own && self.root[n] != self.root[point] {
                    self.join(self.root[point], self.root[n]);
                }
            }
        }
        takes
    }

    /// Joins two groups, given by their roots.
    #[inline]
    fn join(&mut self, a: Point, b: Point) {
        let (large, small) = if self.group_size[a] >= self.group_size[b] {
            (a, b)
        } else {
            (b, a)
        };
        self.liberties[large] += self.liberties[small];
        self.group_size[large] += self.group_size[small];
        let mut stone = small;
        loop {
            self.root[stone] = large;
            stone = self.next[stone];
            if stone == small {
                break;
            }
        }
        let after = self.next[large];
        self.next[large] = self.next[small];
        self.next[small] = after;
    }

    /// Takes the group of the stone at `point` off the board; returns its size.
    #[inline]
    fn remove(&mut self, point: Point, color: Color) -> u32 {
        let own = color as u8;
        let change = AROUND[usize::from(EMPTY)].wrapping_sub(AROUND[usize::from(own & 1)]);
        let mut count = 0;
        let mut stone = point;
        loop {
            let next = self.next[stone];
            let word = liberty_word(stone);
            self.cells[stone] = EMPTY;
            self.key ^= ZOBRIST[color.index()][stone];
            self.add_empty(stone);
            for n in self.neighbors(stone) {
                self.around[n] = self.around[n].wrapping_add(change);
                if self.cells[n] < EMPTY {
                    // For stones of the dying group this writes to a word that nobody reads again.
                    let root = self.root[n];
                    self.liberties[root] = self.liberties[root].wrapping_add(word);
                }
            }
            count += 1;
            stone = next;
            if stone == point {
                break;
            }
        }
        self.stones[color.index()] -= count as u16;
        self.captures[(!color).index()] += count;
        count
    }

    #[inline(always)]
    fn add_empty(&mut self, point: Point) {
        self.empties[Point::at(self.empty_count)] = point;
        self.slot[point] = self.empty_count;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn take_empty(&mut self, point: Point) {
        self.empty_count -= 1;
        let last = self.empties[Point::at(self.empty_count)];
        let slot = self.slot[point];
        self.empties[Point::at(slot)] = last;
        self.slot[last] = slot;
    }

    /// A legal move for `color`, each with the same chance, that does not fill an own eye; `None`
    /// if there is no such move. Reorders the list of empty points, nothing else.
    #[inline]
    pub fn random_move(&mut self, color: Color, rng: &mut Rng) -> Option<Point> {
        self.random_move_where(color, rng, |_, _, _| true)
    }

    /// As [`Board::random_move`], for those moves only that `accept` takes.
    #[inline]
    pub fn random_move_where(
        &mut self,
        color: Color,
        rng: &mut Rng,
        mut accept: impl FnMut(&Board, Point, &mut Rng) -> bool,
    ) -> Option<Point> {
        let mut left = self.empty_count;
        while left > 0 {
            let slot = rng.below(u32::from(left)) as u16;
            let point = self.empties[Point::at(slot)];
            if self.is_legal(point, color) && !self.is_eye(point, color) && accept(self, point, rng)
            {
                return Some(point);
            }
            // Put the refused point behind those still to be drawn, so that every draw is even.
            left -= 1;
            let last = self.empties[Point::at(left)];
            self.empties[Point::at(slot)] = last;
            self.slot[last] = slot;
            self.empties[Point::at(left)] = point;
            self.slot[point] = left;
        }
        None
    }

    /// Area of black minus area of white once little but eyes is empty: stones, and empty points
    /// with stones of one colour beside them and none of the other.
    #[inline]
    pub fn settled_score(&self) -> i32 {
        let mut score = i32::from(self.stones[0]) - i32::from(self.stones[1]);
        for &point in self.empties() {
            score += self.settled_owner(point);
        }
        score
    }

    /// Whom an empty point of a finished play-out belongs to: 1 black, -1 white, 0 neither.
    #[inline(always)]
    pub fn settled_owner(&self, point: Point) -> i32 {
        let empty = self.empty_neighbors(point);
        i32::from(self.own_or_border_neighbors(point, Color::Black) + empty == 4)
            - i32::from(self.own_or_border_neighbors(point, Color::White) + empty == 4)
    }
}

#[cfg(test)]
mod tests;
