//! The parent: starts a process for each group, reads its lines, counts.

use std::io::Write;
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::report::Line;
use super::{Request, groups};
use crate::plugins::child::{SelfExec, how_it_ended, listen};

/// How long a group may say nothing before it is taken to hang.
const SILENCE: Duration = Duration::from_secs(60);
/// The check that a process begins with.
const OPENS: &str = "load/opens";

/// How many checks ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks passed.
    pub passed: u32,
    /// Checks failed.
    pub failed: u32,
    /// Checks that do not apply to the game.
    pub skipped: u32,
}

/// Runs the groups of a request.
pub struct Runner<'a> {
    program: SelfExec,
    request: &'a Request,
    out: &'a mut dyn Write,
    /// How long a group may say nothing.
    pub silence: Duration,
    tally: Tally,
}

/// What one process is to do.
#[derive(Clone, Copy)]
struct Task<'a> {
    /// Index and id of the game; without one the file is only opened.
    game: Option<(usize, &'a str)>,
    /// The group.
    group: &'a str,
    /// The check of the group after which to begin.
    after: Option<&'a str>,
}

impl<'a> Task<'a> {
    fn new(index: usize, id: &'a str, group: &'a str) -> Self {
        Self {
            game: Some((index, id)),
            group,
            after: None,
        }
    }

    /// The id of the game, for the lines.
    fn id(&self) -> &'a str {
        self.game.map_or("", |(_, id)| id)
    }
}

/// What came of one process.
#[derive(Default)]
struct Outcome {
    /// The games of the file.
    games: Vec<String>,
    /// What is to be compared with another process.
    notes: Vec<String>,
    /// The check in which it crashed or hung.
    broke_off: Option<String>,
}

impl<'a> Runner<'a> {
    /// One that starts `program` with the command `check-group` and prints the
    /// lines to `out`.
    pub fn new(program: SelfExec, request: &'a Request, out: &'a mut dyn Write) -> Self {
        Self {
            program,
            request,
            out,
            silence: SILENCE,
            tally: Tally::default(),
        }
    }

    /// Runs all groups that were asked for.
    ///
    /// # Errors
    /// A process cannot be started, or the output not be written.
    pub fn run(mut self) -> std::io::Result<Tally> {
        let request = self.request;
        writeln!(
            self.out,
            "checking {}, --seed {} --games {}",
            request.file.display(),
            request.seed,
            request.games
        )?;
        let open = Task {
            game: None,
            group: "load",
            after: None,
        };
        let found = self.process(open)?.games;
        let wanted =
            |group: &str| request.groups.is_empty() || request.groups.contains(&group.to_owned());
        for (index, id) in found.iter().enumerate() {
            for group in groups::names().filter(|group| wanted(group)) {
                self.group(Task::new(index, id, group))?;
                if group == groups::AI {
                    self.compare_processes(Task::new(index, id, groups::ANSWERS))?;
                }
            }
        }
        let Tally {
            passed,
            failed,
            skipped,
        } = self.tally;
        if skipped > 0 {
            writeln!(self.out, "{skipped} do not apply")?;
        }
        writeln!(self.out, "{passed} passed, {failed} failed")?;
        Ok(self.tally)
    }

    /// Runs a group to its last check, with a new process after each crash.
    fn group(&mut self, task: Task<'_>) -> std::io::Result<()> {
        let mut broke_off = self.process(task)?.broke_off;
        while let Some(check) = broke_off {
            broke_off = self
                .process(Task {
                    after: Some(&check),
                    ..task
                })?
                .broke_off
                // A process that cannot even come as far again is the last.
                .filter(|next| *next != check && next != OPENS);
        }
        Ok(())
    }

    /// Asks the opponent for the same answers in two fresh processes.
    fn compare_processes(&mut self, task: Task<'_>) -> std::io::Result<()> {
        const NAME: &str = "ai/fresh-process";
        let (failed, id) = (self.tally.failed, task.id());
        let first = self.process(task)?;
        if self.tally.failed > failed {
            return Ok(());
        }
        let second = self.process(task)?;
        if self.tally.failed > failed {
            return Ok(());
        }
        let mut pairs = first.notes.iter().zip(&second.notes);
        match pairs.find(|(one, other)| one != other) {
            Some((one, other)) => {
                let what = format!("one process answers \"{one}\" and another \"{other}\"");
                self.failed(NAME, id, &what)
            }
            None if first.notes.is_empty() => self.skipped(NAME, id, "there are no answers"),
            None => self.passed(NAME, id, &format!("{} answers", first.notes.len())),
        }
    }

