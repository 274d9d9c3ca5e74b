//! Fields that no event has, and the field that was probably meant.

use unstuck::event::UnknownField;
use unstuck_config::{Diagnostic, nearest};
use unstuck_text::Shown;

/// Fields of the contract.
const KNOWN: [&str; 19] = [
    "event",
    "session",
    "agent",
    "swarm",
    "at",
    "id",
    "tool",
    "args",
    "key",
    "read_only",
    "idempotent",
    "status",
    "output",
    "exit_code",
    "code",
    "text",
    "role",
    "tokens",
    "cost",
];

/// Names that other interfaces have for a field of the contract.
const OTHER_NAMES: [(&str, &[&str]); 8] = [
    (
        "args",
        &[
            "arguments",
            "input",
            "inputs",
            "params",
            "parameters",
            "tool_input",
            "kwargs",
        ],
    ),
    ("tool", &["name", "tool_name", "function"]),
    (
        "id",
        &["call_id", "tool_call_id", "tool_use_id", "callID", "callId"],
    ),
    (
        "output",
        &[
            "content",
            "result",
            "response",
            "tool_response",
            "tool_output",
            "stdout",
            "observation",
        ],
    ),
    ("status", &["is_error", "isError", "error", "success"]),
    ("exit_code", &["returncode", "return_code", "exit_status"]),
    ("at", &["timestamp", "time", "ts", "date"]),
    ("session", &["session_id", "sessionId", "conversation_id"]),
];

/// Warns of one field that is ignored.
pub(super) fn warning(line: u64, field: &UnknownField) -> Diagnostic {
    let name = Shown::line(&*field.name);
    let kind = Shown::line(&*field.event).at_most(20);
    let message =
        format!("line {line}: the field `{name}` of a `{kind}` event is unknown and ignored");
    let help = match meant(&field.name) {
        Some(known) => format!("did you mean `{known}`?"),
        None => "`unstuck check --help` lists the fields".to_owned(),
    };
    Diagnostic::warning(message, help)
}

fn meant(name: &str) -> Option<&'static str> {
    let other = OTHER_NAMES
        .into_iter()
        .find(|(_, names)| names.contains(&name));
    other
        .map(|(known, _)| known)
        .or_else(|| nearest(name, KNOWN))
}
