//! The policy: from findings to one verdict.
//!
//! It detects nothing. It climbs ladders, remembers what was warned of, and lets the strictest verdict win.

use serde::{Deserialize, Serialize};

use crate::{
    decision::{Level, Verdict},
    fingerprint::Mark,
    memory::{PerTurn, Recent, memories},
    options::{DenyRung, Ladder, Nudges, OnUser, Relapse, Room},
    rules::{Carry, Ceiling, Compared, Found, Reporting, RuleName},
    settings::{Attendance, Settings},
};

/// Grace period: after a nudge, findings about older behaviour are held back for this many calls.
const CALLS_TO_HEED: u64 = 12;

/// The facts about the judged event that the policy needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    pub(crate) about: Judged,
    /// Calls and steps so far.
    pub(crate) steps: u64,
    /// Denials since the last progress.
    pub(crate) denials: u32,
}

/// The kind of event that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judged {
    /// A call that can still be denied.
    Call,
    Result,
    /// A step, a text or the end of a turn.
    Other,
}

/// The policy's result for the findings about one event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) level: Option<Level>,
    /// Index of the deciding finding.
    pub(crate) by: Option<usize>,
    /// The count that the deciding finding climbed to.
    climbed: Climb,
}

/// Position of a pattern on its ladder.
#[derive(Clone, Copy, Debug, Default)]
struct Climb {
    /// The count with what was carried over from earlier streaks.
    count: u32,
    carried: u32,
}

/// Memory of the patterns that were warned of. It outlives streaks, turns and a person's message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Warned {
    patterns: Recent<Warning>,
    /// The calls that had been made when the last nudge was given.
    nudged_after: Option<u64>,
    /// Whether the last call got a critical nudge. A retry takes it back.
    critical: PerTurn<bool>,
}

/// What was reported about a pattern.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Warning {
    /// First line of the streak that was reported last: another streak is a relapse.
    from: u64,
    /// The count at the last report.
    nudged_at: u32,
    /// The count that a relapse started with.
    carried: u32,
    /// The highest count so far.
    peak: u32,
    /// Level of the last nudge, 1 to 3.
    level: u8,
    /// Calls of the pattern that were denied and did not run.
    denied: u32,
    /// Nudges in the streak.
    nudges: u32,
    /// Denials in the streak, those of calls that ran after all included.
    denials: u32,
    /// The beginning of the last reported result, to be quoted when a call is denied. It is the only
    /// text of a result that is kept.
    outcome: Option<Box<str>>,
    /// Line of that result.
    outcome_at: u64,
}

impl Warned {
    pub(crate) fn new(room: &Room) -> Self {
        Self {
            patterns: Recent::new(room.warned, room.key),
            nudged_after: None,
            critical: PerTurn::default(),
        }
    }

