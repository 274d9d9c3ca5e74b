//! `cargo xtask eval`: scores settings on labelled recordings.
//!
//! The work is done by the program `unstuck-eval`, which is built with optimisation: a replay of a large corpus by
//! an engine without would take minutes, and so would building xtask with one.

use std::process::ExitCode;

use anyhow::Result;
use unstuck_dev::{CmdExt as _, Shell};

/// The page that `--write-docs` writes.
const PAGE: &str = "docs/quality.md";

pub(crate) fn run(shell: &Shell, words: &[String]) -> Result<ExitCode> {
    shell
        .cargo(["run", "--quiet", "--profile", "eval"])
        .arg("--manifest-path")
        .arg(shell.root().join("Cargo.toml"))
        .args(["--package", "unstuck-eval", "--"])
        .args(arguments(shell, words))
        .run_where_called()
}

/// Where the page is only xtask knows.
fn arguments(shell: &Shell, words: &[String]) -> Vec<String> {
    let page = shell.root().join(PAGE);
    words
        .iter()
        .map(|word| match word.as_str() {
            "--write-docs" => format!("--write-docs={}", page.display()),
            _ => word.clone(),
        })
        .collect()
}

#[cfg(test)]
#[path = "eval_tests.rs"]
mod tests;
