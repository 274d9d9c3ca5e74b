//! Gathers what there is to see, from files.

mod hooks;
mod proxies;
mod transcripts;

use std::{collections::BTreeSet, time::SystemTime};

use unstuck_scan::{Scan, Since};
use unstuck_session::{StateDir, clock};

use super::model::{Agent, Key, Snapshot};
use hooks::HookStates;
use transcripts::Transcripts;

/// Where agents are looked for.
pub(crate) struct Sources {
    pub(crate) home: StateDir,
    pub(crate) since: Since,
}

/// Looks at the same files again and again, and reads those that have changed.
pub(crate) struct Collector<'a> {
    hooks: HookStates,
    home: StateDir,
    transcripts: Transcripts<'a>,
    since: Since,
}

impl<'a> Collector<'a> {
    /// The scan says where agents keep what they record, and how it is judged.
    pub(crate) fn new(sources: Sources, scan: &'a Scan) -> Self {
        Self {
            hooks: HookStates::new(sources.home.clone()),
            home: sources.home,
            transcripts: Transcripts::new(scan),
            since: sources.since,
        }
    }

    /// Looks again. `meanwhile` is given what is known while there is more to read.
    pub(crate) fn look(&mut self, mut meanwhile: impl FnMut(Snapshot)) -> Snapshot {
        let since = self.since.milliseconds(SystemTime::now());
        self.hooks.look(since);
        self.transcripts.begin(since);
        while self.transcripts.read_one() {
            if self.transcripts.unread() > 0 {
                meanwhile(self.snapshot(since));
            }
        }
        self.snapshot(since)
    }

    fn snapshot(&self, since: i64) -> Snapshot {
        let hooked = self.hooks.agents();
        let known: BTreeSet<Key> = hooked.iter().map(Agent::key).collect();
        let mut agents = hooked;
        // What hooks tell of an agent is nearer to it than what it records.
        let recorded = self.transcripts.agents();
        agents.extend(
            recorded
                .into_iter()
                .filter(|agent| !known.contains(&agent.key())),
        );
        agents.extend(proxies::agents(&self.home));
        agents.retain(|agent| agent.about.last_seen >= since);
        Snapshot {
            now: clock::now(),
            agents,
            unread: self.transcripts.unread(),
            left_out: self.transcripts.left_out(),
            trouble: self.hooks.trouble(),
        }
    }
}
