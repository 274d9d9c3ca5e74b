//! What the rules that are on need.

use std::num::NonZeroU32;

/// What has to be extracted and recorded for the rules that are on. Each rule states its own needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a need of its own")]
pub(crate) struct Needs {
    /// Results are compared: outcomes are hashed, and the streaks of equal calls are kept.
    pub(crate) outcomes: bool,
    /// Calls are compared without the arguments that do not matter.
    pub(crate) coarse: bool,
    /// A swarm is asked about calls.
    pub(crate) swarm: bool,
    /// The streaks of similar calls are kept.
    pub(crate) near: bool,
    /// Calls are matched with rewordings of them.
    pub(crate) rewordings: bool,
    /// Results are read for words of a host that did not run the call. Without this need, a refusal that is reported as a
    /// success is a success for all rules.
    pub(crate) refusals: bool,
    /// Changes to files are followed.
    pub(crate) changes: bool,
    /// What the model says and thinks is read.
    pub(crate) speech: bool,
    /// Calls that wait are judged by a rule of their own.
    pub(crate) polls: bool,
    /// Approaches and outcomes are compared.
    pub(crate) matrix: Option<MatrixNeeds>,
}

/// What the matrix of approaches and outcomes has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixNeeds {
    /// Approaches and outcomes that are remembered, each.
    pub(crate) memory: NonZeroU32,
    /// Calls with their results are steps, too.
    pub(crate) calls: bool,
}

impl MatrixNeeds {
    /// The needs of a rule that reads the matrix.
    pub(crate) const fn needs(self) -> Needs {
        Needs {
            outcomes: self.calls,
            matrix: Some(self),
            ..Needs::NOTHING
        }
    }
}

impl Needs {
    /// No needs.
    pub(crate) const NOTHING: Self = Self {
        outcomes: false,
        coarse: false,
        swarm: false,
        near: false,
        rewordings: false,
        refusals: false,
        changes: false,
        speech: false,
        polls: false,
        matrix: None,
    };

    /// The needs of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            outcomes: self.outcomes | other.outcomes,
            coarse: self.coarse | other.coarse,
            swarm: self.swarm | other.swarm,
            near: self.near | other.near,
            rewordings: self.rewordings | other.rewordings,
            refusals: self.refusals | other.refusals,
            changes: self.changes | other.changes,
            speech: self.speech | other.speech,
            polls: self.polls | other.polls,
            matrix: match (self.matrix, other.matrix) {
                (Some(one), Some(two)) => Some(MatrixNeeds {
                    memory: one.memory.max(two.memory),
                    calls: one.calls | two.calls,
                }),
                (one, two) => one.or(two),
            },
        }
    }
}
