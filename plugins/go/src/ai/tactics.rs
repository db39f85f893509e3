//! Small readings around one group: self-atari, ways out of atari, ladders.

use crate::board::{Board, Color, Point};

/// Points found by a reading: few, so a fixed array.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    points: [Point; 24],
    len: usize,
}

impl Found {
    /// Nothing yet.
    pub const fn new() -> Found {
        Found {
            points: [Point::PASS; 24],
            len: 0,
        }
    }

    /// Adds a point that is not there yet; one too many is dropped.
    #[inline]
    pub fn add(&mut self, point: Point) {
        if !self.as_slice().contains(&point)
            && let Some(slot) = self.points.get_mut(self.len)
        {
            *slot = point;
            self.len += 1;
        }
    }

    /// The points in the order they were found.
    #[inline]
    pub fn as_slice(&self) -> &[Point] {
        &self.points[..self.len.min(self.points.len())]
    }
}

impl Default for Found {
    fn default() -> Self {
        Found::new()
    }
}

/// How many liberties the stone of `color` on the empty `point` would have, counted up to `limit`
/// (at most 7). A group that it takes counts with those stones next to the point only.
#[inline]
pub fn liberties_after(board: &Board, point: Point, color: Color, limit: usize) -> usize {
    let limit = limit.min(7);
    let mut seen = [Point::PASS; 8];
    let mut count = 0;
    let mut note = |p: Point, count: &mut usize| {
        if !seen[..*count].contains(&p) {
            seen[*count] = p;
            *count += 1;
        }
        *count >= limit
    };
    for n in board.neighbors(point) {
        match board.stone(n) {
            None => {
                if board.is_empty(n) && note(n, &mut count) {
                    return limit;
                }
            }
            Some(owner) if owner != color => {
                if board.atari(n).is_some() && note(n, &mut count) {
                    return limit;
                }
            }
            Some(_) => {
                if board.atari(n).is_none() {
                    let mut liberties = [Point::PASS; 8];
                    let found = board.some_liberties(n, &mut liberties, limit + 1);
                    for &liberty in &liberties[..found] {
                        if liberty != point && note(liberty, &mut count) {
                            return limit;
                        }
                    }
                }
            }
        }
    }
    count
}

/// Whether a stone of `color` on the empty `point` would stand in atari.
#[inline]
pub fn is_self_atari(board: &Board, point: Point, color: Color) -> bool {
    board.empty_neighbors(point) < 2 && liberties_after(board, point, color, 2) < 2
}

/// How many stones of the other side a stone of `color` on the empty `point` takes.
#[inline]
pub fn captures(board: &Board, point: Point, color: Color) -> u16 {
    let mut taken = 0;
    let mut roots = Found::new();
    for n in board.neighbors(point) {
        if board.stone(n) == Some(!color) && board.atari(n) == Some(point) {
            let before = roots.as_slice().len();
            roots.add(board.root(n));
            if roots.as_slice().len() > before {
                taken += board.group_size(n);
            }
        }
    }
    taken
}

/// The points of an eye space that are looked at: a larger one is not killed by one move.
const EYE_SPACE: usize = 6;

/// The point that makes two eyes of `owner`'s eye space at the empty `point`, or one if the other side
/// takes it (*nakade*): the space has three to six points, all stones around it are the owner's, and
/// one of its points has enough neighbours in it to part it.
#[inline]
pub fn vital_point(board: &Board, point: Point, owner: Color) -> Option<Point> {
    let mut space = [Point::PASS; EYE_SPACE];
    space[0] = point;
    let mut len = 1;
    let mut next = 0;
    while next < len {
        let here = space[next];
        next += 1;
        // The border counts for both colours.
        let empty = board.empty_neighbors(here);
        if board.own_or_border_neighbors(here, owner) + empty != 4 {
            return None;
        }
        if empty == 0 {
            continue;
        }
        for n in board.neighbors(here) {
            if board.is_empty(n) && !space[..len].contains(&n) {
                if len == EYE_SPACE {
                    return None;
                }
                space[len] = n;
                len += 1;
            }
        }
    }
    // Neighbours in the space that part it: in a row of three the middle one has two, in a bulky five
    // and in a cross the centre has three and four. A square and rows of four and more have no such
    // point, or have two and live.
    let needed = match len {
        3 => 2,
        4 => 3,
        5 => 3,
        6 => 4,
        _ => return None,
    };
    let mut best = None;
    for &p in &space[..len] {
        if board.empty_neighbors(p) >= needed {
            if best.is_some() {
                return None;
            }
            best = Some(p);
        }
    }
    best
}

