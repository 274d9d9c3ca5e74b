//! Laps of a loop: which of its calls belong to which.

/// The calls of a loop, in laps of equal length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Laps {
    calls: Vec<u64>,
    period: usize,
}

impl Laps {
    /// Divides calls, which are in order, into laps of this many.
    pub(crate) fn new(calls: Vec<u64>, period: usize) -> Self {
        Self { calls, period }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Calls of all laps.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.len() as u64
    }

    /// The lap of a call, counted from one; 0 where the call is not in the loop.
    pub(crate) fn of(&self, call: u64) -> u64 {
        let at = self.calls.binary_search(&call);
        at.map_or(0, |at| (at / self.period.max(1)) as u64 + 1)
    }

    /// The last call of a lap. A lap that was not completed ends with its last call.
    pub(crate) fn end(&self, lap: u64) -> Option<u64> {
        let lap = usize::try_from(lap).ok().filter(|lap| *lap > 0)?;
        let mut laps = self.calls.chunks(self.period.max(1));
        laps.nth(lap - 1).and_then(|lap| lap.last().copied())
    }
}

#[cfg(test)]
#[path = "laps_tests.rs"]
mod tests;
