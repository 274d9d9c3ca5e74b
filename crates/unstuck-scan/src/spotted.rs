//! One loop of a run, put together from single decisions.
//!
//! The engine reports one loop many times: it grows, other rules see it too, and after a halt that was not carried out
//! it is found anew. Here that becomes one loop, with the list of the calls that belong to it. That list is the only
//! source of every count: repeats, laps, calls wasted, and the pictures of a loop.

use std::collections::{HashMap, HashSet};

use unstuck::{
    Finding, RuleName, Settings, Verdict,
    settings::{CountCalls, CountSimilar, CycleOf, SwarmCount},
};

use super::{
    calls::RecentCalls,
    laps::Laps,
    mark::{Mark, Spent},
    members::Members,
};

/// Laps that make a loop of what stricter loops have left of it.
const LEAST_LAPS: usize = 3;

/// A loop while the run is being read.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    pub(crate) rule: RuleName,
    pub(crate) verdict: Verdict,
    /// Calls per lap.
    pub(super) period: usize,
    pub(crate) from: Mark,
    pub(crate) to: Mark,
    pub(crate) pattern: Vec<Box<str>>,
    /// Number of the tool of the pattern's first call.
    pub(crate) tool: Option<u16>,
    pub(crate) message: Box<str>,
    /// Other rules that saw it.
    pub(crate) also: Vec<RuleName>,
    /// Output of its last call.
    pub(crate) output: String,
    /// Its calls, in order.
    pub(super) members: Members,
    /// Calls of it when it was first reported.
    pub(super) first_told: usize,
    /// Occurrences as the engine counts them, for loops of words.
    counted: u64,
    /// The event that the engine says it began with.
    pub(super) engine_from: u64,
    /// A call that was judged to be one more, and whose outcome is not known yet.
    pub(super) expected: Option<u32>,
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The engine may still report it.
    Open,
    /// It would have ended the run here, and the engine has forgotten it.
    Halted,
    Closed,
}

/// What a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// A call that is about to be made.
    Call(u32),
    /// A call with its outcome.
    Outcome(u32),
    /// No call, or one that is not known.
    Other,
}

/// An event that was judged.
#[derive(Clone, Copy)]
pub(crate) struct Judged<'a> {
    pub(crate) about: About,
    /// Its place.
    pub(crate) now: Mark,
    /// The place of the event that the finding names as its first.
    pub(crate) from: Mark,
    pub(crate) calls: &'a RecentCalls,
    pub(crate) output: &'a str,
}

impl Spotted {
    pub(super) fn new(finding: &Finding, judged: &Judged<'_>) -> Self {
        Self {
            rule: finding.rule,
            verdict: Verdict::Allow,
            period: finding.period.max(1) as usize,
            from: judged.from,
            to: judged.now,
            pattern: finding.pattern.clone(),
            tool: None,
            message: "".into(),
            also: Vec::new(),
            output: String::new(),
            members: Members::default(),
            first_told: 0,
            counted: 0,
            engine_from: finding.from,
            expected: None,
            state: State::Open,
        }
    }

    pub(super) fn grow(&mut self, finding: &Finding, judged: &Judged<'_>, settings: &Settings) {
        self.counted = self.counted.max(finding.repeats.into());
        let about = match judged.about {
            _ if !counts_calls(self.rule) => About::Other,
            // A rule that judges whole turns: the last call of those it counted.
            About::Other => judged
                .calls
                .last_equal(finding.from)
                .map_or(About::Other, About::Outcome),
            about => about,
        };
        let call = match about {
            About::Other => {
                self.see(finding, judged);
                return;
            }
            About::Call(call) if !judges_calls(finding.rule, settings) => {
                let is_first = self.members.is_empty();
                if is_first || self.period == 1 {
                    let attempts = u32::from(counts_attempt(finding.rule));
                    let ran = finding.repeats.saturating_sub(attempts);
                    self.fill(finding, judged, call, ran);
                    self.members.add_equal(judged.calls);
                }
                if is_first {
                    self.see(finding, judged);
                }
                self.expected = Some(call);
                return;
            }
            About::Call(call) | About::Outcome(call) => call,
        };
        self.expected = None;
        match self.members.last() {
            Some(last) if last < call => {}
            // Its result came after that of a later call.
            Some(_) if self.period == 1 => {
                self.members.add(call, judged.calls);
                return;
            }
            Some(_) => return,
            None => {}
        }
        self.fill(finding, judged, call, finding.repeats.saturating_sub(1));
        self.add(call, judged.calls);
        self.see(finding, judged);
    }

