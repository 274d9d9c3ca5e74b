//! Decisions made from detections.

use serde::{Deserialize, Serialize};

use super::{compiled::Compiled, session::Session};
use crate::{
    decision::{Decision, Finding, Reason, Verdict, Wasted},
    event::Line,
    message,
    policy::{Judged, Judgement, Situation},
    rules::{Advice, Context, Found, Reporting, RuleFacts, RuleStates, SwarmQuestion, Trigger},
    settings::{Mode, Settings},
    swarm::{Delta, Tally, Worker},
    transition::{Phase, Transition},
};

/// The status of a run that was halted.
const LOOP_DETECTED: &str = "LOOP_DETECTED";

/// Origin of an event, which every decision carries.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) line: u64,
    pub(super) session: &'a str,
    pub(super) agent: &'a str,
    pub(super) swarm: &'a str,
}

/// Why a run was halted; repeated until it is reset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Halt {
    reason: Reason,
    finding: Finding,
}

impl Session {
    pub(super) fn ask_swarm(
        &self,
        trigger: &Trigger<'_>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Option<Delta> {
        let rules = &compiled.settings.rules;
        let fingerprint = match RuleStates::ask_swarm(rules, trigger, &self.state)? {
            SwarmQuestion::Call(call) => compiled.extractor.swarm_print(&call.swarm_key)?,
            SwarmQuestion::Text(mark) => compiled.extractor.said(mark),
        };
        let worker = Worker::new(origin.session, origin.agent);
        Some(Delta::new(origin.swarm, fingerprint, worker))
    }

    pub(super) fn judge(
        &self,
        trigger: &Trigger<'_>,
        facts: &RuleFacts,
        swarm: Option<&Tally>,
        line: u64,
        compiled: &Compiled,
    ) -> (Vec<Found>, Judgement) {
        let rules = &compiled.settings.rules;
        let context = Context {
            shared: &self.state,
            facts,
            claims: self.rules.claims(rules),
            swarm,
            line: short(line),
        };
        let mut found = self.rules.detect(rules, trigger, &context);
        if found.is_empty() {
            return (found, Judgement::default());
        }
        let about = match trigger {
            Trigger::Call(_) => Judged::Call,
            Trigger::Result(_) => Judged::Result,
            Trigger::Step(_) | Trigger::Text(_) | Trigger::Turn => Judged::Other,
        };
        let situation = Situation {
            about,
            steps: self.state.spent.steps,
            denials: self.state.counters.ledger.denials(),
        };
        let warned = &self.rest.warned;
        let judgement = warned.weigh(&found, situation, &compiled.settings, |rule| {
            compiled.rank(rule)
        });
        if about == Judged::Call {
            for each in &mut found {
                each.detection.facts.ahead = true;
                if each.detection.counts_attempts {
                    let denied = warned.denied(each);
                    let repeats = &mut each.detection.repeats;
                    *repeats = repeats.saturating_add(denied);
                }
            }
            if let Some(each) = judgement.by.and_then(|by| found.get_mut(by)) {
                each.detection.facts.outcome = warned.outcome(each).map(Into::into);
            }
        }
        (found, judgement)
    }

    pub(super) fn judge_and_answer(
        &mut self,
        trigger: &Trigger<'_>,
        swarm: Option<&Tally>,
        transitions: Vec<Transition>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let facts = RuleFacts::default();
        let (found, judgement) = self.judge(trigger, &facts, swarm, origin.line, compiled);
        self.remember(&found, &judgement, origin, &compiled.settings);
        self.answer(found, &judgement, transitions, origin, compiled)
    }

    pub(super) fn remember(
        &mut self,
        found: &[Found],
        judgement: &Judgement,
        origin: Origin<'_>,
        settings: &Settings,
    ) {
        let now = (self.state.spent.steps, origin.line);
        self.rest.warned.remember(found, judgement, now, settings);
    }

