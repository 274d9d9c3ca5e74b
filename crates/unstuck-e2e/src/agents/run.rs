//! One agent: installed, guarded, run through both scenarios.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result, bail};

use super::agent::{Agent, Lab};
use super::judge::{self, Guarded, Healthy, Seen};
use super::model::{Model, Turn};
use super::process::{self as running, isolate};
use super::scenario;
use unstuck_dev::Shell;

pub(crate) fn agent(shell: &Shell, agent: &'static dyn Agent, unstuck: &Path, keep: bool) -> Seen {
    let (program, version) = match installed(shell, agent) {
        Ok(found) => found,
        Err(error) => return Seen::not_runnable(agent, format!("{error:#}")),
    };
    println!("{version} at {}", program.display());
    let looping = attempt(
        agent,
        &program,
        unstuck,
        "loop",
        keep,
        scenario::endless(agent),
    )
    .map(|run| judge::looping(agent, &run));
    let healthy = attempt(
        agent,
        &program,
        unstuck,
        "healthy",
        keep,
        scenario::healthy(agent),
    )
    .map(|run| judge::healthy(&run));
    Seen {
        agent,
        looping: looping.unwrap_or_else(|error| Guarded::failed(format!("{error:#}"))),
        healthy: healthy.unwrap_or_else(|error| Healthy::failed(format!("{error:#}"))),
        why_not: None,
    }
}

/// A run with everything that is known about it.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) ended: running::Ended,
    /// What the model was sent before each turn.
    pub(crate) told: Vec<serde_json::Value>,
    /// How often a command of the script was really run.
    pub(crate) attempts: usize,
}

/// Puts the agent into the cache of this checkout, if it is not there, and asks for its version.
pub(crate) fn installed(shell: &Shell, agent: &dyn Agent) -> Result<(PathBuf, String)> {
    let name = format!("{}-{}", agent.host(), agent.version());
    let directory = shell.root().join("target").join("agents").join(name);
    let find = || {
        let mut programs = agent.programs().into_iter();
        programs.find_map(|program| {
            Some(directory.join("node_modules").join(program)).filter(|path| path.exists())
        })
    };
    if find().is_none() {
        fs::create_dir_all(&directory)?;
        let package = format!("{}@{}", agent.package(), agent.version());
        shell
            .program("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--loglevel",
                "error",
                "--prefix",
            ])
            .arg(&directory)
            .arg(&package)
            .run()
            .with_context(|| format!("{package} cannot be installed"))?;
    }
    let program = find().context("the package holds no program for this platform")?;
    let version = shell.program(&program).arg("--version").read()?;
    let version = version.lines().find(|line| !line.trim().is_empty());
    Ok((
        program,
        version.unwrap_or("of unknown version").trim().to_owned(),
    ))
}

fn attempt(
    agent: &dyn Agent,
    program: &Path,
    unstuck: &Path,
    name: &str,
    keep: bool,
    script: Vec<Turn>,
) -> Result<Run> {
    let scratch = Scratch::new(&format!("{}-{name}", agent.host()), keep)?;
    let lab = &scratch.lab;
    scenario::prepare(lab)?;
    let model = Model::start(script)?;
    agent.prepare(lab, &model.url())?;
    // In and out again first: what was there must be the same afterwards.
    let before = files(&lab.home)?;
    for command in ["install", "uninstall"] {
        guard(unstuck, lab, &[command, agent.host(), "--yes"])?;
    }
    let after = files(&lab.home)?;
    if before != after {
        bail!(
            "install and uninstall changed the files of {}",
            agent.host()
        );
    }
    guard(unstuck, lab, &["install", agent.host(), "--yes"])?;
    let ended = running::run(agent.command(program, &model.url()), lab, name)?;
    let log = fs::read_to_string(lab.root.join("attempts.log")).unwrap_or_default();
    Ok(Run {
        ended,
        told: model.told(),
        attempts: log.lines().count(),
    })
}

pub(crate) fn guard(unstuck: &Path, lab: &Lab, args: &[&str]) -> Result<()> {
    // `uninstall` asks for a person, who has a terminal.
    let unstuck = unstuck
        .to_str()
        .context("the path of the binary is not UTF-8")?;
    let words = std::iter::once(&unstuck).chain(args);
    let words: Vec<_> = words.map(|word| quoted(word)).collect();
    let mut command = Command::new("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]);
    let output = isolate(&mut command, lab).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        bail!("`unstuck {}` failed: {}", args.join(" "), said.trim());
    }
    Ok(())
}

/// A word in quotes for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Every file of a home but our own state, with its content.
pub(crate) fn files(directory: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.ends_with(".local/state/unstuck") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.insert(path.clone(), fs::read(&path)?);
        }
    }
    Ok(found)
}

/// A fresh directory, removed in the end unless someone wants to look into it.
pub(crate) struct Scratch {
    pub(crate) lab: Lab,
    keep: bool,
}

impl Scratch {
    pub(crate) fn new(name: &str, keep: bool) -> Result<Self> {
        let root = env::temp_dir().join(format!("unstuck-e2e-{}-{name}", process::id()));
        let lab = Lab {
            home: root.join("home"),
            work: root.join("work"),
            root,
        };
        for directory in [&lab.home, &lab.work, &lab.root.join("tmp")] {
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", directory.display()))?;
        }
        Ok(Self { lab, keep })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.keep {
            println!("kept {}", self.lab.root.display());
        } else {
            let _ = fs::remove_dir_all(&self.lab.root);
        }
    }
}
