//! The store.

use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use unstuck::swarm::{Tally, Worker};
use unstuck_swarm::{
    Batch, CallKey, CallNews, CallTally, DeadCall, DeadCallStore, DeadLimits, Failure, SwarmKey,
    TallyError, TallyLimits, TallyStore,
};

use crate::{
    address::{Address, Place},
    cluster::{Nodes, Redirection, slot},
    connection::Connection,
    resp::{Reply, write_command},
    script,
};

/// Tallies in Redis 7 or Valkey, for processes on any number of machines.
///
/// It connects when it is first used, and keeps as many connections as callers used at the same time.
#[derive(Debug)]
pub struct RedisTallies {
    address: Address,
    options: RedisOptions,
    nodes: Mutex<Nodes>,
    idle: Mutex<BTreeMap<Place, Vec<Connection>>>,
}

/// How [`RedisTallies`] keeps tallies. The same for all processes that share a server.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RedisOptions {
    /// How long and how much is remembered.
    pub limits: TallyLimits,
    /// When a call is dead.
    pub dead: DeadLimits,
    /// Beginning of all keys.
    pub prefix: String,
}

/// Redirections that one batch follows.
const MOST_REDIRECTIONS: usize = 4;

/// Connections to one node that are kept for later.
const MOST_IDLE: usize = 256;

/// The limits of every store, and keys that begin with `unstuck`.
impl Default for RedisOptions {
    fn default() -> Self {
        Self {
            limits: TallyLimits::default(),
            dead: DeadLimits::default(),
            prefix: "unstuck".into(),
        }
    }
}

/// A command for the keys of one swarm: a script by its text or by its name.
struct Script<'a> {
    sha1: Option<&'static str>,
    text: &'static str,
    arguments: &'a [&'a [u8]],
}

/// The keys of one swarm.
struct SwarmKeys {
    slot: u16,
    keys: Vec<String>,
}

impl RedisTallies {
    /// Uses the server, or the cluster, at an address.
    pub fn new(address: Address, options: RedisOptions) -> Self {
        Self {
            nodes: Mutex::new(Nodes::new(address.places.clone())),
            idle: Mutex::default(),
            address,
            options,
        }
    }

