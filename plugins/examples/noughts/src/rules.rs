//! The state of a game and its rules: which moves are legal, what they do, and
//! when the game is over. No words and no search.

use qiju_sdk::abi::{
    GP_MOVE_FLAG, GP_MOVE_PLACE, GP_MOVE_RESIGN, GP_NONE, GP_REASON_FULL, GP_REASON_LINE,
    GP_REASON_RESIGN, GP_REASON_TIME,
};
use qiju_sdk::{Move, Outcome};

/// Squares along one side of the board.
pub const SIDE: usize = 3;
/// Squares of the board, row by row from the top left.
pub const CELLS: usize = SIDE * SIDE;

/// Every line of three: rows, columns, diagonals.
pub const LINES: [[usize; SIDE]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// What a line of three does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Whoever makes a line wins.
    Normal,
    /// Whoever makes a line loses.
    Misere,
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// The game has no such move at all.
    Unknown,
    /// There is no such square.
    OffBoard,
    /// The square is not empty.
    Taken,
}

/// One state of a game. Player 0 plays crosses and begins, player 1 plays noughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noughts {
    rule: Rule,
    /// The player whose mark stands on each square.
    cells: [Option<u16>; CELLS],
    turn: u16,
    moves: u32,
    last: Option<usize>,
    outcome: Outcome,
}

