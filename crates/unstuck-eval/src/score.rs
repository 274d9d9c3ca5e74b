//! Numbers from facts, with the definitions of the reference scorer.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    facts::Facts,
    interval::{Interval, bootstrap},
    messages::Messages,
    split::task,
    trajectory::Trajectory,
    worth::{Worth, worth},
};

/// A value for each of nudge or more, deny or more, halt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ByLevel<T> {
    /// Nudge or more.
    pub nudge: T,
    /// Deny or more.
    pub deny: T,
    /// Halt.
    pub halt: T,
}

/// Precision, recall and their mean, with the counts they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Prf {
    /// How many alarms were right; nothing without alarms.
    #[serde(rename = "P")]
    pub precision: Option<f64>,
    /// How much of what was to be found was found; nothing where nothing was.
    #[serde(rename = "R")]
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    #[serde(rename = "F1")]
    pub f1: Option<f64>,
    /// Found and right.
    pub tp: usize,
    /// Found and wrong.
    pub fp: usize,
    /// Not found.
    #[serde(rename = "fn")]
    pub missed: usize,
}

/// The numbers of one set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetScore {
    /// Runs.
    pub n: usize,
    /// Runs with an alarm.
    pub alarms: ByLevel<usize>,
    /// Against the label of the run, where the set has one.
    pub label: Option<LabelScore>,
    /// Against the labels of steps, where the set has them.
    pub steps: Option<StepScore>,
    /// Against the outcome of the run, where it is known.
    pub outcome: Option<OutcomeScore>,
    /// What the alarms were worth.
    pub worth: Worth,
    /// What was said, where the facts hold messages.
    pub messages: Option<Messages>,
    /// How far the F1 of each comparison could be off.
    #[serde(skip)]
    pub f1_intervals: F1Intervals,
}

/// Intervals of the F1 of nudges or more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct F1Intervals {
    /// Against the label of the run.
    pub label: Option<Interval>,
    /// Steps with nudge or more.
    pub nudge: Option<Interval>,
    /// Steps with findings.
    pub finding: Option<Interval>,
}

/// Alarms against the label "this is a loop".
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelScore {
    /// Labelled runs.
    pub n: usize,
    /// Runs that are called loops.
    pub positive: usize,
    /// How alarms compare.
    #[serde(flatten)]
    pub levels: ByLevel<Prf>,
}

/// Flagged steps against a person's "Repetition".
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepScore {
    /// Steps with nudge or more.
    pub nudge: Prf,
    /// Steps with findings, also on `allow`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Prf>,
}

/// Alarms against the outcome of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutcomeScore {
    /// What is counted behind an alarm.
    pub unit: Unit,
    /// Solved runs.
    pub solved: usize,
    /// Runs that were not solved.
    pub unsolved: usize,
    /// How alarms compare.
    #[serde(flatten)]
    pub levels: ByLevel<OutcomeShares>,
}

/// What is counted behind an alarm: tokens, or steps where a set has no tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Tokens read and written.
    Tokens,
    /// Steps.
    Steps,
}

/// Shares of runs and of what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OutcomeShares {
    /// Solved runs with an alarm.
    pub solved_alarm: Option<f64>,
    /// Unsolved runs with an alarm.
    pub unsolved_alarm: Option<f64>,
    /// What unsolved runs cost after their first alarm, of all they cost.
    pub after: Option<f64>,
    /// Solved runs with an alarm, counted.
    #[serde(skip)]
    pub solved_alarms: usize,
    /// How far `after` could be off.
    #[serde(skip)]
    pub after_interval: Option<Interval>,
}

impl<T> ByLevel<T> {
    /// From values in the order of the levels.
    pub fn from_array([nudge, deny, halt]: [T; 3]) -> Self {
        Self { nudge, deny, halt }
    }

    /// In the order of the levels.
    pub fn as_array(&self) -> [&T; 3] {
        [&self.nudge, &self.deny, &self.halt]
    }
}

impl Prf {
    /// From the counts.
    pub fn new(tp: usize, fp: usize, missed: usize) -> Self {
        let precision = ratio(tp, tp + fp);
        let recall = ratio(tp, tp + missed);
        let f1 = match (precision, recall) {
            (Some(p), Some(r)) if p > 0.0 && r > 0.0 => Some(2.0 * p * r / (p + r)),
            (_, Some(_)) => Some(0.0),
            (_, None) => None,
        };
        Self {
            precision,
            recall,
            f1,
            tp,
            fp,
            missed,
        }
    }
}

