//! The time of an agent's events, which never goes back.

use serde::{Deserialize, Serialize};

/// A wall clock that is behind by at most this is not taken for one that was set back.
const TOLERANCE_MS: i64 = 2_000;

/// Turns readings of the wall clock into the time that the rules see.
///
/// The rules want a time that never goes back: it stands still until the clock has caught up. A clock that is set back
/// by an hour would therefore keep a sliding window shut for an hour. This keeps the last reading and adds only what
/// has passed since then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timekeeping {
    last: Option<Reading>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Reading {
    /// Milliseconds since 1970.
    wall: i64,
    /// Milliseconds since the machine was started, where the system tells.
    since_boot: Option<i64>,
    /// The time that the rules were given.
    at: i64,
}

impl Timekeeping {
    /// The time for an event that happens now. Both clocks count milliseconds.
    pub fn advance(&mut self, wall: i64, since_boot: Option<i64>) -> i64 {
        let at = match self.last {
            None => wall,
            Some(last) => {
                let passed = wall.saturating_sub(last.wall);
                if (-TOLERANCE_MS..0).contains(&passed) {
                    return last.at;
                }
                let passed = if passed >= 0 {
                    passed
                } else {
                    // After a restart of the machine this is too little, never too much.
                    let boots = since_boot.zip(last.since_boot);
                    boots.map_or(0, |(now, then)| now.saturating_sub(then).max(0))
                };
                last.at.saturating_add(passed)
            }
        };
        self.last = Some(Reading {
            wall,
            since_boot,
            at,
        });
        at
    }
}

#[cfg(test)]
#[path = "timekeeping_tests.rs"]
mod tests;
