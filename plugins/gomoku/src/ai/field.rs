//! The board as the search sees it: for every empty cell what a stone of either colour would make there, kept
//! up to date as stones come and go.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::ai::class::{Class, Classes, Quad};
use crate::color::Color;
use crate::lines::{DIRECTIONS, Lines, MAX_SIZE, stone_key};
use crate::renju;
use crate::rule::Rule;
use crate::shape::{REACH, Shapes};

/// Most cells of a board.
pub const MAX_AREA: usize = MAX_SIZE as usize * MAX_SIZE as usize;

/// Steps from a stone at which a cell still counts as near, on a line.
const NEAR_LINE: i32 = 3;

/// Steps from a stone at which a cell still counts as near, anywhere.
const NEAR_SQUARE: i32 = 2;

/// One cell's line in one direction.
#[derive(Clone, Copy, Default)]
struct Ray {
    /// Difference of cell numbers from one cell to the next.
    delta: i16,
    /// Cells of the board before this one, at most [`REACH`].
    before: u8,
    /// Cells of the board after this one, at most [`REACH`].
    after: u8,
}

/// What depends on the size of the board alone.
struct Geometry {
    rays: Vec<[Ray; 4]>,
    /// Cells near a cell.
    near: Vec<Vec<u16>>,
    /// How far inside the board a cell lies, in the units of the evaluation.
    central: Vec<i16>,
}

static GEOMETRIES: LazyLock<Mutex<Vec<Option<Arc<Geometry>>>>> =
    LazyLock::new(|| Mutex::new(vec![None; usize::from(MAX_SIZE) + 1]));

impl Geometry {
    fn get(size: u8) -> Arc<Geometry> {
        let mut known = GEOMETRIES.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_mut(usize::from(size)) {
            Some(slot) => Arc::clone(slot.get_or_insert_with(|| Arc::new(Geometry::build(size)))),
            None => Arc::new(Geometry::build(size)),
        }
    }

    fn build(size: u8) -> Geometry {
        let side = i32::from(size);
        let lines = Lines::new(size);
        let ray = |cell: u16, direction: usize| {
            let count = |sign: i32| {
                (1..=REACH as i32)
                    .take_while(|steps| lines.step(cell, direction, sign * steps).is_some())
                    .count() as u8
            };
            let (dx, dy) = DIRECTIONS[direction];
            Ray {
                delta: (dy * side + dx) as i16,
                before: count(-1),
                after: count(1),
            }
        };
        let near = |cell: u16| {
            let (x, y) = (i32::from(cell) % side, i32::from(cell) / side);
            (0..lines.area())
                .filter(|&other| {
                    let dx = (i32::from(other) % side - x).abs();
                    let dy = (i32::from(other) / side - y).abs();
                    let far = dx.max(dy);
                    let is_on_line = dx == 0 || dy == 0 || dx == dy;
                    far > 0 && (far <= NEAR_SQUARE || far <= NEAR_LINE && is_on_line)
                })
                .collect()
        };
        let central = |cell: u16| {
            let (x, y) = (i32::from(cell) % side, i32::from(cell) / side);
            x.min(y).min(side - 1 - x).min(side - 1 - y).min(5) as i16
        };
        Geometry {
            rays: (0..lines.area())
                .map(|cell| std::array::from_fn(|direction| ray(cell, direction)))
                .collect(),
            near: (0..lines.area()).map(near).collect(),
            central: (0..lines.area()).map(central).collect(),
        }
    }
}

/// What a stone of one colour would make on the empty cells.
#[derive(Clone)]
struct Side {
    shapes: &'static Shapes,
    classes: &'static Classes,
    quads: [Quad; MAX_AREA],
    class: [Class; MAX_AREA],
    worth: [i16; MAX_AREA],
    /// Empty cells per class.
    counts: [u16; Class::COUNT],
    /// Sum of the worths of the empty cells.
    sum: i32,
}

impl Side {
    #[inline(always)]
    fn set(&mut self, cell: usize, quad: Quad) {
        let (class, worth) = self.classes.of(quad);
        self.counts[self.class[cell] as usize] -= 1;
        self.counts[class as usize] += 1;
        self.sum += i32::from(worth) - i32::from(self.worth[cell]);
        self.quads[cell] = quad;
        self.class[cell] = class;
        self.worth[cell] = worth;
    }
}

/// A board with what the search wants to know of it.
#[derive(Clone)]
pub struct Field {
    geometry: Arc<Geometry>,
    rule: Rule,
    lines: Lines,
    sides: [Side; 2],
    /// The stone of each cell: 0 none, 1 black, 2 white.
    stones: [u8; MAX_AREA],
    /// How many stones each cell has near it.
    near: [u8; MAX_AREA],
    played: Vec<u16>,
    key: u64,
}

/// The keys of all stones.
static KEYS: [[u64; MAX_AREA]; 2] = {
    let mut keys = [[0; MAX_AREA]; 2];
    let mut cell = 0;
    while cell < MAX_AREA {
        keys[0][cell] = stone_key(cell as u16, Color::Black);
        keys[1][cell] = stone_key(cell as u16, Color::White);
        cell += 1;
    }
    keys
};

