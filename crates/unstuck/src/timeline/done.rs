//! A call that came back.

use super::{Again, Failed, PendingCall, Place, Progress, Step, Tally};
use crate::{
    identity::{Sight, Waits},
    ledger::Novelty,
};

/// A call that came back, and what it did to the tallies.
pub(crate) struct Done {
    pub(crate) call: PendingCall,
    pub(crate) sight: Sight,
    /// The tallies after this outcome, where it counted.
    pub(crate) exact: Option<Tally>,
    pub(crate) near: Option<Tally>,
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
    /// Does it wait for something, by its own name or by what came back?
    pub(crate) fn waits(&self) -> bool {
        self.call.waits != Waits::No || self.sight.waits
    }
}
