//! The states that files were in, and calls that changed nothing.

use serde::{Deserialize, Serialize};

use super::{Line, PendingCall};
use crate::{
    fingerprint::Mark,
    identity::{Action, Change, ChangeKind},
    memory::Recent,
};

/// Files that are followed.
const FILES: u32 = 64;

/// States of one file that are remembered.
const STATES: usize = 8;

/// Calls that changed nothing, told apart.
const CALLS: usize = 8;

/// The state of a file before anything was done to it.
const FIRST: u64 = 0;

/// The files that were changed lately.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Files {
    files: Recent<File>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct File {
    name: Mark,
    /// The states it was in, each once, the present one last. They are sums of differences, so a way round ends where
    /// it began, whatever lies between.
    states: Vec<u64>,
    /// Changes in a row that led back to a state it had been in.
    returns: u32,
    from: Line,
}

/// What a change did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nobody knows.
    Unknown,
    /// Nothing.
    Idle,
    /// It is as it never was.
    New,
    /// It is as it was before.
    Back {
        /// How often in a row.
        returns: u32,
        from: Line,
    },
}

/// Calls that changed nothing, since something was achieved.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Idle {
    pub(crate) row: u32,
    pub(crate) from: Line,
    calls: Vec<Mark>,
    epoch: u32,
}

impl Files {
    pub(super) fn new() -> Self {
        Self {
            files: Recent::new(FILES),
        }
    }

    /// State that was stored elsewhere, within the bounds.
    pub(super) fn fit(self) -> Self {
        Self {
            files: self.files.fit(FILES),
        }
    }

    /// A change that was made.
    pub(super) fn record(&mut self, change: Change, line: Line) -> Step {
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
                let mut step = Step::Unknown;
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

    /// What a change would do.
    pub(crate) fn would(&self, change: Change, line: Line) -> Step {
        let go = |file: &File| file.clone().go(change.kind, line);
        match change.kind {
            ChangeKind::Edit(_) | ChangeKind::Write(_) | ChangeKind::Undo => {
                self.files.get(change.path).map_or(Step::New, go)
            }
            ChangeKind::Restore | ChangeKind::RestoreAll => self
                .files
                .iter()
                .filter(|(_, file)| file.is_meant(change))
                .map(|(_, file)| go(file))
                .fold(Step::Unknown, Step::more),
        }
    }

    pub(super) fn commit(&mut self) {
        self.files.commit();
    }

    pub(super) fn rollback(&mut self) {
        self.files.rollback();
    }

    pub(super) fn clear(&mut self) {
        self.files.clear();
    }
}

impl File {
    fn new(name: Mark) -> Self {
        Self {
            name,
            states: vec![FIRST],
            returns: 0,
            from: 0,
        }
    }

    fn is_meant(&self, change: Change) -> bool {
        change.kind == ChangeKind::RestoreAll || self.name == change.name
    }

    fn go(&mut self, kind: ChangeKind, line: Line) -> Step {
        let now = self.states.last().copied().unwrap_or(FIRST);
        let next = match kind {
            ChangeKind::Edit(difference) => now.wrapping_add(difference),
            ChangeKind::Write(content) => content.0,
            ChangeKind::Undo => match self.states.len().checked_sub(2) {
                Some(at) => self.states[at],
                None => return Step::Unknown,
            },
            ChangeKind::Restore | ChangeKind::RestoreAll => FIRST,
        };
        if next == now {
            return Step::Idle;
        }
        let known = self.states.iter().position(|state| *state == next);
        if let Some(at) = known {
            self.states.remove(at);
            if self.returns == 0 {
                self.from = line;
            }
            self.returns = self.returns.saturating_add(1);
        } else {
            if self.states.len() >= STATES {
                self.states.remove(0);
            }
            self.returns = 0;
        }
        self.states.push(next);
        match known {
            Some(_) => Step::Back {
                returns: self.returns,
                from: self.from,
            },
            None => Step::New,
        }
    }
}

impl Step {
    /// The one of two that tells more.
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

impl Idle {
    pub(super) fn record(&mut self, call: &PendingCall, epoch: u32) {
        if self.epoch != epoch {
            *self = Self {
                epoch,
                ..Self::default()
            };
        }
        if self.row == 0 {
            self.from = call.line;
        }
        self.row = self.row.saturating_add(1);
        if !self.calls.contains(&call.exact) {
            if self.calls.len() >= CALLS {
                self.calls.remove(0);
            }
            self.calls.push(call.exact);
        }
    }

    /// Did this very call change nothing before, and nothing was achieved since?
    pub(crate) fn knows(&self, action: &Action, epoch: u32) -> bool {
        self.epoch == epoch && self.calls.contains(&action.exact)
    }

    /// Calls that changed nothing in this epoch.
    pub(crate) fn row(&self, epoch: u32) -> u32 {
        if self.epoch == epoch { self.row } else { 0 }
    }
}
