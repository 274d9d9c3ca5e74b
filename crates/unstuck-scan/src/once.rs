//! Calls that are recorded more than once in one file are counted once, and every call gets a mark by which it is known
//! again in other files.
//!
//! A mark is made of what no two calls share: an id that a provider made unique, or else the time in milliseconds. Calls
//! and texts without either have no mark, and share the fate of the next one that has.
//!
//! Within a run, calls of the same id, tool, arguments and time are one call, whatever the id looks like. Readers give an
//! event without a time that of the event before it, so a call that comes after the result of its equal, while time
//! stood still, is another call.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
    mem::discriminant,
};

use unstuck::{Call, Event, EventKind, Outcome, Timestamp};
use unstuck_transcript::Usage;

/// Calls, results and marks of one file that are remembered. Later ones are not compared, which the report says.
pub(crate) const MOST: usize = 1 << 18;
/// Runs of one file that are distinguished.
pub(crate) const MAX_RUNS: usize = 65_536;

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
    /// Calls by run, id, tool, arguments and time, where the id is not unique.
    dated: HashSet<u64>,
    /// The last of those calls, by run and id.
    latest: HashMap<u64, Latest>,
    /// How often a call without a unique id was made at one time.
    times: HashMap<u64, u32>,
    runs: Vec<Run>,
    index: HashMap<RunKey, usize>,
    last: usize,
    keep_marks: KeepMarks,
    /// Marks that are kept, of all runs.
    kept: usize,
    repeated: u64,
    /// Calls and results that were not compared with all others.
    uncompared: u64,
    /// Whether the event at hand was not compared.
    is_over: bool,
}

