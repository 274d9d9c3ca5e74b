//! What a call does to the world, as far as its name and arguments tell.

use serde::{Deserialize, Serialize};
use unstuck_shell::Insight;

use super::Args;
use crate::{
    event::Call,
    vocab::{arguments::READING_JOBS, tools::ToolWords},
};
use unstuck_json::JsonRef;

/// What a call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Effect {
    Reads,
    Writes,
    Unknown,
}

pub(super) fn of(
    call: &Call,
    words: ToolWords,
    args: &Args<'_>,
    command: Option<&str>,
    insight: Option<&Insight>,
) -> Effect {
    match call.read_only {
        Some(true) => return Effect::Reads,
        Some(false) => return Effect::Writes,
        None => {}
    }
    if let Some(insight) = insight {
        return match insight.effect {
            unstuck_shell::Effect::Reads => Effect::Reads,
            unstuck_shell::Effect::Writes => Effect::Writes,
            _ => Effect::Unknown,
        };
    }
    // What the parser does not read may do anything.
    if command.is_some() {
        return Effect::Unknown;
    }
    // A name that says both writes.
    if words.say(ToolWords::WRITES) {
        let sub_command = args.get("command").and_then(JsonRef::text);
        match sub_command {
            Some(sub) if READING_JOBS.contains(&&*sub) => Effect::Reads,
            _ => Effect::Writes,
        }
    } else if words.say(ToolWords::READS) {
        Effect::Reads
    } else {
        Effect::Unknown
    }
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
