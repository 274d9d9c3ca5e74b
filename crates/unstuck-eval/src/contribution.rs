//! What every rule contributes by itself.

use std::collections::BTreeMap;

use serde::Serialize;
use unstuck::{RuleName, Settings, Verdict};
use unstuck_config::{Errors, Layer};

use crate::{
    replay::Run,
    score::{Unit, cost, unit},
    trajectory::Trajectory,
};

/// What a rule did on the runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Contribution {
    /// Where it gave the first alarm, by set.
    pub sets: BTreeMap<String, SetContribution>,
    /// Steps with nudge or more of which it was the reason, against a person's judgement.
    pub flagged: Judged,
    /// Steps with a finding of it, against a person's judgement.
    pub found: Judged,
}

/// Where a rule gave the first alarm in one set.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SetContribution {
    /// Runs whose first nudge or more it gave.
    pub nudge: Fires,
    /// Runs whose first deny or more it gave.
    pub deny: Fires,
}

/// Runs whose first alarm a rule gave, by what is known about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Fires {
    /// All of them.
    pub runs: usize,
    /// Those that were solved.
    pub solved: usize,
    /// Those that were not solved.
    pub unsolved: usize,
    /// Those that the source calls loops.
    pub in_loop: usize,
    /// Those that the source says are none.
    pub no_loop: usize,
    /// What the unsolved ones cost afterwards, of all that the unsolved runs of the set cost; nothing where the outcome
    /// is not known. The rules' shares add up to the share of all.
    pub after: Option<f64>,
    /// Tokens of the unsolved ones afterwards; zero where none were recorded.
    pub tokens: f64,
}

/// Steps a person called a repetition, and steps judged otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// Repetitions.
    pub repetition: usize,
    /// Others.
    pub other: usize,
}

/// The contributions of the rules that are on, in the order of the rules.
pub fn contributions(
    runs: &[(&Trajectory, &Run)],
    settings: &Settings,
) -> Vec<(RuleName, Contribution)> {
    let mut sets: BTreeMap<&str, Vec<&Trajectory>> = BTreeMap::new();
    for (run, _) in runs {
        sets.entry(&run.set).or_default().push(run);
    }
    let costs: BTreeMap<&str, (Unit, f64)> = sets
        .into_iter()
        .map(|(set, runs)| {
            let unit = unit(&runs);
            let unsolved = runs.iter().filter(|run| run.label.solved == Some(false));
            (set, (unit, unsolved.map(|run| cost(run, unit, 0)).sum()))
        })
        .collect();
    let enabled = RuleName::ALL
        .iter()
        .filter(|rule| settings.rules.is_enabled(**rule));
    enabled
        .map(|rule| (*rule, contribution(*rule, runs, &costs)))
        .collect()
}

fn contribution(
    rule: RuleName,
    runs: &[(&Trajectory, &Run)],
    costs: &BTreeMap<&str, (Unit, f64)>,
) -> Contribution {
    let mut all = Contribution::default();
    for (run, said) in runs {
        let first = |level| {
            let first = said.first(level)?;
            (first.reason?.rule == rule).then_some(first.step)
        };
        let (nudge, deny) = (first(Verdict::Nudge), first(Verdict::Deny));
        if nudge.is_some() || deny.is_some() {
            let (unit, total) = costs.get(&*run.set).copied().unwrap_or((Unit::Steps, 0.0));
            let set = all.sets.entry(run.set.clone()).or_default();
            for (fires, step) in [(&mut set.nudge, nudge), (&mut set.deny, deny)] {
                fires.after = fires.after.or((total > 0.0).then_some(0.0));
                if let Some(step) = step {
                    fires.add(run, step + 1, unit, total);
                }
            }
        }
        if run.label.steps_judged {
            all.judge(rule, run, said);
        }
    }
    all
}

impl Contribution {
    /// Fires over all sets, without a share: sets count in different units.
    pub fn total(&self, level: fn(&SetContribution) -> &Fires) -> Fires {
        let mut total = Fires::default();
        for fires in self.sets.values().map(level) {
            total.runs += fires.runs;
            total.solved += fires.solved;
            total.unsolved += fires.unsolved;
            total.in_loop += fires.in_loop;
            total.no_loop += fires.no_loop;
            total.tokens += fires.tokens;
        }
        total
    }

    fn judge(&mut self, rule: RuleName, run: &Trajectory, said: &Run) {
        for (at, step) in run.steps.iter().enumerate() {
            let Some(is_repetition) = step.is_repetition() else {
                continue;
            };
            let remarks = || said.remarks.iter().filter(|remark| remark.step == at);
            let is_reason = remarks().any(|remark| {
                remark.verdict > Verdict::Allow
                    && remark.reason.is_some_and(|reason| reason.rule == rule)
            });
            let is_found = remarks()
                .flat_map(|remark| &remark.findings)
                .any(|finding| finding.rule == rule);
            if is_reason {
                self.flagged.add(is_repetition);
            }
            if is_found {
                self.found.add(is_repetition);
            }
        }
    }
}

impl Fires {
    fn add(&mut self, run: &Trajectory, from: usize, unit: Unit, total: f64) {
        self.runs += 1;
        match run.label.solved {
            Some(true) => self.solved += 1,
            Some(false) => {
                self.unsolved += 1;
                self.tokens += cost(run, Unit::Tokens, from);
                self.after = self
                    .after
                    .map(|after| after + cost(run, unit, from) / total);
            }
            None => {}
        }
        match run.label.is_loop {
            Some(true) => self.in_loop += 1,
            Some(false) => self.no_loop += 1,
            None => {}
        }
    }
}

impl Judged {
    fn add(&mut self, is_repetition: bool) {
        if is_repetition {
            self.repetition += 1;
        } else {
            self.other += 1;
        }
    }
}

/// The settings with just one rule off.
pub fn without(
    rule: RuleName,
    layers: &[Layer],
    preset: Option<unstuck::Preset>,
) -> Result<Settings, Errors> {
    let off = Layer::new("without", format!("[rules.{rule}]\nenabled = false\n"));
    let layers: Vec<_> = layers.iter().cloned().chain([off]).collect();
    Ok(unstuck_config::load(&layers, preset)?.settings)
}
