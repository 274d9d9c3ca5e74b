//! The engine: any number of agents, one decision per event.

mod agent;
mod agents;
mod compiled;
mod decide;
mod pending;
mod session;
mod snapshot;

use self::{
    agents::Agents,
    compiled::{Compiled, FirstArguments},
    decide::Origin,
    session::{Answer, Session, Unjudged},
};
use crate::{
    decision::Decision,
    event::{Call, Event},
    hash::Key,
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
/// A clone has a copy of the state: events that it observes do not change the original.
#[derive(Clone)]
pub struct Engine {
    compiled: Compiled,
    agents: Agents,
    swarm: SwarmBook,
    /// Events so far: the line of an event that has none.
    lines: u64,
}

impl Engine {
    /// Creates an engine without state. Its lookups use a fixed key: where names or arguments come from untrusted peers,
    /// use [`with_index_key`](Self::with_index_key).
    pub fn new(settings: Settings) -> Self {
        Self::with_index_key(settings, [0; 16])
    }

    /// Creates an engine without state with lookups keyed by `key`.
    ///
    /// A caller that serves untrusted peers passes 16 random bytes: a peer that does not know them cannot choose session
    /// names or arguments that share a place in a table, which would make every lookup as slow as a search through all
    /// of it. Decisions and snapshots do not depend on the key.
    pub fn with_index_key(settings: Settings, key: [u8; 16]) -> Self {
        let key = Key::new(key);
        Self {
            swarm: SwarmBook::keyed(settings.memory.swarm.non_zero(), key),
            agents: Agents::new(settings.memory.sessions.non_zero(), key),
            compiled: Compiled::new(settings, key),
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

    /// Observes an event and returns the decision. Swarm tallies are kept in the engine.
    pub fn observe(&mut self, event: Event) -> Decision {
        match self.begin(event) {
            Begun::Decided(decision) => decision,
            Begun::Asks(question) => {
                let tally = self.swarm.apply(&question.delta);
                self.finish(question, Some(&tally))
            }
        }
    }

    /// Observes an event, with swarm tallies kept by the caller. Returns the decision, or a question about the swarm that
    /// has to be answered first.
    ///
    /// ```
    /// use unstuck::{Begun, Engine, Event, Settings};
    /// use unstuck::swarm::{SwarmBook, SwarmStore};
    ///
    /// let mut engine = Engine::new(Settings::default());
    /// let mut store = SwarmBook::new(engine.settings().memory.swarm.non_zero());
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
        let make = || Session::new(compiled);
        let answer = self.agents.enter(&session, &agent, make, |known| {
            known.begin(kind, time, origin, compiled)
        });
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
        let origin = Origin {
            line,
            session: &session,
            agent: &agent,
            swarm: &delta.swarm,
        };
        let make = || Session::new(compiled);
        let decision = self.agents.enter(&session, &agent, make, |known| {
            known.finish(unjudged, tally, origin, compiled)
        });
        named(decision, session, agent)
    }

    /// Judges a call as if it were made now, without counting it.
    pub fn check(&self, session: &str, agent: &str, call: &Call) -> Decision {
        let line = self.lines.saturating_add(1);
        let origin = Origin {
            line,
            session,
            agent,
            swarm: session,
        };
        match (self.compiled.settings.mode, self.agents.get(session, agent)) {
            (Mode::Off, _) | (_, None) => Decision::allow(line, session, agent),
            (_, Some(known)) => {
                let mut decision = known.check(call, origin, &self.compiled);
                decision.session = session.into();
                decision.agent = agent.into();
                decision
            }
        }
    }

    /// Returns the state of one agent, in a form that another process can restore.
    pub fn snapshot(&self, session: &str, agent: &str) -> Option<Vec<u8>> {
        let known = self.agents.get(session, agent)?;
        Some(snapshot::write(known, self.lines, &self.compiled))
    }

    /// Replaces the state of one agent with that of a snapshot.
    pub fn restore(
        &mut self,
        session: &str,
        agent: &str,
        snapshot: &[u8],
    ) -> Result<(), SnapshotError> {
        let (restored, lines) = snapshot::read(snapshot, &self.compiled)?;
        self.lines = self.lines.max(lines);
        let make = || Session::new(&self.compiled);
        self.agents
            .enter(session, agent, make, |known| *known = restored);
        Ok(())
    }

    /// The agents being watched, in no particular order.
    pub fn agents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.agents.names()
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
            .field("agents", &self.agents.names().len())
            .finish_non_exhaustive()
    }
}

/// The result of [`Engine::begin`].
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
    /// The delta that the store has to apply before it returns the tally.
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

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
