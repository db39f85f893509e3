//! The command line: which commands there are and what may follow them.

use crate::error::Error;

/// What `cargo xtask help` prints.
pub const HELP: &str = "\
cargo xtask [--skip-checks] COMMAND

  play [--examples] [-- ARGS]  check the system, build shell and plugins (release), open the window;
                               ARGS go to the program
  build [--examples]           the same without opening it; the result is target/qiju/
  test [ARGS]                  build shell and plugins, then `cargo test --no-fail-fast`, all crates;
                               ARGS go to `cargo test`, and `-p NAME` among them tests only that crate
  shots DIR                    draw every screen to PNG files in DIR; needs no display
  bench [ARGS]                 build shell and plugins (release), then `cargo bench`; ARGS as for `test`
  setup                        only check the system for all that building, running and testing need
  help                         this text

  --examples                   bundle the plugins under plugins/examples/ too
  --skip-checks                do not look for system packages (for systems that keep them in unusual places)

What is missing is installed where that can be done without asking (Debian and its kin, as root or with
sudo), else named together with the command that installs it.
";

/// A command line, understood.
#[derive(Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Whether to go on without looking for system packages.
    pub skip_checks: bool,
    /// The command.
    pub task: Task,
}

/// One command with its own options.
#[derive(Debug, PartialEq, Eq)]
pub enum Task {
    /// Build the release bundle and run it.
    Play {
        /// Whether the example plugins are bundled too.
        examples: bool,
        /// What the program gets.
        arguments: Vec<String>,
    },
    /// Build the release bundle.
    Build {
        /// Whether the example plugins are bundled too.
        examples: bool,
    },
    /// Run the tests.
    Test {
        /// What `cargo test` gets.
        arguments: Vec<String>,
    },
    /// Draw the screens.
    Shots {
        /// Where the pictures go.
        directory: String,
    },
    /// Run the benches.
    Bench {
        /// What `cargo bench` gets.
        arguments: Vec<String>,
    },
    /// Check, and where possible install, the system packages.
    Setup,
    /// Print the help.
    Help,
}

/// Understands a command line (without the program's name).
///
/// # Errors
/// [`Error::Usage`] for an unknown command or option, or a missing or surplus argument.
pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Invocation, Error> {
    let mut rest: Vec<String> = arguments.collect();
    let skip_checks = rest.first().is_some_and(|first| first == "--skip-checks");
    if skip_checks {
        rest.remove(0);
    }
    if rest.is_empty() {
        return Err(Error::Usage("no command given".to_owned()));
    }
    let command = rest.remove(0);
    let task = match command.as_str() {
        "play" => {
            let own = rest
                .iter()
                .position(|argument| argument == "--")
                .unwrap_or(rest.len());
            let arguments = rest.split_off(own).into_iter().skip(1).collect();
            Task::Play {
                examples: only_examples("play", &rest)?,
                arguments,
            }
        }
        "build" => Task::Build {
            examples: only_examples("build", &rest)?,
        },
        "test" => Task::Test { arguments: rest },
        "bench" => Task::Bench { arguments: rest },
        "shots" => match <[String; 1]>::try_from(rest) {
            Ok([directory]) if !directory.starts_with('-') => Task::Shots { directory },
            _ => {
                return Err(Error::Usage(
                    "`shots` takes one argument, the folder for the pictures".to_owned(),
                ));
            }
        },
        "setup" => without_arguments(Task::Setup, "setup", &rest)?,
        "help" | "--help" | "-h" => Task::Help,
        unknown => return Err(Error::Usage(format!("unknown command `{unknown}`"))),
    };
    Ok(Invocation { skip_checks, task })
}

/// Whether `--examples` is among the options of a command that knows no other.
fn only_examples(command: &str, options: &[String]) -> Result<bool, Error> {
    match options.iter().find(|option| *option != "--examples") {
        None => Ok(!options.is_empty()),
        Some(unknown) => Err(Error::Usage(format!(
            "`{command}` does not know `{unknown}`"
        ))),
    }
}

/// The task, if nothing follows its command.
fn without_arguments(task: Task, command: &str, rest: &[String]) -> Result<Task, Error> {
    match rest.first() {
        None => Ok(task),
        Some(surplus) => Err(Error::Usage(format!(
            "`{command}` does not know `{surplus}`"
        ))),
    }
}

/// Whether arguments for cargo name packages themselves, so that the whole workspace is not meant.
/// What follows `--` is for the test programs and chooses nothing.
pub fn choose_packages(arguments: &[String]) -> bool {
    arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| {
            argument.starts_with("--package")
                || (argument.starts_with("-p") && !argument.starts_with("--"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(line: &str) -> Result<Invocation, Error> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    fn task(line: &str) -> Task {
        parse_words(line).expect(line).task
    }

    #[test]
    fn play_passes_what_follows_the_dashes() {
        let arguments = vec!["--data-dir".to_owned(), "--".to_owned(), "x".to_owned()];
        assert_eq!(
            task("play --examples -- --data-dir -- x"),
            Task::Play {
                examples: true,
                arguments
            }
        );
        assert_eq!(
            task("play"),
            Task::Play {
                examples: false,
                arguments: vec![]
            }
        );
    }

    #[test]
    fn play_and_build_refuse_other_options() {
        for line in ["play --fast", "build --data-dir", "build --examples x"] {
            assert!(matches!(parse_words(line), Err(Error::Usage(_))), "{line}");
        }
    }

    #[test]
    fn test_passes_everything_on() {
        let arguments = vec![
            "-p".to_owned(),
            "qiju-go".to_owned(),
            "--".to_owned(),
            "ko".to_owned(),
        ];
        assert_eq!(task("test -p qiju-go -- ko"), Task::Test { arguments });
    }

    #[test]
    fn shots_needs_exactly_one_folder() {
        assert_eq!(
            task("shots out"),
            Task::Shots {
                directory: "out".to_owned()
            }
        );
        for line in ["shots", "shots a b", "shots --dark"] {
            assert!(matches!(parse_words(line), Err(Error::Usage(_))), "{line}");
        }
    }

    #[test]
    fn skipping_checks_comes_before_the_command() {
        let invocation = parse_words("--skip-checks build").expect("valid");
        assert_eq!(
            invocation,
            Invocation {
                skip_checks: true,
                task: Task::Build { examples: false }
            }
        );
        assert!(!parse_words("build").expect("valid").skip_checks);
    }

    #[test]
    fn an_unknown_or_missing_command_is_a_usage_error() {
        for (line, word) in [
            ("dance", "`dance`"),
            ("", "no command"),
            ("--skip-checks", "no command"),
            ("setup now", "`now`"),
        ] {
            let error = parse_words(line).expect_err(line);
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(word), "{line}: {error}");
        }
    }

    #[test]
    fn packages_are_chosen_before_the_dashes_only() {
        let chooses = |line: &str| {
            choose_packages(
                &line
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
        };
        for line in [
            "-p qiju-go",
            "-pqiju-go",
            "--package qiju-go",
            "--package=qiju-go",
            "--doc -p qiju",
        ] {
            assert!(chooses(line), "{line}");
        }
        for line in ["", "--doc", "ko_point", "-- -p", "--profile release"] {
            assert!(!chooses(line), "{line}");
        }
    }

    #[test]
    fn the_help_names_every_command() {
        for command in ["play", "build", "test", "shots", "bench", "setup", "help"] {
            assert!(
                HELP.lines()
                    .any(|line| line.starts_with(&format!("  {command}"))),
                "{command}"
            );
        }
    }
}
