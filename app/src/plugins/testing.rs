//! What the tests of this part share: plugins made from C, and this test
//! program started again as the child of a probe or of `qiju check`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::child::SelfExec;

/// The C compiler, which building the examples needs anyway.
const COMPILER: &str = "cc";
/// Folder of the ABI's header.
const HEADER_DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins/abi/include");

/// The source of a small whole game, which can be given one fault.
pub const GAME: &str = include_str!("conformance/faulty.c");
/// The source of a library that can be broken in one way.
pub const BROKEN: &str = include_str!("broken.c");

/// The platform's name of a library file.
pub fn file_name(stem: &str) -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}{stem}{DLL_SUFFIX}")
}

/// Builds a library `stem` in `dir` from C, with `FAULT` defined as the text `fault`.
pub fn build(source: &str, dir: &Path, stem: &str, fault: &str) -> PathBuf {
    let file = dir.join(file_name(stem));
    compile(
        source,
        &file,
        &["-shared", "-fPIC", &format!("-DFAULT=\"{fault}\"")],
    );
    file
}

/// Compiles C into `file`.
pub fn compile(source: &str, file: &Path, flags: &[&str]) {
    let c = file.with_extension("c");
    std::fs::write(&c, source).unwrap();
    let output = Command::new(COMPILER)
        .args([
            "-std=c11",
            "-D_POSIX_C_SOURCE=200809L",
            "-Wall",
            "-Wextra",
            "-Werror",
        ])
        .args(["-I", HEADER_DIR])
        .args(flags)
        .arg(&c)
        .arg("-o")
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{COMPILER} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::remove_file(c).unwrap();
}

/// This test program, to be started as the shell would start itself.
pub fn program() -> SelfExec {
    let (_, module) = module_path!().split_once("::").unwrap();
    let child = format!("{module}::child");
    SelfExec {
        exe: std::env::current_exe().unwrap(),
        prefix: [&*child, "--exact", "--ignored", "--nocapture", "--"]
            .iter()
            .map(OsString::from)
            .collect(),
    }
}

#[test]
#[ignore = "the child process of other tests, which start it with arguments"]
fn child() {
    let args: Vec<String> = std::env::args()
        .skip_while(|arg| arg != "--")
        .skip(1)
        .collect();
    let Some((command, args)) = args.split_first() else {
        return;
    };
    std::process::exit(match command.as_str() {
        "probe" => super::probe_command(args),
        "check-group" => super::check_group_command(args),
        other => panic!("unknown command {other}"),
    });
}
