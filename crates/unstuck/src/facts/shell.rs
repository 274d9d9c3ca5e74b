//! Shell commands, as far as identity needs to understand them.

use std::borrow::Cow;

use memchr::memmem;
use unstuck_shell::{Insight, Purpose};

use super::{Args, Command};
use crate::{
    event::{Outcome, Status},
    options::CompareCalls,
    vocab::{
        arguments::Role,
        phrases::{replies, texts},
        tools,
    },
};
use unstuck_json::{Json, JsonKind, JsonRef};

const READERS: [&str; 10] = [
    "cat",
    "file",
    "head",
    "less",
    "md5sum",
    "more",
    "sha256sum",
    "stat",
    "tail",
    "wc",
];

/// Whether a test run passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestOutcome {
    Passed,
    Failed,
}

/// The command of a call to a shell.
pub(super) fn command<'a>(
    tool: &str,
    args: &Args<'a>,
    compare: CompareCalls,
) -> Option<Cow<'a, str>> {
    match compare {
        CompareCalls::Primary => (tool == "bash").then(|| args.get("command")?.text())?,
        CompareCalls::Standard => {
            if !tools::is_shell(tool) {
                return None;
            }
            let value = args.role(Role::Command)?;
            match value.kind() {
                JsonKind::String => value.text(),
                JsonKind::Array => of_words(value),
                _ => None,
            }
        }
    }
}

/// A command that is given word by word.
fn of_words(words: JsonRef<'_>) -> Option<Cow<'_, str>> {
    let words: Vec<_> = words.elements().map_while(JsonRef::text).collect();
    match words.as_slice() {
        [] => None,
        // `["bash", "-lc", "…"]`: the last word is the script.
        [shell, .., script] if tools::is_shell_program(shell) => Some(script.clone()),
        words => Some(unstuck_shell::join(words.iter().map(|word| &**word)).into()),
    }
}

/// What a command does, where it is written for a shell that is understood and not for a program that runs in it.
pub(super) fn understand(tool: &str, args: &Args<'_>, command: &str) -> Option<Insight> {
    let typed = args
        .get("is_input")
        .is_some_and(|typed| matches!(typed.as_str(), "true" | "\"true\""));
    if tools::is_foreign_shell(tool) || typed {
        return None;
    }
    let directory = args.role(Role::Directory).and_then(JsonRef::text);
    unstuck_shell::understand(command, directory.as_deref())
}

/// Is the outcome the "no" of a command that asks: the first exit code, and nothing said?
pub(super) fn answers_no(outcome: &Outcome) -> bool {
    const WRAPPING: [&str; replies::SILENT_WRAPPING.len()] = texts(&replies::SILENT_WRAPPING);
    if outcome.exit_code.is_some_and(|code| code != 1) {
        return false;
    }
    let said = outcome.output.as_ref().map_or("", Json::as_str);
    // Longer than this, it says something.
    said.len() <= 160
        && said
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .all(|word| {
                matches!(word, "" | "1" | "n" | "null" | "with")
                    || WRAPPING
                        .iter()
                        .any(|known| known.eq_ignore_ascii_case(word))
            })
}

pub(super) fn is_complex(command: &str) -> bool {
    command.contains(['|', ';', '&', '<', '>'])
}

/// The file that a command reads whole or in part, where that is all it does.
pub(super) fn file_read(command: &str) -> Option<&str> {
    if is_complex(command) {
        return None;
    }
    let mut words = command.split_whitespace();
    let verb = words.next()?;
    if READERS.binary_search(&verb).is_err() {
        return None;
    }
    let path = words.next_back()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-@/".contains(&byte);
    (path.bytes().all(plain) && words.all(|flag| flag.starts_with('-') && flag.len() > 1))
        .then_some(path)
}

pub(super) fn classify(command: &str, insight: Option<&Insight>, compare: CompareCalls) -> Command {
    let test = match (compare, insight) {
        (CompareCalls::Primary, _) => command.contains("test") || command.contains("jest"),
        (CompareCalls::Standard, Some(insight)) => match insight.purpose {
            Purpose::Tests => true,
            _ if shows_changes(insight) => return Command::ShowsChanges,
            Purpose::Asks => return Command::Asks,
            _ => false,
        },
        (CompareCalls::Standard, None) => runs_tests(command),
    };
    if test {
        Command::TestRun
    } else if is_file_operation(command) {
        Command::FileOperation
    } else {
        Command::Plain
    }
}

/// Does it show what has changed in a repository's files?
fn shows_changes(insight: &Insight) -> bool {
    if insight.program() != "git" {
        return false;
    }
    let mut words = insight
        .canonical
        .split(' ')
        .skip_while(|word| *word != "git");
    let verb = words.find(|word| *word != "git" && !word.starts_with('-'));
    matches!(verb, Some("diff" | "status"))
}

/// Is this a command that a file tool would do better?
fn is_file_operation(command: &str) -> bool {
    let verb = command.split_whitespace().next().unwrap_or_default();
    matches!(verb, "cat" | "echo" | "printf" | "sed")
        || command.contains("<<")
        || file_read(command).is_some()
}

/// Does a part of the command run tests? Reading a file called `tests.py` does not.
fn runs_tests(command: &str) -> bool {
    const RUNNERS: [&str; 12] = [
        "ctest",
        "jest",
        "mocha",
        "nosetests",
        "phpunit",
        "py.test",
        "pytest",
        "rspec",
        "tox",
        "trial",
        "unittest",
        "vitest",
    ];
    const LAUNCHERS: [&str; 26] = [
        "bazel",
        "bun",
        "bundle",
        "cargo",
        "deno",
        "dotnet",
        "go",
        "gradle",
        "gradlew",
        "make",
        "mix",
        "mvn",
        "node",
        "npm",
        "npx",
        "pnpm",
        "poetry",
        "python",
        "python3",
        "rake",
        "sbt",
        "swift",
        "uv",
        "yarn",
        "zig",
        "manage.py",
    ];
    command.split(['|', ';', '&', '\n']).any(|part| {
        let mut words = part.split_whitespace().skip_while(|word| {
            word.contains('=')
                || *word == "timeout"
                || word.bytes().all(|byte| byte.is_ascii_digit())
        });
        let verb = words.next().unwrap_or_default();
        let verb = verb.rsplit('/').next().unwrap_or(verb);
        let is_test_word =
            |word: &str| word.contains("test") || word.contains("jest") || word.contains("spec");
        RUNNERS.contains(&verb)
            || (LAUNCHERS.contains(&verb) && words.any(is_test_word))
            || (verb.contains("test") && verb.contains('.'))
    })
}

/// What a test run's output says; nothing where it says neither.
pub(super) fn test_outcome(outcome: &Outcome, compare: CompareCalls) -> Option<TestOutcome> {
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
    } else {
        passed.then_some(TestOutcome::Passed)
    }
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
#[path = "shell_tests.rs"]
mod tests;
