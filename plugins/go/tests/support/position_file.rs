//! Reads the files of named positions. The format is described in `tests/data/README.md`.
//!
//! Reading only: what the steps mean for a board is the business of `positions.rs`.

use qiju_go::rules::{Color, Illegal, KoRule};
use thiserror::Error;

use crate::coordinates::parse_point;

/// The stones of a board, cell by cell.
pub type Stones = Vec<Option<Color>>;

/// Where a file is wrong, and what is wrong.
#[derive(Debug, Error)]
#[error("{file}:{line}: {cause}")]
pub struct ParseError {
    /// Name of the file.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub cause: String,
}

/// A position with a name and what is expected of it.
#[derive(Clone, Debug)]
pub struct NamedPosition {
    /// Name, different from every other.
    pub name: String,
    /// File and line of the name.
    pub place: String,
    /// Side of the board.
    pub size: u8,
    /// The ko rule.
    pub ko: KoRule,
    /// Whether suicide is allowed.
    pub suicide_allowed: bool,
    /// Who is to move first.
    pub to_move: Color,
    /// The board at first.
    pub start: Stones,
    /// The board after all steps.
    pub end: Stones,
    /// What is done and what is asked, in order.
    pub steps: Vec<Step>,
}

/// A step and its line.
#[derive(Clone, Debug)]
pub struct Step {
    /// Line in the file.
    pub line: usize,
    /// As it is written.
    pub text: String,
    /// What it means.
    pub kind: StepKind,
}

/// What a step does or asks.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// A stone.
    Play(Color, u16, Outcome),
    /// A pass.
    Pass(Color),
    /// Liberties of the group at a cell.
    Liberties(u16, u32),
    /// Black's and White's area.
    Area(u32, u32),
    /// Stones taken by Black and by White.
    Captured(u32, u32),
    /// All empty points refused to the side to move, in ascending order.
    Illegal(Vec<(u16, Illegal)>),
}

/// What becomes of a stone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// It stays and takes so many.
    Takes(u32),
    /// It goes, and so many of its own colour in all.
    Loses(u32),
    /// It is refused.
    Refused(Illegal),
}

/// All positions of a file.
///
/// # Errors
/// The first line that cannot be understood.
pub fn parse(file: &str, text: &str) -> Result<Vec<NamedPosition>, ParseError> {
    let mut positions = Vec::new();
    let mut draft: Option<Draft> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let at = |cause: String| ParseError {
            file: file.to_owned(),
            line: number,
            cause,
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("= ") {
            let done = draft.replace(Draft::new(name.trim(), number));
            positions.extend(done.map(|done| done.finish(file)).transpose()?);
            continue;
        }
        let Some(draft) = &mut draft else {
            return Err(at(format!("\"{line}\" stands before the first name")));
        };
        draft.line(number, line).map_err(at)?;
    }
    positions.extend(draft.map(|done| done.finish(file)).transpose()?);
    Ok(positions)
}

/// A position as far as it has been read.
struct Draft {
    name: String,
    line: usize,
    size: Option<u8>,
    ko: KoRule,
    suicide_allowed: bool,
    to_move: Color,
    start_rows: Vec<Stones>,
    end_rows: Vec<Stones>,
    start_listed: Stones,
    end_listed: Option<Stones>,
    steps: Vec<Step>,
}

impl Draft {
    fn new(name: &str, line: usize) -> Draft {
        Draft {
            name: name.to_owned(),
            line,
            size: None,
            ko: KoRule::Simple,
            suicide_allowed: false,
            to_move: Color::Black,
            start_rows: Vec::new(),
            end_rows: Vec::new(),
            start_listed: Vec::new(),
            end_listed: None,
            steps: Vec::new(),
        }
    }

