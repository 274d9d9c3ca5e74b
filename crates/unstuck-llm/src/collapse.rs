//! Laps of a loop that are left out of a history: of laps that are the same, calls and results, the first one stays.
//!
//! Whole steps are left out, so that every call keeps its result. What the model said or thought beside the calls is not
//! compared: a model that repeats itself writes other words each time.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    num::NonZeroUsize,
    ops::Range,
};

use unstuck_transcript::{Message, Part, Speaker};

/// Steps of one lap, at most.
const LONGEST_LAP: usize = 4;

/// Laps that are left out at once, at most, so that a long history is read in linear time.
const LONGEST_HISTORY: usize = 1 << 16;

/// What an element of a history adds to its step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StepPart {
    /// Hash of its calls and results, without their ids.
    hash: u64,
    calls: u32,
    results: u32,
    is_model: bool,
    /// Whether a person speaks in it, or it is not understood.
    is_other: bool,
}

impl StepPart {
    /// A thought of the model, which is not compared.
    pub(crate) fn thought() -> Self {
        Self {
            is_model: true,
            ..Self::default()
        }
    }

    pub(crate) fn of(messages: &[Message]) -> Self {
        let mut part = Self {
            is_other: messages.is_empty(),
            ..Self::default()
        };
        let mut hasher = DefaultHasher::new();
        for message in messages {
            part.is_model |= message.speaker == Speaker::Model;
            for one in &message.parts {
                match one {
                    Part::Called(call) => {
                        part.calls += 1;
                        (0, &call.tool, &call.args).hash(&mut hasher);
                    }
                    Part::Returned { outcome, .. } => {
                        part.results += 1;
                        let status = std::mem::discriminant(&outcome.status);
                        (1, status, &outcome.output, outcome.exit_code).hash(&mut hasher);
                    }
                    Part::Asked(_) => part.is_other = true,
                    Part::Said(_) | Part::Thought(_) => {}
                }
            }
        }
        part.hash = hasher.finish();
        part
    }
}

/// Elements that are left out, and what is said in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The elements. The one before them gets the text.
    pub(crate) elements: Range<usize>,
    /// Laps with the one that stays.
    pub(crate) laps: usize,
    /// Steps of a lap.
    pub(crate) steps: usize,
}

impl LeftOut {
    pub(crate) fn text(&self) -> String {
        let Self { laps, steps, .. } = self;
        let what = if *steps == 1 {
            "This step".to_owned()
        } else {
            format!("These {steps} steps")
        };
        format!(
            "[unstuck] {what} came {laps} times in a row, with the same results each time. The repeats are left out here. Doing the same again will give the same result."
        )
    }
}

/// A message of the model with the results of its calls.
#[derive(Clone, Copy, Debug)]
struct Step {
    begin: usize,
    end: usize,
    /// `None` for what cannot be part of a lap.
    hash: Option<u64>,
}

/// Finds laps that come at least `least` times in a row.
pub(crate) fn left_out(parts: impl Iterator<Item = StepPart>, least: NonZeroUsize) -> Vec<LeftOut> {
    let steps = steps(parts);
    let mut found = Vec::new();
    if steps.len() > LONGEST_HISTORY {
        return found;
    }
    let mut at = 0;
    while at < steps.len() {
        let lap = (1..=LONGEST_LAP).find_map(|length| {
            let laps = laps(&steps[at..], length);
            (laps >= least.get().max(2)).then_some((length, laps))
        });
        let Some((length, laps)) = lap else {
            at += 1;
            continue;
        };
        let end = at + length * laps;
        found.push(LeftOut {
            elements: steps[at + length].begin..steps[end - 1].end,
            laps,
            steps: length,
        });
        at = end;
    }
    found
}

/// How often the first `length` steps come in a row.
fn laps(steps: &[Step], length: usize) -> usize {
    let Some(first) = steps.get(..length) else {
        return 0;
    };
    if first.iter().any(|step| step.hash.is_none()) {
        return 0;
    }
    let same = |lap: &&[Step]| {
        let mut pairs = lap.iter().zip(first);
        pairs.all(|(step, first)| step.hash == first.hash)
    };
    steps.chunks_exact(length).take_while(same).count()
}

fn steps(parts: impl Iterator<Item = StepPart>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut open: Option<Open> = None;
    let mut count = 0;
    for (place, part) in parts.enumerate() {
        count = place + 1;
        let begins = match &open {
            None => true,
            // What the model says after results begins a step.
            Some(open) => part.is_model && open.is_answered,
        };
        if begins {
            steps.extend(open.take().map(|open| open.close(place)));
        }
        open.get_or_insert_with(|| Open::at(place)).add(part);
    }
    steps.extend(open.map(|open| open.close(count)));
    steps
}

struct Open {
    begin: usize,
    hasher: DefaultHasher,
    calls: u32,
    results: u32,
    is_answered: bool,
    is_other: bool,
}

impl Open {
    fn at(begin: usize) -> Self {
        Self {
            begin,
            hasher: DefaultHasher::new(),
            calls: 0,
            results: 0,
            is_answered: false,
            is_other: false,
        }
    }

    fn add(&mut self, part: StepPart) {
        if part.calls + part.results > 0 {
            part.hash.hash(&mut self.hasher);
        }
        self.calls += part.calls;
        self.results += part.results;
        self.is_answered |= !part.is_model;
        self.is_other |= part.is_other;
    }

    fn close(self, end: usize) -> Step {
        let is_whole = self.calls > 0 && self.calls == self.results && !self.is_other;
        Step {
            begin: self.begin,
            end,
            hash: is_whole.then(|| self.hasher.finish()),
        }
    }
}

#[cfg(test)]
#[path = "collapse_tests.rs"]
mod tests;
