//! The file that a call is about.

use serde::{Deserialize, Serialize};
use unstuck_shell::Insight;

use super::Effect;
use crate::hash::Tag;

/// What a call may read or change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Scope {
    /// One file and nothing else, by the last part of its path.
    File(Tag),
    /// Not known.
    Anything,
}

/// The one file that a call reads or writes, where that is all it does. `path` is its path argument.
pub(super) fn of(path: Option<&str>, insight: Option<&Insight>, effect: Effect) -> Scope {
    match (effect, insight) {
        (Effect::Unknown, _) => Scope::Anything,
        (Effect::Reads, Some(insight)) => match &insight.read {
            Some(read) => file(&read.path),
            None => Scope::Anything,
        },
        (Effect::Writes, Some(insight)) => match insight.written.as_slice() {
            [path] => file(path),
            _ => Scope::Anything,
        },
        (_, None) => path.map_or(Scope::Anything, file),
    }
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    let start = memchr::memrchr(b'/', path.as_bytes()).map_or(0, |slash| slash + 1);
    &path[start..]
}

/// A file by the last part of its path. A name without a dot may be a directory.
fn file(path: &str) -> Scope {
    let name = name(path).as_bytes();
    if name.len() > 2 && name.contains(&b'.') {
        Scope::File(Tag::of(name.iter().copied()))
    } else {
        Scope::Anything
    }
}
