//! Locks that can be taken after a thread has panicked: what they guard is whole between two steps of the work on it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
