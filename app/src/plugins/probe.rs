//! Trying a plugin in a process of its own, where it can crash or hang and hurt nobody.

use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::child::{SelfExec, how_it_ended, listen, tell};
use super::load::load;
use super::load_error::{LoadCause, LoadError};

/// How long a plugin may take to load and to describe its games.
const LIMIT: Duration = Duration::from_secs(5);
/// How often a waiting parent looks whether its child has ended.
const POLL: Duration = Duration::from_millis(2);
/// Most bytes of a child's answer.
const MAX_ANSWER: usize = 1024 * 1024;
/// Lines that enclose the answer in the child's output, in which the plugin may write too.
const BEGIN: &str = "qiju-probe-begin";
const END: &str = "qiju-probe-end";

/// Tries plugin files by running `<exe> probe FILE` with a time limit.
#[derive(Clone, Debug)]
pub struct Prober {
    program: SelfExec,
    limit: Duration,
}

/// What the child tells its parent.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// The ids of the games.
    Games(Vec<String>),
    /// Why there are none.
    Error(LoadError),
}

impl Prober {
    /// One that runs `exe`, whose command `probe` must call [`probe_command`].
    pub fn new(exe: PathBuf) -> Self {
        Self::of(SelfExec {
            exe,
            prefix: Vec::new(),
        })
    }

    pub(super) fn of(program: SelfExec) -> Self {
        Self {
            program,
            limit: LIMIT,
        }
    }

    /// The same with another time limit than 5 seconds.
    #[must_use]
    pub fn with_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Loads the file in a child process and gives the ids of its games.
    ///
    /// # Errors
    /// What is wrong with the file, a crash and a hang among it.
    pub fn probe(&self, path: &Path) -> Result<Vec<String>, LoadError> {
        self.run(path).map_err(|cause| match cause {
            Failure::Own(error) => error,
            Failure::Child(cause) => LoadError::new(path, cause),
        })
    }

    fn run(&self, path: &Path) -> Result<Vec<String>, Failure> {
        let no_child = |why: String| Failure::Child(LoadCause::Probe(why));
        let mut child = self
            .program
            .command()
            .arg("probe")
            .arg(path)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| no_child(error.to_string()))?;
        let answers = listen(&mut child, answer_reader());
        let deadline = Instant::now() + self.limit;
        let Some(status) = wait(&mut child, deadline).map_err(|e| no_child(e.to_string()))? else {
            return Err(Failure::Child(LoadCause::Hung {
                limit_ms: u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX),
            }));
        };
        // The child has ended, so its output ends; only a grandchild that holds the pipe could
        // keep us waiting, and that is not for ever.
        match answers.recv_timeout(self.limit) {
            Ok(Answer::Games(ids)) if status.success() => Ok(ids),
            Ok(Answer::Error(error)) => Err(Failure::Own(error)),
            _ => Err(Failure::Child(LoadCause::Crashed {
                how: how_it_ended(status),
            })),
        }
    }
}

/// Who noticed.
enum Failure {
    /// The child, by itself.
    Own(LoadError),
    /// The parent, by the child's end.
    Child(LoadCause),
}

/// Waits for a child, and ends it at the deadline: none then.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
}

/// Reads the answer from a child's lines, among which the plugin's own may be.
fn answer_reader() -> impl FnMut(&str) -> Option<Answer> {
    let mut answer: Option<String> = None;
    move |line| match (line, &mut answer) {
        (BEGIN, _) => {
            answer = Some(String::new());
            None
        }
        (END, Some(text)) => {
            let read = toml::from_str(text).ok();
            answer = None;
            read
        }
        (line, Some(text)) if text.len() + line.len() < MAX_ANSWER => {
            text.push_str(line);
            text.push('\n');
            None
        }
        _ => None,
    }
}

/// The child's side: `qiju probe FILE`. Loads the file, reads every game's
/// description in both languages, and prints the answer for the parent; 0 if
/// the file is good.
pub fn probe_command(args: &[String]) -> i32 {
    let [file] = args else {
        println!("usage: probe FILE");
        return 2;
    };
    let path = Path::new(file);
    let answer = match load(path) {
        Ok(games) => Answer::Games(games.iter().map(|game| game.id().to_owned()).collect()),
        Err(error) => Answer::Error(error),
    };
    let code = i32::from(matches!(answer, Answer::Error(_)));
    match toml::to_string(&answer) {
        Ok(text) => tell(&format!("{BEGIN}\n{text}\n{END}")),
        // The parent takes a missing answer for a crash and names the exit code.
        Err(error) => {
            tracing::error!(%error, "the answer cannot be written as TOML");
            return 3;
        }
    }
    code
}
