//! Plugins that no game ships: built from C, or from Rust with a fault.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{library_name, profile_dir, root};

/// The C compiler, which building the examples needs anyway.
const COMPILER: &str = "cc";

/// The example game in plain C, whose id is `hexapawn`.
pub fn c_example() -> PathBuf {
    root().join("plugins/examples/hexapawn/hexapawn.c")
}

/// A C library that is broken in the way that the macro `FAULT` names.
pub fn c_broken() -> PathBuf {
    root().join("app/src/plugins/broken.c")
}

/// The small C game of the conformance checks, whose id is `faulty`; without `FAULT` it has none.
pub fn c_checked() -> PathBuf {
    root().join("app/src/plugins/conformance/faulty.c")
}

/// A C file which, linked to a plugin, leaves the file `WITNESS` as soon as the plugin is opened.
pub fn c_witness() -> PathBuf {
    root().join("tests/fixtures/witness.c")
}

/// Builds the library `stem` in `dir` from C sources. `defines` are macros with texts as values.
///
/// It comes by way of a rename, so an older one of that name that is loaded stays whole.
pub fn build_c(sources: &[PathBuf], dir: &Path, stem: &str, defines: &[(&str, &str)]) -> PathBuf {
    let file = dir.join(library_name(stem));
    let new = dir.join(format!("{stem}.new"));
    let output = Command::new(COMPILER)
        .args(["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-shared", "-fPIC"])
        .arg("-I")
        .arg(root().join("plugins/abi/include"))
        .args(
            defines
                .iter()
                .map(|(name, text)| format!("-D{name}=\"{text}\"")),
        )
        .args(sources)
        .arg("-o")
        .arg(&new)
        .output()
        .unwrap_or_else(|error| panic!("{COMPILER} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::rename(&new, &file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    file
}

/// Builds the Rust plugin whose description panics, and copies it to `dir`.
pub fn build_panicking(dir: &Path) -> PathBuf {
    let profile = profile_dir().unwrap_or_else(|error| panic!("{error}"));
    let mut cargo = super::cargo_build(&profile);
    cargo.args(["-p", "qiju-tests", "--example", "panicking"]);
    let status = cargo
        .status()
        .unwrap_or_else(|error| panic!("cargo: {error}"));
    assert!(status.success(), "cargo build: {status}");
    let name = library_name("panicking");
    let file = dir.join(&name);
    std::fs::copy(profile.join("examples").join(&name), &file)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    file
}
