//! Commands of git that take changes back.

use crate::{command::Core, word::Word};

/// What a command puts back into the state that the repository has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Restored {
    /// All files.
    All,
    /// The file with this path.
    File(String),
}

/// What the last command of git in a script restores.
pub(crate) fn of(cores: &[Core<'_, '_>]) -> Option<Restored> {
    let git = cores.iter().rev().find(|core| core.program() == "git")?;
    let (verb, words) = git.arguments().split_first()?;
    let has = |wanted: &str| words.iter().any(|word| word.text() == wanted);
    match verb.text() {
        "reset" if has("--hard") => Some(Restored::All),
        "stash" => match words.first().map(Word::text) {
            None | Some("push" | "save" | "-u") => Some(Restored::All),
            Some(_) => None,
        },
        "checkout" | "restore" => {
            let mut paths = words
                .iter()
                .filter_map(Word::as_literal)
                .filter(|word| !word.starts_with('-') && *word != "HEAD");
            match paths.next()? {
                "." => Some(Restored::All),
                // The name of a branch has no dot, the name of a file mostly has.
                path if has("--") || path.contains('.') => Some(Restored::File(path.to_owned())),
                _ => None,
            }
        }
        _ => None,
    }
}
