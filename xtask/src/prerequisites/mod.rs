//! What the system must have before the shell can be built, run and tested, and what to do if it has not.
//!
//! Here: the table of prerequisites and the choice among them. How the system is asked is in [`system`], how packages are
//! installed in [`install`]. On macOS and Windows nothing beyond Rust's own needs is wanted.
//!
//! Each entry was found by adding packages to an empty Debian one at a time. The libraries for windows are not linked but
//! opened at run time, and the toolkit answers some of them, and a system without any font, with a panic: so they are
//! looked for before the window opens.

mod install;
mod system;

use crate::error::Error;
use install::Distribution;
use system::System;

/// What a prerequisite is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Compiling and linking.
    Build,
    /// Starting the program at all, also for tests and pictures without a display.
    Run,
    /// A window on an X11 display.
    X11,
    /// A window on a Wayland display.
    Wayland,
    /// The tests beyond what building and running need.
    Test,
}

/// How to find out whether a prerequisite is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    /// A program on the search path.
    Program(&'static str),
    /// A module that pkg-config knows.
    PkgConfig(&'static str),
    /// A shared library that the loader finds, by its soname.
    Library(&'static str),
    /// Any installed font.
    AnyFont,
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(name) => write!(f, "program `{name}`"),
            Self::PkgConfig(module) => write!(f, "`{module}` as pkg-config knows it"),
            Self::Library(soname) => f.write_str(soname),
            Self::AnyFont => f.write_str("font file in the system's or the user's font folders"),
        }
    }
}

/// One thing that the system must have.
#[derive(Debug, PartialEq, Eq)]
struct Prerequisite {
    /// What it is, for messages.
    what: &'static str,
    purposes: &'static [Purpose],
    evidence: Evidence,
    /// The packages that bring it, separated by spaces.
    debian: &'static str,
    fedora: &'static str,
    arch: &'static str,
}

/// Shortens the table: one line for each prerequisite.
const fn needs(
    what: &'static str,
    purposes: &'static [Purpose],
    evidence: Evidence,
    [debian, fedora, arch]: [&'static str; 3],
) -> Prerequisite {
    Prerequisite {
        what,
        purposes,
        evidence,
        debian,
        fedora,
        arch,
    }
}

use Evidence::{AnyFont, Library, PkgConfig, Program};
use Purpose::{Build, Run, Test, Wayland, X11};

/// All prerequisites. The packages stand in the order Debian, Fedora, Arch.
#[rustfmt::skip]
const PREREQUISITES: &[Prerequisite] = &[
    needs("a C compiler", &[Build], Program("cc"), ["gcc libc6-dev", "gcc", "gcc"]),
    needs("pkg-config", &[Build], Program("pkg-config"), ["pkg-config", "pkgconf-pkg-config", "pkgconf"]),
    needs("fontconfig's development files", &[Build], PkgConfig("fontconfig"), ["libfontconfig-dev", "fontconfig-devel", "fontconfig"]),
    needs("fontconfig", &[Run], Library("libfontconfig.so.1"), ["libfontconfig1", "fontconfig", "fontconfig"]),
    needs("a font", &[Run], AnyFont, ["fonts-dejavu-core", "dejavu-sans-fonts", "ttf-dejavu"]),
    needs("the X11 library", &[X11], Library("libX11.so.6"), ["libx11-6", "libX11", "libx11"]),
    needs("the X11-XCB library", &[X11], Library("libX11-xcb.so.1"), ["libx11-xcb1", "libX11-xcb", "libx11"]),
    needs("the X cursor library", &[X11], Library("libXcursor.so.1"), ["libxcursor1", "libXcursor", "libxcursor"]),
    needs("the X input library", &[X11], Library("libXi.so.6"), ["libxi6", "libXi", "libxi"]),
    needs("the X11 keyboard library", &[X11], Library("libxkbcommon-x11.so.0"), ["libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"]),
    needs("the keyboard library", &[X11, Wayland], Library("libxkbcommon.so.0"), ["libxkbcommon0", "libxkbcommon", "libxkbcommon"]),
    needs("the Wayland library", &[Wayland], Library("libwayland-client.so.0"), ["libwayland-client0", "libwayland-client", "wayland"]),
    needs("a C++ compiler (the plugin header is tested with it)", &[Test], Program("c++"), ["g++", "gcc-c++", "gcc"]),
];

impl Prerequisite {
    /// The packages that bring it on a distribution; none if it is not known.
    fn packages(&self, distribution: Distribution) -> impl Iterator<Item = &'static str> {
        let names = match distribution {
            Distribution::Debian => self.debian,
            Distribution::Fedora => self.fedora,
            Distribution::Arch => self.arch,
            Distribution::Other => "",
        };
        names.split_whitespace()
    }
}

/// Answers whether the system has something; a test answers for a system of its own making.
trait Probe {
    /// Whether the evidence is there.
    fn finds(&self, evidence: Evidence) -> bool;
}

