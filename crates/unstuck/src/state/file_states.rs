//! The states that files were in.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::{
    event::Line,
    facts::{ChangeKind, FileChange},
    fingerprint::Mark,
    hash::{Key, Tag},
    memory::{Last, Recent, memories},
    options::nonzero,
};

/// Files that are followed.
const FILES: NonZeroU32 = nonzero!(64);

/// States of one file that are remembered.
const STATES: usize = 8;

/// The state of a file before anything was done to it.
const FIRST: u64 = 0;

/// The files that were changed lately.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FileStates {
    files: Recent<File>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct File {
    name: Tag,
    /// The states it was in, each once, the present one last. States are running sums of the differences that edits make,
    /// so undoing a sequence of edits restores the original value.
    states: Last<u64, STATES>,
    /// Changes in a row that led back to a state it had been in.
    returns: u32,
    from: Line,
}

/// Effect of a change on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileStep {
    /// Unknown.
    Unknown,
    /// No effect.
    NoOp,
    /// A state that it never had.
    New,
    /// A state that it had before.
    Back {
        /// Number of returns in a row.
        returns: u32,
        from: Line,
    },
}

impl FileStates {
    pub(super) fn new(key: Key) -> Self {
        Self {
            files: Recent::new(FILES, key),
        }
    }

    /// Records a change.
    pub(super) fn record(&mut self, change: FileChange, line: Line) -> FileStep {
        match change.kind {
            ChangeKind::Edit(_) | ChangeKind::Write(_) | ChangeKind::Undo => {
                let file = self.files.entry(change.path, || File::new(change.name));
                file.go(change.kind, line)
            }
            ChangeKind::Restore | ChangeKind::RestoreAll => {
                let restored: Vec<Mark> = self
                    .files
                    .iter()
                    .filter(|(_, file)| file.is_meant(change))
                    .map(|(path, _)| path)
                    .collect();
                let mut step = FileStep::Unknown;
                for path in restored {
                    self.files.update(path, |file| {
                        let gone = file.go(change.kind, line);
                        step = step.more(gone);
                    });
                }
                step
            }
        }
    }

    /// Returns the effect that a change would have.
    pub(crate) fn would(&self, change: FileChange, line: Line) -> FileStep {
        let go = |file: &File| file.clone().go(change.kind, line);
        match change.kind {
            ChangeKind::Edit(_) | ChangeKind::Write(_) | ChangeKind::Undo => {
                self.files.get(change.path).map_or(FileStep::New, go)
            }
            ChangeKind::Restore | ChangeKind::RestoreAll => self
                .files
                .iter()
                .filter(|(_, file)| file.is_meant(change))
                .map(|(_, file)| go(file))
                .fold(FileStep::Unknown, FileStep::more),
        }
    }

    pub(super) fn clear(&mut self) {
        self.files.clear();
    }
}

memories!(FileStates {
    per_turn: [files],
    lasting: [],
    plain: [],
});

impl File {
    fn new(name: Tag) -> Self {
        Self {
            name,
            states: Last::from(FIRST),
            returns: 0,
            from: 0,
        }
    }

    fn is_meant(&self, change: FileChange) -> bool {
        change.kind == ChangeKind::RestoreAll || self.name == change.name
    }

    fn go(&mut self, kind: ChangeKind, line: Line) -> FileStep {
        let now = self.states.last().copied().unwrap_or(FIRST);
        let next = match kind {
            ChangeKind::Edit(difference) => now.wrapping_add(difference),
            ChangeKind::Write(content) => content.0,
            ChangeKind::Undo => match self.states.len().checked_sub(2) {
                Some(at) => self.states[at],
                None => return FileStep::Unknown,
            },
            ChangeKind::Restore | ChangeKind::RestoreAll => FIRST,
        };
        if next == now {
            return FileStep::NoOp;
        }
        let known = self.states.take(|state| *state == next);
        if known.is_some() {
            if self.returns == 0 {
                self.from = line;
            }
            self.returns = self.returns.saturating_add(1);
        } else {
            self.returns = 0;
        }
        self.states.push(next);
        match known {
            Some(_) => FileStep::Back {
                returns: self.returns,
                from: self.from,
            },
            None => FileStep::New,
        }
    }
}

impl FileStep {
    /// The one of two that went back further.
    fn more(self, other: Self) -> Self {
        match (self, other) {
            (Self::Back { returns: one, .. }, Self::Back { returns: two, .. }) => {
                if two > one {
                    other
                } else {
                    self
                }
            }
            (Self::Back { .. }, _) | (_, Self::Unknown) => self,
            _ => other,
        }
    }
}
