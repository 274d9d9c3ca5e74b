//! Getting the peers: pinned versions from npm and `PyPI`, under `target/mcp-peers`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::agents::platform;
use unstuck_dev::{CmdExt as _, Install, Shell, apt, find};
use xshell::Cmd;

/// Scripts, scenarios and versions.
const SOURCE: &str = "crates/unstuck-e2e/mcp";

/// The conformance suite needs this one or a later one.
const NODE_OF_CONFORMANCE: (u32, &str) = (22, "22.23.3");

/// Where everything is.
#[derive(Debug)]
pub(crate) struct Peers {
    pub(crate) place: PathBuf,
}

impl Peers {
    /// Puts everything in place; `Err` with the reason if something is missing and may not be installed.
    pub(crate) fn ensure(shell: &Shell, install: Install) -> Result<Result<Self, String>> {
        let peers = Self {
            place: shell.root().join("target").join("mcp-peers"),
        };
        copy(&shell.root().join(SOURCE), &peers.place)?;
        let node = find(&["node"]).is_some() && find(&["npm"]).is_some();
        let python = find(&["python3"]).is_some();
        if install == Install::Never {
            let missing = match () {
                () if !node => "Node.js is not installed",
                () if !python => "Python is not installed",
                () if !peers.has_packages(shell) => "the packages from npm are not installed",
                () if !peers.has_python(shell)? => "the packages from PyPI are not installed",
                () => return Ok(Ok(peers)),
            };
            return Ok(Err(missing.to_owned()));
        }
        if !node {
            apt(shell, &["nodejs", "npm"])?;
        }
        if !python {
            apt(shell, &["python3", "python3-venv"])?;
        }
        if !peers.has_packages(shell) {
            peers
                .npm(shell, "install")
                .args(["--no-audit", "--no-fund", "--no-package-lock"])
                .args(["--loglevel", "error"])
                .run()
                .context("the peers cannot be installed from npm")?;
        }
        if !peers.has_python(shell)? {
            peers.install_python(shell)?;
        }
        Ok(Ok(peers))
    }

    /// A Node.js that the conformance suite runs with: the one that is there, or one from npm.
    pub(crate) fn node_of_conformance(&self, shell: &Shell, install: Install) -> Result<String> {
        let (least, version) = NODE_OF_CONFORMANCE;
        let there = shell.program("node").arg("--version").read()?;
        let major = there.trim_start_matches('v').split('.').next();
        if major.is_some_and(|major| major.parse().is_ok_and(|major: u32| major >= least)) {
            return Ok("node".to_owned());
        }
        let package = format!("node-{}", platform());
        let place = self.place.join("node");
        let program = place.join("node_modules").join(&package).join("bin/node");
        if !program.exists() {
            if install == Install::Never {
                bail!(
                    "Node.js {least} is not installed, and this is {}",
                    there.trim()
                );
            }
            fs::create_dir_all(&place)?;
            shell
                .program("npm")
                .args(["install", "--no-audit", "--no-fund", "--loglevel", "error"])
                .arg("--prefix")
                .arg(&place)
                .arg(format!("{package}@{version}"))
                .run()?;
        }
        Ok(text(&program))
    }

    /// A file of a package from npm.
    pub(crate) fn module(&self, file: &str) -> String {
        text(
            &self
                .place
                .join("node_modules/@modelcontextprotocol")
                .join(file),
        )
    }

    /// A script or scenario.
    pub(crate) fn script(&self, name: &str) -> String {
        text(&self.place.join(name))
    }

    pub(crate) fn python(&self) -> String {
        text(&self.place.join("python/bin/python"))
    }

    fn has_packages(&self, shell: &Shell) -> bool {
        self.npm(shell, "ls").succeeds()
    }

    fn has_python(&self, shell: &Shell) -> Result<bool> {
        let pinned = fs::read_to_string(self.place.join("requirements.txt"))?;
        let ask = "import importlib.metadata as m; print('mcp==' + m.version('mcp'))";
        let there = shell.program(self.python()).args(["-c", ask]).read();
        Ok(there.is_ok_and(|there| there.trim() == pinned.trim()))
    }

    fn install_python(&self, shell: &Shell) -> Result<()> {
        let make = || {
            let venv = shell.program("python3").args(["-m", "venv", "--clear"]);
            venv.arg(self.place.join("python")).run()
        };
        // Debian has it in a package of its own.
        if make().is_err() {
            apt(shell, &["python3-venv"])?;
            make()?;
        }
        shell
            .program(self.python())
            .args(["-m", "pip", "install", "--quiet"])
            .args(["--disable-pip-version-check", "--requirement"])
            .arg(self.place.join("requirements.txt"))
            .run()
            .context("the peers cannot be installed from PyPI")
    }

    fn npm<'a>(&self, shell: &'a Shell, verb: &str) -> Cmd<'a> {
        shell
            .program("npm")
            .args([verb, "--prefix"])
            .arg(&self.place)
    }
}

pub(crate) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)
                .with_context(|| format!("cannot copy to {}", target.display()))?;
        }
    }
    Ok(())
}
