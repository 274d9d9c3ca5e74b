//! Agents with hooks: their state files.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use unstuck_store::About;

use crate::{
    home::Home,
    top::model::{Agent, Source},
};

/// Agents that are kept, the newest ones.
const MAX_AGENTS: usize = 256;

/// A file that was written so lately may be written again without looking newer: clocks of file systems are coarse.
const FRESH: Duration = Duration::from_secs(2);

pub(super) struct HookStates {
    home: Home,
    known: BTreeMap<PathBuf, Known>,
    trouble: Option<String>,
}

struct Known {
    written: SystemTime,
    /// Nothing where it cannot be read.
    about: Option<Arc<About>>,
}

impl HookStates {
    pub(super) fn new(home: Home) -> Self {
        Self {
            home,
            known: BTreeMap::new(),
            trouble: None,
        }
    }

    /// Looks at all files, and reads those that were written since the last look.
    pub(super) fn look(&mut self, since: i64) {
        let store = self.home.store();
        let now = SystemTime::now();
        let mut places: Vec<_> = store
            .places()
            .filter(|place| crate::clock::milliseconds(place.written) >= since)
            .collect();
        places.sort_by_key(|place| Reverse(place.written));
        places.truncate(MAX_AGENTS);
        let mut before = std::mem::take(&mut self.known);
        self.trouble = None;
        for place in places {
            let old = before.remove(&place.path);
            let is_fresh = now.duration_since(place.written).unwrap_or_default() < FRESH;
            if let Some(old) = old.filter(|old| old.written == place.written && !is_fresh) {
                self.known.insert(place.path, old);
                continue;
            }
            let about = match store.look(&place.path) {
                Ok(Some(stored)) => Some(Arc::new(stored.about)),
                Ok(None) => continue,
                Err(error) => {
                    self.trouble = Some(error.to_string());
                    None
                }
            };
            let written = place.written;
            self.known.insert(place.path, Known { written, about });
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