impl Field {
    /// An empty board of a side from 5 to [`MAX_SIZE`]; other sides are brought into that range.
    pub fn new(size: u8, rule: Rule) -> Field {
        let size = size.clamp(5, MAX_SIZE);
        let lines = Lines::new(size);
        let side = |color: Color| {
            let (shapes, classes) = (rule.shapes(color), Classes::get(rule.restricts(color)));
            let mut side = Side {
                shapes,
                classes,
                quads: [Quad::default(); MAX_AREA],
                class: [Class::Nothing; MAX_AREA],
                worth: [0; MAX_AREA],
                counts: [0; Class::COUNT],
                sum: 0,
            };
            side.counts[Class::Nothing as usize] = lines.area();
            for cell in 0..lines.area() {
                let quad = Quad::new(lines.shapes(shapes, cell, color));
                side.set(usize::from(cell), quad);
            }
            side
        };
        Field {
            geometry: Geometry::get(size),
            rule,
            sides: Color::ALL.map(side),
            lines,
            stones: [0; MAX_AREA],
            near: [0; MAX_AREA],
            played: Vec::with_capacity(MAX_AREA),
            key: 0,
        }
    }

    /// The rules.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Number of cells.
    #[inline(always)]
    pub fn area(&self) -> u16 {
        self.lines.area()
    }

    /// The stones as lines.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Equal for equal stones, and with all likelihood different for different ones.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Cells in the order in which they were played.
    pub fn played(&self) -> &[u16] {
        &self.played
    }

    /// Whether a cell of the board has no stone.
    #[inline(always)]
    pub fn is_empty(&self, cell: u16) -> bool {
        cell < self.area() && self.stones[usize::from(cell)] == 0
    }

    /// Whether there is a stone near.
    #[inline(always)]
    pub fn is_near(&self, cell: u16) -> bool {
        self.near[usize::from(cell)] != 0
    }

    /// What a stone of a colour would make on an empty cell.
    #[inline(always)]
    pub fn class(&self, color: Color, cell: u16) -> Class {
        self.sides[color.index()].class[usize::from(cell)]
    }

    /// The shapes that a stone of a colour would have on an empty cell.
    #[inline(always)]
    pub fn quad(&self, color: Color, cell: u16) -> Quad {
        self.sides[color.index()].quads[usize::from(cell)]
    }

    /// Sum of the worths of the shapes that a stone of a colour would have on an empty cell.
    #[inline(always)]
    pub fn worth(&self, color: Color, cell: u16) -> i32 {
        self.sides[color.index()].worth[usize::from(cell)].into()
    }

    /// How far inside the board a cell lies: 0 at the edge, at most 5.
    #[inline(always)]
    pub fn central(&self, cell: u16) -> i32 {
        self.geometry.central[usize::from(cell)].into()
    }

    /// Number of empty cells where a stone of a colour would be of a class.
    #[inline(always)]
    pub fn count(&self, color: Color, class: Class) -> u16 {
        self.sides[color.index()].counts[class as usize]
    }

    /// Whether a colour has a cell of a class between two, both included.
    #[inline(always)]
    pub fn has(&self, color: Color, from: Class, to: Class) -> bool {
        let counts = &self.sides[color.index()].counts;
        counts[from as usize..=to as usize].iter().any(|&n| n != 0)
    }

    /// The first empty cell of a class.
    #[inline]
    pub fn find(&self, color: Color, class: Class) -> Option<u16> {
        if self.count(color, class) == 0 {
            return None;
        }
        self.cells(color, class, class).next()
    }

