//! Calls that are one call in other words.

use serde::{Deserialize, Serialize};

use crate::{
    fingerprint::Mark,
    identity::Action,
    memory::Recent,
    sketch::{Likeness, Sketch},
};

/// Groups remembered; the one that was met longest ago is forgotten.
const GROUPS: u32 = 64;

/// The first call of each group, by its mark. Later ones are compared with the first and not with each other, so that
/// a group cannot drift from one thing to another word by word.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lookalikes {
    first: Recent<Sketch>,
}

/// What a call is among those that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kin {
    /// One of this group.
    Of(Mark),
    /// The same sentence about something else: it neither belongs to a group nor begins one.
    Swapped,
    Stranger,
}

impl Lookalikes {
    pub(super) fn new() -> Self {
        Self {
            first: Recent::new(GROUPS),
        }
    }

    pub(super) fn fit(self) -> Self {
        Self {
            first: self.first.fit(GROUPS),
        }
    }

    /// The mark of the group that a call belongs to, where it belongs to one.
    pub(crate) fn group(&self, action: &Action) -> Option<Mark> {
        match self.kin(action.sketch.as_deref()?) {
            Kin::Of(group) => Some(group),
            Kin::Swapped | Kin::Stranger => None,
        }
    }

    /// A call was made: it is met again, or begins a group.
    pub(super) fn meet(&mut self, action: &Action) {
        let Some(sketch) = action.sketch.as_deref() else {
            return;
        };
        match self.kin(sketch) {
            Kin::Of(group) => {
                self.first.entry(group, || *sketch);
            }
            Kin::Stranger => {
                self.first.entry(action.coarse.mark(), || *sketch);
            }
            Kin::Swapped => {}
        }
    }

    pub(super) fn commit(&mut self) {
        self.first.commit();
    }

    pub(super) fn rollback(&mut self) {
        self.first.rollback();
    }

    /// The group met last where several would do.
    fn kin(&self, sketch: &Sketch) -> Kin {
        let mut kin = Kin::Stranger;
        for (group, first) in self.first.iter() {
            match first.likeness(sketch) {
                Likeness::Reworded => return Kin::Of(group),
                Likeness::Swapped => kin = Kin::Swapped,
                Likeness::Different => {}
            }
        }
        kin
    }
}