    /// Adds calls before `call` that the engine has counted and that are not known yet; `counted` is how many it has.
    fn fill(&mut self, finding: &Finding, judged: &Judged<'_>, call: u32, counted: u32) {
        let calls = judged.calls;
        let next = self.members.last().map_or(0, |last| last + 1);
        let counted = counted as usize;
        let first = match calls.at_event(finding.from) {
            // Where only the event itself is named, the calls before it that are like it were counted.
            Some(first) if first >= call => call,
            Some(first) => first,
            None => return,
        };
        let found = if self.period > 1 {
            let laps = finding.repeats as usize;
            let first = first.max(next);
            let resumed = next > 0 && first > next && first - next <= 2 * self.period as u32 + 2;
            let first = if resumed { next } else { first };
            if next > 0 {
                calls
                    .between(first, call - 1)
                    .map(|one| one.number)
                    .collect()
            } else {
                calls.in_laps((laps, self.period), first, call - 1)
            }
        } else if let Some(last) = self.members.last() {
            let is_open = calls.get(call).is_none_or(|made| made.kind().is_none());
            let like = (self.rule, if is_open { last } else { call });
            let has = |call| self.members.has(call);
            if first >= next {
                // It was found anew: what lies between belongs to it where it is alike.
                calls.fitting(like, usize::MAX, (next, call), has)
            } else {
                let missing = counted.saturating_sub(self.members.since(first));
                calls.fitting(like, missing, (first, call), has)
            }
        } else {
            calls.alike(self.rule, counted, first, call)
        };
        for number in found {
            self.members.add(number, calls);
        }
    }

    /// Adds a call, and the calls before it that are equal to one of the loop.
    pub(super) fn add(&mut self, call: u32, calls: &RecentCalls) {
        self.members.add(call, calls);
        if self.period == 1 {
            self.members.add_equal(calls);
        }
    }

    /// Whether it may go on with this call. A rule that counts equal calls goes on with an equal one only; one line of a
    /// pattern may stand for calls that differ.
    pub(super) fn is_about(&self, call: Option<u32>, calls: &RecentCalls) -> bool {
        let counts_equals = matches!(
            self.rule,
            RuleName::ExactRepeat | RuleName::Poll | RuleName::CallBurst
        );
        let pair = self.members.last().zip(call);
        !counts_equals || pair.is_none_or(|(last, call)| calls.same_call(last, call))
    }

    /// Takes over what describes it, as it is now.
    fn see(&mut self, finding: &Finding, judged: &Judged<'_>) {
        self.to = judged.now;
        // A pattern begins where its lap begins.
        let in_phase = self.members.len().is_multiple_of(self.period) || self.tool.is_none();
        if !finding.pattern.is_empty() && in_phase {
            self.pattern.clone_from(&finding.pattern);
            let begin = self.members.len().checked_sub(self.period);
            let member = begin.and_then(|at| self.members.get(at));
            let call = match (judged.about, member) {
                // The pattern is the call that the finding is about, whether it has run or not.
                (About::Call(call) | About::Outcome(call), _) if self.period == 1 => Some(call),
                (_, Some(member)) => Some(member),
                (About::Call(call) | About::Outcome(call), None) => Some(call),
                (About::Other, None) => None,
            };
            let made = call.and_then(|call| judged.calls.get(call));
            self.tool = made.map(|made| made.tool).or(self.tool);
        }
        if !judged.output.is_empty() || matches!(judged.about, About::Outcome(_)) {
            self.output.clear();
            self.output.push_str(judged.output);
        }
    }

    /// Calls in a lap.
    pub(crate) fn period(&self) -> u64 {
        self.period as u64
    }

    /// Occurrences, the first included: laps of its calls, or what the engine counted where it is a loop of words.
    pub(crate) fn repeats(&self) -> u64 {
        if self.members.is_empty() {
            self.counted.max(1)
        } else {
            (self.members.len() / self.period) as u64
        }
    }

    /// Its calls in laps.
    pub(crate) fn laps(&self) -> Laps {
        Laps::new(self.members().map(u64::from).collect(), self.period)
    }

    /// Its calls, in order; a lap is as many of them as the period says.
    pub(crate) fn members(&self) -> impl Iterator<Item = u32> {
        self.members.calls()
    }

    /// The lap it was first reported in, counted from one.
    pub(crate) fn lap_told(&self) -> u64 {
        (self.first_told.div_ceil(self.period) as u64).clamp(1, self.repeats().max(1))
    }

    /// First and last call; of a loop of words, the calls made while it went on.
    pub(crate) fn span(&self) -> (u64, u64) {
        match (self.members.first(), self.members.last()) {
            (Some(first), Some(last)) => (first.into(), last.into()),
            _ => (self.from.call.max(1).min(self.to.call), self.to.call),
        }
    }

