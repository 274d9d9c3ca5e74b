//! `cargo xtask bench-mcp`: what `unstuck mcp` adds to a call.
//!
//! The same calls go to the same server directly, through a program that only passes bytes on, and through `unstuck mcp`
//! in several ways. What a way adds is told beside what the byte pipe adds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::args::{Arg, Args, unexpected};
use crate::cli::{self, Profile};
use crate::shell::Shell;

/// How many calls are made, and how often. The fastest run counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    calls: u32,
    runs: u32,
}

impl Options {
    pub(crate) fn parse(mut args: Args) -> Result<Self> {
        let mut options = Self {
            calls: 20_000,
            runs: 3,
        };
        while let Some(arg) = args.next()? {
            let number = |args: &mut Args, flag: &str| -> Result<u32> {
                let value = args.value(flag)?;
                let number = value.parse();
                number.with_context(|| format!("`{flag}` needs a number, not `{value}`"))
            };
            match &arg {
                Arg::Flag(flag) if flag == "--calls" => options.calls = number(&mut args, flag)?,
                Arg::Flag(flag) if flag == "--runs" => options.runs = number(&mut args, flag)?,
                Arg::Flag(_) | Arg::Word(_) => return unexpected("bench-mcp", &arg),
            }
        }
        if options.calls < 100 || options.runs == 0 {
            bail!("--calls must be at least 100, and --runs at least 1");
        }
        Ok(options)
    }
}

/// Median and 99th percentile in microseconds, and calls a second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    median: f64,
    slow: f64,
    rate: f64,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let unstuck = path(&cli::build(shell, Profile::Release)?);
    let program = path(&example(shell)?);
    let directory = shell.root().join("target/bench-mcp");
    fs::create_dir_all(&directory)?;
    let policy = directory.join("policy.cedar");
    fs::write(
        &policy,
        "permit (principal, action, resource);\nforbid (principal, action, resource) when { context.tool == \"delete\" };\n",
    )?;
    let audit = path(&directory.join("audit.jsonl"));
    let policy = path(&policy);
    let echo = [&*program, "echo"];
    let guard = |options: &[&str]| {
        let words = ["mcp", "--no-config", "--name", "s", "--audit", &audit];
        let all = [&[&*unstuck], &words[..], options, &["--"], &echo].concat();
        all.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let plain = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let ways = [
        ("direct", plain(&echo)),
        (
            "byte pipe",
            plain(&[&[&*program, "pipe"], &echo[..]].concat()),
        ),
        ("unstuck mcp", guard(&[])),
        (
            "  --preset ironcurtain",
            guard(&["--preset", "ironcurtain"]),
        ),
        ("  --policy", guard(&["--policy", &policy])),
        ("  --audit-sync line", guard(&["--audit-sync", "line"])),
    ];
    for (bytes, calls) in [(100, options.calls), (100_000, options.calls / 20)] {
        for at_once in [1, 16] {
            println!(
                "\n{bytes} bytes, {at_once} at once; µs, the best of {} runs",
                options.runs
            );
            println!(
                "{:<26} {:>9} {:>9} {:>10} {:>9}",
                "", "median", "99 %", "calls/s", "added"
            );
            let mut direct = None;
            for (name, words) in &ways {
                // A sync takes milliseconds on most disks.
                let calls = if name.contains("sync") {
                    calls.min(500)
                } else {
                    calls
                };
                let mut best: Option<Measured> = None;
                for _ in 0..options.runs {
                    let now = measure(shell, &program, calls, at_once, bytes, words)?;
                    if best.is_none_or(|best| now.median < best.median) {
                        best = Some(now);
                    }
                }
                let Some(best) = best else { continue };
                let base: Measured = *direct.get_or_insert(best);
                println!(
                    "{name:<26} {:>9.1} {:>9.1} {:>10.0} {:>9.1}",
                    best.median,
                    best.slow,
                    best.rate,
                    best.median - base.median
                );
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(
    shell: &Shell,
    program: &str,
    calls: u32,
    at_once: u32,
    bytes: u32,
    words: &[String],
) -> Result<Measured> {
    let numbers = [calls, at_once, bytes].map(|number| number.to_string());
    let said = shell
        .program(program)
        .arg("drive")
        .args(numbers)
        .args(words)
        .read_stdout()?;
    parse(&said).with_context(|| format!("the driver said `{said}`"))
}

fn parse(said: &str) -> Option<Measured> {
    let mut numbers = said.split_whitespace().map(str::parse::<f64>);
    let mut next = || numbers.next()?.ok();
    Some(Measured {
        median: next()? / 1e3,
        slow: next()? / 1e3,
        rate: next()?,
    })
}

fn example(shell: &Shell) -> Result<PathBuf> {
    let messages = shell
        .cargo(["build", "--release", "--package", "unstuck-cli"])
        .args(["--example", "mcp_round_trip"])
        .arg("--message-format=json-render-diagnostics")
        .read_stdout()?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "mcp_round_trip")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo built no example named `mcp_round_trip`")
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_says_is_in_nanoseconds() {
        let measured = Measured {
            median: 12.5,
            slow: 40.0,
            rate: 1000.0,
        };
        assert_eq!(parse("12500 40000 1000\n"), Some(measured));
        assert_eq!(parse("oops"), None);
    }
}
