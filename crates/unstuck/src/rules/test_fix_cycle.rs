//! `test-fix-cycle`: tests that keep failing in the same way.

use super::{Moment, RuleName, Scene, Spotted, Wording, documented};
use crate::{fingerprint::Mark, settings::CountTests};

documented! {
    /// ## What it does
    ///
    /// Counts test runs in a row that failed in the same way. Edits in between do not matter: that they change nothing
    /// about the failure is the point.
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
    /// - the failure differs from the last one: something moved;
    /// - the tests passed in between.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `halt`: the thresholds, in failing runs.
    /// - `count`: `same-failure` as above; `any-failure` counts failing runs of the tool `bash`, however they failed.
}

pub(super) fn spot(moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
    let Moment::Result(done) = moment else {
        return None;
    };
    if !done.test_failed {
        return None;
    }
    let tests = &scene.timeline.streaks.tests;
    let (count, from, key, wording) = match scene.settings.rules.test_fix_cycle.count {
        CountTests::SameFailure => (
            tests.same,
            tests.same_from,
            tests.signature(),
            Wording::Usual,
        ),
        CountTests::AnyFailure => (
            tests.failures,
            tests.from,
            Mark(u64::from(tests.from)),
            Wording::AnyFailure,
        ),
    };
    if count < 2 {
        return None;
    }
    let label = &*done.call.label;
    let spotted = Spotted::single(
        RuleName::TestFixCycle,
        count,
        (from, scene.line),
        key,
        label,
    );
    Some(spotted.of_tool(&done.call.tool).worded(wording))
}
