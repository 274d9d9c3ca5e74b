//! The circuit breaker: how many identical calls pass within a sliding window.

use serde::{Deserialize, Serialize};

use super::CallBurst;
use crate::{
    event::Timestamp,
    fingerprint::Mark,
    hash::Key,
    memory::{Recent, memories, push_within},
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
    state: State,
    /// What the call came back with last, to see whether a probe brought anything new.
    outcome: Option<Mark>,
}

/// The states of a breaker.
///
/// Open always becomes half-open: after the cool-down the next call is the probe. Where half-open is switched off, an
/// open breaker simply closes as old calls leave the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum State {
    /// Calls pass.
    #[default]
    Closed,
    /// Calls are denied, at least until then.
    Open { until: Timestamp },
    /// One probe is under way; nothing else passes until its result is in, or as long as a whole window.
    HalfOpen { since: Timestamp },
}

/// What the breaker says to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Pass,
    /// Denied, with the calls that passed within the window.
    Deny {
        passed: u32,
    },
}

// Windows are kept whatever happens to turns: a burst is a matter of time.
memories!(Breaker {
    per_turn: [],
    lasting: [windows],
    plain: [],
});

impl Breaker {
    pub(crate) fn new(keys: u32, key: Key) -> Self {
        Self {
            windows: Recent::new(keys, key),
        }
    }

    /// What would be said to this call now? Nothing changes.
    pub(crate) fn admission(&self, call: Mark, now: Timestamp, options: &CallBurst) -> Admission {
        let Some(window) = self.windows.get(call) else {
            return Admission::Pass;
        };
        let live = window.live(now, options.window_ms);
        let deny = Admission::Deny { passed: live };
        if live >= options.limit.max(1) {
            return deny;
        }
        match window.state {
            State::Open { until } if now < until => deny,
            State::HalfOpen { since } if now.since(since) < options.window_ms => deny,
            State::Closed | State::Open { .. } | State::HalfOpen { .. } => Admission::Pass,
        }
    }

    /// Records a call that passes.
    pub(crate) fn pass(&mut self, call: Mark, now: Timestamp, options: &CallBurst) {
        let window = self.windows.entry(call, Window::default);
        window.expire(now, options.window_ms);
        if options.half_open && window.state != State::Closed {
            window.state = State::HalfOpen { since: now };
        }
        // A caller that does not heed denials must not make the window grow.
        push_within(&mut window.passed, now, options.limit.max(1) as usize);
    }

    /// Records that a call was denied.
    pub(crate) fn deny(&mut self, call: Mark, now: Timestamp, options: &CallBurst) {
        if !options.half_open {
            return;
        }
        self.windows.update(call, |window| {
            if window.state == State::Closed {
                window.state = State::Open { until: now };
            }
        });
    }

    /// Records what a call came back with. A probe that brought something new closes the breaker, one that did not
    /// opens it for another window.
    pub(crate) fn result(
        &mut self,
        call: Mark,
        outcome: Mark,
        now: Timestamp,
        options: &CallBurst,
    ) {
        self.windows.update(call, |window| {
            let changed = window.outcome.replace(outcome) != Some(outcome);
            // A call that brought something new is no part of a burst: draining a stream is work.
            if changed && options.half_open {
                window.passed.pop();
            }
            if let State::HalfOpen { .. } = window.state {
                window.state = if changed {
                    State::Closed
                } else {
                    let cool_down = i64::try_from(options.window_ms).unwrap_or(i64::MAX);
                    State::Open {
                        until: Timestamp(now.0.saturating_add(cool_down)),
                    }
                };
            }
        });
    }
}

impl Window {
    fn live(&self, now: Timestamp, window_ms: u64) -> u32 {
        (self.passed.len() - self.expired(now, window_ms)) as u32
    }

    fn expire(&mut self, now: Timestamp, window_ms: u64) {
        let expired = self.expired(now, window_ms);
        self.passed.drain(..expired);
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
