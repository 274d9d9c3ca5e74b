//! Bounded memories that can be taken back to the last turn.
//!
//! A provider may replay a turn (`retry`), and then everything the turn changed has to be undone. Copying a whole
//! session at every turn would cost more than deciding does, so the larger containers journal what a turn touches:
//! [`rollback`](Journaled::rollback) costs as much as was changed, and [`commit`](Journaled::commit) only clears the
//! journal. Small values are copied instead ([`PerTurn`]).

mod index;
mod last;
mod per_turn;
mod recent;
mod seen;
mod undo;

pub(crate) use index::Index;
pub(crate) use last::Last;
pub(crate) use per_turn::PerTurn;
pub(crate) use recent::Recent;
pub(crate) use seen::Seen;

/// State with one level of undo.
pub(crate) trait Journaled {
    /// Makes the present state the one that [`rollback`](Self::rollback) restores.
    fn commit(&mut self);

    /// Restores the state of the last [`commit`](Self::commit), or the initial one. A second rollback changes nothing.
    fn rollback(&mut self);
}