    /// Turns findings into a verdict. Nothing is remembered yet. `rank` is smaller for rules that
    /// decide before others.
    pub(crate) fn weigh(
        &self,
        found: &[Found],
        situation: Situation,
        settings: &Settings,
        rank: impl Fn(RuleName) -> usize,
    ) -> Judgement {
        let mut best = Judgement::default();
        let mut best_rank = usize::MAX;
        for (at, found) in found.iter().enumerate() {
            let (verdict, level, climbed) = self.climb(found, situation, settings);
            let rank = rank(found.rule);
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
        // Denials without progress end in a halt, whatever the rule.
        if best.verdict == Verdict::Deny
            && settings
                .policy
                .denials_before_halt
                .reached(situation.denials)
        {
            best.verdict = Verdict::Halt;
        }
        if best.verdict == Verdict::Halt && settings.attendance == Attendance::Attended {
            (best.verdict, best.level) = match situation.about {
                Judged::Call => (Verdict::Deny, None),
                Judged::Result | Judged::Other => (Verdict::Nudge, Some(Level::Critical)),
            };
        }
        best
    }

    fn climb(
        &self,
        found: &Found,
        situation: Situation,
        settings: &Settings,
    ) -> (Verdict, Option<Level>, Climb) {
        let detection = &found.detection;
        let ladder = ladder(found, settings);
        let warning = self.warning(found);
        let same_streak = warning.filter(|warning| warning.from == u64::from(detection.from));
        let carried = match (settings.policy.relapse, same_streak, warning) {
            (Relapse::Climb, Some(same), _) => same.carried,
            // A relapse counts once it would have been warned of in any case.
            (Relapse::Climb, None, Some(before)) if ladder.nudge.reached(detection.weight) => {
                carried_over(found.rule, before.peak)
            }
            (Relapse::Climb, None, _) | (Relapse::Forget, ..) => 0,
        };
        let climbed = Climb {
            count: detection.weight.saturating_add(carried),
            carried,
        };
        // A rule that can deny halts with the call that goes too far, not with a result that cannot be helped.
        let may_halt = (situation.about != Judged::Result || ladder.deny == DenyRung::Never)
            && matches!(detection.ceiling, Ceiling::All | Ceiling::ForceOnly);
        let attempts = climbed
            .count
            .saturating_add(warning.map_or(0, |warning| warning.denied));
        if may_halt && ladder.halt.reached(attempts) {
            return (Verdict::Halt, None, climbed);
        }
        if let Some(verdict) = ignored(found, &ladder, same_streak, situation, settings) {
            return (verdict, None, climbed);
        }
        if detection.ceiling == Ceiling::WhenIgnored {
            return (Verdict::Allow, None, climbed);
        }
        let deny = match ladder.deny {
            DenyRung::Never => false,
            DenyRung::At(rung) => climbed.count >= rung.get(),
            DenyRung::AfterCritical => *self.critical,
        };
        if situation.about == Judged::Call && deny && !self.just_nudged(found, situation) {
            return (Verdict::Deny, None, climbed);
        }
        if matches!(detection.ceiling, Ceiling::ForceOnly | Ceiling::DenyOnly) {
            return (Verdict::Allow, None, climbed);
        }
        let rung_level = rung_level(&ladder, climbed.count);
        let level = match (settings.policy.nudges, same_streak) {
            (_, _) if rung_level.is_none() => None,
            (Nudges::EveryTime, _) => rung_level,
            (Nudges::WhenGrown, None) => rung_level.max(Some(level_after(warning))),
            // After a denial there is nothing milder to say.
            (Nudges::WhenGrown, Some(said)) if said.denials > 0 => None,
            (Nudges::WhenGrown, Some(said)) => {
                let enough = match detection.reporting {
                    Reporting::Insistently if said.level < u8::from(Level::Critical) => {
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
            Some(level) if !self.in_grace(found, situation, settings) => {
                (Verdict::Nudge, Some(level), climbed)
            }
            _ => (Verdict::Allow, None, climbed),
        }
    }

    /// Whether this is the first call after a nudge and is judged on the evidence of other calls. Such a call is never
    /// denied.
    fn just_nudged(&self, found: &Found, situation: Situation) -> bool {
        found.detection.ceiling == Ceiling::DenyOnly && self.nudged_after == Some(situation.steps)
    }

    /// Whether the agent was nudged so recently that it may be about to act on it. A pattern that it repeats right now
    /// is reported all the same.
    fn in_grace(&self, found: &Found, situation: Situation, settings: &Settings) -> bool {
        let lately = self
            .nudged_after
            .is_some_and(|calls| situation.steps.saturating_sub(calls) < CALLS_TO_HEED);
        settings.policy.nudges == Nudges::WhenGrown
            && found.detection.reporting == Reporting::WithVerdict
            && lately
    }

    /// Remembers what was reported about the event in line `to`.
    pub(crate) fn remember(
        &mut self,
        found: &[Found],
        judgement: &Judgement,
        (steps, to): (u64, u64),
        settings: &Settings,
    ) {
        if judgement.verdict == Verdict::Nudge {
            self.nudged_after = Some(steps);
        }
        if settings.policy.relapse == Relapse::Forget && settings.policy.nudges == Nudges::EveryTime
        {
            return;
        }
        let Some(found) = judgement.by.and_then(|by| found.get(by)) else {
            return;
        };
        let from = u64::from(found.detection.from);
        let key = warning_key(found.rule, found.detection.key);
        let warning = self.patterns.entry(key, Warning::default);
        if warning.from != from {
            warning.from = from;
            warning.carried = judgement.climbed.carried;
            warning.denied = 0;
            warning.nudges = 0;
            warning.denials = 0;
        }
        warning.peak = warning.peak.max(judgement.climbed.count);
        match judgement.verdict {
            Verdict::Allow => {}
            Verdict::Nudge => {
                warning.nudges = warning.nudges.saturating_add(1);
                warning.nudged_at = judgement.climbed.count;
                warning.level = judgement.level.map_or(1, u8::from);
                // Where results differ, one of them is not evidence about the others.
                let facts = &found.detection.facts;
                warning.outcome = facts
                    .outcome
                    .clone()
                    .filter(|_| facts.compared == Compared::Same);
                warning.outcome_at = to;
            }
            Verdict::Deny | Verdict::Halt => {
                warning.denied = warning.denied.saturating_add(1);
                warning.denials = warning.denials.saturating_add(1);
            }
        }
    }

    /// Remembers whether a call got a critical nudge. A denied call changes nothing: the next equal one is denied as well.
    pub(crate) fn remember_call(&mut self, judgement: &Judgement) {
        let critical = match judgement.verdict {
            Verdict::Nudge => judgement.level == Some(Level::Critical),
            Verdict::Deny => return,
            Verdict::Allow | Verdict::Halt => false,
        };
        if *self.critical != critical {
            *self.critical = critical;
        }
    }

    /// Adapts to what a person's message starts afresh.
    pub(crate) fn user(&mut self, on_user: OnUser) {
        if on_user == OnUser::RestartStreaks {
            self.critical.restart();
        }
    }

    /// Calls of this pattern and streak that were denied.
    pub(crate) fn denied(&self, found: &Found) -> u32 {
        let from = u64::from(found.detection.from);
        let same_streak = self.warning(found).filter(|warning| warning.from == from);
        same_streak.map_or(0, |warning| warning.denied)
    }

    /// The beginning of the result that the agent was last warned of in this pattern. What an earlier streak returned
    /// is quoted only where all streaks of the pattern return the same.
    pub(crate) fn outcome(&self, found: &Found) -> Option<&str> {
        let warning = self.warning(found)?;
        let quotable =
            warning.outcome_at >= u64::from(found.detection.from) || found.rule.traits().one_result;
        warning.outcome.as_deref().filter(|_| quotable)
    }

    fn warning(&self, found: &Found) -> Option<&Warning> {
        self.patterns
            .get(warning_key(found.rule, found.detection.key))
    }

    /// Takes back a denial of a call that ran after all: it counts as a repeat, so it must not count as an attempt too.
    pub(crate) fn take_back_denial(&mut self, rule: RuleName, pattern: Mark) {
        self.patterns.update(warning_key(rule, pattern), |warning| {
            warning.denied = warning.denied.saturating_sub(1);
        });
    }
}

// Only what belongs to the turn follows turns: warnings are never taken back.
memories!(Warned {
    per_turn: [critical],
    lasting: [patterns],
    plain: [nudged_after],
});

/// The verdict on a pattern that its rule only reports, once enough nudges in its streak were ignored: calls are denied,
/// and the run is halted after as many denials. A text or a turn cannot be denied, so the halt follows the nudges.
fn ignored(
    found: &Found,
    ladder: &Ladder,
    same_streak: Option<&Warning>,
    situation: Situation,
    settings: &Settings,
) -> Option<Verdict> {
    let enough = settings.policy.nudges_before_denial;
    let warning = same_streak.filter(|warning| enough.reached(warning.nudges))?;
    let only_told = ladder.deny == DenyRung::Never && found.rule.traits().ends;
    if !only_told && found.detection.ceiling != Ceiling::WhenIgnored {
        return None;
    }
    match situation.about {
        Judged::Call if enough.reached(warning.denials) => Some(Verdict::Halt),
        Judged::Call => Some(Verdict::Deny),
        Judged::Result => None,
        Judged::Other => (found.detection.weight > warning.nudged_at).then_some(Verdict::Halt),
    }
}

/// The thresholds for a detection: those of the rule, or of its tool.
fn ladder(found: &Found, settings: &Settings) -> Ladder {
    let ladder = settings.rules.ladder(found.rule);
    if !found.rule.traits().tool_ladder {
        return ladder;
    }
    let tool = found.detection.facts.tool.as_deref();
    match tool.and_then(|tool| settings.tool(tool)) {
        Some(tool) => tool.ladder.over(ladder),
        None => ladder,
    }
}

/// Returns the count that a relapse starts with.
fn carried_over(rule: RuleName, peak: u32) -> u32 {
    match rule.traits().relapse {
        Carry::Nothing => 0,
        Carry::Peak => peak,
        Carry::PeakLessOne => peak.saturating_sub(1),
    }
}

/// The level of the highest nudge threshold that is reached.
fn rung_level(ladder: &Ladder, count: u32) -> Option<Level> {
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

/// The level after that of the last nudge.
fn level_after(said: Option<&Warning>) -> Level {
    match said.map_or(0, |said| said.level) {
        0 => Level::Notice,
        1 => Level::Warning,
        _ => Level::Critical,
    }
}

/// Two rules may know one pattern by the same mark.
fn warning_key(rule: RuleName, pattern: Mark) -> Mark {
    pattern.join(Mark(u64::from(rule as u8)))
}
