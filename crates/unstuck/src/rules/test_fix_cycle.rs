//! `test-fix-cycle`: tests that keep failing in the same way.

use super::{
    Advice, Compared, Context, Detection, IncomingCall, Results, Rule, RuleText, TextContext,
    Traits, Trigger, documented,
};
use crate::{
    facts::{Command, Needs},
    fingerprint::Mark,
    options::{Ladder, choice, options},
};

documented! {
    /// ## What it does
    ///
    /// Counts test runs in a row that failed in the same way: the same tests fail, and they report the same errors. Edits in
    /// between do not reset the count, because they did not change the failure.
    ///
    /// Failing tests and their errors are read from the output of the common runners of Python, JavaScript, Java, Go, Rust,
    /// .NET, Ruby and PHP. The rest of the output does not count: line numbers, durations, the order of the tests, what
    /// the code prints. But if it differs, one run more is allowed, because the agent may have added output to find the
    /// error. Where a run reports no error that can be read, the whole output is compared.
    ///
    /// ## Why
    ///
    /// Edit, test, edit, test looks like work. When the failure stays the same, the edits are guesses.
    ///
    /// ## Example
    ///
    /// ```text
    /// edit a.py; pytest   -> test_login: AssertionError
    /// edit a.py; pytest   -> test_login: AssertionError
    /// edit a.py; pytest   -> test_login: AssertionError     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - another test fails, or fewer do;
    /// - the same test fails with another error or another value;
    /// - the tests passed in between, or a bisection went on to another commit.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in failing runs.
    ///   Where `deny` is `"never"`, a call is denied after `policy.nudges_before_denial` nudges in one streak, and the run is halted
    ///   after as many denials.
    /// - `count`: `same-failure` as above; `any-failure` counts failing runs of the tool `bash`, however they failed.
}

choice! {
    /// Which test failures count.
    CountTests {
        /// Failing runs in a row that failed in the same way.
        SameFailure,
        /// Failing runs of the shell in a row, however they failed.
        AnyFailure,
    }
}

options! {
    /// Options of `test-fix-cycle`.
    TestFixCycle {
        /// Which test failures count.
        count: CountTests,
    }
}

impl Rule for TestFixCycle {
    const NAME: &'static str = "test-fix-cycle";
    const SUMMARY: &'static str = "Tests keep failing in the same way.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ends: true,
        ..Traits::CALLS
    };

    type State = ();
    type CallFact = ();

    fn standard() -> Self {
        Self::with(Ladder::new(3, 0, 0), CountTests::SameFailure)
    }

    fn needs(&self) -> Needs {
        Needs {
            outcomes: self.count == CountTests::SameFailure,
            ..Needs::NOTHING
        }
    }

    fn judges_calls(&self) -> bool {
        self.count == CountTests::SameFailure
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        let done = match trigger {
            Trigger::Result(done) => done,
            Trigger::Call(call) => return self.next_run(call, context),
            _ => return None,
        };
        if !done.test_failed {
            return None;
        }
        let tests = &context.shared.counters.tests;
        let facts = &done.call.facts;
        let detection = match self.count {
            CountTests::SameFailure => {
                let detection =
                    Detection::new(tests.same, tests.same_from, tests.signature, &*facts.label);
                if tests.same_result {
                    detection
                } else {
                    // An output that differs may be what the agent ran the tests for.
                    let mut detection = detection.weighing(tests.same.saturating_sub(1));
                    detection.facts.compared = Compared::Differ;
                    detection
                }
            }
            CountTests::AnyFailure => {
                let key = Mark(u64::from(tests.from));
                Detection::new(tests.failures, tests.from, key, &*facts.label)
                    .worded(text_of_any_failure)
            }
        };
        (detection.repeats > 1).then(|| detection.of_tool(&facts.tool))
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "{count} test runs in a row failed in the same way, the last one {what}.",
            returned: match context.results {
                Results::Shown => " The output did not change: {outcome}.",
                Results::Different => " They report the same errors.",
                Results::Empty | Results::Unknown => "",
            },
            advice: ADVICE,
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] =
        &[text_of_any_failure, text_of_next_run];
}

impl TestFixCycle {
    /// The tests are about to be run again. It is denied only where nudges were ignored.
    fn next_run(&self, call: &IncomingCall, context: &Context<'_>) -> Option<Detection> {
        let (tests, facts) = (&context.shared.counters.tests, &call.facts);
        let again = facts.command == Command::TestRun && tests.command == facts.near;
        if !again || tests.same < self.ladder().first()? {
            return None;
        }
        let detection = Detection::new(tests.same, tests.same_from, tests.signature, &*facts.label);
        let detection = detection.of_tool(&facts.tool).worded(text_of_next_run);
        Some(detection.force_only())
    }
}

const ADVICE: &str = " Read the failure again, find out where the failing value comes from, and only then change code.";

fn text_of_any_failure(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} test runs in a row failed, the last one {what}.",
        returned: "",
        advice: ADVICE,
    }
}

fn text_of_next_run(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{count} test runs in a row failed in the same way, and {what} would be another one.",
        returned: context.if_shown(" One of the outputs: {outcome}."),
        advice: ADVICE,
    }
}
