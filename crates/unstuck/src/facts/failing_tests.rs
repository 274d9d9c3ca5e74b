//! Which tests failed and how, by the names and errors a test run prints.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::failure_lines::FailureLines;
use crate::{fingerprint::Mark, hash::Tag};
use unstuck_json::Json;

/// More than this at the end of an output is not looked at.
const LOOKED_AT: usize = 64 * 1024;

/// Tests that are distinguished; of more only the number is known.
const NAMES: usize = 64;

/// The tests that failed in a run, as far as its output names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FailingTests {
    /// In order, each once; none where there are too many.
    names: Vec<Mark>,
    count: u32,
    /// What the run says was wrong, if it says so.
    errors: Option<Mark>,
    /// Numbers of failures and errors that the run states.
    stated: Mark,
}

impl FailingTests {
    /// Reads the names. Runners print them in their own ways, each of which is found by fixed words around the name.
    pub(super) fn of(output: &Json) -> Self {
        let mut text = output.as_str();
        if let Some(cut) = text.len().checked_sub(LOOKED_AT) {
            let at = (cut..text.len()).find(|at| text.is_char_boundary(*at));
            text = &text[at.unwrap_or(text.len())..];
        }
        // In canonical JSON an end of line is these two letters, and quotes stand at both ends.
        let mut names = Vec::new();
        let mut errors = FailureLines::default();
        let mut stated = Mark::default();
        let kinds = KINDS_OF_FAILURE.map(memmem::Finder::new);
        for line in lines(text) {
            errors.read(line);
            if kinds
                .iter()
                .any(|kind| kind.find(line.as_bytes()).is_some())
            {
                stated = stated_failures(line).fold(stated, Mark::join);
            }
            let line = line.trim_matches(|edge: char| edge.is_whitespace() || edge == '"');
            names.extend(name(line).map(|name| Mark::from(Tag::of(name.bytes()))));
        }
        names.sort_unstable();
        names.dedup();
        let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
        if names.len() > NAMES {
            names = Vec::new();
        }
        Self {
            names,
            count,
            errors: errors.mark(),
            stated,
        }
    }

    /// The mark of this failure: equal for runs in which the same tests fail with the same errors, whatever else they print.
    /// `None` where the run does not say what was wrong. Runs that name no test must state the same number of failures.
    pub(crate) fn signature(&self) -> Option<Mark> {
        let errors = self.errors?;
        let failed = self.names.iter().copied().reduce(Mark::join);
        let count = Mark(u64::from(self.count));
        Some(errors.join(failed.unwrap_or(self.stated)).join(count))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether fewer tests failed than earlier, and none that passed then.
    pub(crate) fn shrank_from(&self, earlier: &Self) -> bool {
        let known = self.names.len() as u32 == self.count;
        let earlier_known = earlier.names.len() as u32 == earlier.count;
        let within = !known
            || !earlier_known
            || self
                .names
                .iter()
                .all(|name| earlier.names.binary_search(name).is_ok());
        self.count < earlier.count && within
    }
}

/// The lines of a canonical text, where an end of line is two letters.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    const END: &str = "\\n";
    let mut next = 0;
    memmem::find_iter(text.as_bytes(), END)
        .chain([text.len()])
        .map(move |end| {
            let start = std::mem::replace(&mut next, end + END.len());
            &text[start..end]
        })
}

/// A line that states a number of failures or errors has one of these.
const KINDS_OF_FAILURE: [&str; 3] = ["ail", "AIL", "rror"];

/// The numbers of failures and errors that a line states: `3 failed`, `failures=3`, `Errors: 3`.
fn stated_failures(line: &str) -> impl Iterator<Item = Mark> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|first: char| first.is_ascii_digit())?;
            let (words, number) = rest.split_at(start);
            let end = number
                .find(|after: char| !after.is_ascii_digit())
                .unwrap_or(number.len());
            let (number, after) = number.split_at(end);
            rest = after;
            if is_kind_before(words) || is_kind_after(after) {
                return Some(Mark::from(Tag::of(number.bytes())));
            }
        }
    })
}

const FAILURE_WORDS: [&str; 2] = ["fail", "error"];

/// `failures=`, `Errors: `.
fn is_kind_before(words: &str) -> bool {
    let Some(label) = words.trim_end_matches(' ').strip_suffix([':', '=']) else {
        return false;
    };
    let word = label.rsplit(|end: char| !end.is_ascii_alphabetic()).next();
    word.is_some_and(is_failure_word)
}

/// ` failed`, ` failures`, ` errors`.
fn is_kind_after(words: &str) -> bool {
    words.strip_prefix(' ').is_some_and(is_failure_word)
}

fn is_failure_word(word: &str) -> bool {
    let starts = |kind: &&str| {
        word.get(..kind.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(kind))
    };
    FAILURE_WORDS.iter().any(starts)
}

