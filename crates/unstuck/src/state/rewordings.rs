//! Groups of rephrased calls.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::{
    facts::{Likeness, Sketch},
    fingerprint::Mark,
    hash::Key,
    memory::{Recent, memories},
    options::nonzero,
};

/// Groups remembered; the one that was met longest ago is forgotten.
const GROUPS: NonZeroU32 = nonzero!(64);

/// The first call of each group, by its mark. Later ones are compared with the first and not with each other, so that
/// a group cannot drift from one thing to another word by word.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rewordings {
    first: Recent<Sketch>,
}

/// Relation of a call to the remembered groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kinship {
    /// A member of this group.
    Of(Mark),
    /// The same sentence about something else: it neither belongs to a group nor begins one.
    Swapped,
    Stranger,
}

impl Rewordings {
    pub(super) fn new(key: Key) -> Self {
        Self {
            first: Recent::new(GROUPS, key),
        }
    }

    /// Returns the relation of a call to the remembered groups. If several match, the one met last counts.
    pub(crate) fn find(&self, sketch: &Sketch) -> Kinship {
        let mut kinship = Kinship::Stranger;
        // Most calls are like none, which takes less to see in the order of the memory.
        if !self.first.values().any(|first| first.may_be_like(sketch)) {
            return kinship;
        }
        for (group, first) in self.first.iter() {
            match first.likeness(sketch) {
                Likeness::Reworded => return Kinship::Of(group),
                Likeness::Swapped => kinship = Kinship::Swapped,
                Likeness::Different => {}
            }
        }
        kinship
    }

    /// Records a call that was made: its group is met again, or it begins one under `coarse`.
    pub(crate) fn record(&mut self, kinship: Kinship, sketch: &Sketch, coarse: Mark) {
        match kinship {
            Kinship::Of(group) => {
                self.first.entry(group, || *sketch);
            }
            Kinship::Stranger => {
                self.first.entry(coarse, || *sketch);
            }
            Kinship::Swapped => {}
        }
    }
}

memories!(Rewordings {
    per_turn: [first],
    lasting: [],
    plain: [],
});
