//! What the alarms of some runs were worth: runs lost, wrong denials, waste caught, first nudges on a redundant step.

use serde::Serialize;

use crate::{
    facts::Facts,
    interval::{Interval, bootstrap},
    redundant::denials,
    score::{Unit, alarm, by_task, cost, share_of},
    trajectory::Trajectory,
};

/// Number of redundant steps from which a run counts as one to be told of.
const MANY_REDUNDANT: usize = 5;

/// What the alarms of some runs were worth. The fields and their order are those of the reference scorer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// What steps cost.
    pub unit: Unit,
    /// Runs.
    pub runs: usize,
    /// Solved runs.
    pub solved: usize,
    /// Solved runs with a halt at or before their last source edit.
    pub lost: usize,
    /// Denied calls whose result is known; `None` where the facts do not say what was denied.
    pub denied_known: Option<usize>,
    /// Those of them whose result was a success that the run had not seen.
    pub denied_wrong: Option<usize>,
    /// Cost of redundant steps, of the cost of all steps.
    pub waste: Option<f64>,
    /// Cost of redundant steps after the first alarm, of the cost of all redundant steps.
    pub caught: Caught<Option<f64>>,
    /// Runs with a nudge.
    pub first_nudges: usize,
    /// Runs whose first nudge is on a redundant step.
    pub first_nudges_redundant: usize,
    /// Runs with five redundant steps or more.
    pub runs_5_redundant: usize,
    /// Those of them with a nudge.
    pub runs_5_redundant_told: usize,
    /// How far `caught` could be off.
    #[serde(skip)]
    pub caught_intervals: Caught<Option<Interval>>,
}

/// A value for nudges and one for denials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Caught<T> {
    /// After the first nudge.
    pub nudge: T,
    /// After the first denial.
    pub deny: T,
}

/// Cost of redundant steps after the first nudge, after the first denial, and of all.
type Waste = [f64; 3];

pub(crate) fn worth(runs: &[&Trajectory], facts: &Facts) -> Worth {
    let unit = if runs.iter().any(|run| run.has_tokens()) {
        Unit::Tokens
    } else {
        Unit::Steps
    };
    let solved = || runs.iter().filter(|run| run.label.solved == Some(true));
    let is_lost = |run: &&&Trajectory| {
        let halt = alarm(run, facts, 2);
        halt.is_some_and(|halt| run.last_source_edit().is_some_and(|edit| halt <= edit))
    };
    let denied = facts.denied.as_ref().map(|denied| {
        let each = runs
            .iter()
            .filter_map(|run| Some(denials(run, denied.get(&run.id)?)));
        each.fold((0, 0), |(known, wrong), one| {
            (known + one.known, wrong + one.wrong)
        })
    });
    let groups = by_task(runs, |run| waste(run, facts, unit));
    let [nudge, deny, all] = groups.iter().fold([0.0; 3], add);
    let cost = runs.iter().map(|run| cost(run, unit, 0));
    let first_nudge = |run: &Trajectory| alarm(run, facts, 0);
    let nudged: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run, first_nudge(run)?)))
        .collect();
    let on_redundant = |(run, first): &&(&&Trajectory, usize)| run.redundant().contains(first);
    let many = || {
        let is_many = |run: &&&Trajectory| run.redundant().len() >= MANY_REDUNDANT;
        runs.iter().filter(is_many)
    };
    Worth {
        unit,
        runs: runs.len(),
        solved: solved().count(),
        lost: solved().filter(is_lost).count(),
        denied_known: denied.map(|(known, _)| known),
        denied_wrong: denied.map(|(_, wrong)| wrong),
        waste: share_of(all, cost.sum()),
        caught: Caught {
            nudge: share_of(nudge, all),
            deny: share_of(deny, all),
        },
        first_nudges: nudged.len(),
        first_nudges_redundant: nudged.iter().filter(on_redundant).count(),
        runs_5_redundant: many().count(),
        runs_5_redundant_told: many().filter(|run| first_nudge(run).is_some()).count(),
        caught_intervals: Caught {
            nudge: bootstrap(&groups, |[nudge, _, all]| share_of(*nudge, *all)),
            deny: bootstrap(&groups, |[_, deny, all]| share_of(*deny, *all)),
        },
    }
}

fn waste(run: &Trajectory, facts: &Facts, unit: Unit) -> Waste {
    let cost = |at: usize| match unit {
        Unit::Tokens => run.steps[at].tokens(),
        Unit::Steps => 1.0,
    };
    let after = |level| {
        let first = alarm(run, facts, level);
        let behind = run
            .redundant()
            .iter()
            .filter(|at| first.is_some_and(|first| **at > first));
        behind.map(|at| cost(*at)).sum()
    };
    let all = run.redundant().iter().map(|at| cost(*at)).sum();
    [after(0), after(1), all]
}

fn add<const N: usize>(sums: [f64; N], values: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|at| sums[at] + values[at])
}