/// The name of the failing test that a line is about.
fn name(line: &str) -> Option<&str> {
    // Most lines begin and end like none of these.
    let (first, last) = (line.bytes().next()?, line.bytes().next_back()?);
    let begins =
        matches!(first, b'F' | b'E' | b'-' | b't' | b'(' | b'n' | b'r' | b'0'..=b'9' | 0x80..);
    let ends = matches!(last, b'!' | b'D' | b']' | b':');
    if !begins && !ends {
        return None;
    }
    // pytest: `FAILED tests/a.py::test_x - AssertionError`
    for word in ["FAILED ", "ERROR "] {
        if let Some(rest) = line.strip_prefix(word) {
            let name = rest.split(" - ").next().unwrap_or(rest).trim_end();
            return name.contains("::").then_some(name);
        }
    }
    // unittest: `FAIL: test_x (tests.A.test_x)`
    for word in ["FAIL: ", "ERROR: "] {
        if let Some(rest) = line.strip_prefix(word) {
            return rest.ends_with(')').then_some(rest);
        }
    }
    // go: `--- FAIL: TestX (0.00s)`
    if let Some(rest) = line.strip_prefix("--- FAIL: ") {
        return rest.split_whitespace().next();
    }
    // cargo: `test tests::x ... FAILED`
    if let Some(rest) = line.strip_prefix("test ") {
        return rest.strip_suffix(" ... FAILED");
    }
    // nextest: `FAIL [   0.012s] crate tests::x`
    if let Some(rest) = line.strip_prefix("FAIL [") {
        return rest.split_once(']').map(|(_, name)| name.trim_start());
    }
    // jest, vitest, mocha, node and playwright mark the line of a failing test.
    for mark in ["✕ ", "✗ ", "× ", "● ", "✖ ", "✘ "] {
        if let Some(rest) = line.strip_prefix(mark) {
            let name = without_duration(
                rest.trim_start_matches(|edge: char| edge == ' ' || edge.is_ascii_digit()),
            );
            return (!name.ends_with(':')).then_some(name);
        }
    }
    of_build_tool(line).or_else(|| of_script_language(line))
}

/// Names as runners of Java and .NET print them.
fn of_build_tool(line: &str) -> Option<&str> {
    // surefire: `[ERROR] org.example.ATest.adds -- Time elapsed: 0.01 s <<< FAILURE!`
    for mark in [" <<< FAILURE!", " <<< ERROR!"] {
        if let Some(rest) = line.strip_suffix(mark) {
            let name = rest.strip_prefix("[ERROR] ").unwrap_or(rest);
            let name = name.split("Time elapsed").next().unwrap_or(name);
            let name = name.trim_end_matches([' ', '-']);
            return (!name.starts_with("Tests run")).then_some(name);
        }
    }
    // gradle: `ATest > adds() FAILED`
    if let Some(rest) = line.strip_suffix(" FAILED") {
        return rest.contains(" > ").then_some(rest);
    }
    // dotnet: `Failed Example.ATest.Adds [12 ms]`
    if let Some(rest) = line.strip_prefix("Failed ") {
        return rest
            .strip_suffix(']')?
            .rsplit_once(" [")
            .map(|(name, _)| name);
    }
    // xUnit.net: `[xUnit.net 00:00:00.50]     Example.ATest.Adds [FAIL]`
    let rest = line.strip_suffix(" [FAIL]")?;
    rest.rsplit_once(']').map(|(_, name)| name.trim_start())
}

/// Names as runners of JavaScript, Ruby and PHP print them.
fn of_script_language(line: &str) -> Option<&str> {
    // bun: `(fail) adds numbers [0.12ms]`
    if let Some(rest) = line.strip_prefix("(fail) ") {
        return Some(rest.rsplit_once(" [").map_or(rest, |(name, _)| name));
    }
    // TAP: `not ok 3 - adds numbers`
    if let Some(rest) = line.strip_prefix("not ok ") {
        return rest.split_once(" - ").map(|(_, name)| name);
    }
    // rspec: `rspec ./spec/a_spec.rb:12 # A adds numbers`
    if let Some(rest) = line.strip_prefix("rspec ") {
        return rest.split_once(" # ").map(|(_, name)| name);
    }
    // minitest: `ATest#test_adds [test/a_test.rb:12]:` and `ATest#test_adds:`
    if let Some(rest) = line.strip_suffix(':')
        && rest.contains("#test_")
    {
        return rest.split(" [").next();
    }
    // phpunit: `1) Example\ATest::testAdds`
    if !line.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (number, name) = line.split_once(") ")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && name.contains("::test") && !name.contains(' ')).then_some(name)
}

/// `adds numbers (3 ms)`, `adds numbers 3ms`: how long it took is not part of the name.
fn without_duration(name: &str) -> &str {
    let last = name.rsplit(' ').next().unwrap_or_default();
    let is_time = last.trim_matches(['(', ')']).ends_with('s')
        && last
            .trim_start_matches('(')
            .starts_with(|first: char| first.is_ascii_digit());
    match name.rfind(" (") {
        Some(at) if name.ends_with("s)") => &name[..at],
        _ if is_time => name[..name.len() - last.len()].trim_end(),
        _ => name,
    }
}

#[cfg(test)]
#[path = "failing_tests_tests.rs"]
mod tests;
