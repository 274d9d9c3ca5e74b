//! A store in memory, for the threads of one process and for tests.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use unstuck::swarm::{Tally, Worker};

use crate::{
    batch::Batch,
    dead::{CallNews, DeadCall, DeadCallStore, DeadLimits},
    dead_book::DeadBook,
    error::TallyError,
    generations::{Generations, now_ms},
    keys::{CallKey, SwarmKey},
    store::{CallTally, TallyLimits, TallyStore},
};

/// A store in the memory of this process.
#[derive(Debug, Default)]
pub struct MemoryTallies {
    limits: TallyLimits,
    swarms: Mutex<BTreeMap<SwarmKey, Generations>>,
    dead_limits: DeadLimits,
    dead: Mutex<BTreeMap<SwarmKey, DeadBook>>,
}

impl MemoryTallies {
    /// Most swarms at the same time. A further one takes the place of those that are over, or is refused.
    pub const MOST_SWARMS: usize = 4_096;

    /// Creates an empty store.
    pub fn new(limits: TallyLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Changes when a call is dead.
    #[must_use]
    pub fn with_dead_limits(mut self, limits: DeadLimits) -> Self {
        self.dead_limits = limits;
        self
    }

    fn with<T>(&self, swarm: SwarmKey, act: impl FnOnce(&mut Generations) -> T) -> Option<T> {
        let mut swarms = self.swarms.lock().unwrap_or_else(PoisonError::into_inner);
        swarms.get_mut(&swarm).map(act)
    }
}

impl TallyStore for MemoryTallies {
    fn apply(&self, batch: &Batch<'_>, _: Duration) -> Result<Tally, TallyError> {
        let now = now_ms();
        let mut swarms = self.swarms.lock().unwrap_or_else(PoisonError::into_inner);
        if swarms.len() >= Self::MOST_SWARMS && !swarms.contains_key(&batch.swarm) {
            swarms.retain(|_, swarm| !swarm.is_over(&self.limits, now));
            if swarms.len() >= Self::MOST_SWARMS {
                return Err(TallyError::Full);
            }
        }
        swarms
            .entry(batch.swarm)
            .or_default()
            .apply(batch, &self.limits, now)
    }

    fn tallies(&self, swarm: SwarmKey, _: Duration) -> Result<Vec<CallTally>, TallyError> {
        let tallies = self.with(swarm, |swarm| swarm.tallies(&self.limits, now_ms()));
        Ok(tallies.unwrap_or_default())
    }

    fn clear(&self, swarm: SwarmKey, _: Duration) -> Result<(), TallyError> {
        self.with(swarm, Generations::clear);
        Ok(())
    }

    fn limits(&self) -> TallyLimits {
        self.limits
    }
}

impl DeadCallStore for MemoryTallies {
    fn news(
        &self,
        (swarm, call): (SwarmKey, CallKey),
        worker: Worker,
        news: &CallNews<'_>,
        _: Duration,
    ) -> Result<Option<DeadCall>, TallyError> {
        let mut dead = self.dead.lock().unwrap_or_else(PoisonError::into_inner);
        if dead.len() >= Self::MOST_SWARMS && !dead.contains_key(&swarm) {
            // Calls are forgotten earlier, and tried once more.
            dead.clear();
        }
        let book = dead.entry(swarm).or_default();
        Ok(book.news(call, worker, news, &self.dead_limits, now_ms()))
    }
}
