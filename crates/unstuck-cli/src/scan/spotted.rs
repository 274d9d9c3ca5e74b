//! Loops of one run, put together from single decisions.
//!
//! The engine reports one loop many times: it grows, other rules see it too, and after a halt that was not carried out
//! it is found anew. Here that becomes one loop, with the list of the calls that belong to it. That list is the only
//! source of every count: repeats, laps, calls wasted, and the pictures of a loop.

use std::collections::{HashMap, HashSet};

use unstuck::{CountCalls, CycleOf, Finding, Reason, RuleName, Settings, SwarmCount, Verdict};

use super::{calls::RecentCalls, mark::Mark};

/// Loops of one run that are kept apart.
const MAX_LOOPS: usize = 4_096;
/// Calls of one loop whose place is kept.
const MAX_MEMBERS: usize = 1 << 20;

/// A loop while the run is being read.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    pub(crate) rule: RuleName,
    pub(crate) verdict: Verdict,
    /// Calls per lap.
    period: usize,
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
    members: Vec<Member>,
    /// Calls of it when it was first reported.
    first_told: usize,
    /// Occurrences as the engine counts them, for loops of words.
    counted: u64,
    /// The event that the engine says it began with.
    engine_from: u64,
    /// Calls over the limit.
    left_out: u64,
    /// A call that was judged to be one more, and whose outcome is not known yet.
    expected: Option<u32>,
    state: State,
}

/// A call of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Number of the call in its run, counted from one.
    pub(crate) call: u32,
    /// Line of the file; 0 where it is unknown.
    line: u32,
    at: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
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

/// The loops of one run, in the order they were first reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    loops: Vec<Spotted>,
    /// Open loops by rule and the event they began with.
    open: HashMap<(RuleName, u64), usize>,
    /// Reports over the limit of loops.
    left_out: u64,
}

impl Loops {
    /// Takes in what a rule saw and did not report.
    pub(crate) fn seen(&mut self, finding: &Finding, judged: &Judged<'_>, settings: &Settings) {
        if let Some(at) = self.known(finding, judged) {
            self.loops[at].grow(finding, judged, settings);
        }
    }

    /// Takes in what the agent would have been told.
    pub(crate) fn told(
        &mut self,
        (finding, reason): (&Finding, &Reason),
        verdict: Verdict,
        judged: &Judged<'_>,
        settings: &Settings,
    ) {
        let at = match self.known(finding, judged) {
            Some(at) => at,
            None if self.loops.len() >= MAX_LOOPS => {
                self.left_out += 1;
                return;
            }
            None => {
                self.loops.push(Spotted::new(finding, judged));
                let at = self.loops.len() - 1;
                self.open.insert((finding.rule, finding.from), at);
                at
            }
        };
        let spotted = &mut self.loops[at];
        spotted.grow(finding, judged, settings);
        if spotted.first_told == 0 {
            spotted.first_told = spotted.members.len();
        }
        if verdict > spotted.verdict || spotted.message.is_empty() {
            spotted.verdict = spotted.verdict.max(verdict);
            spotted.message.clone_from(&reason.message);
        }
    }

    /// Takes in a result. A call that was reported before it ran, and not after, belongs to the loop where its outcome
    /// is the same again: another rule may have taken over, or a halt made the engine forget the call.
    pub(crate) fn ended(&mut self, call: u32, now: Mark, calls: &RecentCalls) {
        for spotted in self.loops.iter_mut().rev().take(4) {
            if spotted.expected == Some(call) {
                spotted.expected = None;
                let before = spotted.members.len().checked_sub(spotted.period);
                let equal = before.and_then(|at| spotted.members.get(at));
                let same = equal.is_some_and(|one| calls.same_outcome(one.call, call));
                if same {
                    spotted.add(call, calls);
                    spotted.to = now;
                }
            }
        }
    }

    /// The engine has forgotten everything about the run.
    pub(crate) fn reset(&mut self) {
        self.open.clear();
        for spotted in &mut self.loops {
            spotted.state = match spotted.state {
                State::Open => State::Halted,
                State::Halted | State::Closed => State::Closed,
            };
        }
    }

    /// Reports and calls over the limits of what is kept.
    pub(crate) fn left_out(&self) -> u64 {
        let calls: u64 = self.loops.iter().map(|spotted| spotted.left_out).sum();
        self.left_out + calls
    }

    /// Calls of loops that repeated something.
    pub(crate) fn wasted(&self) -> u64 {
        let loops = self.clone().finish();
        loops.iter().map(Spotted::wasted).sum()
    }

