//! Runs the engine over recorded runs and keeps what it said.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use unstuck::{Decision, RuleName, Settings, Verdict};
use unstuck_scan::OnHalt;

use crate::{
    events::events,
    messages::{Messages, To, judge},
    trajectory::Trajectory,
};

/// Runs are replayed side by side on so many threads.
const THREADS: usize = 2;

/// What the engine said to one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Every decision with a verdict above `allow` or with findings, in order.
    pub remarks: Vec<Remark>,
    /// Events sent.
    pub events: usize,
    /// Events the engine could not read.
    pub line_errors: usize,
    /// Steps whose call was denied, up to the first halt.
    pub denied: Vec<usize>,
    /// The messages up to the first halt, by the rule that decided.
    pub messages: BTreeMap<RuleName, Messages>,
}

/// A decision that is not plainly `allow`.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The step it was an answer to.
    pub step: usize,
    /// The answer.
    pub verdict: Verdict,
    /// The rule that decided, with its count, if the answer is more than `allow`.
    pub reason: Option<Seen>,
    /// What the rules saw.
    pub findings: Vec<Seen>,
}

/// A rule and how often it saw something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The rule.
    pub rule: RuleName,
    /// Occurrences, the first one included.
    pub repeats: u32,
    /// Calls per lap.
    pub period: u32,
}

/// What the engine said to all runs, in their order.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// One for each run.
    pub runs: Vec<Run>,
    /// Wall time.
    pub seconds: f64,
}

impl Run {
    /// The first decision of at least this verdict.
    pub fn first(&self, at_least: Verdict) -> Option<&Remark> {
        self.remarks
            .iter()
            .find(|remark| remark.verdict >= at_least)
    }
}

/// Replays runs with one engine each, so that none can disturb another.
pub fn replay(runs: &[Trajectory], settings: &Settings) -> Replay {
    let start = Instant::now();
    let mut all = replay_each(runs, &[settings]);
    Replay {
        runs: all.pop().unwrap_or_default(),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// Replays runs with several settings. Making the events is a good part of the work and is done once.
pub fn replay_each(runs: &[Trajectory], settings: &[&Settings]) -> Vec<Vec<Run>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(run) = runs.get(at) else {
                return done;
            };
            done.push((at, replay_run(run, settings)));
        }
    };
    let mut done: Vec<(usize, Vec<Run>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| match worker.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    let mut all: Vec<Vec<Run>> = settings.iter().map(|_| Vec::new()).collect();
    for (_, each) in done {
        for (list, run) in all.iter_mut().zip(each) {
            list.push(run);
        }
    }
    all
}

fn replay_run(run: &Trajectory, settings: &[&Settings]) -> Vec<Run> {
    let events = events(run);
    let with = |settings: &&Settings| {
        let mut engine = unstuck_scan::Replay::new(settings, OnHalt::Keep);
        let mut said = Run {
            events: events.len(),
            ..Run::default()
        };
        for (step, event) in &events {
            match event {
                Ok(event) => {
                    let to = To::of(&event.kind);
                    let decision = engine.observe(event.clone());
                    let is_halted = said.first(Verdict::Halt).is_some();
                    if to == To::Call && decision.verdict >= Verdict::Deny && !is_halted {
                        said.denied.push(*step);
                    }
                    if let Some(reason) = &decision.reason
                        && decision.verdict > Verdict::Allow
                        && !is_halted
                    {
                        *said.messages.entry(reason.rule).or_default() +=
                            judge(run, *step, to, reason);
                    }
                    said.remarks.extend(remark(*step, &decision));
                }
                Err(_) => said.line_errors += 1,
            }
        }
        said
    };
    settings.iter().map(with).collect()
}

fn remark(step: usize, decision: &Decision) -> Option<Remark> {
    if decision.verdict == Verdict::Allow && decision.findings.is_empty() {
        return None;
    }
    let reason = decision.reason.as_ref().map(|reason| Seen {
        rule: reason.rule,
        repeats: reason.repeats,
        period: reason.period,
    });
    let findings = decision.findings.iter().map(|finding| Seen {
        rule: finding.rule,
        repeats: finding.repeats,
        period: finding.period,
    });
    Some(Remark {
        step,
        verdict: decision.verdict,
        // In observe mode there is a reason without a verdict.
        reason: reason.filter(|_| decision.verdict > Verdict::Allow),
        findings: findings.collect(),
    })
}