    /// Takes in one line.
    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        if line
            .split_whitespace()
            .all(|w| [".", "X", "O", "|"].contains(&w))
        {
            return self.diagram_row(line);
        }
        if let Some(rules) = line.strip_prefix("rules:") {
            return rules.split(';').try_for_each(|rule| self.rule(rule.trim()));
        }
        if let Some(size) = line.strip_prefix("size ") {
            return self.listed_size(size);
        }
        match line {
            "white to play" => self.to_move = Color::White,
            "end" if self.start_listed.is_empty() => {
                return Err("\"end\" belongs to a board given by \"size\"".to_owned());
            }
            "end" => self.end_listed = Some(vec![None; self.start_listed.len()]),
            _ => match line.split_once(':') {
                Some((mark, points)) => return self.listed_stones(mark, points),
                None => return self.step_line(number, line),
            },
        }
        Ok(())
    }

    fn rule(&mut self, rule: &str) -> Result<(), String> {
        match rule {
            "ko simple" => self.ko = KoRule::Simple,
            "ko positional" => self.ko = KoRule::PositionalSuperko,
            "ko situational" => self.ko = KoRule::SituationalSuperko,
            "suicide allowed" => self.suicide_allowed = true,
            _ => return Err(format!("\"{rule}\" is no rule")),
        }
        Ok(())
    }

    fn diagram_row(&mut self, line: &str) -> Result<(), String> {
        if !self.start_listed.is_empty() {
            return Err("the board is already given by \"size\"".to_owned());
        }
        let mut halves = line.split('|').map(|half| {
            half.split_whitespace()
                .map(|word| parse_color(word).ok())
                .collect::<Stones>()
        });
        self.start_rows.extend(halves.next());
        self.end_rows.extend(halves.next());
        if halves.next().is_some() {
            return Err("more than one \"|\"".to_owned());
        }
        let width = self.start_rows.first().map_or(0, Vec::len);
        self.size = Some(u8::try_from(width).map_err(|_| format!("{width} points in a row"))?);
        Ok(())
    }

    fn listed_size(&mut self, size: &str) -> Result<(), String> {
        let size: u8 = number(size)?;
        self.size = Some(size);
        self.start_listed = vec![None; usize::from(size) * usize::from(size)];
        Ok(())
    }

    fn listed_stones(&mut self, mark: &str, points: &str) -> Result<(), String> {
        let color = match mark {
            "." => None,
            _ => Some(parse_color(mark)?),
        };
        let size = self.size.ok_or("stones before the size")?;
        let board = self.end_listed.as_mut().unwrap_or(&mut self.start_listed);
        for part in points.split_whitespace() {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (first, last) = (cell(first, size)?, cell(last, size)?);
            let side = u16::from(size);
            let rows = (first / side).min(last / side)..=(first / side).max(last / side);
            for row in rows {
                for column in first % side..=last % side {
                    let target = board
                        .get_mut(usize::from(row * side + column))
                        .ok_or("stones listed for a board that is drawn")?;
                    *target = color;
                }
            }
        }
        Ok(())
    }

    fn step_line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let size = self.size.ok_or("a step before the board")?;
        for text in line.split(';').map(str::trim) {
            self.steps.push(Step {
                line: number,
                text: text.to_owned(),
                kind: parse_step(text, size)?,
            });
        }
        Ok(())
    }

    /// The position, if it is whole; an error stands at the line of the name.
    fn finish(self, file: &str) -> Result<NamedPosition, ParseError> {
        let (line, name) = (self.line, self.name.clone());
        self.check_and_build(file).map_err(|cause| ParseError {
            file: file.to_owned(),
            line,
            cause: format!("\"{name}\" {cause}"),
        })
    }

    fn check_and_build(self, file: &str) -> Result<NamedPosition, String> {
        let size = self.size.ok_or("has no board")?;
        let start = if self.start_rows.is_empty() {
            self.start_listed
        } else {
            whole_board(self.start_rows, size)?
        };
        let end = match self.end_listed {
            Some(end) => Some(end),
            None if self.end_rows.is_empty() => None,
            None => Some(whole_board(self.end_rows, size)?),
        };
        let plays = self.steps.iter().any(|step| match step.kind {
            StepKind::Play(_, _, outcome) => !matches!(outcome, Outcome::Refused(_)),
            _ => false,
        });
        match (plays, &end) {
            (true, None) => return Err("plays stones, but has no board at last".to_owned()),
            (false, Some(_)) => return Err("plays no stone, but has a board at last".to_owned()),
            _ if self.steps.is_empty() => return Err("has no steps".to_owned()),
            _ => {}
        }
        Ok(NamedPosition {
            place: format!("{file}:{}", self.line),
            name: self.name,
            size,
            ko: self.ko,
            suicide_allowed: self.suicide_allowed,
            to_move: self.to_move,
            end: end.unwrap_or_else(|| start.clone()),
            start,
            steps: self.steps,
        })
    }
}

