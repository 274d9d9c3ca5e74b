//! Two lanes of steps in CI: what is optimised is compiled beside the steps that use the development build.
//!
//! Cargo compiles one package at the end of each build, tests wait, and tools are fetched. A second process uses the cores
//! meanwhile. It has a lower priority, so that tests are not kept waiting by it.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use unstuck_dev::{Shell, find};

/// Steps of the second process, all of which need optimised builds and no development build.
const OPTIMISED: [&str; 6] = [
    "release",
    "python",
    "release-files",
    "container",
    "action",
    "reference",
];

/// Which steps a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lane {
    /// Steps that use the development build, and those that compile nothing.
    Development,
    /// Steps that use optimised builds.
    Optimised,
}

impl Lane {
    /// Whether a step is one of this lane.
    pub(crate) fn has(self, step: &str) -> bool {
        OPTIMISED.contains(&step) == (self == Self::Optimised)
    }
}

/// The process that runs the steps of the second lane.
#[derive(Debug)]
pub(crate) struct SecondLane {
    child: Child,
    log: PathBuf,
}

impl SecondLane {
    /// Starts it with the words that this process was called with.
    pub(crate) fn start(shell: &Shell) -> Result<Self> {
        let place = shell.root().join("target").join("ci");
        fs::create_dir_all(&place)?;
        let log = place.join("optimised.log");
        let file = File::create(&log)?;
        let program = env::current_exe().context("this program does not know its path")?;
        let mut command = match find(&["nice"]) {
            Some(nice) => {
                let mut command = Command::new(nice);
                command.args(["-n", "5"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        let child = command
            .args(env::args_os().skip(1))
            .args(["--lane", "optimised"])
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()
            .context("the second lane cannot be started")?;
        println!(
            "beside these steps run {}; their output comes at the end, and is in {}",
            OPTIMISED.join(", "),
            log.display()
        );
        Ok(Self { child, log })
    }

    /// Waits for it and prints what it printed. Returns whether every step passed.
    pub(crate) fn finish(mut self) -> Result<bool> {
        println!("\n=== waiting for the steps that ran beside");
        let status = self.child.wait()?;
        println!("{}", fs::read_to_string(&self.log)?);
        Ok(status.success())
    }
}

#[cfg(test)]
#[path = "lanes_tests.rs"]
mod tests;
