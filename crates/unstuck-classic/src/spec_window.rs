//! A window of calls that is nothing but one repetition, as attractor's specification looks for it.

use unstuck::{
    Json,
    fingerprint::{Fingerprint, Fingerprinter},
};

/// Reports whether the last calls, a whole window of them, repeat one sequence of one, two or three calls.
///
/// Only periods that divide the window are looked for, as in the specification: its default window of 10 never finds a
/// cycle of three calls, and a window of 9 never finds a cycle of two. Windows of 6 and 12 find all of them.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::SpecWindow;
///
/// let mut window = SpecWindow::new(6);
/// for tool in ["read", "edit", "test", "read", "edit", "test"] {
///     assert!(!window.window_is_loop());
///     window.record(tool, &Json::empty_object());
/// }
/// assert!(window.window_is_loop());
/// ```
///
/// It counts by itself, in constant memory: the engine's rule `cycle` reports complete laps of the shortest period, and
/// the specification asks about every period at any moment. Calls are compared as the engine compares them.
///
/// It differs from the specification if the window holds a single lap, which is not a repetition: windows of 1, 2 and 3
/// look for shorter periods only. By the text of the specification, any three calls are a loop in a window of 3.
#[derive(Clone, Debug)]
pub struct SpecWindow {
    window: u32,
    prints: Fingerprinter,
    /// The last calls, the newest first.
    last: [Option<Fingerprint>; LONGEST_PERIOD],
    /// For each period, the number of consecutive calls that are equal to the call one period before.
    runs: [u32; LONGEST_PERIOD],
}

const LONGEST_PERIOD: usize = 3;

impl SpecWindow {
    /// Creates a window of `window` calls; the default of the specification is 10.
    pub fn new(window: u32) -> Self {
        Self {
            window,
            prints: Fingerprinter::default(),
            last: [None; LONGEST_PERIOD],
            runs: [0; LONGEST_PERIOD],
        }
    }

    /// Records a call.
    pub fn record(&mut self, tool: &str, args: &Json) {
        let call = self.prints.action(tool, args);
        for (run, before) in self.runs.iter_mut().zip(self.last) {
            *run = if before == Some(call) {
                run.saturating_add(1)
            } else {
                0
            };
        }
        self.last.rotate_right(1);
        self.last[0] = Some(call);
    }

    /// Forgets all calls.
    pub fn reset(&mut self) {
        *self = Self::new(self.window);
    }

    /// Whether the window is full and consists of one repeated sequence.
    pub fn window_is_loop(&self) -> bool {
        (1..).zip(self.runs).any(|(period, run)| {
            // The calls of the first lap are not in the run.
            self.window > period
                && self.window.is_multiple_of(period)
                && run >= self.window - period
        })
    }
}

/// A window of 10 calls.
impl Default for SpecWindow {
    fn default() -> Self {
        Self::new(10)
    }
}

#[cfg(test)]
#[path = "spec_window_tests.rs"]
mod tests;
