//! What a call does to a file, as far as its arguments tell.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unstuck_shell::{Insight, Restored};

use super::{Args, scope};
use crate::{
    fingerprint::{Fingerprinter, Mark},
    hash::Tag,
    vocab::{arguments::ArgumentRole, tools::ToolWords},
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

/// The path argument of a call.
pub(super) fn path<'a>(args: &Args<'a>) -> Option<Cow<'a, str>> {
    args.role(ArgumentRole::Path)?.text()
}

/// The change that a call which writes makes to a file. `path` is its path argument.
pub(super) fn of(
    words: ToolWords,
    args: &Args<'_>,
    insight: Option<&Insight>,
    path: Option<&str>,
    prints: &Fingerprinter,
) -> Option<FileChange> {
    if let Some(insight) = insight {
        return match insight.restored.as_ref()? {
            Restored::All => Some(self::change("", ChangeKind::RestoreAll)),
            Restored::File(path) => Some(self::change(path, ChangeKind::Restore)),
            _ => None,
        };
    }
    let path = path?;
    let change = |kind| Some(change(path, kind));
    let mark = |text: JsonRef<'_>| prints.text_mark(text.as_str().as_bytes());
    if let Some((old, new)) = args.texts() {
        let difference = mark(new).0.wrapping_sub(mark(old).0);
        return change(ChangeKind::Edit(difference));
    }
    let sub_command = args.get("command").and_then(JsonRef::text);
    if sub_command.is_some_and(|sub| sub == "undo_edit") {
        return change(ChangeKind::Undo);
    }
    // What is added to a file or put into the middle of it is not the whole of it.
    if words.say(ToolWords::WRITES_IN_PART) || args.role(ArgumentRole::Place).is_some() {
        return None;
    }
    change(ChangeKind::Write(mark(args.role(ArgumentRole::Content)?)))
}

fn change(path: &str, kind: ChangeKind) -> FileChange {
    FileChange {
        path: Mark::from(Tag::of(path.bytes())),
        name: Tag::of(scope::name(path).bytes()),
        kind,
    }
}

#[cfg(test)]
#[path = "file_change_tests.rs"]
mod tests;
