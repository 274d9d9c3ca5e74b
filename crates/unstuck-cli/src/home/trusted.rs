//! Project files that a person has looked at.
//!
//! The agent that is watched can write the project's `unstuck.toml`. In hooks it counts only with the very contents
//! that a person trusted.

use std::path::Path;

use anyhow::Result;

use super::Home;

const FILE: &str = "trusted";

impl Home {
    /// Was this file trusted as it is?
    pub(crate) fn trusts(&self, path: &Path, contents: &[u8]) -> bool {
        let Some(known) = self.read(FILE) else {
            return false;
        };
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let line = line(&whole, contents);
        known.lines().any(|known| known == line)
    }

    /// Trusts a file as it is; what it was before counts no more.
    pub(crate) fn trust(&self, path: &Path, contents: &[u8]) -> Result<()> {
        let shown = path.display().to_string();
        self.change(FILE, |old| {
            let others = old
                .lines()
                .filter(|known| known.split_once(' ').is_none_or(|(_, path)| path != shown));
            let new = line(path, contents);
            others
                .map(str::to_owned)
                .chain([new])
                .map(|line| line + "\n")
                .collect()
        })
    }
}

fn line(path: &Path, contents: &[u8]) -> String {
    format!("{} {}", blake3::hash(contents).to_hex(), path.display())
}
