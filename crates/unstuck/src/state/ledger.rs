//! The ledger: evidence of progress that all rules share.

use serde::{Deserialize, Serialize};

use super::Novelty;
use crate::{
    facts::{Effect, Ending, ResultFacts, Scope},
    fingerprint::Mark,
    hash::Tag,
    memory::Last,
};

/// Files whose last change is remembered.
const FILES: usize = 32;

/// Evidence of progress.
///
/// Progress starts a new *epoch*: what was repeated before it and is repeated after it are two streaks, because running
/// a test again after a real change is not a repetition. A change to one file is credited to that file only: calls that
/// read another file keep their streaks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    epoch: u32,
    /// Epoch of the last change that may concern anything.
    all: u32,
    /// Epochs of the last changes of these files, the oldest first.
    files: Last<(Tag, u32), FILES>,
    /// Denials since the last progress.
    denials: u32,
    /// The call that was denied last, until a call that ran fails or returns what was known.
    denied: Option<Mark>,
}

impl Ledger {
    /// Records the result of a call. Only a change to the world that had not been made before is progress: an
    /// edit repeated with the same arguments and the same answer is not, and a failed one is not.
    pub(crate) fn credit(
        &mut self,
        (effect, scope): (Effect, Scope),
        result: &ResultFacts,
        novelty: Novelty,
    ) -> Credit {
        if effect == Effect::Writes && result.ending == Ending::Success && novelty == Novelty::New {
            self.advance_in(scope);
            Credit::Progress
        } else {
            Credit::None
        }
    }

    /// Records progress that may concern anything.
    pub(crate) fn advance(&mut self) {
        self.advance_in(Scope::Anything);
    }

    fn advance_in(&mut self, scope: Scope) {
        self.epoch = self.epoch.wrapping_add(1);
        self.denials = 0;
        match scope {
            Scope::Anything => {
                self.all = self.epoch;
                self.files.clear();
            }
            Scope::File(file) => {
                self.files.retain(|(known, _)| *known != file);
                if let Some((_, changed)) = self.files.push((file, self.epoch)) {
                    // What is no longer known of one file counts for all.
                    self.all = changed;
                }
            }
        }
    }

    pub(crate) fn deny(&mut self, call: Mark) {
        self.denials = self.denials.saturating_add(1);
        self.denied = Some(call);
    }

    /// Records that a call ran, and failed or returned what was known.
    pub(crate) fn tried_in_vain(&mut self) {
        self.denied = None;
    }

    /// The call that was denied last, if no call that ran was in vain since.
    pub(crate) fn denied(&self) -> Option<Mark> {
        self.denied
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.epoch
    }

    /// The epoch of a call. For a call that only reads one file it changes only with that file.
    pub(crate) fn epoch_for(&self, effect: Effect, scope: Scope) -> u32 {
        match (effect, scope) {
            (Effect::Reads, Scope::File(file)) => {
                let changed = self.files.iter().find(|(known, _)| *known == file);
                changed.map_or(self.all, |(_, epoch)| *epoch)
            }
            _ => self.epoch,
        }
    }

    pub(crate) fn denials(&self) -> u32 {
        self.denials
    }
}

/// Progress that an outcome is credited with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credit {
    Progress,
    None,
}
