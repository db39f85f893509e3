//! Wins by threats alone: by continuous fours (VCF), and by fours and open threes (VCT).
//!
//! A four leaves the other a single answer, an open three a handful, so that a long win can be read out where a search over all
//! moves sees nothing yet. Source of the method: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens,
//! "Go-Moku and Threat-Space Search", University of Limburg, 1993. Here every answer of the defender is tried, where theirs lets him
//! play all of them at once; that is slower and proves more.

use crate::ai::class::Class;
use crate::ai::field::Field;
use crate::color::Color;

/// Most fours in a row of a [`Solver::vcf`] within a search for threes.
const FOURS_IN_THREES: u32 = 12;

/// Positions whose failure is remembered, per kind of search.
const MEMORY: usize = 1 << 15;

/// Positions where a search of some depth has failed. A newer entry takes an older one's place.
struct Failures(Vec<u64>);

impl Failures {
    fn new() -> Failures {
        Failures(vec![0; MEMORY])
    }

    /// The depth takes the place of the lowest bits of the key, which choose the slot.
    fn slot(&self, key: u64) -> (usize, u64) {
        (key as usize & (MEMORY - 1), key & !0xFF)
    }

    fn has(&self, key: u64, depth: u32) -> bool {
        let (slot, key) = self.slot(key);
        let entry = self.0[slot];
        entry & !0xFF == key && entry & 0xFF > u64::from(depth.min(0xFE))
    }

    fn add(&mut self, key: u64, depth: u32) {
        let (slot, key) = self.slot(key);
        self.0[slot] = key | (u64::from(depth.min(0xFE)) + 1);
    }
}

/// A win that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Win {
    /// Half-moves to the five, which is the last of them; at most so many if the other goes wrong.
    pub plies: u32,
    /// The line, beginning with the winning move, up to the move that leaves no answer.
    pub line: Vec<u16>,
}

/// Reads threats out.
pub struct Solver {
    fours: Failures,
    threes: Failures,
    /// Positions looked at since the start.
    pub nodes: u64,
    /// [`Solver::nodes`] at which it gives up.
    limit: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

/// The moves of a position with what they are ordered by.
type Ordered = arrayvec::ArrayVec<(Class, i32, u16), 64>;

impl Solver {
    /// One that remembers nothing yet.
    pub fn new() -> Solver {
        Solver {
            fours: Failures::new(),
            threes: Failures::new(),
            nodes: 0,
            limit: 0,
        }
    }

    fn is_over(&self) -> bool {
        self.nodes >= self.limit
    }

    /// Whether a colour, who is to move, wins by fours alone: `depth` of them at the most, within a number of positions. The field is as before afterwards.
    pub fn vcf(&mut self, field: &mut Field, us: Color, depth: u32, nodes: u64) -> Option<Win> {
        self.limit = self.nodes.saturating_add(nodes);
        self.four(field, us, depth).map(finish)
    }

    /// Whether a colour, who is to move, wins by fours and open threes: `depth` of them at the most, tried with few of them first, within
    /// a number of positions. The field is as before afterwards.
    pub fn vct(&mut self, field: &mut Field, us: Color, depth: u32, nodes: u64) -> Option<Win> {
        self.limit = self.nodes.saturating_add(nodes);
        (1..=depth)
            .map_while(|depth| {
                let win = self.three(field, us, depth);
                (win.is_some() || !self.is_over()).then_some(win)
            })
            .find_map(|win| win)
            .map(finish)
    }

    /// The attacker is to move and may make fours.
    fn four(&mut self, field: &mut Field, us: Color, depth: u32) -> Option<Win> {
        self.nodes += 1;
        let block = match at_once(field, us) {
            Ok(win) => return win,
            Err(block) => block,
        };
        let has_fours =
            field.has(us, Class::Four, Class::OpenFour) || field.count(us, Class::Suspect) > 0;
        if depth == 0 || !has_fours || self.is_over() {
            return None;
        }
        let key = position_key(field, us);
        if self.fours.has(key, depth) {
            return None;
        }
        for (_, _, cell) in attacks(field, us, block, Class::Four) {
            field.play(cell, us);
            let win =
                self.answer_to_four(field, us, |solver, field| solver.four(field, us, depth - 1));
            field.undo();
            if let Some(win) = win {
                return Some(extend(win, cell));
            }
        }
        if !self.is_over() {
            self.fours.add(key, depth);
        }
        None
    }

    /// The defender has to answer a four that the attacker has just made; then the attacker goes `on`.
    fn answer_to_four(
        &mut self,
        field: &mut Field,
        us: Color,
        on: impl FnOnce(&mut Solver, &mut Field) -> Option<Win>,
    ) -> Option<Win> {
        let them = us.other();
        if field.count(them, Class::Five) > 0 {
            return None;
        }
        let five = field.find(us, Class::Five)?;
        if field.count(us, Class::Five) > 1 || field.is_forbidden(them, five) {
            return Some(Win {
                plies: 2,
                line: Vec::new(),
            });
        }
        field.play(five, them);
        let win = on(self, field);
        field.undo();
        win.map(|win| extend(win, five))
    }