/// The prerequisites for `purposes` that are not there, in the order of the table.
fn missing(purposes: &[Purpose], probe: &dyn Probe) -> Vec<&'static Prerequisite> {
    let needed = |prerequisite: &&Prerequisite| {
        prerequisite
            .purposes
            .iter()
            .any(|purpose| purposes.contains(purpose))
    };
    PREREQUISITES
        .iter()
        .filter(needed)
        .filter(|prerequisite| !probe.finds(prerequisite.evidence))
        .collect()
}

/// Makes sure that the system has what `purposes` need: looks, installs what is missing where that is possible, and looks again.
///
/// # Errors
/// [`Error::MissingPrerequisites`] names what is still missing and how to get it.
pub fn ensure(purposes: &[Purpose]) -> Result<(), Error> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let before = missing(purposes, &System);
    if before.is_empty() {
        return Ok(());
    }
    install::install(&before)?;
    let after = missing(purposes, &System);
    if after.is_empty() {
        return Ok(());
    }
    Err(Error::MissingPrerequisites(format!(
        "still missing after the installation:\n{}",
        install::listing(&after)
    )))
}

/// Where a window can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Display {
    /// A Wayland compositor.
    Wayland,
    /// An X server.
    X11,
    /// The system's own, which is always there.
    Native,
    /// Nowhere.
    None,
}

impl Display {
    /// What a window on this display needs beyond [`Purpose::Run`].
    pub fn purpose(self) -> Option<Purpose> {
        match self {
            Self::Wayland => Some(Wayland),
            Self::X11 => Some(X11),
            Self::Native | Self::None => None,
        }
    }

    /// Whether a window can be opened.
    pub fn can_open_a_window(self) -> bool {
        self != Self::None
    }

    /// The display that the toolkit (winit) will choose on Linux, by the same variables in the same order.
    fn on_linux(variable: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        if is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
            Self::Wayland
        } else if is_set("DISPLAY") {
            Self::X11
        } else {
            Self::None
        }
    }
}

/// The display of this session.
pub fn display() -> Display {
    if cfg!(any(windows, target_os = "macos")) {
        Display::Native
    } else {
        Display::on_linux(|name| std::env::var(name).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system that lacks what is listed.
    struct Without(&'static [Evidence]);

    impl Probe for Without {
        fn finds(&self, evidence: Evidence) -> bool {
            !self.0.contains(&evidence)
        }
    }

    fn names(missing: &[&Prerequisite]) -> Vec<&'static str> {
        missing
            .iter()
            .map(|prerequisite| prerequisite.what)
            .collect()
    }

    #[test]
    fn nothing_is_missing_on_a_complete_system() {
        assert!(missing(&[Build, Run, X11, Wayland, Test], &Without(&[])).is_empty());
    }

    #[test]
    fn only_what_the_purpose_needs_is_missed() {
        let bare = Without(&[
            Program("cc"),
            AnyFont,
            Library("libX11.so.6"),
            Library("libxkbcommon.so.0"),
            Program("c++"),
        ]);
        assert_eq!(names(&missing(&[Build], &bare)), ["a C compiler"]);
        assert_eq!(names(&missing(&[Run], &bare)), ["a font"]);
        assert_eq!(
            names(&missing(&[X11], &bare)),
            ["the X11 library", "the keyboard library"]
        );
        assert_eq!(names(&missing(&[Wayland], &bare)), ["the keyboard library"]);
        assert_eq!(
            names(&missing(&[X11, Wayland], &bare)),
            ["the X11 library", "the keyboard library"]
        );
        assert_eq!(missing(&[Build, Run, Test], &bare).len(), 3);
    }

    #[test]
    fn every_prerequisite_has_a_package_on_every_known_distribution() {
        for prerequisite in PREREQUISITES {
            for distribution in [
                Distribution::Debian,
                Distribution::Fedora,
                Distribution::Arch,
            ] {
                assert!(
                    prerequisite.packages(distribution).count() > 0,
                    "{} on {distribution:?}",
                    prerequisite.what
                );
            }
            assert_eq!(prerequisite.packages(Distribution::Other).count(), 0);
        }
    }

    #[test]
    fn the_display_is_chosen_as_the_toolkit_chooses_it() {
        let chosen = |set: &[(&str, &str)]| {
            Display::on_linux(|name| {
                set.iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(chosen(&[]), Display::None);
        assert_eq!(chosen(&[("DISPLAY", ":0")]), Display::X11);
        assert_eq!(
            chosen(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "wayland-0")]),
            Display::Wayland
        );
        assert_eq!(
            chosen(&[("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "")]),
            Display::X11
        );
        assert_eq!(chosen(&[("WAYLAND_SOCKET", "5")]), Display::Wayland);
        assert_eq!(chosen(&[("DISPLAY", "")]), Display::None);
        assert!(!Display::None.can_open_a_window() && Display::X11.can_open_a_window());
        assert_eq!(
            (Display::X11.purpose(), Display::None.purpose()),
            (Some(X11), None)
        );
    }
}
