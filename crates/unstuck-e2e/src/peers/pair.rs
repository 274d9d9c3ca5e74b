//! One client and one server, talking directly and through `unstuck mcp`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::install::{Peers, text};
use super::process::{Lab, Running, free_port};

/// A client, by the name that its script knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    Ts1,
    Ts2,
    Ts2Modern,
    Python,
    PythonAuto,
    PythonModern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    Everything,
    Filesystem,
    Python,
    /// `unstuck mcp-control`.
    Control,
}

/// How they talk. The last one has the proxy start the server, and is compared with the server on its own standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
    HttpToStdio,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) client: Client,
    pub(crate) server: Server,
    pub(crate) transport: Transport,
}

/// What came of a pair that agreed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Agreed {
    /// Steps with equal outcomes.
    pub(crate) checks: usize,
    /// Calls of tools, each with its line in the audit.
    pub(crate) calls: u64,
}

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// Name and outcome of each step.
    checks: Vec<(String, String)>,
    calls: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Direct,
    Proxied,
}

impl Client {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ts1 => "ts-1",
            Self::Ts2 => "ts-2",
            Self::Ts2Modern => "ts-2-modern",
            Self::Python => "python",
            Self::PythonAuto => "python-auto",
            Self::PythonModern => "python-modern",
        }
    }

    fn words(self, peers: &Peers) -> Vec<String> {
        match self {
            Self::Ts1 | Self::Ts2 | Self::Ts2Modern => {
                vec!["node".to_owned(), peers.script("client.mjs")]
            }
            Self::Python | Self::PythonAuto | Self::PythonModern => {
                vec![peers.python(), peers.script("client.py")]
            }
        }
    }
}

impl Server {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Filesystem => "filesystem",
            Self::Python => "python",
            Self::Control => "control",
        }
    }

    /// The command that serves on standard input and output.
    fn stdio(self, peers: &Peers, lab: &Lab, unstuck: &Path) -> Vec<String> {
        match self {
            Self::Everything => node(peers, "server-everything/dist/index.js", "stdio"),
            Self::Filesystem => {
                let directory = text(&lab.directory());
                node(peers, "server-filesystem/dist/index.js", &directory)
            }
            Self::Python => vec![
                peers.python(),
                peers.script("server.py"),
                "stdio".to_owned(),
            ],
            Self::Control => vec![text(unstuck), "mcp-control".to_owned()],
        }
    }

    /// The command that serves HTTP, if it can.
    fn http(self, peers: &Peers, port: u16) -> Option<Vec<String>> {
        match self {
            Self::Everything => Some(node(
                peers,
                "server-everything/dist/index.js",
                "streamableHttp",
            )),
            Self::Filesystem | Self::Control => None,
            Self::Python => Some(vec![
                peers.python(),
                peers.script("server.py"),
                "http".to_owned(),
                port.to_string(),
            ]),
        }
    }
}

fn node(peers: &Peers, module: &str, argument: &str) -> Vec<String> {
    let still = format!("file://{}", peers.script("still.mjs"));
    let module = peers.module(module);
    ["node", "--import", &still, &module, argument]
        .map(str::to_owned)
        .to_vec()
}

impl Transport {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::HttpToStdio => "http to stdio",
        }
    }
}

impl Pair {
    pub(crate) fn new(client: Client, server: Server, transport: Transport) -> Self {
        Self {
            client,
            server,
            transport,
        }
    }

    pub(crate) fn name(self) -> String {
        let transport = self.transport.name().replace(' ', "-");
        format!("{transport}-{}-{}", self.client.name(), self.server.name())
    }

    /// Runs the scenario both ways and compares.
    pub(crate) fn compare(self, peers: &Peers, unstuck: &Path) -> Result<Agreed> {
        let direct = self.run(Way::Direct, peers, unstuck)?;
        let proxied = self.run(Way::Proxied, peers, unstuck)?;
        let checks = match self.transport {
            Transport::HttpToStdio => differences(&common(&direct, &proxied), &proxied)?,
            Transport::Stdio | Transport::Http => differences(&direct, &proxied)?,
        };
        Ok(Agreed {
            checks,
            calls: proxied.calls,
        })
    }

