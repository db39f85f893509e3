//! Shapes of three by three points around an empty point where a good local answer is likely.
//!
//! The kinds of shapes (hane, cut, edge) are those of Gelly, Wang, Munos and Teytaud,
//! "Modification of UCT with Patterns in Monte-Carlo Go" (INRIA RR-6062, 2006); the list is our own.

use std::sync::LazyLock;

use crate::board::{Board, Point};

/// One shape, three rows of three, the middle being the point to play on. `A` and `B` are stones
/// of the two sides, either way round; `.` is empty; `a`: no stone of A; `b`: no stone of B;
/// `?`: anything on the board; `#`: off the board. All turned and mirrored forms are meant.
const SHAPES: [&str; 14] = [
    // Hane around a stone caught between two.
    "ABA ... ???",
    // Hane at the head of a pair, with room below.
    "AB. ... ?.?",
    // Turning at the head of two stones.
    "AB? A.. b.?",
    // Shoulder contact.
    ".B. A.. ...",
    // A cut that nothing protects.
    "AB? B.b ?b?",
    // A cut that has been peeped at.
    "AB? B.A ???",
    // Pushing through between two stones.
    "?A? B.B bbb",
    // Cutting a knight's move.
    "BA? b.B ???",
    // Edge: stopping a crawl.
    "A.? B.? ###",
    // Edge: blocking a cut.
    "BA? A.B ###",
    // Edge: blocking a link.
    "?A? a.B ###",
    // Edge: descending beside an enemy stone.
    "?AB a.a ###",
    // Edge: cutting below.
    "?BA A.B ###",
    // Edge: hane on the first line.
    "?BA ..A ###",
];

/// One bit for each of the 4^8 contents of the eight points around a point.
struct Shapes(Box<[u64; 1 << 10]>);

static KNOWN: LazyLock<Shapes> = LazyLock::new(|| {
    let mut known = Shapes(Box::new([0; 1 << 10]));
    for shape in SHAPES {
        let rows: Vec<u8> = shape.bytes().filter(|&b| b != b' ').collect();
        let Ok(mut grid) = <[u8; 9]>::try_from(rows) else {
            continue;
        };
        for mirrored in [false, true] {
            if mirrored {
                grid = [2, 1, 0, 5, 4, 3, 8, 7, 6].map(|i| grid[i]);
            }
            for _ in 0..4 {
                grid = [6, 3, 0, 7, 4, 1, 8, 5, 2].map(|i| grid[i]);
                for a_is_white in [false, true] {
                    known.add(&grid, a_is_white);
                }
            }
        }
    }
    known
});

impl Shapes {
    fn add(&mut self, grid: &[u8; 9], a_is_white: bool) {
        let (a, b) = if a_is_white { (1, 0) } else { (0, 1) };
        let mut codes = vec![0_u16];
        for (i, symbol) in grid.iter().enumerate().filter(|&(i, _)| i != 4) {
            let may_be: &[u16] = match symbol {
                b'A' => &[a],
                b'B' => &[b],
                b'.' => &[2],
                b'a' => &[b, 2],
                b'b' => &[a, 2],
                b'#' => &[3],
                _ => &[0, 1, 2],
            };
            let shift = 2 * (i - usize::from(i > 4));
            codes = codes
                .iter()
                .flat_map(|&code| may_be.iter().map(move |&bits| code | bits << shift))
                .collect();
        }
        for code in codes {
            self.0[usize::from(code >> 6)] |= 1 << (code & 63);
        }
    }
}

/// What stands on the eight points around `point`, two bits each, row by row.
#[inline]
fn code(board: &Board, point: Point) -> u16 {
    let [left, right, up, down] = board.neighbors(point);
    let [up_left, up_right, down_left, down_right] = board.diagonals(point);
    let around = [
        up_left, up, up_right, left, right, down_left, down, down_right,
    ];
    around
        .iter()
        .rev()
        .fold(0, |code, &p| code << 2 | u16::from(board.cell_bits(p)))
}

/// Whether the empty `point` stands in one of the shapes.
#[inline]
pub fn matches(board: &Board, point: Point) -> bool {
    let code = code(board, point);
    KNOWN.0[usize::from(code >> 6)] >> (code & 63) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;

    fn board(rows: &[&str]) -> Board {
        let mut board = Board::new(rows.len() as u8);
        for (row, text) in rows.iter().enumerate() {
            for (column, symbol) in text.bytes().enumerate() {
                let color = match symbol {
                    b'X' => Color::Black,
                    b'O' => Color::White,
                    _ => continue,
                };
                if let Some(point) = board.point((row * rows.len() + column) as u16) {
                    board.play(point, color);
                }
            }
        }
        board
    }

    fn matching(rows: &[&str]) -> Vec<u16> {
        let board = board(rows);
        let points = board.points().filter(|&p| board.is_empty(p));
        points
            .filter(|&p| matches(&board, p))
            .map(|p| board.cell(p))
            .collect()
    }

    #[test]
    fn finds_a_cut_in_every_orientation_and_colour() {
        assert!(matching(&[".....", ".XO..", ".O...", ".....", "....."]).contains(&12));
        assert!(matching(&[".....", "..XO.", "...X.", ".....", "....."]).contains(&12));
        assert!(matching(&[".....", ".....", ".X...", ".OX..", "....."]).contains(&12));
    }

    #[test]
    fn an_empty_or_solid_neighbourhood_is_no_shape() {
        assert!(matching(&[".....", ".....", ".....", ".....", "....."]).is_empty());
        assert!(!matching(&[".....", ".XXX.", ".X.X.", ".XXX.", "....."]).contains(&12));
    }

    #[test]
    fn every_shape_is_well_formed_and_adds_something() {
        for shape in SHAPES {
            let symbols: Vec<u8> = shape.bytes().filter(|&b| b != b' ').collect();
            assert_eq!(symbols.len(), 9, "{shape}");
            assert_eq!(symbols[4], b'.', "{shape}");
            assert!(symbols.iter().all(|s| b"AB.ab?#".contains(s)), "{shape}");
        }
    }
}
