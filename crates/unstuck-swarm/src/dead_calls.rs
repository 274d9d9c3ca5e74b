//! Dead calls of a store that may be slow or away.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use unstuck::swarm::Worker;

use crate::{
    dead::{CallNews, DeadCall, DeadCallStore},
    health::Health,
    keys::{CallKey, SwarmKey},
};

/// Dead calls of a store, within a deadline. While the store is away no call is dead, and only one caller at a time waits for it.
#[derive(Debug)]
pub struct DeadCalls {
    store: Box<dyn DeadCallStore>,
    within: Duration,
    health: Mutex<Health>,
}

impl DeadCalls {
    /// Uses a store, for at most `within` for each call.
    pub fn new(store: Box<dyn DeadCallStore>, within: Duration) -> Self {
        Self {
            store,
            within,
            health: Mutex::default(),
        }
    }

    /// Passes news of a worker on. Returns the call if the worker should not make it.
    pub fn news(
        &self,
        place: (SwarmKey, CallKey),
        worker: Worker,
        news: &CallNews<'_>,
    ) -> Option<DeadCall> {
        let health = || self.health.lock().unwrap_or_else(PoisonError::into_inner);
        if !health().admit(Instant::now()) {
            return None;
        }
        if let Ok(dead) = self.store.news(place, worker, news, self.within) {
            health().succeeded();
            return dead;
        }
        health().failed(Instant::now());
        None
    }
}
