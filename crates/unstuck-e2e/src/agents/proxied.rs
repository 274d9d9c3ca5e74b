//! An agent whose MCP server `unstuck install mcp` put behind the proxy: the same call, again and again.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::agent::{Agent, SERVER};
use super::judge;
use super::model::{Model, Turn};
use super::process as running;
use super::run::{Scratch, files, guard, installed};
use super::scenario::LOOP_CALLS;
use unstuck_dev::Shell;

/// What was seen of an agent.
pub(crate) struct Seen {
    pub(crate) agent: &'static dyn Agent,
    pub(crate) outcome: Result<Looping, String>,
}

/// The endless loop, seen from both ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Looping {
    /// Calls that the model had made when it was first told something.
    pub(crate) nudged: Option<usize>,
    pub(crate) denied: Option<usize>,
    /// Calls that the model made.
    pub(crate) calls: usize,
    pub(crate) audit: Audit,
}

/// What the audit says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Audit {
    pub(crate) calls: usize,
    /// Calls that reached the server.
    pub(crate) forwarded: usize,
    pub(crate) denied: usize,
}

impl Seen {
    pub(crate) fn is_good(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Looping::is_good)
    }
}

impl Looping {
    /// The model was nudged and then stopped, and every call has its line.
    fn is_good(&self) -> bool {
        let Audit {
            calls,
            forwarded,
            denied,
        } = self.audit;
        self.nudged.is_some()
            && self.denied.is_some()
            && forwarded < calls / 2
            && forwarded + denied == calls
            && calls == self.calls
    }
}

pub(crate) fn agent(
    shell: &Shell,
    agent: &'static dyn Agent,
    (unstuck, server): (&Path, &Path),
    keep: bool,
) -> Seen {
    let outcome = attempt(shell, agent, (unstuck, server), keep);
    Seen {
        agent,
        outcome: outcome.map_err(|error| format!("{error:#}")),
    }
}

fn attempt(
    shell: &Shell,
    agent: &dyn Agent,
    (unstuck, server): (&Path, &Path),
    keep: bool,
) -> Result<Looping> {
    let (program, version) = installed(shell, agent)?;
    println!("{version} at {}", program.display());
    let scratch = Scratch::new(&format!("{}-mcp", agent.host()), keep)?;
    let lab = &scratch.lab;
    // Two texts in turn where the agent itself ends a run of equal calls.
    let texts = agent.laps().iter().cycle().take(LOOP_CALLS);
    let calls = texts.map(|text| Turn::Call(agent.echo(text)));
    let model = Model::start(calls.chain([Turn::Say("I give up.")]).collect())?;
    agent.prepare(lab, &model.url())?;
    let server = server.to_str().context("a path that is not text")?;
    agent.add_server(lab, SERVER, &[server, "echo"])?;
    // In and out again first: what was there must be the same afterwards.
    let before = [files(&lab.home)?, files(&lab.work)?];
    for command in ["install", "uninstall"] {
        guard(
            unstuck,
            lab,
            &[command, "mcp", agent.host(), SERVER, "--yes"],
        )?;
    }
    if before != [files(&lab.home)?, files(&lab.work)?] {
        bail!(
            "install and uninstall changed the files of {}",
            agent.host()
        );
    }
    guard(
        unstuck,
        lab,
        &["install", "mcp", agent.host(), SERVER, "--yes"],
    )?;
    let ended = running::run(agent.command(&program, &model.url()), lab, "mcp")?;
    let Some(code) = ended.code else {
        bail!("it had to be ended");
    };
    let log = lab
        .home
        .join(".local/state/unstuck/audit")
        .join(format!("{SERVER}.jsonl"));
    let text = fs::read_to_string(&log).with_context(|| {
        format!("it ended with exit code {code}, and the proxy recorded nothing")
    })?;
    let log = log.to_str().context("a path that is not text")?;
    guard(unstuck, lab, &["audit", "verify", log])?;
    let told = model.told();
    let (nudged, denied) = judge::words_in(&told);
    Ok(Looping {
        nudged,
        denied,
        calls: told.len().min(LOOP_CALLS),
        audit: audit(&text)?,
    })
}

fn audit(log: &str) -> Result<Audit> {
    let mut audit = Audit::default();
    for line in log.lines() {
        let line: Value = serde_json::from_str(line)?;
        match line["event"].as_str() {
            Some("forward") => audit.forwarded += 1,
            Some("call") => {
                audit.calls += 1;
                audit.denied += usize::from(line["outcome"] == "denied");
            }
            _ => {}
        }
    }
    Ok(audit)
}

pub(crate) fn table(rows: &[Seen]) -> String {
    let mut lines = vec![
        "| host | version | nudge reached the model | denial reached the model | calls made, run | lines of the audit |"
            .to_owned(),
        "|---|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows.iter().map(row));
    lines.join("\n")
}

fn row(seen: &Seen) -> String {
    let (host, version) = (seen.agent.host(), seen.agent.version());
    let after = |calls: Option<usize>| match calls {
        Some(calls) => format!("after call {calls}"),
        None => "**no**".to_owned(),
    };
    match &seen.outcome {
        Err(why) => format!("| {host} | {version} | not seen: {why} | | | |"),
        Ok(Looping {
            nudged,
            denied,
            calls,
            audit,
        }) => format!(
            "| {host} | {version} | {} | {} | {calls}, {} | {} calls, {} denied |",
            after(*nudged),
            after(*denied),
            audit.forwarded,
            audit.calls,
            audit.denied
        ),
    }
}

#[cfg(test)]
#[path = "proxied_tests.rs"]
mod tests;
