//! Brings the play screen in line with the session. Only what differs is set.

use qiju_abi::{
    GP_MOVE_CHOOSE, GP_MOVE_TAP, GP_NONE, GP_OUTCOME_DRAW, GP_OUTCOME_FAILED, GP_OUTCOME_PASSED,
    GP_OUTCOME_RUNNING, GP_OUTCOME_WIN, GP_OVERLAY_NONE, GP_STATUS_CAN_PASS, GP_STATUS_CAPTURES,
    GP_STATUS_SCORE, GpMove, GpStatus,
};
use slint::{ComponentHandle, Model, SharedString};

use super::super::{App, Board, Extra, model, number, strings, update};
use super::{Play, Wanted, draw};
use crate::plugins::{Game, GameError, Lang, Tally, TallyRow};
use crate::session::{Seat, Session};
use crate::{MoveRow, Play as PlayScreen, PlayerRow, SumRow, words};

impl App {
    /// Brings the screen in line with the session; a game that fails here says so in its status line.
    pub(super) fn refresh_play(&self) {
        if let Err(error) = self.try_refresh() {
            tracing::error!("the game failed: {error}");
            let line = words::game_failed(self.lang(), &error.to_string());
            self.0.window.global::<PlayScreen>().set_status(line.into());
        }
    }

    fn try_refresh(&self) -> Result<(), GameError> {
        let screen = self.0.window.global::<PlayScreen>();
        let sprite_px = self.sprite_px();
        let mut state = self.0.state.borrow_mut();
        let (lang, last_moves) = (state.lang, state.settings.show_last_move);
        let theme = super::super::preferences::board_theme(&state.settings);
        let Some(play) = &mut state.play else {
            return Ok(());
        };
        let viewer = play.session.viewer();
        let status = play.session.status()?;
        let person = play
            .session
            .to_move()
            .and_then(|side| play.session.seat(side))
            == Some(Seat::Person);
        let over = status.outcome != GP_OUTCOME_RUNNING;

        show_board(play, viewer, person && !over, last_moves)?;
        let moves = move_rows(play, lang)?;
        update(&play.moves, moves);
        let players = player_rows(play, &status, lang, theme, sprite_px);
        update(&play.players, players);

        let describe = play.session.plugin().describe(lang);
        let legal = if person && !over {
            play.session.game().moves(None)?
        } else {
            Vec::new()
        };
        let tally = play.session.game().tally(viewer, lang)?;
        let is_agreed_on = is_agreement(&legal, tally.is_some());
        play.choices = if play.asking.is_empty() {
            let choices = legal.iter().filter(|mv| mv.kind == GP_MOVE_CHOOSE);
            choices.copied().collect()
        } else {
            play.asking.clone()
        };
        let choices = play
            .choices
            .iter()
            .map(|mv| play.session.game().move_label(*mv, lang))
            .collect::<Result<Vec<_>, _>>()?;
        let analysis_name = words::analysis(lang);
        let mut overlays: Vec<&str> = describe
            .overlays
            .iter()
            .map(|overlay| overlay.name.as_str())
            .collect();
        if play.session.plugin().has_ai() && !describe.levels.is_empty() {
            overlays.push(&analysis_name);
        }
        let variations = play.session.variations(lang)?;
        // One way on is what redo is for.
        let branches = variations.len() > 1;
        let (nodes, ways): (Vec<usize>, Vec<String>) =
            variations.into_iter().filter(|_| branches).unzip();
        play.variations = nodes;
        let comment = play.session.comment().to_owned();
        let line = play.session.game().status_text(viewer, lang)?;
        let thinking_for_move = play.worker.thinking() && play.wanted == Wanted::Move;
        let hint_line = match &play.hint {
            Some(hint) => hint.line.clone(),
            None if play.worker.thinking() && play.wanted == Wanted::Hint => {
                words::looking_for_hint(lang)
            }
            None => analysis_line(play, lang).unwrap_or_default(),
        };
        let ghost = if person && !over {
            draw::ghost(describe, status.to_move)
        } else {
            0
        };
        let (over_title, over_detail) = end_texts(&play.session, &status, &line, lang);

        set(
            &screen,
            PlayScreen::get_title,
            PlayScreen::set_title,
            &describe.name,
        );
        set(
            &screen,
            PlayScreen::get_status,
            PlayScreen::set_status,
            &line,
        );
        set(
            &screen,
            PlayScreen::get_refusal,
            PlayScreen::set_refusal,
            &play.refusal,
        );
        set(
            &screen,
            PlayScreen::get_hint_line,
            PlayScreen::set_hint_line,
            &hint_line,
        );
        set(
            &screen,
            PlayScreen::get_over_title,
            PlayScreen::set_over_title,
            &over_title,
        );
        set(
            &screen,
            PlayScreen::get_over_detail,
            PlayScreen::set_over_detail,
            &over_detail,
        );
        show_tally(&screen, tally.as_ref());
        set(
            &screen,
            PlayScreen::get_comment,
            PlayScreen::set_comment,
            &comment,
        );
        set_strings(screen.get_variations(), &ways, |model| {
            screen.set_variations(model)
        });
        screen.set_ghost(i32::from(ghost));
        screen.set_can_undo(play.session.undo_depth() > 0);
        screen.set_can_redo(play.session.can_redo());
        screen.set_can_hint(person && !over && !is_agreed_on && play.session.plugin().has_ai());
        screen.set_can_pass(person && !over && status.flags & GP_STATUS_CAN_PASS != 0);
        screen.set_can_resign(person && !over && describe.resign);
        screen.set_thinking(thinking_for_move);
        screen.set_confirming(play.pending.is_some());
        screen.set_over(over);
        set_strings(screen.get_choices(), &choices, |model| {
            screen.set_choices(model)
        });
        set_strings(screen.get_overlays(), &overlays, |model| {
            screen.set_overlays(model)
        });
        Ok(())
    }

