//! A list of named steps: run in order, timed, summed up.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Result;
use unstuck_dev::Outcome;

use crate::changed::Subject;

/// What to do after a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum OnFailure {
    Continue,
    #[default]
    Stop,
}

/// One named thing to do.
pub(crate) struct Step<'a> {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// What it looks at.
    pub(crate) subject: Subject,
    pub(crate) action: Box<dyn Fn() -> Result<Outcome> + 'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum End {
    Failed,
    NotRun,
    Passed,
    Skipped(String),
}

/// What came of a list of steps.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    rows: Vec<(&'static str, End, Duration)>,
}

/// Runs the steps and prints a header, the error if any, and the duration of each.
pub(crate) fn run_all(steps: &[Step<'_>], on_failure: OnFailure) -> Summary {
    let mut summary = Summary::default();
    for step in steps {
        if on_failure == OnFailure::Stop && !summary.is_green() {
            summary.rows.push((step.name, End::NotRun, Duration::ZERO));
            continue;
        }
        println!("\n=== {}: {}", step.name, step.about);
        let start = Instant::now();
        let result = (step.action)();
        let took = start.elapsed();
        let end = match result {
            Ok(Outcome::Passed) => {
                println!("--- {} passed in {}", step.name, seconds(took));
                End::Passed
            }
            Ok(Outcome::Skipped(why)) => {
                println!("!!! {} SKIPPED: {why}", step.name);
                End::Skipped(why)
            }
            Err(error) => {
                println!("!!! {} FAILED after {}", step.name, seconds(took));
                println!("{error:#}");
                End::Failed
            }
        };
        summary.rows.push((step.name, end, took));
    }
    summary
}

impl Summary {
    pub(crate) fn is_green(&self) -> bool {
        self.rows.iter().all(|(_, end, _)| *end != End::Failed)
    }

    /// A table, and as the last line the numbers.
    pub(crate) fn render(&self) -> String {
        let width = self.rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        let mut text = String::new();
        for (name, end, took) in &self.rows {
            let (word, why) = match end {
                End::Failed => {
                    failed += 1;
                    ("FAILED", "")
                }
                End::NotRun => {
                    skipped += 1;
                    ("skipped", "not run: a step before it failed")
                }
                End::Passed => {
                    passed += 1;
                    ("passed", "")
                }
                End::Skipped(why) => {
                    skipped += 1;
                    ("SKIPPED", why.lines().next().unwrap_or_default())
                }
            };
            let line = format!("{name:width$}  {word:7}  {:>7}  {why}", seconds(*took));
            let _ = writeln!(text, "{}", line.trim_end());
        }
        let _ = write!(text, "{passed} passed, {failed} failed, {skipped} skipped");
        text
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

#[cfg(test)]
#[path = "step_tests.rs"]
mod tests;
