//! Clients that come by HTTP: a listener in front of one server or several.
//!
//! ```text
//! client ─> gate ─> guard ─> another address, or a process of this machine
//! ```
//!
//! Only this part of the program needs a runtime for many connections, and only when it is asked for.

mod exchange;
mod guarded_events;
mod headers;
mod hear;
mod process;
mod queue;
mod replays;
mod reply;
mod server;
mod servers;
mod service;
mod sessions;
mod stdio;
mod upstream;
mod visitors;
mod waiter;

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, SocketAddr},
    process::ExitCode,
    str::FromStr,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use hyper::{HeaderMap, Uri};
use tokio::{runtime, sync::watch, time};

pub(crate) use headers::{Credentials, PassedHeaders};
pub(crate) use servers::read_servers;
pub(crate) use sessions::SessionLimits;
pub(crate) use stdio::Launch;

use unstuck_http::{
    Attempts, Gate, Listener as Socket, Memory, ServeOptions, UpstreamOptions, least,
};
use unstuck_text::Notify;

use replays::Replays;
use server::{Server, Target};
use service::Front;
use stdio::Stdio;
use upstream::Upstream;
use visitors::Names;

use super::{policies::PolicyFile, reach::Reach, shared::Shared};

/// Where clients' token is looked for if none is given.
pub(crate) const TOKEN_VARIABLE: &str = "UNSTUCK_MCP_TOKEN";

/// How often the policy file is looked at.
const TICK: Duration = Duration::from_millis(100);

/// How many ticks pass between two looks for sessions that are no longer used.
const SWEEP: u32 = 10;

/// What runs requests. More would only wait for the guard.
const MOST_THREADS: usize = 4;

/// Where a server is.
#[derive(Clone, Debug)]
pub(crate) enum Behind {
    /// It is started here.
    Command(Launch),
    /// It runs elsewhere.
    Url {
        url: Uri,
        /// What it is told beside what clients say.
        headers: HeaderMap,
    },
}

impl Behind {
    /// A server at this address, which is told these headers (`Name: value`).
    pub(crate) fn url(url: Uri, configured: &[String]) -> Result<Self> {
        let mut headers = HeaderMap::new();
        for text in configured {
            servers::header(&mut headers, text)?;
        }
        Ok(Self::Url { url, headers })
    }
}

/// An address to listen at; a number alone is a port of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listen(pub(crate) SocketAddr);

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let port = text.strip_prefix("localhost:").unwrap_or(text);
        if let Ok(port) = port.parse() {
            return Ok(Self((Ipv4Addr::LOCALHOST, port).into()));
        }
        let address = text.parse();
        address
            .map(Self)
            .map_err(|_| "give a port or an address such as 127.0.0.1:8080".to_owned())
    }
}

/// How much, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The most bytes a message may have.
    pub(crate) message: usize,
    /// The most bytes that all messages together may have.
    pub(crate) memory: usize,
    pub(crate) connections: usize,
    /// Sessions of one server.
    pub(crate) sessions: SessionLimits,
    /// How long a request may take to arrive.
    pub(crate) read: Duration,
    /// How long a server may take to answer.
    pub(crate) answer: Duration,
}

/// How clients come in.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    pub(crate) token: Option<String>,
    /// Names of this machine that clients may use.
    pub(crate) hosts: Vec<String>,
    pub(crate) credentials: Credentials,
    /// Headers that servers get beside the usual ones.
    pub(crate) passed: PassedHeaders,
    pub(crate) limits: Limits,
}

