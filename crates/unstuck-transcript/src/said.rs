//! What results say, without the words that hosts put around it: for histories, which have nothing else.

use unstuck::{Json, Outcome, Status};
use unstuck_json::JsonRef;

use crate::outcome::{self, content, exit_code, integer};

/// A result by its content, with the exit code and the refusal that its words tell of.
pub(crate) fn result(id: &str, status: Status, said: Option<JsonRef<'_>>) -> Outcome {
    result_of(id, status, said.map(content))
}

/// The same, of content that was put together already.
pub(crate) fn result_of(id: &str, status: Status, output: Option<Json>) -> Outcome {
    let text = output.as_ref().and_then(|output| output.view().text());
    let (code, refused) = match &text {
        Some(text) => (wrapped_exit_code(text), refusal(text)),
        None => (None, None),
    };
    let mut outcome = outcome::outcome(id, refused.unwrap_or(status), output);
    outcome.exit_code = code;
    outcome
}

/// The exit code that a host wrote before or behind a command's output.
pub(crate) fn wrapped_exit_code(text: &str) -> Option<i64> {
    const WORDS: [&str; 7] = [
        "Exit code ",
        "Command exited with code ",
        "Exit Code: ",
        "Process exited with code ",
        "<returncode>",
        "[The command completed with exit code ",
        "[Command finished with exit code ",
    ];
    let known = WORDS.iter().find_map(|words| exit_code(text, words));
    known.or_else(|| {
        let last = text.trim_end().lines().next_back()?;
        let (_, code) = last
            .strip_prefix("<shellId: ")?
            .split_once(" completed with exit code ")?;
        integer(code)
    })
}

/// Whether a person or a hook kept the call from running.
fn refusal(text: &str) -> Option<Status> {
    const DENIED: [&str; 5] = [
        "The user doesn't want to proceed with this tool use",
        "The user doesn't want to take this action",
        "Command blocked by PreToolUse hook",
        "Tool execution blocked:",
        "User rejected",
    ];
    const CANCELLED: [&str; 2] = ["[Request interrupted by user", "The user interrupted"];
    let starts = |words: &[&str]| words.iter().any(|words| text.starts_with(words));
    let by_hook = || {
        let rest = text.strip_prefix("PreToolUse:")?;
        rest.split_once(' ')?.1.strip_prefix("hook error")
    };
    if starts(&DENIED) || by_hook().is_some() {
        Some(Status::Denied)
    } else {
        starts(&CANCELLED).then_some(Status::Cancelled)
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;
