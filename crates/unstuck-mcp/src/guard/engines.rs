//! The engines of one guard: private callers, shared callers, and the bursts of all names of one owner.

use std::num::NonZeroU32;

use unstuck::{
    Call, Decision, Engine, Event, EventKind, Json, Outcome, Settings, Status, Verdict,
    fingerprint::Fingerprint,
    settings::{Attendance, Rules},
};

use super::{Micros, answer, pending::Calling};

/// Agent under which bursts are counted.
const ALL_NAMES: &str = "main";

/// Identical calls whose windows are kept for one owner, at least.
const MOST_WINDOWS: NonZeroU32 = NonZeroU32::new(4_096).unwrap();

/// Engines that differ in their settings. Those for shared callers exist once there is such a caller.
#[derive(Debug)]
pub(super) struct Engines {
    settings: Settings,
    /// Key of the session index of each engine.
    index_key: [u8; 16],
    private: Engine,
    /// Judges callers that several clients may share: a halt would stop all of them, so it ends in denials.
    shared: Option<Box<Engine>>,
    /// Applies `call-burst` to everything that one owner does under any of its names.
    bursts: Option<Box<Engine>>,
}

/// Whose calls a call is counted with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    Private { owner: Option<Box<str>> },
    Shared { owner: Box<str> },
}

impl Ring {
    pub(super) fn is_private(&self) -> bool {
        matches!(self, Self::Private { .. })
    }

    /// Name that its bursts are counted under as well.
    pub(super) fn owner(&self) -> Option<&str> {
        match self {
            Self::Private { owner } => owner.as_deref(),
            Self::Shared { owner } => Some(owner),
        }
    }
}

impl Engines {
    pub(super) fn new(settings: Settings, index_key: [u8; 16]) -> Self {
        Self {
            private: Engine::with_index_key(settings.clone(), index_key),
            shared: None,
            bursts: None,
            settings,
            index_key,
        }
    }

    /// Judges a call. A call that passes by its own name may still be one too many for its owner.
    pub(super) fn call(&mut self, calling: &mut Calling, call: Call, at: Micros) -> Decision {
        let burst = self.burst_of(calling, &call);
        let decision = calling.observed(self.of(&calling.ring), EventKind::Call(call), at);
        let (Some((owner, call)), true) = (burst, said(&decision) < Verdict::Deny) else {
            return decision;
        };
        let counted = Event::of(owner, ALL_NAMES, EventKind::Call(call));
        let mut second = self.bursts().observe(counted.at(at.milliseconds()));
        if said(&second) < Verdict::Deny {
            return decision;
        }
        if second.verdict >= Verdict::Deny {
            let denied = Outcome::new(calling.event_id.clone(), Status::Denied);
            calling.observed(self.of(&calling.ring), EventKind::Result(denied), at);
        }
        let burst = &self.settings.rules.call_burst;
        if let Some(reason) = &mut second.reason {
            reason.message = answer::burst(burst.limit.get(), burst.window_ms.get()).into();
            // It was counted without its arguments.
            reason.pattern.clear();
        }
        second
    }

    /// Judges a call without counting it.
    pub(super) fn check(&mut self, calling: &Calling, call: &Call) -> Decision {
        let engine = self.of(&calling.ring);
        engine.check(&calling.session, &calling.agent, call)
    }

    /// Takes in how a call ended.
    pub(super) fn end(
        &mut self,
        calling: &mut Calling,
        status: Status,
        (output, fingerprint): (Option<Json>, Option<Fingerprint>),
        at: Micros,
    ) -> Decision {
        let mut outcome = Outcome::new(calling.event_id.clone(), status);
        outcome.output = output;
        outcome.fingerprint = fingerprint;
        if let Some(owner) = calling.ring.owner()
            && self.settings.rules.call_burst.enabled
            && self.settings.rules.call_burst.half_open
        {
            let event = Event::of(owner, ALL_NAMES, EventKind::Result(outcome.clone()));
            self.bursts().observe(event.at(at.milliseconds()));
        }
        calling.observed(self.of(&calling.ring), EventKind::Result(outcome), at)
    }

