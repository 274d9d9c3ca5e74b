//! A window of calls that is nothing but one repetition, as attractor's specification looks for it.

use super::Watch;
use crate::{
    json::Json,
    settings::{Preset, Settings},
};

/// Says whether the last calls, a whole window of them, are one sequence of one, two or three calls over and over.
///
/// Only periods that divide the window are looked for, as in the specification: its own window of 10 never finds a
/// cycle of three calls, and one of 9 none of two. 6 and 12 find all.
///
/// ```
/// use unstuck::{Json, classic::SpecWindow};
///
/// let mut window = SpecWindow::new(6);
/// for tool in ["read", "edit", "test", "read", "edit", "test"] {
///     assert!(!window.window_is_loop());
///     window.record(tool, &Json::empty_object());
/// }
/// assert!(window.window_is_loop());
/// ```
///
/// Differs from the specification where a window holds a single lap: that is no repetition, so windows of 1, 2 and 3
/// look for shorter periods only. The specification's text would call any three calls a loop in a window of 3.
#[derive(Clone, Debug)]
pub struct SpecWindow {
    window: u32,
    watch: Watch,
}

impl SpecWindow {
    /// A window of so many calls; the specification's default is 10.
    pub fn new(window: u32) -> Self {
        Self {
            window,
            watch: Watch::new(Settings::of(Preset::Attractor)),
        }
    }

    /// Takes in a call.
    pub fn record(&mut self, tool: &str, args: &Json) {
        let action = self.watch.action(tool, args);
        self.watch.record(action);
    }

    /// Forgets all calls.
    pub fn reset(&mut self) {
        self.watch.reset();
    }

    /// Is the whole window one repetition? Not before it is full.
    pub fn window_is_loop(&self) -> bool {
        let runs = &self.watch.timeline.streaks.runs;
        // A run with a period counts the items after the first lap.
        [1, 2, 3].into_iter().any(|period| {
            self.window > period
                && self.window.is_multiple_of(period)
                && runs.run(period as usize) >= self.window - period
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
