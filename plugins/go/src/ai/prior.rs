//! What a move looks like before it is tried: the features of Go that every player knows.
//!
//! Each feature adds games won or lost in thought (see [`Prior`]).

use crate::ai::evaluator::{Prior, Situation};
use crate::ai::pattern;
use crate::ai::tactics::{self, Found, LadderReader};
use crate::board::{Board, Color, Point};
use crate::point::Table;

/// Every move begins with as many games, half of them won.
const EVEN: f32 = 10.0;
/// Puts itself in atari for nothing.
const SELF_ATARI: f32 = 12.0;
/// Takes one stone.
const CAPTURE_ONE: f32 = 15.0;
/// Takes several stones.
const CAPTURE_MANY: f32 = 30.0;
/// Frees a group of its own from atari; for each stone up to four.
const RESCUE: f32 = 8.0;
/// Runs with a group that a ladder takes anyway.
const LOST_LADDER: f32 = 12.0;
/// Starts a ladder that works, for each stone up to four.
const LADDER: f32 = 6.0;
/// Puts an enemy group in atari.
const ATARI: f32 = 4.0;
/// Makes a known shape.
const SHAPE: f32 = 10.0;
/// Is one, two or three steps from the last move.
const NEAR_LAST: [f32; 3] = [12.0, 8.0, 4.0];
/// Is one or two steps from the move before.
const NEAR_OWN: [f32; 2] = [4.0, 2.0];
/// On the first line where no stone is near; half of it beside stones.
const FIRST_LINE: f32 = 20.0;
/// On the second line where no stone is near.
const SECOND_LINE: f32 = 8.0;
/// On the third line where no stone is near.
const THIRD_LINE: f32 = 10.0;
/// On the fourth line where no stone is near.
const FOURTH_LINE: f32 = 8.0;
/// Steps from the nearest stone at which none is near.
const FAR: u8 = 4;
/// A pass: rarely right before the end.
const PASS: f32 = 15.0;

/// Appends one prior for each of `moves`.
pub fn judge(
    situation: Situation<'_>,
    moves: &[Point],
    ladders: &mut LadderReader,
    priors: &mut Vec<Prior>,
) {
    let threats = Threats::read(situation.board, situation.to_move, ladders);
    judge_with(situation, moves, Some(&threats), priors);
}

/// As [`judge`], by somebody who sees shapes and where the last moves were, but overlooks which stones
/// can be taken.
pub fn glance(situation: Situation<'_>, moves: &[Point], priors: &mut Vec<Prior>) {
    judge_with(situation, moves, None, priors);
}

fn judge_with(
    situation: Situation<'_>,
    moves: &[Point],
    threats: Option<&Threats>,
    priors: &mut Vec<Prior>,
) {
    let Situation {
        board,
        to_move,
        last,
    } = situation;
    let near = Nearness::new(board, last);
    let company = Company::new(board);
    for &point in moves {
        let mut prior = Prior {
            wins: EVEN / 2.0,
            games: EVEN,
        };
        let mut add = |games: f32, win: bool| {
            prior.games += games;
            prior.wins += if win { games } else { 0.0 };
        };
        if point == Point::PASS {
            add(PASS, false);
            priors.push(prior);
            continue;
        }
        let captures = tactics::captures(board, point, to_move);
        if captures == 0 && tactics::is_self_atari(board, point, to_move) {
            add(SELF_ATARI, false);
        }
        if let Some(threats) = threats {
            match captures {
                0 => {}
                1 => add(CAPTURE_ONE, true),
                _ => add(CAPTURE_MANY, true),
            }
            let threat = threats.good[point];
            if threat > 0.0 {
                add(threat, true);
            }
            if threats.lost[point] {
                add(LOST_LADDER, false);
            }
        }
        if pattern::matches(board, point) {
            add(SHAPE, true);
        }
        let (step, own_step) = near.steps(board, point);
        if let Some(&games) = NEAR_LAST.get(step.wrapping_sub(1)) {
            add(games, true);
        }
        if let Some(&games) = NEAR_OWN.get(own_step.wrapping_sub(1)) {
            add(games, true);
        }
        match (board.line(point), company.steps[point]) {
            (1, 3..) => add(FIRST_LINE, false),
            (1, _) => add(FIRST_LINE / 2.0, false),
            (2, FAR) => add(SECOND_LINE, false),
            (3, FAR) => add(THIRD_LINE, true),
            (4, FAR) => add(FOURTH_LINE, true),
            _ => {}
        }
        priors.push(prior);
    }
}

