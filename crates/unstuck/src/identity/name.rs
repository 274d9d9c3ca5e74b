//! What a tool's name says, read once for all who ask.

use std::ops::BitOr;

/// What the words in a tool's name say of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ToolName(u16);

impl ToolName {
    pub(super) const READS: Self = Self(1);
    pub(super) const WRITES: Self = Self(1 << 1);
    /// What it writes is not the whole of something.
    pub(super) const WRITES_IN_PART: Self = Self(1 << 2);
    /// It looks after something that runs elsewhere.
    pub(super) const WAITS: Self = Self(1 << 3);
    /// It lets time pass.
    pub(super) const SLEEPS: Self = Self(1 << 4);
    /// It hands work to another agent.
    pub(super) const HANDS_OVER: Self = Self(1 << 5);
    /// It has to do with other agents.
    pub(super) const AGENTS: Self = Self(1 << 6);
    /// It tells somebody something, or starts something.
    pub(super) const TELLS: Self = Self(1 << 7);
    /// It reads files, lists something or searches.
    pub(super) const LOOKS: Self = Self(1 << 8);
    /// It asks how far something has got.
    pub(super) const STATUS: Self = Self(1 << 9);
    /// It has to do with a repository.
    pub(super) const GIT: Self = Self(1 << 10);

    pub(super) fn of(tool: &str) -> Self {
        words(tool).map(of_word).fold(Self::default(), Self::bitor)
    }

    /// Does it say all of this?
    pub(super) fn says(self, said: Self) -> bool {
        self.0 & said.0 == said.0
    }
}

impl BitOr for ToolName {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn of_word(word: &str) -> ToolName {
    const LONGEST: usize = 8;
    let mut letters = [0; LONGEST];
    let Some(letters) = letters.get_mut(..word.len()) else {
        return ToolName::default();
    };
    letters.copy_from_slice(word.as_bytes());
    letters.make_ascii_lowercase();
    match &*letters {
        b"append" | b"insert" => ToolName::WRITES | ToolName::WRITES_IN_PART,
        b"send" => ToolName::WRITES | ToolName::WRITES_IN_PART | ToolName::TELLS,
        b"apply" | b"commit" | b"create" | b"delete" | b"edit" | b"mkdir" | b"move" | b"patch"
        | b"remove" | b"rename" | b"replace" | b"save" | b"update" | b"upload" | b"write" => {
            ToolName::WRITES
        }
        b"find" | b"glob" | b"grep" | b"list" | b"load" | b"look" | b"open" | b"query"
        | b"read" | b"search" | b"show" | b"view" => ToolName::READS | ToolName::LOOKS,
        b"cat" | b"ls" | b"tree" => ToolName::LOOKS,
        b"fetch" | b"get" | b"inspect" => ToolName::READS,
        b"status" => ToolName::READS | ToolName::STATUS,
        b"progress" => ToolName::STATUS,
        b"git" => ToolName::GIT,
        b"await" | b"poll" | b"stdin" | b"wait" | b"watch" => ToolName::WAITS,
        b"sleep" => ToolName::SLEEPS,
        b"delegate" | b"dispatch" | b"handoff" | b"subagent" | b"task" => ToolName::HANDS_OVER,
        b"agent" | b"agents" | b"sessions" | b"worker" => ToolName::AGENTS,
        b"ask" | b"call" | b"message" | b"run" | b"spawn" => ToolName::TELLS,
        _ => ToolName::default(),
    }
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
#[path = "name_tests.rs"]
mod tests;
