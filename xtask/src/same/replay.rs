//! One stream through both programs.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};

use super::allow::Allowed;
use super::compare::{Difference, Side, compare};
use super::make;
use super::program::Program;
use super::streams::Stream;

/// Agents that an engine has room for where it is restarted. Few, because all of them are written and read each time, and
/// because that shows whether the same ones make room for others.
const RESTARTED_AGENTS: u32 = 16;

/// Bytes of standard error that are kept.
const KEPT_ERRORS: usize = 2_000;

/// What both programs are asked to do with a stream.
#[derive(Debug)]
pub(super) struct Mode {
    pub(super) name: &'static str,
    /// A configuration file, the same for both.
    settings: PathBuf,
    restarts: Restarts,
}

/// Whether the engine of OTHER is snapshot and restored within the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Restarts {
    No,
    Yes,
}

impl Mode {
    /// All modes, with their configuration files written under `place`.
    pub(super) fn all(place: &Path, can_restart: bool) -> Result<Vec<Self>> {
        let directory = place.join("settings");
        make(&directory)?;
        let small = format!("[memory]\nsessions = {RESTARTED_AGENTS}\n");
        let mut modes = Vec::new();
        for (name, mode, restarts) in [
            ("enforced", "enforce", Restarts::No),
            ("observed", "observe", Restarts::No),
            ("enforced-restarted", "enforce", Restarts::Yes),
            ("observed-restarted", "observe", Restarts::Yes),
        ] {
            let mut text = format!("mode = \"{mode}\"\n");
            if restarts == Restarts::Yes {
                text.push_str(&small);
            }
            let settings = directory.join(format!("{name}.toml"));
            fs::write(&settings, text)
                .with_context(|| format!("cannot write {}", settings.display()))?;
            if can_restart || restarts == Restarts::No {
                modes.push(Self {
                    name,
                    settings,
                    restarts,
                });
            }
        }
        Ok(modes)
    }
}

/// One stream with one preset in one mode.
#[derive(Debug)]
pub(super) struct Replay<'a> {
    pub(super) stream: &'a Stream,
    pub(super) preset: &'static str,
    pub(super) mode: &'a Mode,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) decisions: u64,
    pub(super) differences: u64,
    pub(super) allowed: u64,
    pub(super) first: Option<Difference>,
    /// How the programs ended, where that is different or they did not answer every event. Counted as one difference.
    pub(super) faults: Vec<String>,
}

impl Replay<'_> {
    pub(super) fn run(
        &self,
        baseline: &Program,
        other: &Program,
        allowed: &Allowed,
    ) -> Result<Outcome> {
        let mut one = self.start(baseline, self.baseline_arguments())?;
        let mut two = self.start(other, self.other_arguments())?;
        let compared = compare(one.stdout()?, two.stdout()?, |difference| {
            allowed.allows(self, difference)
        });
        // Both pipes are closed now: a program that still has something to write ends.
        let (one, two) = (one.end()?, two.end()?);
        let compared = compared.context("cannot read decisions")?;
        let mut faults = Vec::new();
        match compared.ended_early {
            Some(Side::Baseline) => faults.push(format!("baseline ended early: {}", one.status)),
            Some(Side::Other) => faults.push(format!("other ended early: {}", two.status)),
            None if one.status != two.status => {
                let ends = format!(
                    "baseline ended with {}, other with {}",
                    one.status, two.status
                );
                faults.push(ends);
            }
            None => {}
        }
        if compared.decisions != self.stream.events {
            faults.push(format!(
                "{} of {} events were answered by both",
                compared.decisions, self.stream.events
            ));
        }
        if !faults.is_empty() {
            for (name, ended) in [("baseline", one), ("other", two)] {
                if let Some(said) = ended.errors.trim_end().lines().last() {
                    faults.push(format!("{name} reported: {said}"));
                }
            }
        }
        Ok(Outcome {
            decisions: compared.decisions,
            differences: compared.differences
                + u64::from(!faults.is_empty() && compared.differences == 0),
            allowed: compared.allowed,
            first: compared.first,
            faults,
        })
    }

    pub(super) fn baseline_arguments(&self) -> Vec<String> {
        let settings = self.mode.settings.display().to_string();
        let words = ["check", "--no-config", "--config", &settings, "--preset"];
        let words = words.into_iter().chain([self.preset]);
        words.map(str::to_owned).collect()
    }

    pub(super) fn other_arguments(&self) -> Vec<String> {
        let mut arguments = self.baseline_arguments();
        if self.mode.restarts == Restarts::Yes {
            let every = restart_every(self.stream.events).to_string();
            arguments.extend(["--restart-every".to_owned(), every]);
        }
        arguments
    }

    fn start(&self, program: &Program, arguments: Vec<String>) -> Result<Running> {
        // The file itself is the input, without a pipe that has to be written.
        let input = File::open(&self.stream.path)
            .with_context(|| format!("cannot open {}", self.stream.path.display()))?;
        let mut child = Command::new(&program.path)
            .args(arguments)
            .env_remove("UNSTUCK_MODE")
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.path.display()))?;
        let errors = child.stderr.take().map(|pipe| thread::spawn(|| tail(pipe)));
        Ok(Running { child, errors })
    }
}

/// Events between two restarts: few in short streams, and a number that no loop of calls, results and turns is a multiple of
/// in long ones.
fn restart_every(events: u64) -> u64 {
    match events {
        0..5_000 => 1,
        5_000..50_000 => 7,
        _ => 101,
    }
}

/// A program at work.
struct Running {
    child: Child,
    errors: Option<JoinHandle<String>>,
}

/// A program that has ended.
struct Ended {
    status: ExitStatus,
    errors: String,
}

impl Running {
    fn stdout(&mut self) -> Result<impl std::io::BufRead + use<>> {
        let pipe = self.child.stdout.take().context("no output to read")?;
        Ok(BufReader::with_capacity(1 << 16, pipe))
    }

    fn end(mut self) -> Result<Ended> {
        let status = self.child.wait()?;
        let errors = self.errors.and_then(|thread| thread.join().ok());
        Ok(Ended {
            status,
            errors: errors.unwrap_or_default(),
        })
    }
}

/// The end of what a pipe brings.
fn tail(mut pipe: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4_096];
    while let Ok(read) = pipe.read(&mut buffer)
        && read > 0
    {
        kept.extend_from_slice(&buffer[..read]);
        let extra = kept.len().saturating_sub(KEPT_ERRORS);
        kept.drain(..extra);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
