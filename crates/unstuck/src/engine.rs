//! The engine: any number of agents, one decision an event.

use std::{borrow::Cow, hash::Hasher as _};

use siphasher::sip::SipHasher13;

use crate::{
    decision::Decision,
    event::{Call, Event},
    memory::Index,
    session::{FirstArguments, Place, Rulebook, Session},
    settings::{Mode, Settings},
    snapshot::{self, SnapshotError},
    swarm::{SwarmBook, SwarmStore},
};

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
pub struct Engine {
    book: Rulebook,
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
            book: Rulebook::new(settings),
            lines: 0,
        }
    }

    /// Keeps the arguments of calls that were seen once out of snapshots: of such a call they hold the tool only.
    ///
    /// Decisions after a restore then name a call without its argument if it was made before the snapshot and its
    /// result comes after, unless the result carries the call's [`label`](crate::Outcome::label).
    #[must_use]
    pub fn without_first_arguments(mut self) -> Self {
        self.book.first_arguments = FirstArguments::Dropped;
        self
    }

    /// Takes an event in and answers it.
    pub fn observe(&mut self, event: Event) -> Decision {
        let Self {
            book,
            roster,
            swarm,
            lines,
        } = self;
        observe(event, book, roster, swarm, lines)
    }

    /// As [`observe`](Self::observe), with swarm tallies kept elsewhere.
    pub fn observe_with(&mut self, event: Event, store: &mut dyn SwarmStore) -> Decision {
        let Self {
            book,
            roster,
            lines,
            ..
        } = self;
        observe(event, book, roster, store, lines)
    }

    /// What would be said to this call now? Looks, counts nothing.
    pub fn check(&self, session: &str, agent: &str, call: &Call) -> Decision {
        let line = self.lines.saturating_add(1);
        let place = Place {
            line,
            session,
            agent,
            swarm: session,
        };
        match (self.book.settings.mode, self.roster.get(session, agent)) {
            (Mode::Off, _) | (_, None) => Decision::allow(line, session, agent),
            (_, Some(known)) => {
                let mut decision = known.check(call, place, &self.book);
                decision.session = session.into();
                decision.agent = agent.into();
                decision
            }
        }
    }

    /// The state of one agent, in a form that another process can go on with.
    pub fn snapshot(&self, session: &str, agent: &str) -> Option<Vec<u8>> {
        let known = self.roster.get(session, agent)?;
        Some(snapshot::write(known, self.lines))
    }

    /// Goes on with the state of one agent. What was known of it is replaced.
    pub fn restore(
        &mut self,
        session: &str,
        agent: &str,
        snapshot: &[u8],
    ) -> Result<(), SnapshotError> {
        let (restored, lines) = snapshot::read(snapshot, &self.book.settings)?;
        self.lines = self.lines.max(lines);
        let settings = &self.book.settings;
        let at = self.roster.enter(session, agent, || Session::new(settings));
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
        &self.book.settings
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("preset", &self.book.settings.preset)
            .field("agents", &self.roster.seats.len())
            .finish_non_exhaustive()
    }
}

fn observe(
    event: Event,
    book: &Rulebook,
    roster: &mut Roster,
    store: &mut dyn SwarmStore,
    lines: &mut u64,
) -> Decision {
    *lines = event.line.unwrap_or(lines.saturating_add(1));
    if book.settings.mode == Mode::Off {
        return Decision::allow(*lines, &event.session, &event.agent);
    }
    let at = roster.enter(&event.session, &event.agent, || {
        Session::new(&book.settings)
    });
    let decision = roster.seats[at as usize]
        .state
        .observe(event, *lines, book, store);
    roster.settle(at);
    decision
}

/// The agents, bounded: the one that was silent longest makes room, a halted one only when all are halted.
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
    fn new(capacity: u32, key: [u8; 16]) -> Self {
        let empty = List {
            newest: NONE,
            oldest: NONE,
        };
        Self {
            seats: Vec::new(),
            index: Index::default(),
            running: empty,
            halted: empty,
            capacity: capacity.clamp(1, NONE - 1),
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
