//! Reading and answering hooks, one host a file.

mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod crush;
mod cursor;
mod family;
mod gemini_cli;
mod goose;
mod opencode;
mod openhands;
mod qwen_code;
mod report;

use unstuck::Verdict;

use crate::{
    answer::{Answer, Output},
    detect::detect,
    hook::{DecodeError, Hook, Moment},
    host::Host,
    payload::{Payload, bounded, parse},
};

/// What the process of a hook finds in its environment.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What is to be known about a host's hooks.
pub(crate) trait Codec {
    /// The events to register, as the host names them.
    fn events(&self) -> &'static [&'static str];

    /// Reads an input. `event` is the name given on the command line, for hosts that do not tell it.
    fn decode(
        &self,
        payload: &Payload<'_>,
        event: Option<&str>,
        environment: Environment<'_>,
    ) -> Result<Hook, DecodeError>;

    /// Whether words can be put in front of the model at this moment without stopping anything.
    fn tells(&self, moment: Moment) -> bool;

    /// Whether a call can be denied and the run goes on.
    fn denies(&self) -> bool {
        true
    }

    /// Whether the host ends the run when it asks for permission, and only then.
    fn stops_when_asked(&self) -> bool {
        false
    }

    /// Whether the host reports what became of a call.
    fn reports_results(&self) -> bool {
        true
    }

    /// Writes an answer that is more than "go on".
    fn encode(&self, hook: &Hook, answer: &Answer) -> Output;

    /// Writes "go on".
    fn allow(&self) -> Output {
        Output::silent()
    }
}

pub(crate) fn codec(host: Host) -> &'static dyn Codec {
    match host {
        Host::ClaudeCode => &claude_code::ClaudeCode,
        Host::Codex => &codex::Codex,
        Host::GeminiCli => &gemini_cli::GeminiCli,
        Host::QwenCode => &qwen_code::QwenCode,
        Host::CopilotCli => &copilot_cli::CopilotCli,
        Host::OpenCode => &opencode::OpenCode,
        Host::Cursor => &cursor::Cursor,
        Host::Cline => &cline::Cline,
        Host::Crush => &crush::Crush,
        Host::Goose => &goose::Goose,
        Host::OpenHands => &openhands::OpenHands,
    }
}

/// The events for which a host should run the hook, as the host names them.
///
/// ```
/// use unstuck_hosts::{Host, events};
///
/// assert!(events(Host::ClaudeCode).contains(&"PostToolBatch"));
/// ```
pub fn events(host: Host) -> &'static [&'static str] {
    codec(host).events()
}

/// Reads what a hook was given.
///
/// `named` is the host the hook was registered for and `event` the event, if the command line tells it; the payload
/// may show that another host runs it. `key` is for digests of what the engine would refuse and of overlong names; state
/// of one session must be made with one key. `environment` looks up a variable of the hook's process.
///
/// ```
/// use unstuck_hosts::{Host, Moment, decode};
///
/// let input = br#"{"session_id":"s1","hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{}}"#;
/// let hook = decode(Host::ClaudeCode, None, input, &[0; 32], &|_| None)?;
/// assert_eq!((hook.host, hook.moment), (Host::GeminiCli, Moment::BeforeCall));
/// # Ok::<(), unstuck_hosts::DecodeError>(())
/// ```
pub fn decode(
    named: Host,
    event: Option<&str>,
    input: &[u8],
    key: &[u8; 32],
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Hook, DecodeError> {
    let json = parse(input, key)?;
    let payload = Payload::of(json.view());
    let host = detect(&payload, named, environment);
    let mut hook = codec(host).decode(&payload, event, environment)?;
    for name in hook.names() {
        bounded(name, key);
    }
    Ok(hook)
}

/// Writes an answer exactly as the host wants it.
pub fn encode(hook: &Hook, answer: &Answer) -> Output {
    let codec = codec(hook.host);
    let can_be_said = match answer.verdict {
        Verdict::Halt => true,
        Verdict::Deny => hook.moment == Moment::BeforeCall || codec.tells(hook.moment),
        Verdict::Allow | Verdict::Nudge => codec.tells(hook.moment),
    };
    if can_be_said && !answer.text.is_empty() {
        codec.encode(hook, answer)
    } else {
        codec.allow()
    }
}

/// Writes "go on", for a hook that could not be read.
pub fn encode_allow(host: Host) -> Output {
    codec(host).allow()
}

/// Writes that a call must not run because it could not be judged. Where no call is about to run, writes "go on". A host
/// that cannot deny a call ends the run.
pub fn encode_failure(hook: &Hook, text: &str) -> Output {
    if hook.moment != Moment::BeforeCall {
        return encode_allow(hook.host);
    }
    let verdict = if codec(hook.host).denies() {
        Verdict::Deny
    } else {
        Verdict::Halt
    };
    encode(hook, &Answer::new(verdict, text))
}

/// Writes the same for a hook whose input cannot be read. The event is the one of the command line, or else one that the
/// input names. Where neither names an event, a call may be about to run.
pub fn encode_unread_failure(host: Host, event: Option<&str>, input: &[u8], text: &str) -> Output {
    let input = String::from_utf8_lossy(input);
    let is_named = |name: &str| match event {
        Some(event) => event == name,
        None => input.contains(&format!("\"{name}\"")),
    };
    let before: Vec<Hook> = events(host)
        .iter()
        .filter_map(|name| before_call(host, name))
        .collect();
    let named = before.iter().find(|hook| is_named(&hook.name));
    let is_other = event.is_some() || events(host).iter().any(|name| is_named(name));
    match (named, before.first()) {
        (Some(hook), _) => encode_failure(hook, text),
        (None, Some(hook)) if !is_other => encode_failure(hook, text),
        _ => encode_allow(host),
    }
}

/// A hook for a call that is not known, if the host fires this event before calls.
fn before_call(host: Host, event: &str) -> Option<Hook> {
    let input = serde_json::json!({
        "hook_event_name": event,
        "hookEventName": event,
        "hookName": event,
        "event": event,
        "event_type": event,
        "session_id": "unknown",
        "tool_name": "unknown",
        "toolName": "unknown",
        "tool": "unknown",
        "tool_input": {},
        "toolArgs": {},
        "args": {},
        "preToolUse": { "toolName": "unknown", "parameters": {} },
        "hook": event,
        "input": { "tool": "unknown", "sessionID": "unknown", "callID": "unknown" },
        "output": { "args": {} },
    });
    let payload = input.to_string();
    let json = parse(payload.as_bytes(), &[0; 32]).ok()?;
    let payload = Payload::of(json.view());
    let hook = codec(host).decode(&payload, Some(event), &|_| None).ok()?;
    (hook.moment == Moment::BeforeCall).then_some(hook)
}

#[cfg(test)]
#[path = "codec_tests.rs"]
pub(crate) mod tests;
