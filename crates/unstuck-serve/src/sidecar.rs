//! All agents of one process.

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering::Relaxed},
    time::Duration,
};

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde_json::Value;
use unstuck::{Decision, Event, EventKind, Mode, Verdict, swarm::Delta};
use unstuck_session::{StateDir, clock};
use unstuck_store::{Lock, private_directory};
use unstuck_swarm::{Answer, Checkpoint, SharedTallies, TallyError, TallyStore};
use unstuck_text::Notify;

use crate::{
    events::Submitted,
    known::KnownCalls,
    metrics::Metrics,
    options::SidecarOptions,
    shard::{Shard, Step},
};

/// How long a request about a whole swarm may take.
const SWARM: Duration = Duration::from_secs(5);

/// Most shards, so that a request knows the ones it used by the bits of a number.
const MOST_SHARDS: usize = 64;

/// All agents of one process, spread over shards by their sessions.
pub struct Sidecar {
    shards: Vec<Mutex<Shard>>,
    tallies: Arc<SharedTallies<Box<dyn TallyStore>>>,
    known: Option<KnownCalls>,
    mode: Mutex<Mode>,
    journal: u64,
    is_closed: bool,
    pub(crate) hooks: Option<StateDir>,
    pub(crate) metrics: Metrics,
    notify: Notify,
    _lock: Option<Lock>,
}

/// What is known of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AgentReport {
    /// Its session.
    pub session: Box<str>,
    /// Its name within the session.
    pub agent: Box<str>,
    /// Events so far.
    pub events: u64,
    /// Time of its last event with a time, in milliseconds on the clock of the events.
    pub last: i64,
    /// Times it was nudged.
    pub nudges: u64,
    /// Calls that were denied.
    pub denials: u64,
    /// The rule that halted it, while it is halted.
    pub halted: Option<Box<str>>,
}

/// The answer to one event.
pub(crate) enum Outcome {
    Decided(Box<Decision>),
    /// A call that is known to fail is denied. The engine does not see it.
    KnownDead(Value),
    /// It is not an event.
    Invalid(String),
    /// It cannot be judged, and calls that cannot are denied.
    Denied(String),
}

/// Why a request cannot be served now.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unavailable {
    /// The state cannot be written.
    State(io::Error),
    /// The store of tallies is away.
    Tallies(TallyError),
}

impl Sidecar {
    /// Starts with the state of the directory. An error if another process uses it.
    pub fn open(options: SidecarOptions) -> Result<Self> {
        let SidecarOptions {
            settings,
            tallies,
            dead,
            state,
            closed,
            hooks,
            shards,
            journal,
            notify,
        } = options;
        if !(1..=MOST_SHARDS).contains(&shards) {
            bail!("there can be 1 to {MOST_SHARDS} shards, not {shards}");
        }
        let mode = settings.mode;
        let lock = state
            .as_deref()
            .map(|state| lock_of(state, shards))
            .transpose()?;
        let shards = (0..shards).map(|number| -> Result<_> {
            let shard = match &state {
                None => Shard::new(settings.clone()),
                Some(state) => Shard::open(settings.clone(), state, number)
                    .with_context(|| format!("cannot use the state in {}", state.display()))?,
            };
            Ok(Mutex::new(shard))
        });
        Ok(Self {
            shards: shards.collect::<Result<_>>()?,
            known: dead.map(|dead| KnownCalls::new(dead, tallies.keys().clone())),
            tallies: Arc::new(tallies),
            mode: Mutex::new(mode),
            journal,
            is_closed: closed,
            hooks,
            metrics: Metrics::default(),
            notify,
            _lock: lock,
        })
    }

    /// Judges events, in order. The answers are in the order of the events. What was observed outlives this process.
    pub(crate) async fn observe(
        &self,
        submitted: Vec<Submitted<'_>>,
    ) -> Result<Vec<Outcome>, Unavailable> {
        let mut outcomes = Vec::with_capacity(submitted.len());
        let mut used = 0_u64;
        for Submitted { text, event } in submitted {
            let event = match event {
                Ok(event) => event,
                Err(error) => {
                    self.metrics.invalid.fetch_add(1, Relaxed);
                    outcomes.push(Outcome::Invalid(error));
                    continue;
                }
            };
            let at = self.shard_of(&event.session);
            used |= 1 << at;
            let mut outcome = self.judge(at, event, text).await;
            // The engine counts the events of all requests; a client knows those of its body.
            let line = outcomes.len() as u64 + 1;
            match &mut outcome {
                Outcome::Decided(decision) => {
                    decision.line = line;
                    self.metrics.decided(decision.verdict);
                }
                Outcome::KnownDead(denied) => {
                    denied["line"] = line.into();
                    self.metrics.decided(Verdict::Deny);
                }
                Outcome::Invalid(_) | Outcome::Denied(_) => {}
            }
            outcomes.push(outcome);
        }
        for (at, shard) in self.shards.iter().enumerate() {
            if used & (1 << at) != 0 {
                let flushed = hold(shard).flush(self.journal);
                self.written(flushed)?;
            }
        }
        Ok(outcomes)
    }

