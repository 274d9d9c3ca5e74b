//! Where the files are.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    time::{Duration, SystemTime},
};

use crate::{
    error::StoreError,
    file::{self, Stored},
    lock::Lock,
    replace::{replace, replace_by},
};

/// Files in one of the 256 directories; when it is full, the one written longest ago goes.
const MOST_PER_DIRECTORY: usize = 128;

/// An agent that was silent for so long is forgotten.
const OLDEST: Duration = Duration::from_hours(30 * 24);

/// Nothing of ours is larger.
const LARGEST: u64 = 32 << 20;

const EXTENSION: &str = "state";
const LOCK: &str = "lock";

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

/// The place of one agent's state, locked.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    lock: Lock,
}

/// Where a state file is and when it was written: enough to tell whether it is worth reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// When it was written.
    pub written: SystemTime,
}

/// A state file that was found.
#[derive(Debug)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub stored: Result<Stored, StoreError>,
}

impl Store {
    /// The store under a directory, which is made when it is needed.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Opens the place of one agent. Others wait until it is dropped, and this waits for others, but not for longer than
    /// `wait`.
    pub fn open(&self, key: &Key<'_>, wait: Duration) -> Result<Slot, StoreError> {
        let name = key.file_name();
        self.open_file(&self.root.join(&name[..2]).join(&name[2..]), wait)
    }

    /// Opens the place of a file that [`list`](Self::list) found.
    pub fn open_file(&self, path: &Path, wait: Duration) -> Result<Slot, StoreError> {
        let directory = path.parent().unwrap_or(&self.root);
        let lock = match Lock::take(&directory.join(LOCK), wait) {
            Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                private_directory(directory)?;
                Lock::take(&directory.join(LOCK), wait)?
            }
            lock => lock?,
        };
        Ok(Slot {
            path: path.with_extension(EXTENSION),
            lock,
        })
    }

    /// Everything there is, in no order that means anything.
    pub fn list(&self) -> impl Iterator<Item = Entry> + use<> {
        files(&self.root).filter_map(|path| {
            let stored = load(&path).transpose()?;
            Some(Entry { path, stored })
        })
    }

    /// Where everything is, without reading it.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        files(&self.root).filter_map(|path| {
            let written = fs::metadata(&path)
                .and_then(|found| found.modified())
                .ok()?;
            Some(Place { path, written })
        })
    }

    /// What a file holds, as it is now. Nobody is waited for, and nobody is kept waiting.
    pub fn look(&self, path: &Path) -> Result<Option<Stored>, StoreError> {
        load(path)
    }
}

impl Key<'_> {
    /// Names may be of any length and hold anything; their hash does not.
    fn file_name(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for name in [self.host, self.session, self.agent] {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
        }
        hasher.finalize().to_hex()[..34].to_owned()
    }
}

impl Slot {
    /// What is known of the agent, if anything is.
    pub fn read(&self) -> Result<Option<Stored>, StoreError> {
        load(&self.path)
    }

    /// Puts the state in the place of what was there.
    pub fn write(&self, stored: &Stored) -> Result<(), StoreError> {
        if !self.path.exists() {
            self.tidy();
        }
        let bytes = file::write(stored);
        if self.lock.is_exclusive() {
            replace(&self.path, &bytes)
        } else {
            let way = format!("{}.new", process::id());
            replace_by(&self.path, &self.path.with_extension(way), &bytes)
        }
    }

    /// Forgets the agent.
    pub fn remove(&self) -> Result<(), StoreError> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(StoreError::io("remove", &self.path, error))
            }
            _ => Ok(()),
        }
    }

    /// Does the file system lock files?
    pub fn is_exclusive(&self) -> bool {
        self.lock.is_exclusive()
    }

    /// Makes room in this directory, when a file is added to it. The work is bounded by what a directory holds, and
    /// failing at it is no reason not to go on.
    fn tidy(&self) {
        let Some(directory) = self.path.parent() else {
            return;
        };
        let now = SystemTime::now();
        let mut files: Vec<(Duration, PathBuf)> = entries(directory)
            .filter(|path| path.file_name().is_some_and(|name| name != LOCK))
            .filter_map(|path| {
                let written = fs::metadata(&path)
                    .and_then(|found| found.modified())
                    .ok()?;
                Some((now.duration_since(written).unwrap_or_default(), path))
            })
            .collect();
        files.sort();
        let room = MOST_PER_DIRECTORY - 1;
        for (at, (age, path)) in files.iter().enumerate() {
            if at >= room || *age > OLDEST {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The state files under a store's directory.
fn files(root: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    entries(root)
        .flat_map(|directory| entries(&directory))
        .filter(|path| path.extension().is_some_and(|end| end == EXTENSION))
}

fn load(path: &Path) -> Result<Option<Stored>, StoreError> {
    let too_large = fs::metadata(path).is_ok_and(|found| found.len() > LARGEST);
    let damaged = |why| StoreError::Damaged {
        path: path.into(),
        why,
    };
    if too_large {
        return Err(damaged("it is too large"));
    }
    match fs::read(path) {
        Ok(bytes) => file::read(&bytes).map(Some).map_err(damaged),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io("read", path, error)),
    }
}

/// What a directory holds; nothing if it cannot be looked into.
fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let found = fs::read_dir(directory).into_iter().flatten();
    found.filter_map(|entry| Some(entry.ok()?.path()))
}

/// State quotes arguments of calls: it is nobody else's business.
fn private_directory(path: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .map_err(|source| StoreError::io("make the directory", path, source))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
