//! The numbers that are looked at first.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap as _};

use crate::{
    facts::Facts,
    messages::Messages,
    replay::Run,
    score::{ByLevel, OutcomeShares, SetScore},
};

/// Numbers by name, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Headline(pub Vec<(&'static str, Option<Figure>)>);

/// A number and how it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// A share of runs or tokens.
    Share(f64),
    /// Precision, recall or F1.
    Ratio(f64),
    /// Something counted.
    Count(u64),
}

impl Headline {
    /// The headline of the reference scorer, out of the numbers of all sets. Speed comes with [`timed`](Self::timed).
    pub fn of(sets: &BTreeMap<String, SetScore>) -> Self {
        let levels = |set: &str| Some(&sets.get(set)?.outcome.as_ref()?.levels);
        let solved = |set, level: fn(&ByLevel<OutcomeShares>) -> &OutcomeShares| {
            levels(set).and_then(|levels| level(levels).solved_alarm)
        };
        let after = |set, level: fn(&ByLevel<OutcomeShares>) -> &OutcomeShares| {
            levels(set).and_then(|levels| level(levels).after)
        };
        let deny: fn(&ByLevel<OutcomeShares>) -> &OutcomeShares = |levels| &levels.deny;
        let nudge: fn(&ByLevel<OutcomeShares>) -> &OutcomeShares = |levels| &levels.nudge;
        let study = sets.get("llm_agents_study");
        let steps = study.and_then(|set| Some(set.steps.as_ref()?.nudge));
        let who = sets.get("whowhen");
        let who = who.and_then(|set| Some(set.label.as_ref()?.levels.nudge));
        let shares = [
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
        ];
        let ratios = [
            (
                "human step repetition P (nudge+)",
                steps.and_then(|steps| steps.precision),
            ),
            (
                "human step repetition R (nudge+)",
                steps.and_then(|steps| steps.recall),
            ),
            (
                "human step repetition F1 (nudge+)",
                steps.and_then(|steps| steps.f1),
            ),
            (
                "Who&When is_in_loop P (nudge+)",
                who.and_then(|who| who.precision),
            ),
            (
                "Who&When is_in_loop R (nudge+)",
                who.and_then(|who| who.recall),
            ),
        ];
        let shares = shares.map(|(name, value)| (name, value.map(Figure::Share)));
        let ratios = ratios.map(|(name, value)| (name, value.map(Figure::Ratio)));
        Self(shares.into_iter().chain(ratios).collect())
    }

    /// With the shares of messages whose numbers are right, and that name the argument of their call.
    #[must_use]
    pub fn told<'a>(mut self, runs: impl Iterator<Item = &'a Run>) -> Self {
        let mut all = Messages::default();
        for messages in runs.flat_map(|run| run.messages.values()) {
            all += *messages;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of messages")]
        let share =
            |part: u64, whole: u64| (whole > 0).then(|| Figure::Share(part as f64 / whole as f64));
        self.0
            .push(("messages with right numbers", share(all.right, all.all)));
        self.0.push((
            "messages that name the argument",
            share(all.naming, all.about),
        ));
        self
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
        let found = study.and_then(|set| set.steps.as_ref()?.finding);
        let ratios = [
            (
                "human step repetition P (findings)",
                found.and_then(|found| found.precision),
            ),
            (
                "human step repetition R (findings)",
                found.and_then(|found| found.recall),
            ),
            (
                "human step repetition F1 (findings)",
                found.and_then(|found| found.f1),
            ),
        ];
        let service = |level: fn(&ByLevel<usize>) -> usize| {
            let sets = ["taubench", "agentrx_tau"].map(|set| sets.get(set));
            let counts = sets.into_iter().flatten().map(|set| level(&set.alarms));
            let count = counts.reduce(|one, other| one + other);
            count.map(|count| Figure::Count(count as u64))
        };
        self.0
            .extend(ratios.map(|(name, value)| (name, value.map(Figure::Ratio))));
        self.0.push((
            "service runs (tau-bench, AgentRx) with deny+",
            service(|alarms| alarms.deny),
        ));
        self.0.push((
            "service runs (tau-bench, AgentRx) with nudge+",
            service(|alarms| alarms.nudge),
        ));
        self
    }
}

fn speed(facts: &Facts) -> Option<Figure> {
    let seconds = facts.seconds.filter(|seconds| *seconds > 0.0)?;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a count of events over a positive time"
    )]
    let per_second = (facts.events as f64 / seconds).round() as u64;
    Some(Figure::Count(per_second))
}

impl Serialize for Headline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, figure) in &self.0 {
            match figure {
                None => map.serialize_entry(name, &None::<f64>)?,
                Some(Figure::Share(value) | Figure::Ratio(value)) => {
                    map.serialize_entry(name, value)?;
                }
                Some(Figure::Count(count)) => map.serialize_entry(name, count)?,
            }
        }
        map.end()
    }
}
