//! What cargo knows of the workspace: where it lies, where it builds to, and which of its crates are plugins.
//!
//! There is no list of plugins to keep: a workspace member under `plugins/` that makes a C dynamic library is one.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::error::{self, Error};

/// The workspace as `cargo metadata` describes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The folder of the workspace's `Cargo.toml`.
    pub root: PathBuf,
    /// Where cargo builds to.
    pub target_dir: PathBuf,
    /// The plugins written in Rust, in cargo's order.
    pub plugins: Vec<PluginCrate>,
}

/// A workspace member that builds to a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginCrate {
    /// The package's name.
    pub package: String,
    /// The name of the library, without the platform's prefix and extension.
    pub library: String,
    /// Whether it lies under `plugins/examples/`.
    pub is_example: bool,
}

impl Workspace {
    /// Asks cargo.
    ///
    /// # Errors
    /// If cargo cannot be run, fails, or answers what is not understood.
    pub fn load() -> Result<Self, Error> {
        let mut command = cargo();
        command
            .args(["metadata", "--format-version", "1", "--no-deps"])
            .stderr(std::process::Stdio::inherit());
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
        Self::from_metadata(&String::from_utf8_lossy(&output.stdout))
    }

    /// Reads the answer of `cargo metadata --format-version 1`.
    fn from_metadata(json: &str) -> Result<Self, Error> {
        let metadata: Value =
            serde_json::from_str(json).map_err(|e| Error::Cargo(format!("metadata: {e}")))?;
        let root = PathBuf::from(text(&metadata, "workspace_root")?);
        let target_dir = PathBuf::from(text(&metadata, "target_directory")?);
        let mut plugins = Vec::new();
        for package in list(&metadata, "packages")? {
            let manifest = Path::new(text(package, "manifest_path")?);
            let Ok(below_plugins) = manifest.strip_prefix(root.join("plugins")) else {
                continue;
            };
            for target in list(package, "targets")? {
                if list(target, "crate_types")?
                    .iter()
                    .any(|kind| kind == "cdylib")
                {
                    plugins.push(PluginCrate {
                        package: text(package, "name")?.to_owned(),
                        library: text(target, "name")?.replace('-', "_"),
                        is_example: below_plugins.starts_with("examples"),
                    });
                }
            }
        }
        Ok(Self {
            root,
            target_dir,
            plugins,
        })
    }
}

/// A text field of an answer of cargo.
pub fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Error> {
    value
        .get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| Error::Cargo(format!("no text `{key}`")))
}

/// A list field of an answer of cargo.
pub fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Error> {
    value
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .ok_or_else(|| Error::Cargo(format!("no list `{key}`")))
}

/// The cargo that runs us, so that everything is built by the same toolchain.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, manifest: &str, crate_types: &str) -> String {
        format!(
            r#"{{"name":"{name}","manifest_path":"/w/{manifest}/Cargo.toml",
                "targets":[{{"name":"{name}","crate_types":[{crate_types}]}},{{"name":"bench","crate_types":["bin"]}}]}}"#
        )
    }

    fn metadata(packages: &[String]) -> String {
        format!(
            r#"{{"workspace_root":"/w","target_directory":"/t","packages":[{}]}}"#,
            packages.join(",")
        )
    }

    #[test]
    fn plugins_are_the_cdylibs_under_plugins() {
        let json = metadata(&[
            package("shell", "app", r#""lib""#),
            package("shell-cdylib", "app/android", r#""cdylib""#),
            package("the-abi", "plugins/abi", r#""lib""#),
            package("some-game", "plugins/some", r#""rlib","cdylib""#),
            package("tiny", "plugins/examples/tiny", r#""cdylib""#),
            package("elsewhere", "plugins-old/x", r#""cdylib""#),
        ]);
        let workspace = Workspace::from_metadata(&json).expect("well-formed");
        let plugin = |package: &str, library: &str, is_example| PluginCrate {
            package: package.to_owned(),
            library: library.to_owned(),
            is_example,
        };
        assert_eq!(
            workspace.plugins,
            [
                plugin("some-game", "some_game", false),
                plugin("tiny", "tiny", true)
            ]
        );
        assert_eq!(
            (workspace.root, workspace.target_dir),
            (PathBuf::from("/w"), PathBuf::from("/t"))
        );
    }

    #[test]
    fn an_answer_without_a_field_names_it() {
        for (json, field) in [
            (
                r#"{"target_directory":"/t","packages":[]}"#,
                "workspace_root",
            ),
            (
                r#"{"workspace_root":"/w","target_directory":"/t"}"#,
                "packages",
            ),
            (
                r#"{"workspace_root":"/w","target_directory":"/t","packages":[{"name":"x"}]}"#,
                "manifest_path",
            ),
            ("not json", "metadata"),
        ] {
            let error = Workspace::from_metadata(json).expect_err(json).to_string();
            assert!(error.contains(field), "{json}: {error}");
        }
    }

    #[test]
    fn this_workspace_has_plugins_and_examples() {
        let workspace = Workspace::load().expect("cargo answers");
        assert!(workspace.root.join("Cargo.lock").is_file());
        assert!(
            workspace.plugins.iter().any(|plugin| !plugin.is_example),
            "{:?}",
            workspace.plugins
        );
    }
}
