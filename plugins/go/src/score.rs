//! Area scoring: who owns each point of a board as it stands.
//!
//! Chinese rules (中国围棋规则, 2002, article 12; also Tromp–Taylor rule 10): a side's area is its
//! living stones and the empty points that only its stones surround. Which stones are dead is not
//! decided here: every stone on the board counts as living.

use crate::board::{Board, Color, Point};

/// The owner of every cell (row by row from the top): stones by colour, empty regions that reach
/// one colour only by that colour, everything else `None`.
pub fn owners(board: &Board) -> Vec<Option<Color>> {
    let mut owners: Vec<Option<Color>> = board.points().map(|p| board.stone(p)).collect();
    let mut seen = vec![false; owners.len()];
    let mut region: Vec<Point> = Vec::new();
    for start in board.points() {
        if !board.is_empty(start) || seen[usize::from(board.cell(start))] {
            continue;
        }
        region.clear();
        region.push(start);
        seen[usize::from(board.cell(start))] = true;
        let mut reaches = [false; 2];
        let mut next = 0;
        while let Some(&point) = region.get(next) {
            next += 1;
            for n in board.neighbors(point) {
                if let Some(color) = board.stone(n) {
                    reaches[color.index()] = true;
                } else if board.is_empty(n) && !seen[usize::from(board.cell(n))] {
                    seen[usize::from(board.cell(n))] = true;
                    region.push(n);
                }
            }
        }
        let owner = match reaches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        for &point in &region {
            owners[usize::from(board.cell(point))] = owner;
        }
    }
    owners
}

/// The area of black and of white.
pub fn area(board: &Board) -> (u32, u32) {
    let owners = owners(board);
    let count = |color| owners.iter().filter(|&&o| o == Some(color)).count() as u32;
    (count(Color::Black), count(Color::White))
}