/// The rows of a diagram as one board.
fn whole_board(rows: Vec<Stones>, size: u8) -> Result<Stones, String> {
    let side = usize::from(size);
    if rows.len() != side || rows.iter().any(|row| row.len() != side) {
        let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
        return Err(format!(
            "has a diagram that is no square: rows of {lengths:?} points"
        ));
    }
    Ok(rows.concat())
}

fn parse_step(text: &str, size: u8) -> Result<StepKind, String> {
    if let Some(list) = text.strip_prefix("illegal ") {
        return parse_illegal(list, size).map(StepKind::Illegal);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["liberties", point, count] => Ok(StepKind::Liberties(cell(point, size)?, number(count)?)),
        ["area", black, white] => Ok(StepKind::Area(number(black)?, number(white)?)),
        ["captured", black, white] => Ok(StepKind::Captured(number(black)?, number(white)?)),
        [color, "pass"] => Ok(StepKind::Pass(parse_color(color)?)),
        [color, point, ref outcome @ ..] => Ok(StepKind::Play(
            parse_color(color)?,
            cell(point, size)?,
            parse_outcome(outcome)?,
        )),
        _ => Err(format!("\"{text}\" is no step")),
    }
}

fn parse_outcome(words: &[&str]) -> Result<Outcome, String> {
    match words {
        [] => Ok(Outcome::Takes(0)),
        ["takes", count] => Ok(Outcome::Takes(number(count)?)),
        ["loses", count] => Ok(Outcome::Loses(number(count)?)),
        ["refused", reason] => Ok(Outcome::Refused(parse_reason(reason)?)),
        _ => Err(format!("\"{}\" is no outcome", words.join(" "))),
    }
}

fn parse_illegal(list: &str, size: u8) -> Result<Vec<(u16, Illegal)>, String> {
    let mut points = Vec::new();
    if list.trim() != "none" {
        for part in list.split(',') {
            let (point, reason) = part
                .trim()
                .split_once(' ')
                .ok_or(format!("\"{part}\" is no point with a reason"))?;
            points.push((cell(point, size)?, parse_reason(reason)?));
        }
    }
    points.sort_unstable_by_key(|&(cell, _)| cell);
    Ok(points)
}

fn parse_reason(text: &str) -> Result<Illegal, String> {
    match text {
        "occupied" => Ok(Illegal::Occupied),
        "suicide" => Ok(Illegal::Suicide),
        "ko" => Ok(Illegal::Ko),
        "superko" => Ok(Illegal::Superko),
        "off-board" => Ok(Illegal::OffBoard),
        _ => Err(format!("\"{text}\" is no reason")),
    }
}

fn parse_color(text: &str) -> Result<Color, String> {
    match text {
        "X" => Ok(Color::Black),
        "O" => Ok(Color::White),
        _ => Err(format!("\"{text}\" is neither X nor O")),
    }
}

/// A coordinate, or `#` and the number of a cell that need not exist.
fn cell(text: &str, size: u8) -> Result<u16, String> {
    match text.strip_prefix('#') {
        Some(digits) => number(digits),
        None => parse_point(text, size)
            .ok_or(format!("\"{text}\" is no point of a board of side {size}")),
    }
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("\"{text}\" is no number that fits here"))
}
