//! A state as the shell sees it: the SDK's trait over `rules.rs` and `words.rs`.

use qiju_sdk::abi::{
    GP_CELL_LAST, GP_CELL_PLAYABLE, GP_CELL_WINNING, GP_EVENT_END, GP_EVENT_PLACE, GP_EVENT_WIN,
    GP_MOVE_FLAG, GP_MOVE_PLACE, GP_MOVE_RESIGN, GP_REASON_LINE,
};
use qiju_sdk::{
    Area, Cell, Describe, Game, Illegal, Lang, Layout, Level, LevelResult, Move, OptionError,
    Options, Outcome, Status, Viewer, place, plain,
};

use crate::ai::{Negamax, worth_of_moves};
use crate::rules::{CELLS, LINES, Noughts, SIDE};
use crate::words;

/// Overlay 0: what each square is worth to the player to move.
const OVERLAY_WORTH: u32 = 0;
/// Overlay 1: lines through each square that the player to move can still make.
const OVERLAY_LINES: u32 = 1;

impl Game for Noughts {
    type Ai = Negamax;

    fn describe(lang: Lang) -> Describe {
        words::describe(lang)
    }

    // Nothing here is random, so the seed goes unused. A game that draws cards
    // or places stones takes all of its randomness from it.
    fn create(options: &Options, _seed: u64) -> Result<Self, OptionError> {
        Ok(Self::new(words::rule(options.text(words::RULE))))
    }

    fn layout(&self, lang: Lang) -> Layout {
        Layout {
            areas: vec![Area {
                columns: words::COLUMNS.map(str::to_owned).to_vec(),
                row_names: words::ROWS.map(str::to_owned).to_vec(),
                ..Area::cells(words::board_name(lang), SIDE as u32, SIDE as u32)
            }],
        }
    }

    fn cells(&self) -> usize {
        CELLS
    }

    // Nothing is hidden and no move has two clicks: every viewer sees the same.
    fn view(&self, _viewer: Viewer, _selected: Option<u16>, cells: &mut [Cell]) {
        for (cell, square) in cells.iter_mut().zip(self.squares()) {
            match square {
                Some(player) => cell.piece = player + 1,
                None if !self.is_over() => cell.flags |= GP_CELL_PLAYABLE,
                None => {}
            }
        }
        if let Some(last) = self.last() {
            cells[last].flags |= GP_CELL_LAST;
        }
        for &cell in self.full_lines().flatten() {
            cells[cell].flags |= GP_CELL_WINNING;
        }
    }

    fn status(&self) -> Status {
        Status {
            to_move: (!self.is_over()).then_some(self.turn()),
            outcome: self.result(),
            move_number: self.move_number(),
            key: self.key(),
            ..Status::default()
        }
    }

    fn status_text(&self, _viewer: Viewer, lang: Lang) -> String {
        words::status(self, lang)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if !self.is_over() {
            out.extend(self.empty().map(|cell| place(cell as u16)));
        }
    }

    fn apply(&mut self, mv: Move) -> Result<u32, Illegal> {
        self.play(mv).map_err(|_| Illegal)?;
        let placed = if mv.kind == GP_MOVE_PLACE {
            GP_EVENT_PLACE
        } else {
            0
        };
        Ok(placed
            | match self.result() {
                Outcome::Running => 0,
                Outcome::Win { .. } => GP_EVENT_WIN,
                _ => GP_EVENT_END,
            })
    }

