//! Replays 1,000 random games that sgfmill played and compares every board after every move, every
//! refusal, the score and the stones taken.
//!
//! How the file came to be and what its lines mean is told in `tests/fixtures/README.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use qiju_go::rules::{Color, Illegal, KoRule, Position};

#[path = "support/drawing.rs"]
mod drawing;

use drawing::{draw, mark, point_name, stones};

const GAMES: usize = 1000;
const PASS: &str = "tt";

/// A game as it is written in the file.
struct Game {
    number: u32,
    size: u8,
    ko: KoRule,
    suicide: bool,
    moves: Vec<String>,
    /// A hash of the board after each move.
    boards: Vec<u32>,
    /// After how many moves, where, and why a stone was refused; in the order of the game.
    refused: Vec<(usize, String, Illegal)>,
    /// Area of black less area of white at the end.
    lead: i64,
    /// Stones taken by black and by white.
    taken: (u32, u32),
}

/// FNV-1a, 32 bits, of the board as row-major text.
fn board_hash(position: &Position) -> u32 {
    let marks = stones(position).into_iter().map(mark);
    marks.fold(0x811c_9dc5, |hash: u32, mark| {
        (hash ^ u32::from(mark)).wrapping_mul(0x0100_0193)
    })
}

/// How many stones a colour has on the board.
fn count(position: &Position, color: Color) -> u32 {
    let all = stones(position).into_iter();
    all.map(|stone| u32::from(stone == Some(color))).sum()
}

/// The cell of two letters as in SGF.
fn cell(text: &str, size: u8) -> Result<u16, String> {
    let place = |letter: u8| u16::from(letter.wrapping_sub(b'a'));
    match text.as_bytes() {
        &[column, row] if place(column).max(place(row)) < u16::from(size) => {
            Ok(place(row) * u16::from(size) + place(column))
        }
        _ => Err(format!("\"{text}\" is no point of a board of side {size}")),
    }
}

/// Text cut into pieces of `width` bytes.
fn pieces(text: &str, width: usize) -> Result<Vec<String>, String> {
    text.as_bytes()
        .chunks(width)
        .map(|piece| match String::from_utf8(piece.to_vec()) {
            Ok(piece) if piece.len() == width => Ok(piece),
            _ => Err(format!(
                "a piece of {width} letters is cut short at the end"
            )),
        })
        .collect()
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("\"{text}\" is no number that fits here"))
}

fn refusals(text: &str) -> Result<Vec<(usize, String, Illegal)>, String> {
    let mut refused = Vec::new();
    for group in text.split_whitespace() {
        let (after, points) = group
            .split_once(':')
            .ok_or(format!("\"{group}\" has no colon"))?;
        for point in pieces(points, 3)? {
            let reason = match &point[2..] {
                "S" => Illegal::Suicide,
                "K" => Illegal::Ko,
                "P" => Illegal::Superko,
                other => return Err(format!("\"{other}\" is no reason")),
            };
            refused.push((number(after)?, point[..2].to_owned(), reason));
        }
    }
    Ok(refused)
}

fn parse_game(lines: &[&str]) -> Result<Game, String> {
    let [head, moves, boards, refused, end] = lines else {
        return Err(format!("a game has five lines, not {}", lines.len()));
    };
    let content = |line: &str, key: &str| {
        let rest = line
            .strip_prefix(key)
            .ok_or(format!("\"{key}\" is missing"));
        rest.map(|rest| rest.trim().to_owned())
    };
    let head: Vec<&str> = head.split_whitespace().collect();
    let &[
        "game",
        game_number,
        "size",
        size,
        "ko",
        ko,
        "suicide",
        suicide,
    ] = &head[..]
    else {
        return Err(format!("{head:?} is no head of a game"));
    };
    let end: Vec<&str> = end.split_whitespace().collect();
    let &[
        "end",
        "lead",
        lead,
        "black-took",
        black,
        "white-took",
        white,
    ] = &end[..]
    else {
        return Err(format!("{end:?} is no end of a game"));
    };
    let hash = |hex: String| u32::from_str_radix(&hex, 16).map_err(|e| format!("{hex}: {e}"));
    Ok(Game {
        number: number(game_number)?,
        size: number(size)?,
        ko: match ko {
            "simple" => KoRule::Simple,
            "positional" => KoRule::PositionalSuperko,
            "situational" => KoRule::SituationalSuperko,
            _ => return Err(format!("\"{ko}\" is no ko rule")),
        },
        suicide: match suicide {
            "yes" => true,
            "no" => false,
            _ => return Err(format!("\"{suicide}\" is neither yes nor no")),
        },
        moves: pieces(&content(moves, "moves")?, 2)?,
        boards: pieces(&content(boards, "boards")?, 8)?
            .into_iter()
            .map(hash)
            .collect::<Result<_, _>>()?,
        refused: refusals(&content(refused, "refused")?)?,
        lead: number(lead)?,
        taken: (number(black)?, number(white)?),
    })
}

