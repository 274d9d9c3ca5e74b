//! What a call does to the world, as far as its name and arguments tell.

use serde::{Deserialize, Serialize};
use unstuck_shell::Insight;

use super::Args;
use crate::{event::Call, json::JsonRef};

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
    match words(&call.tool).filter_map(of_word).max() {
        Some(Word::Writing) => {
            let sub_command = args.get("command").and_then(JsonRef::text);
            match sub_command {
                Some(sub) if READING_COMMANDS.contains(&&*sub) => Effect::Reads,
                _ => Effect::Writes,
            }
        }
        Some(Word::Reading) => Effect::Reads,
        None => Effect::Unknown,
    }
}

/// What a word in a tool's name says; where there are both, it writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Reading,
    Writing,
}

fn of_word(word: &str) -> Option<Word> {
    const LONGEST: usize = 8;
    let mut letters = [0; LONGEST];
    let letters = letters.get_mut(..word.len())?;
    letters.copy_from_slice(word.as_bytes());
    letters.make_ascii_lowercase();
    match &*letters {
        b"append" | b"apply" | b"commit" | b"create" | b"delete" | b"edit" | b"insert"
        | b"mkdir" | b"move" | b"patch" | b"remove" | b"rename" | b"replace" | b"save"
        | b"send" | b"update" | b"upload" | b"write" => Some(Word::Writing),
        b"fetch" | b"find" | b"get" | b"glob" | b"grep" | b"inspect" | b"list" | b"load"
        | b"look" | b"open" | b"query" | b"read" | b"search" | b"show" | b"status" | b"view" => {
            Some(Word::Reading)
        }
        _ => None,
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

/// The words of a tool's name: `read_file`, `ReadFile`, `fs__read-file` and `fs.read` all have `read`.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let start = bytes.iter().position(u8::is_ascii_alphanumeric)?;
        rest = &rest[start..];
        let bytes = &bytes[start..];
        let mut end = 1;
        while end < bytes.len() && bytes[end].is_ascii_alphanumeric() {
            // A capital after a small letter starts the next word.
            if bytes[end].is_ascii_uppercase() && bytes[end - 1].is_ascii_lowercase() {
                break;
            }
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;
