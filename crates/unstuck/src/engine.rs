//! The engine: any number of agents, one decision an event.

use std::num::NonZeroU32;

mod agent;
mod compiled;
mod pending;
mod session;
mod snapshot;

use std::{borrow::Cow, hash::Hasher as _};

use siphasher::sip::SipHasher13;

use self::{
    compiled::{Compiled, FirstArguments},
    session::{Answer, Origin, Session, Unjudged},
};
use crate::{
    decision::Decision,
    event::{Call, Event},
    memory::Index,
    settings::{Mode, Settings},
    swarm::{Delta, SwarmBook, SwarmStore as _, Tally},
};

pub use agent::{Agent, Before, Permit};
pub use snapshot::SnapshotError;

/// Watches agents and answers every event.
///
/// The engine does no I/O, reads no clock and uses no randomness: the same events give the same decisions.
/// [`observe`](Self::observe) is the only way its state changes.
///
/// ```
/// use unstuck::{Call, Engine, Event, Json, Outcome, Preset, Settings, Verdict};
///
/// let mut engine = Engine::new(Settings::of(Preset::Standard));
/// let mut verdicts = Vec::new();
/// for id in ["1", "2", "3"] {
///     let call = Call::new(id, "read_file", Json::parse(r#"{"path":"src/auth.py"}"#)?);
///     engine.observe(Event::call(call));
///     let answer = engine.observe(Event::result(Outcome::ok(id, Json::string("def login(): ..."))));
///     verdicts.push(answer.verdict);
/// }
/// assert_eq!(verdicts, [Verdict::Allow, Verdict::Allow, Verdict::Nudge]);
/// # Ok::<(), unstuck::JsonError>(())
/// ```
///
/// A clone goes on from the same state by itself: what is observed there changes nothing here.
#[derive(Clone)]
pub struct Engine {
    compiled: Compiled,
    roster: Roster,
    swarm: SwarmBook,
    /// Events so far: the line of an event that has none.
    lines: u64,
}

impl Engine {
    /// Creates an engine without state. Its session index uses a fixed key: where session or agent names come from
    /// untrusted peers, use [`with_index_key`](Self::with_index_key).
    pub fn new(settings: Settings) -> Self {
        Self::with_index_key(settings, [0; 16])
    }

    /// Creates an engine without state whose session index is keyed with `key`.
    ///
    /// A caller that serves untrusted peers passes 16 random bytes: a peer that does not know them cannot choose
    /// session names that share a place in the index, which would make every lookup as slow as a search through all
    /// sessions. Decisions and snapshots do not depend on the key.
    pub fn with_index_key(settings: Settings, key: [u8; 16]) -> Self {
        Self {
            swarm: SwarmBook::new(settings.memory.swarm),
            roster: Roster::new(settings.memory.sessions, key),
            compiled: Compiled::new(settings),
            lines: 0,
        }
    }

    /// Keeps the arguments of calls that were seen once out of snapshots: of such a call they hold the tool only.
    ///
    /// Decisions after a restore then name a call without its argument if it was made before the snapshot and its
    /// result comes after, unless the result carries the call's [`label`](crate::Outcome::label).
    #[must_use]
    pub fn without_first_arguments(mut self) -> Self {
        self.compiled.first_arguments = FirstArguments::Dropped;
        self
    }

