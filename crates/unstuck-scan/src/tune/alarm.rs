//! Alarms: one pattern in one run that got at least a nudge.

use std::rc::Rc;

use unstuck::{Decision, RuleName, Verdict};

use super::outcome::{Ending, Sequel};

/// A pattern that was reported, from its first event to the last that belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct Alarm {
    /// The number of the agent in its recording.
    pub(crate) agent: usize,
    pub(crate) rule: RuleName,
    /// The tool of the event it was first told with.
    pub(crate) tool: Option<Rc<str>>,
    pub(crate) pattern: Vec<Box<str>>,
    /// Message that the model would have got first, whole.
    pub(crate) message: Box<str>,
    pub(crate) period: u32,
    /// Repeats when it was first told of.
    pub(crate) repeats: u32,
    /// Repeats when it ended.
    pub(crate) peak: u32,
    /// The event that the pattern starts with, counted from one; in reports its line, 0 where it has none.
    pub(crate) from: u64,
    /// The event of the first nudge, denial or halt, or its line.
    pub(crate) told: u64,
    /// The last event that belongs to the pattern, or its line.
    pub(crate) last: u64,
    /// The first event, or line, of each answer that was stricter than those before, the strictest last.
    pub(crate) answers: Vec<(Verdict, u64)>,
    pub(super) sequel: Sequel,
}

impl Alarm {
    /// The alarm that a decision raises, unless it is an `allow`.
    pub(super) fn raised(
        decision: &Decision,
        (agent, tool, call): (usize, Option<Rc<str>>, Option<u64>),
    ) -> Option<Self> {
        let reason = decision.reason.as_ref()?;
        if decision.verdict == Verdict::Allow {
            return None;
        }
        let finding = decision
            .findings
            .iter()
            .find(|finding| finding.rule == reason.rule);
        Some(Self {
            agent,
            rule: reason.rule,
            tool,
            pattern: reason.pattern.clone(),
            message: without_marker(&reason.message),
            period: reason.period,
            repeats: reason.repeats,
            peak: reason.repeats,
            from: finding.map_or(decision.line, |finding| finding.from),
            told: decision.line,
            last: decision.line,
            answers: vec![(decision.verdict, decision.line)],
            sequel: Sequel::of(call),
        })
    }

    /// Replaces numbers of events by lines of the file, for a report.
    pub(super) fn place(&mut self, line: impl Fn(u64) -> u64) {
        let answers = self.answers.iter_mut().map(|(_, event)| event);
        for event in [&mut self.from, &mut self.told, &mut self.last]
            .into_iter()
            .chain(answers)
        {
            *event = line(*event);
        }
    }

    /// The strictest of the answers.
    pub(crate) fn verdict(&self) -> Verdict {
        self.answers
            .last()
            .map_or(Verdict::Allow, |(verdict, _)| *verdict)
    }

    /// Takes a further answer in.
    pub(super) fn told_again(&mut self, verdict: Verdict, line: u64) {
        if verdict > self.verdict() {
            self.answers.push((verdict, line));
        }
    }

    pub(crate) fn is_same_pattern(&self, rule: RuleName, from: u64) -> bool {
        self.rule == rule && self.from == from
    }

    /// Whether any event is part of both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.agent == other.agent && self.from <= other.last && other.from <= self.last
    }

    pub(crate) fn ending(&self) -> Ending {
        self.sequel.ending()
    }
}

fn without_marker(message: &str) -> Box<str> {
    let text = message
        .strip_prefix(unstuck::message::MARKER)
        .unwrap_or(message);
    text.trim_start().into()
}
