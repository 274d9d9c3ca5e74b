//! The policy file, read again whenever it changes.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context as _, Result};
use unstuck_mcp::Policy;

/// A policy file, and what was read of it last.
#[derive(Debug)]
pub(crate) struct PolicyFile {
    path: PathBuf,
    seen: Option<Stamp>,
}

/// Two files with the same stamp are taken for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    #[cfg(unix)]
    inode: u64,
}

impl PolicyFile {
    /// A file that need not be there yet.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, seen: None }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The policies, if the file is there and has changed since it was read last. A broken file is told of once.
    pub(crate) fn read_again(&mut self) -> Result<Option<Policy>> {
        let stamp = Stamp::of(&self.path);
        match stamp {
            Ok(stamp) if self.seen == Some(stamp) => return Ok(None),
            Ok(stamp) => self.seen = Some(stamp),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", self.path.display()));
            }
        }
        let name = self.path.display().to_string();
        let text = fs::read_to_string(&self.path).with_context(|| format!("cannot read {name}"))?;
        Ok(Some(Policy::parse(&name, &text)?))
    }
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path)?;
        Ok(Self {
            modified: found.modified().ok(),
            length: found.len(),
            #[cfg(unix)]
            inode: std::os::unix::fs::MetadataExt::ino(&found),
        })
    }
}
