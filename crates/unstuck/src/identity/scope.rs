//! What a call has to do with.

use unstuck_shell::Insight;

use super::{Args, Effect, change::PATHS};
use crate::{fingerprint::Mark, ledger::Scope};

/// The one file that a call reads or writes, where that is all it does.
pub(super) fn of(
    args: &Args<'_>,
    command: Option<&str>,
    insight: Option<&Insight>,
    effect: Effect,
) -> Scope {
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
        (_, None) if command.is_some() => Scope::Anything,
        (_, None) => match PATHS.iter().find_map(|name| args.get(name)?.text()) {
            Some(path) => file(&path),
            None => Scope::Anything,
        },
    }
}

/// A file by the last part of its path, as far as it has one that tells it from a directory.
fn file(path: &str) -> Scope {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.contains('.') && name.len() > 2 {
        Scope::File(Mark::of_bytes(name.bytes()))
    } else {
        Scope::Anything
    }
}
