//! The project's own commands, run as `cargo xtask COMMAND`.
//!
//! Here: reading the command line and the order of the steps of each command. How a step is done is in the modules:
//! [`prerequisites`] (what the system must have), [`workspace`] (which crates are plugins) and [`bundle`] (building, and
//! laying plugins beside the executable). Nothing here may know a game: a new folder under `plugins/` is enough.
//!
//! One thing cannot be checked here: without a C compiler (`cc`), which Rust links with, this program cannot be built.

mod arguments;
mod bundle;
mod error;
mod prerequisites;
mod workspace;

use std::process::{Command, ExitCode};

use arguments::{Invocation, Task};
use bundle::Build;
use error::Error;
use prerequisites::Purpose;
use workspace::Workspace;

fn main() -> ExitCode {
    let outcome = arguments::parse(std::env::args().skip(1)).and_then(run);
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Carries out one command.
fn run(invocation: Invocation) -> Result<(), Error> {
    let check = |purposes: &[Purpose]| {
        if invocation.skip_checks {
            Ok(())
        } else {
            prerequisites::ensure(purposes)
        }
    };
    match &invocation.task {
        Task::Help => {
            print!("{}", arguments::HELP);
            Ok(())
        }
        Task::Setup => prerequisites::ensure(&[Purpose::Build, Purpose::Run, Purpose::Test]),
        Task::Build { examples } => {
            check(&[Purpose::Build])?;
            let bundle = bundle::release(&Workspace::load()?, *examples)?;
            println!("built {}", bundle.executable.display());
            Ok(())
        }
        Task::Play {
            examples,
            arguments,
        } => {
            let display = prerequisites::display();
            let mut purposes = vec![Purpose::Build, Purpose::Run];
            purposes.extend(display.purpose());
            check(&purposes)?;
            let bundle = bundle::release(&Workspace::load()?, *examples)?;
            if !display.can_open_a_window() {
                return Err(Error::NoDisplay {
                    executable: bundle.executable,
                });
            }
            error::succeed(Command::new(&bundle.executable).args(arguments))
        }
        Task::Test { arguments } => {
            check(&[Purpose::Build, Purpose::Run, Purpose::Test])?;
            bundle::beside_executable(&Workspace::load()?, Build::Tests)?;
            // Every test, also after one has failed: a run should show all that is wrong.
            error::succeed(
                cargo_with_selection("test", arguments)
                    .arg("--no-fail-fast")
                    .args(arguments),
            )
        }
        Task::Bench { arguments } => {
            check(&[Purpose::Build, Purpose::Run, Purpose::Test])?;
            bundle::beside_executable(&Workspace::load()?, Build::Benches)?;
            error::succeed(cargo_with_selection("bench", arguments).args(arguments))
        }
        Task::Shots { directory } => {
            check(&[Purpose::Build, Purpose::Run])?;
            // The development profile: every crate is shared with `test`, and a picture needs no speed.
            let bundle = bundle::beside_executable(&Workspace::load()?, Build::Tests)?;
            let shots = bundle.artifacts.executable("shots")?;
            error::succeed(Command::new(shots).arg(directory))
        }
    }
}

/// `cargo test` or `cargo bench` for the packages that `arguments` choose, or for all of them; without `arguments` as yet.
fn cargo_with_selection(subcommand: &str, arguments: &[String]) -> Command {
    let mut cargo = workspace::cargo();
    cargo.args([subcommand, "--locked"]);
    if !arguments::choose_packages(arguments) {
        cargo.arg("--workspace");
    }
    cargo
}
