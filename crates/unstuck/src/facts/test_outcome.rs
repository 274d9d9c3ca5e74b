//! Whether a test run passed, by what it prints.

use memchr::memmem;

use crate::{
    event::{Outcome, Status},
    options::CompareCalls,
    vocab::phrases::{runners, texts},
};
use unstuck_json::Json;

const COUNTED_BEFORE: [&str; runners::COUNTED_BEFORE.len()] = texts(&runners::COUNTED_BEFORE);
const COUNTED_BEHIND: [&str; runners::COUNTED_BEHIND.len()] = texts(&runners::COUNTED_BEHIND);
const FAILED: [&str; runners::FAILED.len()] = texts(&runners::FAILED);
const PASSED: [&str; runners::PASSED.len()] = texts(&runners::PASSED);

/// Whether a test run passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestOutcome {
    Passed,
    Failed,
}

/// What a test run's output says; nothing where it says neither.
pub(super) fn of(outcome: &Outcome, compare: CompareCalls) -> Option<TestOutcome> {
    if !matches!(outcome.status, Status::Ok | Status::Error) {
        return None;
    }
    if compare == CompareCalls::Standard {
        if outcome.failed() {
            return Some(TestOutcome::Failed);
        }
        // A zero exit code is the runner's own word; without one the text has to do.
        if outcome.exit_code == Some(0) {
            return Some(TestOutcome::Passed);
        }
    }
    // No word looked for here is changed by the escapes of canonical JSON.
    let text = outcome.output.as_ref().map_or("", Json::as_str);
    let report = Report::of(text);
    let failed = report.counted("failed") || report.says("FAILED") || report.says("ERROR");
    let passed = report.counted("passed") || report.says("PASSED");
    // "0 failed, 5 passed" is a failure to the founding system, and a pass to anyone else.
    let failed =
        failed && (compare == CompareCalls::Primary || !passed || report.counts_failures());
    if failed {
        Some(TestOutcome::Failed)
    } else if passed {
        Some(TestOutcome::Passed)
    } else if compare == CompareCalls::Standard {
        by_runner(&report)
    } else {
        None
    }
}

/// What the summary of a test runner says that does not count what `passed` and `failed`.
fn by_runner(report: &Report<'_>) -> Option<TestOutcome> {
    let before = COUNTED_BEFORE.iter().flat_map(|word| report.counts(word));
    let behind = COUNTED_BEHIND
        .iter()
        .flat_map(|word| report.counts_behind(word));
    let mut summed = None;
    for digits in before.chain(behind) {
        *summed.get_or_insert(false) |= digits.bytes().any(|digit| digit != b'0');
    }
    let says = |phrase: &&str| report.says(phrase);
    if summed == Some(true) || FAILED.iter().any(says) {
        Some(TestOutcome::Failed)
    } else if summed == Some(false) || PASSED.iter().any(says) {
        Some(TestOutcome::Passed)
    } else {
        None
    }
}

/// Parts that many phrases share.
const SHARED: [&str; 4] = ["ail", "AIL", "ass", "SS"];

/// The output of a test run, searched for phrases.
struct Report<'t> {
    text: &'t str,
    /// The shared parts that it has: a phrase with another one is not looked for.
    has: [bool; SHARED.len()],
}

impl<'t> Report<'t> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            has: SHARED.map(|part| memmem::find(text.as_bytes(), part.as_bytes()).is_some()),
        }
    }

    /// Where it has a phrase.
    fn places(&self, phrase: &'t str) -> impl Iterator<Item = usize> {
        let in_phrase = |part: &str| {
            phrase
                .as_bytes()
                .windows(part.len())
                .any(|near| near == part.as_bytes())
        };
        let mut parts = SHARED.iter().zip(self.has);
        let lacks = parts.any(|(part, has)| !has && in_phrase(part));
        let text = self.text.as_bytes();
        let found = (!lacks).then(|| memmem::find_iter(text, phrase.as_bytes()));
        found.into_iter().flatten()
    }

    fn says(&self, phrase: &'t str) -> bool {
        self.places(phrase).next().is_some()
    }

    /// The numbers behind a label: `Failures: 3`.
    fn counts_behind(&self, label: &'t str) -> impl Iterator<Item = &'t str> {
        let text = self.text;
        self.places(label).filter_map(move |at| {
            let behind = text[at + label.len()..].trim_start_matches(' ');
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| &behind[..digits])
        })
    }

    /// The numbers before a word: `3 failed`.
    fn counts(&self, word: &'t str) -> impl Iterator<Item = &'t str> {
        let text = self.text;
        self.places(word).filter_map(move |at| {
            let before = text[..at].strip_suffix(' ')?;
            let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
            (digits > 0).then(|| &before[before.len() - digits..])
        })
    }

    /// Whether a number stands before the word.
    fn counted(&self, word: &'t str) -> bool {
        self.counts(word).next().is_some()
    }

    /// Whether a number above zero stands before `failed`.
    fn counts_failures(&self) -> bool {
        let mut failures = self.counts("failed");
        failures.any(|digits| digits.bytes().any(|digit| digit != b'0'))
    }
}

#[cfg(test)]
#[path = "test_outcome_tests.rs"]
mod tests;
