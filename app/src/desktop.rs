//! The desktop program: arguments, log, start, and what to say if there is no window to be had.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tracing_subscriber::fmt::writer::MakeWriterExt as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::plugins::{self, Prober};
use crate::screens::{App, Setup};
use crate::store::{Paths, Store};

const HELP: &str = "\
Qiju 棋局: board games, each from a plugin.

  qiju [--data-dir DIR] [--plugins DIR]... [FILE]
                                             play; with the record FILE on the board
  qiju check FILE [--seed N] [--games N] [--group NAME]
                                             check a plugin against the ABI's promises
  qiju --version | --help

  --data-dir DIR   keep settings and games in DIR instead of the system's place
  --plugins DIR    look for bundled plugins in DIR instead of beside the program
  QIJU_PLUGIN_PATH more folders to look for plugins in
  QIJU_LOG         how much to log, such as \"debug\" (default \"info\")
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    Play {
        data_dir: Option<PathBuf>,
        bundled: Vec<PathBuf>,
        /// A record to open.
        file: Option<PathBuf>,
    },
    /// One of the plugin commands with its arguments.
    Plugin(PluginCommand, Vec<String>),
    Version,
    Help,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PluginCommand {
    Check,
    CheckGroup,
    Probe,
}

/// Runs the program with its arguments (without the program's own name).
pub fn main(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    match parse(arguments) {
        Ok(Command::Play {
            data_dir,
            bundled,
            file,
        }) => play(data_dir, &bundled, file.as_deref()),
        Ok(Command::Plugin(command, arguments)) => {
            let code = match command {
                PluginCommand::Check => plugins::check_command(&arguments),
                PluginCommand::CheckGroup => plugins::check_group_command(&arguments),
                PluginCommand::Probe => plugins::probe_command(&arguments),
            };
            ExitCode::from(u8::try_from(code).unwrap_or(1))
        }
        Ok(Command::Version) => {
            println!("qiju {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Ok(Command::Help) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("qiju: {message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Command, String> {
    let mut arguments = arguments.peekable();
    let command = match arguments.peek().and_then(|first| first.to_str()) {
        Some("check") => Some(PluginCommand::Check),
        Some("check-group") => Some(PluginCommand::CheckGroup),
        Some("probe") => Some(PluginCommand::Probe),
        _ => None,
    };
    if let Some(command) = command {
        arguments.next();
        let rest = arguments
            .map(|text| {
                text.into_string()
                    .map_err(|text| format!("argument {text:?} is not UTF-8"))
            })
            .collect::<Result<_, _>>()?;
        return Ok(Command::Plugin(command, rest));
    }
    let (mut data_dir, mut bundled, mut file) = (None, Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--help" | "-h") => return Ok(Command::Help),
            Some("--version" | "-V") => return Ok(Command::Version),
            Some("--data-dir") => {
                let dir = arguments.next().ok_or("--data-dir needs a folder")?;
                data_dir = Some(PathBuf::from(dir));
            }
            Some("--plugins") => bundled.push(PathBuf::from(
                arguments.next().ok_or("--plugins needs a folder")?,
            )),
            Some(option) if option.starts_with('-') => {
                return Err(format!("unknown argument {argument:?}"));
            }
            _ if file.is_none() => file = Some(PathBuf::from(argument)),
            _ => return Err(format!("one record is opened, not two: {argument:?}")),
        }
    }
    Ok(Command::Play {
        data_dir,
        bundled,
        file,
    })
}

fn play(data_dir: Option<PathBuf>, bundled: &[PathBuf], file: Option<&Path>) -> ExitCode {
    let paths = match Paths::new(data_dir) {
        Ok(paths) => paths,
        Err(error) => {
            eprintln!("qiju: {error}");
            return ExitCode::FAILURE;
        }
    };
    start_log(&paths.log_file());
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            tracing::error!("the program's own path is unknown: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut search = plugins::search_paths(&paths.plugins_dir());
    if !bundled.is_empty() {
        search.retain(|path| !path.bundled);
        let given = bundled.iter().map(|dir| plugins::SearchPath {
            dir: dir.clone(),
            bundled: true,
        });
        search.splice(0..0, given);
    }
    let (store, notices) = Store::open(paths);
    let setup = Setup {
        store,
        notices,
        search,
        prober: Prober::new(program),
        seed: None,
    };
    // Some of the system's libraries are looked for only when the window is made, and one
    // of the crates that do so panics where they are missing.
    let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        App::new(setup).and_then(|app| {
            if let Some(file) = file {
                app.open_given(file);
            }
            app.run()
        })
    }));
    match ran {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => no_window(&error.to_string()),
        Err(_) => {
            no_window("a library that the window needs is missing (the lines above say which)")
        }
    }
}

/// Says what is missing for a window.
fn no_window(cause: &str) -> ExitCode {
    tracing::error!("no window: {cause}");
    eprintln!(
        "qiju: no window can be opened: {cause}\n\
         On Debian or Ubuntu: apt-get install libfontconfig1 fonts-dejavu-core libx11-6 libx11-xcb1 libxcursor1 \
         libxi6 libxkbcommon-x11-0 libxkbcommon0 libwayland-client0\n\
         and start it where DISPLAY or WAYLAND_DISPLAY is set."
    );
    ExitCode::FAILURE
}

/// Logs to the terminal and to a file in the data folder.
fn start_log(file: &Path) {
    let filter = std::env::var("QIJU_LOG").unwrap_or_else(|_| "qiju=info,warn".to_owned());
    let filter = tracing_subscriber::EnvFilter::try_new(&filter).unwrap_or_else(|error| {
        eprintln!("qiju: QIJU_LOG={filter:?}: {error}; \"info\" is used");
        tracing_subscriber::EnvFilter::new("info")
    });
    let terminal = tracing_subscriber::fmt::layer()
        .without_time()
        .with_target(false)
        .with_writer(std::io::stderr);
    let opened = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| trim_log(file))
        // A second copy writes to the same file: nobody's lines are lost.
        .and_then(|()| {
            std::fs::File::options()
                .create(true)
                .append(true)
                .open(file)
        });
    let in_file = match opened {
        Ok(file) => Some(
            tracing_subscriber::fmt::layer()
                .with_ansi(false)
                .with_writer(std::sync::Mutex::new(file).with_max_level(tracing::Level::TRACE)),
        ),
        Err(error) => {
            eprintln!("qiju: no log file {}: {error}", file.display());
            None
        }
    };
    // Fails only if a log runs already, as in a test; then that one goes on.
    let _ = tracing_subscriber::registry()
        .with(filter)
        .with(terminal)
        .with(in_file)
        .try_init();
}

/// Begins the log anew once it is long.
fn trim_log(file: &Path) -> std::io::Result<()> {
    const LOG_MAX_BYTES: u64 = 1 << 20;
    match std::fs::metadata(file) {
        Ok(found) if found.len() > LOG_MAX_BYTES => std::fs::remove_file(file),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Command, String> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn arguments_are_read() {
        assert_eq!(
            parsed(&[]),
            Ok(Command::Play {
                data_dir: None,
                bundled: Vec::new(),
                file: None
            })
        );
        assert_eq!(
            parsed(&["--data-dir", "/d", "--plugins", "/p"]),
            Ok(Command::Play {
                data_dir: Some("/d".into()),
                bundled: vec!["/p".into()],
                file: None
            })
        );
        assert_eq!(
            parsed(&["check", "x.so", "--seed", "3"]),
            Ok(Command::Plugin(
                PluginCommand::Check,
                vec!["x.so".into(), "--seed".into(), "3".into()]
            ))
        );
        assert_eq!(parsed(&["-h"]), Ok(Command::Help));
    }

    #[test]
    fn a_wrong_argument_is_named() {
        assert!(parsed(&["--colour"]).is_err_and(|message| message.contains("--colour")));
        assert!(parsed(&["--data-dir"]).is_err_and(|message| message.contains("--data-dir")));
    }
}
