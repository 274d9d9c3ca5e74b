//! What the guard itself says to clients.

use unstuck::{Decision, Json, Reason, RuleName, Verdict, message::quote};

use super::{
    CALL,
    hints::{Era, Hints},
    pending::Calling,
};
use crate::{codec::Request, redact::redact};

/// Advice for a halted agent, added to the reason.
const STOP: &str = "Every further tool call will be denied. Stop now, and report what you tried and what did not work. A person can lift this: `unstuck sessions` names the proxy for `unstuck reset`.";

/// How a person lifts a denial, added to the reason.
const LIFT: &str = "If this is a mistake, a person can lift it: `unstuck sessions` names the proxy for `unstuck reset`.";

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

/// Words for the model about a decision. Where several clients share a count, nothing is quoted that another client may
/// have sent: the message of the rules is only used if it is about calls equal to this one.
pub(super) fn words(calling: &Calling, decision: &Decision) -> Option<String> {
    let reason = decision.reason.as_deref()?;
    let of_equal_calls = matches!(reason.rule, RuleName::ExactRepeat | RuleName::CallBurst);
    if calling.ring.is_private() || of_equal_calls {
        return Some(redact(decision.message()?).into_owned());
    }
    Some(shared(decision.verdict, reason))
}

/// Why a call is one too many for all sessions and names that are counted together.
pub(super) fn burst(limit: u32, window_ms: u64) -> String {
    let marker = unstuck::message::MARKER;
    let seconds = window_ms.div_ceil(1_000);
    format!(
        "{marker} This call was made more than {limit} times within {seconds} seconds, counted over several sessions or names of clients at one address. If this is a loop in code you wrote, end it. To wait for something, wait longer between calls."
    )
}

fn shared(verdict: Verdict, reason: &Reason) -> String {
    let marker = unstuck::message::MARKER;
    let Reason { rule, repeats, .. } = reason;
    let ran = match verdict {
        Verdict::Deny | Verdict::Halt => "This call did not run: it",
        Verdict::Allow | Verdict::Nudge => "This call",
    };
    format!(
        "{marker} {ran} continues a pattern that was repeated {repeats} times (rule {rule}). Several clients are counted together here, so the other calls are not shown. Use other arguments or another tool, or report what you tried."
    )
}

pub(super) fn denied(reason: &str) -> String {
    format!("{reason} {LIFT}")
}

pub(super) fn halted(reason: &str) -> String {
    format!("{reason} {STOP}")
}

pub(super) fn forbidden(tool: &str, policies: &[String]) -> String {
    let marker = unstuck::message::MARKER;
    let by = match policies {
        [] => "no policy permits it".to_owned(),
        [policy] => format!("policy {} forbids it", quote(policy)),
        [first, second] => format!("policies {} and {} forbid it", quote(first), quote(second)),
        [first, second, more @ ..] => format!(
            "policies {}, {} and {} more forbid it",
            quote(first),
            quote(second),
            more.len()
        ),
    };
    format!(
        "{marker} The call of {} did not run: {by}. Calling it again will not help; do it another way, or ask the user.",
        quote(tool)
    )
}

/// The answer to a call whose arguments are larger than policies read.
pub(super) fn too_large(bytes: usize, values: usize) -> String {
    let marker = unstuck::message::MARKER;
    format!(
        "{marker} The call did not run: the policies have to look at its arguments, and these have more than {bytes} bytes or {values} values. Send less at once, or ask the user."
    )
}

pub(super) fn unaudited() -> String {
    let marker = unstuck::message::MARKER;
    format!(
        "{marker} The call did not run: the audit log cannot be written, or is broken. Tell the user: `unstuck audit verify` says what is wrong, and `unstuck audit close` starts a new log after a break."
    )
}

/// The answer to a request that is not passed on, because the guard failed at it.
pub fn refusal_for_fault(request: &Request<'_>) -> Vec<u8> {
    let marker = unstuck::message::MARKER;
    let text = format!(
        "{marker} The call did not run: the guard failed at it. Tell the user: this is a fault in unstuck, and its proxy printed it."
    );
    if request.method == CALL {
        let hints = Hints::of(request.params.meta.as_ref());
        return denial(request.id.raw, &text, hints.era);
    }
    let (id, text) = (request.id.raw, Json::string(&text));
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32603,\"message\":{text}}}}}\n"
    )
    .into_bytes()
}

pub(super) fn unchanged(call: u64) -> String {
    let marker = unstuck::message::MARKER;
    format!("{marker} unchanged since call #{call}: the result is the same as then")
}
