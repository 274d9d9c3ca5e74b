//! What the benchmarks of the MCP proxy share: how much is sent, and what came of it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::value_parser;
use unstuck_dev::{Profile, Shell, build};

/// Number of calls and runs. The fastest run counts.
#[derive(Debug, PartialEq, Eq, clap::Args)]
pub(crate) struct Options {
    /// Calls in each run; 20,000 on stdio and 10,000 over HTTP unless given
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(100..))]
    pub(crate) calls: Option<u32>,
    /// Runs of each way
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..))]
    pub(crate) runs: u32,
    /// Program `unstuck` to measure, in place of a build of this tree
    #[arg(long, value_name = "PATH")]
    pub(crate) program: Option<PathBuf>,
    /// Another build of `unstuck`, measured in the same rounds
    #[arg(long, value_name = "PATH")]
    pub(crate) beside: Option<PathBuf>,
    /// Give every core other work meanwhile
    #[arg(long)]
    pub(crate) busy: bool,
    /// Leave out programs of others, which npm and pip install
    #[arg(long)]
    pub(crate) own: bool,
}

impl Options {
    /// The program to measure: the one that was named, or this tree as it is shipped.
    pub(crate) fn unstuck(&self, shell: &Shell) -> Result<PathBuf> {
        match &self.program {
            Some(program) => Ok(program.clone()),
            None => build(shell, Profile::Dist),
        }
    }
}

/// Median and 99th percentile in microseconds, and calls a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) median: f64,
    pub(crate) slow: f64,
    pub(crate) rate: f64,
}

impl Measured {
    /// What a driver says, which counts in nanoseconds.
    pub(crate) fn parse(said: &str) -> Result<Self> {
        let mut numbers = said.split_whitespace().map(str::parse::<f64>);
        let mut next = || numbers.next()?.ok();
        let mut read = || {
            Some(Self {
                median: next()? / 1e3,
                slow: next()? / 1e3,
                rate: next()?,
            })
        };
        read().with_context(|| format!("the driver said `{said}`"))
    }

    /// The best of some runs, number by number: whatever else runs on the machine makes all of them worse.
    pub(crate) fn best(runs: &[Self]) -> Self {
        Self::of_each(runs, |numbers| numbers[0])
    }

    /// The middle of some runs, number by number: where processes run, the system decides anew each time, and the best may
    /// be a stroke of luck.
    pub(crate) fn middle(runs: &[Self]) -> Self {
        Self::of_each(runs, |numbers| numbers[numbers.len() / 2])
    }

    /// Picks from each number of all runs, the best first.
    fn of_each(runs: &[Self], pick: impl Fn(&[f64]) -> f64) -> Self {
        let picked = |number: fn(&Self) -> f64| {
            let mut numbers: Vec<f64> = runs.iter().map(number).collect();
            numbers.sort_by(f64::total_cmp);
            if numbers.is_empty() {
                return f64::NAN;
            }
            pick(&numbers)
        };
        Self {
            median: picked(|run| run.median),
            slow: picked(|run| run.slow),
            rate: -picked(|run| -run.rate),
        }
    }
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
        assert_eq!(Measured::parse("12500 40000 1000\n").unwrap(), measured);
        assert!(Measured::parse("oops").is_err());
    }

    #[test]
    fn the_best_and_the_middle_are_told_number_by_number() {
        let run = |median, slow, rate| Measured { median, slow, rate };
        let runs = [
            run(1.0, 9.0, 10.0),
            run(3.0, 7.0, 30.0),
            run(2.0, 8.0, 20.0),
        ];
        assert_eq!(Measured::best(&runs), run(1.0, 7.0, 30.0));
        assert_eq!(Measured::middle(&runs), run(2.0, 8.0, 20.0));
    }

    #[test]
    fn too_few_calls_are_no_measure() {
        let parse = crate::parsed::<Options>;
        let usual = Options {
            calls: None,
            runs: 3,
            program: None,
            beside: None,
            busy: false,
            own: false,
        };
        assert_eq!(parse(&[]).unwrap(), usual);
        assert_eq!(parse(&["--calls", "200"]).unwrap().calls, Some(200));
        assert!(parse(&["--calls", "99"]).is_err());
        assert!(parse(&["--runs", "0"]).is_err());
        assert!(parse(&["--fast"]).is_err());
    }
}
