//! Whether a project's file is trusted.

use std::{
    fmt,
    fs::Metadata,
    path::{Path, PathBuf},
};

use super::file::Contents;
use crate::state_dir::Trusted;

/// Whether a project's file may loosen the user's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A person has trusted these contents in this place, and the file belongs to the user or to root.
    Trusted,
    /// It may only tighten.
    Untrusted(UntrustedReason),
}

/// Why a project's file is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntrustedReason {
    /// It belongs to another user, with this number. `unstuck config trust` does not change that.
    Owner(u32),
    /// Every user can write to it, or to the directory it is in.
    Writable(PathBuf),
    /// A person has not trusted these contents.
    Contents,
}

impl Trust {
    /// Judges a file as it was read.
    pub(super) fn of(path: &Path, contents: &Contents, trusted: &Trusted) -> Self {
        if let Some(owner) = foreign_owner(&contents.metadata) {
            return Self::Untrusted(UntrustedReason::Owner(owner));
        }
        if trusted.holds(path, &contents.bytes) {
            return Self::Trusted;
        }
        Self::Untrusted(match writable(path, &contents.metadata) {
            Some(place) => UntrustedReason::Writable(place),
            None => UntrustedReason::Contents,
        })
    }
}

impl UntrustedReason {
    /// What a person can do about it.
    pub fn help(&self) -> String {
        match self {
            Self::Owner(_) => {
                "name the file with --config, or copy what you want into your own file; \
                 `unstuck config trust` is for files of yours"
            }
            Self::Writable(_) | Self::Contents => {
                "read the file, then run `unstuck config trust` in a terminal of your own"
            }
        }
        .to_owned()
    }
}

impl fmt::Display for UntrustedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Owner(owner) => write!(f, "it belongs to another user ({owner})"),
            Self::Writable(place) => {
                write!(f, "every user can write to {}", place.display())
            }
            Self::Contents => f.write_str("a person has not trusted its contents"),
        }
    }
}

/// The owner of a file that is neither the user nor root.
#[cfg(unix)]
pub(super) fn foreign_owner(metadata: &Metadata) -> Option<u32> {
    let owner = std::os::unix::fs::MetadataExt::uid(metadata);
    let user = nix::unistd::geteuid().as_raw();
    (owner != user && owner != 0).then_some(owner)
}

/// Where files have no numbered owners, the contents decide.
#[cfg(not(unix))]
pub(super) fn foreign_owner(_: &Metadata) -> Option<u32> {
    None
}

/// The file, or else its directory, if every user can write to it. A sticky directory is not an exception: any user can
/// make a file there before its owner does.
#[cfg(unix)]
fn writable(path: &Path, metadata: &Metadata) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let by_all = |metadata: &Metadata| metadata.permissions().mode() & 0o002 != 0;
    if by_all(metadata) {
        return Some(path.to_owned());
    }
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let found = std::fs::metadata(directory).ok()?;
    by_all(&found).then(|| directory.to_owned())
}

#[cfg(not(unix))]
fn writable(_: &Path, _: &Metadata) -> Option<PathBuf> {
    None
}
