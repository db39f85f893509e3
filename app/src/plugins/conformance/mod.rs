//! The checks that any plugin must pass: `qiju check FILE [--seed N] [--games N] [--group NAME]...`.
//!
//! Every group of checks runs in a process of its own for each game of the
//! file, so that a crash or a hang is one failed check and not the end. One
//! line is printed for each check:
//!
//! ```text
//! ok   play/unique       ID  2310 positions
//! skip ladder/levels     ID  the game has no ladder
//! FAIL refuse/unchanged  ID  the move … changed the status; game 3, … (again: --seed 5 --group refuse)
//! ```
//!
//! and at the end `N passed, N failed`. Whatever is random comes from the
//! seed, which is printed, so that a failure can be seen again.
//!
//! * [`groups`]: the checks themselves, one file for each group.
//! * [`subject`]: the game under test, and random play of it.
//! * [`report`]: the lines that a group's process writes for its parent.
//! * [`runner`]: the parent: starts the groups, reads their lines, counts.
//!
//! The clock is looked at in the group `clock` only: a busy machine can fail
//! its checks, and nothing else's.

mod groups;
mod report;
mod runner;
mod subject;
#[cfg(all(test, unix))]
mod tests;

use std::path::PathBuf;

use report::Reporter;
use runner::Runner;
use subject::Subject;

use super::Lang;
use super::child::SelfExec;

/// Random games of each check, if nothing else is asked for.
const DEFAULT_GAMES: u32 = 10;

/// What is to be checked, from the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    file: PathBuf,
    seed: u64,
    games: u32,
    /// Names of groups; empty: all.
    groups: Vec<String>,
    /// Index of a game in the file; only for the process of a group.
    game: Option<u32>,
    /// The check after which to begin; only for the process of a group.
    after: Option<String>,
}

impl Request {
    fn parse(args: &[String]) -> Result<Self, String> {
        let mut request = Self {
            file: PathBuf::new(),
            seed: rand::random(),
            games: DEFAULT_GAMES,
            groups: Vec::new(),
            game: None,
            after: None,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            if !arg.starts_with("--") {
                if !request.file.as_os_str().is_empty() {
                    return Err(format!("more than one file: {arg}"));
                }
                request.file = PathBuf::from(arg);
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            let number = || {
                value
                    .parse::<u64>()
                    .map_err(|_| format!("{arg} needs a whole number, not {value}"))
            };
            let small = || {
                number().and_then(|n| {
                    u32::try_from(n).map_err(|_| format!("{arg} {value} is too large"))
                })
            };
            match arg.as_str() {
                "--seed" => request.seed = number()?,
                "--games" => request.games = small()?.max(1),
                "--game" => request.game = Some(small()?),
                "--after" => request.after = Some(value.clone()),
                "--group" if groups::is_known(value) => request.groups.push(value.clone()),
                "--group" => {
                    return Err(format!(
                        "no group {value}; there are: {}",
                        groups::names().collect::<Vec<_>>().join(", ")
                    ));
                }
                _ => return Err(format!("unknown option {arg}")),
            }
        }
        if request.file.as_os_str().is_empty() {
            return Err("no file".to_owned());
        }
        Ok(request)
    }
}

/// `qiju check`: runs every group and prints the result. The exit code is 0
/// if all is well, 1 if a check failed, 2 if the arguments make no sense.
pub fn check_command(args: &[String]) -> i32 {
    let request = match Request::parse(args) {
        Ok(request) => request,
        Err(why) => {
            eprintln!("qiju check: {why}");
            eprintln!("usage: qiju check FILE [--seed N] [--games N] [--group NAME]...");
            return 2;
        }
    };
    let exe = match std::env::current_exe() {
        Ok(exe) => exe,
        Err(error) => {
            eprintln!("qiju check: this program's own file is unknown: {error}");
            return 2;
        }
    };
    let program = SelfExec {
        exe,
        prefix: Vec::new(),
    };
    match Runner::new(program, &request, &mut std::io::stdout()).run() {
        Ok(tally) => i32::from(tally.failed > 0),
        Err(error) => {
            eprintln!("qiju check: {error}");
            2
        }
    }
}

/// `qiju check-group`: one group on one game, for the parent to read.
pub fn check_group_command(args: &[String]) -> i32 {
    let request = match Request::parse(args) {
        Ok(request) => request,
        Err(why) => {
            eprintln!("check-group: {why}");
            return 2;
        }
    };
    let reporter = Reporter;
    reporter.run("load/opens");
    let games = match super::load(&request.file) {
        Ok(games) => games,
        Err(error) => {
            reporter.failed(&error.message(Lang::En));
            reporter.done();
            return 1;
        }
    };
    let Some(index) = request.game else {
        for game in &games {
            reporter.game(game.id());
        }
        reporter.passed(&format!("games: {}", games.len()));
        reporter.done();
        return 0;
    };
    let Some(plugin) = games.into_iter().nth(index as usize) else {
        eprintln!("check-group: no game {index}");
        return 2;
    };
    let subject = Subject::new(plugin, request.seed, request.games, &reporter);
    for name in &request.groups {
        groups::run(name, request.after.as_deref(), &subject, &reporter);
    }
    reporter.done();
    0
}
