//! The conformance suite of the protocol, against servers directly and through the proxy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::install::{Peers, text};
use super::pair::{endpoint, listening};
use super::process::{Lab, free_port};

/// Servers that the suite is run against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Server {
    /// Made for the suite.
    Own,
    Everything,
}

const TIME: &str = "-2026-11-15T18-09-59-727Z";

/// Scenario and check, with how it ended.
type Checks = BTreeMap<(String, String), String>;

impl Server {
    fn name(self) -> &'static str {
        match self {
            Self::Own => "conformance",
            Self::Everything => "everything",
        }
    }

    fn words(self, peers: &Peers) -> Vec<String> {
        match self {
            Self::Own => vec!["node".to_owned(), peers.script("conformance.mjs")],
            Self::Everything => vec![
                "node".to_owned(),
                peers.module("server-everything/dist/index.js"),
                "streamableHttp".to_owned(),
            ],
        }
    }
}

/// Runs the suite both ways, prints a table, and says for how many servers the outcomes differ.
pub(crate) fn compare(peers: &Peers, node: &str, unstuck: &Path) -> usize {
    println!(
        "\n| conformance suite against | checks passed directly | through the proxy |\n|---|--:|--:|"
    );
    let mut failed = 0;
    for server in [Server::Own, Server::Everything] {
        match compare_one(server, peers, node, unstuck) {
            Ok((direct, proxied, differing)) => {
                println!("| {} | {direct} | {proxied} |", server.name());
                for line in &differing {
                    println!("{line}");
                }
                failed += usize::from(!differing.is_empty());
            }
            Err(error) => {
                failed += 1;
                println!("| {} | FAILED | |\n{error:#}\n", server.name());
            }
        }
    }
    failed
}

fn compare_one(
    server: Server,
    peers: &Peers,
    node: &str,
    unstuck: &Path,
) -> Result<(String, String, Vec<String>)> {
    let direct = checks(server, peers, node, None)?;
    let proxied = checks(server, peers, node, Some(unstuck))?;
    let mut differing = Vec::new();
    for key in direct.keys().chain(proxied.keys()) {
        let of = |checks: &Checks| {
            checks
                .get(key)
                .cloned()
                .unwrap_or_else(|| "absent".to_owned())
        };
        let (before, after) = (of(&direct), of(&proxied));
        let line = format!("  {} {}: {before} directly, {after} proxied", key.0, key.1);
        // What the proxy adds is not a loss.
        let is_better = after == "SUCCESS" && before != "absent";
        if before != after && !is_better && !differing.contains(&line) {
            differing.push(line);
        }
    }
    Ok((passed(&direct), passed(&proxied), differing))
}

fn passed(checks: &Checks) -> String {
    let passed = checks.values().filter(|status| *status == "SUCCESS");
    format!("{} of {}", passed.count(), checks.len())
}

fn checks(server: Server, peers: &Peers, node: &str, proxy: Option<&Path>) -> Result<Checks> {
    let way = if proxy.is_some() { "proxied" } else { "direct" };
    let name = format!("conformance-{}-{way}", server.name());
    let lab = Lab::new(peers.place.join("runs").join(name), "http")?;
    let port = free_port()?;
    let upstream = lab.start("server", &server.words(peers), port)?;
    let (url, proxy) = match proxy {
        None => (endpoint(port), None),
        Some(unstuck) => {
            let front = free_port()?;
            let audit = text(&lab.root.join("audit.jsonl"));
            let options = ["mcp", "--no-config", "--name", "peer", "--audit", &audit];
            let mut words = vec![text(unstuck)];
            words.extend(options.map(str::to_owned));
            words.extend(listening(front));
            words.extend(["--upstream".to_owned(), endpoint(port)]);
            (endpoint(front), Some(lab.start("proxy", &words, front)?))
        }
    };
    let results = lab.root.join("results");
    let suite = peers.module("conformance/dist/index.js");
    let words = [
        node,
        &suite,
        "server",
        "--suite",
        "all",
        "--url",
        &url,
        "--output-dir",
        &text(&results),
    ];
    // Its exit code reports any check that failed, directly as well.
    lab.run_any("suite", &words.map(str::to_owned))?;
    if let Some(proxy) = proxy {
        proxy.end()?;
    }
    upstream.end()?;
    read(&results)
}

/// Each scenario has a directory with its checks in it.
fn read(results: &Path) -> Result<Checks> {
    let mut checks = Checks::new();
    let entries = fs::read_dir(results).context("the suite wrote no results")?;
    for entry in entries {
        let path = entry?.path();
        let Ok(text) = fs::read_to_string(path.join("checks.json")) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // The directory's name ends with the time.
        let scenario = name
            .get(..name.len().saturating_sub(TIME.len()))
            .unwrap_or_default();
        let list: Vec<Value> = serde_json::from_str(&text)?;
        for check in list {
            let id = check["id"].as_str().unwrap_or_default();
            let status = check["status"].as_str().unwrap_or_default();
            if status == "INFO" {
                continue;
            }
            let mut key = (scenario.to_owned(), id.to_owned());
            while checks.contains_key(&key) {
                key.1.push('+');
            }
            checks.insert(key, status.to_owned());
        }
    }
    if checks.is_empty() {
        bail!("the suite checked nothing");
    }
    Ok(checks)
}
