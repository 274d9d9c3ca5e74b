//! How much is remembered.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{Bounded, Tightening};
use crate::hash::Key;

/// Bounds of all memories. The largest keep the snapshot of an agent below the size that can be restored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MemorySettings {
    /// Number of agents, over all sessions, that one engine watches at a time.
    pub sessions: Bounded<1, 1_048_576>,
    /// Number of different calls that are tracked for each agent.
    pub calls: Bounded<1, 16_384>,
    /// Number of calls without a result yet that are tracked for each agent.
    pub pending: Bounded<1, 4_096>,
    /// Number of reported patterns that are remembered for each agent.
    pub warned: Bounded<1, 4_096>,
    /// Number of different calls that are tallied, over all swarms.
    pub swarm: Bounded<1, 16_777_216>,
}

/// Bounds of one agent's memories, and the key of their tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) calls: NonZeroU32,
    pub(crate) pending: NonZeroU32,
    pub(crate) warned: NonZeroU32,
    /// Approaches and outcomes of steps.
    pub(crate) seen: NonZeroU32,
    pub(crate) key: Key,
}

impl MemorySettings {
    /// Room within these bounds.
    pub(crate) fn room(&self, seen: NonZeroU32, key: Key) -> Room {
        Room {
            calls: self.calls.non_zero(),
            pending: self.pending.non_zero(),
            warned: self.warned.non_zero(),
            seen,
            key,
        }
    }
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            sessions: Bounded::of::<8_192>(),
            calls: Bounded::of::<128>(),
            pending: Bounded::of::<64>(),
            warned: Bounded::of::<64>(),
            swarm: Bounded::of::<16_384>(),
        }
    }
}

impl MemorySettings {
    /// Compares these settings with those they are laid over. Less memory forgets loops, more memory costs.
    pub(crate) fn tightens(&self, base: &Self, tightening: &mut Tightening<'_>) {
        let Self {
            sessions,
            calls,
            pending,
            warned,
            swarm,
        } = self;
        tightening.same("sessions", sessions, &base.sessions);
        tightening.same("calls", calls, &base.calls);
        tightening.same("pending", pending, &base.pending);
        tightening.same("warned", warned, &base.warned);
        tightening.same("swarm", swarm, &base.swarm);
    }
}
