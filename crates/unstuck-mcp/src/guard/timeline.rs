//! The counts that the guards of several servers share.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use unstuck::{
    Call, Decision, Json, Mode, Settings, Status, fingerprint::Fingerprint, settings::ToolSettings,
};

use super::{GuardOptions, Micros, engines::Engines, pending::Calling};

/// Counts of calls that several guards share: the calls of one caller to all their servers are one sequence for the rules.
///
/// Names of tools carry the name of their server, so each guard needs a server name of its own. The rules are locked only
/// while they look at one call or one result, never while a server works.
#[derive(Clone, Debug)]
pub struct Timeline(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    counts: Mutex<Counts>,
    /// Calls of all servers.
    calls: AtomicU64,
}

#[derive(Debug)]
struct Counts {
    engines: Engines,
    /// Settings without the ladders that servers ask for.
    settings: Settings,
    /// Ladders of tools, by server.
    ladders: BTreeMap<Box<str>, Vec<ToolSettings>>,
}

impl Timeline {
    /// An empty timeline with the rules of these options.
    pub fn new(options: &GuardOptions) -> Self {
        let counts = Counts {
            engines: Engines::new(options.settings.clone(), options.index_key),
            settings: options.settings.clone(),
            ladders: BTreeMap::new(),
        };
        Self(Arc::new(Shared {
            counts: Mutex::new(counts),
            calls: AtomicU64::new(0),
        }))
    }

    /// Number for the next call, which no other call of any server has.
    pub(super) fn next_call(&self) -> u64 {
        self.0.calls.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Judges a call and counts it.
    pub(super) fn call(&self, calling: &mut Calling, call: Call, at: Micros) -> Decision {
        self.counts().engines.call(calling, call, at)
    }

    /// Judges a call without counting it.
    pub(super) fn check(&self, calling: &Calling, call: &Call) -> Decision {
        self.counts().engines.check(calling, call)
    }

    /// Takes in how a call ended.
    pub(super) fn end(
        &self,
        calling: &mut Calling,
        status: Status,
        output: (Option<Json>, Option<Fingerprint>),
        at: Micros,
    ) -> Decision {
        self.counts().engines.end(calling, status, output, at)
    }

    /// Continues with these ladders for the tools of a server. Returns false, with nothing changed, if a state cannot be
    /// carried over.
    pub(super) fn set_ladders(&self, server: &str, ladders: Vec<ToolSettings>) -> bool {
        let mut counts = self.counts();
        let before = counts.ladders.insert(server.into(), ladders);
        let is_changed = counts.apply();
        if !is_changed {
            match before {
                Some(before) => counts.ladders.insert(server.into(), before),
                None => counts.ladders.remove(server),
            };
        }
        is_changed
    }

    /// Continues in this mode. Returns false, with nothing changed, if a state cannot be carried over.
    pub(super) fn set_mode(&self, mode: Mode) -> bool {
        let mut counts = self.counts();
        let before = counts.settings.mode;
        if before == mode {
            return true;
        }
        counts.settings.mode = mode;
        let is_changed = counts.apply();
        if !is_changed {
            counts.settings.mode = before;
        }
        is_changed
    }

    /// Clears what is held against a session and the bursts of its owners, or everything. Returns the number of agents
    /// that were cleared.
    pub(super) fn reset(&self, session: Option<&str>, owners: &[Box<str>], at: Micros) -> usize {
        self.counts().engines.reset(session, owners, at)
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // A thread that panicked left the counts between two events, or within one whose call was not passed on.
        let counts = self.0.counts.lock();
        counts.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    fn apply(&mut self) -> bool {
        let mut settings = self.settings.clone();
        let ladders = self.ladders.values().flatten();
        settings.tools.extend(ladders.cloned());
        self.engines.change(settings)
    }
}

#[cfg(test)]
#[path = "timeline_tests.rs"]
mod tests;
