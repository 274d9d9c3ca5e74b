//! Advisory locks with a limit on waiting.

use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::{
    error::StoreError,
    private::{Found, open_lock},
};

/// A lock that is held until it is dropped. The operating system lifts it when its process dies.
#[derive(Debug)]
pub struct Lock {
    /// Closing it gives the lock back.
    _file: File,
    exclusive: bool,
    found: Found,
}

impl Lock {
    /// Takes the lock on a file, which is made if it is not there.
    ///
    /// Where the file system knows no locks, one goes on without ([`is_exclusive`](Self::is_exclusive)): a count may get
    /// lost when two hooks run at once, and nothing else.
    pub fn take(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let (file, found) =
            open_lock(path).map_err(|source| StoreError::io("open the lock", path, source))?;
        let exclusive = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return wait_for((file, found), path, wait),
            Err(TryLockError::Error(error)) if has_no_locks(&error) => false,
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", path, error)),
        };
        Ok(Self {
            _file: file,
            exclusive,
            found,
        })
    }

    /// Whether something that could not be used stood in the place of the file and was replaced.
    pub fn is_new(&self) -> bool {
        self.found == Found::Replaced
    }

    /// Whether the lock keeps other processes out; `false` where the file system has no locks.
    pub fn is_exclusive(&self) -> bool {
        self.exclusive
    }
}

/// Waits in the system's own queue, so that no waiter starves; a thread, because that queue knows no limit.
fn wait_for((file, found): (File, Found), path: &Path, wait: Duration) -> Result<Lock, StoreError> {
    let (sender, receiver) = mpsc::channel();
    let waiter = move || {
        let locked = file.lock();
        // A caller that has stopped waiting wants neither file nor lock.
        let _ = sender.send((file, locked));
    };
    let locked = || StoreError::Locked {
        path: path.into(),
        waited: wait,
    };
    thread::Builder::new().spawn(waiter).map_err(|_| locked())?;
    let (file, result) = receiver.recv_timeout(wait).map_err(|_| locked())?;
    result.map_err(|source| StoreError::io("lock", path, source))?;
    Ok(Lock {
        _file: file,
        exclusive: true,
        found,
    })
}

/// Some network file systems have no lock service.
fn has_no_locks(error: &io::Error) -> bool {
    /// `ENOLCK` on Linux, macOS and the BSDs.
    const NO_LOCKS: [i32; 2] = [37, 77];
    error.kind() == io::ErrorKind::Unsupported
        || error
            .raw_os_error()
            .is_some_and(|code| cfg!(unix) && NO_LOCKS.contains(&code))
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
