//! Reports of a search as Leela Zero and KataGo write them, for programs that show them.

use std::fmt::Write as _;
use std::time::Duration;

use crate::ai::search::Search;
use crate::board::{Color, Point};
use crate::notation;

/// Whose format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `lz-analyze`: chances in ten-thousandths.
    LeelaZero,
    /// `kata-analyze`: chances from 0 to 1, with the expected lead in points.
    KataGo,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Whose format.
    pub dialect: Dialect,
    /// Whose turn it is taken to be.
    pub color: Color,
    /// Time between two reports.
    pub interval: Duration,
    /// Moves reported at the most.
    pub max_moves: usize,
    /// Whether the owner of each point is reported too (KataGo's only).
    pub ownership: bool,
}

/// Moves reported where nothing else is asked for.
const MAX_MOVES: usize = 24;

/// Time between two reports where nothing else is asked for.
const INTERVAL: Duration = Duration::from_millis(500);

/// Moves of a line.
const LINE: usize = 16;

impl Request {
    /// Reads `[colour] [interval in hundredths of a second] [key value]…` for a side to move.
    ///
    /// # Errors
    /// The argument that is not understood.
    pub fn read(dialect: Dialect, arguments: &[String], to_move: Color) -> Result<Request, String> {
        let mut request = Request {
            dialect,
            color: to_move,
            interval: INTERVAL,
            max_moves: MAX_MOVES,
            ownership: false,
        };
        let centiseconds = |text: &str| {
            let number: u64 = text
                .parse()
                .map_err(|_| format!("interval {text:?} is no number of hundredths of a second"))?;
            Ok::<_, String>(Duration::from_millis(
                number.saturating_mul(10).clamp(10, 3_600_000),
            ))
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let lower = argument.to_ascii_lowercase();
            let mut value = || {
                arguments
                    .next()
                    .ok_or_else(|| format!("{lower} needs a value"))
            };
            match lower.as_str() {
                "b" | "black" => request.color = Color::Black,
                "w" | "white" => request.color = Color::White,
                "interval" => request.interval = centiseconds(value()?)?,
                "maxmoves" => {
                    let text = value()?;
                    request.max_moves = text
                        .parse()
                        .map_err(|_| format!("maxmoves {text:?} is no number"))?;
                }
                "ownership" => request.ownership = value()? == "true",
                // Further wishes of KataGo's that change nothing here.
                "minmoves" | "rootinfo" | "movesownership" | "pvvisits" | "pvedgevisits"
                | "noresultvalue" | "ownershipstdev" => {
                    value()?;
                }
                number if number.bytes().all(|b| b.is_ascii_digit()) => {
                    request.interval = centiseconds(number)?;
                }
                _ => return Err(format!("{argument:?} is not understood")),
            }
        }
        Ok(request)
    }
}

/// A point as the protocol writes it.
pub fn vertex(search: &Search, point: Point) -> String {
    let board = &search.problem().board;
    match point {
        Point::PASS => "pass".to_owned(),
        _ => notation::point_name(board.cell(point), board.size()),
    }
}

/// One report, as one line without its end; empty before the first play-out.
pub fn report(search: &Search, request: &Request) -> String {
    let mut out = String::new();
    let lead = search.expected_lead() / 2.0;
    let candidates = search.candidates();
    let impressions: Vec<(Point, f32)> = search.first_impressions().collect();
    let total: f32 = impressions.iter().map(|&(_, chance)| chance.powi(4)).sum();
    for (order, candidate) in candidates.iter().take(request.max_moves).enumerate() {
        let impression = impressions
            .iter()
            .find(|&&(point, _)| point == candidate.point)
            .map_or(0.0, |&(_, chance)| {
                chance.powi(4) / total.max(f32::MIN_POSITIVE)
            });
        // Lower confidence bound of a proportion, at 1.96 standard errors.
        let (rate, visits) = (candidate.win_rate, candidate.visits.max(1) as f32);
        let bound = (rate - 1.96 * (rate * (1.0 - rate) / visits).sqrt()).max(0.0);
        if order > 0 {
            out.push(' ');
        }
        let name = vertex(search, candidate.point);
        // Writing to a string cannot fail.
        let _ = match request.dialect {
            Dialect::LeelaZero => {
                let parts = |share: f32| (share.clamp(0.0, 1.0) * 10_000.0).round() as u32;
                write!(
                    out,
                    "info move {name} visits {} winrate {} prior {} lcb {} order {order} pv",
                    candidate.visits,
                    parts(rate),
                    parts(impression),
                    parts(bound)
                )
            }
            Dialect::KataGo => write!(
                out,
                "info move {name} visits {} utility {:.4} winrate {rate:.4} scoreMean {lead:.2} \
                 scoreLead {lead:.2} prior {impression:.4} lcb {bound:.4} order {order} pv",
                candidate.visits,
                2.0 * rate - 1.0,
            ),
        };
        for point in search.line(candidate.point, 4).into_iter().take(LINE) {
            out.push(' ');
            out.push_str(&vertex(search, point));
        }
        if search.line(candidate.point, 4).is_empty() {
            out.push(' ');
            out.push_str(&name);
        }
    }
    if request.ownership && request.dialect == Dialect::KataGo && !candidates.is_empty() {
        out.push_str(" ownership");
        let sign = match search.problem().to_move {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        for owner in search.ownership() {
            let _ = write!(out, " {:.3}", sign * owner);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request, String> {
        let arguments: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Request::read(Dialect::KataGo, &arguments, Color::Black)
    }

    #[test]
    fn what_sabaki_and_lizzie_send_is_understood() {
        let asked = read("W 50").expect("a request");
        assert_eq!(
            (asked.color, asked.interval),
            (Color::White, Duration::from_millis(500))
        );
        let asked = read("interval 20 maxmoves 3 ownership true minmoves 1").expect("a request");
        assert_eq!(
            (asked.color, asked.max_moves, asked.ownership),
            (Color::Black, 3, true)
        );
        assert_eq!(asked.interval, Duration::from_millis(200));
        assert!(read("").is_ok());
        for bad in ["interval", "interval x", "maxmoves x", "allow b D4 1", "-5"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
