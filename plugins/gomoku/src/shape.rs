//! What a stone makes of its line: five, four, three, two.
//!
//! The terms are the field's. A *four* becomes a five with one more stone; an *open* (straight) four can do so at both of
//! its ends. An *open three* becomes an open four with one more stone, a *closed* one only a four. Twos
//! and ones go on from there. [`Shapes::of`] tells the best shape that a stone has in one line, from the five points
//! on either side of it: no shape needs more.

use std::sync::LazyLock;

/// Points on either side of a stone that its shape depends on.
pub const REACH: u32 = 5;

/// Points of a window without the middle one.
const AROUND: u32 = 2 * REACH;

/// Number of ways in which [`AROUND`] points can be empty, own or blocked: 3^10.
const WINDOWS: usize = 59_049;

/// The bit of the middle in a window of 11 points.
const MIDDLE: u32 = 1 << REACH;

/// Best shape of a stone in one line, from worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// It can never be part of a five.
    #[default]
    None,
    /// A single stone that can only become a closed two.
    ClosedOne,
    /// A single stone with room on both sides.
    OpenOne,
    /// One more makes a closed three.
    ClosedTwo,
    /// One more makes an open three.
    OpenTwo,
    /// One more makes a four that is not open.
    ClosedThree,
    /// One more makes an open four.
    OpenThree,
    /// One point makes it a five.
    Four,
    /// Both ends make it a five.
    OpenFour,
    /// Two fours in one line (`X_XXX_X`): two points make a five, but it is not open.
    DoubleFour,
    /// Five in a row, or more where that wins.
    Five,
    /// Six or more where only exactly five win.
    Overline,
}

impl Shape {
    /// All shapes, in their order.
    pub const ALL: [Shape; 12] = [
        Shape::None,
        Shape::ClosedOne,
        Shape::OpenOne,
        Shape::ClosedTwo,
        Shape::OpenTwo,
        Shape::ClosedThree,
        Shape::OpenThree,
        Shape::Four,
        Shape::OpenFour,
        Shape::DoubleFour,
        Shape::Five,
        Shape::Overline,
    ];

    /// How many fours it is.
    pub const fn fours(self) -> u32 {
        match self {
            Shape::Four | Shape::OpenFour => 1,
            Shape::DoubleFour => 2,
            _ => 0,
        }
    }
}

/// What counts as a five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    /// Five or more.
    FiveOrMore,
    /// Exactly five.
    ExactlyFive,
}

/// The shapes of all windows under one meaning of "five".
pub struct Shapes(Vec<Shape>);

static FIVE_OR_MORE: LazyLock<Shapes> = LazyLock::new(|| Shapes::build(Row::FiveOrMore));
static EXACTLY_FIVE: LazyLock<Shapes> = LazyLock::new(|| Shapes::build(Row::ExactlyFive));

/// Sums of powers of three over the bits of a number of [`AROUND`] bits.
static TERNARY: [u16; 1 << AROUND] = ternary();

const fn ternary() -> [u16; 1 << AROUND] {
    let mut table = [0_u16; 1 << AROUND];
    let mut bits = 0;
    while bits < table.len() {
        let (mut power, mut bit) = (1, 0);
        while bit < AROUND {
            if bits >> bit & 1 == 1 {
                table[bits] += power;
            }
            // Not needed after the last bit, where it would still fit: 3^10 < 2^16.
            power *= 3;
            bit += 1;
        }
        bits += 1;
    }
    table
}

/// A window without its middle: [`AROUND`] bits.
#[inline(always)]
const fn around(window: u32) -> usize {
    (window & (MIDDLE - 1) | window >> (REACH + 1) << REACH) as usize & ((1 << AROUND) - 1)
}

impl Shapes {
    /// The table for a meaning of "five"; made at its first use, in some milliseconds.
    pub fn get(row: Row) -> &'static Shapes {
        match row {
            Row::FiveOrMore => &FIVE_OR_MORE,
            Row::ExactlyFive => &EXACTLY_FIVE,
        }
    }

    /// The shape that a stone on the middle of a window of 11 points has, or would have.
    ///
    /// Bit `i` of `own` is a stone of the same colour, of `blocked` one of the other colour or a point off the board. The middle's
    /// bits and those from 11 on are ignored.
    #[inline(always)]
    pub fn of(&self, own: u32, blocked: u32) -> Shape {
        let index = usize::from(TERNARY[around(own)]) + 2 * usize::from(TERNARY[around(blocked)]);
        self.0.get(index).copied().unwrap_or(Shape::None)
    }

    fn build(row: Row) -> Shapes {
        let mut shapes = Shapes(vec![Shape::None; WINDOWS]);
        // A shape follows from the shapes with one more own stone.
        let mut windows: Vec<(u32, u32)> = (0..WINDOWS).map(decode).collect();
        windows.sort_by_key(|(own, _)| std::cmp::Reverse(own.count_ones()));
        for (own, blocked) in windows {
            let shape = shapes.judge(own, blocked, row);
            let index =
                usize::from(TERNARY[around(own)]) + 2 * usize::from(TERNARY[around(blocked)]);
            if let Some(slot) = shapes.0.get_mut(index) {
                *slot = shape;
            }
        }
        shapes
    }

    /// The shape of a window, once those with more own stones are known.
    fn judge(&self, own: u32, blocked: u32, row: Row) -> Shape {
        let stones = own | MIDDLE;
        let run = run(stones);
        match (run.count_ones(), row) {
            (5, _) | (6.., Row::FiveOrMore) => return Shape::Five,
            (6.., Row::ExactlyFive) => return Shape::Overline,
            _ => {}
        }
        let free = !(stones | blocked) & ((1 << (2 * REACH + 1)) - 1);
        let bits = |set: u32| {
            (0..=AROUND)
                .map(|bit| 1_u32 << bit)
                .filter(move |bit| set & bit != 0)
        };
        let after = |bit: u32| self.of(own | bit, blocked);
        let completing = bits(free)
            .filter(|&bit| after(bit) == Shape::Five)
            .fold(0, |set, bit| set | bit);
        let ends = run << 1 | run >> 1;
        if run.count_ones() == 4 && (completing & ends).count_ones() == 2 {
            return Shape::OpenFour;
        }
        match completing.count_ones() {
            0 => {}
            1 => return Shape::Four,
            _ => return Shape::DoubleFour,
        }
        let mut shape = Shape::None;
        for next in bits(free).map(after) {
            shape = shape.max(match next {
                Shape::OpenFour => Shape::OpenThree,
                Shape::Four | Shape::DoubleFour => Shape::ClosedThree,
                Shape::OpenThree => Shape::OpenTwo,
                Shape::ClosedThree => Shape::ClosedTwo,
                Shape::OpenTwo => Shape::OpenOne,
                Shape::ClosedTwo => Shape::ClosedOne,
                _ => Shape::None,
            });
        }
        shape
    }
}

