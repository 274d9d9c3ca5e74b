//! What a store of agents' state offers, whatever it keeps the state in.

use std::{
    fmt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::{error::StoreError, file::Stored, store::Key};

/// A store of agents' state, one entry for each agent of each session.
///
/// [`OpenStore`](crate::OpenStore) keeps the entries in files. With the feature `testing`, `testing::session_store` is the
/// test suite that every store passes.
pub trait SessionStore: fmt::Debug {
    /// Opens the entry of one agent for this holder alone. Waits at most `wait` for another holder to drop its slot.
    fn open(&self, key: &Key<'_>, wait: Duration) -> Result<Box<dyn SessionSlot>, StoreError>;

    /// Opens an entry that [`list`](Self::list) or [`entries`](Self::entries) returned, as [`open`](Self::open) does.
    fn reopen(&self, id: &EntryId, wait: Duration) -> Result<Box<dyn SessionSlot>, StoreError>;

    /// Returns all entries in any order, without their states.
    fn entries(&self) -> Box<dyn Iterator<Item = EntryTime>>;

    /// Returns the state of an entry as it is now, without waiting for its holder. `None` if there is none.
    fn look(&self, id: &EntryId) -> Result<Option<Stored>, StoreError>;

    /// Returns all entries in any order, with their states.
    fn list(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        Box::new(self.entries().filter_map(|EntryTime { id, .. }| {
            let stored = self.look(&id).transpose()?;
            Some(Entry { id, stored })
        }))
    }

    /// Derives a key for one purpose from the key of the store. It does not reveal that key.
    fn derive_key(&self, purpose: &str) -> [u8; 32];

    /// Whether the key of the store could not be used and was replaced, so that all sessions start afresh.
    fn has_new_key(&self) -> bool;
}

/// The entry of one agent, held by one holder until it is dropped.
pub trait SessionSlot: fmt::Debug {
    /// Returns the state of the agent. `None` if there is none.
    fn read(&self) -> Result<Option<Stored>, StoreError>;

    /// Replaces the state of the agent as a whole.
    fn write(&self, stored: &Stored) -> Result<(), StoreError>;

    /// Removes the state of the agent.
    fn remove(&self) -> Result<(), StoreError>;

    /// Whether the lock of the entry could not be used and was replaced.
    fn has_new_lock(&self) -> bool;

    /// Whether other holders are kept out. `false` where a file system has no locks.
    fn is_exclusive(&self) -> bool;
}

/// The name of an entry within its store. Only the store that returned it can use it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(PathBuf);

impl EntryId {
    /// Makes the name of an entry. For stores only.
    pub fn new(name: impl Into<PathBuf>) -> Self {
        Self(name.into())
    }

    /// The name as a path: the file, in a store of files.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

/// An entry and the time it was written: enough to decide whether to read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryTime {
    /// The entry.
    pub id: EntryId,
    /// When it was written.
    pub written: SystemTime,
}

/// An entry with its state.
#[derive(Debug)]
pub struct Entry {
    /// The entry.
    pub id: EntryId,
    /// The state, or why it cannot be used.
    pub stored: Result<Stored, StoreError>,
}
