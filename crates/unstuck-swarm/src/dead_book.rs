//! Calls of one swarm that are known to fail: the one implementation for stores in memory and in files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unstuck::swarm::Worker;

use crate::{
    dead::{CallNews, DeadCall, DeadLimits, Failure},
    keys::CallKey,
};

/// Most calls of one swarm. The one that failed longest ago makes room.
const MOST: usize = 1_024;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeadBook(BTreeMap<CallKey, Record>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Record {
    how: u64,
    failures: Vec<(Worker, Failure)>,
    /// When the call died, or a worker was last let through.
    probed: u64,
    /// When it failed last.
    last: u64,
}

impl DeadBook {
    pub(crate) fn news(
        &mut self,
        call: CallKey,
        worker: Worker,
        news: &CallNews<'_>,
        limits: &DeadLimits,
        now: u64,
    ) -> Option<DeadCall> {
        let keep = limits.keep.as_millis() as u64;
        let is_over = |record: &Record| now.saturating_sub(record.last) >= keep;
        if self.0.get(&call).is_some_and(is_over) {
            self.0.remove(&call);
        }
        match news {
            CallNews::Worked => {
                self.0.remove(&call);
                None
            }
            CallNews::Failed { how, name } => {
                self.make_room(call, keep, now);
                self.failed(call, (worker, *how), &CallNews::name_of(name), now, limits);
                self.dead(call, limits)
            }
            CallNews::Planned => {
                let dead = self.dead(call, limits)?;
                let record = self.0.get_mut(&call)?;
                if now.saturating_sub(record.probed) >= limits.probe.as_millis() as u64 {
                    record.probed = now;
                    return None;
                }
                Some(dead)
            }
        }
    }

    fn failed(
        &mut self,
        call: CallKey,
        (worker, how): (Worker, u64),
        name: &str,
        now: u64,
        limits: &DeadLimits,
    ) {
        let record = self.0.entry(call).or_insert_with(|| Record {
            how,
            failures: Vec::new(),
            probed: now,
            last: now,
        });
        if record.how != how {
            record.how = how;
            record.failures.clear();
        }
        record.last = now;
        let failure = Failure::new(name, now);
        let known = record
            .failures
            .iter_mut()
            .find(|(known, _)| *known == worker);
        if let Some((_, known)) = known {
            *known = failure;
        } else if record.failures.len() < usize::from(DeadLimits::MOST_WORKERS) {
            record.failures.push((worker, failure));
            if record.failures.len() == usize::from(limits.workers) {
                record.probed = now;
            }
        }
    }

    fn dead(&self, call: CallKey, limits: &DeadLimits) -> Option<DeadCall> {
        let record = self.0.get(&call)?;
        if record.failures.len() < usize::from(limits.workers.max(1)) {
            return None;
        }
        let failures = record.failures.iter().map(|(_, failure)| failure.clone());
        Some(DeadCall::new(failures.collect()))
    }

    fn make_room(&mut self, call: CallKey, keep: u64, now: u64) {
        if self.0.len() < MOST || self.0.contains_key(&call) {
            return;
        }
        self.0
            .retain(|_, record| now.saturating_sub(record.last) < keep);
        if self.0.len() >= MOST
            && let Some(oldest) = self.0.iter().min_by_key(|(_, record)| record.last)
        {
            let oldest = *oldest.0;
            self.0.remove(&oldest);
        }
    }
}
