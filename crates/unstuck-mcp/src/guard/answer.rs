//! What the guard itself says to clients.

use unstuck::Json;

use super::hints::Era;

/// What a halted agent is told beside the reason.
const STOP: &str = "Every further tool call will be denied. Stop now, and report what you tried and what did not work.";

/// A result that tells the model why its call did not run.
pub(super) fn denial(id: &str, reason: &str, era: Era) -> Vec<u8> {
    let result_type = match era {
        Era::Handshake => "",
        Era::Stateless => r#""resultType":"complete","#,
    };
    let text = Json::string(reason);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{{result_type}\"content\":[{{\"type\":\"text\",\"text\":{text}}}],\"isError\":true}}}}\n"
    )
    .into_bytes()
}

pub(super) fn halted(reason: &str) -> String {
    format!("{reason} {STOP}")
}

pub(super) fn forbidden(tool: &str, policies: &[String]) -> String {
    let marker = unstuck::MARKER;
    let by = match policies {
        [] => "no policy permits it".to_owned(),
        [policy] => format!("policy `{policy}` forbids it"),
        several => format!("policies `{}` forbid it", several.join("`, `")),
    };
    format!(
        "{marker} The call of `{tool}` did not run: {by}. Calling it again will not help; do it another way, or ask the user."
    )
}

pub(super) fn unaudited() -> String {
    let marker = unstuck::MARKER;
    format!(
        "{marker} The call did not run: the audit log cannot be written. Tell the user; calls run again once it can."
    )
}

pub(super) fn unchanged(call: u64) -> String {
    let marker = unstuck::MARKER;
    format!("{marker} unchanged since call #{call}: the result is the same as then")
}
