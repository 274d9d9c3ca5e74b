//! Bounded memories that can be taken back to the last turn.
//!
//! A provider may replay a turn (`retry`), and then everything the turn changed has to be undone. Copying a whole
//! session at every turn would cost more than deciding does, so these containers journal what a turn touches: taking
//! back costs as much as was changed, and a turn that stands costs nothing but the clearing of its journal.

mod index;
mod recent;
mod seen;
mod undo;

pub(crate) use index::Index;
pub(crate) use recent::Recent;
pub(crate) use seen::Seen;
