//! Requests without the right token: counted for each peer, answered briefly beyond a number, and logged together.

use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use crate::lock::lock;
use crate::peer::Peer;

/// Failures of a peer in one [`WINDOW`] that are answered with 401; the others are answered with 429.
const MOST: u64 = 20;

/// How long failures are remembered.
const WINDOW: Duration = Duration::from_mins(1);

/// How often failures are logged.
const REPORT: Duration = Duration::from_secs(10);

/// Peers that are distinguished. Failures of further ones are counted together.
const PEERS: usize = 1_024;

/// Failures of all peers.
#[derive(Default)]
pub struct Attempts(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// All peers beyond [`PEERS`] are `None`.
    peers: BTreeMap<Option<Peer>, Failures>,
    reported: Option<Instant>,
}

/// Failures of one peer.
struct Failures {
    /// When the window began, and failures since then.
    since: Instant,
    in_window: u64,
    /// Failures that were not logged yet.
    unreported: u64,
}

/// What a request without the right token is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Unauthorized,
    TooMany,
}

impl Attempts {
    /// Counts a failure of this peer.
    pub(crate) fn count(&self, peer: Peer, now: Instant) -> Answer {
        let mut counts = lock(&self.0);
        let peers = &mut counts.peers;
        let is_distinguished = peers.contains_key(&Some(peer)) || peers.len() < PEERS;
        let key = is_distinguished.then_some(peer);
        let failures = peers.entry(key).or_insert(Failures {
            since: now,
            in_window: 0,
            unreported: 0,
        });
        if now.duration_since(failures.since) >= WINDOW {
            failures.since = now;
            failures.in_window = 0;
        }
        failures.in_window += 1;
        failures.unreported += 1;
        if failures.in_window > MOST {
            Answer::TooMany
        } else {
            Answer::Unauthorized
        }
    }

    /// Lines to log, at most once in ten seconds: one a peer for the ten with most failures, one for the others.
    pub fn report(&self, now: Instant) -> Vec<String> {
        let mut counts = lock(&self.0);
        let is_early = |last: Instant| now.duration_since(last) < REPORT;
        if counts.peers.is_empty() || counts.reported.is_some_and(is_early) {
            return Vec::new();
        }
        counts.reported = Some(now);
        counts.lines(now)
    }

    /// Lines to log before the process ends.
    pub fn last_report(&self, now: Instant) -> Vec<String> {
        lock(&self.0).lines(now)
    }
}

impl Counts {
    fn lines(&mut self, now: Instant) -> Vec<String> {
        const SHOWN: usize = 10;
        let mut failed: Vec<(Option<Peer>, u64)> = Vec::new();
        for (peer, failures) in &mut self.peers {
            let unreported = std::mem::take(&mut failures.unreported);
            if unreported > 0 {
                failed.push((*peer, unreported));
            }
        }
        self.peers
            .retain(|_, failures| now.duration_since(failures.since) < WINDOW);
        failed.sort_by_key(|(peer, count)| (peer.is_none(), std::cmp::Reverse(*count)));
        let named = failed.iter().filter(|(peer, _)| peer.is_some());
        let mut lines: Vec<String> = named
            .take(SHOWN)
            .filter_map(|(peer, count)| Some(line(*count, &format!("from {}", (*peer)?.place()))))
            .collect();
        let others: u64 = failed[lines.len()..].iter().map(|(_, count)| count).sum();
        if others > 0 {
            lines.push(line(others, "from other addresses"));
        }
        lines
    }
}

fn line(count: u64, whence: &str) -> String {
    let requests = if count == 1 { "request" } else { "requests" };
    format!("{count} {requests} without the right token {whence}")
}

#[cfg(test)]
#[path = "attempts_tests.rs"]
mod tests;
