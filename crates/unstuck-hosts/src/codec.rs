//! Reading and answering hooks.

use unstuck::Verdict;

use crate::{
    answer::{Answer, Output},
    detect::detect,
    hook::{DecodeError, Hook, Moment},
    hosts::{Host, contract::Denial},
    payload::{Payload, bounded, parse},
};

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
    let mut hook = (host.spec().hooks.decode)(&payload, event, environment)?;
    for name in hook.names() {
        bounded(name, key);
    }
    Ok(hook)
}

/// Writes an answer exactly as the host wants it.
pub fn encode(hook: &Hook, answer: &Answer) -> Output {
    let hooks = &hook.host.spec().hooks;
    let takes_text = hooks.text_at.contains(&hook.moment);
    let can_be_said = match answer.verdict {
        Verdict::Halt => true,
        Verdict::Deny => hook.moment == Moment::BeforeCall || takes_text,
        Verdict::Allow | Verdict::Nudge => takes_text,
    };
    if can_be_said && !answer.text.is_empty() {
        (hooks.encode)(hook, answer)
    } else {
        encode_allow(hook.host)
    }
}

/// Writes "go on", for a hook that could not be read.
pub fn encode_allow(host: Host) -> Output {
    Output::text(host.spec().hooks.go_on)
}

/// Writes that a call must not run because it could not be judged. Where no call is about to run, writes "go on". A host
/// that cannot deny a call ends the run.
pub fn encode_failure(hook: &Hook, text: &str) -> Output {
    if hook.moment != Moment::BeforeCall {
        return encode_allow(hook.host);
    }
    let verdict = match hook.host.spec().hooks.denial {
        Denial::StopsTheCall => Verdict::Deny,
        Denial::Unavailable => Verdict::Halt,
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
    let before: Vec<Hook> = host
        .events()
        .iter()
        .filter_map(|name| before_call(host, name))
        .collect();
    let named = before.iter().find(|hook| is_named(&hook.name));
    let is_other = event.is_some() || host.events().iter().any(|name| is_named(name));
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
    let hook = (host.spec().hooks.decode)(&payload, Some(event), &|_| None).ok()?;
    (hook.moment == Moment::BeforeCall).then_some(hook)
}

#[cfg(test)]
#[path = "codec_tests.rs"]
pub(crate) mod tests;
