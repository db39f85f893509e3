//! Building the shell and its plugins, and laying the plugins where the shell looks for them: `plugins/` beside
//! the executable.
//!
//! Two layouts:
//! - for playing, [`release`]: `target/qiju/` with the program and `plugins/`, ready to be copied elsewhere;
//! - for tests, pictures and benches, [`beside_executable`]: `plugins/` and `example-plugins/` in the folder where cargo
//!   left the program (`target/debug/`, `target/release/`), so that a test can ask for either.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::error::{self, Error};
use crate::workspace::{self, PluginCrate, Workspace};

/// The package and the program of the shell.
const SHELL: &str = "qiju";
/// The folder beside the program where the shell looks for bundled plugins.
const PLUGINS_DIR: &str = "plugins";
/// The folder beside the program for the example plugins, for tests.
const EXAMPLE_PLUGINS_DIR: &str = "example-plugins";
/// How a C example is compiled: as its README says, and with warnings as errors, since it is a template.
const C_FLAGS: [&str; 7] = [
    "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
];

/// A program with its plugins beside it.
pub struct Bundle {
    /// The shell's program.
    pub executable: PathBuf,
    /// All that cargo built on the way.
    pub artifacts: Artifacts,
}

/// What is built for which use beside the shell and the plugins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// All programs, libraries and tests in the development profile.
    Tests,
    /// All programs, libraries and benches in the release profile.
    Benches,
}

impl Build {
    /// The arguments of `cargo build`.
    ///
    /// The whole workspace with its test or bench targets, not just the plugins: only then does cargo choose the same features of
    /// every dependency as in the `cargo test` or `cargo bench` that follows, and compile each of them once.
    fn cargo_arguments(self) -> &'static [&'static str] {
        match self {
            Self::Tests => &["--workspace", "--lib", "--bins", "--tests"],
            Self::Benches => &["--workspace", "--lib", "--bins", "--benches", "--release"],
        }
    }
}

/// Builds shell and plugins in the release profile into `target/qiju/`.
///
/// # Errors
/// If a build fails or a file cannot be written.
pub fn release(workspace: &Workspace, examples: bool) -> Result<Bundle, Error> {
    let wanted: Vec<&PluginCrate> = workspace
        .plugins
        .iter()
        .filter(|plugin| examples || !plugin.is_example)
        .collect();
    let mut arguments = vec!["--release", "-p", SHELL];
    for plugin in &wanted {
        arguments.extend(["-p", plugin.package.as_str()]);
    }
    let artifacts = cargo_build(&arguments)?;

    let folder = workspace.target_dir.join(SHELL);
    let plugins = folder.join(PLUGINS_DIR);
    fresh_folder(&plugins)?;
    for plugin in wanted {
        copy_into(artifacts.library(&plugin.library)?, &plugins)?;
    }
    if examples {
        compile_c_examples(&workspace.root, &plugins)?;
    }
    let executable = copy_into(artifacts.executable(SHELL)?, &folder)?;
    Ok(Bundle {
        executable,
        artifacts,
    })
}

/// Builds as `build` says and lays all plugins in two folders beside the program that cargo built.
///
/// # Errors
/// If a build fails or a file cannot be written.
pub fn beside_executable(workspace: &Workspace, build: Build) -> Result<Bundle, Error> {
    let artifacts = cargo_build(build.cargo_arguments())?;
    let executable = artifacts.executable(SHELL)?.to_owned();
    let folder = executable.parent().unwrap_or(Path::new("."));
    let (plugins, examples) = (folder.join(PLUGINS_DIR), folder.join(EXAMPLE_PLUGINS_DIR));
    fresh_folder(&plugins)?;
    fresh_folder(&examples)?;
    for plugin in &workspace.plugins {
        let folder = if plugin.is_example {
            &examples
        } else {
            &plugins
        };
        copy_into(artifacts.library(&plugin.library)?, folder)?;
    }
    compile_c_examples(&workspace.root, &examples)?;
    Ok(Bundle {
        executable,
        artifacts,
    })
}

/// The programs and C dynamic libraries that a run of cargo built or found fresh.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Artifacts {
    executables: BTreeMap<String, PathBuf>,
    libraries: BTreeMap<String, PathBuf>,
}

impl Artifacts {
    /// The path of a program.
    ///
    /// # Errors
    /// If cargo did not build one of that name.
    pub fn executable(&self, name: &str) -> Result<&Path, Error> {
        let found = self.executables.get(name).map(PathBuf::as_path);
        found.ok_or_else(|| Error::Cargo(format!("it built no program `{name}`")))
    }

    /// The path of a C dynamic library, by its name without prefix and extension.
    fn library(&self, name: &str) -> Result<&Path, Error> {
        let found = self.libraries.get(name).map(PathBuf::as_path);
        found.ok_or_else(|| Error::Cargo(format!("it built no dynamic library `{name}`")))
    }

