//! `cargo xtask fuzz`: every fuzz target for a while.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
use unstuck_dev::{FUZZ, Install, Missing, Shell};

use xshell::Cmd;

/// Seconds after which one input counts as a hang.
const INPUT_TIMEOUT: u32 = 10;

#[derive(Debug, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Target to run; all unless given
    target: Option<String>,
    /// Seconds for each target; libFuzzer would take 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    if let Err(Missing(why)) = FUZZ.ensure(shell, Install::Missing) {
        bail!(why);
    }
    let home = shell.root().join("fuzz");
    let mut reports = Vec::new();
    for target in select(targets(&home)?, options.target.as_deref())? {
        println!("\n=== fuzz {target}, {} s", options.seconds);
        reports.push(fuzz(shell, &home, target, options.seconds)?);
    }
    println!();
    for report in &reports {
        println!("{}", report.render());
    }
    let broken = reports.iter().filter(|report| !report.is_clean()).count();
    println!("{} targets, {broken} with findings", reports.len());
    Ok(if broken == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The names of the targets, which are the names of their files.
fn targets(home: &Path) -> Result<Vec<String>> {
    let directory = home.join("fuzz_targets");
    let entries = fs::read_dir(&directory)
        .with_context(|| format!("no fuzz targets: cannot read {}", directory.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    if names.is_empty() {
        bail!("no fuzz targets in {}", directory.display());
    }
    names.sort();
    Ok(names)
}

fn select(all: Vec<String>, wanted: Option<&str>) -> Result<Vec<String>> {
    match wanted {
        None => Ok(all),
        Some(name) if all.iter().any(|one| one == name) => Ok(vec![name.to_owned()]),
        Some(name) => bail!("no fuzz target `{name}`; there are: {}", all.join(", ")),
    }
}

fn fuzz(shell: &Shell, home: &Path, target: String, seconds: u32) -> Result<Report> {
    let corpus = home.join("corpus").join(&target);
    fs::create_dir_all(&corpus).with_context(|| format!("cannot create {}", corpus.display()))?;
    let seeds = home.join("seeds").join(&target);
    let artifacts = home.join("artifacts").join(&target);
    let known = list(&artifacts)?;

    // The toolchain of the repository, so that what is fuzzed is what is built; the flag lets it use sanitizers.
    let mut command = shell
        .cargo(["fuzz", "run", &target])
        .arg(&corpus)
        .env("RUSTC_BOOTSTRAP", "1");
    if seeds.is_dir() {
        command = command.arg(&seeds);
    }
    let command = command
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-timeout={INPUT_TIMEOUT}"))
        .arg("-print_final_stats=1");
    let (status, log) = watch(command)?;

    let executions = executions(&log);
    if executions.is_none() && !status.success() && !log.contains("ERROR: libFuzzer") {
        bail!("`{target}` did not run: {status}");
    }
    let findings = list(&artifacts)?.difference(&known).cloned().collect();
    Ok(Report {
        target,
        executions,
        findings,
        succeeded: status.success(),
    })
}

/// Runs a command and shows standard error as it is written. Returns how the command ended, and standard error.
fn watch(command: Cmd<'_>) -> Result<(ExitStatus, String)> {
    println!("$ {command}");
    let mut child = Command::from(command).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stderr.take().context("no standard error to read")?;
    let mut log = String::new();
    for line in BufReader::new(pipe).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        log.push_str(&line);
        log.push('\n');
    }
    Ok((child.wait()?, log))
}

fn list(directory: &Path) -> Result<BTreeSet<PathBuf>> {
    if !directory.is_dir() {
        return Ok(BTreeSet::new());
    }
    fs::read_dir(directory)?
        .map(|entry| Ok(entry?.path()))
        .collect()
}

/// As libFuzzer counts them at the end of a run.
fn executions(log: &str) -> Option<u64> {
    log.lines().rev().find_map(|line| {
        let number = line.strip_prefix("stat::number_of_executed_units:")?;
        number.trim().parse().ok()
    })
}

/// What came of one target.
#[derive(Debug)]
struct Report {
    target: String,
    executions: Option<u64>,
    findings: Vec<PathBuf>,
    succeeded: bool,
}

impl Report {
    fn is_clean(&self) -> bool {
        self.succeeded && self.findings.is_empty()
    }

    fn render(&self) -> String {
        let executions = self
            .executions
            .map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        let mut text = format!("{}: {executions} executions, ", self.target);
        if self.is_clean() {
            text.push_str("no finding");
            return text;
        }
        text.push_str("FINDING");
        for path in &self.findings {
            text.push_str("\n  ");
            text.push_str(&path.display().to_string());
        }
        text
    }
}

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod tests;
