//! `cargo xtask bench`: the engine's benchmarks, by the clock and by instructions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use unstuck_dev::{CmdExt as _, Shell};

/// What the bench `cost` can run alone. `nothing` only makes the lines, which all the others do too.
const CONTENDERS: [&str; 7] = [
    "nothing",
    "floor",
    "standard",
    "ironcurtain",
    "attractor",
    "attocode",
    "tool-loop-detector",
];

pub(crate) fn run(shell: &Shell, words: &[String]) -> Result<ExitCode> {
    shell
        .cargo(["bench", "--package", "unstuck"])
        .args(words)
        .run()?;
    if words.is_empty() {
        instructions(shell)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Instructions are the same in every run, however busy the machine is.
fn instructions(shell: &Shell) -> Result<()> {
    if !shell.program("valgrind").arg("--version").succeeds() {
        println!("\ninstruction counts need valgrind, which is not installed: skipped");
        return Ok(());
    }
    let bench = executable(shell)?;
    for lines in ["stream", "small"] {
        println!(
            "\ninstructions on the lines `{lines}` (see the bench `cost`), beyond making them"
        );
        let mut counted = Vec::new();
        for contender in CONTENDERS {
            let count = count(shell, &bench, contender, lines)?;
            counted.push((contender, count));
        }
        print!("{}", table(&counted));
    }
    Ok(())
}

/// Rows of contender, count beyond the first one's, and ratio to the second one's.
fn table(counted: &[(&str, u64)]) -> String {
    let base = counted.first().map_or(0, |(_, count)| *count);
    let beyond = |count: u64| count.saturating_sub(base);
    let floor = counted.get(1).map_or(1, |(_, count)| beyond(*count)).max(1);
    let row = |(contender, count): &(&str, u64)| {
        let hundredths = beyond(*count).saturating_mul(100) / floor;
        let (whole, rest) = (hundredths / 100, hundredths % 100);
        format!(
            "{contender:<26}{:>16}{whole:>8}.{rest:02} x floor\n",
            beyond(*count)
        )
    };
    counted.iter().skip(1).map(row).collect()
}

fn count(shell: &Shell, bench: &PathBuf, contender: &str, lines: &str) -> Result<u64> {
    let (_, said) = shell
        .program("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(bench)
        .args(["only", contender, lines])
        .read_errors()?;
    collected(&said).with_context(|| format!("valgrind named no count for `{contender}`"))
}

/// The number in valgrind's `Collected : 261002442`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// The bench `cost`, built but not run.
fn executable(shell: &Shell) -> Result<PathBuf> {
    let messages = shell
        .cargo([
            "bench",
            "--package",
            "unstuck",
            "--bench",
            "cost",
            "--no-run",
        ])
        .arg("--message-format=json")
        .read()?;
    let artifacts = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    artifacts
        .filter(|message| message["target"]["name"] == "cost")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo named no executable for the bench `cost`")
}

#[cfg(test)]
#[path = "bench_tests.rs"]
mod tests;