    /// Reads the messages of `cargo build --message-format=json`, one object a line.
    fn from_messages(messages: &str) -> Result<Self, Error> {
        let mut artifacts = Self::default();
        for line in messages.lines() {
            let message: Value = serde_json::from_str(line)
                .map_err(|e| Error::Cargo(format!("build message: {e}: {line}")))?;
            if message.get("reason").and_then(Value::as_str) == Some("compiler-artifact") {
                artifacts.add(&message)?;
            }
        }
        Ok(artifacts)
    }

    /// Takes in one built target.
    fn add(&mut self, message: &Value) -> Result<(), Error> {
        let target = message.get("target").unwrap_or(&Value::Null);
        let name = workspace::text(target, "name")?;
        let is_test = message
            .pointer("/profile/test")
            .and_then(Value::as_bool)
            .unwrap_or(false);
        let kinds = workspace::list(target, "kind")?;
        if let Some(executable) = message.get("executable").and_then(Value::as_str)
            && !is_test
            && kinds.iter().any(|kind| kind == "bin")
        {
            self.executables.insert(name.to_owned(), executable.into());
        }
        if kinds.iter().any(|kind| kind == "cdylib") {
            let files = workspace::list(message, "filenames")?
                .iter()
                .filter_map(Value::as_str);
            if let Some(library) = files.map(Path::new).find(|file| is_dynamic_library(file)) {
                self.libraries
                    .insert(name.replace('-', "_"), library.to_owned());
            }
        }
        Ok(())
    }
}

/// Whether a file has the name that this platform gives to a dynamic library.
fn is_dynamic_library(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == std::env::consts::DLL_EXTENSION)
}

/// Runs `cargo build` with the terminal as its log and collects what it made.
fn cargo_build(arguments: &[&str]) -> Result<Artifacts, Error> {
    let mut command = workspace::cargo();
    command
        .args([
            "build",
            "--locked",
            "--message-format=json-render-diagnostics",
        ])
        .args(arguments);
    command.stderr(Stdio::inherit());
    let program = error::program_name(&command);
    let output = command.output().map_err(|source| Error::Start {
        program: program.clone(),
        source,
    })?;
    if !output.status.success() {
        return Err(Error::Failed {
            program,
            status: output.status,
        });
    }
    Artifacts::from_messages(&String::from_utf8_lossy(&output.stdout))
}

/// Makes a folder that holds nothing, so that a plugin that was removed or renamed does not live on.
fn fresh_folder(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::file("empty", folder)(error));
        }
        _ => {}
    }
    fs::create_dir_all(folder).map_err(Error::file("make", folder))
}

/// Copies a file into a folder under its own name and returns the copy's path.
fn copy_into(file: &Path, folder: &Path) -> Result<PathBuf, Error> {
    let copy = folder.join(file.file_name().unwrap_or_default());
    // A new file, not new content in the old one: a copy that is running keeps what it has mapped.
    match fs::remove_file(&copy) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::file("replace", copy)(error));
        }
        _ => {}
    }
    fs::copy(file, &copy).map_err(Error::file("write", &copy))?;
    Ok(copy)
}

/// An example plugin in plain C: a folder under `plugins/examples/` with one `.c` file and no build of its own.
#[derive(Debug, PartialEq, Eq)]
struct CExample {
    source: PathBuf,
    library_name: String,
}

/// Compiles every C example into `folder`.
fn compile_c_examples(root: &Path, folder: &Path) -> Result<(), Error> {
    for example in c_examples(&root.join("plugins").join("examples"))? {
        if cfg!(windows) {
            eprintln!(
                "xtask: {} is left out: there is no `cc` on Windows",
                example.source.display()
            );
            continue;
        }
        let mut cc = std::process::Command::new("cc");
        cc.args(C_FLAGS)
            .arg("-I")
            .arg(root.join("plugins").join("abi").join("include"));
        cc.arg("-o")
            .arg(folder.join(example.library_name))
            .arg(example.source);
        error::succeed(&mut cc)?;
    }
    Ok(())
}

