//! `cargo xtask same`: decisions of two programs on the same streams of events, byte for byte.
//!
//! The engine is deterministic, so a change that is meant to keep its behaviour can be proven to: every stream is replayed
//! through `unstuck check` of both programs, for every preset, and the answers are compared while both are running.
//!
//! ```text
//!  streams ──> target/same/streams/KIND/NAME.jsonl ──┬─> BASELINE check ──┬─> compare ──> report
//!                                                    └─> OTHER check ─────┘
//! ```
//!
//! In the modes that end in `restarted`, OTHER snapshots its engine after every few events, drops it and restores it
//! (`check --restart-every`, a hidden option), and BASELINE does not: a restored engine decides the same. All fields of a
//! decision are compared there too, because `check` keeps the arguments of calls in its snapshots.
//!
//! Two programs of the same bytes are refused: they decide the same whatever the sources say, and often one of them is the
//! build of the other's sources.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use unstuck_dev::Shell;

use self::allow::Allowed;
use self::program::Program;
use self::replay::{Mode, Outcome, Replay};
use self::report::Table;
use self::streams::{Kind, Stream};

mod allow;
mod compare;
mod program;
mod replay;
mod report;
mod streams;

/// The presets of the engine.
const PRESETS: [&str; 5] = [
    "standard",
    "attocode",
    "attractor",
    "ironcurtain",
    "tool-loop-detector",
];

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Path of a program, or a commit, which is built with the profile `eval` and kept under target/same
    baseline: String,
    /// Program or commit to compare it with; the present tree unless given
    #[arg(long, value_name = "OTHER")]
    with: Option<String>,
    /// Recordings, as for `eval`, or files of events
    #[arg(long, value_name = "FILE")]
    corpus: Vec<PathBuf>,
    /// Presets to compare; all unless given
    #[arg(long = "preset", value_name = "PRESET", value_delimiter = ',', value_parser = preset)]
    presets: Vec<&'static str>,
    /// Kinds of streams: vectors, cases, examples, fuzz, reference, corpus; all unless given
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    only: Vec<Kind>,
    /// List of intended differences, one `KIND/NAME PRESET MODE LINE FIELDS` a line with `*` for any
    #[arg(long, value_name = "FILE")]
    allow: Option<PathBuf>,
}

impl Options {
    fn presets(&self) -> &[&'static str] {
        if self.presets.is_empty() {
            &PRESETS
        } else {
            &self.presets
        }
    }

    fn wants(&self, kind: Kind) -> bool {
        self.only.is_empty() || self.only.contains(&kind)
    }
}

fn preset(name: &str) -> Result<&'static str, String> {
    let found = PRESETS.into_iter().find(|preset| *preset == name);
    found.ok_or_else(|| format!("there are: {}", PRESETS.join(", ")))
}

fn kind(name: &str) -> Result<Kind, String> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| format!("there are: {}", Kind::ALL.map(Kind::name).join(", ")))
}

/// Both programs, and what is compared of them.
struct Comparison<'a> {
    baseline: Program,
    other: Program,
    presets: &'a [&'static str],
    modes: Vec<Mode>,
    allowed: Allowed,
}

/// One stream with one preset, in all modes.
struct Job<'a> {
    stream: &'a Stream,
    preset: &'static str,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    if options.only.contains(&Kind::Corpus) && options.corpus.is_empty() {
        bail!(
            "`--only corpus` needs recordings: add `--corpus FILE` (`cargo xtask eval` says where to get some)"
        );
    }
    let allowed = match &options.allow {
        Some(path) => Allowed::read(path)?,
        None => Allowed::default(),
    };
    let place = shell.root().join("target").join("same");
    let baseline = Program::find(shell, &place, &options.baseline)?;
    let other = match &options.with {
        Some(what) => Program::find(shell, &place, what)?,
        None => Program::present(shell, &place)?,
    };
    println!("baseline: {baseline}\nother:    {other}");
    program::refuse_equal(&baseline, &other)?;
    let modes = Mode::all(&place, other.restarts)?;
    if !other.restarts {
        println!(
            "snapshots are not compared: {} does not know `check --restart-every`",
            other.name
        );
    }
    if options.wants(Kind::Corpus) && options.corpus.is_empty() {
        println!("no corpus is compared: `--corpus FILE` names one");
    }
    let wanted: Vec<_> = Kind::ALL
        .into_iter()
        .filter(|kind| options.wants(*kind))
        .collect();
    let streams = streams::gather(shell, &place, &wanted, &options.corpus)?;
    let comparison = Comparison {
        baseline,
        other,
        presets: options.presets(),
        modes,
        allowed,
    };
    comparison.run(&streams)
}

