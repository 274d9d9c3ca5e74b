//! Which tests failed, by the names a test run prints.

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::{fingerprint::Mark, hash::Tag};
use unstuck_json::Json;

/// More than this at the end of an output is not looked at.
const LOOKED_AT: usize = 64 * 1024;

/// Tests that are told apart; of more only the number is known.
const NAMES: usize = 64;

/// The tests that failed in a run, as far as its output names them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FailingTests {
    /// In order, each once; none where there are too many.
    names: Vec<Mark>,
    count: u32,
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
        let mut names: Vec<Mark> = lines(text)
            .filter_map(|line| {
                name(line.trim_matches(|edge: char| edge.is_whitespace() || edge == '"'))
            })
            .map(|name| Mark::from(Tag::of(name.bytes())))
            .collect();
        names.sort_unstable();
        names.dedup();
        let count = u32::try_from(names.len()).unwrap_or(u32::MAX);
        if names.len() > NAMES {
            names = Vec::new();
        }
        Self { names, count }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Did fewer tests fail than earlier, and none that passed then?
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

/// The name of the failing test that a line is about.
fn name(line: &str) -> Option<&str> {
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
