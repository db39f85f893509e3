//! Installing packages, or saying how: only Debian and its kin are installed on, the others are told.
//!
//! Nothing is installed against a user's will: as root, or where sudo asks for no password, the commands are printed and run;
//! on a terminal the user is asked first; otherwise the commands are printed and nothing else happens.

use std::io::{BufRead, IsTerminal, Write};
use std::process::{Command, Stdio};

use super::Prerequisite;
use crate::error::{self, Error};

/// A family of Linux distributions with the same package names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Debian, Ubuntu, Mint and others that use apt.
    Debian,
    /// Fedora, RHEL and others that use dnf.
    Fedora,
    /// Arch and others that use pacman.
    Arch,
    /// Any other.
    Other,
}

impl Distribution {
    /// The distribution of this system.
    fn current() -> Self {
        Self::from_os_release(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    /// Reads os-release(5): the ID, then the IDs it is like.
    fn from_os_release(text: &str) -> Self {
        let value = |key: &str| {
            let line = text
                .lines()
                .find_map(|line| line.trim().strip_prefix(key)?.strip_prefix('='));
            line.unwrap_or_default()
                .trim_matches(['"', '\''])
                .to_ascii_lowercase()
        };
        let ids = format!("{} {}", value("ID"), value("ID_LIKE"));
        for id in ids.split_whitespace() {
            match id {
                "debian" | "ubuntu" => return Self::Debian,
                "fedora" | "rhel" | "centos" => return Self::Fedora,
                "arch" => return Self::Arch,
                _ => {}
            }
        }
        Self::Other
    }

    /// The command that a user types to install packages; nothing where it is not known.
    fn command_to_type(self, packages: &[&str]) -> Option<String> {
        let packages = packages.join(" ");
        match self {
            Self::Debian => Some(format!(
                "sudo apt-get update && sudo apt-get install {packages}"
            )),
            Self::Fedora => Some(format!("sudo dnf install {packages}")),
            Self::Arch => Some(format!("sudo pacman -S {packages}")),
            Self::Other => None,
        }
    }
}

/// What the user may do to the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Privilege {
    /// Everything.
    Root,
    /// Everything through sudo, without a password.
    Sudo,
    /// Perhaps through sudo with a password; there is a terminal to ask on.
    Askable,
    /// Nothing, or nobody to ask.
    None,
}

impl Privilege {
    /// The privilege of this process.
    fn current() -> Self {
        let quiet = |command: &mut Command| {
            command
                .stdin(Stdio::null())
                .stderr(Stdio::null())
                .output()
                .ok()
        };
        let user = quiet(Command::new("id").arg("-u"));
        if user.is_some_and(|output| output.stdout.trim_ascii() == b"0") {
            return Self::Root;
        }
        match quiet(Command::new("sudo").args(["-n", "true"])) {
            Some(output) if output.status.success() => Self::Sudo,
            Some(_) if std::io::stdin().is_terminal() && std::io::stderr().is_terminal() => {
                Self::Askable
            }
            _ => Self::None,
        }
    }
}

/// What to do about missing packages.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// Run these commands, after asking if `ask`.
    Run {
        commands: Vec<Vec<String>>,
        ask: bool,
    },
    /// Only say what is missing; the command to type, where it is known.
    Tell(Option<String>),
}

/// Chooses what to do. Everything that decides comes in, so that every case can be tested on any system.
fn plan(distribution: Distribution, privilege: Privilege, packages: &[&str]) -> Plan {
    if distribution != Distribution::Debian || privilege == Privilege::None {
        return Plan::Tell(distribution.command_to_type(packages));
    }
    let prefix: &[&str] = match privilege {
        Privilege::Root => &[],
        Privilege::Sudo => &["sudo", "-n"],
        Privilege::Askable | Privilege::None => &["sudo"],
    };
    // A fresh container has no package lists, and old lists name versions that are gone.
    let update = ["apt-get", "update"];
    let install = ["apt-get", "install", "--yes", "--no-install-recommends"];
    let command = |words: &[&str]| {
        prefix
            .iter()
            .chain(words)
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let mut install = command(&install);
    install.extend(packages.iter().map(|package| (*package).to_owned()));
    Plan::Run {
        commands: vec![command(&update), install],
        ask: privilege == Privilege::Askable,
    }
}

/// The packages for what is missing, each once, in the order of the table.
fn packages(missing: &[&Prerequisite], distribution: Distribution) -> Vec<&'static str> {
    let mut packages = Vec::new();
    for package in missing
        .iter()
        .flat_map(|prerequisite| prerequisite.packages(distribution))
    {
        if !packages.contains(&package) {
            packages.push(package);
        }
    }
    packages
}

