//! Bounded memories that can be taken back to the last turn.
//!
//! A provider may replay a turn (`retry`), and then everything the turn changed has to be undone. Copying a whole
//! session at every turn would cost more than deciding does, so the larger containers journal what a turn touches:
//! [`rollback`](Memory::rollback) costs as much as was changed, and [`commit`](Memory::commit) only clears the
//! journal. Small values are copied instead ([`PerTurn`]).

mod index;
mod last;
mod per_turn;
mod recent;
mod seen;
mod undo;

pub(crate) use index::Index;
pub(crate) use last::{Last, cut_to, push_within};
pub(crate) use per_turn::PerTurn;
pub(crate) use recent::Recent;
pub(crate) use seen::Seen;

/// A bounded memory with one level of undo.
pub(crate) trait Memory {
    /// Makes the present state the one that [`rollback`](Self::rollback) restores.
    fn commit(&mut self);

    /// Restores the state of the last [`commit`](Self::commit), or the initial one. A second rollback changes nothing.
    fn rollback(&mut self);

    /// Makes a memory that was read from a snapshot fit for use: checks it, and takes over the bounds and the key of
    /// `fresh`, one without any event. Bounds are therefore stated in one place, where the fresh one is made.
    fn fit(&mut self, fresh: &Self) -> Result<(), Unsound>;
}

/// A memory that was read from a snapshot contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsound;

/// Implements [`Memory`] for a struct of memories. It names every field: one that is forgotten does not compile.
macro_rules! memories {
    (
        $type:ty {
            // A retry takes these back.
            per_turn: [$($part:ident),*],
            // These outlive a retry.
            lasting: [$($lasting:ident),*],
            // These are not memories, and outlive a retry too.
            plain: [$($plain:ident),*],
        }
    ) => {
        impl $crate::memory::Memory for $type {
            fn commit(&mut self) {
                $($crate::memory::Memory::commit(&mut self.$part);)*
            }

            fn rollback(&mut self) {
                $($crate::memory::Memory::rollback(&mut self.$part);)*
            }

            fn fit(&mut self, fresh: &Self) -> Result<(), $crate::memory::Unsound> {
                let Self { $($part,)* $($lasting,)* $($plain: _,)* } = self;
                $($crate::memory::Memory::fit($part, &fresh.$part)?;)*
                $($crate::memory::Memory::fit($lasting, &fresh.$lasting)?;)*
                Ok(())
            }
        }
    };
}
pub(crate) use memories;
