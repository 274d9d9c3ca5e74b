//! Agents with hooks: their state files.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, SystemTime},
};

use unstuck_session::StateDir;
use unstuck_store::{About, EntryId, SessionStore as _};

use crate::top::model::{Agent, Source};

/// Agents that are kept, the newest ones.
const MAX_AGENTS: usize = 256;

/// A file that was written so lately may be written again without looking newer: clocks of file systems are coarse.
const FRESH: Duration = Duration::from_secs(2);

pub(super) struct HookStates {
    home: StateDir,
    known: BTreeMap<EntryId, Known>,
    trouble: Option<String>,
}

struct Known {
    written: SystemTime,
    /// Nothing where it cannot be read.
    about: Option<Arc<About>>,
}

impl HookStates {
    pub(super) fn new(home: StateDir) -> Self {
        Self {
            home,
            known: BTreeMap::new(),
            trouble: None,
        }
    }

    /// Looks at all files, and reads those that were written since the last look.
    pub(super) fn look(&mut self, since: i64) {
        let mut before = std::mem::take(&mut self.known);
        self.trouble = None;
        let Some(store) = self.home.store().existing() else {
            return;
        };
        let now = SystemTime::now();
        let mut entries: Vec<_> = store
            .entries()
            .filter(|entry| unstuck_session::clock::milliseconds(entry.written) >= since)
            .collect();
        entries.sort_by_key(|entry| Reverse(entry.written));
        entries.truncate(MAX_AGENTS);
        for entry in entries {
            let old = before.remove(&entry.id);
            let is_fresh = now.duration_since(entry.written).unwrap_or_default() < FRESH;
            if let Some(old) = old.filter(|old| old.written == entry.written && !is_fresh) {
                self.known.insert(entry.id, old);
                continue;
            }
            let about = match store.look(&entry.id) {
                Ok(Some(stored)) => Some(Arc::new(stored.about)),
                Ok(None) => continue,
                Err(error) => {
                    self.trouble = Some(error.to_string());
                    None
                }
            };
            let written = entry.written;
            self.known.insert(entry.id, Known { written, about });
        }
    }

    pub(super) fn agents(&self) -> Vec<Agent> {
        let abouts = self.known.values().filter_map(|known| known.about.clone());
        abouts
            .map(|about| Agent {
                about,
                source: Source::Hooks,
            })
            .collect()
    }

    /// A file that cannot be used, if there is one.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }
}

#[cfg(test)]
#[path = "hooks_tests.rs"]
mod tests;