/// The unbroken row of stones through the middle.
fn run(stones: u32) -> u32 {
    let mut run = MIDDLE;
    loop {
        let wider = (run | run << 1 | run >> 1) & stones;
        if wider == run {
            return run;
        }
        run = wider;
    }
}

/// The window of an index: own bits and blocked bits, without the middle.
fn decode(mut index: usize) -> (u32, u32) {
    let (mut own, mut blocked) = (0, 0);
    for bit in (0..=AROUND).filter(|&bit| bit != REACH) {
        match index % 3 {
            1 => own |= 1 << bit,
            2 => blocked |= 1 << bit,
            _ => {}
        }
        index /= 3;
    }
    (own, blocked)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the stone `*`, or of a stone put there: `X` own, `O` blocked, `.` empty; beyond the text is the edge.
    fn shape(row: Row, text: &str) -> Shape {
        let middle = text.find('*').expect("a middle") as i64;
        let (mut own, mut blocked) = (0, 0);
        for bit in 0..=AROUND {
            let place = middle + i64::from(bit) - i64::from(REACH);
            match usize::try_from(place)
                .ok()
                .and_then(|p| text.as_bytes().get(p))
            {
                Some(b'X') => own |= 1 << bit,
                Some(b'.' | b'*') => {}
                _ => blocked |= 1 << bit,
            }
        }
        Shapes::get(row).of(own, blocked)
    }

    #[test]
    fn shapes_by_their_names() {
        use Row::{ExactlyFive, FiveOrMore};
        for (text, free, exact) in [
            ("XX*XX", Shape::Five, Shape::Five),
            ("XX*XXX", Shape::Five, Shape::Overline),
            (".XX*X.", Shape::OpenFour, Shape::OpenFour),
            ("OXX*X.", Shape::Four, Shape::Four),
            ("XX*.X", Shape::Four, Shape::Four),
            ("X.X*X.X", Shape::DoubleFour, Shape::DoubleFour),
            // Filling the gap makes six: a four only where six wins.
            ("XX*.XX", Shape::Four, Shape::None),
            // One end makes six: open only where six wins.
            (".XX*X.X", Shape::OpenFour, Shape::Four),
            (".X*X..", Shape::OpenThree, Shape::OpenThree),
            ("..X*X..", Shape::OpenThree, Shape::OpenThree),
            (".X*X.", Shape::ClosedThree, Shape::ClosedThree),
            ("O.X*X.O", Shape::ClosedThree, Shape::ClosedThree),
            (".X*.X.", Shape::OpenThree, Shape::OpenThree),
            ("OX*X..", Shape::ClosedThree, Shape::ClosedThree),
            ("X*..X", Shape::ClosedThree, Shape::ClosedThree),
            ("..X*..", Shape::OpenTwo, Shape::OpenTwo),
            ("..*.X..", Shape::OpenTwo, Shape::OpenTwo),
            ("OX*...", Shape::ClosedTwo, Shape::ClosedTwo),
            ("...*...", Shape::OpenOne, Shape::OpenOne),
            ("O*....", Shape::ClosedOne, Shape::ClosedOne),
            ("O.*..O", Shape::None, Shape::None),
        ] {
            assert_eq!(shape(FiveOrMore, text), free, "{text}");
            assert_eq!(shape(ExactlyFive, text), exact, "{text}");
            let mirrored: String = text.chars().rev().collect();
            assert_eq!(shape(FiveOrMore, &mirrored), free, "{mirrored}");
            assert_eq!(shape(ExactlyFive, &mirrored), exact, "{mirrored}");
        }
    }

    #[test]
    fn the_middle_bit_is_ignored() {
        let shapes = Shapes::get(Row::FiveOrMore);
        assert_eq!(shapes.of(MIDDLE, 0), shapes.of(0, 0));
        assert_eq!(shapes.of(0, MIDDLE), shapes.of(0, 0));
    }

    #[test]
    fn indices_decode_to_themselves() {
        for index in 0..WINDOWS {
            let (own, blocked) = decode(index);
            let back =
                usize::from(TERNARY[around(own)]) + 2 * usize::from(TERNARY[around(blocked)]);
            assert_eq!(back, index);
        }
    }
}
