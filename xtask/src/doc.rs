//! The documentation of the libraries, checked against what the tests are compiled with.
//!
//! `cargo doc` has all dependencies checked once more, as it reads the metadata of a check. `cargo test --doc` gives rustdoc what
//! is compiled already. So this program takes the place of rustdoc in `cargo test --doc`, and runs rustdoc without the words that
//! ask for tests.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use unstuck_dev::Shell;

/// Variable that makes this program take the place of rustdoc. Its value is the directory to write to.
const OUTPUT: &str = "UNSTUCK_RUSTDOC_OUTPUT";

/// Documents every library of the workspace that has tests in its documentation; warnings are errors.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    let program = env::current_exe().context("this program does not know its path")?;
    shell
        .development_cargo(["test", "--doc", "--workspace", "--quiet"])
        .env("RUSTDOC", program)
        .env(OUTPUT, shell.root().join("target").join("doc"))
        .run()?;
    Ok(())
}

/// Takes the place of rustdoc where [`check`] asked for it.
pub(crate) fn in_place_of_rustdoc() -> Option<Result<ExitCode>> {
    let output = env::var_os(OUTPUT)?;
    Some(document(env::args_os().skip(1), &output))
}

fn document(words: impl Iterator<Item = OsString>, output: &OsString) -> Result<ExitCode> {
    let status = Command::new("rustdoc")
        .args(without_tests(words))
        .args(["-D", "warnings", "--out-dir"])
        .arg(output)
        .env_remove(OUTPUT)
        .status()
        .context("rustdoc cannot be started")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The words of a command line of rustdoc without those that ask for tests.
fn without_tests(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--test" | "--no-run") => {}
            Some("--test-run-directory" | "--test-args" | "--test-runtool") => {
                words.next();
            }
            _ => kept.push(word),
        }
    }
    kept
}

#[cfg(test)]
#[path = "doc_tests.rs"]
mod tests;
