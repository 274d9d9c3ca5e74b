//! `cargo xtask conformance`: the vectors under `conformance/` against a binary.
//!
//! One process per file and preset, `BINARY check --preset P`, gets the events of all cases in one stream. Every case
//! has its own session and swarm ids, so one case cannot disturb another. Three kinds of files, told apart by the
//! fields of their first row:
//!
//! * preset vectors: one expected object per event; only the fields present are compared;
//! * reported cases: recordings from the field with bounds on when which verdict may or must come;
//! * canonical forms: a JSON text and its canonical form must be the same call, different ones must not be.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use self::process::{Guard, Reply};
use unstuck_conformance::{Case, Vectors};
use unstuck_dev::{Profile, Shell, build};

mod canonical;
mod process;

const DIRECTORY: &str = "conformance";

/// Files the repository must hold. More are welcome.
const REQUIRED: [&str; 5] = [
    "attocode.jsonl",
    "attractor.jsonl",
    "canonical.jsonl",
    "ironcurtain.jsonl",
    "tool-loop-detector.jsonl",
];

#[derive(Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Binary to test; the release build unless given
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Files of vectors; all of conformance/ unless given
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let files = if options.files.is_empty() {
        default_files(shell.root())?
    } else {
        options.files.clone()
    };
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(shell, Profile::Release)?,
    };
    check(&binary, &files)?;
    Ok(ExitCode::SUCCESS)
}

/// The required files, there or not, and whatever else the directory holds.
pub(crate) fn default_files(root: &Path) -> Result<Vec<PathBuf>> {
    let directory = root.join(DIRECTORY);
    let mut files: BTreeSet<_> = REQUIRED.iter().map(|name| directory.join(name)).collect();
    if directory.is_dir() {
        for entry in fs::read_dir(&directory)? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                files.insert(path);
            }
        }
    }
    Ok(files.into_iter().collect())
}

/// What the events of a vector file were written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A preset's contract, and canonical forms.
    Vectors,
    /// Recordings from the field, with bounds on the verdicts.
    Cases,
}

/// The events of a vector file as one stream, for any preset: the lines that [`check`] sends, without expectations.
pub(crate) fn events(text: &str) -> Result<(Purpose, Vec<String>)> {
    fn lines<E>(cases: &[Case<'_, E>]) -> Vec<String> {
        cases.iter().flat_map(Case::lines).collect()
    }
    Ok(match Vectors::parse(text)? {
        Vectors::Canonical(rows) => {
            let plan = canonical::Plan::of(&rows);
            (Purpose::Vectors, plan.lines().to_vec())
        }
        Vectors::Preset(cases) => (Purpose::Vectors, lines(&cases)),
        Vectors::Reported(cases) => (Purpose::Cases, lines(&cases)),
    })
}

/// Judges every file, prints what came of it, and fails when anything was not as expected.
pub(crate) fn check(binary: &Path, files: &[PathBuf]) -> Result<()> {
    let mut broken = Vec::new();
    for path in files {
        let name = path.file_name().map_or_else(
            || path.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        let report = match fs::read_to_string(path) {
            Ok(text) => check_text(binary, &text)
                .with_context(|| format!("{} is no vector file", path.display()))?,
            Err(error) => Report::unreadable(&error.to_string()),
        };
        println!("{}", report.render(&name));
        if !report.is_green() {
            broken.push(name);
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!("not conformant: {}", broken.join(", "))
}

fn check_text(binary: &Path, text: &str) -> Result<Report> {
    let guard = Guard::new(binary);
    Ok(match Vectors::parse(text)? {
        Vectors::Canonical(rows) => {
            let plan = canonical::Plan::of(&rows);
            let reply = guard.decide(canonical::PRESET, plan.lines());
            let mut report = Report::new(rows.len());
            report.note("", &reply);
            report.failures = plan.judge(&reply.decisions);
            report
        }
        Vectors::Preset(cases) => check_cases(&guard, &cases, unstuck_conformance::preset),
        Vectors::Reported(cases) => check_cases(&guard, &cases, unstuck_conformance::reported),
    })
}

fn check_cases<E>(
    guard: &Guard<'_>,
    cases: &[Case<'_, E>],
    judge: impl Fn(&Case<'_, E>, &[Value]) -> Result<(), String>,
) -> Report {
    let mut report = Report::new(cases.len());
    let presets: BTreeSet<_> = cases.iter().map(Case::preset).collect();
    for preset in presets {
        let group: Vec<_> = cases
            .iter()
            .filter(|case| case.preset() == preset)
            .collect();
        let lines: Vec<_> = group.iter().flat_map(|case| case.lines()).collect();
        let reply = guard.decide(preset, &lines);
        report.note(&format!("preset {preset}: "), &reply);
        let mut rest = reply.decisions.as_slice();
        for case in group {
            let (own, others) = rest.split_at(case.events.len().min(rest.len()));
            rest = others;
            if let Err(why) = judge(case, own) {
                report.failures.push(Failure {
                    name: case.id.clone(),
                    why,
                });
            }
        }
    }
    report
}

/// One case or row that was not as expected.
#[derive(Debug, PartialEq, Eq)]
struct Failure {
    name: String,
    why: String,
}

/// What came of one file.
#[derive(Debug, Default)]
struct Report {
    cases: usize,
    /// How the process misbehaved, whatever it decided.
    notes: Vec<String>,
    failures: Vec<Failure>,
}

impl Report {
    fn new(cases: usize) -> Self {
        let mut report = Self {
            cases,
            ..Self::default()
        };
        if cases == 0 {
            report.notes.push("no cases".to_owned());
        }
        report
    }

    fn unreadable(error: &str) -> Self {
        Self {
            notes: vec![format!("cannot be read: {error}")],
            ..Self::default()
        }
    }

    fn note(&mut self, prefix: &str, reply: &Reply) {
        let notes = reply
            .remarks
            .iter()
            .map(|remark| format!("{prefix}{remark}"));
        self.notes.extend(notes);
    }

    fn is_green(&self) -> bool {
        self.notes.is_empty() && self.failures.is_empty()
    }

    fn render(&self, name: &str) -> String {
        let failed = self.failures.len();
        let passed = self.cases - failed;
        let mut lines = vec![format!("{name}: {passed} passed, {failed} failed")];
        lines.extend(self.notes.iter().map(|note| format!("  NOTE {note}")));
        let failures = self.failures.iter();
        lines.extend(failures.map(|failure| format!("  FAIL {}: {}", failure.name, failure.why)));
        lines.join("\n")
    }
}

#[cfg(test)]
#[path = "conformance/conformance_tests.rs"]
mod tests;
