//! Any call too often among the last few, as `HackEurope26` looks for it.

use super::Watch;
use crate::{
    json::Json,
    settings::{Preset, Settings},
};

/// Says whether any call occurs too often among the last few: three times in twenty by default, in a row or not.
///
/// Record every call before it is made; ask when all calls of a turn have run. The detector stays stuck until enough
/// other calls have pushed the repeated ones out of its history.
///
/// ```
/// use unstuck::{Json, classic::ToolLoopDetector};
///
/// let mut detector = ToolLoopDetector::new();
/// for path in ["a.py", "b.py", "a.py", "b.py", "a.py"] {
///     assert!(!detector.is_stuck());
///     detector.record("read_file", &Json::from_serialize(&[path])?);
/// }
/// assert!(detector.is_stuck());
/// # Ok::<(), unstuck::JsonError>(())
/// ```
///
/// This is the class of the document; the code behind it has since learnt to strip version numbers from commands and
/// to count tool names, which it does not say. Differs from the original in that `1` and `1.0` are the same argument.
#[derive(Clone, Debug)]
pub struct ToolLoopDetector {
    repeat_threshold: u32,
    watch: Watch,
}

impl ToolLoopDetector {
    /// Three equal calls among the last twenty.
    pub fn new() -> Self {
        Self::with(3, 20)
    }

    /// So many equal calls among so many. A threshold above the history's size is never reached; 0 and 1 are reached
    /// by any call.
    pub fn with(repeat_threshold: u32, history_size: u32) -> Self {
        let mut settings = Settings::of(Preset::ToolLoopDetector);
        settings.rules.exact_repeat.window = history_size;
        Self {
            repeat_threshold,
            watch: Watch::new(settings),
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

    /// Does any call occur too often?
    pub fn is_stuck(&self) -> bool {
        let window = self.watch.settings.rules.exact_repeat.window;
        let most = self.watch.timeline.streaks.tail.most_frequent(window);
        most.is_some_and(|most| most.count >= self.repeat_threshold)
    }
}

impl Default for ToolLoopDetector {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
#[path = "tool_loop_detector_tests.rs"]
mod tests;