/// Finds the C examples, in the order of their folders' names.
fn c_examples(examples: &Path) -> Result<Vec<CExample>, Error> {
    let mut found = Vec::new();
    for folder in sorted_entries(examples)? {
        if !folder.is_dir()
            || folder.join("Makefile").exists()
            || folder.join("Cargo.toml").exists()
        {
            continue;
        }
        let mut sources = sorted_entries(&folder)?;
        sources.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
        let source = match <[PathBuf; 1]>::try_from(sources) {
            Ok([source]) => source,
            Err(sources) if sources.is_empty() => continue,
            Err(sources) => {
                let cause = format!("{} C files, but a C example is one file", sources.len());
                return Err(Error::CExample { folder, cause });
            }
        };
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let library_name = format!(
            "{}{stem}{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        );
        found.push(CExample {
            source,
            library_name,
        });
    }
    Ok(found)
}

/// The entries of a folder, sorted; none if the folder does not exist.
fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::file("read", folder)(error)),
    };
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Error::file("read", folder))?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artifact(name: &str, kind: &str, is_test: bool, executable: &str, files: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","target":{{"name":"{name}","kind":["{kind}"]}},"profile":{{"test":{is_test}}},"executable":{executable},"filenames":[{files}]}}"#
        )
    }

    #[test]
    fn programs_and_libraries_are_taken_from_the_messages() {
        let library = format!("/t/debug/libsome_game.{}", std::env::consts::DLL_EXTENSION);
        let messages = [
            r#"{"reason":"build-script-executed","out_dir":"/t"}"#.to_owned(),
            artifact(
                "shell",
                "bin",
                false,
                r#""/t/debug/shell""#,
                r#""/t/debug/shell""#,
            ),
            artifact("shell", "bin", true, r#""/t/debug/deps/shell-1""#, ""),
            artifact("end_to_end", "test", true, r#""/t/debug/deps/e-1""#, ""),
            artifact(
                "some-game",
                "cdylib",
                false,
                "null",
                &format!(r#""/t/libsome_game.rlib","{library}""#),
            ),
            artifact(
                "some-game",
                "cdylib",
                true,
                r#""/t/debug/deps/some-1""#,
                r#""/t/debug/deps/some-1""#,
            ),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let artifacts = Artifacts::from_messages(&messages.join("\n")).expect("well-formed");
        assert_eq!(
            artifacts.executable("shell").expect("built"),
            Path::new("/t/debug/shell")
        );
        assert_eq!(
            artifacts.library("some_game").expect("built"),
            Path::new(&library)
        );
        for absent in [
            artifacts.executable("end_to_end"),
            artifacts.executable("some-game"),
            artifacts.library("shell"),
        ] {
            let error = absent
                .expect_err("not a program or library of that name")
                .to_string();
            assert!(error.contains("it built no"), "{error}");
        }
    }

    #[test]
    fn a_message_that_is_not_json_is_shown() {
        let error = Artifacts::from_messages("hello")
            .expect_err("not JSON")
            .to_string();
        assert!(error.contains("hello"), "{error}");
    }

    /// A folder of this test alone, removed at the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
            fresh_folder(&folder).expect("temporary folder");
            Self(folder)
        }

        fn write(&self, file: &str, content: &str) {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().expect("a file in a folder")).expect("folder");
            fs::write(path, content).expect("file");
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_c_example_is_a_folder_with_one_c_file_and_no_build_of_its_own() {
        let scratch = Scratch::new("c-examples");
        scratch.write("one/pawns.c", "");
        scratch.write("one/README.md", "");
        scratch.write("rust/Cargo.toml", "");
        scratch.write("rust/helper.c", "");
        scratch.write("made/Makefile", "");
        scratch.write("made/made.c", "");
        scratch.write("empty/README.md", "");
        scratch.write("loose.c", "");
        let found = c_examples(&scratch.0).expect("readable");
        let library_name = format!(
            "{}pawns{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        );
        assert_eq!(
            found,
            [CExample {
                source: scratch.0.join("one").join("pawns.c"),
                library_name
            }]
        );

        scratch.write("one/second.c", "");
        let error = c_examples(&scratch.0).expect_err("two C files").to_string();
        assert!(error.contains("one: 2 C files"), "{error}");
        assert_eq!(
            c_examples(&scratch.0.join("absent")).expect("nothing there"),
            []
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_c_example_is_compiled_with_the_header_and_without_warnings() {
        let scratch = Scratch::new("compile");
        scratch.write("plugins/abi/include/game_plugin.h", "#define ANSWER 42\n");
        scratch.write(
            "plugins/examples/one/one.c",
            "#include \"game_plugin.h\"\nint one(void) { return ANSWER; }\n",
        );
        let folder = scratch.0.join("out");
        fresh_folder(&folder).expect("folder");
        compile_c_examples(&scratch.0, &folder).expect("compiles");
        let built = sorted_entries(&folder).expect("readable");
        assert_eq!(built.len(), 1);
        assert!(
            is_dynamic_library(&built[0]) && fs::metadata(&built[0]).expect("there").len() > 0,
            "{built:?}"
        );

        scratch.write(
            "plugins/examples/one/one.c",
            "int one(int unused) { return 1; }\n",
        );
        assert!(
            matches!(
                compile_c_examples(&scratch.0, &folder),
                Err(Error::Failed { .. })
            ),
            "a warning is an error"
        );
    }

    #[test]
    fn a_fresh_folder_forgets_and_a_copy_replaces() {
        let scratch = Scratch::new("copy");
        scratch.write("plugins/old", "old");
        scratch.write("new", "new");
        let plugins = scratch.0.join("plugins");
        fresh_folder(&plugins).expect("emptied");
        assert_eq!(
            sorted_entries(&plugins).expect("readable"),
            Vec::<PathBuf>::new()
        );
        scratch.write("plugins/new", "stale");
        let copy = copy_into(&scratch.0.join("new"), &plugins).expect("copied");
        assert_eq!(fs::read_to_string(copy).expect("there"), "new");
        let error = copy_into(&scratch.0.join("absent"), &plugins)
            .expect_err("nothing to copy")
            .to_string();
        assert!(
            error.contains("absent") && error.contains("cannot write"),
            "{error}"
        );
    }
}
