//! What a result says.

use std::borrow::Cow;

use super::{
    CallFacts, Command, Effect, Extractor, FailingTests, Refused, coarse, error_skeleton,
    noop_reply, polling, refusal, shell, silence, test_outcome,
};
use crate::{
    event::{Outcome, Status},
    fingerprint::Mark,
    normalize::normalize,
    options::ToolSettings,
    vocab::tools::ToolWords,
};
use unstuck_json::Json;

pub(crate) use test_outcome::TestOutcome;

/// Bytes of the longest brief result.
const BRIEF: usize = 40;

/// What a result says.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct ResultFacts {
    /// Equal for results that mean the same. Default where no rule compares results.
    pub(crate) outcome: Mark,
    pub(crate) ending: Ending,
    /// What a failure complains of: the error without its names, paths and numbers.
    pub(crate) complaint: Option<Mark>,
    /// The same with its names and paths. Default where it has no complaint.
    pub(crate) particular: Mark,
    /// What the answer to a change says, without its names, paths and numbers.
    pub(crate) gist: Option<Mark>,
    /// Whether it says no more than that the call was carried out, or that there is nothing.
    pub(crate) silent: bool,
    /// Whether it is the success of a call that does more than read or think, in a few words that do not complain.
    pub(crate) little: bool,
    /// Whether it is a success of a few words at most.
    pub(crate) brief: bool,
    /// Whether it is a success of which nothing is known, not even that there was no output.
    pub(crate) unknown: bool,
    /// How a test run ended.
    pub(crate) test: Option<TestOutcome>,
    /// The tests that failed, where it names them.
    pub(crate) failing: FailingTests,
    /// The mark of a text that says that something is not done yet.
    pub(crate) waits: Option<Mark>,
    /// Whether it says that the call was not run.
    pub(crate) refused: Refused,
    /// Whether it says that nothing was changed.
    pub(crate) no_op: bool,
}

/// How a call ended, as far as the agent is responsible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Success,
    Failure,
    /// Denied, cancelled or still running.
    Neither,
}

/// A result as it was read, before what was learned about earlier results of the same call is left out of it.
pub(crate) struct ReadResult<'a> {
    pub(crate) facts: ResultFacts,
    /// The bytes that results are compared by.
    pub(crate) meaning: Cow<'a, [u8]>,
    /// Whether parts of it may be learned to be noise.
    pub(crate) learnable: bool,
}

impl Extractor {
    /// The output without its volatile members.
    pub(crate) fn output<'a>(
        outcome: &'a Outcome,
        tool: Option<&ToolSettings>,
    ) -> Option<Cow<'a, Json>> {
        let output = outcome.output.as_ref()?;
        let reduced = tool.and_then(|tool| coarse::drop_volatile(output.view(), tool));
        Some(reduced.map_or(Cow::Borrowed(output), Cow::Owned))
    }

    /// Extracts what a result says. `output` is what [`output`](Self::output) left of it.
    pub(crate) fn result<'a>(
        &self,
        outcome: &Outcome,
        output: Option<&'a Cow<'_, Json>>,
        call: &CallFacts,
    ) -> ReadResult<'a> {
        let output = output.map(|output| &**output);
        let refused = if self.needs.refusals && outcome.settled() {
            refusal::of(output, outcome.failed(), &call.tool, call.speaker)
        } else {
            Refused::No
        };
        let asks = matches!(call.command, Command::Asks | Command::ShowsChanges);
        let answered = asks && shell::answers_no(outcome);
        // Many hosts report a refusal as a success.
        let ending = if (outcome.failed() && !answered) || refused != Refused::No {
            Ending::Failure
        } else if outcome.settled() {
            Ending::Success
        } else {
            Ending::Neither
        };
        let test = (call.command == Command::TestRun)
            .then(|| test_outcome::of(outcome, self.identity.calls))
            .flatten();
        let meaning = self.meaning(output);
        let read = output.filter(|_| self.normalises());
        let complaint = read
            // Failing tests are compared by `test-fix-cycle`, refusals by `invalid-call`.
            .filter(|_| {
                ending == Ending::Failure
                    && refused == Refused::No
                    && call.command != Command::TestRun
            })
            .and_then(|output| error_skeleton::complaint(&call.tool, output.view()));
        // Another exit code is another way to fail.
        let code = Mark(outcome.exit_code.unwrap_or(0).cast_unsigned());
        let facts = ResultFacts {
            outcome: self.outcome_of(outcome, &meaning),
            ending,
            complaint: complaint.map(|complaint| complaint.about.join(code)),
            particular: complaint.map_or_else(Mark::default, |complaint| complaint.particular),
            gist: read
                .filter(|_| ending == Ending::Success && call.effect == Effect::Writes)
                .and_then(|output| error_skeleton::gist(&call.tool, output.view())),
            silent: ending == Ending::Success && (answered || silence::says_nothing(output)),
            little: ending == Ending::Success
                && call.effect != Effect::Reads
                && silence::says_little(output)
                && !ToolWords::of(&call.tool).say(ToolWords::THINKS),
            brief: ending == Ending::Success && meaning.len() <= BRIEF,
            unknown: ending == Ending::Success
                && outcome.exit_code.is_none()
                && output.is_none_or(|output| output.as_str() == "null"),
            failing: read
                .filter(|_| test == Some(TestOutcome::Failed))
                .map(FailingTests::of)
                .unwrap_or_default(),
            test,
            waits: polling::of_result(call.polling, output, ending),
            refused,
            no_op: self.needs.changes
                && call.effect == Effect::Writes
                && noop_reply::says_unchanged(output),
        };
        ReadResult {
            learnable: self.normalises() && ending != Ending::Neither,
            facts,
            meaning,
        }
    }

    /// The bytes that outputs are compared by.
    pub(super) fn meaning<'a>(&self, output: Option<&'a Json>) -> Cow<'a, [u8]> {
        let canonical = output.map_or("", Json::as_str);
        if self.normalises() {
            normalize(canonical)
        } else {
            Cow::Borrowed(canonical.as_bytes())
        }
    }

    /// The mark of a result of which only these bytes count.
    pub(crate) fn outcome_of(&self, outcome: &Outcome, meaning: &[u8]) -> Mark {
        if !self.needs.outcomes {
            return Mark::default();
        }
        let output = self.prints.outcome_mark(meaning);
        let ending = match outcome.status {
            Status::Ok => 1,
            Status::Error => 2,
            Status::Denied => 3,
            Status::Cancelled => 4,
            Status::Pending => 5,
        };
        let code = outcome.exit_code.unwrap_or(0).cast_unsigned();
        output.join(Mark(code.rotate_left(8) ^ ending))
    }
}