    async fn judge(&self, at: usize, event: Event, text: &str) -> Outcome {
        let known = self.known.as_ref().filter(|_| self.mode() == Mode::Enforce);
        let asked = known
            .filter(|_| event.swarm.is_some())
            .map(|known| (known, event.clone()));
        let outcome = self.decide(at, event, text).await;
        // The engine counts a call that is known to fail as well, so that an agent that insists on it is halted.
        let permits = match &outcome {
            Outcome::Decided(decision) => decision.verdict < Verdict::Deny,
            _ => false,
        };
        if let Some((known, event)) = asked
            && (permits || !matches!(event.kind, EventKind::Call(_)))
            && let Some(denied) = known.answer(&event).await
        {
            return Outcome::KnownDead(denied);
        }
        outcome
    }

    async fn decide(&self, at: usize, event: Event, text: &str) -> Outcome {
        let is_call = matches!(event.kind, EventKind::Call(_));
        let shard = &self.shards[at];
        let step = hold(shard).begin(event, text, clock::now());
        let (question, delta) = match step {
            Step::Decided(decision) => return Outcome::Decided(Box::new(decision)),
            Step::Asks(question, delta) => (question, delta),
        };
        let answer = self.ask(delta).await;
        let is_away = !matches!(answer, Some(Answer::Shared(_)));
        let tally = answer.as_ref().map(Answer::tally);
        let Some(decision) = hold(shard).finish(question, tally) else {
            return Outcome::Invalid(
                "the state of the agent was replaced meanwhile; send the event again".to_owned(),
            );
        };
        if is_away && self.is_closed && is_call {
            return Outcome::Denied("the store of tallies cannot be reached".to_owned());
        }
        Outcome::Decided(Box::new(decision))
    }

    /// Asks for a tally. The store may take its time, so another thread waits for it.
    async fn ask(&self, delta: Delta) -> Option<Answer> {
        let tallies = Arc::clone(&self.tallies);
        let asked = tokio::task::spawn_blocking(move || tallies.apply(&delta));
        asked.await.ok()
    }

    /// Judges a call without counting it.
    pub(crate) fn check(&self, event: &Event) -> Result<Decision, String> {
        let EventKind::Call(call) = &event.kind else {
            return Err("only a call can be checked".to_owned());
        };
        let shard = hold(&self.shards[self.shard_of(&event.session)]);
        let mut decision = shard.check(&event.session, &event.agent, call);
        decision.line = 1;
        Ok(decision)
    }

    /// All agents, or those of one session, the most recent first.
    pub fn agents(&self, session: Option<&str>) -> Vec<AgentReport> {
        let mut all = Vec::new();
        for shard in &self.shards {
            let shard = hold(shard);
            let known = shard.books().iter();
            let of_session = known.filter(|(of, ..)| session.is_none_or(|session| session == *of));
            all.extend(of_session.map(|(session, agent, book)| AgentReport {
                session: session.into(),
                agent: agent.into(),
                events: book.events,
                last: book.last,
                nudges: book.nudges,
                denials: book.denials,
                halted: book.halted.clone(),
            }));
        }
        all.sort_by_key(|agent| std::cmp::Reverse(agent.last));
        all
    }

