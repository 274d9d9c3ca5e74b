//! Shell commands, as far as identity needs to understand them.

use std::borrow::Cow;

use super::{Args, Command, Scheme};
use crate::{
    event::{Outcome, Status},
    json::{Json, JsonKind},
};

/// Tools that run a shell command, in lower case.
const SHELLS: [&str; 18] = [
    "bash",
    "bash_tool",
    "cmd",
    "exec",
    "exec_command",
    "execute_bash",
    "execute_command",
    "local_shell",
    "powershell",
    "run_command",
    "run_in_terminal",
    "run_shell_command",
    "run_terminal_cmd",
    "sh",
    "shell",
    "shell_command",
    "terminal",
    "unified_exec",
];

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
pub(super) fn command<'a>(tool: &str, args: &Args<'a>, scheme: Scheme) -> Option<Cow<'a, str>> {
    match scheme {
        Scheme::Primary => (tool == "bash").then(|| args.get("command")?.text())?,
        Scheme::Standard => {
            if !SHELLS.iter().any(|shell| shell.eq_ignore_ascii_case(tool)) {
                return None;
            }
            let value = args.get("command").or_else(|| args.get("cmd"))?;
            match value.kind() {
                JsonKind::String => value.text(),
                // `["bash", "-lc", "…"]`: the last word is the script.
                JsonKind::Array => value.elements().last()?.text(),
                _ => None,
            }
        }
    }
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

pub(super) fn classify(command: &str, scheme: Scheme) -> Command {
    let test = match scheme {
        Scheme::Primary => command.contains("test") || command.contains("jest"),
        Scheme::Standard => runs_tests(command),
    };
    if test {
        Command::TestRun
    } else if is_file_operation(command) {
        Command::FileOperation
    } else {
        Command::Plain
    }
}

/// Is this a command that a file tool would do better?
pub(crate) fn is_file_operation(command: &str) -> bool {
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
pub(crate) fn test_outcome(outcome: &Outcome, scheme: Scheme) -> Option<TestOutcome> {
    if !matches!(outcome.status, Status::Ok | Status::Error) {
        return None;
    }
    if scheme == Scheme::Standard {
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
    let failed = counted(text, "failed") || text.contains("FAILED") || text.contains("ERROR");
    let passed = counted(text, "passed") || text.contains("PASSED");
    match scheme {
        Scheme::Primary if failed => Some(TestOutcome::Failed),
        Scheme::Primary => passed.then_some(TestOutcome::Passed),
        Scheme::Standard if failed && !(passed && !failures_counted(text)) => {
            Some(TestOutcome::Failed)
        }
        Scheme::Standard => passed.then_some(TestOutcome::Passed),
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
    text.match_indices(word).filter_map(move |(at, _)| {
        let before = text[..at].strip_suffix(' ')?;
        let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        (digits > 0).then(|| &before[before.len() - digits..])
    })
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
