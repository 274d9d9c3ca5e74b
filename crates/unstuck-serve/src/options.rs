//! Options of a sidecar.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use unstuck::Settings;
use unstuck_session::StateDir;
use unstuck_swarm::{DeadCalls, SharedTallies, TallyStore};
use unstuck_text::Notify;

use crate::roles::Tokens;

/// How agents are judged, and where their state is.
#[non_exhaustive]
pub struct SidecarOptions {
    /// The settings of the engines.
    pub settings: Settings,
    /// Tallies of swarms.
    pub tallies: SharedTallies<Box<dyn TallyStore>>,
    /// Calls that are known to fail, for agents that name a swarm in their events. `None` lets each of them find out.
    pub dead: Option<DeadCalls>,
    /// Directory of the journals. `None` keeps state in memory alone.
    pub state: Option<PathBuf>,
    /// Whether calls are denied while the state cannot be written or the tallies of swarms are away.
    pub closed: bool,
    /// State of hooks, for hooks that are sent over HTTP. `None` refuses them.
    pub hooks: Option<StateDir>,
    /// Engines. Each judges one event at a time.
    pub shards: usize,
    /// Bytes of a journal that make the state be written as a whole.
    pub journal: u64,
    /// Gets lines for the person who runs the program.
    pub notify: Notify,
}

/// Where a sidecar listens, and for whom.
#[non_exhaustive]
pub struct ServiceOptions {
    /// Address to listen at.
    pub address: SocketAddr,
    /// Tokens of clients.
    pub tokens: Tokens,
    /// Names of this machine that clients may use beside its addresses and `localhost`.
    pub names: Vec<String>,
    /// How much, and how long.
    pub limits: ApiLimits,
    /// Gets lines for the person who runs the program.
    pub notify: Notify,
}

/// How much, and how long.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ApiLimits {
    /// The most bytes of a body.
    pub body: usize,
    /// The most bytes of all bodies together.
    pub memory: usize,
    /// The most connections at once.
    pub connections: usize,
    /// How long a request may take to arrive.
    pub read: Duration,
}

impl SidecarOptions {
    /// Settings and tallies, with state in memory.
    pub fn new(settings: Settings, tallies: SharedTallies<Box<dyn TallyStore>>) -> Self {
        Self {
            settings,
            tallies,
            dead: None,
            state: None,
            closed: false,
            hooks: None,
            shards: 16,
            journal: 64 << 20,
            notify: Notify::silent(),
        }
    }
}

impl ServiceOptions {
    /// An address with tokens.
    pub fn new(address: SocketAddr, tokens: Tokens) -> Self {
        Self {
            address,
            tokens,
            names: Vec::new(),
            limits: ApiLimits::default(),
            notify: Notify::silent(),
        }
    }
}

/// Bodies of 16 MiB, 256 MiB together, 20,000 connections, and 30 s for a request.
impl Default for ApiLimits {
    fn default() -> Self {
        Self {
            body: 16 << 20,
            memory: 256 << 20,
            connections: 20_000,
            read: Duration::from_secs(30),
        }
    }
}