    /// Number of agents.
    pub fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|shard| hold(shard).books().len())
            .sum()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Clears what is held against the agents of a session. Returns how many there are.
    pub fn reset(&self, session: &str) -> Result<usize, Unavailable> {
        let mut shard = hold(&self.shards[self.shard_of(session)]);
        let agents = shard.books().agents(session);
        for agent in &agents {
            let event = Event::of(session, agent.clone(), EventKind::Reset);
            let text = serde_json::json!({"event": "reset", "session": session, "agent": agent});
            // A reset asks for no tally.
            let _ = shard.begin(event, &text.to_string(), clock::now());
        }
        let flushed = shard.flush(self.journal);
        drop(shard);
        self.written(flushed)?;
        Ok(agents.len())
    }

    /// The mode of all agents.
    pub fn mode(&self) -> Mode {
        *self.mode.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the mode of all agents until this process ends.
    pub fn set_mode(&self, mode: Mode) -> Result<(), Unavailable> {
        let mut present = self.mode.lock().unwrap_or_else(PoisonError::into_inner);
        for shard in &self.shards {
            let changed = hold(shard).set_mode(mode);
            self.written(changed)?;
        }
        *present = mode;
        Ok(())
    }

    /// The tallies of a swarm.
    pub fn checkpoint(&self, swarm: &str) -> Result<Checkpoint, Unavailable> {
        let key = self.tallies.keys().swarm(swarm);
        Checkpoint::take(self.tallies.store(), key, SWARM).map_err(Unavailable::Tallies)
    }

    /// Replaces the tallies of a swarm.
    pub fn restore(&self, swarm: &str, checkpoint: &Checkpoint) -> Result<(), Unavailable> {
        let key = self.tallies.keys().swarm(swarm);
        let restored = checkpoint.restore(self.tallies.store(), key, SWARM);
        restored.map_err(Unavailable::Tallies)
    }

    /// Forgets the calls of a swarm, when it has done its work.
    pub fn clear(&self, swarm: &str) -> Result<(), Unavailable> {
        let key = self.tallies.keys().swarm(swarm);
        let cleared = self.tallies.store().clear(key, SWARM);
        cleared.map_err(Unavailable::Tallies)
    }

    /// Whether the last attempt to write the state succeeded.
    pub(crate) fn is_ready(&self) -> bool {
        !self.metrics.is_failing.load(Relaxed)
    }

    /// Numbers for Prometheus.
    pub(crate) fn metrics(&self) -> String {
        let journal = self
            .shards
            .iter()
            .map(|shard| hold(shard).journal_bytes())
            .sum();
        let halted = self
            .agents(None)
            .iter()
            .filter(|agent| agent.halted.is_some())
            .count();
        self.metrics
            .text(&self.tallies.counters(), self.len(), halted, journal)
    }

    /// Sends calls that wait for the store of tallies.
    pub(crate) fn send_waiting(&self) {
        if self.tallies.counters().kept > 0 {
            self.tallies.flush(Duration::from_millis(500));
        }
    }

    /// Writes everything that is not written yet, before the process ends.
    pub(crate) fn close(&self) {
        for shard in &self.shards {
            let written = hold(shard).write_whole();
            let _ = self.written(written);
        }
        self.tallies.flush(Duration::from_secs(2));
    }

    /// Reports the first of several failures to write. Events are answered all the same, unless calls that cannot be judged are
    /// denied.
    fn written(&self, written: io::Result<()>) -> Result<(), Unavailable> {
        let Err(error) = written else {
            self.metrics.is_failing.store(false, Relaxed);
            return Ok(());
        };
        self.metrics.write_failures.fetch_add(1, Relaxed);
        if !self.metrics.is_failing.swap(true, Relaxed) {
            self.notify
                .warning(format_args!("the state cannot be written: {error}"));
        }
        if self.is_closed {
            return Err(Unavailable::State(error));
        }
        Ok(())
    }

    /// The shard of a session: the same one after a restart, and with every toolchain.
    fn shard_of(&self, session: &str) -> usize {
        let hash = blake3::hash(session.as_bytes());
        usize::from(hash.as_bytes()[0]) % self.shards.len()
    }
}

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::State(error) => write!(f, "the state cannot be written: {error}"),
            Self::Tallies(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for Unavailable {}

/// Locks the directory of the state. Sessions are found by the number of shards, so it stays.
fn lock_of(state: &Path, shards: usize) -> Result<Lock> {
    private_directory(state)?;
    let lock = Lock::take(&state.join("lock"), Duration::from_millis(200)).with_context(|| {
        format!(
            "another process uses {}: stop it, or give another directory with --state",
            state.display()
        )
    })?;
    let path = state.join("shards");
    match std::fs::read_to_string(&path) {
        Ok(text) if text.trim() == shards.to_string() => {}
        Ok(text) => bail!(
            "the state in {} has {} shards, not {shards}",
            state.display(),
            text.trim()
        ),
        Err(_) => unstuck_store::replace(&path, shards.to_string().as_bytes())?,
    }
    Ok(lock)
}

fn hold(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}