impl Comparison<'_> {
    fn run(&self, streams: &[Stream]) -> Result<ExitCode> {
        if streams.is_empty() {
            bail!("there are no streams to compare");
        }
        let start = Instant::now();
        let table = self.compare(streams)?;
        println!("\n{}", table.render());
        for unused in self.allowed.unused() {
            println!("allowed, but not found (remove it): {unused}");
        }
        let seconds = start.elapsed().as_secs_f64();
        let different = table.differences();
        if different == 0 {
            println!("no difference in {seconds:.0} s");
            return Ok(ExitCode::SUCCESS);
        }
        println!("{different} differences in {seconds:.0} s; the first of each stream is above");
        Ok(ExitCode::FAILURE)
    }

    /// Runs all jobs, as many at once as there are cores.
    fn compare(&self, streams: &[Stream]) -> Result<Table> {
        let jobs: Vec<_> = streams
            .iter()
            .flat_map(|stream| {
                self.presets
                    .iter()
                    .map(move |preset| Job { stream, preset })
            })
            .collect();
        let next = AtomicUsize::new(0);
        let table = Mutex::new(Table::default());
        let work = || -> Result<()> {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let done = self.job(job, &table);
                if done.is_err() {
                    // No further job begins.
                    next.store(jobs.len(), Ordering::Relaxed);
                }
                done?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let count = thread::available_parallelism().map_or(1, usize::from);
            let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|_| bail!("a thread that compares has panicked"))
            })
        })?;
        Ok(table.into_inner().unwrap_or_default())
    }

    fn job(&self, job: &Job<'_>, table: &Mutex<Table>) -> Result<()> {
        let start = Instant::now();
        let mut outcomes = Vec::new();
        let mut differences = String::new();
        for mode in &self.modes {
            let replay = Replay {
                stream: job.stream,
                preset: job.preset,
                mode,
            };
            let outcome = replay.run(&self.baseline, &self.other, &self.allowed)?;
            if let Some(text) = report::first_difference(&replay, &outcome, self)? {
                let _ = writeln!(differences, "{text}");
            }
            outcomes.push(outcome);
        }
        let line = summary(job, &outcomes, start);
        // One write, so that the lines of two threads stay apart.
        io::stdout().write_all(format!("{line}\n{differences}").as_bytes())?;
        if let Ok(mut table) = table.lock() {
            for outcome in &outcomes {
                table.add(job.stream, outcome);
            }
        }
        Ok(())
    }
}

fn summary(job: &Job<'_>, outcomes: &[Outcome], start: Instant) -> String {
    let decisions: u64 = outcomes.iter().map(|outcome| outcome.decisions).sum();
    let different: u64 = outcomes.iter().map(|outcome| outcome.differences).sum();
    let allowed: u64 = outcomes.iter().map(|outcome| outcome.allowed).sum();
    let mut line = format!(
        "{} {}: {} decisions in {} modes, ",
        job.stream,
        job.preset,
        report::number(decisions),
        outcomes.len()
    );
    match different {
        0 => line.push_str("the same"),
        _ => {
            let _ = write!(line, "{} DIFFERENT", report::number(different));
        }
    }
    if allowed > 0 {
        let _ = write!(line, ", {} allowed", report::number(allowed));
    }
    let _ = write!(line, " ({:.1} s)", start.elapsed().as_secs_f64());
    line
}

/// Creates a directory with all above it.
fn make(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))
}

#[cfg(test)]
#[path = "same/same_tests.rs"]
mod tests;
