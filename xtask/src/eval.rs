//! `cargo xtask eval`: scores settings on labelled recordings.
//!
//! The work is done by the program `unstuck-eval`, which is built with optimisation: a replay of a large corpus by
//! an engine without would take minutes, and so would building xtask with one.

use std::process::ExitCode;

use anyhow::Result;
use unstuck_dev::{CmdExt as _, Shell};

/// The page that `--write-docs` writes, and the document with a table of it.
const PAGE: &str = "docs/quality.md";
const README: &str = "README.md";

pub(crate) fn run(shell: &Shell, words: &[String]) -> Result<ExitCode> {
    shell
        .cargo(["run", "--quiet", "--profile", "eval"])
        .arg("--manifest-path")
        .arg(shell.root().join("Cargo.toml"))
        .args(["--package", "unstuck-eval", "--"])
        .args(arguments(shell, words))
        .run_where_called()
}

/// Only xtask knows the places of the documents.
fn arguments(shell: &Shell, words: &[String]) -> Vec<String> {
    let place = |name| shell.root().join(name).display().to_string();
    words
        .iter()
        .flat_map(|word| match word.as_str() {
            "--write-docs" => vec![
                format!("--write-docs={}", place(PAGE)),
                format!("--write-readme={}", place(README)),
            ],
            _ => vec![word.clone()],
        })
        .collect()
}

#[cfg(test)]
#[path = "eval_tests.rs"]
mod tests;