    fn run(self, way: Way, peers: &Peers, unstuck: &Path) -> Result<Seen> {
        let lab = Lab::new(
            peers.place.join("runs").join(self.name()),
            self.transport.name(),
        )?;
        let audit = text(&lab.root.join("audit.jsonl"));
        let proxy = |words: &[String]| {
            let options = ["mcp", "--no-config", "--name", "peer", "--audit", &audit];
            let mut proxy = vec![text(unstuck)];
            proxy.extend(options.map(str::to_owned));
            proxy.extend_from_slice(words);
            proxy
        };
        let stdio = self.server.stdio(peers, &lab, unstuck);
        let behind = |words: Vec<String>| [vec!["--".to_owned()], words].concat();
        let mut background: Vec<Running> = Vec::new();
        let target = match (self.transport, way) {
            (Transport::Stdio | Transport::HttpToStdio, Way::Direct) => behind(stdio),
            (Transport::Stdio, Way::Proxied) => behind(proxy(&behind(stdio))),
            (Transport::HttpToStdio, Way::Proxied) => {
                let port = free_port()?;
                let words = [listening(port), behind(stdio)].concat();
                background.push(lab.start("proxy", &proxy(&words), port)?);
                vec![endpoint(port)]
            }
            (Transport::Http, _) => {
                let port = free_port()?;
                let server = self.server.http(peers, port);
                let server = server.context("this server does not speak HTTP")?;
                background.push(lab.start("server", &server, port)?);
                if way == Way::Direct {
                    vec![endpoint(port)]
                } else {
                    let front = free_port()?;
                    let upstream = ["--upstream".to_owned(), endpoint(port)];
                    let words = [listening(front), upstream.to_vec()].concat();
                    background.push(lab.start("proxy", &proxy(&words), front)?);
                    vec![endpoint(front)]
                }
            }
        };
        let mut client = self.client.words(peers);
        client.push(self.client.name().to_owned());
        client.push(peers.script(&format!("scenarios/{}.json", self.server.name())));
        client.extend(target);
        let seen = seen(&lab.run("client", &client)?)?;
        // The proxy first, which stands in front.
        for running in background.into_iter().rev() {
            running.end()?;
        }
        if way == Way::Proxied {
            check_audit(&lab, unstuck, &audit, seen.calls)?;
        }
        Ok(seen)
    }
}

pub(crate) fn listening(port: u16) -> Vec<String> {
    vec!["--listen".to_owned(), format!("127.0.0.1:{port}")]
}

pub(crate) fn endpoint(port: u16) -> String {
    format!("http://127.0.0.1:{port}/mcp")
}

/// What a client wrote: a line for each step, and one that says that it is done.
fn seen(out: &str) -> Result<Seen> {
    let mut seen = Seen {
        checks: Vec::new(),
        calls: 0,
    };
    let mut done = false;
    for line in out.lines() {
        let value: Value = serde_json::from_str(line).context("the client wrote no JSON")?;
        match (value["check"].as_str(), value["calls"].as_u64()) {
            (Some(check), _) => seen.checks.push((check.to_owned(), line.to_owned())),
            (None, Some(calls)) => {
                seen.calls = calls;
                done = true;
            }
            (None, None) => bail!("the client wrote an unknown line: {line}"),
        }
    }
    if !done {
        bail!("the client did not come to the end");
    }
    Ok(seen)
}

/// What was seen first, without what the other way has no step for.
fn common(first: &Seen, second: &Seen) -> Seen {
    let is_in_both =
        |(name, _): &&(String, String)| second.checks.iter().any(|(other, _)| other == name);
    Seen {
        checks: first.checks.iter().filter(is_in_both).cloned().collect(),
        calls: second.calls,
    }
}

/// How many outcomes are equal; an error that names the first one that is not.
fn differences(direct: &Seen, proxied: &Seen) -> Result<usize> {
    for ((name, direct), (other, proxied)) in direct.checks.iter().zip(&proxied.checks) {
        if name != other {
            bail!("directly comes `{name}`, through the proxy `{other}`");
        }
        if direct != proxied {
            let at = direct
                .bytes()
                .zip(proxied.bytes())
                .position(|(a, b)| a != b);
            let at = at
                .unwrap_or(direct.len().min(proxied.len()))
                .saturating_sub(60);
            bail!(
                "`{name}` differs:\n  directly: {}\n  proxied:  {}",
                excerpt(direct, at),
                excerpt(proxied, at)
            );
        }
    }
    if direct.checks.len() != proxied.checks.len() || direct.calls != proxied.calls {
        bail!("one way has more steps than the other");
    }
    Ok(direct.checks.len())
}

fn excerpt(text: &str, at: usize) -> String {
    let bytes = &text.as_bytes()[at..];
    String::from_utf8_lossy(&bytes[..bytes.len().min(240)]).into_owned()
}

/// The chain of the audit is whole, and each call has its two lines in it.
fn check_audit(lab: &Lab, unstuck: &Path, audit: &str, calls: u64) -> Result<()> {
    let verify = [&text(unstuck), "audit", "verify", audit].map(str::to_owned);
    lab.run("verify", &verify)?;
    let lines = fs::read_to_string(audit)?;
    let of = |event: &str| {
        let is = |line: &&str| {
            serde_json::from_str::<Value>(line).is_ok_and(|line| line["event"] == event)
        };
        lines.lines().filter(is).count() as u64
    };
    for event in ["forward", "call"] {
        let found = of(event);
        if found != calls {
            bail!("the client made {calls} calls, and the audit has {found} lines `{event}`");
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "pair_tests.rs"]
mod tests;