/// What groups in danger ask for: games to add at each point.
struct Threats {
    good: Table<f32>,
    lost: Table<bool>,
}

impl Threats {
    fn read(board: &Board, to_move: Color, ladders: &mut LadderReader) -> Threats {
        let mut threats = Threats {
            good: Table::new(0.0),
            lost: Table::new(false),
        };
        for root in board.points().filter(|&p| board.root(p) == p) {
            let Some(owner) = board.stone(root) else {
                continue;
            };
            let stones = f32::from(board.group_size(root).min(4));
            let mut liberties = [Point::PASS; 8];
            match (
                owner == to_move,
                board.some_liberties(root, &mut liberties, 3),
            ) {
                (true, 1) => {
                    let liberty = liberties[0];
                    let mut found = Found::new();
                    tactics::escapes(board, root, liberty, to_move, &mut found);
                    if ladders.is_caught(board, root) {
                        threats.lost[liberty] = true;
                    } else {
                        for &point in found.as_slice() {
                            threats.good[point] += RESCUE * stones;
                        }
                    }
                }
                (false, 2) => {
                    if let Some(point) = ladders.attack(board, root) {
                        threats.good[point] += LADDER * stones;
                    }
                    for point in [liberties[0], liberties[1]] {
                        threats.good[point] += ATARI;
                    }
                }
                _ => {}
            }
        }
        threats
    }
}

/// Distance from the last two moves.
struct Nearness {
    last: [Option<(i32, i32)>; 2],
}

impl Nearness {
    fn new(board: &Board, last: [Point; 2]) -> Nearness {
        let place = |p: Point| (p != Point::PASS).then(|| row_column(board, p));
        Nearness {
            last: last.map(place),
        }
    }

    /// Steps from the last move and from the one before; a large number if there is none. A
    /// diagonal counts as one and a half, rounded down.
    fn steps(&self, board: &Board, point: Point) -> (usize, usize) {
        let (row, column) = row_column(board, point);
        let steps = |from: Option<(i32, i32)>| {
            from.map_or(99, |(r, c)| {
                let (dr, dc) = (row.abs_diff(r), column.abs_diff(c));
                (dr.max(dc) + dr.min(dc) / 2) as usize
            })
        };
        (steps(self.last[0]), steps(self.last[1]))
    }
}

fn row_column(board: &Board, point: Point) -> (i32, i32) {
    let (cell, size) = (i32::from(board.cell(point)), i32::from(board.size()));
    (cell / size, cell % size)
}

/// How many steps along lines the nearest stone of either side is away; [`FAR`] beyond that.
struct Company {
    steps: Table<u8>,
}

impl Company {
    fn new(board: &Board) -> Company {
        let mut steps = Table::new(FAR);
        let mut ring: Vec<Point> = board
            .points()
            .filter(|&p| board.stone(p).is_some())
            .collect();
        for &point in &ring {
            steps[point] = 0;
        }
        for distance in 1..FAR {
            let mut next = Vec::new();
            for &point in &ring {
                for n in board.neighbors(point) {
                    if board.is_on_board(n) && steps[n] == FAR {
                        steps[n] = distance;
                        next.push(n);
                    }
                }
            }
            ring = next;
        }
        Company { steps }
    }
}
