//! The key of a store: it chooses the names of files and seals their contents.
//!
//! Without it a session's directory could be computed from its name, and a file could be written or copied into the
//! place of another session's. The key protects against what a client chooses, not against a program that can read the
//! state directory.

use std::{
    fmt, fs,
    io::{self, Write as _},
    path::Path,
    process,
};

use crate::{
    error::StoreError,
    private::{clear, create_private, is_of_no_use, read_regular},
    store::Key,
};

const FILE: &str = "key";
const LENGTH: usize = 32;

/// Hexadecimal digits of a name: two for the directory, the rest for the file.
const NAME: usize = 34;

/// The key of a store.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; LENGTH]);

/// Where the key of a store came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It was there, or this is the first use of the store.
    Kept,
    /// What was there is not a key. State that was sealed with the former one is not believed any more.
    Replaced,
}

impl Secret {
    /// The key in a directory. It is made if there is none; of processes that make one at once the first wins.
    pub(crate) fn of(directory: &Path) -> Result<(Self, Origin), StoreError> {
        let path = directory.join(FILE);
        let failed = |source| StoreError::io("use the key", &path, source);
        match read(&path) {
            Ok(Some(secret)) => Ok((secret, Origin::Kept)),
            Ok(None) => Ok((
                Self::put(&path, Origin::Replaced).map_err(failed)?,
                Origin::Replaced,
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let secret = Self::put(&path, Origin::Kept).map_err(failed)?;
                Ok((secret, Origin::Kept))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// The key in a directory, if there is one.
    pub(crate) fn known(directory: &Path) -> Option<Self> {
        read(&directory.join(FILE)).ok().flatten()
    }

    /// A key for another purpose, which does not reveal this one.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        *self
            .hasher("derive")
            .update(purpose.as_bytes())
            .finalize()
            .as_bytes()
    }

    /// The name of an agent's file. Names may be of any length and hold anything; their hash does not.
    pub(crate) fn name(&self, key: &Key<'_>) -> String {
        let mut hasher = self.hasher("name");
        for name in [key.host, key.session, key.agent] {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
        }
        hasher.finalize().to_hex()[..NAME].to_owned()
    }

    /// The seal of a file's contents under its name. The long part is hashed in one piece, with a key made from the rest:
    /// that is the fastest way.
    pub(crate) fn seal(&self, name: &str, [head, body]: [&[u8]; 2]) -> blake3::Hash {
        let mut hasher = self.hasher("state");
        for part in [name.as_bytes(), head] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        blake3::keyed_hash(hasher.finalize().as_bytes(), body)
    }

    fn hasher(&self, domain: &str) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&(domain.len() as u64).to_le_bytes());
        hasher.update(domain.as_bytes());
        hasher
    }

    /// Makes a key and puts it in its place as a whole.
    fn put(path: &Path, origin: Origin) -> io::Result<Self> {
        let mut random = [0; LENGTH + 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let (key, name) = random.split_at(LENGTH);
        let name = &blake3::hash(name).to_hex()[..16];
        let way = path.with_extension(format!("{}-{name}", process::id()));
        let placed = create_private(&way)
            .and_then(|mut file| file.write_all(key))
            .and_then(|()| place(&way, path, origin));
        let _ = fs::remove_file(&way);
        placed?;
        // Another process may have been faster: its key is the one.
        read(path)?.ok_or_else(|| io::Error::other("it is not a key"))
    }
}

/// A key is never replaced by a second one that was made at the same time: a link, unlike a rename, fails if the name is
/// taken.
fn place(way: &Path, path: &Path, origin: Origin) -> io::Result<()> {
    if origin == Origin::Replaced {
        // A file does not take the place of a directory.
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
            clear(path)?;
        }
        return fs::rename(way, path);
    }
    match fs::hard_link(way, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // Some file systems have no links.
        Err(_) if !path.exists() => fs::rename(way, path),
        placed => placed,
    }
}

/// The key in a file; `None` if what stands there is not one.
fn read(path: &Path) -> io::Result<Option<Secret>> {
    match read_regular(path, LENGTH as u64) {
        Ok(bytes) => Ok(bytes.try_into().ok().map(Secret)),
        Err(error) if is_of_no_use(&error) || error.kind() == io::ErrorKind::FileTooLarge => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Does not print the key.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;