    /// The settings that the board shows have changed, or the language has.
    pub(crate) fn board_settings_changed(&self, lang_changed: bool) {
        if lang_changed {
            let lang = self.lang();
            let board = {
                let state = self.0.state.borrow();
                let Some(play) = &state.play else { return };
                let layout = play.session.game().layout(lang);
                layout.map(|layout| Board::new(layout, play.session.plugin().describe(lang), lang))
            };
            match board {
                Ok(board) => {
                    if let Some(play) = &mut self.0.state.borrow_mut().play {
                        // The same areas with other words: the model stays, its rows change.
                        update(&play.areas, board.area_views());
                        play.board = board;
                        play.hint = None;
                        play.refusal.clear();
                    }
                }
                Err(error) => self.notice(words::game_failed(lang, &error.to_string())),
            }
        }
        if let Some(play) = &mut self.0.state.borrow_mut().play {
            play.board.forget();
        }
        self.redraw_all();
        self.refresh_play();
    }
}

/// Whether the players are agreeing on an end: only marks and choices are left while the score is accounted
/// for. There is nothing to search then.
pub(super) fn is_agreement(legal: &[GpMove], has_tally: bool) -> bool {
    let is_word = |mv: &GpMove| matches!(mv.kind, GP_MOVE_TAP | GP_MOVE_CHOOSE);
    has_tally && !legal.is_empty() && legal.iter().all(is_word)
}

/// What the analysis has found so far, in one line.
fn analysis_line(play: &Play, lang: Lang) -> Option<String> {
    let report = play.analysis.as_ref()?;
    let line = line_text(play.session.game(), &report.line, report.best?, lang);
    Some(words::analysis_line(
        lang,
        &line,
        report.win_permille,
        report.nodes,
    ))
}

/// Shows the account of the score, or none.
fn show_tally(screen: &PlayScreen<'_>, tally: Option<&Tally>) {
    let rows: Vec<SumRow> = tally.map_or_else(Vec::new, |tally| {
        let rows = tally.rows.iter();
        rows.map(|row| SumRow {
            name: (&row.name).into(),
            values: strings(&row.values),
            total: row.total,
            label: spoken_row(tally, row).into(),
        })
        .collect()
    });
    // The rows hold models of their own, so they are compared by what they say.
    let old = screen.get_sum_rows();
    let is_same = old.row_count() == rows.len()
        && old.iter().zip(&rows).all(|(old, new)| {
            (old.name.as_str(), old.label.as_str()) == (new.name.as_str(), new.label.as_str())
        });
    if is_same {
        return;
    }
    let text = |text: Option<&String>| text.cloned().unwrap_or_default().into();
    screen.set_sum_title(text(tally.map(|tally| &tally.title)));
    screen.set_sum_note(text(tally.map(|tally| &tally.note)));
    screen.set_sum_columns(tally.map_or_else(Default::default, |tally| strings(&tally.columns)));
    screen.set_sum_rows(model(rows));
}

/// A row as a screen reader says it: "Territory: Black 12, White 9".
fn spoken_row(tally: &Tally, row: &TallyRow) -> String {
    let values = tally.columns.iter().zip(&row.values);
    let values: Vec<String> = values
        .filter(|(_, value)| !value.is_empty())
        .map(|(column, value)| format!("{column} {value}"))
        .collect();
    format!("{}: {}", row.name, values.join(", "))
}