    /// The attacker is to move and may make fours and open threes.
    fn three(&mut self, field: &mut Field, us: Color, depth: u32) -> Option<Win> {
        self.nodes += 1;
        let block = match at_once(field, us) {
            Ok(win) => return win,
            Err(block) => block,
        };
        if let Some(win) = self.four(field, us, FOURS_IN_THREES) {
            return Some(win);
        }
        if depth == 0 || self.is_over() {
            return None;
        }
        let key = position_key(field, us);
        if self.threes.has(key, depth) {
            return None;
        }
        for (_, _, cell) in attacks(field, us, block, Class::Three) {
            field.play(cell, us);
            let win = self.answer(field, us, depth - 1);
            field.undo();
            if let Some(win) = win {
                return Some(extend(win, cell));
            }
            if self.is_over() {
                return None;
            }
        }
        self.threes.add(key, depth);
        None
    }

    /// The defender has to answer a threat that the attacker has just made.
    fn answer(&mut self, field: &mut Field, us: Color, depth: u32) -> Option<Win> {
        self.nodes += 1;
        let them = us.other();
        if field.count(us, Class::Five) > 0 {
            return self.answer_to_four(field, us, |solver, field| solver.three(field, us, depth));
        }
        let is_threat = field.has(us, Class::DoubleFour, Class::OpenFour);
        let is_slower = field.count(them, Class::Five) > 0
            || field.has(them, Class::DoubleFour, Class::OpenFour);
        if !is_threat || is_slower {
            return None;
        }
        let mut longest: Option<Win> = None;
        for cell in defences(field, them) {
            field.play(cell, them);
            let win = self.three(field, us, depth);
            field.undo();
            let win = extend(win?, cell);
            if longest.as_ref().is_none_or(|best| win.plies > best.plies) {
                longest = Some(win);
            }
        }
        // Where nothing answers, the attacker's next move is the open four.
        longest.or(Some(Win {
            plies: 4,
            line: Vec::new(),
        }))
    }
}

/// A move before a line that has been found.
fn extend(mut win: Win, cell: u16) -> Win {
    win.plies += 1;
    win.line.push(cell);
    win
}

/// Lines grow from their ends.
fn finish(mut win: Win) -> Win {
    win.line.reverse();
    win
}

/// A number that differs with who is to move.
fn position_key(field: &Field, us: Color) -> u64 {
    match us {
        Color::Black => field.key(),
        Color::White => !field.key(),
    }
}

/// What is decided without reading: a win of the side to move or none (`Ok`), or the cell where it has to play, if any (`Err`).
fn at_once(field: &Field, us: Color) -> Result<Option<Win>, Option<u16>> {
    let win = |plies, cell| {
        Ok(Some(Win {
            plies,
            line: vec![cell],
        }))
    };
    if let Some(cell) = field.find(us, Class::Five) {
        return win(1, cell);
    }
    let them = us.other();
    match field.count(them, Class::Five) {
        0 => {}
        1 => return Err(field.find(them, Class::Five)),
        _ => return Ok(None),
    }
    let open = field
        .find(us, Class::OpenFour)
        .or_else(|| field.find(us, Class::DoubleFour));
    open.map_or(Err(None), |cell| win(3, cell))
}

/// The attacker's moves of at least a class, best first; only `block` where he has to play there.
fn attacks(field: &Field, us: Color, block: Option<u16>, from: Class) -> Ordered {
    let mut moves = Ordered::new();
    let mut consider = |cell: u16| {
        let mut class = field.class(us, cell);
        if class == Class::Suspect {
            if field.is_forbidden(us, cell) {
                return;
            }
            // At most one of its threes is real.
            let is_four = field.quad(us, cell).shapes().iter().any(|s| s.fours() > 0);
            class = if is_four { Class::Four } else { Class::Three };
        }
        if class >= from && !moves.is_full() {
            let worth = field.worth(us, cell) + field.worth(us.other(), cell) / 2;
            moves.push((class, worth, cell));
        }
    };
    match block {
        Some(cell) => consider(cell),
        None => {
            field.cells(us, from, Class::Five).for_each(&mut consider);
            if field.count(us, Class::Suspect) > 0 {
                field
                    .cells(us, Class::Suspect, Class::Suspect)
                    .for_each(&mut consider);
            }
        }
    }
    moves.sort_unstable_by(|a, b| b.cmp(a));
    moves
}

/// The moves of a side that may stop the other's open fours and double fours of next move: those on their lines, and fours of its
/// own.
pub fn defences(field: &mut Field, us: Color) -> Vec<u16> {
    let them = us.other();
    let threats: Vec<u16> = field
        .cells(them, Class::DoubleFour, Class::OpenFour)
        .collect();
    let mut cells: Vec<u16> = Vec::new();
    for &threat in &threats {
        cells.push(threat);
        for direction in 0..4 {
            if field.quad(them, threat).get(direction).fours() > 0 {
                cells.extend(
                    field
                        .line(threat, direction)
                        .filter(|&cell| field.is_empty(cell)),
                );
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells.retain(|&cell| {
        if field.is_forbidden(us, cell) {
            return false;
        }
        field.play(cell, us);
        let is_stopped = !field.has(them, Class::DoubleFour, Class::OpenFour);
        field.undo();
        is_stopped
    });
    // What stops most comes first.
    cells.sort_by_key(|&cell| std::cmp::Reverse(field.worth(us, cell) + field.worth(them, cell)));
    let fours: Vec<u16> = attacks(field, us, None, Class::Four)
        .into_iter()
        .map(|(_, _, cell)| cell)
        .filter(|cell| !cells.contains(cell))
        .collect();
    cells.extend(fours);
    cells
}
