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
///
/// This is about renju alone: for a cell that is taken or off the board it is `None` too.
pub fn forbidden(lines: &Lines, cell: u16) -> Option<Forbidden> {
    if cell >= lines.area() || lines.stone(cell).is_some() {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on `*` of a board of 15 lines that has these rows from its fourth row and fourth column on: `X` black, `O` white.
    fn verdict(rows: &[&str]) -> Option<Forbidden> {
        let mut lines = Lines::new(15);
        let mut asked = None;
        for (y, row) in (3_u16..).zip(rows) {
            for (x, stone) in (3_u16..).zip(row.chars()) {
                let cell = y * 15 + x;
                match stone {
                    'X' => lines.toggle(cell, Color::Black),
                    'O' => lines.toggle(cell, Color::White),
                    '*' => asked = Some(cell),
                    _ => {}
                }
            }
        }
        forbidden(&lines, asked.expect("a point that is asked about"))
    }

    #[test]
    fn overlines() {
        use Forbidden::Overline;
        assert_eq!(verdict(&["XX*XXX"]), Some(Overline));
        assert_eq!(verdict(&["XXX*XXXX"]), Some(Overline));
        assert_eq!(verdict(&["XX*XX"]), None, "five");
        // A five in one line, six in the other: a five always wins.
        let both = ["XX*XX", "..X..", "..X..", "..X..", "..X..", "..X.."];
        assert_eq!(verdict(&both), None);
    }

    #[test]
    fn double_fours() {
        use Forbidden::DoubleFour;
        assert_eq!(verdict(&["X.X*X.X"]), Some(DoubleFour), "in one line");
        assert_eq!(
            verdict(&["XX.*X.XX"]),
            Some(DoubleFour),
            "in one line, apart"
        );
        let crossed = ["..X...", "..X...", "..X...", "..*XXX"];
        assert_eq!(verdict(&crossed), Some(DoubleFour));
        // The column can only become six: no four.
        let six = [
            "..O...", "..X...", "..X...", "..X...", "..*XXX", "......", "..X...",
        ];
        assert_eq!(verdict(&six), None);
        // A straight four is one four.
        assert_eq!(verdict(&[".XX*X."]), None);
    }

    #[test]
    fn double_threes() {
        use Forbidden::DoubleThree;
        let crossed = ["..X..", "..X..", "..*XX"];
        assert_eq!(verdict(&crossed), Some(DoubleThree));
        let gapped = ["..X...", "......", "..X...", "..*.XX"];
        assert_eq!(verdict(&gapped), Some(DoubleThree));
        let closed = ["..O..", "..X..", "..X..", "..*XX"];
        assert_eq!(verdict(&closed), None, "the column is shut at one end");
        let four_and_three = ["..X...", "..X...", ".O*XXX"];
        assert_eq!(
            verdict(&four_and_three),
            None,
            "a four and a three are allowed"
        );
    }

    #[test]
    fn a_three_whose_straight_fours_are_forbidden_is_none() {
        // The row could become a straight four at its two ends only; either would make six in a column.
        let nested = [
            "........", "..X...X.", "..X...X.", "..X...X.", "...XX*..", "..X...X.", "..X...XX",
        ];
        assert_eq!(verdict(&nested), None);
        // Without the right column one end is free, and with the diagonal there are two threes.
        let plain = [
            "........", "..X.....", "..X.....", "..X.....", "...XX*..", "..X...X.", "..X....X",
        ];
        assert_eq!(verdict(&plain), Some(Forbidden::DoubleThree));
    }

    #[test]
    fn cells_that_are_taken_or_off_the_board() {
        let mut lines = Lines::new(15);
        lines.toggle(112, Color::White);
        assert_eq!(forbidden(&lines, 112), None);
        assert_eq!(forbidden(&lines, 225), None);
        assert_eq!(forbidden(&lines, u16::MAX), None);
    }
}