    /// First and last line; 0 where it is unknown.
    pub(crate) fn lines(&self) -> (u64, u64) {
        let of_words = (self.from.line, self.to.line);
        self.members.lines().unwrap_or(of_words)
    }

    /// When it began, in milliseconds since 1970.
    pub(crate) fn began(&self) -> Option<i64> {
        if self.members.is_empty() {
            return self.from.at;
        }
        self.members.began()
    }

    /// Calls that repeated something: those after the first lap. What a rule counts that is not a repetition of calls is
    /// none of them.
    pub(crate) fn wasted(&self) -> u64 {
        if self.rule.wastes_calls() {
            self.members.len().saturating_sub(self.period) as u64
        } else {
            0
        }
    }

    /// What the calls cost that repeated something. What words cost is not known.
    pub(crate) fn cost(&self) -> Spent {
        match self.rule {
            RuleName::Aimless => Spent::default(),
            _ => self.members.cost(self.period),
        }
    }

    /// A lap that was not completed is not one more occurrence.
    pub(super) fn whole_laps(&mut self) {
        let whole = self.members.len() / self.period * self.period;
        if whole > 0 {
            self.members.cut(whole);
        }
    }

    /// Leaves calls to stricter loops that have them. Returns the loop that has most of it, where too little is left to
    /// be a loop.
    pub(super) fn leave(&mut self, owners: &HashMap<u32, usize>, apart: &[Self]) -> Option<usize> {
        if self.members.is_empty() {
            return apart.iter().position(|other| other.covers(self));
        }
        let mut taken: HashMap<usize, usize> = HashMap::new();
        let owned: HashSet<u32> = self
            .members()
            .filter(|call| {
                let owner = owners.get(call);
                if let Some(owner) = owner {
                    *taken.entry(*owner).or_default() += 1;
                }
                owner.is_some()
            })
            .collect();
        if owned.is_empty() {
            return None;
        }
        let most = taken
            .into_iter()
            .max_by_key(|(owner, calls)| (*calls, usize::MAX - *owner));
        let most = most.map(|(owner, _)| owner);
        let left = self.members.laps_without(self.period, &owned);
        let (from, to) = most.map_or((0, 0), |owner| apart[owner].span());
        let elsewhere = left
            .iter()
            .filter(|one| !(from..=to).contains(&one.call.into()));
        let least = LEAST_LAPS * self.period;
        let is_half = 2 * left.len() >= self.members.len();
        if left.len() < least || !is_half && elsewhere.count() < least {
            return most;
        }
        self.members.replace(left);
        None
    }

    /// Whether it covers half of a loop of words.
    fn covers(&self, other: &Self) -> bool {
        let from = self.from.event.max(other.from.event);
        let to = self.to.event.min(other.to.event);
        let length = |spotted: &Self| (spotted.to.event + 1).saturating_sub(spotted.from.event);
        let shared = (to + 1).saturating_sub(from);
        shared > 0 && 2 * shared >= length(self).min(length(other))
    }

    /// Remembers that another rule saw it.
    pub(super) fn join(&mut self, other: &Self) {
        for rule in [other.rule].iter().chain(&other.also) {
            if *rule != self.rule && !self.also.contains(rule) {
                self.also.push(*rule);
            }
        }
    }
}

/// Whether the rule counts calls, and not words, messages or money.
fn counts_calls(rule: RuleName) -> bool {
    !matches!(
        rule,
        RuleName::Chant | RuleName::SummaryLoop | RuleName::Relay | RuleName::Budget
    )
}

/// Whether the rule looks at calls alone, whatever their outcomes.
fn judges_calls(rule: RuleName, settings: &Settings) -> bool {
    let rules = &settings.rules;
    match rule {
        RuleName::ExactRepeat => rules.exact_repeat.count != CountCalls::Outcomes,
        RuleName::NearRepeat => rules.near_repeat.count != CountSimilar::Outcomes,
        RuleName::Cycle => rules.cycle.of == CycleOf::Calls,
        RuleName::SwarmLoop => rules.swarm_loop.count == SwarmCount::EveryCall,
        RuleName::CallBurst => true,
        _ => false,
    }
}

/// Does the rule count a call that is about to be made together with those before it?
fn counts_attempt(rule: RuleName) -> bool {
    !matches!(rule, RuleName::StuckOutcome | RuleName::FailureCascade)
}

#[cfg(test)]
#[path = "spotted_tests.rs"]
mod tests;
