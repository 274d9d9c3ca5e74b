//! Building the command `unstuck`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::shell::{Command, Shell};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    /// Fast, and quick to rebuild.
    Eval,
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
pub(crate) fn build(shell: &Shell, profile: Profile) -> Result<PathBuf> {
    let command = shell.cargo(["build", "--profile", profile.name()]);
    built(command)
}

/// Builds the command of another checkout of this repository. Dependencies are shared with the build of this one, and so is
/// the place of the executable: the next build replaces it.
pub(crate) fn build_checkout(shell: &Shell, checkout: &Path, profile: Profile) -> Result<PathBuf> {
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

fn built(command: Command) -> Result<PathBuf> {
    let messages = command
        .args(["--package", "unstuck-cli"])
        .arg("--message-format=json-render-diagnostics")
        .read_stdout()?;
    executable(&messages, "unstuck").context("cargo built no executable named `unstuck`")
}

/// Builds an example of it, optimised, and says where that is.
pub(crate) fn build_example(shell: &Shell, name: &str) -> Result<PathBuf> {
    let messages = shell
        .cargo(["build", "--release", "--package", "unstuck-cli"])
        .args(["--example", name])
        .arg("--message-format=json-render-diagnostics")
        .read_stdout()?;
    executable(&messages, name).with_context(|| format!("cargo built no example named `{name}`"))
}

/// Asking cargo is right with any target directory and any `build.target`.
fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
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
}
