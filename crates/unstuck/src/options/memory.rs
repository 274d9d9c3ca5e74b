//! How much is remembered.

use serde::{Deserialize, Serialize};

use super::Tightening;
use crate::hash::Key;

/// How much is remembered. All memory is bounded by these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MemorySettings {
    /// Agents of sessions that one engine watches at a time.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub sessions: u32,
    /// Different calls that are tracked for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u32,
    /// Calls that wait for their result, for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub pending: u32,
    /// Patterns that were warned of, for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub warned: u32,
    /// Calls tallied for swarms, all swarms together.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub swarm: u32,
}

/// The room that one agent's memories are made in: how much they hold, and the key of their tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) calls: u32,
    pub(crate) pending: u32,
    pub(crate) warned: u32,
    /// Approaches and outcomes of steps.
    pub(crate) seen: u32,
    pub(crate) key: Key,
}

impl MemorySettings {
    /// Room within these bounds.
    pub(crate) fn room(&self, seen: u32, key: Key) -> Room {
        Room {
            calls: self.calls,
            pending: self.pending,
            warned: self.warned,
            seen,
            key,
        }
    }
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            sessions: 8_192,
            calls: 128,
            pending: 64,
            warned: 64,
            swarm: 16_384,
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
