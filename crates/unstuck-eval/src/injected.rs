//! Injected cases: healthy runs with a known loop, or with healthy work that looks like one, spliced in at a known step.
//!
//! The cases are made by the corpus's own script and read as runs of the set `injected`. What is counted is that
//! script's as well.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use unstuck::Verdict;

use crate::{
    facts::LEVELS,
    replay::Run,
    score::{ByLevel, ratio},
    trajectory::Trajectory,
};

/// The set whose runs are injected cases.
const INJECTED: &str = "injected";

/// The kind whose cases are the rest of the healthy run.
pub(crate) const CONTROL: &str = "control";

/// Share of the cases of a kind that end in a halt from which the kind counts as one that ends.
const ENDS: f64 = 0.95;

/// The injected cases of a corpus, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Injected {
    /// The numbers over all kinds.
    pub headline: InjectedHeadline,
    /// The numbers of every kind.
    pub kinds: BTreeMap<String, KindScore>,
}

/// Numbers over all kinds. The names are those of the script that makes the cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InjectedHeadline {
    /// Loops with a nudge or more: the share of each kind, averaged over kinds.
    #[serde(rename = "loops told of, mean over kinds")]
    pub told: Option<f64>,
    /// Median over all loops with a nudge: the step of the first one, counted from the splice.
    #[serde(rename = "median call of the loop at the first nudge")]
    pub delay: f64,
    /// Share of the kinds of loop of which nearly all cases end in a halt.
    #[serde(rename = "kinds that end in a halt")]
    pub ended: Option<f64>,
    /// Look-alikes with a nudge or more.
    #[serde(rename = "look-alikes nudged")]
    pub alike_nudged: Option<f64>,
    /// Look-alikes with a denial or a halt.
    #[serde(rename = "look-alikes denied")]
    pub alike_denied: Option<f64>,
    /// Controls with a nudge or more.
    #[serde(rename = "controls nudged")]
    pub controls_nudged: Option<f64>,
    /// Controls with a denial or a halt.
    #[serde(rename = "controls denied")]
    pub controls_denied: Option<f64>,
    /// Cases that were halted before the splice; they are left out.
    #[serde(rename = "cases halted before the splice")]
    pub halted_before: usize,
}

/// The numbers of a kind of case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KindScore {
    /// Whether it is a loop.
    #[serde(rename = "loop")]
    pub is_loop: bool,
    /// Cases.
    pub n: usize,
    /// First alarms.
    #[serde(flatten)]
    pub levels: ByLevel<Alarms>,
}

/// First alarms of a level in the cases of a kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Alarms {
    /// Cases with one.
    pub share: f64,
    /// Median step of the first, counted from the splice.
    pub median: Option<f64>,
    /// The step of the first in each case with one.
    pub calls: Vec<usize>,
}

/// Whether a run is an injected case.
pub fn is_injected(run: &Trajectory) -> bool {
    run.set == INJECTED && run.label.all.contains_key("kind")
}

