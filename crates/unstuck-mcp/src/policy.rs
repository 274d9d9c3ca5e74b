//! Policies: who may call what, said in Cedar.
//!
//! A call is asked about as `principal` `Agent::"main"` (in `Session::"default"`), `action` `Action::"call"` and
//! `resource` `Tool::"server/tool"` (in `Server::"server"`), with `server`, `tool`, `arguments`, `agent`, `session`,
//! `claimed` and `time` in its `context`.

mod check;
mod request;

use std::fmt;

use cedar_policy::{AuthorizationError, Authorizer, Decision, Effect, PolicyId, PolicySet};
use miette::Diagnostic as _;
use unstuck::Json;

/// What policies are asked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Asked<'a> {
    /// The server's name.
    pub server: &'a str,
    /// The tool's name.
    pub tool: &'a str,
    /// What it is called with.
    pub arguments: &'a Json,
    /// Whose call it is.
    pub session: &'a str,
    /// Whose call it is, within the session.
    pub agent: &'a str,
    /// What the client says about itself.
    pub claimed: Claimed<'a>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// What a client says about itself. It can choose these names freely, so they prove nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claimed<'a> {
    /// Session.
    pub session: Option<&'a str>,
    /// Agent or thread within the session.
    pub agent: Option<&'a str>,
    /// Name and version of the client.
    pub client: Option<&'a str>,
}

/// What policies say to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ruling {
    /// It may run.
    Permit,
    /// It may not.
    Forbid {
        /// The policies that forbid it; none where no policy permits it.
        policies: Vec<String>,
    },
}

/// A policy file that cannot be used: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
#[non_exhaustive]
pub struct PolicyError {
    /// The file's name.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Policies that calls are judged by.
///
/// ```
/// use unstuck::Json;
/// use unstuck_mcp::{Policy, Ruling, asked};
///
/// let policy = Policy::parse("policy.cedar", r#"
///     permit (principal, action, resource);
///     @id("no-secrets")
///     forbid (principal, action, resource == Tool::"files/read")
///     when { context.arguments has path && context.arguments.path like "*.pem" };
/// "#)?;
/// let arguments = Json::parse(r#"{"path":"key.pem"}"#).unwrap();
/// let ruling = policy.judge(&asked("files", "read", &arguments));
/// assert_eq!(ruling, Ruling::Forbid { policies: vec!["no-secrets".to_owned()] });
/// # Ok::<(), unstuck_mcp::PolicyError>(())
/// ```
#[derive(Clone)]
pub struct Policy {
    policies: PolicySet,
    authorizer: Authorizer,
}

impl Policy {
    /// Reads policies and checks that they speak of what there is. `file` is the name for errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, PolicyError> {
        let fail = |at: usize, message: String| {
            let (line, column) = position(text, at);
            PolicyError {
                file: file.to_owned(),
                line,
                column,
                message,
            }
        };
        let policies: PolicySet = text.parse().map_err(|error: cedar_policy::ParseErrors| {
            let at = error.labels().and_then(|mut labels| labels.next());
            let help = error.help().map(|help| format!(" ({help})"));
            let message = format!("{error}{}", help.unwrap_or_default());
            fail(at.map_or(0, |label| label.offset()), message)
        })?;
        check::check(&policies, text).map_err(|(at, message)| fail(at, message))?;
        Ok(Self {
            policies,
            authorizer: Authorizer::new(),
        })
    }

    /// May this call run? A policy that forbids and cannot be worked out forbids.
    pub fn judge(&self, asked: &Asked<'_>) -> Ruling {
        let Some((request, entities)) = request::of(asked) else {
            return Ruling::Forbid {
                policies: Vec::new(),
            };
        };
        let response = self
            .authorizer
            .is_authorized(&request, &self.policies, &entities);
        let failed: Vec<String> = response
            .diagnostics()
            .errors()
            .map(|AuthorizationError::PolicyEvaluationError(error)| error.policy_id())
            .filter(|id| self.forbids(id))
            .map(|id| self.name(id))
            .collect();
        match response.decision() {
            Decision::Allow if failed.is_empty() => Ruling::Permit,
            Decision::Allow => Ruling::Forbid { policies: failed },
            Decision::Deny => {
                let reasons = response.diagnostics().reason();
                let mut policies: Vec<_> = reasons.map(|id| self.name(id)).collect();
                policies.extend(failed);
                policies.sort_unstable();
                Ruling::Forbid { policies }
            }
        }
    }

    fn forbids(&self, id: &PolicyId) -> bool {
        let policy = self.policies.policy(id);
        policy.is_none_or(|policy| policy.effect() == Effect::Forbid)
    }

    /// What people call it: its annotation `@id`, or else its place in the file.
    fn name(&self, id: &PolicyId) -> String {
        let name = self.policies.annotation(id, "id");
        name.map_or_else(|| id.to_string(), str::to_owned)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policies = self.policies.policies().count();
        f.debug_struct("Policy")
            .field("policies", &policies)
            .finish_non_exhaustive()
    }
}

/// A question about a call of the agent `main`, at the beginning of 1970.
pub fn asked<'a>(server: &'a str, tool: &'a str, arguments: &'a Json) -> Asked<'a> {
    Asked {
        server,
        tool,
        arguments,
        session: "default",
        agent: "main",
        claimed: Claimed::default(),
        at: 0,
    }
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let end = (0..=at.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let before = &text[..end.unwrap_or(0)];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (line, before[start..].chars().count() + 1)
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
