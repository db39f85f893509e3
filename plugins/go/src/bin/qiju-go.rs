//! `qiju-go`: the game over the Go Text Protocol, without a window.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Duration;

use qiju_go::ai::player::Strength;
use qiju_go::gtp::clock::MAX_TIME;
use qiju_go::gtp::{self, Settings};
use qiju_go::levels::AI_LEVELS;
use qiju_go::rules::RuleSet;

const HELP: &str = "\
qiju-go: Go over the Go Text Protocol (GTP 2) on standard input and output.

  --level N         play at level 1 to 10 of the app
  --playouts N      play-outs for a move at the most
  --time SECONDS    time for each move, whatever the clock says
  --threads N       threads to search with (default: one for each core)
  --seed N          seed of everything random (default 1)
  --rules NAME      chinese (default), japanese, aga, new-zealand, tromp-taylor
  --no-resign       never give up
  --version, --help

Without a level, a number of play-outs, a time or a clock (time_settings), a move takes 20,000 play-outs.
";

/// Play-outs for a move where nothing limits it.
const DEFAULT_PLAYOUTS: u64 = 20_000;

/// The most threads that a search uses.
const MAX_THREADS: u32 = 64;

/// What the command line asks for.
enum Command {
    Serve(Settings),
    Help,
    Version,
}

fn parse(mut parser: lexopt::Parser) -> Result<Command, lexopt::Error> {
    use lexopt::prelude::{Long, Short, ValueExt};
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut threads = u32::try_from(threads).unwrap_or(1).min(MAX_THREADS);
    let (mut level, mut playouts, mut time) = (None, None, None);
    let (mut seed, mut rules, mut resigns) = (1, RuleSet::Chinese, true);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("level") => {
                let number: usize = parser.value()?.parse()?;
                let found = number.checked_sub(1).and_then(|i| AI_LEVELS.get(i));
                level = Some(found.ok_or_else(|| {
                    format!(
                        "--level {number}: there are levels 1 to {}",
                        AI_LEVELS.len()
                    )
                })?);
            }
            Long("playouts") => {
                let number: u64 = parser.value()?.parse()?;
                if number == 0 {
                    return Err("--playouts 0: at least 1".into());
                }
                playouts = Some(number);
            }
            Long("time") => {
                let seconds: f64 = parser.value()?.parse()?;
                if !(seconds > 0.0 && seconds <= MAX_TIME.as_secs_f64()) {
                    return Err(format!("--time {seconds}: not a number of seconds").into());
                }
                time = Some(Duration::from_secs_f64(seconds));
            }
            Long("threads") => {
                threads = parser.value()?.parse()?;
                if !(1..=MAX_THREADS).contains(&threads) {
                    return Err(format!("--threads {threads}: 1 to {MAX_THREADS}").into());
                }
            }
            Long("seed") => seed = parser.value()?.parse()?,
            Long("rules") => {
                let name: String = parser.value()?.parse()?;
                rules = RuleSet::ALL
                    .into_iter()
                    .find(|rules| rules.id() == name)
                    .ok_or_else(|| format!("--rules {name}: unknown"))?;
            }
            Long("no-resign") => resigns = false,
            Long("help") | Short('h') => return Ok(Command::Help),
            Long("version") | Short('V') => return Ok(Command::Version),
            _ => return Err(argument.unexpected()),
        }
    }
    let base = level.map_or(Strength::UNLIMITED, |level| level.strength);
    let limit = match (playouts, level, time) {
        (Some(playouts), ..) => playouts,
        (None, Some(level), _) => level.strength.playouts,
        (None, None, _) => Strength::UNLIMITED.playouts,
    };
    Ok(Command::Serve(Settings {
        strength: Strength {
            playouts: limit,
            resigns,
            stops_early: true,
            ..base
        },
        playouts_without_clock: if playouts.is_none() && level.is_none() {
            DEFAULT_PLAYOUTS
        } else {
            limit
        },
        threads,
        time,
        seed,
        rules,
    }))
}

fn main() -> ExitCode {
    match parse(lexopt::Parser::from_env()) {
        Ok(Command::Help) => print_out(HELP),
        Ok(Command::Version) => print_out(concat!("qiju-go ", env!("CARGO_PKG_VERSION"), "\n")),
        Ok(Command::Serve(settings)) => {
            let mut sink = io::stdout().lock();
            match gtp::serve(settings, BufReader::new(io::stdin()), &mut sink) {
                Ok(()) => ExitCode::SUCCESS,
                // The other side has gone: nobody is left to tell.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("qiju-go: {error}");
                    ExitCode::FAILURE
                }
            }
        }
        Err(error) => {
            eprintln!("qiju-go: {error}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn print_out(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
