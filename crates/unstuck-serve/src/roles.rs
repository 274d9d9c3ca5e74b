//! Tokens, and what their holders may do.

use hyper::{HeaderMap, header::AUTHORIZATION};

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Send events, ask for decisions, and read metrics.
    Report,
    /// List sessions and swarms, and lift or change what holds agents back.
    Operate,
}

/// Tokens of clients. An agent that can report must not be able to reset itself, so operating always needs a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tokens {
    /// For sending events. Without one, every program that can connect may send them.
    pub report: Option<String>,
    /// For operating. Its holder may also send events. Without one, nothing can be operated over HTTP.
    pub operate: Option<String>,
}

impl Tokens {
    /// Tokens for both roles.
    pub fn new(report: Option<String>, operate: Option<String>) -> Self {
        Self { report, operate }
    }

    /// The role of a client. `None` without a token that is known, where one is needed.
    pub(crate) fn role(&self, headers: &HeaderMap) -> Option<Role> {
        let shown = headers.get(AUTHORIZATION).and_then(|value| {
            let (scheme, token) = value.as_bytes().split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(token)
        });
        // Comparing hashes takes the same time whatever is shown.
        let is = |token: &Option<String>| {
            let known = token.as_ref().map(|token| blake3::hash(token.as_bytes()));
            shown.is_some_and(|shown| Some(blake3::hash(shown)) == known)
        };
        if is(&self.operate) {
            Some(Role::Operate)
        } else if self.report.is_none() || is(&self.report) {
            Some(Role::Report)
        } else {
            None
        }
    }
}

#[cfg(test)]
#[path = "roles_tests.rs"]
mod tests;
