//! What happened in a recording, as far as it does not depend on settings: who called what, and what was new.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher as _},
    rc::Rc,
};

use unstuck::{Event, EventKind, Json, Status};

/// Agents that are followed in one recording.
const MAX_AGENTS: usize = 4_096;
/// Calls of one agent that wait for their result.
const MAX_PENDING: usize = 64;
/// Calls and answers of one agent that are remembered.
const MAX_SEEN: usize = 1_024;
/// Longer arguments are not kept to be compared.
const MAX_ARGS: usize = 16 << 10;

/// The story of one recording.
#[derive(Default)]
pub(crate) struct Story {
    index: HashMap<(Box<str>, Box<str>), usize>,
    agents: Vec<Agent>,
    tools: BTreeSet<Rc<str>>,
    /// Line of the file of every event, 0 where it has none.
    lines: Vec<u32>,
    /// Events of agents that were too many to follow.
    pub(crate) unfollowed: u64,
}

struct Agent {
    session: Box<str>,
    name: Box<str>,
    pending: VecDeque<(Box<str>, Made)>,
    seen: Seen,
}

/// A call that was made.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) tool: Rc<str>,
    /// The same for equal calls.
    pub(crate) mark: u64,
    /// The arguments, unless they are very long.
    pub(crate) args: Option<Json>,
}

/// One event, put into its story.
pub(crate) struct Happening {
    /// The number of the agent in its recording.
    pub(crate) agent: usize,
    /// Number of the event in its recording, counted from one.
    pub(crate) number: u64,
    pub(crate) what: What,
}

pub(crate) enum What {
    Called(Made),
    /// A call returned.
    Came(Made, News),
    /// A step was made: the mark of its code.
    Stepped(u64, News),
    /// A person said something or cleared the session.
    Person,
    Other,
}

/// What an outcome brought that is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// It failed, was not run, or was known.
    None,
    /// A call that had not been made before.
    Call,
    /// A known call with an answer that it had not given before.
    Answer,
}

impl Story {
    /// Takes an event in; returns `None` for agents that are too many. The event's line becomes its number in the
    /// recording, because several events may stand on one line.
    pub(crate) fn see(&mut self, event: &mut Event) -> Option<Happening> {
        let line = event.line.unwrap_or(0);
        self.lines.push(u32::try_from(line).unwrap_or(0));
        let place = self.lines.len() as u64;
        event.line = Some(place);
        let Some(number) = self.number(event) else {
            self.unfollowed += 1;
            return None;
        };
        let what = match &event.kind {
            EventKind::Call(call) => {
                let args = call.args.as_str();
                let made = Made {
                    tool: intern(&mut self.tools, &call.tool),
                    mark: mark(&(&call.tool, call.key.as_deref(), args)),
                    args: (args.len() <= MAX_ARGS).then(|| call.args.clone()),
                };
                let pending = &mut self.agents[number].pending;
                pending.retain(|(id, _)| *id != call.id);
                if pending.len() >= MAX_PENDING {
                    pending.pop_front();
                }
                pending.push_back((call.id.clone(), made.clone()));
                What::Called(made)
            }
            EventKind::Result(outcome) => {
                let agent = &mut self.agents[number];
                let at = agent.pending.iter().position(|(id, _)| *id == outcome.id);
                match at.and_then(|at| agent.pending.remove(at)) {
                    None => What::Other,
                    Some((_, made)) => {
                        let ran = outcome.status == Status::Ok && !outcome.failed();
                        let output = outcome.output.as_ref().map(Json::as_str);
                        let news = agent.seen.news(made.mark, mark(&output));
                        What::Came(made, if ran { news } else { News::None })
                    }
                }
            }
            EventKind::Step(step) => {
                let code = mark(&step.code);
                let output = mark(&step.output.as_ref().map(Json::as_str));
                What::Stepped(code, self.agents[number].seen.news(code, output))
            }
            EventKind::User | EventKind::Reset => What::Person,
            _ => What::Other,
        };
        Some(Happening {
            agent: number,
            number: place,
            what,
        })
    }

    /// Line of the file that an event stands on; 0 where it has none.
    pub(crate) fn line(&self, event: u64) -> u64 {
        let at = usize::try_from(event).ok().and_then(|at| at.checked_sub(1));
        at.and_then(|at| self.lines.get(at))
            .copied()
            .map_or(0, u64::from)
    }

    /// Session and agent of a number.
    pub(crate) fn name(&self, agent: usize) -> Option<(&str, &str)> {
        let agent = self.agents.get(agent)?;
        Some((&agent.session, &agent.name))
    }

    /// The different sessions.
    pub(crate) fn sessions(&self) -> BTreeSet<&str> {
        self.agents.iter().map(|agent| &*agent.session).collect()
    }

    fn number(&mut self, event: &Event) -> Option<usize> {
        let key = (event.session.clone(), event.agent.clone());
        if let Some(number) = self.index.get(&key) {
            return Some(*number);
        }
        let number = self.agents.len();
        if number >= MAX_AGENTS {
            return None;
        }
        self.agents.push(Agent {
            session: key.0.clone(),
            name: key.1.clone(),
            pending: VecDeque::new(),
            seen: Seen::default(),
        });
        self.index.insert(key, number);
        Some(number)
    }
}

/// Calls and answers that were there before; the oldest are forgotten.
#[derive(Default)]
struct Seen {
    marks: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Seen {
    fn news(&mut self, call: u64, answer: u64) -> News {
        let new_call = self.add(call);
        let new_answer = self.add(mark(&(call, answer)));
        match (new_call, new_answer) {
            (true, _) => News::Call,
            (false, true) => News::Answer,
            (false, false) => News::None,
        }
    }

    fn add(&mut self, mark: u64) -> bool {
        if !self.marks.insert(mark) {
            return false;
        }
        self.order.push_back(mark);
        if self.order.len() > MAX_SEEN
            && let Some(oldest) = self.order.pop_front()
        {
            self.marks.remove(&oldest);
        }
        true
    }
}

/// The same for equal values, on every run.
pub(crate) fn mark(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn intern(tools: &mut BTreeSet<Rc<str>>, tool: &str) -> Rc<str> {
    if let Some(known) = tools.get(tool) {
        return Rc::clone(known);
    }
    let tool: Rc<str> = tool.into();
    tools.insert(Rc::clone(&tool));
    tool
}
