//! Policies in Cedar: which calls may run.
//!
//! A call is a request with the `principal` `Agent::"main"` (in `Session::"default"`), the `action` `Action::"call"` and
//! the `resource` `Tool::"server/tool"` (in `Server::"server"`). Its `context` has `server`, `tool`, `agent`, `session`,
//! `claimed`, `time`, and three records with a member for each argument: `arguments` (the values), `types` (the names of their JSON
//! types) and `numbers` (the whole numbers that a lenient server could read in them).
//!
//! ```text
//! file ─> tree ─┬> check    unknown names are errors
//!               ├> needs    which arguments are read ─> request ─> Cedar ─> Ruling
//!               └> typed    comparisons that another spelling escapes are warnings
//! ```

mod check;
mod depth;
mod needs;
mod numbers;
mod request;
mod tree;
mod typed;

use std::fmt;

use cedar_policy::{
    AuthorizationError, Authorizer, Decision, Effect, PolicyId, PolicySet, Response,
};
use miette::Diagnostic as _;
use unstuck::Json;

use needs::Needs;
use request::{Budget, Failed};

/// Bytes of arguments that policies read at most, unless another limit is set.
pub const POLICY_ARGUMENTS: usize = 1 << 20;

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
    /// It may not: the arguments that policies read are over the limit.
    TooLarge {
        /// The most bytes that policies read.
        bytes: usize,
        /// The most values that policies read, at any depth.
        values: usize,
    },
}

/// Why a call was permitted or forbidden.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The decision.
    pub ruling: Ruling,
    /// The policies that made it, in the order of the file; none where no policy applied.
    pub policies: Vec<PolicyNote>,
    /// The policies whose conditions could not be evaluated, each with the error. Those that forbid are among
    /// `policies` as well.
    pub errors: Vec<(PolicyNote, String)>,
}

/// A policy, as people find it in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyNote {
    /// Its annotation `@id`, or `policy0`, `policy1`, … by its place in the file.
    pub name: String,
    /// Whether it forbids calls.
    pub forbids: bool,
    /// The line it begins in, counted from 1.
    pub line: usize,
    /// The column it begins in, counted in characters from 1.
    pub column: usize,
    /// Its annotations by name.
    pub annotations: Vec<(String, String)>,
}

/// A policy that probably does not do what its author wants.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyWarning {
    /// The policy's name.
    pub policy: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for PolicyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            policy,
            line,
            column,
            message,
        } = self;
        write!(f, "{line}:{column}: policy `{policy}`: {message}")
    }
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
    /// The policies in the order of the file.
    parts: Vec<Part>,
    warnings: Vec<PolicyWarning>,
    /// Bytes of arguments that are converted at most.
    limit: usize,
}

/// What is known of one policy before it is evaluated.
#[derive(Clone)]
struct Part {
    id: PolicyId,
    line: usize,
    column: usize,
    needs: Needs,
}

