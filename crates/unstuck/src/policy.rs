//! The policy: from findings to one verdict.
//!
//! It detects nothing. It climbs ladders, remembers what was warned of, and lets the strictest verdict win.

use serde::{Deserialize, Serialize};

use crate::{
    decision::{Level, Verdict},
    fingerprint::Mark,
    memory::Recent,
    rules::{Moment, RuleName, Say, Spotted, Telling},
    settings::{Attendance, DenyRung, Ladder, Nudges, Relapse, Settings},
    timeline::Timeline,
};

/// Calls that an agent has to act on a nudge before it is told of something else that is not right under its nose.
const CALLS_TO_HEED: u64 = 12;

/// What the policy makes of the findings about one event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) level: Option<Level>,
    /// Which finding decided.
    pub(crate) by: Option<usize>,
    /// The count that the deciding finding climbed to.
    climbed: Climb,
}

/// Where a pattern stands on its ladder.
#[derive(Clone, Copy, Debug, Default)]
struct Climb {
    /// The count with what was carried over from earlier streaks.
    count: u32,
    carried: u32,
}

/// Memory of the patterns that were warned of. It outlives streaks, turns and a person's word.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Warned {
    patterns: Recent<Warning>,
    /// The calls that had been made when the last nudge was given.
    nudged_after: Option<u64>,
}

/// What was said about a pattern.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Warning {
    /// Where the streak began that it was said about last: another streak is a relapse.
    from: u64,
    /// The count at which it was said last.
    nudged_at: u32,
    /// What a relapse started with.
    carried: u32,
    /// The highest count so far.
    peak: u32,
    /// How urgent it was, 1 to 3.
    level: u8,
    /// Calls of the pattern that were denied and did not run.
    denied: u32,
    /// The beginning of the result that it was said about last, to be quoted where a call is denied. It is the only
    /// text of a result that is kept.
    outcome: Option<Box<str>>,
}

