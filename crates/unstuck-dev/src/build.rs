//! Building the command `unstuck`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::Cmd;

use crate::shell::{CmdExt as _, Shell};

/// A profile of cargo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Not optimised.
    Dev,
    /// Fast, and quick to rebuild.
    Eval,
    /// As a person builds it.
    Release,
    /// As it is shipped and measured.
    Dist,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Eval => "eval",
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }
}

/// Builds it and says where it is.
pub fn build(shell: &Shell, profile: Profile) -> Result<PathBuf> {
    let command = shell.cargo(["build", "--profile", profile.name()]);
    built(command)
}

/// Builds the command as the tests of the workspace do, and returns its path. A build of the package alone takes other
/// features of its dependencies, and would compile them once more.
pub fn build_tested(shell: &Shell) -> Result<PathBuf> {
    let messages = shell
        .development_cargo(["build", "--workspace", "--test", "cli"])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    executable(&messages, "unstuck").context("cargo built no executable named `unstuck`")
}

/// Builds an example of a package as the tests of the workspace do, and returns its path.
pub fn build_tested_example(shell: &Shell, name: &str) -> Result<PathBuf> {
    let messages = shell
        .development_cargo(["build", "--workspace", "--example", name])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    executable(&messages, name).with_context(|| format!("cargo built no example named `{name}`"))
}

/// Builds the libraries of the workspace as its tests do, and returns the path of the one that other programs load.
pub fn build_tested_library(shell: &Shell, name: &str) -> Result<PathBuf> {
    let messages = shell
        .development_cargo(["build", "--workspace", "--lib", "--test", "cli"])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    loadable(&messages, name).with_context(|| format!("cargo built no library named `{name}`"))
}

/// Builds the command of another checkout of this repository. Dependencies are shared with the build of this one, and so is
/// the place of the executable: the next build replaces it.
pub fn build_checkout(shell: &Shell, checkout: &Path, profile: Profile) -> Result<PathBuf> {
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| shell.root().join("target"), PathBuf::from);
    let command = shell
        .cargo(["build", "--locked", "--profile", profile.name()])
        .arg("--target-dir")
        .arg(target)
        .arg("--manifest-path")
        .arg(checkout.join("Cargo.toml"));
    built(command)
}

fn built(command: Cmd<'_>) -> Result<PathBuf> {
    let messages = command
        .args(["--package", "unstuck-cli"])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    executable(&messages, "unstuck").context("cargo built no executable named `unstuck`")
}

/// Builds an example of the command as it is shipped, and returns its path.
pub fn build_example(shell: &Shell, name: &str) -> Result<PathBuf> {
    let messages = shell
        .cargo(["build", "--profile", Profile::Dist.name()])
        .args(["--package", "unstuck-cli", "--example", name])
        .arg("--message-format=json-render-diagnostics")
        .read_shown()?;
    executable(&messages, name).with_context(|| format!("cargo built no example named `{name}`"))
}

/// The path of an executable, from what cargo says about a build: right with any target directory and any `build.target`.
pub fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// The path of a library that other programs load, from what cargo says about a build.
pub fn loadable(messages: &str, name: &str) -> Option<PathBuf> {
    let messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut files = messages
        .filter(|message| message["target"]["name"] == name)
        .filter_map(|message| message["filenames"].as_array().cloned())
        .flatten();
    files.find_map(|file| {
        let path = PathBuf::from(file.as_str()?);
        let ending = path.extension()?.to_str()?;
        ["so", "dylib", "dll"].contains(&ending).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_of_the_same_name_is_not_taken() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"unstuck"},"executable":null}"#,
            "\nnot JSON\n",
            r#"{"reason":"compiler-artifact","target":{"name":"unstuck"},"executable":"t/unstuck"}"#,
        );
        assert_eq!(
            executable(messages, "unstuck"),
            Some(PathBuf::from("t/unstuck"))
        );
        assert_eq!(executable(messages, "other"), None);
    }

    #[test]
    fn of_a_library_the_file_that_programs_load_is_taken() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"a"},"filenames":["t/liba.rlib"]}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"name":"b"},"filenames":["t/libb.rlib","t/libb.so"]}"#,
        );
        assert_eq!(loadable(messages, "b"), Some(PathBuf::from("t/libb.so")));
        assert_eq!(loadable(messages, "a"), None);
    }
}
