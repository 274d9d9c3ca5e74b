//! Calls that wait for something, and answers that say to wait.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Args, Ending, name::ToolName, opening::Phrases};
use crate::json::{Json, JsonKind, JsonRef};

/// Whether a call waits, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Waits {
    No,
    /// It asks whether something that runs elsewhere is done.
    Asks,
    /// It lets time pass.
    Sleeps,
}

/// Does the call, by its name or its arguments, look after something that runs elsewhere?
pub(super) fn of_call(name: ToolName, args: &Args<'_>, command: Option<&str>) -> Waits {
    if let Some(command) = command {
        return match command.split_whitespace().next() {
            Some("sleep" | "wait") => Waits::Sleeps,
            // Nothing typed into a shell that is still busy: a look at what it says now.
            None => Waits::Asks,
            Some(_) => Waits::No,
        };
    }
    if name.says(ToolName::SLEEPS) {
        return Waits::Sleeps;
    }
    if name.says(ToolName::WAITS) {
        return Waits::Asks;
    }
    let action = args.get("action").and_then(JsonRef::text);
    match action.as_deref() {
        Some("poll" | "wait" | "log" | "status" | "output") => Waits::Asks,
        _ => Waits::No,
    }
}

/// Does a short answer say that the thing is not done yet, or a failure that the other side is not up to it?
pub(super) fn outcome_waits(output: Option<&Json>, ending: Ending) -> bool {
    /// Longer than this, an answer tells more than that.
    const LONGEST: usize = 200;
    const UNDER_WAY: Phrases = Phrases::new(&[
        "in progress",
        "no new output",
        "not ready",
        "pending",
        "please wait",
        "queued",
        "running",
        "still ",
        "waiting",
    ]);
    /// The other side asks for patience: whoever comes back later does what it should.
    const OVERLOADED: Phrases = Phrases::new(&[
        "429",
        "502",
        "503",
        "504",
        "overloaded",
        "rate limit",
        "service unavailable",
        "too many requests",
        "try again later",
    ]);
    let Some(output) = output.filter(|output| output.as_str().len() <= LONGEST) else {
        return false;
    };
    let phrases = match ending {
        Ending::Success => &UNDER_WAY,
        Ending::Failure => &OVERLOADED,
        Ending::Neither => return false,
    };
    let text = match output.view().kind() {
        JsonKind::String => output.view().text().unwrap_or_default(),
        _ => Cow::Borrowed(output.as_str()),
    };
    // A decoded text is no longer than its JSON.
    let mut small = [0; LONGEST];
    let Some(small) = small.get_mut(..text.len()) else {
        return false;
    };
    small.copy_from_slice(text.as_bytes());
    small.make_ascii_lowercase();
    phrases.are_anywhere_in(small)
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