    /// Whether the server answers, for checks of readiness.
    pub fn ping(&self, within: Duration) -> Result<(), TallyError> {
        let until = Instant::now() + within;
        let place = lock(&self.nodes).of(0).cloned();
        let place = place.ok_or_else(|| TallyError::Away("no address".into()))?;
        let mut request = Vec::new();
        write_command(&mut request, &[b"PING"]);
        match self.exchange(&place, &request, 1, until)? {
            Reply::Simple(_) => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    fn keys(&self, swarm: SwarmKey) -> SwarmKeys {
        let tag = swarm.to_string();
        let prefix = &self.options.prefix;
        let window = self.options.limits.window_ms();
        SwarmKeys {
            slot: slot(tag.as_bytes()),
            keys: [0, 1]
                .map(|at| format!("{prefix}:{{{tag}}}:{window}:{at}"))
                .into(),
        }
    }

    /// Runs a script where the keys are.
    fn run(
        &self,
        keys: &SwarmKeys,
        script: &Script<'_>,
        until: Instant,
    ) -> Result<Reply, TallyError> {
        let mut by_name = script.sha1;
        let mut place = lock(&self.nodes).of(keys.slot).cloned();
        let mut is_asking = false;
        for _ in 0..=MOST_REDIRECTIONS {
            let Some(node) = place.take() else { break };
            let request = script.request(keys, by_name, is_asking);
            let replies = if is_asking { 2 } else { 1 };
            let reply = self.exchange(&node, &request, replies, until)?;
            let Reply::Error(error) = &reply else {
                return Ok(reply);
            };
            if error.starts_with("NOSCRIPT") && by_name.is_some() {
                // A server that was started again has forgotten the script. With the text it learns it again.
                by_name = None;
                place = Some(node);
                continue;
            }
            is_asking = false;
            match Redirection::parse(error, &node) {
                Some(Redirection::Moved(to)) => {
                    lock(&self.nodes).moved(keys.slot, to.clone());
                    place = Some(to);
                }
                Some(Redirection::Ask(to)) => {
                    is_asking = true;
                    place = Some(to);
                }
                None if error.starts_with("FULL") => return Err(TallyError::Full),
                None => return Err(TallyError::Away(error.clone())),
            }
        }
        Err(TallyError::Away("too many redirections".into()))
    }

    /// Sends commands to a node in one write. Returns the reply to the last one.
    fn exchange(
        &self,
        place: &Place,
        request: &[u8],
        replies: usize,
        until: Instant,
    ) -> Result<Reply, TallyError> {
        let idle = lock(&self.idle).get_mut(place).and_then(Vec::pop);
        let is_old = idle.is_some();
        let mut talk = self.talk(idle, place, request, replies, until);
        if is_old && talk.as_ref().is_err_and(is_closed) {
            // The server has closed a connection that was not used. The others of that time are closed as well. What was
            // sent is sent again: a batch is counted once.
            lock(&self.idle).remove(place);
            talk = self.talk(None, place, request, replies, until);
        }
        match talk {
            Ok((reply, connection)) => {
                let mut idle = lock(&self.idle);
                let idle = idle.entry(place.clone()).or_default();
                if idle.len() < MOST_IDLE {
                    idle.push(connection);
                }
                Ok(reply)
            }
            Err(error) => {
                lock(&self.nodes).failed(place);
                Err(TallyError::Away(format!("{place}: {}", said(&error))))
            }
        }
    }

    fn talk(
        &self,
        connection: Option<Connection>,
        place: &Place,
        request: &[u8],
        replies: usize,
        until: Instant,
    ) -> io::Result<(Reply, Connection)> {
        let mut connection = match connection {
            Some(connection) => connection,
            None => Connection::open(place, &self.address, until)?,
        };
        connection.send(request, until)?;
        for _ in 1..replies {
            connection.receive()?;
        }
        Ok((connection.receive()?, connection))
    }
}

impl Script<'_> {
    fn request(&self, keys: &SwarmKeys, by_name: Option<&str>, is_asking: bool) -> Vec<u8> {
        let mut request = Vec::with_capacity(256);
        if is_asking {
            write_command(&mut request, &[b"ASKING"]);
        }
        let (command, script): (&[u8], _) = match by_name {
            Some(sha1) => (b"EVALSHA", sha1),
            None => (b"EVAL", self.text),
        };
        let number = keys.keys.len().to_string();
        let mut words = vec![command, script.as_bytes(), number.as_bytes()];
        words.extend(keys.keys.iter().map(String::as_bytes));
        words.extend_from_slice(self.arguments);
        write_command(&mut request, &words);
        request
    }
}

impl TallyStore for RedisTallies {
    fn apply(&self, batch: &Batch<'_>, within: Duration) -> Result<Tally, TallyError> {
        if batch.entries.is_empty() {
            return Ok(Tally::default());
        }
        let limits = &self.options.limits;
        let (window, most) = (limits.window_ms().to_string(), limits.most.to_string());
        let script = Script {
            sha1: Some(script::APPLY_SHA1),
            text: script::APPLY,
            arguments: &[
                window.as_bytes(),
                most.as_bytes(),
                &batch.writer.to_bits().to_be_bytes(),
                &script::entries(batch),
            ],
        };
        let reply = self.run(&self.keys(batch.swarm), &script, Instant::now() + within)?;
        let mut tally = Tally::default();
        match &reply {
            Reply::Bulk(counts) if script::add_counts(&mut tally, counts).is_some() => Ok(tally),
            other => Err(unexpected(other)),
        }
    }