impl Noughts {
    /// An empty board.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            cells: [None; CELLS],
            turn: 0,
            moves: 0,
            last: None,
            outcome: Outcome::Running,
        }
    }

    /// What a line of three does.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The player whose mark stands on each square, row by row from the top left.
    pub fn squares(&self) -> &[Option<u16>; CELLS] {
        &self.cells
    }

    /// The empty squares.
    pub fn empty(&self) -> impl Iterator<Item = usize> + '_ {
        (0..CELLS).filter(|&cell| self.cells[cell].is_none())
    }

    /// The player to move; whoever would be, if the game is over.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// Moves played, a resignation counted.
    pub fn move_number(&self) -> u32 {
        self.moves
    }

    /// The square of the last mark.
    pub fn last(&self) -> Option<usize> {
        self.last
    }

    /// How the game stands.
    pub fn result(&self) -> Outcome {
        self.outcome
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.outcome != Outcome::Running
    }

    /// The lines that one player holds whole: at most two.
    pub fn full_lines(&self) -> impl Iterator<Item = &'static [usize; SIDE]> + '_ {
        LINES.iter().filter(|line| {
            let [a, b, c] = line.map(|cell| self.cells[cell]);
            a.is_some() && a == b && b == c
        })
    }

    /// A number that equal states share and no two different ones do.
    pub fn key(&self) -> u64 {
        let board = self.cells.iter().fold(0, |key, cell| {
            key * 3 + cell.map_or(0, |player| u64::from(player) + 1)
        });
        // A resigned game has the board of one that goes on.
        let end = match self.outcome {
            Outcome::Win { winner, .. } => u64::from(winner) + 1,
            Outcome::Running => 0,
            _ => 3,
        };
        board * 8 + end * 2 + u64::from(self.rule == Rule::Misere)
    }

    /// Why a move is illegal; `None` for a legal one.
    pub fn refusal(&self, mv: Move) -> Option<Refusal> {
        // A move is legal in one form only: fields that it does not use stand for "none".
        let known = match mv.kind {
            GP_MOVE_PLACE => mv.from == GP_NONE && mv.arg == 0,
            GP_MOVE_RESIGN => (mv.from, mv.to, mv.arg) == (GP_NONE, GP_NONE, 0),
            GP_MOVE_FLAG => (mv.from, mv.to) == (GP_NONE, GP_NONE) && mv.arg < 2,
            _ => false,
        };
        if !known {
            return Some(Refusal::Unknown);
        }
        if self.is_over() {
            return Some(Refusal::Over);
        }
        if mv.kind != GP_MOVE_PLACE {
            return None;
        }
        match self.cells.get(usize::from(mv.to)) {
            None => Some(Refusal::OffBoard),
            Some(Some(_)) => Some(Refusal::Taken),
            Some(None) => None,
        }
    }

    /// Plays any legal move.
    ///
    /// # Errors
    /// Why it is illegal; the state is as before.
    pub fn play(&mut self, mv: Move) -> Result<(), Refusal> {
        if let Some(refusal) = self.refusal(mv) {
            return Err(refusal);
        }
        match mv.kind {
            GP_MOVE_RESIGN => self.give_up(self.turn, GP_REASON_RESIGN),
            GP_MOVE_FLAG => self.give_up(mv.arg, GP_REASON_TIME),
            _ => self.mark(usize::from(mv.to)),
        }
        Ok(())
    }

    fn give_up(&mut self, loser: u16, reason: u16) {
        self.moves += 1;
        self.outcome = Outcome::Win {
            winner: 1 - loser,
            reason,
        };
    }

    /// Puts the mark of the player to move on a square. The caller knows that it is
    /// empty and that the game runs: the search plays millions of these.
    pub fn mark(&mut self, cell: usize) {
        let player = self.turn;
        self.cells[cell] = Some(player);
        self.last = Some(cell);
        self.moves += 1;
        self.turn = 1 - player;
        let lined = LINES.iter().any(|line| {
            line.contains(&cell) && line.iter().all(|&cell| self.cells[cell] == Some(player))
        });
        if lined {
            self.outcome = Outcome::Win {
                winner: match self.rule {
                    Rule::Normal => player,
                    Rule::Misere => 1 - player,
                },
                reason: GP_REASON_LINE,
            };
        } else if self.empty().next().is_none() {
            self.outcome = Outcome::Draw(GP_REASON_FULL);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use qiju_sdk::{place, plain};

    use super::*;

    /// Counts the games from a state on: won by crosses, won by noughts, drawn.
    fn count(state: &Noughts, games: &mut [u32; 3], positions: &mut HashSet<u64>) {
        positions.insert(state.key());
        match state.result() {
            Outcome::Win { winner, .. } => games[usize::from(winner)] += 1,
            Outcome::Running => {
                for cell in state.empty() {
                    let mut next = *state;
                    next.mark(cell);
                    count(&next, games, positions);
                }
            }
            _ => games[2] += 1,
        }
    }

    /// The numbers are those of the literature: 255 168 games over 5 478 positions.
    #[test]
    fn all_games_are_as_many_as_is_known() {
        let (mut games, mut positions) = ([0; 3], HashSet::new());
        count(&Noughts::new(Rule::Normal), &mut games, &mut positions);
        assert_eq!(games, [131_184, 77_904, 46_080]);
        assert_eq!(positions.len(), 5_478);
    }

    #[test]
    fn a_line_wins_or_in_misere_loses() {
        for line in LINES {
            for (rule, winner) in [(Rule::Normal, 0), (Rule::Misere, 1)] {
                let mut state = Noughts::new(rule);
                let mut others = (0..CELLS).filter(|cell| !line.contains(cell));
                for cell in line {
                    state.mark(cell);
                    if let Some(other) = others.next().filter(|_| !state.is_over()) {
                        state.mark(other);
                    }
                }
                assert_eq!(
                    state.result(),
                    Outcome::Win {
                        winner,
                        reason: GP_REASON_LINE
                    }
                );
                assert_eq!(state.full_lines().collect::<Vec<_>>(), [&line]);
            }
        }
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
        let mut state = Noughts::new(Rule::Normal);
        for cell in [4, 0, 2, 6, 3, 5, 1, 7, 8] {
            assert!(!state.is_over());
            state.mark(cell);
        }
        assert_eq!(state.result(), Outcome::Draw(GP_REASON_FULL));
    }

    #[test]
    fn an_illegal_move_says_why_and_changes_nothing() {
        let mut state = Noughts::new(Rule::Normal);
        state.mark(4);
        let before = state;
        let odd = Move { arg: 7, ..place(0) };
        for (mv, refusal) in [
            (place(4), Refusal::Taken),
            (place(9), Refusal::OffBoard),
            (place(GP_NONE), Refusal::OffBoard),
            (odd, Refusal::Unknown),
            (qiju_sdk::step(4, 0), Refusal::Unknown),
            (plain(0), Refusal::Unknown),
        ] {
            assert_eq!(state.play(mv), Err(refusal), "{mv:?}");
            assert_eq!(state, before);
        }
    }

    #[test]
    fn who_gives_up_or_runs_out_of_time_loses() {
        let flag = |player| Move {
            arg: player,
            ..plain(GP_MOVE_FLAG)
        };
        for (mv, winner, reason) in [
            (plain(GP_MOVE_RESIGN), 0, GP_REASON_RESIGN),
            (flag(0), 1, GP_REASON_TIME),
            (flag(1), 0, GP_REASON_TIME),
        ] {
            let mut state = Noughts::new(Rule::Normal);
            state.mark(4);
            let running = state.key();
            assert_eq!(state.play(mv), Ok(()));
            assert_eq!(state.result(), Outcome::Win { winner, reason });
            assert_ne!(state.key(), running);
            assert_eq!(state.play(place(0)), Err(Refusal::Over));
        }
        assert_eq!(
            Noughts::new(Rule::Normal).play(flag(2)),
            Err(Refusal::Unknown)
        );
    }
}
