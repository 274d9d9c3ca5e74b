//! Loops of one run, put together from single decisions.
//!
//! The engine speaks of one loop many times: it grows, other rules see it too, and after a halt that nobody carried out
//! it is found anew. Here that becomes one loop.

use unstuck::{Finding, Reason, RuleName, Verdict};

use super::mark::Mark;

/// Loops of one run that are kept apart. What comes after is counted with the last.
const MAX_LOOPS: usize = 512;
/// Laps of one loop that are remembered, to be shown.
const MAX_LAPS: usize = 256;

/// A loop while the run is being read.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    pub(crate) rule: RuleName,
    pub(crate) verdict: Verdict,
    /// Occurrences, the first included.
    pub(crate) repeats: u64,
    pub(crate) period: u64,
    pub(crate) from: Mark,
    pub(crate) to: Mark,
    pub(crate) pattern: Vec<Box<str>>,
    pub(crate) message: Box<str>,
    /// Other rules that saw it.
    pub(crate) also: Vec<RuleName>,
    /// What came back, as it was when last seen.
    pub(crate) output: String,
    /// Where it was seen to grow, and how many occurrences there were then: the first times, and the last.
    pub(crate) laps: Vec<(u64, Mark)>,
    /// The event the engine says it began with.
    engine_from: u64,
    /// Occurrences before a halt that nobody carried out.
    carried: u64,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The engine may still speak of it.
    Open,
    /// It would have ended the run here, and the engine was told to forget.
    Halted,
    Closed,
}

/// The loops of one run, in the order they were first told of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    loops: Vec<Spotted>,
}

impl Loops {
    /// Takes in what a rule saw and did not tell of. `from` is where the finding begins.
    pub(crate) fn seen(&mut self, finding: &Finding, (from, now): (Mark, Mark), output: &str) {
        if let Some(at) = self.open(finding).or_else(|| self.resumed(finding, from)) {
            self.loops[at].grow(finding, now, output);
        }
    }

    /// Takes in what the agent would have been told. `from` is where the finding begins.
    pub(crate) fn told(
        &mut self,
        (finding, reason): (&Finding, &Reason),
        verdict: Verdict,
        (from, now): (Mark, Mark),
        output: &str,
    ) {
        let known = self.open(finding).or_else(|| self.resumed(finding, from));
        let at = match known {
            Some(at) => at,
            None if self.loops.len() >= MAX_LOOPS => self.loops.len() - 1,
            None => {
                self.loops.push(Spotted::new(finding, (from, now)));
                self.loops.len() - 1
            }
        };
        let spotted = &mut self.loops[at];
        spotted.grow(finding, now, output);
        if verdict > spotted.verdict || spotted.message.is_empty() {
            spotted.verdict = spotted.verdict.max(verdict);
            spotted.message.clone_from(&reason.message);
        }
    }

    /// The engine has forgotten everything about the run.
    pub(crate) fn reset(&mut self) {
        for spotted in &mut self.loops {
            spotted.state = match spotted.state {
                State::Open => State::Halted,
                State::Halted | State::Closed => State::Closed,
            };
        }
    }

    /// The loops, each once, in the order they began.
    pub(crate) fn finish(self) -> Vec<Spotted> {
        let mut apart: Vec<Spotted> = Vec::new();
        for spotted in self.loops {
            match apart.iter().position(|other| other.is_same(&spotted)) {
                Some(at) => {
                    let other = apart.remove(at);
                    apart.push(other.joined(spotted));
                }
                None => apart.push(spotted),
            }
        }
        apart.sort_by_key(|spotted| (spotted.from.event, spotted.to.event, spotted.rule as usize));
        apart
    }

    fn open(&self, finding: &Finding) -> Option<usize> {
        self.loops.iter().rposition(|spotted| {
            spotted.state == State::Open
                && spotted.rule == finding.rule
                && spotted.engine_from == finding.from
        })
    }