fn games() -> Vec<Game> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sgfmill_games.txt");
    let text = fs::read_to_string(file).expect("the fixture is readable");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let parsed = lines.chunks(5).map(|lines| {
        parse_game(lines)
            .unwrap_or_else(|cause| panic!("sgfmill_games.txt: {:?}: {cause}", lines[0]))
    });
    parsed.collect()
}

/// Replays a game; the message of a failure names the move and shows our boards before and after
/// it. Of sgfmill's boards the hash is known: the one before was equal.
fn replay(game: &Game) -> Result<(), String> {
    if game.moves.len() != game.boards.len() {
        return Err("as many boards as moves are needed".to_owned());
    }
    let mut position =
        Position::new(game.size, game.ko, game.suicide).map_err(|e| e.to_string())?;
    let mut refused = game.refused.iter().peekable();
    for (index, (text, &expected)) in game.moves.iter().zip(&game.boards).enumerate() {
        while let Some((_, point, reason)) = refused.next_if(|(after, _, _)| *after == index) {
            let point = cell(point, game.size)?;
            let answer = position.check(point);
            if answer != Err(*reason) {
                return Err(format!(
                    "after {index} moves, {:?} at {}: sgfmill refuses it as {reason:?}, we answer {answer:?}\n{}",
                    position.to_move(),
                    point_name(point, game.size),
                    draw(&stones(&position), game.size)
                ));
            }
        }
        let before = draw(&stones(&position), game.size);
        let mover = position.to_move();
        let mut name = "pass".to_owned();
        if text == PASS {
            position.pass();
        } else {
            let point = cell(text, game.size)?;
            name = point_name(point, game.size);
            let enemies = count(&position, !mover);
            let taken = position.play(point).map_err(|reason| {
                format!(
                    "move {}, {mover:?} {name}: refused ({reason})\n{before}",
                    index + 1
                )
            })?;
            if enemies != count(&position, !mover) + taken {
                return Err(format!(
                    "move {}, {mover:?} {name}: says that it took {taken}\n{before}",
                    index + 1
                ));
            }
        }
        let found = board_hash(&position);
        if found != expected {
            return Err(format!(
                "move {}, {mover:?} {name}: sgfmill's board has hash {expected:08x}, ours {found:08x}\n\
                 before, equal in both:\n{before}ours after:\n{}",
                index + 1,
                draw(&stones(&position), game.size)
            ));
        }
    }
    if refused.next().is_some() {
        return Err("a refusal stands after the last move or out of order".to_owned());
    }
    let (black, white) = position.area();
    let lead = i64::from(black) - i64::from(white);
    if lead != game.lead {
        return Err(format!("black leads by {lead} instead of {}", game.lead));
    }
    let taken = (
        position.captures(Color::Black),
        position.captures(Color::White),
    );
    if taken != game.taken {
        return Err(format!(
            "black and white took {taken:?} instead of {:?}",
            game.taken
        ));
    }
    Ok(())
}

#[test]
fn every_board_of_every_game_is_sgfmills() {
    let games = games();
    assert_eq!(games.len(), GAMES);
    let mut failures = Vec::new();
    for game in &games {
        if let Err(cause) = replay(game) {
            failures.push(format!("game {}, side {}: {cause}", game.number, game.size));
        }
    }
    assert!(
        failures.is_empty(),
        "{} games differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn the_games_cover_the_rules() {
    let games = games();
    let sizes: BTreeSet<u8> = games.iter().map(|game| game.size).collect();
    assert_eq!(sizes, (5..=19).collect());
    let refusals = |reason| {
        let all = games.iter().flat_map(|game| &game.refused);
        all.filter(|(_, _, r)| *r == reason).count()
    };
    assert!(refusals(Illegal::Suicide) > 10_000);
    assert!(refusals(Illegal::Superko) > 1_000);
    assert!(refusals(Illegal::Ko) > 100);
    let taken: u32 = games.iter().map(|game| game.taken.0 + game.taken.1).sum();
    assert!(taken > 50_000, "only {taken} stones are taken");
    let passes = games
        .iter()
        .flat_map(|game| &game.moves)
        .filter(|m| *m == PASS);
    assert!(passes.count() > 1_000);
    assert!(games.iter().any(|game| game.suicide));
}

#[test]
fn a_game_with_one_wrong_board_is_found() {
    let mut game = games().remove(0);
    let middle = game.boards.len() / 2;
    game.boards[middle] ^= 1;
    let message = replay(&game).expect_err("a wrong hash");
    assert!(
        message.starts_with(&format!("move {}, ", middle + 1)),
        "{message}"
    );
    assert!(message.contains("ours after:"), "{message}");
}
