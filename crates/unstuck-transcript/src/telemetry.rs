//! Tells what spans and logs say, in the order of their times and each thing once.
//!
//! Exporters write a span when it ends, so that a file has them out of order, and the same call is described by the request
//! that brought it, by the span of its execution, by a log record, and by every history it is in.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap, HashSet},
};

use unstuck::{Call, Outcome, Role, Status, Timestamp};

use crate::{
    message::{Message, Part},
    seen::Seen,
    sink::Sink,
    track::{Moment, Track, Used},
};

/// How many bytes wait for what may have happened before them.
const WINDOW: usize = 8 << 20;

/// How many agents are kept apart.
const MAX_AGENTS: usize = 4_096;

/// How many calls are remembered by another id, or as failed.
const MAX_REMEMBERED: usize = 4_096;

/// Something that happened.
pub(crate) enum What {
    /// A request to the model, by its id.
    Request(Box<str>),
    /// What the request was sent with.
    History(Vec<Message>),
    Said(Box<str>),
    Thought(Box<str>),
    /// What the request used, by its id.
    Used(Box<str>, Used),
    Called(Call),
    Returned(Outcome),
    /// The call of this id failed, as is known before its result.
    Failed(Box<str>),
    /// A person said something.
    Asked,
}

/// The agent, and the line that says it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub(crate) session: Box<str>,
    pub(crate) agent: Box<str>,
    pub(crate) line: u64,
    /// How many bytes it has, about.
    pub(crate) size: usize,
}

/// All that happened, as far as it was not told yet.
#[derive(Default)]
pub(crate) struct Telemetry {
    held: BinaryHeap<Reverse<Held>>,
    held_bytes: usize,
    sequence: u64,
    /// The last time that anything had.
    latest: Option<Timestamp>,
    agents: BTreeMap<(Box<str>, Box<str>), Agent>,
}

struct Held {
    /// When, and how many came before.
    order: (Timestamp, u64),
    at: Option<Timestamp>,
    source: Source,
    what: What,
}

impl Telemetry {
    /// Something happened. Without a time it follows what was heard before it.
    pub(crate) fn hear(
        &mut self,
        source: &Source,
        at: Option<Timestamp>,
        what: What,
        sink: &mut dyn Sink,
    ) {
        self.sequence += 1;
        let time = at.or(self.latest).unwrap_or_default();
        if at.is_some() {
            self.latest = at;
        }
        self.held_bytes += source.size;
        self.held.push(Reverse(Held {
            order: (time, self.sequence),
            at,
            source: source.clone(),
            what,
        }));
        while self.held_bytes > WINDOW {
            self.tell_oldest(sink);
        }
    }

    /// There is no more.
    pub(crate) fn end(&mut self, sink: &mut dyn Sink) {
        while !self.held.is_empty() {
            self.tell_oldest(sink);
        }
        self.close(sink);
    }

    fn tell_oldest(&mut self, sink: &mut dyn Sink) {
        let Some(Reverse(held)) = self.held.pop() else {
            self.held_bytes = 0;
            return;
        };
        self.held_bytes = self.held_bytes.saturating_sub(held.source.size);
        if self.agents.len() >= MAX_AGENTS {
            self.close(sink);
        }
        let Source {
            session,
            agent,
            line,
            ..
        } = held.source;
        let here = Moment { line, at: held.at };
        let agent = self
            .agents
            .entry((session, agent))
            .or_insert_with_key(|(session, agent)| Agent::new(session, agent));
        agent.tell(here, held.what, sink);
    }

    fn close(&mut self, sink: &mut dyn Sink) {
        for agent in std::mem::take(&mut self.agents).values_mut() {
            agent.track.close(sink);
        }
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl Eq for Held {}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

/// One agent of one session.
struct Agent {
    track: Track,
    /// The calls, results and requests that were reported.
    told: Seen,
    /// Calls that a request brought and nothing has executed yet.
    announced: Vec<Call>,
    /// Calls without an id of their own, and the announced ones they are.
    known_as: HashMap<Box<str>, Box<str>>,
    failed: HashSet<Box<str>>,
    /// How many words of persons the last history had.
    asked: usize,
}

/// What the id of a call starts with that has none: the span's id follows.
pub(crate) const OF_SPAN: &str = "span-";

impl Agent {
    fn new(session: &str, agent: &str) -> Self {
        let or = |name: &str, usual: &str| -> Box<str> {
            if name.is_empty() { usual } else { name }.into()
        };
        Self {
            track: Track::new(or(session, "default"), or(agent, "main")),
            told: Seen::default(),
            announced: Vec::new(),
            known_as: HashMap::new(),
            failed: HashSet::new(),
            asked: 0,
        }
    }

    fn tell(&mut self, here: Moment, what: What, sink: &mut dyn Sink) {
        match what {
            What::Request(id) => {
                self.track.message(&id, sink);
                self.announced.clear();
            }
            What::History(messages) => self.history(here, messages, sink),
            What::Said(text) => self.track.say(here, Role::Assistant, &text, sink),
            What::Thought(text) => self.track.say(here, Role::Thinking, &text, sink),
            What::Used(request, used) => {
                if request.is_empty() || self.told.add(&format!("usage {request}")) {
                    self.track.pay(here, used, sink);
                }
            }
            What::Called(call) => self.call(here, call, sink),
            What::Returned(outcome) => self.result(here, outcome, sink),
            What::Failed(id) => {
                if self.failed.len() < MAX_REMEMBERED {
                    self.failed.insert(id);
                }
            }
            What::Asked => self.track.user(here, sink),
        }
    }

    /// Tells what is in a history and was not told otherwise.
    fn history(&mut self, here: Moment, messages: Vec<Message>, sink: &mut dyn Sink) {
        let mut asked = 0;
        for part in messages.into_iter().flat_map(|message| message.parts) {
            match part {
                Part::Asked(text) => {
                    asked += 1;
                    if asked > self.asked {
                        self.track.asked(here, &text, sink);
                    }
                }
                Part::Called(call) => self.call(here, call, sink),
                Part::Returned { outcome, .. } => self.result(here, outcome, sink),
                Part::Said(_) | Part::Thought(_) => {}
            }
        }
        self.asked = asked;
    }

    fn call(&mut self, here: Moment, call: Call, sink: &mut dyn Sink) {
        let same = |one: &Call| {
            if call.id.starts_with(OF_SPAN) {
                one.tool == call.tool && one.args == call.args
            } else {
                one.id == call.id
            }
        };
        if let Some(at) = self.announced.iter().position(same) {
            let announced = self.announced.remove(at);
            if self.known_as.len() < MAX_REMEMBERED && announced.id != call.id {
                self.known_as.insert(call.id, announced.id);
            }
            return;
        }
        if self.told.add(&format!("call {}", call.id)) {
            self.announced.push(call.clone());
            self.track.call(here, call, sink);
        }
    }

    fn result(&mut self, here: Moment, mut outcome: Outcome, sink: &mut dyn Sink) {
        if let Some(id) = self.known_as.remove(&outcome.id) {
            outcome.id = id;
        }
        self.announced.retain(|call| call.id != outcome.id);
        if self.failed.remove(&outcome.id) && outcome.status == Status::Ok {
            outcome.status = Status::Error;
        }
        if self.told.add(&format!("result {}", outcome.id)) {
            self.track.result(here, outcome, sink);
        }
    }
}

#[cfg(test)]
#[path = "telemetry_tests.rs"]
mod tests;