/// Sets a text only if it differs, so that nothing is drawn for nothing.
fn set<'a>(
    screen: &PlayScreen<'a>,
    get: impl Fn(&PlayScreen<'a>) -> SharedString,
    set: impl Fn(&PlayScreen<'a>, SharedString),
    text: &str,
) {
    if get(screen) != text {
        set(screen, text.into());
    }
}

/// Sets a list of texts only if it differs.
fn set_strings<T: AsRef<str>>(
    old: slint::ModelRc<SharedString>,
    new: &[T],
    set: impl FnOnce(slint::ModelRc<SharedString>),
) {
    if !old
        .iter()
        .map(String::from)
        .eq(new.iter().map(|text| text.as_ref().to_owned()))
    {
        set(strings(new));
    }
}

fn show_board(
    play: &mut Play,
    viewer: u16,
    playable: bool,
    last_moves: bool,
) -> Result<(), GameError> {
    let game = play.session.game();
    let mut cells = game.view(viewer, play.selected)?;
    if !playable {
        for cell in &mut cells {
            cell.flags &= !qiju_abi::GP_CELL_PLAYABLE;
        }
    }
    let mut extras = vec![Extra::default(); cells.len()];
    let overlay = play.overlay.and_then(|overlay| {
        let kind = play
            .session
            .plugin()
            .describe(Lang::En)
            .overlays
            .get(overlay)?
            .kind;
        Some((u32::try_from(overlay).ok()?, kind))
    });
    if let Some((overlay, _)) = overlay {
        match game.overlay(overlay, viewer) {
            Ok(values) => {
                for (extra, value) in extras.iter_mut().zip(values) {
                    extra.overlay = (value != GP_OVERLAY_NONE).then_some(value);
                }
            }
            Err(GameError::Unsupported) => {}
            Err(error) => return Err(error),
        }
    }
    if let Some(mv) = play.pending {
        let ghost = match mv.from {
            GP_NONE => draw::ghost(
                play.session.plugin().describe(Lang::En),
                play.session.status()?.to_move,
            ),
            from => cells.get(usize::from(from)).map_or(0, |cell| cell.piece),
        };
        if let Some(extra) = extras.get_mut(usize::from(mv.to)) {
            extra.pending = true;
            extra.ghost = ghost;
        }
    }
    if let Some(report) = &play.analysis {
        // Of several moves to one cell the best is shown, so the best comes last.
        for candidate in report.candidates.iter().rev() {
            if let Some(extra) = extras.get_mut(usize::from(candidate.mv.to)) {
                let is_best = Some(candidate.mv) == report.best;
                extra.chance = Some((candidate.win_permille, is_best));
            }
        }
        // The number stands where the piece goes; a ring shows which piece it is.
        let begin = report.best.map_or(GP_NONE, |best| best.from);
        if let Some(extra) = extras.get_mut(usize::from(begin)) {
            extra.hinted = true;
        }
    }
    if let Some(hint) = &play.hint {
        for cell in [hint.mv.from, hint.mv.to] {
            if let Some(extra) = extras.get_mut(usize::from(cell)) {
                extra.hinted = true;
            }
        }
    }
    play.board
        .show(&cells, &extras, overlay.map(|(_, kind)| kind), last_moves);
    Ok(())
}

/// Moves of the list before and behind the one on the board: a list of 20,000 would be slow to draw.
const LISTED: usize = 300;

fn move_rows(play: &mut Play, lang: Lang) -> Result<Vec<MoveRow>, GameError> {
    let at = play.session.record().at;
    // Two moves stand in a line, so the list begins with an odd number.
    let first = at.saturating_sub(LISTED) / 2 * 2;
    let labels = play.session.labels(lang)?;
    let rows = labels
        .into_iter()
        .enumerate()
        .skip(first)
        .take(2 * LISTED)
        .map(|(ply, (label, side))| MoveRow {
            number: number(ply + 1),
            label: label.into(),
            seat: if side == GP_NONE { -1 } else { i32::from(side) },
            current: ply + 1 == at,
        });
    Ok(rows.collect())
}

/// `sprite_px`: size of the sides' sprites in physical pixels.
fn player_rows(
    play: &Play,
    status: &GpStatus,
    lang: Lang,
    theme: crate::art::Theme,
    sprite_px: u32,
) -> Vec<PlayerRow> {
    let describe = play.session.plugin().describe(lang);
    let people = play
        .session
        .seats()
        .iter()
        .filter(|seat| **seat == Seat::Person)
        .count();
    let value = |set: bool, list: &[i32], side: usize| list.get(side).copied().filter(|_| set);
    describe
        .sides
        .iter()
        .zip(play.session.seats())
        .enumerate()
        .map(|(side, (about, seat))| {
            let to_move = usize::from(status.to_move) == side;
            let captures = value(
                status.flags & GP_STATUS_CAPTURES != 0,
                &status.captures,
                side,
            );
            let score = value(status.flags & GP_STATUS_SCORE != 0, &status.score, side);
            PlayerRow {
                side: (&about.name).into(),
                who: match seat {
                    Seat::Person if people == 1 => words::you(lang),
                    Seat::Person => words::person(lang),
                    Seat::Computer { level } => {
                        let name = describe
                            .levels
                            .get(*level as usize)
                            .map_or("", |level| level.name.as_str());
                        words::computer(lang, name)
                    }
                }
                .into(),
                sprite: play
                    .players
                    .row_data(side)
                    .map(|row| row.sprite)
                    .filter(|sprite| sprite.size().width == sprite_px)
                    .unwrap_or_else(|| draw::side_sprite(describe, side, sprite_px, theme)),
                captures: captures
                    .map(|count| words::captures(lang, count))
                    .unwrap_or_default()
                    .into(),
                score: score
                    .map(|half_points| words::score(lang, half_points))
                    .unwrap_or_default()
                    .into(),
                to_move,
                thinking: to_move && play.worker.thinking() && play.wanted == Wanted::Move,
                winner: usize::from(status.winner) == side,
            }
        })
        .collect()
}

/// Title and detail of the end; empty while the game runs.
fn end_texts(session: &Session, status: &GpStatus, line: &str, lang: Lang) -> (String, String) {
    let title = match status.outcome {
        GP_OUTCOME_RUNNING => return Default::default(),
        GP_OUTCOME_WIN => {
            let people: Vec<usize> = session
                .seats()
                .iter()
                .enumerate()
                .filter(|(_, seat)| **seat == Seat::Person)
                .map(|(side, _)| side)
                .collect();
            match people.as_slice() {
                [only] if *only == usize::from(status.winner) => words::you_win(lang),
                [_] => words::you_lose(lang),
                _ => {
                    let sides = &session.plugin().describe(lang).sides;
                    words::wins(
                        lang,
                        sides
                            .get(usize::from(status.winner))
                            .map_or("?", |side| side.name.as_str()),
                    )
                }
            }
        }
        GP_OUTCOME_DRAW => words::draw(lang),
        GP_OUTCOME_PASSED => words::passed(lang),
        GP_OUTCOME_FAILED => words::failed(lang),
        _ => String::new(),
    };
    (title, line.to_owned())
}

/// The end in one line for the record, in English; `None` while the game runs.
pub(super) fn result_text(session: &Session) -> Option<String> {
    let status = session.status().ok()?;
    if status.outcome == GP_OUTCOME_RUNNING {
        return None;
    }
    session
        .game()
        .status_text(qiju_abi::GP_VIEWER_PUBLIC, Lang::En)
        .ok()
}

/// A line of moves as people write it, as far as the game can follow it.
pub(super) fn line_text(game: &Game, line: &[GpMove], best: GpMove, lang: Lang) -> String {
    /// So many moves are enough to see the idea.
    const MOVES: usize = 5;
    let line = if line.is_empty() { &[best][..] } else { line };
    let Ok(mut game) = game.try_clone() else {
        return String::new();
    };
    let mut labels = Vec::new();
    for &mv in line.iter().take(MOVES) {
        let Ok(label) = game.move_label(mv, lang) else {
            break;
        };
        labels.push(label);
        if game.apply(mv).is_err() {
            break;
        }
    }
    labels.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agreement_has_marks_and_choices_only() {
        let mv = |kind| GpMove {
            kind,
            from: GP_NONE,
            to: 0,
            arg: 0,
        };
        let marks = [mv(GP_MOVE_CHOOSE), mv(GP_MOVE_TAP)];
        assert!(is_agreement(&marks, true));
        // A game of cards is all taps; it has no score to account for, or goes on.
        assert!(!is_agreement(&marks, false));
        assert!(!is_agreement(&[], true));
        let play = [mv(GP_MOVE_CHOOSE), mv(qiju_abi::GP_MOVE_PLACE)];
        assert!(!is_agreement(&play, true));
    }

    #[test]
    fn a_row_is_read_as_a_sentence() {
        let row = |values: [&str; 2]| TallyRow {
            name: "Bonus".to_owned(),
            values: values.map(str::to_owned).to_vec(),
            total: false,
        };
        let tally = Tally {
            title: String::new(),
            note: String::new(),
            columns: ["A", "B"].map(str::to_owned).to_vec(),
            rows: Vec::new(),
        };
        assert_eq!(spoken_row(&tally, &row(["1", "2"])), "Bonus: A 1, B 2");
        assert_eq!(spoken_row(&tally, &row(["", "7.5"])), "Bonus: B 7.5");
    }
}
