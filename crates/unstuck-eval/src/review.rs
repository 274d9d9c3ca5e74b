//! What was missed and what was flagged falsely, to be looked at.

use unstuck::{RuleName, Verdict};

use crate::{
    facts::LEVELS,
    replay::{Run, Seen},
    trajectory::Trajectory,
};

/// A run or a step that speaks against the detector, as far as labels go.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The run.
    pub id: String,
    /// What is known about it.
    pub why: String,
    /// The first alarm of each level: the step and the rule that gave it.
    pub alarms: [Option<(usize, Seen)>; 3],
}

/// Which mistakes are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Miss,
    FalseAlarm,
}

/// Runs and steps that are called loops and were not flagged. Without labels of loops: unsolved runs without an alarm,
/// which need not be loops.
pub fn misses<'a>(runs: impl Iterator<Item = (&'a Trajectory, &'a Run)>) -> Vec<Mistake> {
    mistakes_of(runs, Kind::Miss)
}

/// Runs that were solved or are not called loops and had an alarm; steps that were flagged and are not repetitions.
/// Solved runs come first, and stricter alarms before milder ones.
pub fn false_alarms<'a>(runs: impl Iterator<Item = (&'a Trajectory, &'a Run)>) -> Vec<Mistake> {
    let mut found = mistakes_of(runs, Kind::FalseAlarm);
    let strictness = |mistake: &Mistake| mistake.alarms.iter().flatten().count();
    found.sort_by_key(|mistake| {
        let is_solved = mistake.why.starts_with("solved");
        (!is_solved, std::cmp::Reverse(strictness(mistake)))
    });
    found
}

/// One line for each, and how many there are of each rule.
pub fn mistakes(what: &str, list: &[Mistake], rule: Option<RuleName>) -> String {
    let mut text = String::new();
    let mut counts: Vec<(RuleName, usize)> = Vec::new();
    let mut shown = 0;
    for mistake in list {
        let by = |rule| {
            let mut alarms = mistake.alarms.iter().flatten();
            alarms.any(|(_, seen)| seen.rule == rule)
        };
        if rule.is_some_and(|rule| !by(rule)) {
            continue;
        }
        shown += 1;
        text += &format!("{what}\t{}\t{}", mistake.id, mistake.why);
        for (level, alarm) in LEVELS.iter().zip(&mistake.alarms) {
            if let Some((step, seen)) = alarm {
                text += &format!("\t{level}@{step} {} {}x", seen.rule, seen.repeats);
            }
        }
        text.push('\n');
        if let Some((_, seen)) = mistake.alarms[0] {
            match counts.iter_mut().find(|(rule, _)| *rule == seen.rule) {
                Some((_, count)) => *count += 1,
                None => counts.push((seen.rule, 1)),
            }
        }
    }
    counts.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), *rule));
    let counts: Vec<_> = counts
        .iter()
        .map(|(rule, count)| format!("{rule} {count}"))
        .collect();
    text + &format!("{shown} {what} by first rule: {}\n", counts.join(", "))
}

fn mistakes_of<'a>(
    runs: impl Iterator<Item = (&'a Trajectory, &'a Run)>,
    kind: Kind,
) -> Vec<Mistake> {
    let mut found = Vec::new();
    for (run, said) in runs {
        let alarms = LEVELS.map(|level| {
            let first = said.first(level)?;
            Some((first.step, first.reason?))
        });
        let is_alarmed = alarms[0].is_some();
        let (solved, is_loop) = (run.label.solved, run.label.is_loop);
        let speaks_against = match kind {
            Kind::Miss => {
                !is_alarmed && (is_loop == Some(true) || (is_loop, solved) == (None, Some(false)))
            }
            Kind::FalseAlarm => is_alarmed && (is_loop == Some(false) || solved == Some(true)),
        };
        if speaks_against {
            found.push(Mistake {
                id: run.id.clone(),
                why: known(solved, is_loop),
                alarms,
            });
        }
        if run.label.steps_judged {
            steps(run, said, kind, &mut found);
        }
    }
    found
}

fn known(solved: Option<bool>, is_loop: Option<bool>) -> String {
    let solved = solved.map(|solved| if solved { "solved" } else { "unsolved" });
    let is_loop = is_loop.map(|is_loop| if is_loop { "loop" } else { "no loop" });
    let words: Vec<_> = [solved, is_loop].into_iter().flatten().collect();
    words.join(", ")
}

fn steps(run: &Trajectory, said: &Run, kind: Kind, found: &mut Vec<Mistake>) {
    for (at, step) in run.steps.iter().enumerate() {
        let flagged = said
            .remarks
            .iter()
            .find(|remark| remark.step == at && remark.verdict > Verdict::Allow);
        let is_wrong = match (step.is_repetition(), kind) {
            (Some(true), Kind::Miss) => flagged.is_none(),
            (Some(false), Kind::FalseAlarm) => flagged.is_some(),
            _ => false,
        };
        if is_wrong {
            let seen = flagged.and_then(|remark| Some((at, remark.reason?)));
            found.push(Mistake {
                id: run.id.clone(),
                why: format!(
                    "step {at} is {}",
                    step.rel_to_prev.as_deref().unwrap_or_default()
                ),
                alarms: [seen, None, None],
            });
        }
    }
}
