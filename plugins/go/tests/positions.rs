//! Plays every named position of `tests/data/positions`, in the eight symmetries of the board and
//! with the colours exchanged.
//!
//! A position that does not behave is named with its place, the step, the board expected at last
//! and the board as it is.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use qiju_go::rules::{Color, Illegal, KoRule, Position, SetupError};

#[path = "support/coordinates.rs"]
mod coordinates;
#[path = "support/drawing.rs"]
mod drawing;
#[path = "support/position_file.rs"]
mod position_file;

use drawing::{draw, point_name, stones};
use position_file::{NamedPosition, Outcome, Step, StepKind, Stones, parse};

/// The fewest named positions that the project asks for.
const LEAST_POSITIONS: usize = 217;

/// A symmetry of the board, with or without an exchange of the colours.
#[derive(Clone, Copy, Debug)]
struct View {
    mirrored: bool,
    quarter_turns: u8,
    colors_exchanged: bool,
}

impl View {
    /// All sixteen, the unchanged one first.
    fn all() -> impl Iterator<Item = View> {
        [false, true].into_iter().flat_map(|colors_exchanged| {
            [false, true].into_iter().flat_map(move |mirrored| {
                (0..4).map(move |quarter_turns| View {
                    mirrored,
                    quarter_turns,
                    colors_exchanged,
                })
            })
        })
    }

    /// Where a cell lies in this view; a cell off the board stays as it is.
    fn cell(self, cell: u16, size: u8) -> u16 {
        let side = u16::from(size);
        let (mut row, mut column) = (cell / side, cell % side);
        if row >= side {
            return cell;
        }
        if self.mirrored {
            column = side - 1 - column;
        }
        for _ in 0..self.quarter_turns {
            (row, column) = (column, side - 1 - row);
        }
        row * side + column
    }

    fn color(self, color: Color) -> Color {
        if self.colors_exchanged { !color } else { color }
    }

    fn board(self, stones: &Stones, size: u8) -> Stones {
        let mut turned = vec![None; stones.len()];
        for (cell, &stone) in (0..).zip(stones) {
            turned[usize::from(self.cell(cell, size))] = stone.map(|color| self.color(color));
        }
        turned
    }

    /// A pair that belongs to Black and White.
    fn pair(self, black: u32, white: u32) -> (u32, u32) {
        if self.colors_exchanged {
            (white, black)
        } else {
            (black, white)
        }
    }

    fn step(self, kind: &StepKind, size: u8) -> StepKind {
        match kind {
            StepKind::Play(color, cell, outcome) => {
                StepKind::Play(self.color(*color), self.cell(*cell, size), *outcome)
            }
            StepKind::Pass(color) => StepKind::Pass(self.color(*color)),
            StepKind::Liberties(cell, count) => StepKind::Liberties(self.cell(*cell, size), *count),
            StepKind::Area(black, white) => {
                let (black, white) = self.pair(*black, *white);
                StepKind::Area(black, white)
            }
            StepKind::Captured(black, white) => {
                let (black, white) = self.pair(*black, *white);
                StepKind::Captured(black, white)
            }
            StepKind::Illegal(points) => {
                let mut points: Vec<_> = points
                    .iter()
                    .map(|&(cell, reason)| (self.cell(cell, size), reason))
                    .collect();
                points.sort_unstable_by_key(|&(cell, _)| cell);
                StepKind::Illegal(points)
            }
        }
    }

    /// The whole position in this view.
    fn position(self, named: &NamedPosition) -> NamedPosition {
        let steps = named.steps.iter().map(|step| Step {
            kind: self.step(&step.kind, named.size),
            ..step.clone()
        });
        NamedPosition {
            to_move: self.color(named.to_move),
            start: self.board(&named.start, named.size),
            end: self.board(&named.end, named.size),
            steps: steps.collect(),
            ..named.clone()
        }
    }
}

/// Everything about a position that a refused move must leave alone.
#[derive(PartialEq)]
struct Snapshot {
    stones: Stones,
    to_move: Color,
    captures: (u32, u32),
    answers: Vec<Result<(), Illegal>>,
}

