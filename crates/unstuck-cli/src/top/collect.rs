//! Gathers what there is to see, from files.

mod hooks;
mod transcripts;

use std::{collections::BTreeSet, time::SystemTime};

use unstuck_scan::{Job, Place, Since};
use unstuck_session::{StateDir, clock};

use super::model::{Agent, Key, Snapshot};
use hooks::HookStates;
use transcripts::Transcripts;

/// Where agents are looked for.
pub(crate) struct Sources {
    pub(crate) home: StateDir,
    /// Where agents keep what they record.
    pub(crate) places: Vec<Place>,
    pub(crate) since: Since,
}

/// Looks at the same files again and again, and reads those that have changed.
pub(crate) struct Collector<'a> {
    hooks: HookStates,
    transcripts: Transcripts<'a>,
    since: Since,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(sources: Sources, job: &Job<'a>) -> Self {
        Self {
            hooks: HookStates::new(sources.home),
            transcripts: Transcripts::new(sources.places, job),
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
