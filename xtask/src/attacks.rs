//! `cargo xtask attacks`: the attacks of `crates/unstuck-cli/tests/cli/attacks` against a binary, as a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use unstuck_dev::Shell;

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Binary to attack; the development build of this repository unless given
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Binary that has the weaknesses: a test that passes there as well proves nothing, and is reported as a failure
    #[arg(long, value_name = "PATH")]
    beside: Option<PathBuf>,
}

/// Results of all tests, by name.
type Results = BTreeMap<String, Withstood>;

/// Whether the binary withstood an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Withstood {
    Yes,
    No,
    /// The test cannot run on this machine.
    NotRun,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let results = attack(shell, options.binary.as_deref())?;
    let beside = match &options.beside {
        Some(binary) => Some(attack(shell, Some(binary))?),
        None => None,
    };
    println!("\n{}", table(&results, beside.as_ref()));
    let complaints = complaints(&results, beside.as_ref());
    for complaint in &complaints {
        println!("{complaint}");
    }
    let [passed, failed, not_run] =
        [Withstood::Yes, Withstood::No, Withstood::NotRun].map(|end| count(&results, end));
    println!("\n{passed} passed, {failed} failed, {not_run} not run");
    Ok(if complaints.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn attack(shell: &Shell, binary: Option<&Path>) -> Result<Results> {
    let mut command = shell
        .cargo(["test", "--package", "unstuck-cli", "--test", "cli"])
        .args(["attacks::", "--", "--test-threads", "2", "--show-output"]);
    if let Some(binary) = binary {
        // Tests run in directories of their own.
        let binary = binary.canonicalize()?;
        command = command.env("UNSTUCK_BINARY", &binary);
    }
    let results = parse(&command.ignore_status().read()?);
    if results.is_empty() {
        bail!("no attack ran");
    }
    Ok(results)
}

/// Reads the lines of libtest, such as `test attacks::audit::a4_… ... ok`. libtest cannot skip a test while it runs, so a
/// test without its preconditions passes and prints a line `skipped: …`, which follows a line
/// `---- attacks::audit::a4_… stdout ----`.
fn parse(log: &str) -> Results {
    let mut results = Results::new();
    let mut printed_by = None;
    for line in log.lines() {
        let header = line.strip_prefix("---- ");
        if let Some(path) = header.and_then(|header| header.strip_suffix(" stdout ----")) {
            printed_by = Some(last_name(path));
        }
        if line.starts_with("skipped: ")
            && let Some(name) = printed_by
        {
            results.insert(name.to_owned(), Withstood::NotRun);
        }
        let Some(rest) = line.strip_prefix("test ") else {
            continue;
        };
        let Some((path, end)) = rest.rsplit_once(" ... ") else {
            continue;
        };
        let name = last_name(path);
        let withstood = match end.trim() {
            "ok" => Withstood::Yes,
            "FAILED" => Withstood::No,
            _ => continue,
        };
        results.insert(name.to_owned(), withstood);
    }
    results
}

fn last_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The number of the attack that a test repeats, and what sorts it: `a4_…` is A4, before A10. Tests of what held before
/// have none.
fn number(test: &str) -> Option<(char, u32)> {
    let (number, _) = test.split_once('_')?;
    let mut letters = number.chars();
    let group = letters.next()?.to_ascii_uppercase();
    Some((group, letters.as_str().parse().ok()?))
}

fn table(results: &Results, beside: Option<&Results>) -> String {
    let mut by_number: BTreeMap<Option<(char, u32)>, Vec<&str>> = BTreeMap::new();
    for test in results.keys() {
        by_number.entry(number(test)).or_default().push(test);
    }
    let (head, rule) = match beside {
        Some(_) => ("| withstood | beside |", "|---|---|"),
        None => ("| withstood |", "|---|"),
    };
    let mut lines = vec![format!("| attack | test {head}"), format!("|---|---{rule}")];
    for (number, tests) in by_number {
        let number = number.map_or_else(String::new, |(group, number)| format!("{group}{number}"));
        for test in tests {
            let words = test.split_once('_').map_or(test, |(_, words)| words);
            let mut cells = vec![number.clone(), words.replace('_', " ")];
            cells.push(word(results.get(test)).to_owned());
            cells.extend(beside.map(|beside| word(beside.get(test)).to_owned()));
            lines.push(format!("| {} |", cells.join(" | ")));
        }
    }
    lines.join("\n")
}

fn word(withstood: Option<&Withstood>) -> &'static str {
    match withstood {
        Some(Withstood::Yes) => "yes",
        Some(Withstood::No) => "no",
        Some(Withstood::NotRun) | None => "not run",
    }
}

fn complaints(results: &Results, beside: Option<&Results>) -> Vec<String> {
    let failed = results.iter().filter(|(_, end)| **end == Withstood::No);
    let mut complaints: Vec<_> = failed
        .map(|(test, _)| format!("the attack succeeded: {test}"))
        .collect();
    let proves_nothing = beside.into_iter().flatten();
    complaints.extend(
        proves_nothing
            .filter(|(test, end)| **end == Withstood::Yes && number(test).is_some())
            .map(|(test, _)| format!("passes beside as well, so it proves nothing: {test}")),
    );
    complaints
}

fn count(results: &Results, of: Withstood) -> usize {
    results.values().filter(|end| **end == of).count()
}

#[cfg(test)]
#[path = "attacks_tests.rs"]
mod tests;
