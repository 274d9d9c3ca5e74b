//! Where the files are.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    time::Duration,
};

use crate::{
    error::StoreError,
    file::{self, Standing, Stored},
    lock::Lock,
    private::{clear, ensure_private, is_not_a_file, private_directory, read_regular},
    replace::{Survives, replace_by},
    secret::{Origin, Secret},
    session_store::{Entry, EntryId, EntryTime, SessionSlot, SessionStore},
    tidy,
};

/// No state file is larger.
const LARGEST: u64 = 32 << 20;

const EXTENSION: &str = "state";
pub(crate) const LOCK: &str = "lock";

/// A directory of state files.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// Whose state it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// Who runs the agent.
    pub host: &'a str,
    /// Its session.
    pub session: &'a str,
    /// The agent within the session.
    pub agent: &'a str,
}

/// A store whose key was read.
#[derive(Clone, Debug)]
pub struct OpenStore {
    root: PathBuf,
    secret: Secret,
    origin: Origin,
}

/// The place of one agent's state, locked.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    name: String,
    lock: Lock,
    secret: Secret,
}

impl Store {
    /// The store under a directory, which is made when it is needed.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Reads the key of the store. The directory and the key are made if they are not there, and a directory that is
    /// open to others is closed to them.
    pub fn unlock(&self) -> Result<OpenStore, StoreError> {
        ensure_private(&self.root)?;
        let (secret, origin) = Secret::of(&self.root)?;
        Ok(OpenStore {
            root: self.root.clone(),
            secret,
            origin,
        })
    }

    /// Opens the place of one agent. Others wait until it is dropped, and this waits for others, but not for longer than
    /// `wait`.
    pub fn open(&self, key: &Key<'_>, wait: Duration) -> Result<Slot, StoreError> {
        self.unlock()?.open(key, wait)
    }

    /// Reads the key of the store and makes nothing. `None` if the store has no key: then it holds no state either.
    pub fn existing(&self) -> Option<OpenStore> {
        Some(OpenStore {
            secret: Secret::known(&self.root)?,
            root: self.root.clone(),
            origin: Origin::Kept,
        })
    }
}

impl OpenStore {
    /// Opens the place of one agent. Others wait until it is dropped, and this waits for others, but not for longer than
    /// `wait`.
    pub fn open(&self, key: &Key<'_>, wait: Duration) -> Result<Slot, StoreError> {
        let name = self.secret.name(key);
        let path = self.root.join(&name[..2]).join(&name[2..]);
        slot(&path, wait, self.secret.clone())
    }

    /// The name of the entry of one agent, whether there is one or not.
    pub fn id_of(&self, key: &Key<'_>) -> EntryId {
        let name = self.secret.name(key);
        let path = self.root.join(&name[..2]).join(&name[2..]);
        EntryId::new(path.with_extension(EXTENSION))
    }

    /// The key of the store.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }
}

impl SessionStore for OpenStore {
    fn open(&self, key: &Key<'_>, wait: Duration) -> Result<Box<dyn SessionSlot>, StoreError> {
        Ok(Box::new(self.open(key, wait)?))
    }

    fn reopen(&self, id: &EntryId, wait: Duration) -> Result<Box<dyn SessionSlot>, StoreError> {
        Ok(Box::new(slot(id.as_path(), wait, self.secret.clone())?))
    }

    fn entries(&self) -> Box<dyn Iterator<Item = EntryTime>> {
        Box::new(files(&self.root).filter_map(|path| {
            let written = fs::symlink_metadata(&path)
                .and_then(|found| found.modified())
                .ok()?;
            let id = EntryId::new(path);
            Some(EntryTime { id, written })
        }))
    }

    fn look(&self, id: &EntryId) -> Result<Option<Stored>, StoreError> {
        load(id.as_path(), &self.secret)
    }

    fn list(&self) -> Box<dyn Iterator<Item = Entry> + '_> {
        // The time of a file is not asked for.
        Box::new(files(&self.root).filter_map(|path| {
            let stored = load(&path, &self.secret).transpose()?;
            let id = EntryId::new(path);
            Some(Entry { id, stored })
        }))
    }

    fn derive_key(&self, purpose: &str) -> [u8; 32] {
        self.secret.derive(purpose)
    }

    fn has_new_key(&self) -> bool {
        self.origin == Origin::Replaced
    }
}

fn slot(path: &Path, wait: Duration, secret: Secret) -> Result<Slot, StoreError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let lock = match Lock::take(&directory.join(LOCK), wait) {
        Err(StoreError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {
            private_directory(directory)?;
            Lock::take(&directory.join(LOCK), wait)?
        }
        // A file stands in the place of the directory.
        Err(StoreError::Io { cause, .. }) if cause.kind() == io::ErrorKind::NotADirectory => {
            clear(directory).map_err(|source| StoreError::io("replace", directory, source))?;
            private_directory(directory)?;
            Lock::take(&directory.join(LOCK), wait)?
        }
        lock => lock?,
    };
    let path = path.with_extension(EXTENSION);
    Ok(Slot {
        name: name_of(&path),
        path,
        lock,
        secret,
    })
}

impl SessionSlot for Slot {
    fn read(&self) -> Result<Option<Stored>, StoreError> {
        load(&self.path, &self.secret)
    }

    fn write(&self, stored: &Stored) -> Result<(), StoreError> {
        let is_new = !self.path.exists();
        let bytes = file::write(stored, &self.secret, &self.name);
        let way = if self.lock.is_exclusive() {
            "new".to_owned()
        } else {
            format!("{}.new", process::id())
        };
        // A session that starts afresh counts from zero; a halt must not be lost.
        let survives = match stored.standing {
            Standing::Halted => Survives::PowerLoss,
            Standing::Free | Standing::Denied => Survives::Process,
        };
        replace_by(&self.path, &self.path.with_extension(way), &bytes, survives)?;
        if is_new {
            tidy::make_room(&self.path);
        }
        Ok(())
    }

    fn remove(&self) -> Result<(), StoreError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &self.path, error))
            }
            _ => Ok(()),
        }
    }

    fn has_new_lock(&self) -> bool {
        self.lock.is_new()
    }

    fn is_exclusive(&self) -> bool {
        self.lock.is_exclusive()
    }
}

/// The name that the seal of a file is bound to: its directory and its own name.
fn name_of(path: &Path) -> String {
    let directory = path.parent().and_then(Path::file_name).unwrap_or_default();
    let own = path.file_stem().unwrap_or_default();
    format!("{}{}", directory.to_string_lossy(), own.to_string_lossy())
}

/// The state files under a store's directory.
fn files(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    entries(root)
        .flat_map(|directory| entries(&directory))
        .filter(|path| path.extension().is_some_and(|end| end == EXTENSION))
}

fn load(path: &Path, secret: &Secret) -> Result<Option<Stored>, StoreError> {
    let damaged = |why| StoreError::Damaged {
        path: path.into(),
        why,
    };
    match read_regular(path, LARGEST) {
        Ok(bytes) => file::read(&bytes, secret, &name_of(path))
            .map(Some)
            .map_err(damaged),
        Err(error) if is_not_a_file(&error) => Err(damaged("it is not a regular file")),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            io::ErrorKind::FileTooLarge => Err(damaged("it is too large")),
            _ => Err(StoreError::io("read", path, error)),
        },
    }
}

/// What a directory holds; nothing if it cannot be looked into.
pub(crate) fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let found = fs::read_dir(directory).into_iter().flatten();
    found.filter_map(|entry| Some(entry.ok()?.path()))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
