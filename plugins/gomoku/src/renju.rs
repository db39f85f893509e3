//! Black's forbidden points under renju.
//!
//! Source: The International Rules of Renju, Renju International Federation, section 9. A double three is allowed as long as
//! at most one of its threes can become a straight four by a move that is itself allowed (9.3), which is
//! asked again of that move.

use crate::color::Color;
use crate::lines::Lines;
use crate::shape::{Row, Shape, Shapes};

/// Why black may not play on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two or more fours at once.
    DoubleFour,
    /// Two or more threes at once, each of which can become a straight four.
    DoubleThree,
}

/// Why black may not play on an empty cell; `None` if he may. A five is always allowed.
pub fn forbidden(lines: &Lines, cell: u16) -> Option<Forbidden> {
    let shapes = Shapes::get(Row::ExactlyFive);
    let at = lines.shapes(shapes, cell, Color::Black);
    // Most points are decided without a copy of the board.
    match quick(at) {
        Verdict::Known(verdict) => verdict,
        Verdict::Threes => threes(&mut lines.clone(), shapes, cell, at),
    }
}

/// What the shapes of a stone alone say.
enum Verdict {
    Known(Option<Forbidden>),
    /// Two lines look like threes.
    Threes,
}

fn quick(at: [Shape; 4]) -> Verdict {
    if at.contains(&Shape::Five) {
        return Verdict::Known(None);
    }
    if at.contains(&Shape::Overline) {
        return Verdict::Known(Some(Forbidden::Overline));
    }
    if at.iter().map(|shape| shape.fours()).sum::<u32>() >= 2 {
        return Verdict::Known(Some(Forbidden::DoubleFour));
    }
    let threes = at
        .iter()
        .filter(|&&shape| shape == Shape::OpenThree)
        .count();
    if threes < 2 {
        return Verdict::Known(None);
    }
    Verdict::Threes
}

/// Whether two or more threes are real. The board is as before afterwards.
fn threes(lines: &mut Lines, shapes: &Shapes, cell: u16, at: [Shape; 4]) -> Option<Forbidden> {
    lines.toggle(cell, Color::Black);
    let mut real = 0;
    for (direction, &shape) in at.iter().enumerate() {
        if shape == Shape::OpenThree && is_three(lines, shapes, cell, direction) {
            real += 1;
        }
    }
    lines.toggle(cell, Color::Black);
    (real >= 2).then_some(Forbidden::DoubleThree)
}

/// Whether the stone on `cell` can become part of a straight four in a direction by a move that is allowed and makes no five.
fn is_three(lines: &mut Lines, shapes: &Shapes, cell: u16, direction: usize) -> bool {
    [-1, 1].into_iter().any(|sign| {
        // The first gap on this side: beyond it the row would not be unbroken.
        let gap = (1..=3)
            .map_while(|steps| lines.step(cell, direction, sign * steps))
            .find(|&next| lines.stone(next) != Some(Color::Black));
        let Some(gap) = gap.filter(|&gap| lines.stone(gap).is_none()) else {
            return false;
        };
        let at = lines.shapes(shapes, gap, Color::Black);
        at[direction] == Shape::OpenFour
            && !at.contains(&Shape::Five)
            && match quick(at) {
                Verdict::Known(verdict) => verdict.is_none(),
                Verdict::Threes => threes(lines, shapes, gap, at).is_none(),
            }
    })
}
