//! `--restart-every`: an engine that is written to bytes, dropped and restored while a stream runs.
//!
//! `cargo xtask same` uses it to prove that a restored engine decides what an uninterrupted one decides. Two parts of an
//! engine are not in the snapshots of its agents, so they are carried over here: swarm tallies, which the caller may keep
//! ([`unstuck::swarm::SwarmStore`]), and the order in which agents were last seen, which decides who makes room for a new one.

use std::{collections::BTreeMap, num::NonZeroU64};

use anyhow::{Context as _, Result};
use unstuck::{
    Begun, Decision, Engine, Event, Settings,
    swarm::{SwarmBook, SwarmStore as _},
};
use unstuck_session::index_key;

/// Agent of a session.
type Agent = (Box<str>, Box<str>);

pub(super) struct Restarts {
    every: NonZeroU64,
    /// Events so far.
    events: u64,
    /// Number of the last event of every agent. Agents that the engine has forgotten leave at the next restart.
    last_seen: BTreeMap<Agent, u64>,
    swarm: SwarmBook,
}

impl Restarts {
    pub(super) fn new(every: NonZeroU64, settings: &Settings) -> Self {
        Self {
            every,
            events: 0,
            last_seen: BTreeMap::new(),
            swarm: SwarmBook::new(settings.memory.swarm.non_zero()),
        }
    }

    /// Takes an event in, and replaces the engine by a restored one after every so many events.
    pub(super) fn observe(&mut self, engine: &mut Engine, event: Event) -> Result<Decision> {
        self.events += 1;
        let agent = (event.session.clone(), event.agent.clone());
        self.last_seen.insert(agent, self.events);
        let decision = match engine.begin(event) {
            Begun::Decided(decision) => decision,
            Begun::Asks(question) => {
                let tally = self.swarm.apply(question.delta());
                engine.finish(question, Some(&tally))
            }
        };
        if self.events.is_multiple_of(self.every.get()) {
            *engine = self.restart(engine)?;
        }
        Ok(decision)
    }

    fn restart(&mut self, engine: &Engine) -> Result<Engine> {
        let mut agents: Vec<_> = std::mem::take(&mut self.last_seen).into_iter().collect();
        agents.sort_unstable_by_key(|(_, last)| *last);
        let mut next = Engine::with_index_key(engine.settings().clone(), index_key::random());
        for ((session, agent), last) in agents {
            let Some(bytes) = engine.snapshot(&session, &agent) else {
                continue;
            };
            next.restore(&session, &agent, &bytes).with_context(|| {
                format!("the engine refuses its own snapshot of {session:?}, {agent:?}")
            })?;
            self.last_seen.insert((session, agent), last);
        }
        Ok(next)
    }
}