    /// Makes the decision, and keeps it where it is a halt.
    pub(super) fn answer(
        &mut self,
        found: Vec<Found>,
        judgement: &Judgement,
        transitions: Vec<Transition>,
        origin: Origin<'_>,
        compiled: &Compiled,
    ) -> Decision {
        let deciding = judgement.by;
        let mut decision = decide(found, judgement, origin, compiled);
        decision.transitions = transitions;
        // A halt reports all findings, so the index is that of the deciding one.
        if judgement.verdict == Verdict::Halt
            && let (Some(reason), Some(by)) = (&decision.reason, deciding)
            && let Some(finding) = decision.findings.get(by)
        {
            self.rest.halted = Some(Box::new(Halt {
                reason: (**reason).clone(),
                finding: finding.clone(),
            }));
            let halted = Transition::of_run(Phase::Running, Phase::Halted);
            decision.transitions.push(halted);
        }
        decision
    }
}

pub(super) fn decide(
    found: Vec<Found>,
    judgement: &Judgement,
    origin: Origin<'_>,
    compiled: &Compiled,
) -> Decision {
    let settings = &compiled.settings;
    let mut decision = origin.allow();
    if found.is_empty() {
        return decision;
    }
    let reason = judgement.by.and_then(|by| found.get(by)).map(|deciding| {
        let (rule, detection) = (deciding.rule, &deciding.detection);
        let repeated = u64::from(detection.repeats.saturating_sub(1));
        Box::new(Reason {
            level: judgement.level,
            rule,
            repeats: detection.repeats,
            period: detection.period,
            message: message::write(settings, deciding, judgement.verdict, judgement.level),
            pattern: detection.pattern.clone(),
            status: (judgement.verdict == Verdict::Halt).then(|| LOOP_DETECTED.into()),
            wasted: Wasted {
                calls: if rule.wastes_calls() {
                    repeated * u64::from(detection.period)
                } else {
                    0
                },
            },
        })
    });
    decision.advice = reason.as_ref().map(|reason| match judgement.verdict {
        Verdict::Halt => Advice::Escalate,
        _ => reason.rule.traits().advice,
    });
    decision.reason = reason;
    if matches!(judgement.verdict, Verdict::Nudge | Verdict::Deny) {
        let deciding = judgement.by.and_then(|by| found.get(by));
        decision.retry_after = deciding.and_then(|found| found.detection.retry_after);
    }
    decision.findings = found
        .into_iter()
        .filter(|found| {
            found.detection.reporting != Reporting::WithVerdict
                || judgement.verdict > Verdict::Allow
        })
        .map(|found| Finding {
            rule: found.rule,
            repeats: found.detection.repeats,
            period: found.detection.period,
            from: found.detection.from.into(),
            to: origin.line,
            pattern: found.detection.pattern,
        })
        .collect();
    decision.with_verdict(judgement.verdict, settings.mode)
}

impl Halt {
    pub(super) fn decision(&self, origin: Origin<'_>, mode: Mode) -> Decision {
        let mut decision = origin.allow();
        decision.reason = Some(Box::new(self.reason.clone()));
        decision.advice = Some(Advice::Escalate);
        decision.findings = vec![self.finding.clone()];
        decision.with_verdict(Verdict::Halt, mode)
    }
}

impl Decision {
    fn with_verdict(mut self, verdict: Verdict, mode: Mode) -> Self {
        match mode {
            Mode::Observe if verdict > Verdict::Allow => self.would = Some(verdict),
            Mode::Observe | Mode::Off => {}
            Mode::Enforce => self.verdict = verdict,
        }
        self
    }
}

impl Origin<'_> {
    /// An answer of `allow`; the engine fills in the names.
    pub(super) fn allow(&self) -> Decision {
        Decision::allow(self.line, "", "")
    }

    pub(super) fn short_line(&self) -> Line {
        short(self.line)
    }
}

/// A line number as it is kept within a session's memory.
fn short(line: u64) -> Line {
    Line::try_from(line).unwrap_or(Line::MAX)
}
