//! Calls that are recorded more than once in one file are counted once, and every call gets a mark by which it is known
//! again in other files.
//!
//! A mark is made of what no two calls share: an id that a provider made unique, or else the time in milliseconds. Calls
//! and texts without either have no mark, and share the fate of the next one that has.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    mem::discriminant,
};

use unstuck::{Event, EventKind, Outcome, Timestamp};
use unstuck_transcript::Usage;

/// Calls, results and marks of one file that are remembered. Those of later ones are not compared.
const MOST: usize = 1 << 18;

/// Names a run within its file: session and agent.
pub(crate) type RunKey = (Box<str>, Box<str>);

/// Marks of a run's calls and texts, in their order; 0 for those without one.
#[derive(Debug, Default)]
pub(crate) struct RunMarks {
    pub(crate) key: RunKey,
    pub(crate) marks: Vec<u64>,
}

/// Calls and texts of a file's runs that are to be left out: by run, for each in its order.
pub(crate) type Plan = BTreeMap<RunKey, Vec<bool>>;

/// Lets every call of a file through once.
#[derive(Debug, Default)]
pub(crate) struct Once {
    calls: HashSet<u64>,
    results: HashSet<u64>,
    /// How often a call without a unique id was made at one time.
    times: HashMap<u64, u32>,
    runs: Vec<Run>,
    index: HashMap<RunKey, usize>,
    last: usize,
    keep_marks: KeepMarks,
    repeated: u64,
}

/// Whether the marks of a file are kept, to be compared with those of other files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum KeepMarks {
    #[default]
    No,
    Yes,
}

#[derive(Debug, Default)]
struct Run {
    found: RunMarks,
    /// What to leave out.
    plan: Vec<bool>,
    /// Calls and texts so far.
    met: usize,
    /// Mark of the last call that has one.
    last_call: u64,
    round: Round,
    /// Ids of calls that were left out and have no result yet.
    dropped: HashSet<Box<str>>,
}

/// What was met since the last turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Round {
    #[default]
    Nothing,
    /// Only what is left out.
    Repeated,
    New,
}

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    New,
    Repeated,
}

impl Once {
    pub(crate) fn new(plan: Plan, keep_marks: KeepMarks) -> Self {
        let mut once = Self {
            keep_marks,
            ..Self::default()
        };
        for (key, plan) in plan {
            let at = once.add(key);
            once.runs[at].plan = plan;
        }
        once
    }

    /// Whether an event is new. One that is not is to be left out.
    pub(crate) fn admits(&mut self, event: &Event) -> bool {
        let at = self.run(&event.session, &event.agent);
        let fate = match &event.kind {
            EventKind::Call(call) => {
                let unique = is_unique(&call.id);
                let mut mark = hash(&(&call.id, &call.tool, call.args.as_str()));
                let mut is_new = true;
                if unique {
                    is_new = self.calls.len() >= MOST || self.calls.insert(mark);
                } else {
                    mark = self.timed(mark, event.at);
                }
                self.runs[at].last_call = mark;
                let fate = if is_new {
                    let fate = self.meet(at, mark);
                    let run = &mut self.runs[at];
                    if fate == Fate::Repeated && run.dropped.len() < MOST {
                        run.dropped.insert(call.id.clone());
                    } else {
                        run.dropped.remove(&call.id);
                    }
                    fate
                } else {
                    Fate::Repeated
                };
                self.enter(at, fate)
            }
            EventKind::Step(step) => {
                let mark = self.timed(hash(&step.code), event.at);
                let fate = self.meet(at, mark);
                self.enter(at, fate)
            }
            EventKind::Text(text) => {
                let words = hash(&(discriminant(&text.role), &text.text));
                let mark = match self.runs[at].last_call {
                    0 => self.timed(words, event.at),
                    call => hash(&(call, words)),
                };
                let fate = self.meet(at, mark);
                self.enter(at, fate)
            }
            EventKind::Result(outcome) => self.result(at, outcome),
            EventKind::Turn(_) => {
                let fate = self.runs[at].fate();
                self.runs[at].round = Round::Nothing;
                fate
            }
            _ => self.runs[at].fate(),
        };
        fate == Fate::New
    }

    /// Whether what a request used is to be counted.
    pub(crate) fn admits_usage(&mut self, usage: &Usage) -> bool {
        let at = self.run(&usage.session, &usage.agent);
        self.runs[at].fate() == Fate::New
    }

    /// Calls and texts that were left out.
    pub(crate) fn repeated(&self) -> u64 {
        self.repeated
    }