    /// Returns a handle for one agent that pairs calls with their results itself: the way in for a program that runs the
    /// agent's loop.
    ///
    /// ```
    /// use unstuck::{Before, Engine, Settings};
    ///
    /// let mut engine = Engine::new(Settings::default());
    /// let mut agent = engine.agent("session", "main");
    /// if let Before::Permit(permit) = agent.before("list_dir", &[".", "src"])? {
    ///     let decision = agent.finish(permit, &["Cargo.toml", "src"])?;
    ///     assert!(decision.permits());
    /// }
    /// # Ok::<(), unstuck::JsonError>(())
    /// ```
    pub fn agent(&mut self, session: &str, agent: &str) -> Agent<'_> {
        Agent::new(self, session, agent)
    }

    /// An id for the next call, made of the line of its event. It differs from earlier ones, also after a restore.
    fn new_call_id(&self) -> String {
        format!("unstuck-{}", self.lines.saturating_add(1))
    }

    /// Takes an event in and answers it. Swarm tallies are kept in the engine.
    pub fn observe(&mut self, event: Event) -> Decision {
        match self.begin(event) {
            Begun::Decided(decision) => decision,
            Begun::Asks(question) => {
                let tally = self.swarm.apply(&question.delta);
                self.finish(question, Some(&tally))
            }
        }
    }

    /// Takes an event in, with swarm tallies kept elsewhere: the answer, or a question about the swarm that has to be
    /// answered first.
    ///
    /// ```
    /// use unstuck::{Begun, Engine, Event, Settings};
    /// use unstuck::swarm::{SwarmBook, SwarmStore};
    ///
    /// let mut engine = Engine::new(Settings::default());
    /// let mut store = SwarmBook::new(engine.settings().memory.swarm);
    /// let decision = match engine.begin(Event::turn()) {
    ///     Begun::Decided(decision) => decision,
    ///     Begun::Asks(question) => {
    ///         // A store may be asynchronous and may fail: without a tally the agent is judged alone.
    ///         let tally = store.apply(question.delta());
    ///         engine.finish(question, Some(&tally))
    ///     }
    /// };
    /// assert!(decision.permits());
    /// ```
    pub fn begin(&mut self, event: Event) -> Begun {
        self.lines = event.line.unwrap_or(self.lines.saturating_add(1));
        let line = self.lines;
        if self.compiled.settings.mode == Mode::Off {
            return Begun::Decided(Decision::allow(line, &event.session, &event.agent));
        }
        let compiled = &self.compiled;
        let at = self
            .roster
            .enter(&event.session, &event.agent, || Session::new(compiled));
        let Event {
            session,
            agent,
            swarm,
            at: time,
            kind,
            ..
        } = event;
        let origin = Origin {
            line,
            session: &session,
            agent: &agent,
            swarm: swarm.as_deref().unwrap_or(&session),
        };
        let answer = self.roster.seats[at as usize]
            .state
            .begin(kind, time, origin, compiled);
        self.roster.settle(at);
        match answer {
            Answer::Decided(decision) => Begun::Decided(named(decision, session, agent)),
            Answer::Asks(delta, unjudged) => Begun::Asks(Question {
                line,
                session,
                agent,
                delta,
                unjudged,
            }),
        }
    }

    /// Answers the event that a question was asked for. Without a tally, because the store is away or too slow, the
    /// agent is judged alone.
    pub fn finish(&mut self, question: Question, tally: Option<&Tally>) -> Decision {
        let Question {
            line,
            session,
            agent,
            delta,
            unjudged,
        } = question;
        let compiled = &self.compiled;
        let at = self
            .roster
            .enter(&session, &agent, || Session::new(compiled));
        let origin = Origin {
            line,
            session: &session,
            agent: &agent,
            swarm: &delta.swarm,
        };
        let state = &mut self.roster.seats[at as usize].state;
        let decision = state.finish(unjudged, tally, origin, compiled);
        self.roster.settle(at);
        named(decision, session, agent)
    }

    /// Judges a call as if it were made now. Looks, counts nothing.
    pub fn check(&self, session: &str, agent: &str, call: &Call) -> Decision {
        let line = self.lines.saturating_add(1);
        let origin = Origin {
            line,
            session,
            agent,
            swarm: session,
        };
        match (self.compiled.settings.mode, self.roster.get(session, agent)) {
            (Mode::Off, _) | (_, None) => Decision::allow(line, session, agent),
            (_, Some(known)) => {
                let mut decision = known.check(call, origin, &self.compiled);
                decision.session = session.into();
                decision.agent = agent.into();
                decision
            }
        }
    }

    /// The state of one agent, in a form that another process can go on with.
    pub fn snapshot(&self, session: &str, agent: &str) -> Option<Vec<u8>> {
        let known = self.roster.get(session, agent)?;
        Some(snapshot::write(known, self.lines, &self.compiled))
    }

    /// Goes on with the state of one agent. What was known of it is replaced.
    pub fn restore(
        &mut self,
        session: &str,
        agent: &str,
        snapshot: &[u8],
    ) -> Result<(), SnapshotError> {
        let (restored, lines) = snapshot::read(snapshot, &self.compiled)?;
        self.lines = self.lines.max(lines);
        let compiled = &self.compiled;
        let at = self.roster.enter(session, agent, || Session::new(compiled));
        self.roster.put(at, restored);
        Ok(())
    }

    /// The agents being watched, in no order that means anything.
    pub fn agents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.roster
            .seats
            .iter()
            .map(|seat| (&*seat.session, &*seat.agent))
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.compiled.settings
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("preset", &self.compiled.settings.preset)
            .field("agents", &self.roster.seats.len())
            .finish_non_exhaustive()
    }
}

/// What [`Engine::begin`] made of an event.
#[derive(Debug)]
pub enum Begun {
    /// The answer.
    Decided(Decision),
    /// A swarm has to be asked first; [`Engine::finish`] answers the event.
    Asks(Question),
}

/// A question about a swarm. The event is not answered, and a call is not counted, until it is finished.
#[must_use = "the event is not answered before `Engine::finish`"]
pub struct Question {
    line: u64,
    session: Box<str>,
    agent: Box<str>,
    delta: Delta,
    unjudged: Unjudged,
}

impl Question {
    /// What the store is to apply before it returns the tally.
    pub fn delta(&self) -> &Delta {
        &self.delta
    }
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question")
            .field("delta", &self.delta)
            .finish_non_exhaustive()
    }
}

/// A decision with the names of its event. Moving them there saves copying them for each event.
fn named(mut decision: Decision, session: Box<str>, agent: Box<str>) -> Decision {
    decision.session = session;
    decision.agent = agent;
    decision
}

/// The agents, bounded: the one that was silent longest makes room, a halted one only when all are halted.
#[derive(Clone)]
struct Roster {
    seats: Vec<Seat>,
    index: Index,
    /// Agents that may go on.
    running: List,
    halted: List,
    capacity: u32,
    /// Key of the hashes in `index`.
    key: [u8; 16],
}

