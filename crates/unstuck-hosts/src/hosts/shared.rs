//! What hosts have in common: most copied Claude Code's hooks.

use serde_json::{Value, json};
use unstuck::{Json, Status};
use unstuck_json::JsonRef;

use super::{Host, contract::Environment};
use crate::{
    hook::{CallEnded, CallMade, DecodeError, Happened, Hook, Moment},
    payload::{Payload, without},
};

/// The moment of a hook and what happened, or why it cannot be read.
pub(super) type Read = Result<(Moment, Happened), DecodeError>;

/// A hook that nothing is known of.
pub(super) const NOTHING: (Moment, Happened) = (Moment::Other, Happened::Nothing);

/// A message of a person.
pub(super) const PROMPT: (Moment, Happened) = (Moment::Prompt, Happened::UserSpoke);

/// Fields that every input of the family has; what happened is filled in by the host's own file.
pub(super) fn base(host: Host, payload: &Payload<'_>, name: &str) -> Hook {
    Hook {
        host,
        session: session(payload, "session_id"),
        agent: payload.id("agent_id").unwrap_or_else(|| "main".into()),
        directory: payload.boxed("cwd"),
        attendance: None,
        name: name.into(),
        moment: Moment::Other,
        stamp: payload.stamp("timestamp"),
        happened: Happened::Nothing,
    }
}

/// The session, or one name for all of a host's runs where it tells none.
pub(super) fn session(payload: &Payload<'_>, name: &str) -> Box<str> {
    payload.id(name).unwrap_or_else(|| "default".into())
}

/// The event's name: the payload's own word goes before the command line's.
pub(super) fn event_name(payload: &Payload<'_>, field: &str, event: Option<&str>) -> String {
    let told = payload.text(field).map(std::borrow::Cow::into_owned);
    told.or_else(|| event.map(str::to_owned))
        .unwrap_or_default()
}

/// The first of a list of directories.
pub(super) fn first_directory(payload: &Payload<'_>, field: &str) -> Option<Box<str>> {
    let first = payload.get(field)?.elements().next()?;
    Some(first.text()?.into_owned().into())
}

/// A call by `tool_name` and `tool_input`.
pub(super) fn call(
    host: Host,
    payload: &Payload<'_>,
    id: Option<Box<str>>,
) -> Result<CallMade, DecodeError> {
    let tool = needed(host, payload, "tool_name")?;
    let args = arguments(&tool, payload.args("tool_input"));
    Ok(CallMade::new(id, tool, args))
}

/// A call that is about to run.
pub(super) fn before(call: Result<CallMade, DecodeError>) -> Read {
    Ok((Moment::BeforeCall, Happened::Call(call?)))
}

/// A call that the host asks about.
pub(super) fn permission(call: Result<CallMade, DecodeError>) -> Read {
    Ok((Moment::Permission, Happened::Asked(call?)))
}

/// A call that returned.
pub(super) fn after(call: Result<CallMade, DecodeError>, ended: CallEnded) -> Read {
    Ok((Moment::AfterCall, Happened::Result(call?, ended)))
}

/// A call that failed, where the host has an event of its own for that.
pub(super) fn after_failure(call: Result<CallMade, DecodeError>, ended: CallEnded) -> Read {
    Ok((Moment::AfterFailure, Happened::Result(call?, ended)))
}

/// The calls of one step; entries without a call are ignored.
pub(super) fn after_batch(
    payload: &Payload<'_>,
    read: impl Fn(&Payload<'_>) -> Result<(CallMade, CallEnded), DecodeError>,
) -> (Moment, Happened) {
    let entries = payload.get("tool_calls").into_iter();
    let calls = entries
        .flat_map(JsonRef::elements)
        .filter_map(|entry| read(&Payload::of(entry)).ok());
    (Moment::AfterBatch, Happened::Batch(calls.collect()))
}

pub(super) fn needed(
    host: Host,
    payload: &Payload<'_>,
    field: &'static str,
) -> Result<Box<str>, DecodeError> {
    payload
        .boxed(field)
        .ok_or(DecodeError::Missing { host, field })
}

/// Arguments without what only describes the call to a person.
pub(super) fn arguments(tool: &str, args: Json) -> Json {
    const SHELLS: [&str; 4] = ["bash", "run_shell_command", "shell", "execute_command"];
    const COSMETIC: [&str; 2] = ["description", "initial_wait"];
    if SHELLS.iter().any(|shell| tool.eq_ignore_ascii_case(shell)) {
        without(&args, &COSMETIC)
    } else {
        args
    }
}

/// The status of a call, by whether it failed.
pub(super) fn failed_if(failed: bool) -> Status {
    if failed { Status::Error } else { Status::Ok }
}

/// The status of a call that failed: a person may have interrupted it.
pub(super) fn failure(payload: &Payload<'_>) -> Status {
    if payload.flag("is_interrupt") {
        Status::Cancelled
    } else {
        Status::Error
    }
}

/// What a `SessionStart` with this source means.
pub(super) fn started(payload: &Payload<'_>) -> (Moment, Happened) {
    let happened = match payload.text("source").as_deref() {
        Some("resume" | "fork") => Happened::Resumed,
        Some("clear") => Happened::Cleared,
        Some("compact") => Happened::Compacted,
        _ => Happened::Started,
    };
    (Moment::SessionStart, happened)
}

/// A variable that is set to something.
pub(super) fn variable(environment: Environment<'_>, name: &str) -> Option<String> {
    environment(name).filter(|value| !value.is_empty())
}

/// The events around the calls, as all of the family name them.
pub(super) fn around_calls(name: &str, payload: &Payload<'_>) -> (Moment, Happened) {
    match name {
        "UserPromptSubmit" => PROMPT,
        "Stop" | "SubagentStop" => said(payload, "last_assistant_message"),
        "PreCompact" => (Moment::Other, Happened::Compacted),
        "SessionStart" => started(payload),
        _ => NOTHING,
    }
}

/// The agent ended its turn with these words.
pub(super) fn said(payload: &Payload<'_>, field: &str) -> (Moment, Happened) {
    let words = payload.boxed(field).unwrap_or_default();
    (Moment::Stop, Happened::Said(words))
}

/// The denial of a call, inside `hookSpecificOutput`.
pub(super) fn denial(hook: &Hook, text: &str) -> Value {
    json!({
        "hookEventName": hook.name,
        "permissionDecision": "deny",
        "permissionDecisionReason": text,
    })
}

/// Text for the model, inside `hookSpecificOutput`.
pub(super) fn context(hook: &Hook, text: &str) -> Value {
    json!({ "hookEventName": hook.name, "additionalContext": text })
}

/// The answer with nothing but this in `hookSpecificOutput`.
pub(super) fn specific(inside: &Value) -> Value {
    json!({ "hookSpecificOutput": inside })
}
