//! Hook inputs of a loop that is none: the same call over and over, with the same result.

use serde_json::Value;

/// One round of the loop.
#[derive(Clone, Copy, Debug)]
pub struct CanaryCall<'a> {
    /// The session it belongs to.
    pub session: &'a str,
    /// Which round it is, from 1.
    pub number: usize,
    /// Where the agent would work.
    pub directory: &'a str,
    /// When, in milliseconds.
    pub at: i64,
}

/// The input of a hook.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CanaryInput {
    /// The event, as the host calls it.
    pub event: &'static str,
    /// What it reads on standard input.
    pub input: Value,
}

/// The command that is run over and over.
pub(crate) const COMMAND: &str = "cat canary.txt";

/// What comes back each time.
pub(crate) const OUTPUT: &str = "the canary sings";

impl CanaryCall<'_> {
    pub(crate) fn id(&self) -> String {
        format!("canary-{}", self.number)
    }
}

pub(crate) fn input(event: &'static str, input: Value) -> CanaryInput {
    CanaryInput { event, input }
}