impl Injected {
    /// Counts the injected cases among these runs; `None` without any.
    pub fn of<'a>(runs: impl Iterator<Item = (&'a Trajectory, &'a Run)>) -> Option<Self> {
        let mut kinds: BTreeMap<String, KindScore> = BTreeMap::new();
        let mut halted_before = 0;
        for (run, said) in runs.filter(|(run, _)| is_injected(run)) {
            let name = run.label.all.get("kind").and_then(Value::as_str);
            let name = name.unwrap_or_default();
            let start = match name {
                CONTROL => 0,
                _ => start(run),
            };
            let mut halts = said
                .remarks
                .iter()
                .filter(|remark| remark.verdict == Verdict::Halt);
            if halts.any(|halt| halt.step < start) {
                halted_before += 1;
                continue;
            }
            let kind = kinds.entry(name.to_owned()).or_default();
            kind.is_loop = run.label.all.get("loop").and_then(Value::as_bool) == Some(true);
            kind.n += 1;
            let levels = [
                &mut kind.levels.nudge,
                &mut kind.levels.deny,
                &mut kind.levels.halt,
            ];
            for (alarms, level) in levels.into_iter().zip(LEVELS) {
                let mut alarmed = said.remarks.iter().filter(|remark| remark.verdict >= level);
                if let Some(first) = alarmed.find(|remark| remark.step >= start) {
                    alarms.calls.push(first.step - start + 1);
                }
            }
        }
        if kinds.is_empty() {
            return None;
        }
        for kind in kinds.values_mut() {
            let n = kind.n;
            for alarms in [
                &mut kind.levels.nudge,
                &mut kind.levels.deny,
                &mut kind.levels.halt,
            ] {
                alarms.share = ratio(alarms.calls.len(), n).unwrap_or(0.0);
                alarms.median = median(&alarms.calls);
            }
        }
        Some(Self {
            headline: InjectedHeadline::of(&kinds, halted_before),
            kinds,
        })
    }

    /// Cases of look-alikes with an alarm of a level, and all of them.
    pub fn look_alikes(&self, level: Verdict) -> (usize, usize) {
        counts(
            &self.kinds,
            |name, kind| !kind.is_loop && name != CONTROL,
            level,
        )
    }

    /// Controls with an alarm of a level, and all of them.
    pub fn controls(&self, level: Verdict) -> (usize, usize) {
        counts(&self.kinds, |name, _| name == CONTROL, level)
    }
}

impl InjectedHeadline {
    fn of(kinds: &BTreeMap<String, KindScore>, halted_before: usize) -> Self {
        let loops: Vec<_> = kinds.values().filter(|kind| kind.is_loop).collect();
        let shares: f64 = loops.iter().map(|kind| kind.levels.nudge.share).sum();
        let calls: Vec<_> = loops
            .iter()
            .flat_map(|kind| kind.levels.nudge.calls.iter().copied())
            .collect();
        let ended = loops
            .iter()
            .filter(|kind| kind.levels.halt.share >= ENDS)
            .count();
        let share = |(part, whole): (usize, usize)| ratio(part, whole);
        let alike = |level| {
            // The script divides by one where there is nothing.
            let (part, whole) = counts(kinds, |name, kind| !kind.is_loop && name != CONTROL, level);
            ratio(part, whole.max(1))
        };
        let controls = |level| share(counts(kinds, |name, _| name == CONTROL, level));
        #[expect(clippy::cast_precision_loss, reason = "there are few kinds")]
        let count = loops.len() as f64;
        Self {
            told: (count > 0.0).then(|| shares / count),
            delay: median(&calls).unwrap_or(0.0),
            ended: ratio(ended, loops.len()),
            alike_nudged: alike(Verdict::Nudge),
            alike_denied: alike(Verdict::Deny),
            controls_nudged: controls(Verdict::Nudge),
            controls_denied: controls(Verdict::Deny),
            halted_before,
        }
    }
}

/// The step of the splice.
fn start(run: &Trajectory) -> usize {
    let start = run.label.all.get("start").and_then(Value::as_u64);
    start
        .and_then(|start| usize::try_from(start).ok())
        .unwrap_or(0)
}

fn counts(
    kinds: &BTreeMap<String, KindScore>,
    is_meant: impl Fn(&str, &KindScore) -> bool,
    level: Verdict,
) -> (usize, usize) {
    let meant = kinds.iter().filter(|(name, kind)| is_meant(name, kind));
    meant.fold((0, 0), |(part, whole), (_, kind)| {
        let alarms = match level {
            Verdict::Halt => &kind.levels.halt,
            Verdict::Deny => &kind.levels.deny,
            _ => &kind.levels.nudge,
        };
        (part + alarms.calls.len(), whole + kind.n)
    })
}

/// The middle one, or the mean of the two in the middle.
fn median(values: &[usize]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    #[expect(clippy::cast_precision_loss, reason = "steps of a run")]
    let at = |at: usize| sorted.get(at).map(|value| *value as f64);
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => at(middle),
        _ => Some(f64::midpoint(at(middle - 1)?, at(middle)?)),
    }
}
