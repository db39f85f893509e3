//! The one error type of the commands, and running a program as a step.

use std::path::PathBuf;
use std::process::Command;

/// Why a command did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line is wrong.
    #[error("{0}; `cargo xtask help` lists the commands")]
    Usage(String),
    /// The system lacks something; the text says what, and how to get it.
    #[error("{0}")]
    MissingPrerequisites(String),
    /// The program is built, but there is no screen to show it on.
    #[error(
        "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set. The program is built; start\n  {}\n\
         in a desktop session. From another machine, log in with `ssh -X`; for a test without a screen, \
         use `xvfb-run` (Debian package `xvfb`)",
        executable.display()
    )]
    NoDisplay {
        /// The program that was built.
        executable: PathBuf,
    },
    /// A program could not be started at all.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A program ran and failed; it has said why itself.
    #[error("`{program}` failed ({status})")]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was to be done, as in "cannot … PATH".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Cargo answered something that is not understood, or did not build what was asked for.
    #[error("unexpected answer of cargo: {0}")]
    Cargo(String),
    /// A C example cannot be built as it lies there.
    #[error("{}: {cause}", folder.display())]
    CExample {
        /// The folder of the example.
        folder: PathBuf,
        /// What is wrong.
        cause: String,
    },
}

impl Error {
    /// The exit status to end with: 2 for a wrong command line, a failed program's own status, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Failed { status, .. } => status
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(1),
            _ => 1,
        }
    }

    /// Makes an I/O error tell what was done and to which file.
    pub fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File {
            action,
            path,
            source,
        }
    }
}

/// Runs a program to its end, with its output on the terminal.
///
/// # Errors
/// [`Error::Start`] if it cannot be started, [`Error::Failed`] if it ends with another status than 0.
pub fn succeed(command: &mut Command) -> Result<(), Error> {
    let program = program_name(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Error::Failed { program, status }),
        Err(source) => Err(Error::Start { program, source }),
    }
}

/// A program with its first argument, as it stands in messages ("cargo test").
pub fn program_name(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program
        .file_name()
        .unwrap_or(program.as_os_str())
        .to_string_lossy();
    match command.get_args().next() {
        Some(first) => format!("{name} {}", first.to_string_lossy()),
        None => name.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_command_line_ends_with_2_and_the_rest_with_1() {
        assert_eq!(Error::Usage("x".to_owned()).exit_code(), 2);
        assert_eq!(Error::Cargo("x".to_owned()).exit_code(), 1);
    }

    #[test]
    fn a_failed_programs_status_is_handed_on() {
        let error = succeed(
            Command::new("cargo")
                .arg("no-such-subcommand-of-cargo")
                .stderr(std::process::Stdio::null()),
        )
        .expect_err("cargo knows no such subcommand");
        assert_eq!(error.exit_code(), 101);
        assert!(
            error
                .to_string()
                .contains("`cargo no-such-subcommand-of-cargo` failed"),
            "{error}"
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error =
            succeed(&mut Command::new("no-such-program-anywhere")).expect_err("it does not exist");
        assert!(
            error
                .to_string()
                .starts_with("cannot start `no-such-program-anywhere`"),
            "{error}"
        );
    }
}
