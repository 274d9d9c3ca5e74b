//! Calls of swarms that are known to fail: asked before a call runs, reported after it has.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::{Value, json};
use unstuck::{Call, Event, EventKind, Outcome, fingerprint::Fingerprinter, swarm::Worker};
use unstuck_session::clock;
use unstuck_swarm::{CallKey, CallNews, DeadCalls, Keys, SwarmKey};
use unstuck_text::Shown;

/// Name of the rule in answers.
pub(crate) const RULE: &str = "known-dead";

/// Calls under way that are remembered until their results.
const MOST: usize = 16_384;

/// Bytes of an output that are compared.
const COMPARED: usize = 512;

/// A swarm and a call of it.
type Place = (SwarmKey, CallKey);

/// Calls that are known to fail, and the calls under way.
pub(crate) struct KnownCalls {
    dead: Arc<DeadCalls>,
    keys: Keys,
    prints: Fingerprinter,
    open: Mutex<OpenCalls>,
}

/// Calls under way by session, agent and id.
#[derive(Default)]
struct OpenCalls {
    /// With the number of the call.
    calls: BTreeMap<Name, (Place, u64)>,
    /// The oldest first. Calls that ended, or whose name was given again, are still in it.
    order: VecDeque<(Name, u64)>,
    numbers: u64,
}

impl OpenCalls {
    fn begin(&mut self, name: Name, place: Place) {
        self.numbers += 1;
        self.calls.insert(name.clone(), (place, self.numbers));
        self.order.push_back((name, self.numbers));
        if self.order.len() > 2 * MOST {
            let calls = &self.calls;
            self.order
                .retain(|(name, number)| is_open(calls, name, *number));
        }
        while self.calls.len() > MOST {
            let Some((name, number)) = self.order.pop_front() else {
                break;
            };
            if is_open(&self.calls, &name, number) {
                self.calls.remove(&name);
            }
        }
    }

    fn end(&mut self, name: &Name) -> Option<Place> {
        self.calls.remove(name).map(|(place, _)| place)
    }
}

fn is_open(calls: &BTreeMap<Name, (Place, u64)>, name: &Name, number: u64) -> bool {
    calls.get(name).is_some_and(|(_, known)| *known == number)
}

/// Session, agent and id of a call.
type Name = (Box<str>, Box<str>, Box<str>);

impl KnownCalls {
    pub(crate) fn new(dead: DeadCalls, keys: Keys) -> Self {
        Self {
            dead: Arc::new(dead),
            keys,
            prints: Fingerprinter::default(),
            open: Mutex::default(),
        }
    }

    /// Takes an event in. Returns the answer to a call that should not be made. Only events that name a swarm matter.
    pub(crate) async fn answer(&self, event: &Event) -> Option<Value> {
        match &event.kind {
            EventKind::Call(call) => self.planned(event, call).await,
            EventKind::Result(outcome) => {
                self.ended(event, outcome).await;
                None
            }
            _ => None,
        }
    }

    async fn planned(&self, event: &Event, call: &Call) -> Option<Value> {
        let swarm = event.swarm.as_deref()?;
        let place = (
            self.keys.swarm(swarm),
            self.keys.call(&self.prints.action(&call.tool, &call.args)),
        );
        let worker = self.worker(event);
        let dead = Arc::clone(&self.dead);
        let asked = move || dead.news(place, worker, &CallNews::Planned);
        let Some(dead) = tokio::task::spawn_blocking(asked).await.ok()? else {
            self.remember(event, &call.id, place);
            return None;
        };
        let what = format!("`{}`", Shown::line(&call.label()));
        let now = u64::try_from(clock::now()).unwrap_or(0);
        Some(json!({
            "session": event.session,
            "agent": event.agent,
            "verdict": "deny",
            "rule": RULE,
            "message": dead.message(&what, now),
        }))
    }

    async fn ended(&self, event: &Event, outcome: &Outcome) {
        let name = (
            event.session.clone(),
            event.agent.clone(),
            outcome.id.clone(),
        );
        let place = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.end(&name)
        };
        let Some(place) = place.filter(|_| outcome.settled()) else {
            return;
        };
        // A failure without a text is like every other one.
        if outcome.failed() && says_nothing(outcome) {
            return;
        }
        let worker = self.worker(event);
        let how = outcome.failed().then(|| likeness(outcome));
        let named = match &*event.agent {
            "" | "main" => event.session.to_string(),
            agent => format!("{} {agent}", event.session),
        };
        let dead = Arc::clone(&self.dead);
        let report = move || {
            let news = match how {
                Some(how) => CallNews::Failed { how, name: &named },
                None => CallNews::Worked,
            };
            dead.news(place, worker, &news);
        };
        let _ = tokio::task::spawn_blocking(report).await;
    }

    fn remember(&self, event: &Event, id: &str, place: Place) {
        let name = (event.session.clone(), event.agent.clone(), id.into());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.begin(name, place);
    }

    fn worker(&self, event: &Event) -> Worker {
        self.keys.worker(Worker::new(&event.session, &event.agent))
    }
}

fn says_nothing(outcome: &Outcome) -> bool {
    let text = outcome
        .output
        .as_ref()
        .map_or("null", |output| output.as_str());
    matches!(text, "null" | "\"\"" | "{}" | "[]")
}

/// Equal for failures that differ in their numbers only: times, ports and ids.
fn likeness(outcome: &Outcome) -> u64 {
    let output = outcome.output.as_ref().map_or("", |output| output.as_str());
    let letters = output.bytes().filter(|byte| !byte.is_ascii_digit());
    let compared: Vec<u8> = letters.take(COMPARED).collect();
    let hash = blake3::hash(&compared);
    let (first, _) = hash.as_bytes().split_at(8);
    first
        .iter()
        .fold(0, |sum, byte| (sum << 8) | u64::from(*byte))
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
