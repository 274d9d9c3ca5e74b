//! Project files that a person has looked at.
//!
//! The agent that is watched can write the project's `unstuck.toml`. It may loosen settings only with the very contents
//! that a person trusted, in the place where they were trusted.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::StateDir;
use crate::error::{Error, Result};

const FILE: &str = "trusted";

/// The files that a person trusted: a line for each, its hash and its place.
#[derive(Debug, Default)]
pub struct Trusted {
    lines: String,
}

impl StateDir {
    /// Returns the files that a person trusted.
    pub fn trusted(&self) -> Trusted {
        Trusted {
            lines: self.read(FILE).unwrap_or_default(),
        }
    }

    /// Trusts a file as it is; earlier contents are no longer trusted. Returns its whole path.
    pub fn trust(&self, path: &Path, contents: &[u8]) -> Result<PathBuf> {
        let place = place(path);
        let shown = place.display().to_string();
        // A line break in a name would write a second line, about another file.
        if place.to_str().is_none() || shown.contains(char::is_control) {
            return Err(Error::Refused(format!(
                "{} cannot be trusted: its path is not plain text; rename it",
                shown.escape_debug()
            )));
        }
        self.change(FILE, |old| {
            let others = old
                .lines()
                .filter(|known| known.split_once(' ').is_none_or(|(_, path)| path != shown));
            let new = line(&shown, contents);
            others
                .map(str::to_owned)
                .chain([new])
                .map(|line| line + "\n")
                .collect()
        })?;
        Ok(place)
    }
}

impl Trusted {
    /// Whether the file was trusted with these contents.
    pub fn holds(&self, path: &Path, contents: &[u8]) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let line = line(&place(path).display().to_string(), contents);
        self.lines.lines().any(|known| known == line)
    }

    /// Whether the file was trusted, with whatever contents.
    pub fn names(&self, path: &Path) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let shown = place(path).display().to_string();
        let mut places = self.lines.lines().filter_map(|line| line.split_once(' '));
        places.any(|(_, path)| path == shown)
    }
}

/// Where a file is, with links among its directories followed. A link in its own place is not: it must not borrow the
/// trust in what it points to.
fn place(path: &Path) -> PathBuf {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
        return path.to_owned();
    };
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    match fs::canonicalize(directory) {
        Ok(directory) => directory.join(name),
        Err(_) => path.to_owned(),
    }
}

fn line(shown: &str, contents: &[u8]) -> String {
    format!("{} {shown}", blake3::hash(contents).to_hex())
}
