//! First-alarm facts: all that scoring needs to know about a detector.
//!
//! The form is the reference scorer's, so the facts of other detectors can be scored beside ours.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unstuck::Verdict;

use crate::{
    messages::Messages,
    replay::{Replay, Run},
    trajectory::Trajectory,
};

/// The step of the first decision of at least nudge, deny and halt.
pub type FirstAlarms = [Option<usize>; 3];

/// The verdicts that are counted, in the order of [`FirstAlarms`].
pub const LEVELS: [Verdict; 3] = [Verdict::Nudge, Verdict::Deny, Verdict::Halt];

/// What a detector did on a corpus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Whose facts these are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// By run; one that is absent had no alarm.
    pub alarms: BTreeMap<String, FirstAlarms>,
    /// Steps whose call was denied, up to the first halt; `None` where the detector's facts do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied: Option<BTreeMap<String, Vec<usize>>>,
    /// All steps with nudge or more, for runs whose steps were judged by a person.
    #[serde(default)]
    pub steps: BTreeMap<String, Vec<usize>>,
    /// All steps with nudge or more or with findings, for the same runs.
    #[serde(default)]
    pub findings: BTreeMap<String, Vec<usize>>,
    /// Messages by set and rule; `None` where the detector's facts do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<BTreeMap<String, BTreeMap<String, Messages>>>,
    /// Messages by run, where they were judged here.
    #[serde(skip)]
    pub messages_of_runs: BTreeMap<String, Messages>,
    /// Events sent.
    #[serde(default)]
    pub events: u64,
    /// Wall time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Events that were answered with an error.
    #[serde(default)]
    pub line_errors: u64,
}

/// A file of facts: of one detector, or of many by name.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Many { peers: Named },
    One(Box<Facts>),
}

/// In the order of the file, which says which were run first.
struct Named(Vec<(String, Facts)>);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> serde::de::Visitor<'de> for Members {
            type Value = Named;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("facts by the name of the detector")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut members: A,
            ) -> Result<Named, A::Error> {
                let mut named = Vec::new();
                while let Some(entry) = members.next_entry()? {
                    named.push(entry);
                }
                Ok(Named(named))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl Facts {
    /// The facts of a replay.
    pub fn of(runs: &[Trajectory], replay: &Replay) -> Self {
        let mut facts = Self::of_runs(runs, &replay.runs);
        facts.seconds = Some((replay.seconds * 1000.0).round() / 1000.0);
        facts
    }

    /// The facts of what was said to these runs, in the same order.
    pub fn of_runs(runs: &[Trajectory], said: &[Run]) -> Self {
        let mut facts = Self::default();
        let mut denied = BTreeMap::new();
        let mut all_messages: BTreeMap<String, BTreeMap<String, Messages>> = BTreeMap::new();
        for (run, said) in runs.iter().zip(said) {
            let first = LEVELS.map(|level| said.first(level).map(|remark| remark.step));
            if first[0].is_some() {
                facts.alarms.insert(run.id.clone(), first);
            }
            if !said.denied.is_empty() {
                denied.insert(run.id.clone(), said.denied.clone());
            }
            if run.label.keeps_steps {
                let mut found: Vec<_> = said.remarks.iter().map(|remark| remark.step).collect();
                found.dedup();
                let flagged = said.remarks.iter();
                let flagged = flagged.filter(|remark| remark.verdict > Verdict::Allow);
                let mut flagged: Vec<_> = flagged.map(|remark| remark.step).collect();
                flagged.dedup();
                if !flagged.is_empty() {
                    facts.steps.insert(run.id.clone(), flagged);
                }
                if !found.is_empty() {
                    facts.findings.insert(run.id.clone(), found);
                }
            }
            for (rule, messages) in &said.messages {
                let of_set = all_messages.entry(run.set.clone()).or_default();
                *of_set.entry(rule.to_string()).or_default() += *messages;
                *facts.messages_of_runs.entry(run.id.clone()).or_default() += *messages;
            }
            facts.events += said.events as u64;
            facts.line_errors += said.line_errors as u64;
        }
        facts.denied = Some(denied);
        facts.messages = Some(all_messages);
        facts
    }

    /// Reads a file of facts, of one detector or of many. `name` stands for one that names itself nowhere.
    pub fn read(name: &str, text: &str) -> Result<Vec<(String, Self)>, serde_json::Error> {
        Ok(match serde_json::from_str(text)? {
            File::Many { peers } => peers.0,
            File::One(facts) => {
                let name = facts.name.clone().unwrap_or_else(|| name.to_owned());
                vec![(name, *facts)]
            }
        })
    }
}
