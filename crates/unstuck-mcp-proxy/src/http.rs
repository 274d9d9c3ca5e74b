//! Clients that come by HTTP: a listener in front of one server or several.
//!
//! ```text
//! client ─> gate ─> guard ─> another address, or a process of this machine
//! ```
//!
//! Only this part of the program needs a runtime for many connections, and only when it is asked for.

mod clients;
mod exchange;
mod from_child;
mod guarded_events;
mod headers;
mod process;
mod queue;
mod recorded_guard;
mod replays;
mod reply;
mod server;
mod server_list;
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
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use hyper::{HeaderMap, Uri};
use tokio::{runtime, sync::watch, task};

pub use headers::{Credentials, PassedHeaders};
pub use server_list::read_servers;
pub use sessions::SessionLimits;
pub use stdio::Launch;

use unstuck_http::{
    Attempts, Gate, Listener as Socket, Memory, ServeOptions, UpstreamOptions, least,
};
use unstuck_text::Notify;

use clients::Clients;
use recorded_guard::RecordedGuard;
use replays::Replays;
use server::{Server, Target};
use service::Front;
use stdio::Stdio;
use upstream::Upstream;
use visitors::Names;

use super::{control::Control, guard_handle::SharedGuard, policy_file::PolicyFile};

/// Where clients' token is looked for if none is given.
pub const TOKEN_VARIABLE: &str = "UNSTUCK_MCP_TOKEN";

/// How often the policy file is looked at.
const TICK: Duration = Duration::from_millis(100);

/// How many ticks pass between two looks for sessions that are no longer used.
const SWEEP: u32 = 10;

/// Threads that carry messages, at most. They wait for nothing but the network, so more would only hand messages over to
/// each other; with two cores a second thread takes more than it gives.
const MOST_THREADS: usize = 4;

/// Where a server is.
#[derive(Clone, Debug)]
pub enum Backend {
    /// It is started here.
    Command(Launch),
    /// It runs elsewhere.
    Url {
        /// Its address.
        url: Uri,
        /// Headers that are added to those of clients.
        headers: HeaderMap,
    },
}

impl Backend {
    /// A server at this address, which gets these headers (`Name: value`).
    pub fn url(url: Uri, configured: &[String]) -> Result<Self> {
        let mut headers = HeaderMap::new();
        for text in configured {
            server_list::header(&mut headers, text)?;
        }
        Ok(Self::Url { url, headers })
    }
}

/// An address to listen at; a number alone is a port of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen(/** The address. */ pub SocketAddr);

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
pub struct Limits {
    /// The most bytes a message may have.
    pub message: usize,
    /// The most bytes that all messages together may have.
    pub memory: usize,
    /// The most connections at once.
    pub connections: usize,
    /// Sessions of one server.
    pub sessions: SessionLimits,
    /// How long a request may take to arrive.
    pub read: Duration,
    /// How long a server may take to answer.
    pub answer: Duration,
}

/// How clients come in.
pub struct HttpOptions {
    /// Where to listen.
    pub address: SocketAddr,
    /// What clients must show.
    pub token: Option<String>,
    /// Names of this machine that clients may use.
    pub hosts: Vec<String>,
    /// Whether the clients' `Authorization` reaches servers.
    pub credentials: Credentials,
    /// Headers that servers get beside the usual ones.
    pub passed: PassedHeaders,
    /// Bounds.
    pub limits: Limits,
    /// Gets lines for the person who runs the proxy.
    pub notify: Notify,
}

/// Serves until a signal asks this process to end.
pub fn serve(
    listener: &HttpOptions,
    servers: Vec<(String, Backend, SharedGuard)>,
    policies: Option<PolicyFile>,
    reach: Control,
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
        // Two at least: while one judges a long message, the other serves the rest.
        .worker_threads((threads / 2).clamp(2, MOST_THREADS))
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
    listener: &HttpOptions,
    servers: Vec<(String, Backend, SharedGuard)>,
    policies: Option<PolicyFile>,
    reach: Control,
) -> Result<Vec<Arc<Server>>> {
    let address = listener.address;
    let socket = Socket::bind(address).await;
    let socket = socket.with_context(|| format!("cannot listen at {address}"))?;
    let address = socket.address();
    // Before the addresses are announced: from then on a signal must not lose a line of the audit. A second handler cannot be
    // set, and without one the process just ends.
    let (stop, stopped) = watch::channel(false);
    let _ = ctrlc::set_handler(move || {
        stop.send_replace(true);
    });
    let alone = servers.len() == 1;
    let memory = Memory::new(listener.limits.memory);
    let clients = Arc::new(Clients::default());
    let mut paths = BTreeMap::new();
    for (name, behind, shared) in servers {
        let server = Arc::new(server(listener, (&memory, &clients), name, behind, shared)?);
        let path = if alone {
            "/mcp".to_owned()
        } else {
            path_of(&server.name)?
        };
        listener.notify.line(format_args!(
            "{} at http://{address}{path}",
            unstuck_text::Shown::line(&server.name)
        ));
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
        notify: listener.notify.clone(),
    };
    // It works on files, so it has a thread of its own, which ends when `ending` is dropped.
    let (ending, ended) = mpsc::channel();
    let (servers, counted) = (all.clone(), Arc::clone(&attempts));
    let notify = listener.notify.clone();
    let supervisor = thread::spawn(move || {
        supervise(&servers, &counted, policies, reach, &notify, &ended);
    });
    socket.serve(front, options, stopped).await;
    drop(ending);
    let _ = task::spawn_blocking(|| supervisor.join()).await;
    log(&attempts.last_report(Instant::now()), &listener.notify);
    Ok(all)
}

fn log(lines: &[String], notify: &Notify) {
    for line in lines {
        notify.line(line);
    }
}

fn server(
    listener: &HttpOptions,
    (memory, clients): (&Memory, &Arc<Clients>),
    name: String,
    behind: Backend,
    shared: SharedGuard,
) -> Result<Server> {
    let limits = &listener.limits;
    let target = match behind {
        Backend::Command(launch) => {
            Target::Stdio(Stdio::new(launch, limits.answer, limits.sessions))
        }
        Backend::Url { url, headers } => {
            let options = UpstreamOptions {
                url,
                configured: headers,
                passed: listener.passed.0.clone(),
                patience: limits.answer,
                notify: listener.notify.clone(),
            };
            let bounds = (limits.message, limits.sessions.idle);
            Target::Http(Box::new(Upstream::new(options, bounds)?))
        }
    };
    Ok(Server {
        name,
        shared: RecordedGuard::start(shared)?,
        target,
        replays: Replays::default(),
        longest: limits.message,
        memory: memory.clone(),
        clients: Arc::clone(clients),
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
fn supervise(
    servers: &[Arc<Server>],
    attempts: &Attempts,
    mut policies: Option<PolicyFile>,
    mut reach: Control,
    notify: &Notify,
    ended: &mpsc::Receiver<()>,
) {
    let mut ticks = 0_u32;
    while ended.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
        ticks = ticks.wrapping_add(1);
        if ticks.is_multiple_of(SWEEP) {
            for server in servers {
                if let Target::Stdio(stdio) = &server.target {
                    stdio.sweep();
                }
            }
        }
        for server in servers {
            server.shared.catch_up();
        }
        reach.look(
            servers
                .iter()
                .map(|server| (&*server.name, &*server.shared)),
        );
        log(&attempts.report(Instant::now()), notify);
        if let Some(file) = &mut policies {
            file.refresh(notify, |policy| {
                for server in servers {
                    server.set_policy(policy.clone());
                }
            });
        }
    }
}
