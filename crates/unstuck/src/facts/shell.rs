//! Shell commands, as far as identity needs to understand them.

use std::borrow::Cow;

use unstuck_shell::{Insight, Purpose};

use super::{Args, Command, silence};
use crate::{
    event::Outcome,
    options::CompareCalls,
    vocab::{arguments::ArgumentRole, tools},
};
use unstuck_json::{JsonKind, JsonRef};

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
            let value = args.role(ArgumentRole::Command)?;
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
    let directory = args.role(ArgumentRole::Directory).and_then(JsonRef::text);
    unstuck_shell::understand(command, directory.as_deref())
}

/// Whether the outcome is the "no" of a command that asks: no exit code or 1, and no output.
pub(super) fn answers_no(outcome: &Outcome) -> bool {
    /// Longer outputs say something.
    const LONGEST: usize = 320;
    if outcome.exit_code.is_some_and(|code| code != 1) {
        return false;
    }
    let Some(output) = &outcome.output else {
        return true;
    };
    if output.as_str().len() > LONGEST {
        return false;
    }
    let said = match output.view().text() {
        Some(text) => text,
        None => output.as_str().into(),
    };
    silence::is_only_wrapping(&said, "1")
}

pub(super) fn is_complex(command: &str) -> bool {
    let is_operator = |byte| matches!(byte, b'|' | b';' | b'&' | b'<' | b'>');
    command.bytes().any(is_operator)
}

/// The file that a command reads whole or in part, where that is all it does.
pub(super) fn file_read(command: &str) -> Option<&str> {
    if is_complex(command) {
        return None;
    }
    let mut words = command.split_whitespace();
    let verb = words.next()?;
    if tools::READERS.binary_search(&verb).is_err() {
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
            _ if has_git_verb(insight, &["diff", "status"]) => return Command::ShowsChanges,
            _ if has_git_verb(insight, &["bisect"]) => return Command::Bisects,
            Purpose::Asks => return Command::Asks,
            _ => false,
        },
        (CompareCalls::Standard, None) => false,
    };
    if test {
        Command::TestRun
    } else if is_file_operation(command) {
        Command::FileOperation
    } else {
        Command::Plain
    }
}

/// Whether the command is `git` with one of these sub-commands.
fn has_git_verb(insight: &Insight, verbs: &[&str]) -> bool {
    if insight.program() != "git" {
        return false;
    }
    let mut words = insight
        .canonical
        .split(' ')
        .skip_while(|word| *word != "git");
    let verb = words.find(|word| *word != "git" && !word.starts_with('-'));
    verb.is_some_and(|verb| verbs.contains(&verb))
}

/// Whether a file tool would do better what the command does.
fn is_file_operation(command: &str) -> bool {
    let verb = command.split_whitespace().next().unwrap_or_default();
    matches!(verb, "cat" | "echo" | "printf" | "sed")
        || command.contains("<<")
        || file_read(command).is_some()
}

#[cfg(test)]
#[path = "shell_tests.rs"]
mod tests;
