//! `cargo xtask bench-scan`: how fast transcripts are read and judged.
//!
//! A gigabyte of transcripts in the manner of Claude Code is made once and scanned, beside programs that do less with
//! the same bytes: one that counts lines, one that parses and prints them, one that only parses them.

mod corpus;
mod measure;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::value_parser;
use unstuck_dev::{Profile, Shell, build, build_example};

use measure::{Measured, measure};

/// How much is scanned, and how often each program runs. The fastest run counts.
#[derive(Debug, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Size of the transcripts
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    megabytes: u64,
    /// Runs of each program; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    runs: u32,
}

/// Files the corpus consists of.
const FILES: u64 = 8;

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let unstuck = build(shell, Profile::Dist)?;
    // Parses every line, and no more.
    let parse = build_example(shell, "plain_json")?;
    let directory = shell
        .root()
        .join(format!("target/bench-scan/{}", options.megabytes));
    let files = corpus::make(&directory, options.megabytes << 20, FILES)?;
    let bytes = files.iter().map(|file| Ok(fs::metadata(file)?.len()));
    let bytes: u64 = bytes.sum::<Result<u64>>()?;
    println!(
        "\n{} files, {:.2} GB, in the page cache; the fastest of {} runs\n",
        files.len(),
        gigabytes(bytes),
        options.runs
    );
    println!("{:<34} {:>8} {:>8} {:>9}", "", "seconds", "GB/s", "peak MB");
    let scan = |jobs: &str| {
        let mut words = vec![path(&unstuck), "scan".into(), "--no-config".into()];
        words.extend(["--format", "json", "--jobs", jobs].map(String::from));
        words.push(path(&directory));
        words
    };
    let listed: Vec<_> = files.iter().map(|file| path(file)).collect();
    let with_files = |program: &str| [vec![program.to_owned()], listed.clone()].concat();
    let joined = listed.join("' '");
    let jq = format!("jq -c . '{joined}' | wc -l");
    let contenders = [
        ("wc -l", [with_files("wc"), vec!["-l".into()]].concat()),
        ("serde_json, one thread", with_files(&path(&parse))),
        ("unstuck scan, one thread", scan("1")),
        ("unstuck scan, two threads", scan("2")),
        ("jq -c . | wc -l", vec!["sh".into(), "-c".into(), jq]),
    ];
    let mut seconds = Vec::new();
    for (name, words) in &contenders {
        // jq takes a minute; once is enough to see where it stands.
        let runs = if name.starts_with("jq") {
            1
        } else {
            options.runs
        };
        let Some(best) = best(shell, words, runs)? else {
            println!("{name:<34} not installed");
            seconds.push(None);
            continue;
        };
        println!(
            "{name:<34} {:>8.2} {:>8.2} {:>9}",
            best.seconds,
            gigabytes(bytes) / best.seconds,
            best.peak_megabytes
        );
        seconds.push(Some(best.seconds));
    }
    if let [_, _, Some(one), Some(two), ..] = seconds[..] {
        println!("\ntwo threads against one: {:.2} times", one / two);
    }
    Ok(ExitCode::SUCCESS)
}

fn best(shell: &Shell, words: &[String], runs: u32) -> Result<Option<Measured>> {
    let mut best: Option<Measured> = None;
    for _ in 0..runs {
        let Some(measured) = measure(shell.root(), words)? else {
            return Ok(None);
        };
        if best.is_none_or(|best| measured.seconds < best.seconds) {
            best = Some(measured);
        }
    }
    Ok(best)
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
fn gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

#[cfg(test)]
#[path = "bench_scan/bench_scan_tests.rs"]
mod tests;