    fn passed(&mut self, name: &str, id: &str, detail: &str) -> std::io::Result<()> {
        self.tally.passed += 1;
        writeln!(self.out, "ok   {name:<24} {id:<12} {detail}")
    }

    fn skipped(&mut self, name: &str, id: &str, why: &str) -> std::io::Result<()> {
        self.tally.skipped += 1;
        writeln!(self.out, "skip {name:<24} {id:<12} {why}")
    }

    fn failed(&mut self, name: &str, id: &str, what: &str) -> std::io::Result<()> {
        self.tally.failed += 1;
        let Request { seed, games, .. } = self.request;
        let group = name.split('/').next().unwrap_or(name);
        let group = match groups::is_known(group) {
            true => format!(" --group {group}"),
            false => String::new(),
        };
        writeln!(
            self.out,
            "FAIL {name:<24} {id:<12} {what} (again: --seed {seed} --games {games}{group})"
        )
    }

    /// Starts the process of a task.
    fn start(&self, task: Task<'_>) -> std::io::Result<Child> {
        let mut command = self.program.command();
        command
            .arg("check-group")
            .arg(&self.request.file)
            .args(["--seed", &self.request.seed.to_string()])
            .args(["--games", &self.request.games.to_string()]);
        if let Some((index, _)) = task.game {
            command.args(["--game", &index.to_string(), "--group", task.group]);
        }
        if let Some(check) = task.after {
            command.args(["--after", check]);
        }
        command.spawn()
    }

    /// Runs one process to its end and prints what it found.
    fn process(&mut self, task: Task<'_>) -> std::io::Result<Outcome> {
        let mut child = self.start(task)?;
        let lines = listen(&mut child, Line::read);
        let id = task.id();
        let mut outcome = Outcome::default();
        let mut running = OPENS.to_owned();
        loop {
            let what = match lines.recv_timeout(self.silence) {
                Ok(Line::Done) => {
                    self.wait_for_end(&mut child, &lines, task)?;
                    return Ok(outcome);
                }
                Ok(line) => {
                    self.line(line, &mut running, task, &mut outcome)?;
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {
                    child.kill()?;
                    child.wait()?;
                    format!("hangs: no sign of life for {} s", self.silence.as_secs())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    format!("the process ended ({})", how_it_ended(child.wait()?))
                }
            };
            self.failed(&running, id, &what)?;
            outcome.broke_off = Some(running);
            return Ok(outcome);
        }
    }

    /// Prints or keeps what a line says.
    fn line(
        &mut self,
        line: Line,
        running: &mut String,
        task: Task<'_>,
        outcome: &mut Outcome,
    ) -> std::io::Result<()> {
        let id = task.id();
        match line {
            Line::Run(name) => *running = name,
            Line::Game(id) => outcome.games.push(id),
            Line::Note(text) => outcome.notes.push(text),
            Line::Passed(detail) => self.passed(running, id, &detail)?,
            Line::Skipped(why) => self.skipped(running, id, &why)?,
            Line::Failed(what) => self.failed(running, id, &what)?,
            Line::Tick | Line::Done => {}
        }
        Ok(())
    }

    /// After its last line a process must end, and end well: threads and
    /// destructors of the plugin may still crash.
    fn wait_for_end(
        &mut self,
        child: &mut Child,
        lines: &Receiver<Line>,
        task: Task<'_>,
    ) -> std::io::Result<()> {
        let name = format!("{}/end", task.group);
        if lines.recv_timeout(self.silence) == Err(RecvTimeoutError::Timeout) {
            child.kill()?;
            child.wait()?;
            return self.failed(&name, task.id(), "the process does not end");
        }
        let status = child.wait()?;
        // 1 is a group's own way to say that the file cannot be loaded.
        if matches!(status.code(), Some(0 | 1)) {
            return Ok(());
        }
        let what = format!("the process crashed as it ended ({})", how_it_ended(status));
        self.failed(&name, task.id(), &what)
    }
}
