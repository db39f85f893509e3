//! The fast board against a slow one that knows nothing but the rules.

use super::*;

/// Stones in a plain array; everything is found by flood fill.
#[derive(Clone, PartialEq)]
struct Plain {
    size: usize,
    stones: Vec<Option<Color>>,
    /// The fast board's name of each cell, to look up its keys.
    points: Vec<Point>,
}

impl Plain {
    fn new(size: u8) -> Plain {
        let points = Board::new(size).points().collect();
        let size = usize::from(size);
        Plain {
            size,
            points,
            stones: vec![None; size * size],
        }
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (size, row, column) = (self.size, cell / self.size, cell % self.size);
        let up = (row > 0).then(|| cell - size);
        let down = (row + 1 < size).then_some(cell + size);
        let left = (column > 0).then(|| cell - 1);
        let right = (column + 1 < size).then_some(cell + 1);
        [up, down, left, right].into_iter().flatten()
    }

    /// The stones and the liberties of the group at `cell`, each in ascending order.
    fn group(&self, cell: usize) -> (Vec<usize>, Vec<usize>) {
        let color = self.stones[cell];
        let (mut stones, mut liberties) = (vec![cell], Vec::new());
        let mut seen = vec![false; self.stones.len()];
        seen[cell] = true;
        let mut next = 0;
        while next < stones.len() {
            for n in self.neighbors(stones[next]) {
                if !seen[n] && self.stones[n].is_none() {
                    liberties.push(n);
                    seen[n] = true;
                } else if !seen[n] && self.stones[n] == color {
                    stones.push(n);
                    seen[n] = true;
                }
            }
            next += 1;
        }
        stones.sort_unstable();
        liberties.sort_unstable();
        (stones, liberties)
    }

    /// Plays and returns the enemy stones taken, and whether it was suicide.
    fn play(&mut self, cell: usize, color: Color) -> (usize, bool) {
        self.stones[cell] = Some(color);
        let mut taken = 0;
        for n in self.neighbors(cell) {
            if self.stones[n] == Some(!color) {
                let (stones, liberties) = self.group(n);
                if liberties.is_empty() {
                    taken += stones.len();
                    for s in stones {
                        self.stones[s] = None;
                    }
                }
            }
        }
        let (stones, liberties) = self.group(cell);
        for s in stones.iter().filter(|_| liberties.is_empty()) {
            self.stones[*s] = None;
        }
        (taken, liberties.is_empty())
    }

    fn key(&self) -> u64 {
        let stones = self.stones.iter().zip(&self.points);
        stones
            .filter_map(|(stone, &point)| stone.map(|color| ZOBRIST[color.index()][point]))
            .fold(0, |key, stone| key ^ stone)
    }

    fn is_eye(&self, cell: usize, color: Color) -> bool {
        let (row, column) = (cell / self.size, cell % self.size);
        let (mut hostile, mut edge) = (0, false);
        for (r, c) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let (row, column) = (row as isize + r, column as isize + c);
            let side = self.size as isize;
            if row < 0 || column < 0 || row >= side || column >= side {
                edge = true;
            } else if self.stones[(row * side + column) as usize] == Some(!color) {
                hostile += 1;
            }
        }
        self.stones[cell].is_none()
            && self.neighbors(cell).all(|n| self.stones[n] == Some(color))
            && hostile <= usize::from(!edge)
    }
}

/// Compares everything that follows from the stones.
fn assert_equal(board: &Board, plain: &Plain, place: &str) {
    let mut empty = 0;
    let mut count = [0_u16; 2];
    for point in board.points() {
        let cell = usize::from(board.cell(point));
        assert_eq!(board.point(cell as u16), Some(point), "{place}");
        assert_eq!(board.stone(point), plain.stones[cell], "{place}, {cell}");
        let neighbors: Vec<usize> = plain.neighbors(cell).collect();
        let border = 4 - neighbors.len();
        for color in Color::ALL {
            let own = neighbors
                .iter()
                .filter(|&&n| plain.stones[n] == Some(color))
                .count();
            let fast = usize::from(board.own_or_border_neighbors(point, color));
            assert_eq!(fast, own + border, "{place}, around {cell}");
        }
        let open = neighbors
            .iter()
            .filter(|&&n| plain.stones[n].is_none())
            .count();
        assert_eq!(usize::from(board.empty_neighbors(point)), open, "{place}");
        let Some(color) = plain.stones[cell] else {
            empty += 1;
            assert_eq!(board.empties()[usize::from(board.slot[point])], point);
            continue;
        };
        count[color.index()] += 1;
        let (stones, liberties) = plain.group(cell);
        let mut fast: Vec<usize> = board
            .group(point)
            .map(|p| usize::from(board.cell(p)))
            .collect();
        fast.sort_unstable();
        assert_eq!(fast, stones, "{place}, group of {cell}");
        assert_eq!(usize::from(board.group_size(point)), stones.len());
        assert!(
            board
                .group(point)
                .all(|p| board.root(p) == board.root(point))
        );
        assert_eq!(board.liberties(point) as usize, liberties.len(), "{place}");
        let mut out = [Point::PASS; 8];
        let found = board.some_liberties(point, &mut out, 3);
        assert_eq!(found, liberties.len().min(3), "{place}");
        let atari = board.atari(point).map(|p| usize::from(board.cell(p)));
        let expected = (liberties.len() == 1).then(|| liberties[0]);
        assert_eq!(atari, expected, "{place}, atari of {cell}");
    }
    assert_eq!(board.empties().len(), empty, "{place}");
    for color in Color::ALL {
        assert_eq!(board.stones(color), count[color.index()], "{place}");
    }
    assert_eq!(board.key(), plain.key(), "{place}");
}

