//! Whether to try a store that has failed.

use std::time::{Duration, Instant};

/// First pause after a failure. Each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Keeps callers from waiting for a store that is away: after a failure one caller tries it after each pause, and the others
/// do without it.
#[derive(Debug, Default)]
pub(crate) struct Health {
    pauses: u32,
    /// End of the pause. `None` while the store answers.
    until: Option<Instant>,
    trying: bool,
}

impl Health {
    /// Whether this caller may use the store now. It has to report how that went.
    pub(crate) fn admit(&mut self, now: Instant) -> bool {
        match self.until {
            None => true,
            Some(until) if now >= until && !self.trying => {
                self.trying = true;
                true
            }
            Some(_) => false,
        }
    }

    pub(crate) fn succeeded(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn failed(&mut self, now: Instant) {
        // Callers that were under way when the first of them failed do not lengthen the pause.
        if self.until.is_some_and(|until| now < until) {
            return;
        }
        let pause = FIRST_PAUSE.saturating_mul(1 << self.pauses.min(10));
        self.pauses = self.pauses.saturating_add(1);
        self.until = Some(now + pause.min(LONGEST_PAUSE));
        self.trying = false;
    }
}

#[cfg(test)]
#[path = "health_tests.rs"]
mod tests;
