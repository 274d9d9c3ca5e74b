//! Failing test runs in a row.

use serde::{Deserialize, Serialize};

use super::MadeCall;
use crate::{
    event::Line,
    facts::{FailingTests, ResultFacts, TestOutcome},
    fingerprint::Mark,
};

/// Failing test runs in a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TestRuns {
    /// Failing runs since the last pass.
    pub(crate) failures: u32,
    /// Failing runs in a row that failed in the same way.
    pub(crate) same: u32,
    /// What is equal in those runs: the failing tests with their errors, or the whole result where a run does not say.
    pub(crate) signature: Mark,
    /// Whether all of those runs had the same result.
    pub(crate) same_result: bool,
    /// The result of the last of them.
    result: Mark,
    /// The command that was run last.
    pub(crate) command: Mark,
    /// The tests that failed in it.
    failing: FailingTests,
    pub(crate) from: Line,
    pub(crate) same_from: Line,
}

impl TestRuns {
    /// Records a test run. Returns whether it is better than the one before: fewer tests fail, or none any more.
    pub(super) fn record(
        &mut self,
        outcome: TestOutcome,
        call: &MadeCall,
        result: &ResultFacts,
    ) -> bool {
        // Another command runs other tests: that fewer of them fail means nothing.
        let same_tests = self.failures > 0 && self.command == call.facts.near;
        match outcome {
            TestOutcome::Passed => {
                *self = Self::default();
                same_tests
            }
            TestOutcome::Failed => {
                if self.failures == 0 {
                    self.from = call.line;
                }
                self.failures = self.failures.saturating_add(1);
                let signature = result.failing.signature().unwrap_or(result.outcome);
                if self.same == 0 || self.signature != signature {
                    self.same = 0;
                    self.signature = signature;
                    self.same_result = true;
                    self.same_from = call.line;
                } else {
                    self.same_result &= self.result == result.outcome;
                }
                self.result = result.outcome;
                self.same = self.same.saturating_add(1);
                let failing = std::mem::replace(&mut self.failing, result.failing.clone());
                self.command = call.facts.near;
                same_tests && !self.failing.is_empty() && self.failing.shrank_from(&failing)
            }
        }
    }
}
