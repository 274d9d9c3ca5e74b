//! Finding and reading configuration files that strangers may have written.
//!
//! Reading is bounded and never waits: a FIFO, a device or a file of gigabytes in a repository must not stop a hook.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::FILE;
use unstuck_store::regular;

/// Most bytes of a configuration file.
const LIMIT: u64 = 1 << 20;

/// Longest directory, in bytes, above which a project's file is looked for. Linux has no longer paths.
const LONGEST_PATH: usize = 4_096;

/// What a file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accept {
    /// A regular file.
    Regular,
    /// A pipe as well: a person named it.
    AlsoPipes,
}

/// A file as it was read, with what its file system says about it.
pub(super) struct Contents {
    pub(super) bytes: Vec<u8>,
    pub(super) metadata: Metadata,
}

/// Reads a whole file. What is checked and what is read is the same open file.
pub(super) fn read(path: &Path, accept: Accept) -> io::Result<Contents> {
    let file = match accept {
        Accept::Regular => regular::open(path)?,
        Accept::AlsoPipes => File::open(path)?,
    };
    let metadata = file.metadata()?;
    if metadata.len() > LIMIT {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT {
        return Err(too_large());
    }
    Ok(Contents { bytes, metadata })
}

/// The configuration files of a directory and of those above it, the nearest first.
///
/// A directory that cannot be looked into, or whose name the system does not take, has none.
pub(super) fn of_project(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let is_path = directory.as_os_str().len() <= LONGEST_PATH;
    let directories = is_path.then(|| directory.ancestors()).into_iter().flatten();
    directories
        .map(|directory| directory.join(FILE))
        .filter(|path| is_regular(path))
}

pub(super) fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Whether two paths lead to the same file.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn too_large() -> io::Error {
    let message = format!("it is larger than {LIMIT} bytes");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
