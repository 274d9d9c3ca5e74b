//! What the hosts that copied Claude Code's hooks have in common.

use unstuck::Json;

use super::Environment;
use crate::{
    hook::{CallMade, DecodeError, Happened, Hook, Moment},
    host::Host,
    payload::{Payload, without},
};

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

/// What a `SessionStart` with this source means.
pub(super) fn started(source: Option<&str>) -> Happened {
    match source {
        Some("resume" | "fork") => Happened::Resumed,
        Some("clear") => Happened::Cleared,
        Some("compact") => Happened::Compacted,
        _ => Happened::Started,
    }
}

/// A variable that is set to something.
pub(super) fn variable(environment: Environment<'_>, name: &str) -> Option<String> {
    environment(name).filter(|value| !value.is_empty())
}

/// The events around the calls, as all of the family name them.
pub(super) fn around_calls(name: &str, payload: &Payload<'_>) -> (Moment, Happened) {
    match name {
        "UserPromptSubmit" => (Moment::Prompt, Happened::UserSpoke),
        "Stop" | "SubagentStop" => said(payload, "last_assistant_message"),
        "PreCompact" => (Moment::Other, Happened::Compacted),
        "SessionStart" => (
            Moment::SessionStart,
            started(payload.text("source").as_deref()),
        ),
        _ => (Moment::Other, Happened::Nothing),
    }
}

/// The agent ended its turn with these words.
pub(super) fn said(payload: &Payload<'_>, field: &str) -> (Moment, Happened) {
    let words = payload.boxed(field).unwrap_or_default();
    (Moment::Stop, Happened::Said(words))
}
