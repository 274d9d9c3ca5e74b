//! The answer to a host.

use unstuck::Verdict;

/// The answer to one hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// What is to happen.
    pub verdict: Verdict,
    /// Words for the model, and for the person where the host shows them. Empty when there is nothing to say.
    pub text: Box<str>,
}

/// What the process of a hook leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// What is written to standard output.
    pub stdout: String,
    /// How the process ends.
    pub exit_code: u8,
}

impl Answer {
    /// Nothing to say.
    pub fn allow() -> Self {
        Self::default()
    }

    /// An answer with words.
    pub fn new(verdict: Verdict, text: impl Into<Box<str>>) -> Self {
        Self {
            verdict,
            text: text.into(),
        }
    }
}

impl Output {
    /// Says nothing, which every host takes for "go on".
    pub(crate) fn silent() -> Self {
        Self::default()
    }

    pub(crate) fn text(stdout: &str) -> Self {
        Self {
            stdout: stdout.to_owned(),
            exit_code: 0,
        }
    }

    pub(crate) fn json(value: &serde_json::Value) -> Self {
        Self::text(&value.to_string())
    }
}