    fn explain(&self, mv: Move, lang: Lang) -> Option<String> {
        self.refusal(mv)
            .map(|refusal| words::refusal(refusal, lang).to_owned())
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.kind {
            GP_MOVE_RESIGN => words::RESIGN.to_owned(),
            GP_MOVE_FLAG => format!("{}{}", words::FLAG, mv.arg),
            _ => words::square(mv.to),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, String> {
        if text == words::RESIGN {
            return Ok(plain(GP_MOVE_RESIGN));
        }
        if let Some(player) = text.strip_prefix(words::FLAG) {
            let arg = player
                .parse()
                .map_err(|_| format!("{player:?} is not the number of a player"))?;
            return Ok(Move {
                arg,
                ..plain(GP_MOVE_FLAG)
            });
        }
        words::square_named(text)
            .map(place)
            .ok_or_else(|| format!("{text:?} is not a square from A1 to C3"))
    }

    fn move_label(&self, mv: Move, lang: Lang) -> String {
        words::label(mv, lang)
    }

    fn overlay(&self, index: u32, _viewer: Viewer, values: &mut [i32]) -> bool {
        match index {
            OVERLAY_WORTH => {
                for (cell, worth) in worth_of_moves(self) {
                    values[cell] = worth.win_permille();
                }
            }
            OVERLAY_LINES if self.is_over() => {}
            OVERLAY_LINES => {
                let open = |cell: &usize| self.squares()[*cell].is_none_or(|p| p == self.turn());
                for cell in self.empty() {
                    let lines = LINES.iter().filter(|line| line.contains(&cell));
                    values[cell] = lines.filter(|line| line.iter().all(open)).count() as i32;
                }
            }
            _ => return false,
        }
        true
    }

    fn level(index: u32, lang: Lang) -> Option<Level> {
        words::ladder_level(index, lang)
    }

    /// A win passes a level; on the last, whose opponent never errs, a draw does too.
    /// Points: 10 less the marks on the board for a win by a line, so a quick win is worth more.
    fn level_result(&self, index: u32, player: u16) -> Option<LevelResult> {
        let (passed, points) = match self.result() {
            Outcome::Running => return None,
            Outcome::Win { winner, reason } if winner == player => {
                let marks = CELLS - self.empty().count();
                (
                    true,
                    if reason == GP_REASON_LINE {
                        10 - marks as i32
                    } else {
                        1
                    },
                )
            }
            Outcome::Draw(_) if index == words::TOP_LEVEL => (true, 1),
            _ => (false, 0),
        };
        Some(LevelResult {
            passed,
            stars: if passed { 3 } else { 0 },
            points,
        })
    }
}

#[cfg(test)]
mod tests {
    use qiju_sdk::abi::{GP_NONE, GP_OVERLAY_NONE};

    use super::*;
    use crate::rules::Rule;

    fn played(cells: &[usize]) -> Noughts {
        let mut state = Noughts::new(Rule::Normal);
        cells.iter().for_each(|&cell| state.mark(cell));
        state
    }

    #[test]
    fn every_legal_move_comes_back_from_its_text() {
        let state = played(&[4]);
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert_eq!(moves.len(), 8);
        let flag = |player| Move {
            arg: player,
            ..plain(GP_MOVE_FLAG)
        };
        moves.extend([plain(GP_MOVE_RESIGN), flag(0), flag(1)]);
        for mv in moves {
            assert_eq!(state.parse_move(&state.move_text(mv)), Ok(mv));
            assert_eq!(state.explain(mv, Lang::En), None);
        }
    }

    #[test]
    fn squares_are_named_from_the_bottom_left() {
        let state = played(&[]);
        for (text, cell) in [("A3", 0), ("C3", 2), ("b2", 4), ("A1", 6), ("C1", 8)] {
            assert_eq!(state.parse_move(text), Ok(place(cell)));
        }
        for text in [
            "",
            "D1",
            "A4",
            "A",
            "11",
            "B2 ",
            "flag",
            "flag x",
            "flag 70000",
            "格",
        ] {
            assert!(state.parse_move(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn moves_and_explanations_agree() {
        let state = played(&[4, 0]);
        let mut legal = Vec::new();
        state.moves(&mut legal);
        for cell in (0..12).chain([GP_NONE]) {
            let mv = place(cell);
            for lang in [Lang::Zh, Lang::En] {
                let why = state.explain(mv, lang);
                assert_eq!(why.is_none(), legal.contains(&mv), "{mv:?}");
                assert!(why.is_none_or(|why| !why.is_empty()));
            }
        }
    }

    #[test]
    fn the_view_marks_the_last_move_and_the_winning_line() {
        let state = played(&[0, 3, 1, 4, 2]);
        let mut cells = vec![Cell::default(); CELLS];
        state.view(Viewer::Public, None, &mut cells);
        let with = |flag| -> Vec<usize> {
            (0..CELLS)
                .filter(|&cell| cells[cell].flags & flag != 0)
                .collect()
        };
        assert_eq!(with(GP_CELL_WINNING), [0, 1, 2]);
        assert_eq!(with(GP_CELL_LAST), [2]);
        assert_eq!(with(GP_CELL_PLAYABLE), [], "the game is over");
        assert_eq!((cells[0].piece, cells[3].piece, cells[8].piece), (1, 2, 0));
    }

    #[test]
    fn the_lines_overlay_counts_what_is_still_open() {
        // Crosses in the middle, noughts to move: only the four edges are open to them.
        let state = played(&[4]);
        let mut values = vec![GP_OVERLAY_NONE; CELLS];
        assert!(state.overlay(OVERLAY_LINES, Viewer::Public, &mut values));
        assert_eq!(values, [2, 1, 2, 1, GP_OVERLAY_NONE, 1, 2, 1, 2]);
        assert!(!state.overlay(2, Viewer::Public, &mut values));
    }

    #[test]
    fn the_ladder_can_be_climbed() {
        let describe = Noughts::describe(Lang::En);
        for index in 0..describe.ladder {
            let level = Noughts::level(index, Lang::Zh).expect("a level");
            assert!((level.opponent as usize) < describe.levels.len());
            let options = Options::read(&level.options.to_string(), &describe.options);
            assert!(
                options
                    .and_then(|options| Noughts::create(&options, 0))
                    .is_ok()
            );
        }
        assert!(Noughts::level(describe.ladder, Lang::Zh).is_none());

        let won = played(&[0, 3, 1, 4, 2]);
        let passed = |state: &Noughts, index, player| {
            state
                .level_result(index, player)
                .map(|result| (result.passed, result.points))
        };
        assert_eq!(passed(&won, 0, 0), Some((true, 5)));
        assert_eq!(passed(&won, 2, 1), Some((false, 0)));
        assert_eq!(passed(&played(&[0]), 0, 0), None);
        let drawn = played(&[4, 0, 2, 6, 3, 5, 1, 7, 8]);
        assert_eq!(passed(&drawn, 1, 0), Some((false, 0)));
        assert_eq!(passed(&drawn, 2, 1), Some((true, 1)));
    }
}