impl Snapshot {
    fn of(position: &Position) -> Snapshot {
        let stones = stones(position);
        let answers = (0..).zip(&stones).map(|(cell, _)| position.check(cell));
        Snapshot {
            answers: answers.collect(),
            to_move: position.to_move(),
            captures: captures(position),
            stones,
        }
    }
}

fn captures(position: &Position) -> (u32, u32) {
    (
        position.captures(Color::Black),
        position.captures(Color::White),
    )
}

fn count(stones: &Stones, color: Color) -> u32 {
    stones.iter().map(|&s| u32::from(s == Some(color))).sum()
}

/// `Err` with what is instead, unless found and expected are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}

fn play(position: &mut Position, color: Color, cell: u16, outcome: Outcome) -> Result<(), String> {
    same("side to move", color, position.to_move())?;
    let before = Snapshot::of(position);
    let checked = position.check(cell);
    let played = position.play(cell);
    same("check and play", checked, played.map(|_| ()))?;
    match outcome {
        Outcome::Refused(reason) => {
            same("answer", Err(reason), played)?;
            if Snapshot::of(position) != before {
                return Err("a refused move has changed the position".to_owned());
            }
        }
        Outcome::Takes(_) | Outcome::Loses(_) => {
            let (takes, loses) = match outcome {
                Outcome::Takes(number) => (number, 0),
                Outcome::Loses(number) => (0, number),
                Outcome::Refused(_) => (0, 0),
            };
            same("stones taken", Ok(takes), played)?;
            let after = stones(position);
            let own = count(&before.stones, color) + 1 - loses;
            let enemy = count(&before.stones, !color) - takes;
            same("own stones on the board", own, count(&after, color))?;
            same("enemy stones on the board", enemy, count(&after, !color))?;
            same("side to move next", !color, position.to_move())?;
        }
    }
    Ok(())
}

fn pass(position: &mut Position, color: Color) -> Result<(), String> {
    same("side to move", color, position.to_move())?;
    let before = (stones(position), captures(position));
    position.pass();
    same("side to move next", !color, position.to_move())?;
    if before != (stones(position), captures(position)) {
        return Err("a pass has changed the board".to_owned());
    }
    Ok(())
}

fn carry_out(position: &mut Position, kind: &StepKind) -> Result<(), String> {
    match kind {
        StepKind::Play(color, cell, outcome) => play(position, *color, *cell, *outcome),
        StepKind::Pass(color) => pass(position, *color),
        StepKind::Liberties(cell, number) => same("liberties", *number, position.liberties(*cell)),
        StepKind::Area(black, white) => same("area", (*black, *white), position.area()),
        StepKind::Captured(black, white) => {
            same("stones taken in all", (*black, *white), captures(position))
        }
        StepKind::Illegal(points) => {
            let name = |(cell, reason)| (point_name(cell, position.size()), reason);
            let refused = (0..).zip(stones(position)).filter_map(|(cell, stone)| {
                let reason = position.check(cell).err()?;
                stone.is_none().then_some(name((cell, reason)))
            });
            let expected: Vec<_> = points.iter().copied().map(name).collect();
            same("refused points", expected, refused.collect())
        }
    }
}

/// Plays a position; the message of a failure names place, name, step and cause, and shows the
/// board expected at last beside the one at hand.
fn run(named: &NamedPosition) -> Result<(), String> {
    let size = named.size;
    let set_up: Vec<(u16, Color)> = (0..)
        .zip(&named.start)
        .filter_map(|(cell, &stone)| Some((cell, stone?)))
        .collect();
    let title = format!("{}: {}", named.place, named.name);
    let mut position = Position::from_setup(
        size,
        named.ko,
        named.suicide_allowed,
        &set_up,
        named.to_move,
    )
    .map_err(|error| format!("{title}: {error}\n{}", draw(&named.start, size)))?;
    let complain = |position: &Position, cause: String| {
        format!(
            "{title}: {cause}\nexpected at last:\n{}found:\n{}",
            draw(&named.end, size),
            draw(&stones(position), size)
        )
    };
    same("stones of the set-up", &named.start, &stones(&position))
        .map_err(|cause| complain(&position, cause))?;
    for step in &named.steps {
        if let Err(cause) = carry_out(&mut position, &step.kind) {
            let cause = format!("line {}, \"{}\": {cause}", step.line, step.text);
            return Err(complain(&position, cause));
        }
    }
    if stones(&position) != named.end {
        return Err(complain(&position, "the last board differs".to_owned()));
    }
    Ok(())
}

