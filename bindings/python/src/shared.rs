//! State that several threads share.

use std::{
    process,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use pyo3::prelude::*;

use crate::failure::caught;

/// Bytes of an event from which other Python threads run while it is judged. Letting them run and coming back takes about
/// as long as judging some kilobytes.
const LONG: usize = 1 << 15;

/// An engine or a detector behind a lock, with the message of a panic that made it unusable.
///
/// No code of Python runs while the lock is held, and no thread waits for the lock while it keeps others from running
/// Python: the thread that holds the lock can always finish. Only in a process that was forked off meanwhile it cannot: there
/// the thread does not exist, and the lock stays closed.
pub(crate) struct Shared<S> {
    state: Mutex<State<S>>,
    /// Number of the process in which a thread took the lock last while others ran Python, or else made this.
    holder: AtomicU32,
}

/// Milliseconds after which a lock that was taken in another process is not waited for any longer.
const FORKED_AFTER: u32 = 1_000;

/// What is wrong with a guard that was in use when its process forked.
const FORKED: &str =
    "another thread used it while this process was forked off: make a new one in the child process";

struct State<S> {
    state: S,
    broken: Option<String>,
}

impl<S: Send> Shared<S> {
    pub(crate) fn new(state: S) -> Self {
        Self {
            state: Mutex::new(State {
                state,
                broken: None,
            }),
            holder: AtomicU32::new(process::id()),
        }
    }

    /// Runs `with` with the state; `bytes` is the length of what it has to read. Returns the message of the panic after
    /// which the state cannot be used.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        bytes: usize,
        with: impl FnOnce(&mut S) -> T + Send,
    ) -> Result<T, String> {
        if bytes < LONG
            && let Some(state) = self.unless_held()
        {
            return run(state, with);
        }
        py.detach(|| run(self.locked()?, with))
    }

    /// Replaces the state.
    pub(crate) fn renew(&self, py: Python<'_>, state: S) {
        let fresh = State {
            state,
            broken: None,
        };
        py.detach(|| {
            if let Ok(mut shared) = self.locked() {
                *shared = fresh;
            }
        });
    }

    /// Whether a panic has made the state unusable.
    pub(crate) fn is_broken(&self, py: Python<'_>) -> bool {
        py.detach(|| self.locked().is_ok_and(|shared| shared.broken.is_some()))
    }

    /// Waits for the lock, unless it is one that no thread of this process can open.
    fn locked(&self) -> Result<MutexGuard<'_, State<S>>, String> {
        let process = process::id();
        let mut state = self.unless_held();
        let mut waited = 0;
        // Short events do not write the number, so it may be that of the parent for a lock that opens soon.
        while state.is_none() && self.holder.load(Ordering::Acquire) != process {
            if waited == FORKED_AFTER {
                return Err(FORKED.to_owned());
            }
            thread::sleep(Duration::from_millis(1));
            waited += 1;
            state = self.unless_held();
        }
        let state =
            state.unwrap_or_else(|| self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.holder.store(process, Ordering::Release);
        Ok(state)
    }

    fn unless_held(&self) -> Option<MutexGuard<'_, State<S>>> {
        match self.state.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(state)) => Some(state.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
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