/// A call whose id is not unique.
#[derive(Clone, Copy, Debug)]
struct Latest {
    /// Made of the run, the id, the tool, the arguments and the time.
    dated: u64,
    /// Number of equal calls before it that are other calls.
    round: u32,
    /// Whether it was recorded again.
    is_repeated: bool,
    /// Whether its result came since it was last recorded.
    is_answered: bool,
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
    /// Time of the last event that has one.
    now: Option<Timestamp>,
    /// Whether a part of the run that was recorded before is recorded again.
    is_back: bool,
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
            if let Some(at) = once.add(key) {
                once.runs[at].plan = plan;
            }
        }
        once
    }

    /// Whether an event is new. One that is not is to be left out.
    pub(crate) fn admits(&mut self, event: &Event) -> bool {
        let Some(at) = self.run(&event.session, &event.agent) else {
            // What comes of the runs that are too many is decided by the caller.
            return true;
        };
        self.is_over = false;
        let fate = match &event.kind {
            EventKind::Call(call) => {
                let fate = self.call(at, call, event.at);
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
        let run = &mut self.runs[at];
        run.now = event.at.or(run.now);
        self.uncompared += u64::from(self.is_over);
        fate == Fate::New
    }

    /// Whether what a request used is to be counted.
    pub(crate) fn admits_usage(&mut self, usage: &Usage) -> bool {
        let at = self.run(&usage.session, &usage.agent);
        at.is_none_or(|at| self.runs[at].fate() == Fate::New)
    }

    /// Calls and texts that were left out.
    pub(crate) fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Calls, texts and results that were not compared with all others, because the file has too many.
    pub(crate) fn uncompared(&self) -> u64 {
        self.uncompared
    }

    pub(crate) fn into_marks(self) -> Vec<RunMarks> {
        let runs = self.runs.into_iter().map(|run| run.found);
        runs.filter(|run| run.marks.iter().any(|mark| *mark > 0))
            .collect()
    }

    fn call(&mut self, at: usize, call: &Call, time: Option<Timestamp>) -> Fate {
        let mut mark = hash(&(&call.id, &call.tool, call.args.as_str()));
        let is_known = if is_unique(&call.id) {
            self.runs[at].last_call = mark;
            let has_room = self.has_room(self.calls.len());
            has_room && !self.calls.insert(mark)
        } else {
            let is_known = self.is_known(at, mark, &call.id, time);
            if !is_known {
                mark = self.timed(mark, time);
            }
            is_known
        };
        if is_known {
            return Fate::Repeated;
        }
        self.runs[at].last_call = mark;
        let fate = self.meet(at, mark);
        let run = &mut self.runs[at];
        if fate == Fate::Repeated && run.dropped.len() < MOST {
            run.dropped.insert(call.id.clone());
        } else {
            run.dropped.remove(&call.id);
        }
        fate
    }

    /// Whether a call whose id is not unique was recorded before, at the same time. Without an id or a time that cannot
    /// be told.
    fn is_known(&mut self, at: usize, mark: u64, id: &str, time: Option<Timestamp>) -> bool {
        let Some(time) = time.filter(|_| !id.is_empty()) else {
            return false;
        };
        let dated = hash(&(at, mark, time.0));
        let of_id = hash(&(at, id));
        let equal = self.latest.get(&of_id).copied();
        let equal = equal.filter(|latest| latest.dated == dated);
        let is_answered = equal.is_some_and(|latest| latest.is_answered);
        if !self.has_room(self.dated.len()) {
            return false;
        }
        let was_there = !self.dated.insert(dated);
        let run = &mut self.runs[at];
        run.is_back = was_there && (run.is_back || run.now != Some(time));
        let is_known = was_there && (run.is_back || !is_answered);
        let round = equal.map_or(0, |latest| latest.round + u32::from(!is_known));
        let latest = Latest {
            dated,
            round,
            is_repeated: is_known,
            is_answered: false,
        };
        self.latest.insert(of_id, latest);
        is_known
    }

    /// Whether one more can be remembered. Where it cannot, the event at hand is not compared.
    fn has_room(&mut self, used: usize) -> bool {
        self.is_over |= used >= MOST;
        used < MOST
    }

    /// A mark with its time. Calls of one time are distinguished by their order.
    fn timed(&mut self, mark: u64, at: Option<Timestamp>) -> u64 {
        // Many transcripts have whole seconds, in which much happens.
        let Some(Timestamp(at)) = at.filter(|at| at.0 % 1000 != 0) else {
            return 0;
        };
        let mark = hash(&(mark, at));
        if !self.has_room(self.times.len()) {
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
        let keep = self.keep_marks == KeepMarks::Yes && self.has_room(self.kept);
        let run = &mut self.runs[at];
        if keep {
            self.kept += 1;
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
        // The results of two calls may be equal; those of one call that is recorded twice are one.
        let mut is_compared = true;
        let call = if is_unique(&outcome.id) {
            0
        } else {
            let Some(latest) = self.latest.get_mut(&hash(&(at, &*outcome.id))) else {
                return Fate::New;
            };
            latest.is_answered = true;
            is_compared = latest.is_repeated;
            hash(&(latest.dated, latest.round))
        };
        if !self.has_room(self.results.len()) {
            return Fate::New;
        }
        let output = outcome.output.as_ref().map_or("", |output| output.as_str());
        let start = &output[..output.floor_char_boundary(256)];
        let mark = hash(&(
            call,
            &outcome.id,
            discriminant(&outcome.status),
            output.len(),
            start,
        ));
        let is_new = self.results.insert(mark);
        if is_new || !is_compared {
            Fate::New
        } else {
            Fate::Repeated
        }
    }

    /// The number of a run; `None` if it is one too many.
    fn run(&mut self, session: &str, agent: &str) -> Option<usize> {
        let is_last = |run: &Run| *run.found.key.0 == *session && *run.found.key.1 == *agent;
        if !self.runs.get(self.last).is_some_and(is_last) {
            let key = (session.into(), agent.into());
            self.last = match self.index.get(&key) {
                Some(at) => *at,
                None => self.add(key)?,
            };
        }
        Some(self.last)
    }

    fn add(&mut self, key: RunKey) -> Option<usize> {
        let at = self.runs.len();
        if at >= MAX_RUNS {
            return None;
        }
        self.index.insert(key.clone(), at);
        self.runs.push(Run {
            found: RunMarks {
                key,
                marks: Vec::new(),
            },
            ..Run::default()
        });
        Some(at)
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