    /// The loops in the order they began. No call is in two of them.
    pub(crate) fn finish(self) -> Vec<Spotted> {
        let mut ranked = self.loops;
        for spotted in &mut ranked {
            spotted.whole_laps();
        }
        // The stricter one keeps a call that several have, then the one that saw more of them.
        ranked.sort_by_key(|spotted| {
            let rank = (spotted.verdict, spotted.wasted(), spotted.members.len());
            (std::cmp::Reverse(rank), spotted.from.event)
        });
        let mut owners: HashMap<u32, usize> = HashMap::new();
        let mut apart: Vec<Spotted> = Vec::new();
        for mut spotted in ranked {
            let owner = spotted.leave(&owners, &apart);
            if let Some(owner) = owner {
                apart[owner].join(&spotted);
                continue;
            }
            let own = spotted.members.iter().map(|one| (one.call, apart.len()));
            owners.extend(own);
            apart.push(spotted);
        }
        apart.sort_by_key(|spotted| (spotted.from.event, spotted.to.event, spotted.rule as usize));
        apart
    }

    fn known(&mut self, finding: &Finding, judged: &Judged<'_>) -> Option<usize> {
        let key = (finding.rule, finding.from);
        if let Some(at) = self.open.get(&key) {
            return Some(*at);
        }
        let at = self
            .going_on(finding)
            .or_else(|| self.resumed(finding, judged))?;
        self.loops[at].engine_from = finding.from;
        self.loops[at].state = State::Open;
        self.open.insert(key, at);
        Some(at)
    }

    /// A loop of a rule that looks at the latest calls, whatever they are: its first event moves along.
    fn going_on(&self, finding: &Finding) -> Option<usize> {
        let moves_along = matches!(
            finding.rule,
            RuleName::Stagnation
                | RuleName::StuckOutcome
                | RuleName::FailureCascade
                | RuleName::Aimless
        );
        let mut latest = self.loops.iter().enumerate().rev().take(16);
        let (at, _) = latest.find(|(_, spotted)| {
            moves_along
                && spotted.state == State::Open
                && spotted.rule == finding.rule
                && finding.from <= spotted.to.event
        })?;
        Some(at)
    }

    /// A loop that would have ended the run, and that goes on.
    fn resumed(&self, finding: &Finding, judged: &Judged<'_>) -> Option<usize> {
        self.loops.iter().rposition(|spotted| {
            let gap = judged.from.call.saturating_sub(spotted.to.call);
            spotted.state == State::Halted
                && spotted.rule == finding.rule
                && spotted.pattern == finding.pattern
                && gap <= 2 * u64::from(finding.period) + 2
        })
    }
}

