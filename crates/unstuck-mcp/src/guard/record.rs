//! What the audit says of a call.

use unstuck::{Decision, Json, RuleName, Verdict, fingerprint::Fingerprint};

use super::{Micros, hints::Claims};
use crate::{
    policy::Ruling,
    redact::{Redactor, redact},
};

/// Longer names and ids are cut.
const LONGEST_NAME: usize = 256;

/// Longer reasons are cut: they may quote the name of a tool, which may be as long as a message.
const LONGEST_REASON: usize = 4_096;

/// Whose calls these are: members that many lines in a row share.
#[derive(Clone, Debug, Default)]
pub(super) struct Who {
    session: Box<str>,
    agent: Box<str>,
    claims: Claims,
    members: String,
}

impl Who {
    /// Members for this caller, which is mostly that of the call before. What the client claims is recorded as such.
    pub(super) fn members(
        &mut self,
        (session, agent): (&str, &str),
        claims: &Claims,
        server: &str,
    ) -> &str {
        let same = *self.session == *session && *self.agent == *agent && self.claims == *claims;
        if self.members.is_empty() || !same {
            self.session = session.into();
            self.agent = agent.into();
            self.claims.clone_from(claims);
            self.members.clear();
            // Clients name sessions by opaque words, which a reader must be able to tell apart.
            member("session", cut(session), &mut self.members);
            member("agent", cut(agent), &mut self.members);
            push_claims(claims, &mut self.members);
            member("server", &redact(cut(server)), &mut self.members);
        }
        &self.members
    }
}

fn push_claims(claims: &Claims, out: &mut String) {
    if claims.is_empty() {
        return;
    }
    let named = [
        ("session", &claims.session),
        ("agent", &claims.agent),
        ("client", &claims.client),
    ];
    let mut inner = String::new();
    for (name, claim) in named {
        if let Some(claim) = claim {
            member(name, claim, &mut inner);
        }
    }
    out.push_str(",\"claimed\":{");
    out.push_str(inner.trim_start_matches(','));
    out.push('}');
}

/// Who called what with what: the members that all lines of a call share.
pub(super) struct About<'a> {
    pub(super) call: u64,
    /// The members that say whose call it is.
    pub(super) who: &'a str,
    pub(super) tool: &'a str,
    /// The tool's name among those of other servers.
    pub(super) full_name: &'a str,
    pub(super) id: &'a str,
    pub(super) arguments: &'a Json,
    pub(super) fingerprint: Fingerprint,
}

impl About<'_> {
    pub(super) fn write(&self, redactor: &Redactor) -> String {
        let mut out = String::with_capacity(256 + self.arguments.as_str().len().min(4_096));
        out.push_str("\"call\":");
        push_number(self.call, &mut out);
        out.push_str(self.who);
        member("tool", &redact(cut(self.tool)), &mut out);
        out.push_str(",\"id\":");
        if self.id.len() <= LONGEST_NAME {
            // An id is any text that a client likes.
            match redact(self.id) {
                kept if kept == self.id => out.push_str(self.id),
                _ => Json::push_string(crate::redact::REDACTED, &mut out),
            }
        } else {
            out.push_str("null");
        }
        out.push_str(",\"arguments\":");
        redactor.arguments(self.full_name, self.arguments, &mut out);
        out.push_str(",\"fingerprint\":\"");
        self.fingerprint.push_to(&mut out);
        out.push('"');
        out
    }
}

/// The decision about a call, and whether rules or policies made it.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    /// What the policies said; nothing where there are none.
    pub(super) ruling: Option<Ruling>,
    pub(super) verdict: Verdict,
    pub(super) would: Option<Verdict>,
    pub(super) rule: Option<RuleName>,
    pub(super) reason: Option<Box<str>>,
    pub(super) by: By,
}

/// Who decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum By {
    #[default]
    Rules,
    Policy,
    /// The audit could not be written.
    Audit,
}

impl Judged {
    /// Takes in what the rules said; the stricter word stays.
    pub(super) fn add(&mut self, decision: &Decision) {
        let said = decision.would.unwrap_or(decision.verdict);
        if said >= self.would.unwrap_or(self.verdict) && decision.reason.is_some() {
            self.rule = decision.rule();
            self.reason = decision.message().map(Into::into);
        }
        self.verdict = self.verdict.max(decision.verdict);
        self.would = self.would.max(decision.would);
    }

    pub(super) fn write(&self, out: &mut String) {
        let by = match self.by {
            By::Rules => "rules",
            By::Policy => "policy",
            By::Audit => "audit",
        };
        match (self.verdict, self.by) {
            // As it is nearly always, in one piece.
            (Verdict::Allow, By::Rules) => {
                out.push_str(",\"verdict\":\"allow\",\"decided_by\":\"rules\"");
            }
            (verdict, _) => {
                push_word("verdict", verdict.as_str(), out);
                push_word("decided_by", by, out);
            }
        }
        if let Some(would) = self.would {
            push_word("would", would.as_str(), out);
        }
        if let Some(rule) = self.rule {
            push_word("rule", rule.as_str(), out);
        }
        if let Some(reason) = &self.reason {
            out.push_str(",\"reason\":");
            Json::push_string(&redact(cut_to(reason, LONGEST_REASON)), out);
        }
        match &self.ruling {
            None => {}
            Some(Ruling::Permit) => push_word("policy", "permit", out),
            Some(Ruling::TooLarge { .. }) => {
                out.push_str(",\"policy\":\"forbid\",\"policies\":[]");
            }
            Some(Ruling::Forbid { policies }) => {
                out.push_str(",\"policy\":\"forbid\",\"policies\":[");
                for (place, policy) in policies.iter().enumerate() {
                    if place > 0 {
                        out.push(',');
                    }
                    Json::push_string(policy, out);
                }
                out.push(']');
            }
        }
    }
}

/// How a call ended, as far as anybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Ok,
    Error,
    /// The server answered with an error of the protocol.
    Failed,
    Denied,
    Cancelled,
    /// The server wants something from the client first.
    InputRequired,
    /// It goes on as a task.
    Pending,
    Unanswered,
}

impl Ending {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::InputRequired => "input-required",
            Self::Pending => "pending",
            Self::Unanswered => "unanswered",
        }
    }
}

/// A member whose value is a word of our own.
pub(super) fn push_word(name: &str, word: &str, out: &mut String) {
    for part in [",\"", name, "\":\"", word, "\""] {
        out.push_str(part);
    }
}

/// What every line begins with, up to what it is about.
pub(super) fn push_start(at: Micros, event: &str, out: &mut String) {
    out.push_str("\"at\":");
    push_number(at.milliseconds(), out);
    push_word("event", event, out);
    out.push(',');
}

fn member(name: &str, value: &str, out: &mut String) {
    for part in [",\"", name, "\":"] {
        out.push_str(part);
    }
    Json::push_string(value, out);
}

/// A name, or the beginning of a long one.
fn cut(name: &str) -> &str {
    cut_to(name, LONGEST_NAME)
}

/// A text, or so many characters of a long one.
fn cut_to(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = text.char_indices().nth(most);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Appends a number. Every line has several, and `write!` takes five times as long.
pub(super) fn push_number(number: impl itoa::Integer, out: &mut String) {
    out.push_str(itoa::Buffer::new().format(number));
}