/// The numbers of every set, by name.
pub fn score(runs: &[&Trajectory], facts: &Facts) -> BTreeMap<String, SetScore> {
    let mut sets: BTreeMap<&str, Vec<&Trajectory>> = BTreeMap::new();
    for run in runs {
        sets.entry(&run.set).or_default().push(run);
    }
    sets.into_iter()
        .map(|(name, runs)| (name.to_owned(), score_set(&runs, facts)))
        .collect()
}

fn score_set(runs: &[&Trajectory], facts: &Facts) -> SetScore {
    let alarms = [0, 1, 2].map(|level| {
        let alarmed = runs.iter().filter(|run| alarm(run, facts, level).is_some());
        alarmed.count()
    });
    SetScore {
        n: runs.len(),
        alarms: ByLevel::from_array(alarms),
        label: score_labels(runs, facts),
        steps: score_steps(runs, facts),
        outcome: score_outcomes(runs, facts),
        worth: worth(runs, facts),
        messages: messages(runs, facts),
        f1_intervals: f1_intervals(runs, facts),
    }
}

/// Messages to these runs. Facts that were read have them by set, and cannot say which run of it they were for.
fn messages(runs: &[&Trajectory], facts: &Facts) -> Option<Messages> {
    let by_set = facts.messages.as_ref()?;
    let mut all = Messages::default();
    if facts.messages_of_runs.is_empty() {
        let set = by_set.get(&runs.first()?.set);
        set.into_iter()
            .flat_map(BTreeMap::values)
            .for_each(|one| all += *one);
    } else {
        let of_run = runs
            .iter()
            .filter_map(|run| facts.messages_of_runs.get(&run.id));
        of_run.for_each(|one| all += *one);
    }
    Some(all)
}

fn score_labels(runs: &[&Trajectory], facts: &Facts) -> Option<LabelScore> {
    let labelled: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run, run.label.is_loop?)))
        .collect();
    if labelled.is_empty() {
        return None;
    }
    let count = |level, is_loop, alarmed| {
        let same = |(run, label): &&(&&Trajectory, bool)| {
            *label == is_loop && alarm(run, facts, level).is_some() == alarmed
        };
        labelled.iter().filter(same).count()
    };
    let levels = [0, 1, 2].map(|level| {
        Prf::new(
            count(level, true, true),
            count(level, false, true),
            count(level, true, false),
        )
    });
    Some(LabelScore {
        n: labelled.len(),
        positive: labelled.iter().filter(|(_, is_loop)| *is_loop).count(),
        levels: ByLevel::from_array(levels),
    })
}

fn score_steps(runs: &[&Trajectory], facts: &Facts) -> Option<StepScore> {
    let judged: Vec<_> = runs.iter().filter(|run| run.label.steps_judged).collect();
    if judged.is_empty() {
        return None;
    }
    let against = |flagged: &BTreeMap<String, Vec<usize>>| {
        let each = judged.iter().map(|run| compare_steps(run, flagged));
        let [tp, fp, missed] = each.fold([0; 3], |sum, one| {
            std::array::from_fn(|at| sum[at] + one[at])
        });
        Prf::new(tp, fp, missed)
    };
    Some(StepScore {
        nudge: against(&facts.steps),
        finding: (!facts.findings.is_empty()).then(|| against(&facts.findings)),
    })
}

/// Steps of a run that are flagged and a repetition, flagged only, a repetition only.
fn compare_steps(run: &Trajectory, flagged: &BTreeMap<String, Vec<usize>>) -> [usize; 3] {
    let flagged: BTreeSet<_> = flagged.get(&run.id).into_iter().flatten().collect();
    let mut counts = [0; 3];
    for (at, step) in run.steps.iter().enumerate() {
        match (step.is_repetition(), flagged.contains(&at)) {
            (Some(true), true) => counts[0] += 1,
            (Some(false), true) => counts[1] += 1,
            (Some(true), false) => counts[2] += 1,
            (Some(false), false) | (None, _) => {}
        }
    }
    counts
}

