//! Compiling the workspace with clippy: what the tests run is checked while it is compiled.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use unstuck_dev::Shell;

/// Compiles every target of the workspace as the tests use it. Fails on any warning, after all packages are compiled.
pub(crate) fn compile(shell: &Shell) -> Result<()> {
    let cargo = shell
        .development_cargo(["build", "--workspace", "--all-targets"])
        // Warnings of what is compiled already are repeated, so none is lost between two runs.
        .arg("--message-format=json-diagnostic-rendered-ansi");
    println!("$ {cargo}");
    let mut child = Command::from(cargo)
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let mut warnings = 0_u32;
    for line in BufReader::new(child.stdout.take().context("cargo has no output")?).lines() {
        let Some(text) = diagnostic(&line?) else {
            continue;
        };
        print!("{text}");
        warnings += 1;
    }
    if !child.wait()?.success() {
        bail!("the workspace cannot be compiled");
    }
    if warnings > 0 {
        bail!("{warnings} warnings");
    }
    Ok(())
}

/// The text of a warning or an error of the compiler, from a message of cargo. The line that counts them is not one.
fn diagnostic(message: &str) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-message" {
        return None;
    }
    let diagnostic = &message["message"];
    let is_count = diagnostic["spans"].as_array().is_none_or(Vec::is_empty)
        && diagnostic["code"].is_null()
        && diagnostic["message"]
            .as_str()
            .is_some_and(|text| text.ends_with(" emitted"));
    if is_count {
        return None;
    }
    Some(diagnostic["rendered"].as_str()?.to_owned())
}

#[cfg(test)]
#[path = "lint_tests.rs"]
mod tests;