impl Warned {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            patterns: Recent::new(settings.memory.warned),
            nudged_after: None,
        }
    }

    pub(crate) fn fit(self, settings: &Settings) -> Self {
        Self {
            patterns: self.patterns.fit(settings.memory.warned),
            ..self
        }
    }

    /// Weighs what the rules spotted. Nothing is remembered yet.
    pub(crate) fn weigh(
        &self,
        spotted: &[Spotted],
        moment: &Moment<'_>,
        timeline: &Timeline,
        settings: &Settings,
    ) -> Judgement {
        let mut best = Judgement::default();
        let mut best_rank = usize::MAX;
        for (at, spotted) in spotted.iter().enumerate() {
            let (verdict, level, climbed) = self.climb(spotted, moment, timeline, settings);
            let rank = settings.preset.precedence(spotted.finding.rule);
            let stricter = verdict > best.verdict || (verdict == best.verdict && rank < best_rank);
            if verdict > Verdict::Allow && stricter {
                best_rank = rank;
                best = Judgement {
                    verdict,
                    level,
                    by: Some(at),
                    climbed,
                };
            }
        }
        // Denials that change nothing have to end somewhere, whatever the rule.
        let denials = timeline.streaks.ledger.denials();
        if best.verdict == Verdict::Deny && settings.policy.denials_before_halt.reached(denials) {
            best.verdict = Verdict::Halt;
        }
        if best.verdict == Verdict::Halt && settings.attendance == Attendance::Attended {
            (best.verdict, best.level) = match moment {
                Moment::Call(_) => (Verdict::Deny, None),
                Moment::Result(_) | Moment::Step(_) | Moment::Text(_) | Moment::Turn => {
                    (Verdict::Nudge, Some(Level::Critical))
                }
            };
        }
        best
    }

    fn climb(
        &self,
        spotted: &Spotted,
        moment: &Moment<'_>,
        timeline: &Timeline,
        settings: &Settings,
    ) -> (Verdict, Option<Level>, Climb) {
        let rule = spotted.finding.rule;
        let ladder = ladder(spotted, settings);
        let warning = self.warning(spotted);
        let same_streak = warning.filter(|warning| warning.from == spotted.finding.from);
        let carried = match (settings.policy.relapse, same_streak, warning) {
            (Relapse::Climb, Some(same), _) => same.carried,
            // A relapse is one once it would have been warned of in any case.
            (Relapse::Climb, None, Some(before)) if ladder.nudge.reached(spotted.weight) => {
                carried_over(rule, before.peak)
            }
            (Relapse::Climb, None, _) | (Relapse::Forget, ..) => 0,
        };
        let climbed = Climb {
            count: spotted.weight.saturating_add(carried),
            carried,
        };
        let is_call = matches!(moment, Moment::Call(_));
        // A rule that can deny halts with the call that goes too far, not with a result that cannot be helped.
        let is_result = matches!(moment, Moment::Result(_));
        let may_halt = (!is_result || ladder.deny == DenyRung::Never)
            && matches!(spotted.say, Say::All | Say::ForceOnly);
        let attempts = climbed
            .count
            .saturating_add(warning.map_or(0, |warning| warning.denied));
        if may_halt && ladder.halt.reached(attempts) {
            return (Verdict::Halt, None, climbed);
        }
        let deny = match ladder.deny {
            DenyRung::Never => false,
            DenyRung::At(rung) => climbed.count >= rung.get(),
            DenyRung::AfterCritical => timeline.streaks.critical,
        };
        if is_call && deny && !self.just_told(spotted, timeline) {
            return (Verdict::Deny, None, climbed);
        }
        if matches!(spotted.say, Say::ForceOnly | Say::DenyOnly) {
            return (Verdict::Allow, None, climbed);
        }
        let rung_level = rung_level(&ladder, climbed.count);
        let level = match (settings.policy.nudges, same_streak) {
            (_, _) if rung_level.is_none() => None,
            (Nudges::EveryTime, _) => rung_level,
            (Nudges::WhenGrown, None) => rung_level.max(Some(level_after(warning))),
            (Nudges::WhenGrown, Some(said)) => {
                let enough = match spotted.telling {
                    Telling::Insistently if said.level < u8::from(Level::Critical) => {
                        said.nudged_at.saturating_add(1)
                    }
                    _ => said.nudged_at.saturating_mul(2),
                };
                let grown = climbed.count >= enough.max(1);
                let climbed_a_rung = rung_level.map(u8::from) > Some(said.level);
                (grown || climbed_a_rung)
                    .then(|| rung_level.max(Some(level_after(Some(said)))))
                    .flatten()
            }
        };
        match level {
            Some(level) if !self.heeding(spotted, timeline, settings) => {
                (Verdict::Nudge, Some(level), climbed)
            }
            _ => (Verdict::Allow, None, climbed),
        }
    }

    /// Is this the first call after a nudge? Words come before force: whoever is denied for what other calls came back
    /// with has had at least one call to show that it understood.
    fn just_told(&self, spotted: &Spotted, timeline: &Timeline) -> bool {
        spotted.say == Say::DenyOnly && self.nudged_after == Some(timeline.spent.steps)
    }

    /// Has the agent been nudged so lately that it may be about to heed it? What it repeats right now is told of all
    /// the same.
    fn heeding(&self, spotted: &Spotted, timeline: &Timeline, settings: &Settings) -> bool {
        let lately = self
            .nudged_after
            .is_some_and(|calls| timeline.spent.steps.saturating_sub(calls) < CALLS_TO_HEED);
        settings.policy.nudges == Nudges::WhenGrown
            && spotted.telling == Telling::WithVerdict
            && lately
    }

    /// Remembers what was said.
    pub(crate) fn remember(
        &mut self,
        spotted: &[Spotted],
        judgement: &Judgement,
        (calls, settings): (u64, &Settings),
    ) {
        if judgement.verdict == Verdict::Nudge {
            self.nudged_after = Some(calls);
        }
        if settings.policy.relapse == Relapse::Forget && settings.policy.nudges == Nudges::EveryTime
        {
            return;
        }
        let Some(spotted) = judgement.by.and_then(|by| spotted.get(by)) else {
            return;
        };
        let key = warning_key(spotted.finding.rule, spotted.key);
        let warning = self.patterns.entry(key, Warning::default);
        if warning.from != spotted.finding.from {
            warning.from = spotted.finding.from;
            warning.carried = judgement.climbed.carried;
            warning.denied = 0;
            if !has_one_result(spotted.finding.rule) {
                warning.outcome = None;
            }
        }
        warning.peak = warning.peak.max(judgement.climbed.count);
        match judgement.verdict {
            Verdict::Allow => {}
            Verdict::Nudge => {
                warning.nudged_at = judgement.climbed.count;
                warning.level = judgement.level.map_or(1, u8::from);
                // Where results differ, one of them says nothing about the others.
                let facts = &spotted.facts;
                warning.outcome = facts.outcome.clone().filter(|_| !facts.results_differ);
            }
            Verdict::Deny | Verdict::Halt => warning.denied = warning.denied.saturating_add(1),
        }
    }

    /// Calls of this pattern and streak that were denied.
    pub(crate) fn denied(&self, spotted: &Spotted) -> u32 {
        let warning = self.warning(spotted);
        let same_streak = warning.filter(|warning| warning.from == spotted.finding.from);
        same_streak.map_or(0, |warning| warning.denied)
    }

    /// The beginning of the result that the agent was last warned of in this pattern. What an earlier streak returned
    /// is quoted only where all streaks of the pattern return the same.
    pub(crate) fn outcome(&self, spotted: &Spotted) -> Option<&str> {
        let warning = self.warning(spotted)?;
        let quotable = warning.from == spotted.finding.from || has_one_result(spotted.finding.rule);
        warning.outcome.as_deref().filter(|_| quotable)
    }

    fn warning(&self, spotted: &Spotted) -> Option<&Warning> {
        self.patterns
            .get(warning_key(spotted.finding.rule, spotted.key))
    }

    /// A denied call ran after all: it counts as a repeat, so it must not count as an attempt too.
    pub(crate) fn take_back_denial(&mut self, rule: RuleName, pattern: Mark) {
        self.patterns.update(warning_key(rule, pattern), |warning| {
            warning.denied = warning.denied.saturating_sub(1);
        });
    }
}

