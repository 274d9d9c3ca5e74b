//! The numbers that are looked at first.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::{
    facts::Facts,
    interval::{Interval, wilson},
    messages::Messages,
    score::{ByLevel, OutcomeShares, Prf, SetScore},
};

/// Numbers by name, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline(pub Vec<(&'static str, Option<Figure>)>);

/// A number, how it is read, and how far it could be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The number.
    pub value: f64,
    /// How it is read.
    #[serde(skip)]
    pub unit: FigureUnit,
    /// The counts that a share of counts is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<(u64, u64)>,
    /// A 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

/// How a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureUnit {
    /// A share of runs, calls or tokens.
    Share,
    /// Precision, recall or F1.
    Ratio,
    /// Something counted.
    Count,
}

impl Figure {
    /// A share of counts, with its interval; `None` of nothing.
    pub fn part(part: usize, whole: usize) -> Option<Self> {
        Self::of_counts(FigureUnit::Share, part as u64, whole as u64)
    }

    /// Something counted.
    pub fn count(count: u64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let value = count as f64;
        Self {
            value,
            unit: FigureUnit::Count,
            of: None,
            interval: None,
        }
    }

    fn of_counts(unit: FigureUnit, part: u64, whole: u64) -> Option<Self> {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        (whole > 0).then(|| Self {
            value: part as f64 / whole as f64,
            unit,
            of: Some((part, whole)),
            interval: wilson(part, whole),
        })
    }

    fn resampled(unit: FigureUnit, value: Option<f64>, interval: Option<Interval>) -> Option<Self> {
        Some(Self {
            value: value?,
            unit,
            of: None,
            interval,
        })
    }
}

/// Precision, recall and F1 with their intervals.
fn compared(score: Option<Prf>, f1: Option<Interval>) -> [Option<Figure>; 3] {
    let Some(score) = score else {
        return [None; 3];
    };
    let ratio =
        |part: usize, whole: usize| Figure::of_counts(FigureUnit::Ratio, part as u64, whole as u64);
    [
        ratio(score.tp, score.tp + score.fp),
        ratio(score.tp, score.tp + score.missed),
        Figure::resampled(FigureUnit::Ratio, score.f1, f1),
    ]
}

type Level = fn(&ByLevel<OutcomeShares>) -> &OutcomeShares;

impl Headline {
    /// The headline of the reference scorer, out of the numbers of all sets. Speed comes with [`timed`](Self::timed).
    pub fn of(sets: &BTreeMap<String, SetScore>) -> Self {
        let outcome = |set: &str| sets.get(set)?.outcome.as_ref();
        let solved = |set: &str, level: Level| {
            let outcome = outcome(set)?;
            Figure::part(level(&outcome.levels).solved_alarms, outcome.solved)
        };
        let after = |set: &str, level: Level| {
            let shares = level(&outcome(set)?.levels);
            Figure::resampled(FigureUnit::Share, shares.after, shares.after_interval)
        };
        let deny: Level = |levels| &levels.deny;
        let nudge: Level = |levels| &levels.nudge;
        let steps = sets.get("llm_agents_study");
        let steps = compared(
            steps.and_then(|set| Some(set.steps.as_ref()?.nudge)),
            steps.and_then(|set| set.f1_intervals.nudge),
        );
        let who = label(sets, "whowhen");
        let mut all = vec![
            (
                "overthinking solved runs with deny+",
                solved("overthinking", deny),
            ),
            (
                "overthinking unsolved tokens after first deny+",
                after("overthinking", deny),
            ),
            (
                "overthinking solved runs with nudge+",
                solved("overthinking", nudge),
            ),
            (
                "overthinking unsolved tokens after first nudge+",
                after("overthinking", nudge),
            ),
            (
                "mini-swe Gemini 3 solved runs with deny+",
                solved("miniswe_gemini3", deny),
            ),
            (
                "mini-swe Gemini 3 solved runs with nudge+",
                solved("miniswe_gemini3", nudge),
            ),
            ("human step repetition P (nudge+)", steps[0]),
            ("human step repetition R (nudge+)", steps[1]),
            ("human step repetition F1 (nudge+)", steps[2]),
            ("Who&When is_in_loop P (nudge+)", who[0]),
            ("Who&When is_in_loop R (nudge+)", who[1]),
        ];
        all.extend(worth(sets));
        let messages = messages(sets);
        let share = |part: fn(&Messages) -> u64, whole: fn(&Messages) -> u64| {
            let messages = messages?;
            Figure::of_counts(FigureUnit::Share, part(&messages), whole(&messages))
        };
        all.push((
            "messages with right numbers",
            share(|all| all.right, |all| all.all),
        ));
        all.push((
            "messages that name the argument",
            share(|all| all.naming, |all| all.about),
        ));
        Self(all)
    }

    /// The number of this name, where there is one.
    pub fn figure(&self, name: &str) -> Option<Figure> {
        let (_, figure) = self.0.iter().find(|(known, _)| *known == name)?;
        *figure
    }