/// Serves until somebody asks this process to end.
pub(crate) fn serve(
    listener: &Listener,
    servers: Vec<(String, Behind, Shared)>,
    policies: Option<PolicyFile>,
    reach: Reach,
) -> Result<ExitCode> {
    if !listener.address.ip().is_loopback() && listener.token.is_none() {
        bail!(
            "{} can be reached by others, so clients must show a token: set {TOKEN_VARIABLE}, or listen at 127.0.0.1",
            listener.address
        );
    }
    let least = least(listener.limits.message);
    if listener.limits.memory < least {
        bail!(
            "--max-memory {} is too small for messages of {} bytes: give --max-memory {least} or more, or a smaller --max-message",
            listener.limits.memory,
            listener.limits.message
        );
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(threads.min(MOST_THREADS))
        .enable_io()
        .enable_time()
        .build()
        .context("cannot start threads")?;
    let servers = runtime.block_on(listen(listener, servers, policies, reach))?;
    let processes = servers.iter().filter_map(|server| match &server.target {
        Target::Stdio(stdio) => Some(stdio.stop()),
        Target::Http(_) => None,
    });
    let processes: Vec<_> = processes.flatten().collect();
    let processes: Vec<_> = processes.iter().map(|process| &**process).collect();
    process::see_out(&processes);
    // What still runs is over now: the last lines come after whatever it recorded.
    runtime.shutdown_timeout(Duration::from_secs(1));
    for server in &servers {
        server.shared.close();
    }
    Ok(ExitCode::SUCCESS)
}

async fn listen(
    listener: &Listener,
    servers: Vec<(String, Behind, Shared)>,
    policies: Option<PolicyFile>,
    reach: Reach,
) -> Result<Vec<Arc<Server>>> {
    let address = listener.address;
    let socket = Socket::bind(address).await;
    let socket = socket.with_context(|| format!("cannot listen at {address}"))?;
    let address = socket.address();
    let alone = servers.len() == 1;
    let memory = Memory::new(listener.limits.memory);
    let mut paths = BTreeMap::new();
    for (name, behind, shared) in servers {
        let server = Arc::new(server(listener, &memory, name, behind, shared)?);
        let path = if alone {
            "/mcp".to_owned()
        } else {
            path_of(&server.name)?
        };
        anstream::eprintln!(
            "unstuck: {} at http://{address}{path}",
            unstuck_text::Shown::line(&server.name)
        );
        paths.insert(path, server);
    }
    let all: Vec<_> = paths.values().map(Arc::clone).collect();
    let front = Arc::new(Front {
        servers: paths,
        names: Names::new(listener.credentials)?,
        longest: listener.limits.message,
    });
    let gate = Gate::new(address, listener.token.as_deref(), &listener.hosts);
    let attempts = Arc::new(Attempts::default());
    let options = ServeOptions {
        gate: gate.with_single(headers::SINGLE),
        attempts: Arc::clone(&attempts),
        memory,
        connections: listener.limits.connections,
        patience: listener.limits.read,
        notify: notify(),
    };
    let (stop, stopped) = watch::channel(false);
    // A second handler cannot be set, and without one the process just ends.
    let _ = ctrlc::set_handler(move || {
        stop.send_replace(true);
    });
    let watched = watch_over(all.clone(), Arc::clone(&attempts), policies, reach);
    let watched = tokio::spawn(watched);
    socket.serve(front, options, stopped).await;
    watched.abort();
    log(&attempts.last_report(Instant::now()));
    Ok(all)
}

fn notify() -> Notify {
    crate::commands::notify()
}

fn log(lines: &[String]) {
    for line in lines {
        anstream::eprintln!("unstuck: {line}");
    }
}

fn server(
    listener: &Listener,
    memory: &Memory,
    name: String,
    behind: Behind,
    shared: Shared,
) -> Result<Server> {
    let limits = &listener.limits;
    let target = match behind {
        Behind::Command(launch) => {
            Target::Stdio(Stdio::new(launch, limits.answer, limits.sessions))
        }
        Behind::Url { url, headers } => {
            let options = UpstreamOptions {
                url,
                configured: headers,
                passed: listener.passed.0.clone(),
                patience: limits.answer,
                notify: notify(),
            };
            let bounds = (limits.message, limits.sessions.idle);
            Target::Http(Box::new(Upstream::new(options, bounds)?))
        }
    };
    Ok(Server {
        name,
        shared,
        target,
        replays: Replays::default(),
        longest: limits.message,
        memory: memory.clone(),
    })
}

/// Where one of several servers is found.
fn path_of(name: &str) -> Result<String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if name.is_empty() || !name.chars().all(plain) {
        bail!("`{name}` cannot be a part of a path; use letters, digits, `-`, `_` and `.`");
    }
    Ok(format!("/{name}/mcp"))
}

/// Reads policies again when they change, carries out what commands ask for, ends sessions that are no longer used, and
/// logs requests without the right token.
async fn watch_over(
    servers: Vec<Arc<Server>>,
    attempts: Arc<Attempts>,
    mut policies: Option<PolicyFile>,
    mut reach: Reach,
) {
    let mut ticks = 0_u32;
    loop {
        time::sleep(TICK).await;
        ticks = ticks.wrapping_add(1);
        if ticks.is_multiple_of(SWEEP) {
            for server in &servers {
                if let Target::Stdio(stdio) = &server.target {
                    stdio.sweep();
                }
            }
        }
        for server in &servers {
            server.shared.catch_up();
        }
        reach.look(servers.iter().map(|server| (&*server.name, &server.shared)));
        log(&attempts.report(Instant::now()));
        if let Some(file) = &mut policies {
            file.refresh(|policy| {
                for server in &servers {
                    server.set_policy(policy.clone());
                }
            });
        }
    }
}
