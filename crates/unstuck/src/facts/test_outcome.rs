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
    let says = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    let failed = counted(text, "failed") || says("FAILED") || says("ERROR");
    let passed = counted(text, "passed") || says("PASSED");
    // "0 failed, 5 passed" is a failure to the founding system, and a pass to anyone else.
    let failed = failed && (compare == CompareCalls::Primary || !passed || failures_counted(text));
    if failed {
        Some(TestOutcome::Failed)
    } else if passed {
        Some(TestOutcome::Passed)
    } else if compare == CompareCalls::Standard {
        by_runner(text)
    } else {
        None
    }
}

/// What the summary of a test runner says that does not count what `passed` and `failed`.
fn by_runner(text: &str) -> Option<TestOutcome> {
    let says = |phrase: &&str| memmem::find(text.as_bytes(), phrase.as_bytes()).is_some();
    let before = COUNTED_BEFORE.iter().flat_map(|word| counts(text, word));
    let behind = COUNTED_BEHIND
        .iter()
        .flat_map(|word| counts_behind(text, word));
    let mut summed = None;
    for digits in before.chain(behind) {
        *summed.get_or_insert(false) |= digits.bytes().any(|digit| digit != b'0');
    }
    if summed == Some(true) || FAILED.iter().any(says) {
        Some(TestOutcome::Failed)
    } else if summed == Some(false) || PASSED.iter().any(says) {
        Some(TestOutcome::Passed)
    } else {
        None
    }
}

/// The numbers behind a label: `Failures: 3`.
fn counts_behind<'t>(text: &'t str, label: &'t str) -> impl Iterator<Item = &'t str> {
    memmem::find_iter(text.as_bytes(), label.as_bytes()).filter_map(move |at| {
        let behind = text[at + label.len()..].trim_start_matches(' ');
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| &behind[..digits])
    })
}

/// Is there a number before the word: `3 failed`?
fn counted(text: &str, word: &str) -> bool {
    counts(text, word).next().is_some()
}

/// Is there a number above zero before `failed`?
fn failures_counted(text: &str) -> bool {
    counts(text, "failed").any(|digits| digits.bytes().any(|digit| digit != b'0'))
}

fn counts<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    memmem::find_iter(text.as_bytes(), word.as_bytes()).filter_map(move |at| {
        let before = text[..at].strip_suffix(' ')?;
        let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| &before[before.len() - digits..])
    })
}

#[cfg(test)]
#[path = "test_outcome_tests.rs"]
mod tests;
