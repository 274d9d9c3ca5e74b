//! The loops of one run: from single decisions to a list in which no call is in two of them.

use std::{cell::Cell, collections::HashMap};

use unstuck::{Finding, Reason, RuleName, Settings, Verdict};

use super::{
    calls::RecentCalls,
    mark::Mark,
    spotted::{Judged, Spotted, State},
};

/// Loops of one run that are kept apart.
const MAX_LOOPS: usize = 4_096;
/// Latest loops that may wait for the outcome of a call.
const WAITING: usize = 4;
/// Latest loops that a finding with another first event may belong to.
const MOVING: usize = 16;

/// The loops of one run, in the order they were first reported.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    found: Vec<Spotted>,
    /// Open loops by rule and the event they began with.
    open: HashMap<(RuleName, u64), usize>,
    /// Loops that grew in this turn.
    grown: Vec<usize>,
    /// Reports over the limit of loops.
    left_out: u64,
    /// Calls that repeated something, until the next event.
    wasted: Cell<Option<u64>>,
}

impl Loops {
    /// Takes in what a rule saw and did not report.
    pub fn seen(&mut self, finding: &Finding, judged: &Judged<'_>, settings: &Settings) {
        self.wasted.set(None);
        if let Some(at) = self.known(finding, judged) {
            self.found[at].grow(finding, judged, settings);
            self.grown.push(at);
        }
    }

    /// Takes in what the agent would have been told.
    pub fn told(
        &mut self,
        (finding, reason): (&Finding, &Reason),
        verdict: Verdict,
        judged: &Judged<'_>,
        settings: &Settings,
    ) {
        self.wasted.set(None);
        let at = match self.known(finding, judged) {
            Some(at) => at,
            None if self.found.len() >= MAX_LOOPS => {
                self.left_out += 1;
                return;
            }
            None => {
                self.found.push(Spotted::new(finding, judged));
                let at = self.found.len() - 1;
                self.open.insert((finding.rule, finding.from), at);
                at
            }
        };
        let spotted = &mut self.found[at];
        spotted.grow(finding, judged, settings);
        self.grown.push(at);
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
    pub fn ended(&mut self, call: u32, now: Mark, calls: &RecentCalls) {
        self.wasted.set(None);
        for (at, spotted) in self.found.iter_mut().enumerate().rev().take(WAITING) {
            if spotted.expected == Some(call) {
                spotted.expected = None;
                let before = spotted.members.len().checked_sub(spotted.period);
                let equal = before.and_then(|at| spotted.members.get(at));
                let same = equal.is_some_and(|one| calls.same_outcome(one, call));
                if same {
                    spotted.add(call, calls);
                    spotted.to = now;
                    self.grown.push(at);
                }
            }
        }
    }

    /// Takes in what the calls from this one on cost: their turn has ended.
    pub fn end_turn(&mut self, first: u32, calls: &RecentCalls) {
        self.grown.sort_unstable();
        self.grown.dedup();
        for at in self.grown.drain(..) {
            self.found[at].members.end_turn(first, calls);
        }
    }

    /// The engine has forgotten everything about the run.
    pub fn reset(&mut self) {
        self.open.clear();
        for spotted in &mut self.found {
            spotted.state = match spotted.state {
                State::Open => State::Halted,
                State::Halted | State::Closed => State::Closed,
            };
        }
    }

    /// Reports and calls over the limits of what is kept.
    pub fn left_out(&self) -> u64 {
        let calls: u64 = self
            .found
            .iter()
            .map(|spotted| spotted.members.left_out())
            .sum();
        self.left_out + calls
    }

    /// Calls of loops that repeated something. The sum is kept until the next event.
    pub fn wasted(&self) -> u64 {
        if let Some(wasted) = self.wasted.get() {
            return wasted;
        }
        let loops = self.clone().finish();
        let wasted = loops.iter().map(Spotted::wasted).sum();
        self.wasted.set(Some(wasted));
        wasted
    }

    /// The loops in the order of their first calls. No call is in two of them.
    pub fn finish(self) -> Vec<Spotted> {
        let mut ranked = self.found;
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
            let own = spotted.members().map(|call| (call, apart.len()));
            owners.extend(own);
            apart.push(spotted);
        }
        apart.sort_by_key(|spotted| {
            let events = (spotted.from.event, spotted.to.event);
            (spotted.span(), events, spotted.rule as usize)
        });
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
        self.found[at].engine_from = finding.from;
        self.found[at].state = State::Open;
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
        let mut latest = self.found.iter().enumerate().rev().take(MOVING);
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
        let first = judged.calls.at_event(finding.from);
        self.found.iter().rposition(|spotted| {
            let gap = judged.from.call.saturating_sub(spotted.to.call);
            spotted.state == State::Halted
                && spotted.rule == finding.rule
                && spotted.pattern == finding.pattern
                && gap <= 2 * u64::from(finding.period) + 2
                && spotted.is_about(first, judged.calls)
        })
    }
}
