//! What a run shows.

use serde_json::Value;

use super::agent::{Agent, Stop};
use super::run::Run;
use super::scenario::{HEALTHY_CALLS, LOOP_CALLS};

/// Our words carry it, wherever a host puts them.
const MARKER: &str = "[unstuck]";

/// What a denial starts with, behind the marker.
const DENIAL: &str = "This call was not run";

/// What the end of a run starts with.
const HALT: &str = "The run is stopped";

/// What was seen of an agent.
pub(crate) struct Seen {
    pub(crate) agent: &'static dyn Agent,
    pub(crate) looping: Guarded,
    pub(crate) healthy: Healthy,
    /// Why it could not be run at all.
    pub(crate) why_not: Option<String>,
}

/// The endless loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Guarded {
    /// Requests before the one that holds the first nudge; each of them is a call.
    pub(crate) nudged: Option<usize>,
    pub(crate) denied: Option<usize>,
    /// Calls that the model made.
    pub(crate) calls: usize,
    /// Calls that were run.
    pub(crate) attempts: usize,
    pub(crate) ended: Ending,
    pub(crate) trouble: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The host ended it.
    Stopped,
    /// Every call was denied until the model gave up.
    Denied,
    /// The run went on to its end.
    #[default]
    Open,
}

/// The healthy run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Healthy {
    pub(crate) calls: usize,
    /// Requests with words of ours in them.
    pub(crate) disturbed: usize,
    pub(crate) trouble: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Failed,
    NotSeen,
    Passed,
}

/// After how many calls a nudge and a denial first reached the model.
pub(crate) fn words_in(told: &[Value]) -> (Option<usize>, Option<usize>) {
    let texts: Vec<_> = told.iter().map(all_text).collect();
    let first = |is: fn(&str) -> bool| texts.iter().position(|text| words(text).any(is));
    (
        first(|said| !said.starts_with(DENIAL) && !said.starts_with(HALT)),
        first(|said| said.starts_with(DENIAL)),
    )
}

pub(crate) fn looping(agent: &dyn Agent, run: &Run) -> Guarded {
    let texts: Vec<_> = run.told.iter().map(all_text).collect();
    let (nudged, denied) = words_in(&run.told);
    let calls = run.told.len().min(LOOP_CALLS);
    let gave_up = run.told.len() > LOOP_CALLS;
    let halted = texts
        .iter()
        .any(|text| words(text).any(|said| said.starts_with(HALT)));
    let ended = match agent.stop() {
        Stop::EndsRun if !gave_up && agent.said_stopped(&run.ended.output) => Ending::Stopped,
        Stop::DeniesOn if halted && run.attempts < calls / 2 => Ending::Denied,
        _ => Ending::Open,
    };
    Guarded {
        nudged,
        denied,
        calls,
        attempts: run.attempts,
        ended,
        trouble: run
            .ended
            .code
            .is_none()
            .then(|| "it had to be ended".to_owned()),
    }
}

pub(crate) fn healthy(run: &Run) -> Healthy {
    let disturbed = run
        .told
        .iter()
        .filter(|told| all_text(told).contains(MARKER))
        .count();
    Healthy {
        calls: run.told.len().saturating_sub(1),
        disturbed,
        trouble: match run.ended.code {
            Some(0) => None,
            Some(code) => Some(format!("it ended with exit code {code}")),
            None => Some("it had to be ended".to_owned()),
        },
    }
}

/// What stands behind each of our markers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(MARKER).skip(1).map(str::trim_start)
}

/// Every text of a request but what describes tools, which may quote anything.
fn all_text(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(all_text).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(key, _)| *key != "tools")
            .map(|(_, value)| all_text(value))
            .collect(),
        _ => String::new(),
    }
}

impl Seen {
    pub(crate) fn not_runnable(agent: &'static dyn Agent, why: String) -> Self {
        Self {
            agent,
            looping: Guarded::default(),
            healthy: Healthy::default(),
            why_not: Some(why),
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match () {
            () if self.why_not.is_some() => Outcome::NotSeen,
            () if self.looping.is_good() && self.healthy.is_good() => Outcome::Passed,
            () => Outcome::Failed,
        }
    }

    pub(crate) fn explain(&self) -> String {
        if let Some(why) = &self.why_not {
            return format!("NOT SEEN: {why}");
        }
        format!("loop: {:?}\nhealthy: {:?}", self.looping, self.healthy)
    }
}

impl Guarded {
    pub(crate) fn failed(trouble: String) -> Self {
        Self {
            trouble: Some(trouble),
            ..Self::default()
        }
    }

    pub(crate) fn is_good(&self) -> bool {
        let is_guarded = self.nudged.is_some() && self.denied.is_some();
        is_guarded && self.ended != Ending::Open && self.trouble.is_none()
    }
}

impl Healthy {
    pub(crate) fn failed(trouble: String) -> Self {
        Self {
            trouble: Some(trouble),
            ..Self::default()
        }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.calls == HEALTHY_CALLS && self.disturbed == 0 && self.trouble.is_none()
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