    /// Continues with other settings. Returns false, with nothing changed, if a state cannot be carried over.
    pub(super) fn change(&mut self, settings: Settings) -> bool {
        let mut next = Self::new(settings, self.index_key);
        let shared = self.shared.as_deref();
        let bursts = self.bursts.as_deref();
        if !carry_over(&self.private, &mut next.private)
            || shared.is_some_and(|old| !carry_over(old, next.shared()))
            || bursts.is_some_and(|old| !carry_over(old, next.bursts()))
        {
            return false;
        }
        *self = next;
        true
    }

    /// Clears what is held against a session and the bursts of its owners, or everything. Returns the number of agents
    /// that were cleared.
    pub(super) fn reset(
        &mut self,
        session: Option<&str>,
        owners: &[Box<str>],
        at: Micros,
    ) -> usize {
        let is_meant = |name: &str| session.is_none_or(|session| session == name);
        let is_owner = |name: &str| owners.iter().any(|owner| **owner == *name);
        let mut cleared = clear(&mut self.private, is_meant, at);
        if let Some(shared) = &mut self.shared {
            cleared += clear(shared, is_meant, at);
        }
        if let Some(bursts) = &mut self.bursts {
            clear(bursts, |name| is_meant(name) || is_owner(name), at);
        }
        cleared
    }

    fn of(&mut self, ring: &Ring) -> &mut Engine {
        match ring {
            Ring::Private { .. } => &mut self.private,
            Ring::Shared { .. } => self.shared(),
        }
    }

    fn shared(&mut self) -> &mut Engine {
        let (settings, key) = (&self.settings, self.index_key);
        self.shared.get_or_insert_with(|| {
            let mut settings = settings.clone();
            settings.attendance = Attendance::Attended;
            Box::new(Engine::with_index_key(settings, key))
        })
    }

    fn bursts(&mut self) -> &mut Engine {
        let (settings, key) = (&self.settings, self.index_key);
        self.bursts.get_or_insert_with(|| {
            let mut only = settings.clone();
            only.attendance = Attendance::Attended;
            disable_all_but_bursts(&mut only.rules);
            only.rules.call_burst.keys = only.rules.call_burst.keys.max(MOST_WINDOWS);
            Box::new(Engine::with_index_key(only, key))
        })
    }

    /// The call as its owner's bursts count it.
    fn burst_of(&self, calling: &Calling, call: &Call) -> Option<(Box<str>, Call)> {
        let owner = calling.ring.owner()?;
        if !self.settings.rules.call_burst.enabled {
            return None;
        }
        let mut counted = Call::new(call.id.clone(), call.tool.clone(), call.args.clone());
        counted.fingerprint = call.fingerprint;
        Some((owner.into(), counted))
    }
}

fn disable_all_but_bursts(rules: &mut Rules) {
    for enabled in [
        &mut rules.exact_repeat.enabled,
        &mut rules.near_repeat.enabled,
        &mut rules.cycle.enabled,
        &mut rules.stagnation.enabled,
        &mut rules.stuck_outcome.enabled,
        &mut rules.failure_cascade.enabled,
        &mut rules.test_fix_cycle.enabled,
        &mut rules.unknown_tool.enabled,
        &mut rules.invalid_call.enabled,
        &mut rules.no_op.enabled,
        &mut rules.edit_revert.enabled,
        &mut rules.poll.enabled,
        &mut rules.chant.enabled,
        &mut rules.summary_loop.enabled,
        &mut rules.aimless.enabled,
        &mut rules.swarm_loop.enabled,
        &mut rules.relay.enabled,
        &mut rules.budget.enabled,
    ] {
        *enabled = false;
    }
}

fn said(decision: &Decision) -> Verdict {
    decision.would.unwrap_or(decision.verdict)
}

fn carry_over(from: &Engine, to: &mut Engine) -> bool {
    from.agents().all(|(session, agent)| {
        let state = from.snapshot(session, agent);
        state.is_none_or(|state| to.restore(session, agent, &state).is_ok())
    })
}

fn clear(engine: &mut Engine, is_meant: impl Fn(&str) -> bool, at: Micros) -> usize {
    let agents: Vec<(Box<str>, Box<str>)> = engine
        .agents()
        .filter(|(session, _)| is_meant(session))
        .map(|(session, agent)| (session.into(), agent.into()))
        .collect();
    let cleared = agents.len();
    for (session, agent) in agents {
        let reset = Event::of(session, agent, EventKind::Reset);
        engine.observe(reset.at(at.milliseconds()));
    }
    cleared
}

#[cfg(test)]
#[path = "engines_tests.rs"]
mod tests;
