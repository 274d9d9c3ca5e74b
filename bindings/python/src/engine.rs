//! An engine that several threads share.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;
use unstuck::{Engine, Settings};

use crate::failure::caught;

/// Bytes of an event from which other Python threads run while it is judged. Letting them run and coming back takes about
/// as long as judging some kilobytes.
const LONG: usize = 1 << 15;

/// An engine behind a lock, with what was left of it after a panic.
///
/// No code of Python runs while the lock is held, and no thread waits for the lock while it keeps others from running
/// Python: whoever holds the lock can always finish.
pub(crate) struct SharedEngine(Mutex<State>);

struct State {
    engine: Engine,
    /// The message of the panic that made the engine unusable.
    broken: Option<String>,
}

impl SharedEngine {
    pub(crate) fn new(settings: Settings) -> Self {
        Self(Mutex::new(State {
            engine: Engine::new(settings),
            broken: None,
        }))
    }

    /// Runs `with` with the engine; `bytes` is the length of what it has to read. Returns the message of the panic after
    /// which the engine cannot be used.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        with: impl FnOnce(&mut Engine) -> T + Send,
    ) -> Result<T, String> {
        if bytes < LONG {
            match self.0.try_lock() {
                Ok(state) => return state_run(state, with),
                Err(TryLockError::Poisoned(state)) => return state_run(state.into_inner(), with),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        py.detach(|| state_run(self.locked(), with))
    }

    /// Replaces the engine by one without state.
    pub(crate) fn renew(&self, py: Python<'_>, settings: Settings) {
        let fresh = State {
            engine: Engine::new(settings),
            broken: None,
        };
        py.detach(|| *self.locked() = fresh);
    }

    /// Whether a panic has made the engine unusable.
    pub(crate) fn is_broken(&self, py: Python<'_>) -> bool {
        py.detach(|| self.locked().broken.is_some())
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn state_run<T>(
    mut state: MutexGuard<'_, State>,
    with: impl FnOnce(&mut Engine) -> T,
) -> Result<T, String> {
    if let Some(broken) = &state.broken {
        return Err(broken.clone());
    }
    let result = caught(|| with(&mut state.engine));
    if let Err(panic) = &result {
        state.broken = Some(panic.clone());
    }
    result
}