fn f1_intervals(runs: &[&Trajectory], facts: &Facts) -> F1Intervals {
    let f1 = |groups: &[[f64; 3]]| {
        bootstrap(groups, |[tp, fp, missed]| {
            (tp + missed > 0.0).then(|| 2.0 * tp / (2.0 * tp + fp + missed))
        })
    };
    let steps = |flagged: &BTreeMap<String, Vec<usize>>| {
        let judged: Vec<_> = runs
            .iter()
            .copied()
            .filter(|run| run.label.steps_judged)
            .collect();
        f1(&by_task(&judged, |run| {
            compare_steps(run, flagged).map(number)
        }))
    };
    let labelled: Vec<_> = runs
        .iter()
        .copied()
        .filter(|run| run.label.is_loop.is_some())
        .collect();
    let compared = |run: &Trajectory| {
        let pair = (
            run.label.is_loop == Some(true),
            alarm(run, facts, 0).is_some(),
        );
        [(true, true), (false, true), (true, false)].map(|kind| number(usize::from(pair == kind)))
    };
    F1Intervals {
        label: f1(&by_task(&labelled, compared)),
        nudge: steps(&facts.steps),
        finding: steps(&facts.findings),
    }
}

/// Sums over the runs of each task.
pub(crate) fn by_task<const N: usize>(
    runs: &[&Trajectory],
    values: impl Fn(&Trajectory) -> [f64; N],
) -> Vec<[f64; N]> {
    let mut tasks: BTreeMap<&str, [f64; N]> = BTreeMap::new();
    for run in runs {
        let sums = tasks.entry(task(run)).or_insert([0.0; N]);
        for (sum, value) in sums.iter_mut().zip(values(run)) {
            *sum += value;
        }
    }
    tasks.into_values().collect()
}

fn score_outcomes(runs: &[&Trajectory], facts: &Facts) -> Option<OutcomeScore> {
    let with = |solved| {
        runs.iter()
            .copied()
            .filter(move |run| run.label.solved == Some(solved))
    };
    let solved: Vec<_> = with(true).collect();
    let unsolved: Vec<_> = with(false).collect();
    if solved.is_empty() && unsolved.is_empty() {
        return None;
    }
    let unit = unit(runs);
    let total: f64 = unsolved.iter().map(|run| cost(run, unit, 0)).sum();
    let levels = [0, 1, 2].map(|level| {
        let alarmed = |runs: &[&Trajectory]| {
            let alarmed = runs.iter().filter(|run| alarm(run, facts, level).is_some());
            alarmed.count()
        };
        let after = |run: &Trajectory| {
            alarm(run, facts, level).map_or(0.0, |first| cost(run, unit, first.saturating_add(1)))
        };
        let groups = by_task(&unsolved, |run| [after(run), cost(run, unit, 0)]);
        OutcomeShares {
            solved_alarm: ratio(alarmed(&solved), solved.len()),
            unsolved_alarm: ratio(alarmed(&unsolved), unsolved.len()),
            after: share_of(unsolved.iter().map(|run| after(run)).sum(), total),
            solved_alarms: alarmed(&solved),
            after_interval: bootstrap(&groups, |[after, total]| share_of(*after, *total)),
        }
    });
    Some(OutcomeScore {
        unit,
        solved: solved.len(),
        unsolved: unsolved.len(),
        levels: ByLevel::from_array(levels),
    })
}

/// Tokens, if any run of known outcome has them.
pub(crate) fn unit(runs: &[&Trajectory]) -> Unit {
    let mut known = runs.iter().filter(|run| run.label.solved.is_some());
    if known.any(|run| run.has_tokens()) {
        Unit::Tokens
    } else {
        Unit::Steps
    }
}

/// What a run cost from a step on.
pub(crate) fn cost(run: &Trajectory, unit: Unit, from: usize) -> f64 {
    match unit {
        Unit::Tokens => run.tokens().skip(from).sum(),
        Unit::Steps => number(run.steps.len().saturating_sub(from)),
    }
}

pub(crate) fn alarm(run: &Trajectory, facts: &Facts, level: usize) -> Option<usize> {
    facts.alarms.get(&run.id).and_then(|first| first[level])
}

/// A share, or nothing of nothing.
pub(crate) fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| number(part) / number(whole))
}

/// A share of a cost, or nothing of nothing.
pub(crate) fn share_of(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn number(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
