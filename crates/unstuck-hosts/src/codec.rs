//! Reading and answering hooks.

use unstuck::Verdict;

use crate::{
    answer::{Answer, Output},
    detect::detect,
    hook::{DecodeError, Hook, Moment},
    hosts::Host,
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

#[cfg(test)]
#[path = "codec_tests.rs"]
pub(crate) mod tests;
