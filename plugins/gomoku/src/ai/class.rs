//! What a stone on an empty cell is worth: the shapes of its four lines taken together.

use std::sync::LazyLock;

use crate::shape::Shape;

/// The shapes of the four lines of a cell, four bits each, the first direction lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quad(u16);

impl Quad {
    /// From one shape per direction.
    pub fn new(shapes: [Shape; 4]) -> Quad {
        let mut quad = Quad(0);
        for (direction, shape) in shapes.into_iter().enumerate() {
            quad.set(direction, shape);
        }
        quad
    }

    /// Puts another shape into one of the four directions.
    #[inline(always)]
    pub fn set(&mut self, direction: usize, shape: Shape) {
        let shift = 4 * direction as u16;
        self.0 = self.0 & !(0xF << shift) | (shape as u16) << shift;
    }

    /// The shape in one of the four directions.
    #[inline(always)]
    pub fn get(self, direction: usize) -> Shape {
        let number = self.0 >> (4 * direction as u16) & 0xF;
        Shape::ALL
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }

    /// All four.
    #[inline]
    pub fn shapes(self) -> [Shape; 4] {
        std::array::from_fn(|direction| self.get(direction))
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// What a colour gets by a stone on an empty cell, from worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// The move is not allowed: renju's overline or double four.
    Forbidden,
    /// Nothing that could become a threat with one more stone.
    #[default]
    Nothing,
    /// An open two, which can become an open three.
    Two,
    /// Two open twos or more.
    TwoTwo,
    /// A closed three, which can become a four.
    ClosedThree,
    /// A closed three, and another or an open two.
    ClosedThreePlus,
    /// Only in renju, for black: lines that look like two open threes, so that the move may be a double
    /// three or not.
    Suspect,
    /// An open three.
    Three,
    /// An open three, and a closed three or an open two.
    ThreePlus,
    /// Two open threes or more.
    DoubleThree,
    /// A four.
    Four,
    /// A four, and a closed three or an open two.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// Two fours: two points make a five.
    DoubleFour,
    /// An open four: two points make a five.
    OpenFour,
    /// A five.
    Five,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 16;

    /// All classes, in their order.
    pub const ALL: [Class; Class::COUNT] = [
        Class::Forbidden,
        Class::Nothing,
        Class::Two,
        Class::TwoTwo,
        Class::ClosedThree,
        Class::ClosedThreePlus,
        Class::Suspect,
        Class::Three,
        Class::ThreePlus,
        Class::DoubleThree,
        Class::Four,
        Class::FourPlus,
        Class::FourThree,
        Class::DoubleFour,
        Class::OpenFour,
        Class::Five,
    ];

    /// Whether the move threatens a five: the other has to answer it at once.
    #[inline(always)]
    pub fn is_four(self) -> bool {
        (Class::Four..=Class::OpenFour).contains(&self)
    }

    /// Whether the move threatens an open four, but no five.
    #[inline(always)]
    pub fn is_three(self) -> bool {
        (Class::Three..=Class::DoubleThree).contains(&self)
    }
}

/// The class that four shapes make. `is_restricted`: for black under renju.
fn judge(shapes: [Shape; 4], is_restricted: bool) -> Class {
    let count = |shape: Shape| shapes.iter().filter(|&&s| s == shape).count();
    if shapes.contains(&Shape::Five) {
        return Class::Five;
    }
    let fours: u32 = shapes.iter().map(|shape| shape.fours()).sum();
    let threes = count(Shape::OpenThree);
    if is_restricted {
        if shapes.contains(&Shape::Overline) || fours >= 2 {
            return Class::Forbidden;
        }
        if threes >= 2 {
            return Class::Suspect;
        }
    }
    let more = count(Shape::ClosedThree) + count(Shape::OpenTwo);
    match (fours, threes) {
        _ if shapes.contains(&Shape::OpenFour) => Class::OpenFour,
        (2.., _) => Class::DoubleFour,
        (1, 1..) => Class::FourThree,
        (1, 0) if more > 0 => Class::FourPlus,
        (1, 0) => Class::Four,
        (0, 2..) => Class::DoubleThree,
        (0, 1) if more > 0 => Class::ThreePlus,
        (0, 1) => Class::Three,
        (0, 0) if count(Shape::ClosedThree) == 0 => match more {
            0 => Class::Nothing,
            1 => Class::Two,
            _ => Class::TwoTwo,
        },
        (0, 0) if more > 1 => Class::ClosedThreePlus,
        (0, 0) => Class::ClosedThree,
    }
}

/// Worth of a shape in one line, in the units of the evaluation.
pub const fn shape_worth(shape: Shape) -> i32 {
    match shape {
        Shape::None | Shape::Overline => 0,
        Shape::ClosedOne => 1,
        Shape::OpenOne => 2,
        Shape::ClosedTwo => 4,
        Shape::OpenTwo => 11,
        Shape::ClosedThree => 13,
        Shape::OpenThree => 34,
        Shape::Four => 38,
        Shape::DoubleFour => 90,
        Shape::OpenFour => 100,
        Shape::Five => 200,
    }
}

/// Classes and worths by [`Quad`].
pub struct Classes {
    /// Class and worth of every quad.
    entries: Vec<(Class, i16)>,
}

static ORDINARY: LazyLock<Classes> = LazyLock::new(|| Classes::build(false));
static RESTRICTED: LazyLock<Classes> = LazyLock::new(|| Classes::build(true));

impl Classes {
    /// The table for a colour that may play anywhere, or, `is_restricted`, for black under renju; made at its first use.
    pub fn get(is_restricted: bool) -> &'static Classes {
        if is_restricted {
            &RESTRICTED
        } else {
            &ORDINARY
        }
    }

