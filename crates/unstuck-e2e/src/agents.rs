//! `cargo xtask e2e`: real agents, guarded by `unstuck install`, driven by a scripted model on loopback.
//!
//! No key and no network is needed to run them, only to install them. What the model was sent is the evidence: a nudge
//! or a denial counts when it stands in a request.

mod agent;
mod dialect;
mod http;
mod judge;
mod known;
mod llm;
mod model;
mod page;
mod process;
mod proxied;
mod run;
mod scenario;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use clap::Args;
use unstuck_dev::{Profile, Shell, build, build_example};

use agent::Agent;
use judge::Outcome;

/// Options of `cargo xtask e2e`.
#[derive(Debug, Default, PartialEq, Eq, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub struct Options {
    /// Hosts to run, by the names that `unstuck install` knows; all unless given
    #[arg(value_name = "HOST")]
    hosts: Vec<String>,
    /// Put an MCP server of the agent behind the proxy instead of registering hooks; the loop calls its tool
    #[arg(long)]
    mcp: bool,
    /// Run them behind `unstuck run`, without hooks
    #[arg(long, conflicts_with_all = ["mcp", "write_docs"])]
    llm: bool,
    /// Put the table into docs/hosts.md
    #[arg(long)]
    write_docs: bool,
    /// Leave the directories of the runs
    #[arg(long)]
    keep: bool,
}

/// Runs the agents, prints a table, and fails if one of them was not guarded.
pub fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let agents = select(&options.hosts)?;
    let unstuck = build(shell, Profile::Dev)?;
    if options.llm {
        return Ok(through_proxy(shell, agents, &unstuck, options));
    }
    if options.mcp {
        return proxied(shell, agents, &unstuck, options);
    }
    let mut rows = Vec::new();
    for agent in agents {
        println!("\n=== {} {}", agent.host(), agent.version());
        let seen = run::agent(shell, agent, &unstuck, options.keep);
        println!("{}", seen.explain());
        rows.push(seen);
    }
    println!("\n{}", page::table(&rows));
    if options.write_docs {
        page::write(shell, &rows)?;
    }
    let passed = rows
        .iter()
        .filter(|row| row.outcome() == Outcome::Passed)
        .count();
    let failed = rows
        .iter()
        .filter(|row| row.outcome() == Outcome::Failed)
        .count();
    let skipped = rows.len() - passed - failed;
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn through_proxy(
    shell: &Shell,
    agents: Vec<&'static dyn Agent>,
    unstuck: &Path,
    options: &Options,
) -> ExitCode {
    let mut rows = Vec::new();
    for agent in agents {
        println!("\n=== {} {}", agent.host(), agent.version());
        let seen = llm::agent(shell, agent, unstuck, options.keep);
        println!("{:?}", seen.outcome);
        rows.push(seen);
    }
    println!("\n{}", llm::table(&rows));
    let failed = rows.iter().filter(|row| !row.is_good()).count();
    println!("{} passed, {failed} failed", rows.len() - failed);
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn proxied(
    shell: &Shell,
    agents: Vec<&'static dyn Agent>,
    unstuck: &Path,
    options: &Options,
) -> Result<ExitCode> {
    let server = build_example(shell, "mcp_round_trip")?;
    let mut rows = Vec::new();
    for agent in agents {
        println!("\n=== {} {}", agent.host(), agent.version());
        let seen = proxied::agent(shell, agent, (unstuck, &server), options.keep);
        println!("{:?}", seen.outcome);
        rows.push(seen);
    }
    println!("\n{}", proxied::table(&rows));
    if options.write_docs {
        page::write_proxied(shell, &rows)?;
    }
    let failed = rows.iter().filter(|row| !row.is_good()).count();
    println!("{} passed, {failed} failed", rows.len() - failed);
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn select(hosts: &[String]) -> Result<Vec<&'static dyn Agent>> {
    let names: Vec<_> = known::ALL.iter().map(|agent| agent.host()).collect();
    if let Some(unknown) = hosts.iter().find(|host| !names.contains(&host.as_str())) {
        bail!(
            "no agent `{unknown}` to run; there are: {}",
            names.join(", ")
        );
    }
    let wanted = |agent: &&&'static dyn Agent| {
        hosts.is_empty() || hosts.iter().any(|host| host == agent.host())
    };
    Ok(known::ALL.iter().filter(wanted).copied().collect())
}

#[cfg(test)]
#[path = "agents/agents_tests.rs"]
mod tests;

pub(crate) use agent::platform;
