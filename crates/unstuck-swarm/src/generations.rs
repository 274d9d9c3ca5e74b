//! Calls of one swarm in the present and the last window: the one implementation for stores in memory and in files.

use std::{
    collections::BTreeMap,
    time::{SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use unstuck::swarm::Tally;

use crate::{
    batch::{Batch, Writer},
    error::TallyError,
    keys::CallKey,
    store::{CallTally, TallyLimits},
};

/// What was counted within two windows. Tallies decay by windows that are forgotten as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Generations {
    /// Number of the present window since 1970.
    window: u64,
    present: Generation,
    last: Generation,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Generation {
    calls: BTreeMap<CallKey, Tally>,
    /// Number of the last entry of each writer.
    writers: BTreeMap<Writer, u64>,
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    passed.map_or(0, |passed| passed.as_millis() as u64)
}

impl Generations {
    /// Applies a batch, see [`TallyStore::apply`](crate::TallyStore::apply). After an error nothing has changed but time.
    pub(crate) fn apply(
        &mut self,
        batch: &Batch<'_>,
        limits: &TallyLimits,
        now_ms: u64,
    ) -> Result<Tally, TallyError> {
        self.advance(limits, now_ms);
        let applied = self.applied(batch.writer);
        let new = || batch.entries.iter().filter(|entry| entry.number > applied);
        if new().next().is_some() && !self.has_room(batch, applied, limits) {
            return Err(TallyError::Full);
        }
        for entry in new() {
            let tally = self.present.calls.entry(entry.call).or_default();
            tally.add(entry.worker, u64::from(entry.calls));
        }
        let number = batch.entries.last().map_or(0, |entry| entry.number);
        self.present
            .writers
            .insert(batch.writer, number.max(applied));
        Ok(batch
            .entries
            .last()
            .map_or_else(Tally::default, |entry| self.tally(entry.call)))
    }

    /// All tallies.
    pub(crate) fn tallies(&mut self, limits: &TallyLimits, now_ms: u64) -> Vec<CallTally> {
        self.advance(limits, now_ms);
        let mut all = self.present.calls.clone();
        for (call, tally) in &self.last.calls {
            all.entry(*call).or_default().merge(tally);
        }
        all.into_iter()
            .map(|(call, tally)| CallTally::new(call, tally))
            .collect()
    }

    /// Forgets all calls. Writers stay known.
    pub(crate) fn clear(&mut self) {
        self.present.calls.clear();
        self.last.calls.clear();
    }

    /// Whether nothing of it counts any more.
    pub(crate) fn is_over(&self, limits: &TallyLimits, now_ms: u64) -> bool {
        now_ms / limits.window_ms() > self.window.saturating_add(1)
    }

    /// A clock that goes back leaves the present window where it is.
    fn advance(&mut self, limits: &TallyLimits, now_ms: u64) {
        let window = now_ms / limits.window_ms();
        match window.saturating_sub(self.window) {
            0 => return,
            1 => self.last = std::mem::take(&mut self.present),
            _ => {
                self.present = Generation::default();
                self.last = Generation::default();
            }
        }
        self.window = window;
    }

    /// Number of the last entry of this writer.
    fn applied(&self, writer: Writer) -> u64 {
        let of = |generation: &Generation| generation.writers.get(&writer).copied();
        of(&self.present).max(of(&self.last)).unwrap_or(0)
    }

    fn has_room(&self, batch: &Batch<'_>, applied: u64, limits: &TallyLimits) -> bool {
        let known = self.present.calls.len() + self.present.writers.len();
        let mut new: Vec<_> = batch
            .entries
            .iter()
            .filter(|entry| entry.number > applied && !self.present.calls.contains_key(&entry.call))
            .map(|entry| entry.call)
            .collect();
        new.sort_unstable();
        new.dedup();
        let writer = usize::from(!self.present.writers.contains_key(&batch.writer));
        let added = new.len() + writer;
        added == 0 || known + added <= limits.most.get() as usize
    }

    fn tally(&self, call: CallKey) -> Tally {
        let mut tally = self.present.calls.get(&call).cloned().unwrap_or_default();
        if let Some(last) = self.last.calls.get(&call) {
            tally.merge(last);
        }
        tally
    }
}
