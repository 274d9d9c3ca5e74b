//! What a call does to the world, as far as its name and arguments tell.

use serde::{Deserialize, Serialize};
use unstuck_shell::Insight;

use super::Args;
use crate::{event::Call, vocab::tools::ToolWords};
use unstuck_json::JsonRef;

/// What a call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Effect {
    Reads,
    Writes,
    Unknown,
}

/// Sub-commands of tools that do both, such as `view` of an editor.
const READING_COMMANDS: [&str; 6] = ["cat", "find", "list", "open", "read", "view"];

pub(super) fn of(
    call: &Call,
    words: ToolWords,
    args: &Args<'_>,
    command: Option<&str>,
    insight: Option<&Insight>,
) -> Effect {
    match call.read_only {
        Some(true) => return Effect::Reads,
        Some(false) => return Effect::Writes,
        None => {}
    }
    if let Some(insight) = insight {
        return match insight.effect {
            unstuck_shell::Effect::Reads => Effect::Reads,
            unstuck_shell::Effect::Writes => Effect::Writes,
            _ => Effect::Unknown,
        };
    }
    if let Some(command) = command {
        return of_command(command);
    }
    // A name that says both writes.
    if words.say(ToolWords::WRITES) {
        let sub_command = args.get("command").and_then(JsonRef::text);
        match sub_command {
            Some(sub) if READING_COMMANDS.contains(&&*sub) => Effect::Reads,
            _ => Effect::Writes,
        }
    } else if words.say(ToolWords::READS) {
        Effect::Reads
    } else {
        Effect::Unknown
    }
}

/// Shell commands that change files or repositories, by their text alone. What is not recognised is unknown, not harmless.
fn of_command(command: &str) -> Effect {
    const WRITERS: [&str; 11] = [
        "chmod", "cp", "ln", "mkdir", "mv", "patch", "rm", "rmdir", "tee", "touch", "truncate",
    ];
    const READERS: [&str; 14] = [
        "cat", "du", "file", "find", "grep", "head", "less", "ls", "pwd", "rg", "stat", "tail",
        "wc", "which",
    ];
    const GIT_WRITERS: [&str; 12] = [
        "add",
        "am",
        "apply",
        "checkout",
        "cherry-pick",
        "clone",
        "commit",
        "merge",
        "pull",
        "reset",
        "revert",
        "stash",
    ];
    let mut reads_only = true;
    for part in command.split(['|', ';', '&', '\n']) {
        let mut words = part
            .split_whitespace()
            .skip_while(|word| word.contains('=') || *word == "sudo");
        let Some(verb) = words.next() else { continue };
        // `2>&1` is split at its `&`; what is left of it is no command.
        if verb.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let installs = matches!(
            verb,
            "pip" | "pip3" | "npm" | "yarn" | "apt" | "apt-get" | "cargo" | "go" | "conda"
        ) && words
            .clone()
            .next()
            .is_some_and(|word| matches!(word, "install" | "add" | "i" | "get"));
        let writes = WRITERS.contains(&verb)
            || installs
            || (verb == "git"
                && words
                    .clone()
                    .next()
                    .is_some_and(|word| GIT_WRITERS.contains(&word)))
            || (verb == "sed" && words.clone().any(|word| word.starts_with("-i")))
            || redirects(part);
        if writes {
            return Effect::Writes;
        }
        reads_only &= READERS.contains(&verb)
            || verb == "cd"
            || (verb == "sed" && words.any(|word| word == "-n"));
    }
    if reads_only {
        Effect::Reads
    } else {
        Effect::Unknown
    }
}

/// `> file` and `>> file`, but not `2>/dev/null`, `>/dev/null`, `->` or `2>&1` (which is split at `&`).
fn redirects(part: &str) -> bool {
    part.match_indices('>').any(|(at, _)| {
        let before = part[..at].bytes().next_back();
        let after = part[at + 1..].trim_start_matches('>').trim_start();
        !matches!(before, Some(b'2' | b'-' | b'=' | b'>'))
            && !after.is_empty()
            && !after.starts_with("/dev/null")
    })
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
