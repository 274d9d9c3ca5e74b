//! A call that came back.

use super::{Again, Failed, PendingCall, Place, Progress, Step, Tally};
use crate::{identity::Sight, ledger::Novelty};

/// A call that came back, and what it did to the tallies.
pub(crate) struct Done {
    pub(crate) call: PendingCall,
    pub(crate) sight: Sight,
    /// The tallies after this outcome, where it counted.
    pub(crate) exact: Option<Tally>,
    pub(crate) near: Option<Tally>,
    /// Its result makes it a poll.
    pub(crate) polled: bool,
    pub(crate) novelty: Novelty,
    pub(crate) place: Place,
    pub(crate) progress: Option<Progress>,
    /// It brought this agent nothing: it failed, or came back with what it had come back with before.
    pub(crate) fruitless: bool,
    /// A failing test was counted.
    pub(crate) test_failed: bool,
    /// What it means for the row of failures.
    pub(crate) failed: Failed,
    /// What it did to a file.
    pub(crate) step: Step,
    /// What it told another agent was told before.
    pub(crate) again: Option<Again>,
}

impl Done {
    /// Whether it waits for something: by itself, or by its result once the call was seen to change or to wait.
    pub(crate) fn waits(&self) -> bool {
        self.call.polling.is_certain() || self.polled
    }

    /// Whether it waits, or its result says to.
    pub(crate) fn may_wait(&self) -> bool {
        self.waits() || self.sight.waits.is_some()
    }
}
