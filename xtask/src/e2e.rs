//! `cargo xtask e2e`: real agents, guarded by `unstuck install`, driven by a scripted model on loopback.
//!
//! No key and no network is needed to run them, only to install them. What the model was told is the evidence: a nudge
//! or a denial counts when it stands in a request.

mod agent;
mod agents;
mod dialect;
mod http;
mod judge;
mod model;
mod page;
mod process;
mod proxied;
mod run;
mod scenario;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::args::{Arg, Args, unexpected};
use crate::cli::{self, Profile};
use crate::shell::Shell;
use agent::Agent;
use judge::Outcome;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Names of hosts; all when empty.
    hosts: Vec<String>,
    write_docs: bool,
    keep: bool,
    guarded: Guarded,
}

/// What stands between the agent and what it does.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Guarded {
    /// Its own hooks.
    #[default]
    ByHooks,
    /// The proxy, before an MCP server.
    ByProxy,
}

impl Options {
    pub(crate) fn parse(mut args: Args) -> Result<Self> {
        let mut options = Self::default();
        while let Some(arg) = args.next()? {
            match &arg {
                Arg::Flag(flag) if flag == "--write-docs" => options.write_docs = true,
                Arg::Flag(flag) if flag == "--keep" => options.keep = true,
                Arg::Flag(flag) if flag == "--mcp" => options.guarded = Guarded::ByProxy,
                Arg::Flag(_) => return unexpected("e2e", &arg),
                Arg::Word(host) => options.hosts.push(host.clone()),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let agents = select(&options.hosts)?;
    let unstuck = cli::build(shell, Profile::Dev)?;
    if options.guarded == Guarded::ByProxy {
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

fn proxied(
    shell: &Shell,
    agents: Vec<&'static dyn Agent>,
    unstuck: &Path,
    options: &Options,
) -> Result<ExitCode> {
    let server = cli::build_example(shell, "mcp_round_trip")?;
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
    let names: Vec<_> = agents::ALL.iter().map(|agent| agent.host()).collect();
    if let Some(unknown) = hosts.iter().find(|host| !names.contains(&host.as_str())) {
        bail!(
            "no agent `{unknown}` to run; there are: {}",
            names.join(", ")
        );
    }
    let wanted = |agent: &&&'static dyn Agent| {
        hosts.is_empty() || hosts.iter().any(|host| host == agent.host())
    };
    Ok(agents::ALL.iter().filter(wanted).copied().collect())
}

#[cfg(test)]
#[path = "e2e/e2e_tests.rs"]
mod tests;

pub(crate) use agent::platform;