    /// With the events per second, if a time was taken.
    #[must_use]
    pub fn timed(mut self, facts: &Facts) -> Self {
        self.0.push(("events per second", speed(facts)));
        self
    }

    /// With numbers that the reference scorer prints elsewhere and that are worth a look.
    #[must_use]
    pub fn wide(mut self, sets: &BTreeMap<String, SetScore>) -> Self {
        let study = sets.get("llm_agents_study");
        let found = compared(
            study.and_then(|set| set.steps.as_ref()?.finding),
            study.and_then(|set| set.f1_intervals.finding),
        );
        let web = label(sets, "web_agents");
        let service = |level: fn(&ByLevel<usize>) -> usize| {
            let sets = ["taubench", "agentrx_tau"].map(|set| sets.get(set));
            let sets: Vec<_> = sets.into_iter().flatten().collect();
            let alarms = sets.iter().map(|set| level(&set.alarms)).sum();
            Figure::part(alarms, sets.iter().map(|set| set.n).sum())
        };
        let sum =
            |of: fn(&SetScore) -> Option<usize>| -> usize { sets.values().filter_map(of).sum() };
        let verified = messages(sets).and_then(|messages| {
            Figure::of_counts(FigureUnit::Share, messages.verified, messages.all)
        });
        self.0.extend([
            ("human step repetition P (findings)", found[0]),
            ("human step repetition R (findings)", found[1]),
            ("human step repetition F1 (findings)", found[2]),
            ("web agents loop P (nudge+)", web[0]),
            ("web agents loop R (nudge+)", web[1]),
            ("web agents loop F1 (nudge+)", web[2]),
            (
                "service runs (tau-bench, AgentRx) with deny+",
                service(|alarms| alarms.deny),
            ),
            (
                "service runs (tau-bench, AgentRx) with nudge+",
                service(|alarms| alarms.nudge),
            ),
            (
                "runs lost, all sets",
                Figure::part(
                    sum(|set| Some(set.worth.lost)),
                    sum(|set| Some(set.worth.solved)),
                ),
            ),
            (
                "wrong denials, all sets",
                Figure::part(
                    sum(|set| set.worth.denied_wrong),
                    sum(|set| set.worth.denied_known),
                ),
            ),
            ("messages whose every number is found again", verified),
        ]);
        self
    }
}

/// P, R and F1 of nudges or more against the label of the runs of a set.
fn label(sets: &BTreeMap<String, SetScore>, set: &str) -> [Option<Figure>; 3] {
    let set = sets.get(set);
    compared(
        set.and_then(|set| Some(set.label.as_ref()?.levels.nudge)),
        set.and_then(|set| set.f1_intervals.label),
    )
}

/// What the alarms were worth in the set that has most of them.
fn worth(sets: &BTreeMap<String, SetScore>) -> Vec<(&'static str, Option<Figure>)> {
    let worth = sets.get("overthinking").map(|set| &set.worth);
    let caught =
        |value: Option<f64>, interval| Figure::resampled(FigureUnit::Share, value, interval);
    vec![
        (
            "overthinking runs lost",
            worth.and_then(|worth| Figure::part(worth.lost, worth.solved)),
        ),
        (
            "overthinking wrong denials",
            worth.and_then(|worth| Figure::part(worth.denied_wrong?, worth.denied_known?)),
        ),
        (
            "overthinking waste caught by nudge+",
            worth.and_then(|worth| caught(worth.caught.nudge, worth.caught_intervals.nudge)),
        ),
        (
            "overthinking waste caught by deny+",
            worth.and_then(|worth| caught(worth.caught.deny, worth.caught_intervals.deny)),
        ),
        (
            "overthinking first nudge on a redundant step",
            worth.and_then(|worth| Figure::part(worth.first_nudges_redundant, worth.first_nudges)),
        ),
        (
            "overthinking runs with 5 redundant steps told of",
            worth.and_then(|worth| {
                Figure::part(worth.runs_5_redundant_told, worth.runs_5_redundant)
            }),
        ),
    ]
}

/// Messages of all sets; `None` where the facts do not have them.
fn messages(sets: &BTreeMap<String, SetScore>) -> Option<Messages> {
    let mut all: Option<Messages> = None;
    for messages in sets.values().filter_map(|set| set.messages) {
        *all.get_or_insert_default() += messages;
    }
    all
}

fn speed(facts: &Facts) -> Option<Figure> {
    let seconds = facts.seconds.filter(|seconds| *seconds > 0.0)?;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a count of events over a positive time"
    )]
    let per_second = (facts.events as f64 / seconds).round() as u64;
    Some(Figure::count(per_second))
}

impl Serialize for Headline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, figure) in &self.0 {
            map.serialize_entry(name, &figure.map(|figure| figure.value))?;
        }
        map.end()
    }
}

/// A headline with the counts and intervals of its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Detailed(pub Headline);

impl Serialize for Detailed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.0.iter().copied())
    }
}
