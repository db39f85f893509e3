//! The groups of checks and the names of all checks.

mod ai;
mod buffers;
mod clock;
mod copies;
mod hidden;
mod hostile;
mod ladder;
mod options;
mod overlays;
mod play;
mod refuse;
mod replay;
mod setup;
mod texts;

use super::report::Reporter;
use super::subject::{Checked, Subject, Verdict};

/// A check: its name, and what does it.
type Check = (&'static str, fn(&Subject<'_>) -> Checked);

/// The group whose answers are compared between processes.
pub const AI: &str = "ai";
/// The process that gives those answers; no group to be asked for.
pub const ANSWERS: &str = "answers";

/// Every group, in the order in which they run.
const GROUPS: &[(&str, &[Check])] = &[
    ("texts", texts::CHECKS),
    ("play", play::CHECKS),
    ("refuse", refuse::CHECKS),
    ("copies", copies::CHECKS),
    ("replay", replay::CHECKS),
    ("setup", setup::CHECKS),
    ("hidden", hidden::CHECKS),
    ("options", options::CHECKS),
    ("ladder", ladder::CHECKS),
    ("overlays", overlays::CHECKS),
    (AI, ai::CHECKS),
    ("clock", clock::CHECKS),
    ("buffers", buffers::CHECKS),
    ("hostile", hostile::CHECKS),
];

/// The names of the groups.
pub fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|(name, _)| *name)
}

/// The names of all checks.
#[cfg(test)]
pub fn check_names() -> impl Iterator<Item = &'static str> {
    GROUPS
        .iter()
        .flat_map(|(_, checks)| checks.iter().map(|(name, _)| *name))
}

/// Whether there is a group of this name.
pub fn is_known(name: &str) -> bool {
    name == ANSWERS || names().any(|group| group == name)
}

/// Runs the checks of a group, those behind `after` if it is given, and reports each.
pub fn run(name: &str, after: Option<&str>, subject: &Subject<'_>, reporter: &Reporter) {
    if name == ANSWERS {
        reporter.run("ai/fresh-process");
        if let Err(fault) = ai::answers(subject) {
            reporter.failed(&fault.to_string());
        }
        return;
    }
    let groups = GROUPS.iter().filter(|(group, _)| *group == name);
    let mut checks = groups.flat_map(|(_, checks)| checks.iter());
    if let Some(after) = after {
        checks.by_ref().find(|(check, _)| *check == after);
    }
    for (check, verify) in checks {
        reporter.run(check);
        match verify(subject) {
            Ok(Verdict::Passed(detail)) => reporter.passed(&detail),
            Ok(Verdict::Skipped(why)) => reporter.skipped(&why),
            Err(fault) => reporter.failed(&fault.to_string()),
        }
    }
}
