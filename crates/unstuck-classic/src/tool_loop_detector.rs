//! Any call too often among the last few, as `HackEurope26` looks for it.

use std::num::NonZeroU32;

use unstuck::{Engine, Event, Json, Preset, RuleName, Settings, settings::Rung};

use crate::{call, engine_for_one_agent, repeats, reset};

/// Reports whether any call occurs too often among the last ones: by default three times in twenty, consecutive or not.
///
/// Record every call before it is made, and ask when all calls of a turn have run. The detector stays stuck until enough
/// other calls have pushed the repeated ones out of its history.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::ToolLoopDetector;
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
/// It runs the rule `exact-repeat` of the preset `tool-loop-detector`.
///
/// This is the class of the document. The code behind the document has since been changed: it strips version numbers from
/// commands and counts tool names. It differs from the original in that `1` and `1.0` are the same argument.
#[derive(Clone, Debug)]
pub struct ToolLoopDetector {
    repeat_threshold: u32,
    history_size: u32,
    engine: Engine,
    /// Occurrences of the most frequent call in the history.
    most_frequent: u32,
}

impl ToolLoopDetector {
    /// Creates a detector for three equal calls among the last twenty.
    pub fn new() -> Self {
        Self::with(3, 20)
    }

    /// Creates a detector for `repeat_threshold` equal calls among the last `history_size`. A threshold above the size of
    /// the history is never reached; 0 and 1 are reached by any call.
    pub fn with(repeat_threshold: u32, history_size: u32) -> Self {
        let mut settings = Settings::of(Preset::ToolLoopDetector);
        let options = &mut settings.rules.exact_repeat;
        options.window = NonZeroU32::new(history_size).unwrap_or(NonZeroU32::MIN);
        // The threshold is compared here: a halt of the engine would outlast the history.
        options.halt = Rung::Never;
        Self {
            repeat_threshold,
            history_size,
            engine: engine_for_one_agent(settings),
            most_frequent: 0,
        }
    }

    /// Records a call.
    pub fn record(&mut self, tool: &str, args: &Json) {
        self.engine.observe(call(tool, args));
        let decision = self.engine.observe(Event::turn());
        // The engine reports calls that occur twice or more.
        let once = u32::from(self.history_size > 0);
        self.most_frequent = repeats(&decision, RuleName::ExactRepeat).unwrap_or(once);
    }

    /// Forgets all calls.
    pub fn reset(&mut self) {
        reset(&mut self.engine);
        self.most_frequent = 0;
    }

    /// Whether any call occurs too often.
    pub fn is_stuck(&self) -> bool {
        self.most_frequent > 0 && self.most_frequent >= self.repeat_threshold
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