    pub(crate) fn into_marks(self) -> Vec<RunMarks> {
        let runs = self.runs.into_iter().map(|run| run.found);
        runs.filter(|run| run.marks.iter().any(|mark| *mark > 0))
            .collect()
    }

    /// A mark with its time. Calls of one time are told apart by their order.
    fn timed(&mut self, mark: u64, at: Option<Timestamp>) -> u64 {
        // Many transcripts have whole seconds, in which much happens.
        let Some(Timestamp(at)) = at.filter(|at| at.0 % 1000 != 0) else {
            return 0;
        };
        let mark = hash(&(mark, at));
        if self.times.len() >= MOST {
            return 0;
        }
        let times = self.times.entry(mark).or_default();
        *times += 1;
        match *times {
            1 => mark,
            times => hash(&(mark, times)),
        }
    }

    /// Takes a call or text in; it is repeated where the plan says so.
    fn meet(&mut self, at: usize, mark: u64) -> Fate {
        let keep = self.keep_marks == KeepMarks::Yes;
        let run = &mut self.runs[at];
        if keep && run.found.marks.len() < MOST {
            run.found.marks.push(mark);
        }
        let planned = run.plan.get(run.met).copied().unwrap_or_default();
        run.met += 1;
        if planned { Fate::Repeated } else { Fate::New }
    }

    /// Takes the fate of a call or text into its round.
    fn enter(&mut self, at: usize, fate: Fate) -> Fate {
        let run = &mut self.runs[at];
        run.round = match (run.round, fate) {
            (Round::Nothing | Round::Repeated, Fate::Repeated) => Round::Repeated,
            (_, Fate::New) | (Round::New, _) => Round::New,
        };
        self.repeated += u64::from(fate == Fate::Repeated);
        fate
    }

    fn result(&mut self, at: usize, outcome: &Outcome) -> Fate {
        let is_dropped = self.runs[at].dropped.remove(&outcome.id);
        if is_dropped {
            return Fate::Repeated;
        }
        if !is_unique(&outcome.id) || self.results.len() >= MOST {
            return Fate::New;
        }
        let output = outcome.output.as_ref().map_or("", |output| output.as_str());
        let start = &output[..output.floor_char_boundary(256)];
        let mark = hash(&(
            &outcome.id,
            discriminant(&outcome.status),
            output.len(),
            start,
        ));
        if self.results.insert(mark) {
            Fate::New
        } else {
            Fate::Repeated
        }
    }

    fn run(&mut self, session: &str, agent: &str) -> usize {
        let is_last = |run: &Run| *run.found.key.0 == *session && *run.found.key.1 == *agent;
        if !self.runs.get(self.last).is_some_and(is_last) {
            let key = (session.into(), agent.into());
            self.last = match self.index.get(&key) {
                Some(at) => *at,
                None => self.add(key),
            };
        }
        self.last
    }

    fn add(&mut self, key: RunKey) -> usize {
        let at = self.runs.len();
        self.index.insert(key.clone(), at);
        self.runs.push(Run {
            found: RunMarks {
                key,
                marks: Vec::new(),
            },
            ..Run::default()
        });
        at
    }
}

impl Run {
    /// Fate of what has no mark: that of its round, or between rounds that of what comes next.
    fn fate(&self) -> Fate {
        let next = self.plan.get(self.met).copied().unwrap_or_default();
        match self.round {
            Round::Repeated => Fate::Repeated,
            Round::Nothing if next => Fate::Repeated,
            Round::Nothing | Round::New => Fate::New,
        }
    }
}

/// Whether an id was made so that no other is like it: a UUID, or letters and digits in no order. Counters and names of
/// tools are not.
fn is_unique(id: &str) -> bool {
    const LONG: usize = 16;
    const DIGITS: usize = 10;
    const DIFFERENT: u32 = 8;
    let letters_and_digits = |part: &&str| {
        part.len() >= LONG
            && part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let is_separator = |letter: char| !letter.is_ascii_alphanumeric();
    let digits = id.bytes().filter(u8::is_ascii_digit).count();
    if digits < DIGITS && !id.split(is_separator).any(|part| letters_and_digits(&part)) {
        return false;
    }
    let different = id.bytes().fold(0_u128, |met, byte| met | 1 << (byte & 127));
    different.count_ones() >= DIFFERENT
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    // Zero stands for no mark.
    hasher.finish().max(1)
}

#[cfg(test)]
#[path = "once_tests.rs"]
mod tests;