/// Plays one random game on both boards. With `suicide`, suicides are played too.
fn random_game(size: u8, seed: u64, suicide: bool) {
    let mut rng = Rng::new(seed);
    let mut board = Board::new(size);
    let mut plain = Plain::new(size);
    let mut before = plain.clone();
    let mut taken_by = [0_u32; 2];
    let mut color = Color::Black;
    for number in 0..3 * board.area() / 2 + 20 {
        let place = format!("size {size}, seed {seed}, move {number}");
        assert_equal(&board, &plain, &place);
        // Legality, ko and the key of every possible move, from the rules alone.
        let mut legal = Vec::new();
        for point in board.points() {
            let cell = usize::from(board.cell(point));
            assert_eq!(
                board.is_eye(point, color) && board.is_empty(point),
                plain.is_eye(cell, color),
                "{place}"
            );
            if plain.stones[cell].is_some() {
                assert!(!board.is_legal(point, color), "{place}");
                continue;
            }
            let mut after = plain.clone();
            let (_, is_suicide) = after.play(cell, color);
            let is_ko = after == before && number > 0;
            assert_eq!(board.would_be_suicide(point, color), is_suicide, "{place}");
            assert_eq!(board.key_after(point, color), after.key(), "{place}");
            if !is_suicide {
                assert_eq!(board.ko_point() == point, is_ko, "{place}, ko at {cell}");
                assert_eq!(board.is_legal(point, color), !is_ko, "{place}, {cell}");
            }
            if !is_ko && (suicide || !is_suicide) {
                legal.push(point);
            }
        }
        let pass = rng.below(20) == 0;
        before = plain.clone();
        if pass || legal.is_empty() {
            board.pass();
        } else {
            let point = legal[rng.below(legal.len() as u32) as usize];
            let stones = plain
                .stones
                .iter()
                .flatten()
                .filter(|&&s| s == color)
                .count();
            let (taken, is_suicide) = plain.play(usize::from(board.cell(point)), color);
            assert_eq!(board.play(point, color), taken as u32, "{place}");
            taken_by[color.index()] += taken as u32;
            if is_suicide {
                let left = plain
                    .stones
                    .iter()
                    .flatten()
                    .filter(|&&s| s == color)
                    .count();
                taken_by[(!color).index()] += (stones + 1 - left) as u32;
            }
            for c in Color::ALL {
                assert_eq!(board.captures(c), taken_by[c.index()], "{place}");
            }
        }
        color = !color;
    }
}

#[test]
fn equals_the_plain_board_in_random_games() {
    for (size, games) in [
        (2, 300),
        (3, 600),
        (4, 400),
        (5, 300),
        (6, 60),
        (7, 40),
        (9, 10),
        (13, 2),
        (19, 1),
    ] {
        for seed in 0..games {
            random_game(size, 1_000 * u64::from(size) + seed, false);
            random_game(size, 77_000 * u64::from(size) + seed, true);
        }
    }
    random_game(25, 25_000, false);
}

#[test]
fn copies_across_sizes() {
    let mut rng = Rng::new(5);
    let mut target = Board::new(25);
    for size in [25, 9, 19, 2, 13, 5] {
        let mut board = Board::new(size);
        let mut color = Color::Black;
        for _ in 0..board.area() {
            if let Some(point) = board.random_move(color, &mut rng) {
                board.play(point, color);
            }
            color = !color;
        }
        target.copy_from(&board);
        let mut plain = Plain::new(size);
        for point in board.points() {
            plain.stones[usize::from(board.cell(point))] = board.stone(point);
        }
        assert_equal(&target, &plain, &format!("size {size}"));
        assert_eq!(target.ko_point(), board.ko_point());
    }
}

#[test]
fn random_moves_are_even() {
    // Two legal points of four: the border cases of the list must not tilt the draw. 20,000 draws
    // of a fair coin are within 4 standard deviations (141 each) of 10,000 for this fixed seed.
    let mut board = Board::new(2);
    let points: Vec<Point> = board.points().collect();
    board.play(points[0], Color::Black);
    board.play(points[3], Color::White);
    let mut rng = Rng::new(42);
    let mut first = 0_i32;
    for _ in 0..20_000 {
        let point = board.random_move(Color::Black, &mut rng);
        assert!(point == Some(points[1]) || point == Some(points[2]));
        first += i32::from(point == Some(points[1]));
    }
    assert!((first - 10_000).abs() < 4 * 71, "{first}");
}

#[test]
fn lines_are_counted_from_the_nearest_edge() {
    let board = Board::new(9);
    let line = |row: u16, column: u16| board.point(row * 9 + column).map(|p| board.line(p));
    assert_eq!(line(0, 0), Some(1));
    assert_eq!(line(8, 4), Some(1));
    assert_eq!(line(4, 7), Some(2));
    assert_eq!(line(2, 3), Some(3));
    assert_eq!(line(4, 4), Some(5));
    assert_eq!(board.point(81), None);
}
