//! Requests that the LLM proxy rewrote, against the types of the official SDKs from `PyPI`.

use std::fs;

use anyhow::{Context as _, Result};
use unstuck_dev::{Install, Outcome, Shell};

use crate::venv::Venv;

/// The SDKs of the four wire forms.
const SDKS: [&str; 3] = ["anthropic==2.10.0", "google-genai==3.3.0", "openai==3.51.0"];

const SCRIPT: &str = "crates/unstuck-llm/tests/sdks/accept.py";

/// Requests before and after repeats were left out must be accepted, and every call must keep its result.
pub(crate) fn check(shell: &Shell, install: Install) -> Result<Outcome> {
    let place = shell.root().join("target/llm-sdks");
    let venv = match Venv::with(shell, &place, &SDKS, install) {
        Ok(venv) => venv,
        Err(error) if install == Install::Never => {
            return Ok(Outcome::Skipped(format!("{error:#}")));
        }
        Err(error) => return Err(error),
    };
    let histories = shell
        .development_cargo(["run", "--quiet", "--package", "unstuck-llm"])
        .args(["--example", "leave_repeats_out", "--", "histories"])
        .read()?;
    let file = place.join("histories.jsonl");
    fs::write(&file, histories).with_context(|| format!("cannot write {}", file.display()))?;
    let script = shell.root().join(SCRIPT);
    shell
        .program(venv.program("python"))
        .arg(script)
        .stdin(fs::read(&file)?)
        .run()?;
    Ok(Outcome::Passed)
}