impl Policy {
    /// Reads policies and checks the names in them. `file` is the name for errors.
    ///
    /// Cedar's reader needs much stack: up to a few megabytes for the deepest expressions that are accepted.
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
        if let Some(at) = depth::too_deep(text) {
            let message = "the expression is nested too deeply; split the policy into several";
            return Err(fail(at, message.to_owned()));
        }
        let policies: PolicySet = text.parse().map_err(|error: cedar_policy::ParseErrors| {
            let at = error.labels().and_then(|mut labels| labels.next());
            let help = error.help().map(|help| format!(" ({help})"));
            let message = format!("{error}{}", help.unwrap_or_default());
            fail(at.map_or(0, |label| label.offset()), message)
        })?;
        let fail = |(at, message)| fail(at, message);
        let trees = tree::trees(&policies, text).map_err(fail)?;
        check::check(&policies, &trees, text).map_err(fail)?;
        let mut policy = Self {
            policies,
            authorizer: Authorizer::new(),
            parts: Vec::new(),
            warnings: Vec::new(),
            limit: POLICY_ARGUMENTS,
        };
        for tree in &trees {
            let needs = Needs::of(&tree.json);
            for untyped in typed::untyped(tree, &needs) {
                let (line, column) = position(text, tree.start + untyped.at);
                policy.warnings.push(PolicyWarning {
                    policy: policy.name(&tree.id),
                    line,
                    column,
                    message: untyped.message,
                });
            }
            let (line, column) = position(text, tree.start);
            policy.parts.push(Part {
                id: tree.id.clone(),
                line,
                column,
                needs,
            });
        }
        Ok(policy)
    }

    /// Reads at most so many bytes of arguments, and one value for each 64 of them; calls with more are forbidden.
    /// Arguments that no policy reads are not limited.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// Policies that probably do not do what their author wants, in the order of the file.
    pub fn warnings(&self) -> &[PolicyWarning] {
        &self.warnings
    }

    /// Number of policies.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are no policies, so that every call is forbidden.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Decides whether a call may run. A `forbid` whose condition cannot be evaluated forbids.
    pub fn judge(&self, asked: &Asked<'_>) -> Ruling {
        match self.respond(asked) {
            Ok(response) => self.ruling(&response),
            Err(ruling) => ruling,
        }
    }

    /// Decides as [`judge`](Self::judge) does, and names the policies that made the decision.
    pub fn explain(&self, asked: &Asked<'_>) -> Explanation {
        let response = match self.respond(asked) {
            Ok(response) => response,
            Err(ruling) => {
                return Explanation {
                    ruling,
                    policies: Vec::new(),
                    errors: Vec::new(),
                };
            }
        };
        let ruling = self.ruling(&response);
        let error_of = |part: &Part| {
            let mut errors = response.diagnostics().errors();
            errors.find_map(|AuthorizationError::PolicyEvaluationError(error)| {
                (*error.policy_id() == part.id).then(|| error.inner().to_string())
            })
        };
        let mut policies = Vec::new();
        let mut errors = Vec::new();
        for part in &self.parts {
            let note = self.note(part);
            let applied = response.diagnostics().reason().any(|id| *id == part.id);
            let error = error_of(part);
            let decided = match ruling {
                Ruling::Permit => applied,
                _ => note.forbids && (applied || error.is_some()),
            };
            if let Some(error) = error {
                errors.push((note.clone(), error));
            }
            if decided {
                policies.push(note);
            }
        }
        Explanation {
            ruling,
            policies,
            errors,
        }
    }

    fn respond(&self, asked: &Asked<'_>) -> Result<Response, Ruling> {
        let needs = self.parts.iter().map(|part| &part.needs);
        let needs: Vec<_> = needs.filter(|needs| needs.applies_to(asked)).collect();
        let built = request::of(asked, &needs, self.limit);
        let (request, entities) = built.map_err(|failed| match failed {
            Failed::TooLarge => Ruling::TooLarge {
                bytes: self.limit,
                values: Budget::values_of(self.limit),
            },
            Failed::Unusable => Ruling::Forbid {
                policies: Vec::new(),
            },
        })?;
        Ok(self
            .authorizer
            .is_authorized(&request, &self.policies, &entities))
    }

    fn ruling(&self, response: &Response) -> Ruling {
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

    /// The policy's annotation `@id`, or else the name that Cedar gives it by its place in the file.
    fn name(&self, id: &PolicyId) -> String {
        let name = self.policies.annotation(id, "id");
        name.map_or_else(|| id.to_string(), str::to_owned)
    }

    fn note(&self, part: &Part) -> PolicyNote {
        let annotations = self.policies.policy(&part.id);
        let mut annotations: Vec<_> = annotations
            .into_iter()
            .flat_map(cedar_policy::Policy::annotations)
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        annotations.sort_unstable();
        PolicyNote {
            name: self.name(&part.id),
            forbids: self.forbids(&part.id),
            line: part.line,
            column: part.column,
            annotations,
        }
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("policies", &self.parts.len())
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