impl Spotted {
    fn new(finding: &Finding, judged: &Judged<'_>) -> Self {
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
            members: Vec::new(),
            first_told: 0,
            counted: 0,
            engine_from: finding.from,
            left_out: 0,
            expected: None,
            state: State::Open,
        }
    }

    fn grow(&mut self, finding: &Finding, judged: &Judged<'_>, settings: &Settings) {
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
                if self.members.is_empty() {
                    self.fill(finding, judged, call, finding.repeats.saturating_sub(1));
                    self.see(finding, judged);
                }
                self.expected = Some(call);
                return;
            }
            About::Call(call) | About::Outcome(call) => call,
        };
        self.expected = None;
        if self.members.last().is_some_and(|last| last.call >= call) {
            return;
        }
        self.fill(finding, judged, call, finding.repeats.saturating_sub(1));
        self.add(call, judged.calls);
        self.see(finding, judged);
    }

    /// Adds the calls before `call` that the engine has counted and that are not known yet.
    fn fill(&mut self, finding: &Finding, judged: &Judged<'_>, call: u32, before: u32) {
        let calls = judged.calls;
        let next = self.members.last().map_or(0, |last| last.call + 1);
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
        } else if next == 0 {
            calls.alike(self.rule, before as usize, first, call)
        } else if first >= next {
            // It was found anew: what lies between belongs to it where it is alike.
            calls.fitting(self.rule, next, call)
        } else {
            let missing = (before as usize).saturating_sub(self.members.len());
            calls.alike(self.rule, missing, next, call)
        };
        for number in found {
            if number >= next {
                self.add(number, calls);
            }
        }
    }

    fn add(&mut self, call: u32, calls: &RecentCalls) {
        if self.members.last().is_some_and(|last| last.call >= call) {
            return;
        }
        if self.members.len() >= MAX_MEMBERS {
            self.left_out += 1;
        } else {
            let made = calls.get(call);
            self.members.push(Member {
                call,
                line: made.map_or(0, |made| made.line),
                at: made.and_then(|made| made.at),
            });
        }
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
                (_, Some(member)) => Some(member.call),
                (About::Call(call) | About::Outcome(call), None) => Some(call),
                (About::Other, None) => None,
            };
            let made = call.and_then(|call| judged.calls.get(call));
            self.tool = made.map(|made| made.tool).or(self.tool);
        }
        if !judged.output.is_empty() {
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

    /// Its calls, in order; a lap is as many of them as the period says.
    pub(crate) fn members(&self) -> impl Iterator<Item = u32> {
        self.members.iter().map(|member| member.call)
    }

    /// The lap it was first reported in, counted from one.
    pub(crate) fn lap_told(&self) -> u64 {
        (self.first_told.div_ceil(self.period) as u64).clamp(1, self.repeats().max(1))
    }

    /// First and last call; of a loop of words, the calls made while it went on.
    pub(crate) fn span(&self) -> (u64, u64) {
        match (self.members.first(), self.members.last()) {
            (Some(first), Some(last)) => (first.call.into(), last.call.into()),
            _ => (self.from.call.max(1).min(self.to.call), self.to.call),
        }
    }

    /// First and last line; 0 where it is unknown.
    pub(crate) fn lines(&self) -> (u64, u64) {
        let first = self.members.first().map(|one| u64::from(one.line));
        (first.unwrap_or(self.from.line), self.to.line)
    }

    /// When it began, in milliseconds since 1970.
    pub(crate) fn began(&self) -> Option<i64> {
        match self.members.first() {
            Some(first) => first.at,
            None => self.from.at,
        }
    }

    /// Calls that repeated something: those after the first lap. What a rule counts that is not a repetition of calls is
    /// none of them.
    pub(crate) fn wasted(&self) -> u64 {
        match self.rule {
            // Reads that differ from each other.
            RuleName::Aimless => 0,
            _ => self.members.len().saturating_sub(self.period) as u64,
        }
    }

    /// Share of what was spent in it that is waste, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        match self.rule {
            RuleName::Budget | RuleName::Aimless => 0.0,
            // Every saying after the first.
            RuleName::Chant | RuleName::Relay | RuleName::SummaryLoop => {
                ratio(self.repeats().saturating_sub(1), self.repeats())
            }
            _ => {
                let (first, last) = self.span();
                ratio(self.wasted(), (last + 1).saturating_sub(first))
            }
        }
    }

    /// A lap that was not completed is not one more occurrence.
    fn whole_laps(&mut self) {
        let whole = self.members.len() / self.period * self.period;
        if whole > 0 {
            self.cut(whole);
        }
    }

    fn cut(&mut self, whole: usize) {
        if whole < self.members.len() {
            self.members.truncate(whole);
            if let Some(last) = self.members.last() {
                self.to.call = last.call.into();
                self.to.line = last.line.into();
            }
        }
    }

    /// Leaves calls to stricter loops that have them. Returns the loop that has most of it, where too little is left to
    /// be a loop.
    fn leave(&mut self, owners: &HashMap<u32, usize>, apart: &[Self]) -> Option<usize> {
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
        let laps = self.members.chunks(self.period);
        let left: Vec<Member> = laps
            .filter(|lap| lap.iter().all(|one| !owned.contains(&one.call)))
            .flatten()
            .copied()
            .collect();
        if left.len() < 2 * self.period || 2 * left.len() < self.members.len() {
            let most = taken
                .into_iter()
                .max_by_key(|(owner, calls)| (*calls, usize::MAX - *owner));
            return most.map(|(owner, _)| owner);
        }
        if let (Some(first), Some(last)) = (left.first(), left.last()) {
            self.to.call = last.call.into();
            self.to.line = last.line.into();
            self.from.call = first.call.into();
        }
        self.members = left;
        None
    }

    /// Does it cover half of a loop of words?
    fn covers(&self, other: &Self) -> bool {
        let from = self.from.event.max(other.from.event);
        let to = self.to.event.min(other.to.event);
        let length = |spotted: &Self| (spotted.to.event + 1).saturating_sub(spotted.from.event);
        let shared = (to + 1).saturating_sub(from);
        shared > 0 && 2 * shared >= length(self).min(length(other))
    }

    /// Remembers that another rule saw it.
    fn join(&mut self, other: &Self) {
        for rule in [other.rule].iter().chain(&other.also) {
            if *rule != self.rule && !self.also.contains(rule) {
                self.also.push(*rule);
            }
        }
    }
}

/// Does the rule count calls, and not words, messages or money?
fn counts_calls(rule: RuleName) -> bool {
    !matches!(
        rule,
        RuleName::Chant | RuleName::SummaryLoop | RuleName::Relay | RuleName::Budget
    )
}

/// Does the rule look at calls alone, whatever their outcomes?
fn judges_calls(rule: RuleName, settings: &Settings) -> bool {
    let rules = &settings.rules;
    match rule {
        RuleName::ExactRepeat => rules.exact_repeat.count != CountCalls::Outcomes,
        RuleName::NearRepeat => rules.near_repeat.count != CountCalls::Outcomes,
        RuleName::Cycle => rules.cycle.of == CycleOf::Calls,
        RuleName::SwarmLoop => rules.swarm_loop.count == SwarmCount::EveryCall,
        RuleName::CallBurst => true,
        _ => false,
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
