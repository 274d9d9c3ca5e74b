//! What a call does to a file, as far as its arguments tell.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Args, ToolWords};
use crate::{
    fingerprint::{Domain, Fingerprinter, Mark},
    hash::Tag,
};
use unstuck_json::JsonRef;

/// A change to one file, or to all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileChange {
    /// The path as it is written.
    pub(crate) path: Mark,
    /// The path's last part: a shell and a file tool name one file differently.
    pub(crate) name: Tag,
    pub(crate) kind: ChangeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ChangeKind {
    /// One text takes the place of another. Only the difference is kept: that of `a` to `b` and that of `b` to `a` add
    /// up to nothing, and so do those of a longer way round.
    Edit(u64),
    /// The whole file is written.
    Write(Mark),
    /// The last change is taken back.
    Undo,
    /// The file is as the repository has it.
    Restore,
    /// So are all files.
    RestoreAll,
}

impl FileChange {
    /// Whether the arguments show that nothing will change.
    pub(crate) fn is_no_op(&self) -> bool {
        self.kind == ChangeKind::Edit(0)
    }
}

const PATHS: [&str; 9] = [
    "path",
    "file_path",
    "filePath",
    "file",
    "filename",
    "f",
    "target_file",
    "relative_path",
    "file_name",
];

/// The text that goes and the text that comes.
const TEXTS: [(&str, &str); 9] = [
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldString", "newString"),
    ("old_text", "new_text"),
    ("oldText", "newText"),
    ("old", "new"),
    ("before", "after"),
    ("search", "replace"),
    ("from", "to"),
];

const CONTENTS: [&str; 5] = ["content", "contents", "file_text", "file_content", "text"];

/// The path argument of a call.
pub(super) fn path<'a>(args: &Args<'a>) -> Option<Cow<'a, str>> {
    PATHS.iter().find_map(|name| args.get(name)?.text())
}

/// The change that a call which writes makes to a file. `path` is its path argument.
pub(super) fn of(
    words: ToolWords,
    args: &Args<'_>,
    command: Option<&str>,
    path: Option<&str>,
    prints: &Fingerprinter,
) -> Option<FileChange> {
    if let Some(command) = command {
        return of_command(command);
    }
    let path = path?;
    let change = |kind| Some(change(path, kind));
    let mark = |text: JsonRef<'_>| {
        let print = prints.canonical(Domain::Text, text.as_str().as_bytes());
        print.mark()
    };
    for (old, new) in TEXTS {
        if let (Some(old), Some(new)) = (args.get(old), args.get(new)) {
            let difference = mark(new).0.wrapping_sub(mark(old).0);
            return change(ChangeKind::Edit(difference));
        }
    }
    let sub_command = args.get("command").and_then(JsonRef::text);
    if sub_command.is_some_and(|sub| sub == "undo_edit") {
        return change(ChangeKind::Undo);
    }
    // What is added to a file or put into the middle of it is not the whole of it.
    let part = ["insert_line", "line", "offset", "append"];
    if words.say(ToolWords::WRITES_IN_PART) || part.iter().any(|name| args.get(name).is_some()) {
        return None;
    }
    let content = CONTENTS.iter().find_map(|name| args.get(name))?;
    change(ChangeKind::Write(mark(content)))
}

/// Commands of git that take changes back. Others change files in ways their words do not tell.
fn of_command(command: &str) -> Option<FileChange> {
    let git = command
        .split(['|', ';', '&', '\n'])
        .rev()
        .find_map(|part| part.trim_start().strip_prefix("git "))?;
    let mut words = git.split_whitespace();
    let verb = words.next()?;
    let mut paths = words
        .clone()
        .filter(|word| !word.starts_with('-') && *word != "HEAD");
    let all = Some(change("", ChangeKind::RestoreAll));
    match verb {
        "reset" if words.any(|word| word == "--hard") => all,
        "stash" if matches!(words.next(), None | Some("push" | "save" | "-u")) => all,
        "checkout" | "restore" => match paths.next() {
            Some(".") => all,
            // The name of a branch has no dot, the name of a file mostly has.
            Some(path) if words.any(|word| word == "--") || path.contains('.') => {
                Some(change(path, ChangeKind::Restore))
            }
            _ => None,
        },
        _ => None,
    }
}

fn change(path: &str, kind: ChangeKind) -> FileChange {
    let name = path.rsplit('/').next().unwrap_or(path);
    FileChange {
        path: Mark::from(Tag::of(path.bytes())),
        name: Tag::of(name.bytes()),
        kind,
    }
}

#[cfg(test)]
#[path = "file_change_tests.rs"]
mod tests;