    /// A loop that would have ended the run, and that goes on as if nothing had been said.
    fn resumed(&mut self, finding: &Finding, from: Mark) -> Option<usize> {
        let at = self.loops.iter().rposition(|spotted| {
            let gap = from.call.saturating_sub(spotted.to.call);
            spotted.state == State::Halted
                && spotted.rule == finding.rule
                && spotted.pattern == finding.pattern
                && gap <= 2 * u64::from(finding.period) + 2
        })?;
        self.loops[at].resume(finding);
        Some(at)
    }
}

impl Spotted {
    fn new(finding: &Finding, (from, now): (Mark, Mark)) -> Self {
        Self {
            rule: finding.rule,
            verdict: Verdict::Allow,
            repeats: 0,
            period: 1,
            from,
            to: now,
            pattern: finding.pattern.clone(),
            message: "".into(),
            also: Vec::new(),
            output: String::new(),
            laps: Vec::new(),
            engine_from: finding.from,
            carried: 0,
            state: State::Open,
        }
    }

    fn grow(&mut self, finding: &Finding, now: Mark, output: &str) {
        let repeats = self.carried + u64::from(finding.repeats);
        if repeats >= self.repeats {
            if repeats > self.repeats {
                self.laps.truncate(MAX_LAPS - 1);
                self.laps.push((repeats, now));
            }
            self.repeats = repeats;
            self.period = u64::from(finding.period.max(1));
            self.to = now;
            if !finding.pattern.is_empty() {
                self.pattern.clone_from(&finding.pattern);
            }
            if !output.is_empty() {
                self.output.clear();
                self.output.push_str(output);
            }
        }
    }

    fn resume(&mut self, finding: &Finding) {
        self.carried = self.repeats;
        self.engine_from = finding.from;
        self.state = State::Open;
    }

    /// Calls from the first to the last.
    pub(crate) fn calls(&self) -> u64 {
        (self.to.call + 1).saturating_sub(self.from.call)
    }

    /// Calls that repeated something. What a rule counts that is no repetition of calls is none of them.
    pub(crate) fn wasted(&self) -> u64 {
        let repeated = self.repeats.saturating_sub(1).saturating_mul(self.period);
        match self.rule {
            RuleName::Chant | RuleName::Relay | RuleName::Budget | RuleName::Aimless => 0,
            _ => repeated.min(self.calls().saturating_sub(1)),
        }
    }

    /// How much of what was spent in it is waste, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        match self.rule {
            RuleName::Budget | RuleName::Aimless => 0.0,
            // Every saying after the first.
            RuleName::Chant | RuleName::Relay => {
                ratio(self.repeats.saturating_sub(1), self.repeats)
            }
            _ => ratio(self.wasted(), self.calls()),
        }
    }

    /// Are these two views of one stretch? They are where one covers half of the other.
    fn is_same(&self, other: &Self) -> bool {
        let from = self.from.event.max(other.from.event);
        let to = self.to.event.min(other.to.event);
        let length = |spotted: &Self| (spotted.to.event + 1).saturating_sub(spotted.from.event);
        let shared = (to + 1).saturating_sub(from);
        shared > 0 && 2 * shared >= length(self).min(length(other))
    }

    /// One loop of two. The stricter one gives its name, then the one that saw more of it.
    fn joined(self, other: Self) -> Self {
        let weight = |spotted: &Self| (spotted.verdict, spotted.wasted());
        let (mut main, rest) = if weight(&other) > weight(&self) {
            (other, self)
        } else {
            (self, other)
        };
        for rule in [rest.rule].into_iter().chain(rest.also) {
            if rule != main.rule && !main.also.contains(&rule) {
                main.also.push(rule);
            }
        }
        if rest.from.event < main.from.event {
            main.from = rest.from;
        }
        if rest.to.event > main.to.event {
            main.to = rest.to;
        }
        main
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a share does not need the last digit"
)]
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

#[cfg(test)]
#[path = "spotted_tests.rs"]
mod tests;