    fn tallies(&self, swarm: SwarmKey, within: Duration) -> Result<Vec<CallTally>, TallyError> {
        let window = self.options.limits.window_ms().to_string();
        let script = Script {
            sha1: None,
            text: script::LIST,
            arguments: &[window.as_bytes()],
        };
        let reply = self.run(&self.keys(swarm), &script, Instant::now() + within)?;
        let Reply::Array(fields) = &reply else {
            return Err(unexpected(&reply));
        };
        let mut all: BTreeMap<CallKey, Tally> = BTreeMap::new();
        for pair in fields.chunks_exact(2) {
            let [Reply::Bulk(call), Reply::Bulk(counts)] = pair else {
                return Err(unexpected(&reply));
            };
            let call = <[u8; 16]>::try_from(call.as_slice()).map_err(|_| unexpected(&reply))?;
            let tally = all.entry(CallKey::from_bytes(call)).or_default();
            script::add_counts(tally, counts).ok_or_else(|| unexpected(&reply))?;
        }
        Ok(all
            .into_iter()
            .map(|(call, tally)| CallTally::new(call, tally))
            .collect())
    }

    fn clear(&self, swarm: SwarmKey, within: Duration) -> Result<(), TallyError> {
        let script = Script {
            sha1: None,
            text: script::CLEAR,
            arguments: &[],
        };
        match self.run(&self.keys(swarm), &script, Instant::now() + within)? {
            Reply::Simple(_) => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    fn limits(&self) -> TallyLimits {
        self.options.limits
    }
}

impl DeadCallStore for RedisTallies {
    fn news(
        &self,
        (swarm, call): (SwarmKey, CallKey),
        worker: Worker,
        news: &CallNews<'_>,
        within: Duration,
    ) -> Result<Option<DeadCall>, TallyError> {
        let limits = &self.options.dead;
        let (kind, how, name): (&[u8], _, _) = match news {
            CallNews::Worked => (b"worked", 0, String::new()),
            CallNews::Failed { how, name } => (b"failed", *how, CallNews::name_of(name)),
            _ => (b"planned", 0, String::new()),
        };
        let milliseconds = |time: Duration| time.as_millis().max(1).to_string();
        let (keep, probe) = (milliseconds(limits.keep), milliseconds(limits.probe));
        let needed = limits.workers.max(1).to_string();
        let most = DeadLimits::MOST_WORKERS.to_string();
        let script = Script {
            sha1: Some(script::DEAD_SHA1),
            text: script::DEAD,
            arguments: &[
                kind,
                keep.as_bytes(),
                needed.as_bytes(),
                probe.as_bytes(),
                most.as_bytes(),
                &worker.to_bits().to_be_bytes(),
                &how.to_be_bytes(),
                name.as_bytes(),
            ],
        };
        let tag = swarm.to_string();
        let keys = SwarmKeys {
            slot: slot(tag.as_bytes()),
            keys: vec![format!("{}:{{{tag}}}:dead:{call}", self.options.prefix)],
        };
        let reply = self.run(&keys, &script, Instant::now() + within)?;
        let Reply::Array(failures) = &reply else {
            return Err(unexpected(&reply));
        };
        let failures = failures.iter().map(|failure| match failure {
            Reply::Bulk(bytes) => {
                let (at, name) = bytes.split_first_chunk::<8>()?;
                Some(Failure::new(
                    String::from_utf8_lossy(name).into_owned(),
                    u64::from_be_bytes(*at),
                ))
            }
            _ => None,
        });
        let failures: Option<Vec<_>> = failures.collect();
        let failures = failures.ok_or_else(|| unexpected(&reply))?;
        Ok((!failures.is_empty()).then(|| DeadCall::new(failures)))
    }
}

/// Whether the other end has closed the connection, so that a new one may help.
fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::UnexpectedEof
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
    )
}

/// A timeout of a socket has a message that says something else.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "no answer in time".into(),
        _ => error.to_string(),
    }
}

fn unexpected(reply: &Reply) -> TallyError {
    TallyError::Away(match reply {
        Reply::Error(error) => error.clone(),
        _ => "the server answered something else than asked for".into(),
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
