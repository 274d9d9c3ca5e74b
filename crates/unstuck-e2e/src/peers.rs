//! `cargo xtask mcp-peers`: official MCP clients and servers, directly and through `unstuck mcp`, with equal results.

mod conformance;
mod install;
mod pair;
mod process;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use clap::Args;
use unstuck_dev::{Install, Outcome, Profile, Shell, build};

use install::Peers;
use pair::{Agreed, Client, Pair, Server, Transport};

/// Pairs at the same time: most of their time they wait for each other.
const WORKERS: usize = 3;

/// Options of `cargo xtask mcp-peers`.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct Options {
    /// Also over Streamable HTTP, and the conformance suite of the protocol
    #[arg(long)]
    http: bool,
    /// Pairs whose name contains NAME, or `conformance`
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Command to test; the development build unless given
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Install nothing
    #[arg(long)]
    no_install: bool,
}

/// Runs the pairs, prints a table, and fails if one of them differs.
pub fn run(shell: &Shell, options: &Options) -> Result<ExitCode> {
    let install = Install::unless(options.no_install);
    let peers = match Peers::ensure(shell, install)? {
        Ok(peers) => peers,
        Err(missing) => bail!("{missing}"),
    };
    let unstuck = match &options.binary {
        // Programs are run in directories of their own.
        Some(binary) => std::path::absolute(binary)?,
        None => build(shell, Profile::Dev)?,
    };
    let mut pairs = over_stdio();
    if options.http {
        pairs.extend(over_http());
    }
    if let Some(only) = &options.only {
        pairs.retain(|pair| pair.name().contains(only));
    }
    let mut failed = compare(&pairs, &peers, &unstuck);
    if options.http
        && options
            .only
            .as_ref()
            .is_none_or(|only| only == "conformance")
    {
        let node = peers.node_of_conformance(shell, install)?;
        failed += conformance::compare(&peers, &node, &unstuck);
    }
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs a few of them, as a step of `cargo xtask test`.
pub fn check(shell: &Shell, unstuck: &Path, install: Install) -> Result<Outcome> {
    let peers = match Peers::ensure(shell, install)? {
        Ok(peers) => peers,
        Err(missing) => return Ok(Outcome::Skipped(missing)),
    };
    let pairs = [
        (Client::Ts1, Server::Everything),
        (Client::Ts2, Server::Filesystem),
        (Client::Ts2Modern, Server::Python),
        (Client::PythonAuto, Server::Python),
        (Client::Ts1, Server::Control),
    ];
    let pairs = pairs.map(|(client, server)| Pair::new(client, server, Transport::Stdio));
    match compare(&pairs, &peers, unstuck) {
        0 => Ok(Outcome::Passed),
        failed => bail!("{failed} of {} pairs differ", pairs.len()),
    }
}

/// Every client with every server that speaks its version.
fn over_stdio() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for client in [Client::Ts1, Client::Ts2, Client::Python, Client::PythonAuto] {
        for server in [Server::Everything, Server::Filesystem, Server::Python] {
            pairs.push(Pair::new(client, server, Transport::Stdio));
        }
    }
    for client in [Client::Ts2Modern, Client::PythonModern] {
        pairs.push(Pair::new(client, Server::Python, Transport::Stdio));
    }
    for client in [Client::Ts1, Client::Ts2Modern, Client::PythonAuto] {
        pairs.push(Pair::new(client, Server::Control, Transport::Stdio));
    }
    pairs
}

fn over_http() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for client in [Client::Ts1, Client::Ts2, Client::Python, Client::PythonAuto] {
        for server in [Server::Everything, Server::Python] {
            pairs.push(Pair::new(client, server, Transport::Http));
        }
    }
    for client in [Client::Ts2Modern, Client::PythonModern] {
        pairs.push(Pair::new(client, Server::Python, Transport::Http));
    }
    for (client, server) in [
        (Client::Ts1, Server::Everything),
        (Client::Ts2, Server::Filesystem),
        (Client::Python, Server::Python),
        (Client::PythonModern, Server::Python),
    ] {
        pairs.push(Pair::new(client, server, Transport::HttpToStdio));
    }
    pairs
}

/// Runs the pairs, prints a table, and says how many differ.
fn compare(pairs: &[Pair], peers: &Peers, unstuck: &Path) -> usize {
    let left: Mutex<VecDeque<_>> = Mutex::new(pairs.iter().copied().enumerate().collect());
    let done = Mutex::new(Vec::new());
    let next = || {
        let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
        left.pop_front()
    };
    thread::scope(|scope| {
        for _ in 0..WORKERS.min(pairs.len()) {
            scope.spawn(|| {
                while let Some((index, pair)) = next() {
                    let result = pair.compare(peers, unstuck);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((index, pair, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, ..)| *index);
    println!(
        "\n| transport | client | server | equal steps | calls in the audit |\n|---|---|---|--:|--:|"
    );
    let mut failed = 0;
    for (_, pair, result) in &done {
        let names = format!(
            "| {} | {} | {} |",
            pair.transport.name(),
            pair.client.name(),
            pair.server.name()
        );
        match result {
            Ok(Agreed { checks, calls }) => println!("{names} {checks} | {calls} |"),
            Err(error) => {
                failed += 1;
                println!("{names} FAILED | |\n{error:#}\n");
            }
        }
    }
    println!("\n{} of {} pairs agree", done.len() - failed, done.len());
    failed
}

#[cfg(test)]
#[path = "peers/peers_tests.rs"]
mod tests;