#[derive(Clone)]
struct Seat {
    session: Box<str>,
    agent: Box<str>,
    hash: u64,
    state: Session,
    /// Whether the seat is in the list of the halted.
    in_halted: bool,
    newer: u32,
    older: u32,
}

#[derive(Clone, Copy)]
struct List {
    newest: u32,
    oldest: u32,
}

const NONE: u32 = u32::MAX;

impl Roster {
    fn new(capacity: NonZeroU32, key: [u8; 16]) -> Self {
        let empty = List {
            newest: NONE,
            oldest: NONE,
        };
        Self {
            seats: Vec::new(),
            index: Index::default(),
            running: empty,
            halted: empty,
            // `NONE` is not a seat.
            capacity: capacity.get().min(NONE - 1),
            key,
        }
    }

    fn get(&self, session: &str, agent: &str) -> Option<&Session> {
        let (session, agent) = (&*bounded(session), &*bounded(agent));
        let at = self.find(self.hash(session, agent), session, agent)?;
        self.seats.get(at as usize).map(|seat| &seat.state)
    }

    fn put(&mut self, at: u32, state: Session) {
        self.seats[at as usize].state = state;
        self.settle(at);
    }

    /// The seat of an agent, which is now the newest of its list.
    fn enter(&mut self, session: &str, agent: &str, make: impl FnOnce() -> Session) -> u32 {
        let (session, agent) = (&*bounded(session), &*bounded(agent));
        // Most events are of the same agent as the event before.
        let last = self.running.newest;
        if self.is_seat_of(last, session, agent) {
            return last;
        }
        let hash = self.hash(session, agent);
        if let Some(at) = self.find(hash, session, agent) {
            if self.list(at).newest != at {
                self.unlink(at);
                self.link(at);
            }
            return at;
        }
        let seat = Seat {
            session: session.into(),
            agent: agent.into(),
            hash,
            state: make(),
            in_halted: false,
            newer: NONE,
            older: NONE,
        };
        let at = if self.seats.len() < self.capacity as usize {
            self.seats.push(seat);
            self.seats.len() as u32 - 1
        } else {
            let at = match self.running.oldest {
                NONE => self.halted.oldest,
                oldest => oldest,
            };
            self.unlink(at);
            let seats = &self.seats;
            let hash_of = |other: u32| seats[other as usize].hash;
            self.index.remove(hash_of(at), at, hash_of);
            self.seats[at as usize] = seat;
            at
        };
        self.link(at);
        let seats = &self.seats;
        self.index
            .insert(hash, at, |other| seats[other as usize].hash);
        at
    }

    /// Moves a seat between the lists when its agent was halted or reset.
    fn settle(&mut self, at: u32) {
        let seat = &self.seats[at as usize];
        if seat.in_halted != seat.state.is_halted() {
            self.unlink(at);
            let seat = &mut self.seats[at as usize];
            seat.in_halted = seat.state.is_halted();
            self.link(at);
        }
    }

    /// Keyed hash of a pair of names. Names are chosen by peers, so an unkeyed hash would let them collide at will; full
    /// names are compared on lookup.
    fn hash(&self, session: &str, agent: &str) -> u64 {
        let mut hasher = SipHasher13::new_with_key(&self.key);
        hasher.write(session.as_bytes());
        // Not a byte of UTF-8: ("a", "bc") and ("ab", "c") are two inputs.
        hasher.write_u8(0xff);
        hasher.write(agent.as_bytes());
        hasher.finish()
    }

    fn find(&self, hash: u64, session: &str, agent: &str) -> Option<u32> {
        self.index
            .find(hash, |at| self.is_seat_of(at, session, agent))
    }

    fn is_seat_of(&self, at: u32, session: &str, agent: &str) -> bool {
        let seat = self.seats.get(at as usize);
        seat.is_some_and(|seat| *seat.session == *session && *seat.agent == *agent)
    }

    fn list(&mut self, at: u32) -> &mut List {
        if self.seats[at as usize].in_halted {
            &mut self.halted
        } else {
            &mut self.running
        }
    }

    fn unlink(&mut self, at: u32) {
        let Seat { newer, older, .. } = self.seats[at as usize];
        match self.seats.get_mut(newer as usize) {
            Some(neighbour) => neighbour.older = older,
            None => self.list(at).newest = older,
        }
        match self.seats.get_mut(older as usize) {
            Some(neighbour) => neighbour.newer = newer,
            None => self.list(at).oldest = newer,
        }
    }

    fn link(&mut self, at: u32) {
        let second = self.list(at).newest;
        let seat = &mut self.seats[at as usize];
        seat.newer = NONE;
        seat.older = second;
        match self.seats.get_mut(second as usize) {
            Some(neighbour) => neighbour.newer = at,
            None => self.list(at).oldest = at,
        }
        self.list(at).newest = at;
    }
}

/// A name as it is kept: a long one by its hash, so that memory is bounded in bytes too.
fn bounded(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 256;
    if name.len() <= LONGEST {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(blake3::hash(name.as_bytes()).to_hex().to_string())
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
