//! The score: who owns each point, and the sum that leads to the margin.
//!
//! Which stones are dead is not decided here: the callers say so (the players agree on it, with a
//! proposal from [`crate::ai::ending`]), and where they say nothing every stone lives.
//!
//! # Rules and their sources
//!
//! * **Area** (Chinese rules of 2002, article 12; AGA; New Zealand; Tromp–Taylor rule 10): a side's
//!   living stones and the empty points that only they surround.
//! * **Territory** (Japanese rules of 1989, articles 8 to 10): the empty points that only a side's
//!   living stones surround, the points under dead enemy stones among them, and its prisoners, to
//!   which the dead stones of the other side are added. Points that stones in seki surround do not
//!   count. The text calls every stone with a neutral point beside it a stone in seki, and has the
//!   players fill all neutral points first; as people count without filling them, a group counts
//!   as in seki here only beside a neutral point that neither side can fill without standing in
//!   atari. Where pass stones make territory equal to area (AGA), points in seki count.

use crate::ai::tactics;
use crate::board::{Board, Color, Point};

/// How points are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Living stones and what they surround.
    Area,
    /// What living stones surround, and prisoners.
    Territory,
}

/// A board counted: every point's owner, and the numbers that the score is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Whose each cell is (row by row from the top): of a living stone its colour, of an empty
    /// point or a dead stone the side that it counts for; `None` for points that count for nobody.
    pub owners: Vec<Option<Color>>,
    /// Living stones of black and of white.
    pub stones: [u32; 2],
    /// Points surrounded by black and by white, those under dead stones among them.
    pub territory: [u32; 2],
    /// Dead stones of black and of white.
    pub dead: [u32; 2],
    /// Points that count for nobody.
    pub neutral: u32,
}

impl Count {
    /// Counts a board on which the stones marked in `dead` (per cell; missing cells are not) are
    /// taken for dead. Points that stones in seki surround count where `seki_counts`.
    pub fn new(board: &Board, dead: &[bool], seki_counts: bool) -> Count {
        let is_dead = |point| dead.get(usize::from(board.cell(point))) == Some(&true);
        let mut living = board.clone();
        let mut counted = [0; 2];
        for point in board.points().filter(|&p| is_dead(p)) {
            if let Some(color) = board.stone(point) {
                counted[color.index()] += 1;
            }
        }
        if counted != [0; 2] {
            living = board.keep(|point| !is_dead(point));
        }
        let mut owners = owners(&living);
        if !seki_counts {
            for point in seki_territory(&living, &owners) {
                owners[usize::from(board.cell(point))] = None;
            }
        }
        let mut count = Count {
            owners: Vec::new(),
            stones: [0; 2],
            territory: [0; 2],
            dead: counted,
            neutral: 0,
        };
        for (point, &owner) in living.points().zip(&owners) {
            match (living.stone(point), owner) {
                (Some(color), _) => count.stones[color.index()] += 1,
                (None, Some(color)) => count.territory[color.index()] += 1,
                (None, None) => count.neutral += 1,
            }
        }
        count.owners = owners;
        count
    }

    /// Black's and white's points on the board (without komi, and prisoners without dead stones).
    pub fn points(&self, scoring: Scoring) -> [u32; 2] {
        let [black, white] = self.territory;
        match scoring {
            Scoring::Area => [black + self.stones[0], white + self.stones[1]],
            Scoring::Territory => [black + self.dead[1], white + self.dead[0]],
        }
    }
}

/// A region of empty points and the colours of the stones around it.
struct Region {
    points: Vec<Point>,
    reaches: [bool; 2],
}

/// All regions of empty points.
fn regions(board: &Board) -> Vec<Region> {
    let mut seen = vec![false; usize::from(board.area())];
    let mut regions = Vec::new();
    for start in board.points() {
        if !board.is_empty(start) || seen[usize::from(board.cell(start))] {
            continue;
        }
        seen[usize::from(board.cell(start))] = true;
        let mut region = Region {
            points: vec![start],
            reaches: [false; 2],
        };
        let mut next = 0;
        while let Some(&point) = region.points.get(next) {
            next += 1;
            for n in board.neighbors(point) {
                if let Some(color) = board.stone(n) {
                    region.reaches[color.index()] = true;
                } else if board.is_empty(n) && !seen[usize::from(board.cell(n))] {
                    seen[usize::from(board.cell(n))] = true;
                    region.points.push(n);
                }
            }
        }
        regions.push(region);
    }
    regions
}

/// The owner of every cell (row by row from the top) with every stone living: stones by colour,
/// empty regions that reach one colour only by that colour, everything else `None`.
pub fn owners(board: &Board) -> Vec<Option<Color>> {
    let mut owners: Vec<Option<Color>> = board.points().map(|p| board.stone(p)).collect();
    for region in regions(board) {
        let owner = match region.reaches {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        };
        for point in region.points {
            owners[usize::from(board.cell(point))] = owner;
        }
    }
    owners
}

/// The area of black and of white with every stone living.
pub fn area(board: &Board) -> (u32, u32) {
    let owners = owners(board);
    let count = |color| owners.iter().filter(|&&o| o == Some(color)).count() as u32;
    (count(Color::Black), count(Color::White))
}

/// Whether a stone of `color` at the empty `point` would stand in atari or not be allowed.
fn cannot_fill(board: &Board, point: Point, color: Color) -> bool {
    board.would_be_suicide(point, color) || tactics::is_self_atari(board, point, color)
}

/// The groups (a stone of each, perhaps several times) beside a region of neutral points none of
/// which either side can fill: those that live in seki, if none of them is dead.
fn seki_groups(board: &Board) -> Vec<Point> {
    let mut in_seki: Vec<Point> = Vec::new();
    for region in regions(board) {
        let is_neutral = region.reaches == [true, true];
        let is_stuck = is_neutral
            && region
                .points
                .iter()
                .all(|&p| Color::ALL.iter().all(|&c| cannot_fill(board, p, c)));
        if is_stuck {
            let beside = region.points.iter().flat_map(|&p| board.neighbors(p));
            in_seki.extend(
                beside
                    .filter(|&n| board.stone(n).is_some())
                    .map(|n| board.root(n)),
            );
        }
    }
    in_seki
}

/// Which stones live in seki, per cell, if those marked in `dead` are dead.
pub fn seki(board: &Board, dead: &[bool]) -> Vec<bool> {
    let is_dead = |point| dead.get(usize::from(board.cell(point))) == Some(&true);
    let living = board.keep(|point| !is_dead(point));
    let groups = seki_groups(&living);
    let points = living.points();
    points
        .map(|p| living.stone(p).is_some() && groups.contains(&living.root(p)))
        .collect()
}

/// The owned empty points that stones in seki surround. `owners` are those of `board`.
fn seki_territory(board: &Board, owners: &[Option<Color>]) -> Vec<Point> {
    let owner = |point| {
        owners
            .get(usize::from(board.cell(point)))
            .copied()
            .flatten()
    };
    let in_seki = seki_groups(board);
    if in_seki.is_empty() {
        return Vec::new();
    }
    let touches_seki = |region: &Region| {
        let beside = region.points.iter().flat_map(|&p| board.neighbors(p));
        beside
            .filter(|&n| board.stone(n).is_some())
            .any(|n| in_seki.contains(&board.root(n)))
    };
    regions(board)
        .into_iter()
        .filter(|region| {
            region.points.first().is_some_and(|&p| owner(p).is_some()) && touches_seki(region)
        })
        .flat_map(|region| region.points)
        .collect()
}