    /// The empty cells where a stone of a colour would be of a class between two, both included.
    #[inline]
    pub fn cells(&self, color: Color, from: Class, to: Class) -> impl Iterator<Item = u16> + '_ {
        let class = &self.sides[color.index()].class;
        (0..self.area()).filter(move |&cell| {
            let index = usize::from(cell);
            (from..=to).contains(&class[index]) && self.stones[index] == 0
        })
    }

    /// The evaluation for a colour: what its shapes could become, less what the other's could.
    #[inline(always)]
    pub fn balance(&self, color: Color) -> i32 {
        self.sides[color.index()].sum - self.sides[color.other().index()].sum
    }

    /// Whether a colour may not play on an empty cell.
    #[inline]
    pub fn is_forbidden(&self, color: Color, cell: u16) -> bool {
        match self.class(color, cell) {
            Class::Forbidden => true,
            Class::Suspect => renju::forbidden(&self.lines, cell).is_some(),
            _ => false,
        }
    }

    /// The cells of a line on both sides of a cell, up to [`REACH`] steps away.
    #[inline]
    pub fn line(&self, cell: u16, direction: usize) -> impl Iterator<Item = u16> + use<> {
        let ray = self.geometry.rays[usize::from(cell)][direction];
        (-i32::from(ray.before)..=i32::from(ray.after))
            .filter(|&steps| steps != 0)
            .map(move |steps| (i32::from(cell) + steps * i32::from(ray.delta)) as u16)
    }

    /// Puts a stone on an empty cell. Whether the move is allowed is not asked.
    #[inline]
    pub fn play(&mut self, cell: u16, color: Color) {
        debug_assert!(self.is_empty(cell));
        let index = usize::from(cell);
        self.stones[index] = 1 + color as u8;
        for side in &mut self.sides {
            side.counts[side.class[index] as usize] -= 1;
            side.sum -= i32::from(side.worth[index]);
        }
        for &near in &self.geometry.near[index] {
            self.near[usize::from(near)] += 1;
        }
        self.played.push(cell);
        self.flip(cell, color);
    }

    /// Takes the last stone off again.
    #[inline]
    pub fn undo(&mut self) {
        let Some(cell) = self.played.pop() else {
            return;
        };
        let index = usize::from(cell);
        let color = match self.stones[index] {
            1 => Color::Black,
            _ => Color::White,
        };
        self.flip(cell, color);
        self.stones[index] = 0;
        // Its shapes are those from before the stone, as all around is as it was.
        for side in &mut self.sides {
            side.counts[side.class[index] as usize] += 1;
            side.sum += i32::from(side.worth[index]);
        }
        for &near in &self.geometry.near[index] {
            self.near[usize::from(near)] -= 1;
        }
    }

    /// Puts a stone into the lines or takes it out, and brings the cells around it up to date.
    #[inline]
    fn flip(&mut self, cell: u16, color: Color) {
        self.key ^= KEYS[color.index()][usize::from(cell)];
        self.lines.toggle(cell, color);
        let rays = self.geometry.rays[usize::from(cell)];
        for (direction, ray) in rays.into_iter().enumerate() {
            let windows = self.lines.windows(cell, direction);
            for steps in -i32::from(ray.before)..=i32::from(ray.after) {
                let index = (i32::from(cell) + steps * i32::from(ray.delta)) as usize;
                if self.stones[index] != 0 {
                    continue;
                }
                for (side, window) in self.sides.iter_mut().zip(&windows) {
                    let shape = window.shape(side.shapes, steps);
                    let mut quad = side.quads[index];
                    quad.set(direction, shape);
                    if quad != side.quads[index] {
                        side.set(index, quad);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qiju_sdk::rng::Rng;

    /// Compares everything that is kept with what it stands for.
    fn check(field: &Field) {
        let mut sums = [0, 0];
        let mut counts = [[0_u16; Class::COUNT]; 2];
        for cell in (0..field.area()).filter(|&cell| field.is_empty(cell)) {
            for color in Color::ALL {
                let shapes = field.lines.shapes(field.rule.shapes(color), cell, color);
                let (class, worth) =
                    Classes::get(field.rule.restricts(color)).of(Quad::new(shapes));
                assert_eq!(field.quad(color, cell).shapes(), shapes);
                assert_eq!(field.class(color, cell), class);
                assert_eq!(field.worth(color, cell), i32::from(worth));
                sums[color.index()] += i32::from(worth);
                counts[color.index()][class as usize] += 1;
            }
            let is_near = field.geometry.near[usize::from(cell)]
                .iter()
                .any(|&near| !field.is_empty(near));
            assert_eq!(field.is_near(cell), is_near);
        }
        for color in Color::ALL {
            assert_eq!(field.sides[color.index()].counts, counts[color.index()]);
            let balance = sums[color.index()] - sums[color.other().index()];
            assert_eq!(field.balance(color), balance);
        }
    }

    #[test]
    fn what_is_kept_is_what_the_stones_say() {
        let seed = 20_261_207;
        println!("seed {seed}");
        let mut rng = Rng::new(seed);
        for rule in Rule::ALL {
            for size in [13, 15, MAX_SIZE] {
                let mut field = Field::new(size, rule);
                check(&field);
                for number in 0..120 {
                    let is_back = rng.below(4) == 0 && !field.played().is_empty();
                    if is_back {
                        field.undo();
                    } else {
                        // Near the middle, so that shapes meet.
                        let side = u32::from(size);
                        let at = |rng: &mut Rng| side / 2 - 5 + rng.below(11);
                        let cell = (at(&mut rng) * side + at(&mut rng)) as u16;
                        if field.is_empty(cell) {
                            field.play(cell, Color::ALL[rng.below(2) as usize]);
                        }
                    }
                    if number % 8 == 0 {
                        check(&field);
                    }
                }
                while !field.played().is_empty() {
                    field.undo();
                }
                check(&field);
                assert_eq!(field.key(), 0);
            }
        }
    }

    #[test]
    fn a_line_stops_at_the_edges() {
        let field = Field::new(15, Rule::Freestyle);
        assert_eq!(field.line(0, 0).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(field.line(14, 3).collect::<Vec<_>>(), [28, 42, 56, 70, 84]);
        assert_eq!(field.line(112, 1).count(), 10);
    }
}
