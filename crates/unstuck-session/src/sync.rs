//! Locks that stay usable after a thread has panicked, for values that are whole between two steps of the work on them.

#[cfg(unix)]
use std::sync::TryLockError;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for the lock of a mutex.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the lock of a mutex, or `None` if it is taken.
#[cfg(unix)]
pub fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
