//! Agents through `unstuck run`: a loop until it is ended, a person's next message, and healthy work.

use std::{path::Path, process::Command};

use anyhow::{Result, bail};
use unstuck_dev::Shell;

use super::{
    agent::{Agent, Lab},
    judge,
    model::{Model, Turn},
    process as running,
    run::{Scratch, installed},
    scenario::{self, HEALTHY_CALLS},
};

/// Calls of a loop that nothing ends.
const ENDLESS: usize = 200;

/// The person's message after the run was ended.
const MESSAGE: &str = "The file is called other.txt, read that one instead.";

/// Begins the texts that end a run: a halt, or the denial of all that the model still asks for.
const STOPPED: &str = "[unstuck]";

/// What was seen of an agent.
pub(crate) struct Seen {
    pub(crate) agent: &'static dyn Agent,
    pub(crate) outcome: Result<Outcome, String>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Requests before the one that has the first nudge, and the first denial.
    pub(crate) nudged: Option<usize>,
    pub(crate) denied: Option<usize>,
    /// Requests that the model got before the run was ended.
    pub(crate) requests: usize,
    /// Calls that the agent ran.
    pub(crate) attempts: usize,
    /// Whether the agent ended with the answer that says why.
    pub(crate) is_ended: bool,
    /// Whether the person's message reached the model.
    pub(crate) goes_on: bool,
    /// Calls of the healthy run, and requests that were changed in it.
    pub(crate) healthy: (usize, usize),
}

impl Outcome {
    fn is_good(&self) -> bool {
        self.nudged.is_some()
            && self.denied.is_some()
            && self.is_ended
            && self.requests < ENDLESS
            && self.goes_on
            && self.healthy == (HEALTHY_CALLS, 0)
    }
}

impl Seen {
    pub(crate) fn is_good(&self) -> bool {
        self.outcome.as_ref().is_ok_and(Outcome::is_good)
    }
}

pub(crate) fn agent(shell: &Shell, agent: &'static dyn Agent, unstuck: &Path, keep: bool) -> Seen {
    let outcome = attempt(shell, agent, unstuck, keep);
    Seen {
        agent,
        outcome: outcome.map_err(|error| format!("{error:#}")),
    }
}

fn attempt(shell: &Shell, agent: &dyn Agent, unstuck: &Path, keep: bool) -> Result<Outcome> {
    let (program, version) = installed(shell, agent)?;
    println!("{version} at {}", program.display());
    let scratch = Scratch::new(&format!("{}-llm", agent.host()), keep)?;
    let lab = &scratch.lab;
    scenario::prepare(lab)?;
    let laps = agent.laps().iter().cycle().take(ENDLESS);
    let calls = laps.map(|command| Turn::Call(agent.shell(command)));
    let model = Model::start(calls.chain([Turn::Say("I give up.")]).collect())?;
    agent.prepare(lab, &model.url())?;
    let arguments = agent.through_proxy(lab, &model.url())?;
    let command = agent.command(&program, &model.url());
    let ended = through(unstuck, &arguments, &command, lab, "loop")?;
    if ended.code.is_none() {
        bail!("it had to be ended");
    }
    let told = model.told();
    let (nudged, denied) = judge::words_in(&told);
    let log = std::fs::read_to_string(lab.root.join("attempts.log")).unwrap_or_default();
    let mut resumed = Command::new(&program);
    resumed.args(agent.resume(MESSAGE)).envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    through(unstuck, &arguments, &resumed, lab, "resumed")?;
    let later = model.told();
    let mut later = later.iter().skip(told.len());
    let goes_on = later.any(|body| body.to_string().contains(MESSAGE));
    Ok(Outcome {
        nudged,
        denied,
        requests: told.len(),
        attempts: log.lines().count(),
        is_ended: ended.output.contains(STOPPED),
        goes_on,
        healthy: healthy(agent, &program, unstuck, keep)?,
    })
}

/// Calls of a healthy run, and requests with texts of ours.
fn healthy(
    agent: &dyn Agent,
    program: &Path,
    unstuck: &Path,
    keep: bool,
) -> Result<(usize, usize)> {
    let scratch = Scratch::new(&format!("{}-llm-healthy", agent.host()), keep)?;
    let lab = &scratch.lab;
    scenario::prepare(lab)?;
    let model = Model::start(scenario::healthy(agent))?;
    agent.prepare(lab, &model.url())?;
    let arguments = agent.through_proxy(lab, &model.url())?;
    let command = agent.command(program, &model.url());
    through(unstuck, &arguments, &command, lab, "healthy")?;
    let told = model.told();
    let disturbed = told
        .iter()
        .filter(|body| body.to_string().contains("[unstuck]"));
    Ok((told.len().saturating_sub(1), disturbed.count()))
}

/// Runs a command behind a proxy of its own.
fn through(
    unstuck: &Path,
    arguments: &[String],
    command: &Command,
    lab: &Lab,
    name: &str,
) -> Result<running::Ended> {
    let mut run = Command::new(unstuck);
    run.arg("run")
        .args(arguments)
        .arg("--")
        .arg(command.get_program())
        .args(command.get_args());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            run.env(name, value);
        }
    }
    running::run(run, lab, name)
}

pub(crate) fn table(rows: &[Seen]) -> String {
    let mut lines = vec![
        "| host | version | nudge reached the model | denial reached the model | requests, calls run | the run | a person's message | 40 healthy calls |"
            .to_owned(),
        "|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(rows.iter().map(row));
    lines.join("\n")
}

fn row(seen: &Seen) -> String {
    let (host, version) = (seen.agent.host(), seen.agent.version());
    let found = match &seen.outcome {
        Ok(found) => found,
        Err(why) => return format!("| {host} | {version} | not seen: {why} | | | | | |"),
    };
    let after = |requests: Option<usize>| match requests {
        Some(requests) => format!("after request {requests}"),
        None => "**no**".to_owned(),
    };
    let is = |holds: bool, what: &str| {
        if holds {
            what.to_owned()
        } else {
            "**no**".to_owned()
        }
    };
    let healthy = match found.healthy {
        (HEALTHY_CALLS, 0) => "as they are".to_owned(),
        (calls, changed) => format!("**{calls}, {changed} changed**"),
    };
    format!(
        "| {host} | {version} | {} | {} | {}, {} | {} | {} | {healthy} |",
        after(found.nudged),
        after(found.denied),
        found.requests,
        found.attempts,
        is(found.is_ended, "ended"),
        is(found.goes_on, "goes on"),
    )
}

#[cfg(test)]
#[path = "llm_tests.rs"]
mod tests;