/// All named positions, file by file in the order of their names.
fn all_positions() -> Vec<NamedPosition> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/positions");
    let entries = fs::read_dir(&folder).expect("the folder of positions is readable");
    let mut files: Vec<_> = entries.map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut positions = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of positions is readable");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        match parse(&name, &text) {
            Ok(parsed) => positions.extend(parsed),
            Err(error) => panic!("{error}"),
        }
    }
    positions
}

#[test]
fn every_position_in_every_view() {
    let mut failures = Vec::new();
    for named in all_positions() {
        // One failing view tells enough; the unchanged one comes first.
        let failure = View::all().find_map(|view| {
            let cause = run(&view.position(&named)).err()?;
            Some(format!("{view:?}\n{cause}"))
        });
        failures.extend(failure);
    }
    assert!(
        failures.is_empty(),
        "{} positions fail:\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// What a position tests, written so that two views of one position come out equal.
fn fingerprint(named: &NamedPosition) -> String {
    let text = |position: &NamedPosition| {
        let steps: Vec<&StepKind> = position.steps.iter().map(|step| &step.kind).collect();
        format!(
            "{:?} {} {} {:?}\n{}{steps:?}",
            position.ko,
            position.suicide_allowed,
            position.size,
            position.to_move,
            draw(&position.start, position.size)
        )
    };
    let views = View::all().map(|view| text(&view.position(named)));
    views.min().unwrap_or_default()
}

#[test]
fn enough_positions_and_no_two_alike() {
    let positions = all_positions();
    assert!(
        positions.len() >= LEAST_POSITIONS,
        "{} positions are too few",
        positions.len()
    );
    let mut names = HashMap::new();
    let mut contents = HashMap::new();
    for named in &positions {
        if let Some(other) = names.insert(&named.name, &named.place) {
            panic!("{} and {other} have one name: {}", named.place, named.name);
        }
        if let Some(other) = contents.insert(fingerprint(named), &named.place) {
            panic!("{} and {other} are the same but for the view", named.place);
        }
    }
}

#[test]
fn views_are_sixteen_different_boards() {
    let text = "= corner\nX O .\n. . .\n. . .\nliberties A3 1\n";
    let named = parse("views", text).expect("a sound file").remove(0);
    let mut boards: Vec<String> = View::all()
        .map(|view| draw(&view.position(&named).start, 3))
        .collect();
    boards.sort();
    boards.dedup();
    assert_eq!(boards.len(), 16);
}

#[test]
fn a_wrong_expectation_is_reported_with_both_boards() {
    let plain = "O X\n. .\n";
    let played = "O X | . X\n. . | X .\n";
    let cases = [
        (played, "X A1 takes 2", "stones taken"),
        (played, "X A1 loses 1", "stones taken"),
        (played, "O A1 takes 1", "side to move"),
        (
            "O X | O X\n. . | X .\n",
            "X A1 takes 1",
            "the last board differs",
        ),
        (plain, "X B2 refused ko", "answer"),
        (plain, "X A1 refused suicide", "answer"),
        (plain, "O pass", "side to move"),
        (plain, "liberties A2 2", "liberties"),
        (plain, "area 4 0", "area"),
        (plain, "captured 1 0", "stones taken in all"),
        (plain, "illegal A1 ko", "refused points"),
    ];
    for (board, step, cause) in cases {
        let text = format!("= wrong on purpose\n{board}{step}\n");
        let named = parse("here", &text).expect("a sound file").remove(0);
        let message = run(&named).expect_err("a wrong expectation");
        let title = "here:1: wrong on purpose";
        for part in [title, cause, "expected at last:\n", "found:\n"] {
            assert!(message.contains(part), "no \"{part}\" in: {message}");
        }
    }
}

#[test]
fn a_bad_file_is_refused_with_line_and_cause() {
    let cases = [
        ("X C3\n", "here:1: \"X C3\" stands before the first name"),
        ("= a\nX C3\n", "here:2: a step before the board"),
        (
            "= a\n. .\n. . .\nX A1\n",
            "here:1: \"a\" has a diagram that is no square: rows of [2, 3] points",
        ),
        ("= a\n. .\n. .\n", "here:1: \"a\" has no steps"),
        (
            "= a\n\n= b\n. .\n. .\narea 0 0\n",
            "here:1: \"a\" has no board",
        ),
        (
            "= a\n. .\n. .\nX A1\n",
            "here:1: \"a\" plays stones, but has no board at last",
        ),
        (
            "= a\n. . | . .\n. . | . .\narea 0 0\n",
            "here:1: \"a\" plays no stone, but has a board at last",
        ),
        ("= a\n. . | . . | . .\n", "here:2: more than one \"|\""),
        (
            "= a\n. .\n. .\nX C3\n",
            "here:4: \"C3\" is no point of a board of side 2",
        ),
        (
            "= a\n. .\n. .\nX I1\n",
            "here:4: \"I1\" is no point of a board of side 2",
        ),
        ("= a\n. .\n. .\nB A1\n", "here:4: \"B\" is neither X nor O"),
        (
            "= a\n. .\n. .\nX A1 wins 3\n",
            "here:4: \"wins 3\" is no outcome",
        ),
        (
            "= a\n. .\n. .\nX A1 takes -1\n",
            "here:4: \"-1\" is no number that fits here",
        ),
        (
            "= a\n. .\n. .\nX A1 refused rudely\n",
            "here:4: \"rudely\" is no reason",
        ),
        (
            "= a\n. .\n. .\nillegal A1\n",
            "here:4: \"A1\" is no point with a reason",
        ),
        (
            "= a\n. .\n. .\nilegal none\n",
            "here:4: \"ilegal\" is neither X nor O",
        ),
        ("= a\nrules: ko big\n", "here:2: \"ko big\" is no rule"),
        ("= a\nX: A1\n", "here:2: stones before the size"),
        (
            "= a\nsize 5\n. . . . .\n",
            "here:3: the board is already given by \"size\"",
        ),
        (
            "= a\n. .\nend\n",
            "here:3: \"end\" belongs to a board given by \"size\"",
        ),
        (
            "= a\nsize five\n",
            "here:2: \"five\" is no number that fits here",
        ),
    ];
    for (text, expected) in cases {
        let error = parse("here", text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn set_ups_that_cannot_be_are_refused() {
    let set_up = |size, stones: &[(u16, Color)]| {
        Position::from_setup(size, KoRule::Simple, true, stones, Color::Black).err()
    };
    let (black, white) = (Color::Black, Color::White);
    assert_eq!(set_up(1, &[]), Some(SetupError::Size(1)));
    assert_eq!(set_up(26, &[]), Some(SetupError::Size(26)));
    assert_eq!(set_up(5, &[(25, black)]), Some(SetupError::OffBoard(25)));
    assert_eq!(
        set_up(5, &[(7, black), (7, white)]),
        Some(SetupError::Occupied(7))
    );
    let corner = [(0, white), (1, black), (5, black)];
    assert_eq!(set_up(5, &corner), Some(SetupError::NoLiberty(0)));
    assert_eq!(
        set_up(2, &[0, 1, 2, 3].map(|cell| (cell, black))),
        Some(SetupError::NoLiberty(0))
    );
    for size in 2..=25 {
        assert_eq!(set_up(size, &[(0, black)]), None, "side {size}");
    }
}

#[test]
fn the_turn_can_be_given_to_either_side() {
    let mut position = Position::new(5, KoRule::Simple, false).expect("a size in range");
    assert_eq!(position.to_move(), Color::Black);
    for cell in [2, 10, 12] {
        position.set_to_move(Color::White);
        assert_eq!(position.play(cell), Ok(0));
        assert_eq!(position.to_move(), Color::Black);
        assert_eq!(position.stone(cell), Some(Color::White));
    }
}