/// What is missing, one line each, with what was looked for.
pub fn listing(missing: &[&Prerequisite]) -> String {
    let line = |prerequisite: &&Prerequisite| {
        format!("  {}: no {}", prerequisite.what, prerequisite.evidence)
    };
    missing.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Installs what is missing, or fails with a message that says how to.
///
/// # Errors
/// [`Error::MissingPrerequisites`] if it cannot be installed from here or the user does not want it; the package manager's failure.
pub fn install(missing: &[&Prerequisite]) -> Result<(), Error> {
    let distribution = Distribution::current();
    let packages = packages(missing, distribution);
    eprintln!("xtask: this system lacks\n{}", listing(missing));
    match plan(distribution, Privilege::current(), &packages) {
        Plan::Tell(command) => Err(Error::MissingPrerequisites(how_to_install(
            command.as_deref(),
        ))),
        Plan::Run { ask: true, .. } if !user_agrees(&packages) => {
            let command = distribution.command_to_type(&packages);
            Err(Error::MissingPrerequisites(how_to_install(
                command.as_deref(),
            )))
        }
        Plan::Run { commands, .. } => commands.iter().try_for_each(|words| run(words)),
    }
}

/// The end of a message about what is missing.
fn how_to_install(command: Option<&str>) -> String {
    match command {
        Some(command) => format!("install it with\n  {command}\nand run this command again"),
        None => "install it with your system's package manager and run this command again; \
                 `cargo xtask --skip-checks …` goes on without looking"
            .to_owned(),
    }
}

/// Asks on the terminal. Anything but yes, or Enter, is no.
fn user_agrees(packages: &[&str]) -> bool {
    eprint!(
        "xtask: install {} with sudo now? [Y/n] ",
        packages.join(" ")
    );
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    // Nothing read is the end of the input, not Enter.
    read.is_ok_and(|bytes| bytes > 0)
        && matches!(answer.trim().to_lowercase().as_str(), "" | "y" | "yes")
}

/// Prints and runs one command of the package manager, which must ask nothing.
fn run(words: &[String]) -> Result<(), Error> {
    let Some((program, arguments)) = words.split_first() else {
        return Ok(());
    };
    eprintln!("xtask: running {}", words.join(" "));
    error::succeed(
        Command::new(program)
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::{PREREQUISITES, Purpose};
    use super::*;

    #[test]
    fn os_release_is_read_by_id_then_by_likeness() {
        for (text, expected) in [
            (
                "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n",
                Distribution::Debian,
            ),
            (
                "NAME=\"Linux Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n",
                Distribution::Debian,
            ),
            ("ID=fedora\n", Distribution::Fedora),
            (
                "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
                Distribution::Fedora,
            ),
            ("ID=manjaro\nID_LIKE=arch\n", Distribution::Arch),
            ("ID=nixos\n", Distribution::Other),
            ("BUILD_ID=debian\n", Distribution::Other),
            ("", Distribution::Other),
        ] {
            assert_eq!(Distribution::from_os_release(text), expected, "{text}");
        }
    }

    #[test]
    fn packages_come_once_and_in_order() {
        let x11: Vec<&Prerequisite> = PREREQUISITES
            .iter()
            .filter(|p| p.purposes.contains(&Purpose::X11))
            .collect();
        assert_eq!(
            packages(&x11, Distribution::Arch),
            [
                "libx11",
                "libxcursor",
                "libxi",
                "libxkbcommon-x11",
                "libxkbcommon"
            ]
        );
        let all: Vec<&Prerequisite> = PREREQUISITES.iter().collect();
        assert_eq!(
            packages(&all, Distribution::Debian)[..3],
            ["gcc", "libc6-dev", "pkg-config"]
        );
        assert!(packages(&all, Distribution::Other).is_empty());
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn root_and_sudo_install_without_asking() {
        let as_root = Plan::Run {
            commands: vec![
                words("apt-get update"),
                words("apt-get install --yes --no-install-recommends gcc libxi6"),
            ],
            ask: false,
        };
        assert_eq!(
            plan(Distribution::Debian, Privilege::Root, &["gcc", "libxi6"]),
            as_root
        );
        let with_sudo = Plan::Run {
            commands: vec![
                words("sudo -n apt-get update"),
                words("sudo -n apt-get install --yes --no-install-recommends gcc"),
            ],
            ask: false,
        };
        assert_eq!(
            plan(Distribution::Debian, Privilege::Sudo, &["gcc"]),
            with_sudo
        );
    }

    #[test]
    fn on_a_terminal_the_user_is_asked() {
        let Plan::Run {
            commands,
            ask: true,
        } = plan(Distribution::Debian, Privilege::Askable, &["gcc"])
        else {
            panic!("the user must be asked");
        };
        assert_eq!(commands[0], words("sudo apt-get update"));
    }

    #[test]
    fn otherwise_the_exact_command_is_named() {
        let told = |distribution, privilege| match plan(distribution, privilege, &["a", "b"]) {
            Plan::Tell(command) => command,
            run @ Plan::Run { .. } => panic!("{distribution:?} {privilege:?}: {run:?}"),
        };
        let debian = "sudo apt-get update && sudo apt-get install a b";
        assert_eq!(
            told(Distribution::Debian, Privilege::None).as_deref(),
            Some(debian)
        );
        for privilege in [
            Privilege::Root,
            Privilege::Sudo,
            Privilege::Askable,
            Privilege::None,
        ] {
            assert_eq!(
                told(Distribution::Fedora, privilege).as_deref(),
                Some("sudo dnf install a b")
            );
            assert_eq!(
                told(Distribution::Arch, privilege).as_deref(),
                Some("sudo pacman -S a b")
            );
            assert_eq!(told(Distribution::Other, privilege), None);
        }
        assert!(how_to_install(None).contains("--skip-checks"));
        assert!(how_to_install(Some(debian)).contains(debian));
    }

    #[test]
    fn the_listing_names_what_was_looked_for() {
        let text = listing(&PREREQUISITES.iter().collect::<Vec<_>>());
        assert_eq!(text.lines().count(), PREREQUISITES.len());
        assert!(
            text.contains("libXi.so.6") && text.contains("a font"),
            "{text}"
        );
    }
}