    fn build(is_restricted: bool) -> Classes {
        let entry = |index: u16| {
            let shapes = Quad(index).shapes();
            let worth: i32 = shapes.into_iter().map(shape_worth).sum();
            let class = judge(shapes, is_restricted);
            let worth = if class == Class::Forbidden { 0 } else { worth };
            (class, worth as i16)
        };
        Classes {
            entries: (0..=u16::MAX).map(entry).collect(),
        }
    }

    /// The class of four shapes and the sum of their worths.
    #[inline(always)]
    pub fn of(&self, quad: Quad) -> (Class, i16) {
        // There is an entry for each of the 65,536 quads.
        self.entries[quad.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads_keep_their_shapes() {
        for shape in Shape::ALL {
            let shapes = [shape, Shape::Five, Shape::None, shape];
            assert_eq!(Quad::new(shapes).shapes(), shapes);
        }
    }

    #[test]
    fn classes_by_their_shapes() {
        use Shape::{
            ClosedThree, DoubleFour, Five, Four, None, OpenFour, OpenThree, OpenTwo, Overline,
        };
        for (shapes, ordinary, restricted) in [
            ([Five, Overline, None, None], Class::Five, Class::Five),
            (
                [Overline, None, None, None],
                Class::Nothing,
                Class::Forbidden,
            ),
            (
                [Four, None, Four, None],
                Class::DoubleFour,
                Class::Forbidden,
            ),
            (
                [DoubleFour, None, None, None],
                Class::DoubleFour,
                Class::Forbidden,
            ),
            (
                [OpenFour, None, None, None],
                Class::OpenFour,
                Class::OpenFour,
            ),
            (
                [OpenFour, None, Four, None],
                Class::OpenFour,
                Class::Forbidden,
            ),
            (
                [None, Four, OpenThree, None],
                Class::FourThree,
                Class::FourThree,
            ),
            (
                [OpenThree, Four, OpenThree, None],
                Class::FourThree,
                Class::Suspect,
            ),
            (
                [Four, OpenTwo, None, None],
                Class::FourPlus,
                Class::FourPlus,
            ),
            ([None, None, None, Four], Class::Four, Class::Four),
            (
                [OpenThree, None, OpenThree, None],
                Class::DoubleThree,
                Class::Suspect,
            ),
            (
                [OpenThree, ClosedThree, None, None],
                Class::ThreePlus,
                Class::ThreePlus,
            ),
            ([None, OpenThree, None, None], Class::Three, Class::Three),
            (
                [ClosedThree, OpenTwo, None, None],
                Class::ClosedThreePlus,
                Class::ClosedThreePlus,
            ),
            (
                [ClosedThree, None, None, None],
                Class::ClosedThree,
                Class::ClosedThree,
            ),
            ([OpenTwo, OpenTwo, None, None], Class::TwoTwo, Class::TwoTwo),
            ([OpenTwo, None, None, None], Class::Two, Class::Two),
            ([None; 4], Class::Nothing, Class::Nothing),
        ] {
            let quad = Quad::new(shapes);
            assert_eq!(Classes::get(false).of(quad).0, ordinary, "{shapes:?}");
            assert_eq!(Classes::get(true).of(quad).0, restricted, "{shapes:?}");
        }
    }

    #[test]
    fn a_better_shape_is_worth_more() {
        let overline = Shape::ALL.len() - 1;
        for pair in Shape::ALL[..overline].windows(2) {
            // A double four and an open four change places: two points make a five of either.
            let is_exception = pair == [Shape::OpenFour, Shape::DoubleFour];
            assert!(
                is_exception || shape_worth(pair[0]) < shape_worth(pair[1]),
                "{pair:?}"
            );
        }
    }
}
