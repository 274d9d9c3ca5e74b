//! What the benchmarks of the MCP proxy share: how much is sent, and what came of it.

use anyhow::{Context, Result, bail};

use crate::args::{Arg, Args, unexpected};

/// How many calls are made, and how often. The fastest run counts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) calls: u32,
    pub(crate) runs: u32,
}

impl Options {
    /// The options of `command`, with so many calls unless they say otherwise.
    pub(crate) fn parse(command: &str, calls: u32, mut args: Args) -> Result<Self> {
        let mut options = Self { calls, runs: 3 };
        while let Some(arg) = args.next()? {
            let number = |args: &mut Args, flag: &str| -> Result<u32> {
                let value = args.value(flag)?;
                let number = value.parse();
                number.with_context(|| format!("`{flag}` needs a number, not `{value}`"))
            };
            match &arg {
                Arg::Flag(flag) if flag == "--calls" => options.calls = number(&mut args, flag)?,
                Arg::Flag(flag) if flag == "--runs" => options.runs = number(&mut args, flag)?,
                Arg::Flag(_) | Arg::Word(_) => return unexpected(command, &arg),
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
        let parse = |words: &[&str]| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            Options::parse("bench", 1_000, Args::new(words))
        };
        let usual = Options {
            calls: 1_000,
            runs: 3,
        };
        assert_eq!(parse(&[]).unwrap(), usual);
        assert_eq!(parse(&["--calls", "200"]).unwrap().calls, 200);
        assert!(parse(&["--calls", "99"]).is_err());
        assert!(parse(&["--runs", "0"]).is_err());
        assert!(parse(&["--fast"]).is_err());
    }
}
