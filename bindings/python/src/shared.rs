//! State that several threads share.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;

use crate::failure::caught;

/// Bytes of an event from which other Python threads run while it is judged. Letting them run and coming back takes about
/// as long as judging some kilobytes.
const LONG: usize = 1 << 15;

/// An engine or a detector behind a lock, with the message of a panic that made it unusable.
///
/// No code of Python runs while the lock is held, and no thread waits for the lock while it keeps others from running
/// Python: the thread that holds the lock can always finish.
pub(crate) struct Shared<S>(Mutex<State<S>>);

struct State<S> {
    state: S,
    broken: Option<String>,
}

impl<S: Send> Shared<S> {
    pub(crate) fn new(state: S) -> Self {
        Self(Mutex::new(State {
            state,
            broken: None,
        }))
    }

    /// Runs `with` with the state; `bytes` is the length of what it has to read. Returns the message of the panic after
    /// which the state cannot be used.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        with: impl FnOnce(&mut S) -> T + Send,
    ) -> Result<T, String> {
        if bytes < LONG {
            match self.0.try_lock() {
                Ok(state) => return run(state, with),
                Err(TryLockError::Poisoned(state)) => return run(state.into_inner(), with),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        py.detach(|| run(self.locked(), with))
    }

    /// Replaces the state.
    pub(crate) fn renew(&self, py: Python<'_>, state: S) {
        let fresh = State {
            state,
            broken: None,
        };
        py.detach(|| *self.locked() = fresh);
    }

    /// Whether a panic has made the state unusable.
    pub(crate) fn is_broken(&self, py: Python<'_>) -> bool {
        py.detach(|| self.locked().broken.is_some())
    }

    fn locked(&self) -> MutexGuard<'_, State<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn run<S, T>(
    mut shared: MutexGuard<'_, State<S>>,
    with: impl FnOnce(&mut S) -> T,
) -> Result<T, String> {
    if let Some(broken) = &shared.broken {
        return Err(broken.clone());
    }
    let result = caught(|| with(&mut shared.state));
    if let Err(panic) = &result {
        shared.broken = Some(panic.clone());
    }
    result
}