fn ladder(spotted: &Spotted, settings: &Settings) -> Ladder {
    let rule = spotted.finding.rule;
    let ladder = settings.rules.ladder(rule);
    let counts_repeats = matches!(
        rule,
        RuleName::ExactRepeat | RuleName::NearRepeat | RuleName::Cycle | RuleName::Poll
    );
    match spotted
        .facts
        .tool
        .as_deref()
        .and_then(|tool| settings.tool(tool))
    {
        Some(tool) if counts_repeats => tool.ladder.over(ladder),
        _ => ladder,
    }
}

/// What a relapse starts with. Where one more of a streak is counted, the relapse is that one; a chant is counted by
/// findings, and to be found again is one more. The share of a budget that is used holds what was used before.
fn carried_over(rule: RuleName, peak: u32) -> u32 {
    match rule {
        RuleName::Budget => 0,
        RuleName::Chant => peak,
        _ => peak.saturating_sub(1),
    }
}

/// The level of the highest nudge rung that is reached.
pub(crate) fn rung_level(ladder: &Ladder, count: u32) -> Option<Level> {
    if ladder.critical.reached(count) {
        Some(Level::Critical)
    } else if ladder.warning.reached(count) {
        Some(Level::Warning)
    } else if ladder.nudge.reached(count) {
        Some(Level::Notice)
    } else {
        None
    }
}

/// The level that follows what was said before.
fn level_after(said: Option<&Warning>) -> Level {
    match said.map_or(0, |said| said.level) {
        0 => Level::Notice,
        1 => Level::Warning,
        _ => Level::Critical,
    }
}

/// Whether the result is a part of what a rule knows its patterns by.
fn has_one_result(rule: RuleName) -> bool {
    matches!(
        rule,
        RuleName::ExactRepeat | RuleName::NearRepeat | RuleName::Poll | RuleName::InvalidCall
    )
}

/// Two rules may know one pattern by the same mark.
fn warning_key(rule: RuleName, pattern: Mark) -> Mark {
    pattern.join(Mark(rule as u64 + 1))
}