/// The moves that free the group of the stone at `stone`, which is in atari: taking a neighbour
/// that is itself in atari, and running where that gives at least two liberties.
#[inline]
pub fn escapes(board: &Board, stone: Point, liberty: Point, color: Color, found: &mut Found) {
    // A long group is rarely freed by a stone taken at its far end; the limit keeps play-outs fast.
    for s in board.group(stone).take(30) {
        for n in board.neighbors(s) {
            if board.stone(n) == Some(!color)
                && let Some(capture) = board.atari(n)
                && board.is_legal(capture, color)
            {
                found.add(capture);
            }
        }
    }
    if liberties_after(board, liberty, color, 2) >= 2 && board.is_legal(liberty, color) {
        found.add(liberty);
    }
}

/// Reads ladders with a board of its own, so that nothing is allocated while reading.
pub struct LadderReader {
    boards: Vec<Board>,
}

/// How many attacking moves deep a ladder is read: across a 25×25 board and back.
const LADDER_DEPTH: usize = 60;
/// Positions visited before a reading is given up as "escapes".
const LADDER_NODES: u32 = 300;

impl LadderReader {
    /// A reader for boards of one size.
    pub fn new(size: u8) -> LadderReader {
        LadderReader {
            boards: vec![Board::new(size); LADDER_DEPTH + 1],
        }
    }

    /// Whether the group of the stone at `stone`, in atari and its owner to move, is taken even if
    /// it runs (or takes a stone that attacks it).
    pub fn is_caught(&mut self, board: &Board, stone: Point) -> bool {
        let mut nodes = 0;
        let Some(first) = self.boards.first_mut() else {
            return false;
        };
        first.copy_from(board);
        self.defend(0, stone, &mut nodes)
    }

    /// Whether a group with two liberties is taken in a ladder if the other side moves first;
    /// returns the first move.
    pub fn attack(&mut self, board: &Board, stone: Point) -> Option<Point> {
        let mut nodes = 0;
        self.boards.first_mut()?.copy_from(board);
        self.attacks(0, stone, &mut nodes)
    }

    /// The defender of `stone` moves on board `depth`. True if the group is lost.
    fn defend(&mut self, depth: usize, stone: Point, nodes: &mut u32) -> bool {
        let Some((here, _)) = self.pair(depth) else {
            return false;
        };
        *nodes += 1;
        if *nodes > LADDER_NODES {
            return false;
        }
        let (Some(color), Some(liberty)) = (here.stone(stone), here.atari(stone)) else {
            return false;
        };
        let mut moves = Found::new();
        for s in here.group(stone) {
            for n in here.neighbors(s) {
                if here.stone(n) == Some(!color)
                    && let Some(capture) = here.atari(n)
                {
                    moves.add(capture);
                }
            }
        }
        moves.add(liberty);
        for &point in moves.as_slice() {
            let Some((here, next)) = self.pair(depth) else {
                return false;
            };
            if !here.is_legal(point, color) {
                continue;
            }
            next.copy_from(here);
            next.play(point, color);
            let mut liberties = [Point::PASS; 8];
            let caught = match next.some_liberties(stone, &mut liberties, 3) {
                0 | 1 => true,
                2 => self.attacks(depth + 1, stone, nodes).is_some(),
                _ => false,
            };
            if !caught {
                return false;
            }
        }
        true
    }

    /// The attacker of `stone`, which has two liberties, moves on board `depth`. The move that
    /// wins the group, if there is one.
    fn attacks(&mut self, depth: usize, stone: Point, nodes: &mut u32) -> Option<Point> {
        let (here, _) = self.pair(depth)?;
        let color = here.stone(stone)?;
        let mut liberties = [Point::PASS; 8];
        if here.some_liberties(stone, &mut liberties, 3) != 2 {
            return None;
        }
        let choices = [liberties[0], liberties[1]];
        for point in choices {
            let (here, next) = self.pair(depth)?;
            if !here.is_legal(point, !color) || is_self_atari(here, point, !color) {
                continue;
            }
            next.copy_from(here);
            next.play(point, !color);
            if self.defend(depth + 1, stone, nodes) {
                return Some(point);
            }
        }
        None
    }

    /// The board at `depth` and the one after it; nothing beyond the depth limit.
    fn pair(&mut self, depth: usize) -> Option<(&Board, &mut Board)> {
        let (before, after) = self.boards.split_at_mut_checked(depth + 1)?;
        Some((before.last()?, after.first_mut()?))
    }
}
