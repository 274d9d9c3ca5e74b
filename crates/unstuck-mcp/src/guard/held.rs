//! What the rules hold against callers, for people who look after a proxy.

use unstuck::{RuleName, Verdict};

use super::Micros;

/// Callers that are listed. With more, the one that was denied longest ago is dropped, a halted one last.
const MOST: usize = 256;

/// A caller that was denied calls, or is halted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Held {
    /// Session the calls are counted for.
    pub session: Box<str>,
    /// Agent within the session.
    pub agent: Box<str>,
    /// Whether every further call is denied until a person resets it.
    pub halted: bool,
    /// Rule that decided last.
    pub rule: Option<RuleName>,
    /// Calls that were denied since the last reset.
    pub denials: u64,
    /// Time of the last denial.
    pub last: Micros,
    /// Name that its bursts are counted under as well.
    pub(super) owner: Option<Box<str>>,
}

/// The callers with denials, and how often the list has changed.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldList {
    pub(super) callers: Vec<Held>,
    pub(super) changes: u64,
}

impl HeldList {
    pub(super) fn add(
        &mut self,
        (session, agent, owner): (&str, &str, Option<&str>),
        verdict: Verdict,
        rule: Option<RuleName>,
        at: Micros,
    ) {
        self.changes += 1;
        let same = |held: &Held| *held.session == *session && *held.agent == *agent;
        let known = self.callers.iter().rposition(same);
        let place = known.unwrap_or_else(|| self.add_caller(session, agent, at));
        let held = &mut self.callers[place];
        held.halted |= verdict == Verdict::Halt;
        held.denials += 1;
        held.last = at;
        held.owner = owner.map(Into::into);
        if rule.is_some() {
            held.rule = rule;
        }
    }

    fn add_caller(&mut self, session: &str, agent: &str, at: Micros) -> usize {
        if self.callers.len() >= MOST {
            self.drop_one();
        }
        self.callers.push(Held {
            session: session.into(),
            agent: agent.into(),
            halted: false,
            rule: None,
            denials: 0,
            last: at,
            owner: None,
        });
        self.callers.len() - 1
    }

    /// Names under which the bursts of a session were counted.
    pub(super) fn owners(&self, session: &str) -> Vec<Box<str>> {
        let its = self.callers.iter().filter(|held| *held.session == *session);
        its.filter_map(|held| held.owner.clone()).collect()
    }

    pub(super) fn clear(&mut self, session: Option<&str>) {
        self.changes += 1;
        self.callers
            .retain(|held| session.is_some_and(|session| *held.session != *session));
    }

    fn drop_one(&mut self) {
        let order = |(_, held): &(usize, &Held)| (held.halted, held.last);
        let oldest = self.callers.iter().enumerate().min_by_key(order);
        if let Some((place, _)) = oldest {
            self.callers.remove(place);
        }
    }
}
