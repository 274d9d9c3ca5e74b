//! What is released, checked as far as one machine can: archives, bill of materials, container, GitHub Action, workflows.

mod action;
mod container;
mod files;

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use unstuck_dev::{Install, Missing, Outcome, Shell};

use crate::release_files::{self, Effort, Made, SUMS};

/// Packages from `PyPI` that check files: the bill of materials, the action and the workflows.
const TOOLS: [&str; 3] = [
    "cyclonedx-python-lib[json-validation]==11.12.0",
    "check-jsonschema==0.39.0",
    "zizmor==1.32.0",
];

/// Release files that are built once, however many steps need them.
pub(crate) struct Packaging<'a> {
    shell: &'a Shell,
    install: Install,
    made: OnceCell<Made>,
}

impl<'a> Packaging<'a> {
    pub(crate) fn new(shell: &'a Shell, install: Install) -> Self {
        Self {
            shell,
            install,
            made: OnceCell::new(),
        }
    }

    /// Archives, checksums and the bill of materials.
    pub(crate) fn files(&self) -> Result<Outcome> {
        let made = self.made()?;
        files::same_twice(self, made)?;
        files::unpack(self, made)?;
        match self.tools() {
            Ok(tools) => files::validate(self, made, &tools)?,
            Err(Missing(why)) => return Ok(Outcome::Skipped(format!("only the bill: {why}"))),
        }
        Ok(Outcome::Passed)
    }

    /// The container, built from scratch and run with a read-only root.
    pub(crate) fn container(&self) -> Result<Outcome> {
        container::check(self, self.made()?)
    }

    /// The scripts of the action against the release files, and the linters.
    pub(crate) fn action(&self) -> Result<Outcome> {
        action::pinned(self.shell.root())?;
        action::run(self, self.made()?)?;
        match self.tools() {
            Ok(tools) => action::lint(self, &tools),
            Err(Missing(why)) => Ok(Outcome::Skipped(format!("only the linters: {why}"))),
        }
    }

    fn place(&self) -> PathBuf {
        self.shell.root().join("target").join("packaging")
    }

    /// Release files of this machine, in a directory as a release has it.
    fn made(&self) -> Result<&Made> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        // As fast to build as the steps allow: what is shipped is built with `dist`.
        let programs = release_files::build_for_tests(self.shell, self.install)?;
        let out = self.place().join("files");
        empty(&out)?;
        let made = release_files::make(self.shell, programs, &out, Effort::Least)?;
        release_files::write_sums(&out)?;
        println!("{}", made.directory);
        Ok(self.made.get_or_init(|| made))
    }

    /// Directory of the tools from `PyPI`.
    fn tools(&self) -> Result<PathBuf, Missing> {
        let place = self.place().join("tools");
        let bin = place.join("bin");
        let stamp = place.join("installed");
        let wanted = TOOLS.join("\n");
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(bin);
        }
        if self.install == Install::Never {
            return Err(Missing("the tools from PyPI are not installed".to_owned()));
        }
        let install = || -> Result<()> {
            let python = self.shell.program("python3").args(["-m", "venv"]);
            python.arg(&place).run()?;
            let pip = self.shell.program(bin.join("python")).args(["-m", "pip"]);
            pip.args(["install", "--quiet", "--disable-pip-version-check"])
                .args(TOOLS)
                .run()?;
            fs::write(&stamp, &wanted)?;
            Ok(())
        };
        install().map(|()| bin).map_err(|error| {
            Missing(format!(
                "{} cannot be installed: {error:#}",
                TOOLS.join(", ")
            ))
        })
    }
}

/// Leaves a directory with nothing in it.
fn empty(directory: &std::path::Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot empty {}", directory.display()))?;
    }
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))
}
