//! `cargo xtask bench`: the engine's benchmarks, after what they read has been made.

use std::process::ExitCode;

use anyhow::Result;

use crate::shell::Shell;

pub(crate) fn run(shell: &Shell, words: &[String]) -> Result<ExitCode> {
    // The place for whatever the benchmarks read and the repository does not hold.
    shell
        .cargo(["bench", "--package", "unstuck"])
        .args(words)
        .run()?;
    Ok(ExitCode::SUCCESS)
}
