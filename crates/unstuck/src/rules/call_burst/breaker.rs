//! The circuit breaker: how many identical calls pass within a sliding window.

use std::{mem, num::NonZeroU32};

use serde::{Deserialize, Serialize};

use super::CallBurst;
use crate::{
    event::Timestamp,
    fingerprint::Mark,
    hash::Key,
    memory::{Recent, cut_to, memories, push_within},
    transition::Phase,
};

/// Windows of the calls that were made last.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Breaker {
    windows: Recent<Window>,
}

/// One call's window. Only calls that were let through are in it: a denial never prolongs itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Window {
    /// Oldest first. Most calls are made once, so this starts with room for one.
    passed: Vec<Timestamp>,
    state: BreakerState,
    /// The last result of the call, to see whether a probe returned anything new.
    outcome: Option<Mark>,
}

/// The states of a breaker.
///
/// With half-open, open always becomes half-open: after the cool-down the next call is the probe. Where half-open is
/// switched off, an open breaker closes with the first call that passes after old ones have left the window: there the
/// state decides nothing and is kept to report changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BreakerState {
    /// Calls pass.
    #[default]
    Closed,
    /// Calls are denied, at least until then.
    Open { until: Timestamp },
    /// One probe is under way; nothing else passes until its result is in, or as long as a whole window.
    HalfOpen { since: Timestamp },
}

/// Answer of the breaker to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Pass,
    Deny {
        /// Calls that passed within the window.
        passed: u32,
        /// The earliest time at which an equal call can pass. The result of a probe may change it.
        until: Timestamp,
    },
}

/// A change of a breaker.
pub(crate) type Change = (Phase, Phase);

// Windows are kept whatever happens to turns: a burst is a matter of time.
memories!(Breaker {
    per_turn: [],
    lasting: [windows],
    plain: [],
});

impl Breaker {
    pub(crate) fn new(keys: NonZeroU32, key: Key) -> Self {
        Self {
            windows: Recent::new(keys, key),
        }
    }

    /// Drops the oldest calls of each window beyond the limit.
    pub(super) fn cut(&mut self, limit: NonZeroU32) {
        let marks: Vec<Mark> = self.windows.iter().map(|(mark, _)| mark).collect();
        for mark in marks {
            let limit = limit.get() as usize;
            self.windows
                .update(mark, |window| cut_to(&mut window.passed, limit));
        }
    }

    /// Returns the answer to a call at this time, without recording it.
    pub(crate) fn admission(&self, call: Mark, now: Timestamp, options: &CallBurst) -> Admission {
        let Some(window) = self.windows.get(call) else {
            return Admission::Pass;
        };
        let live = window.live(now, options.window_ms.get());
        let limit = options.limit.get();
        let room = (live >= limit).then(|| {
            let oldest = window.passed[window.passed.len() - limit as usize];
            oldest.after(options.window_ms.get())
        });
        let state = match window.state {
            BreakerState::Open { until } if options.half_open && now < until => Some(until),
            BreakerState::HalfOpen { since }
                if options.half_open && now.since(since) < options.window_ms.get() =>
            {
                Some(since.after(options.window_ms.get()))
            }
            BreakerState::Closed | BreakerState::Open { .. } | BreakerState::HalfOpen { .. } => {
                None
            }
        };
        match room.max(state) {
            Some(until) => Admission::Deny {
                passed: live,
                until,
            },
            None => Admission::Pass,
        }
    }

    /// Records a call that passes.
    pub(crate) fn pass(
        &mut self,
        call: Mark,
        now: Timestamp,
        options: &CallBurst,
    ) -> Option<Change> {
        let window = self.windows.entry_reusing(call, Window::in_place_of);
        window.expire(now, options.window_ms.get());
        // A caller that ignores denials must not make the window grow.
        push_within(&mut window.passed, now, options.limit.get() as usize);
        let next = if options.half_open && window.state != BreakerState::Closed {
            BreakerState::HalfOpen { since: now }
        } else {
            BreakerState::Closed
        };
        window.change(next)
    }

    /// Records that a call was denied.
    pub(crate) fn deny(&mut self, call: Mark, now: Timestamp) -> Option<Change> {
        let mut change = None;
        self.windows.update(call, |window| {
            if window.state == BreakerState::Closed {
                change = window.change(BreakerState::Open { until: now });
            }
        });
        change
    }

    /// Records the result of a call. A probe with a new result closes the breaker, one without opens it for another
    /// window.
    pub(crate) fn result(
        &mut self,
        call: Mark,
        outcome: Mark,
        now: Timestamp,
        options: &CallBurst,
    ) -> Option<Change> {
        let mut change = None;
        self.windows.update(call, |window| {
            let changed = window.outcome.replace(outcome) != Some(outcome);
            // A call with a new result is not part of a burst: reading a stream to its end is work.
            if changed && options.half_open {
                window.passed.pop();
            }
            if let BreakerState::HalfOpen { .. } = window.state {
                change = window.change(if changed {
                    BreakerState::Closed
                } else {
                    BreakerState::Open {
                        until: now.after(options.window_ms.get()),
                    }
                });
            }
        });
        change
    }
}

impl BreakerState {
    fn phase(self) -> Phase {
        match self {
            Self::Closed => Phase::Closed,
            Self::Open { .. } => Phase::Open,
            Self::HalfOpen { .. } => Phase::HalfOpen,
        }
    }
}

impl Window {
    /// An empty window, with the room of one that is forgotten for it.
    fn in_place_of(forgotten: Option<&mut Self>) -> Self {
        let mut passed = forgotten.map_or_else(Vec::new, |window| mem::take(&mut window.passed));
        passed.clear();
        Self {
            passed,
            ..Self::default()
        }
    }

    /// Sets the state, and returns the change if it is another phase.
    fn change(&mut self, next: BreakerState) -> Option<Change> {
        let before = mem::replace(&mut self.state, next).phase();
        (before != next.phase()).then_some((before, next.phase()))
    }

    fn live(&self, now: Timestamp, window_ms: u64) -> u32 {
        (self.passed.len() - self.expired(now, window_ms)) as u32
    }

    fn expire(&mut self, now: Timestamp, window_ms: u64) {
        let expired = self.expired(now, window_ms);
        if expired > 0 {
            self.passed.drain(..expired);
        }
    }

    /// How many calls have left the window: one exactly as old as the window has.
    fn expired(&self, now: Timestamp, window_ms: u64) -> usize {
        self.passed
            .partition_point(|at| now.since(*at) >= window_ms)
    }
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;
