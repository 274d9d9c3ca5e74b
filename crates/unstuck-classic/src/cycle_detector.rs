//! Cycles of one, two and three calls, as attractor's document escalates them.

use unstuck::{Engine, Event, EventKind, Json, Level, Preset, Reason, Settings};

use crate::{call, engine_for_one_agent, reset};

/// Status of a session that was stopped because of a loop.
pub const LOOP_DETECTED: &str = "LOOP_DETECTED";

/// Finds repeated sequences of one, two or three calls, and answers more strictly each time.
///
/// A pattern is found when its second lap is complete, and again with every further lap: the second equal call, the
/// fourth call of `A B A B`, the sixth of `A B C A B C`. Occurrences are counted for each pattern, whichever of its calls
/// comes first, and other calls in between do not reset the count. The first occurrence gives a warning, the second a
/// stronger one with alternatives, the third stops the session: from then on every call gets the same answer, until a
/// [`reset`](Self::reset).
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::{CycleAction, CycleDetector};
///
/// let mut detector = CycleDetector::new();
/// let (edit, test) = (Json::parse(r#"{"path":"src/auth.py"}"#)?, Json::empty_object());
/// assert_eq!(detector.record("edit_file", &edit), None);
/// assert_eq!(detector.record("run_tests", &test), None);
/// assert_eq!(detector.record("edit_file", &edit), None);
/// let warning = detector.record("run_tests", &test).expect("the second lap is complete");
/// assert_eq!((warning.period, warning.count, warning.action), (2, 2, CycleAction::Warn));
/// assert_eq!(warning.pattern, ["edit_file src/auth.py", "run_tests"]);
/// # Ok::<(), unstuck::JsonError>(())
/// ```
///
/// It is an engine with the preset `attractor`.
///
/// There is no original: the document describes a detector that was never written. [`SpecWindow`](crate::SpecWindow) is
/// the check of the specification behind the document. What the document leaves open is decided as in the preset; the
/// 128 patterns found last are remembered.
#[derive(Clone, Debug)]
pub struct CycleDetector {
    engine: Engine,
}

/// A pattern that was repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CycleWarning {
    /// Number of calls in one lap: 1, 2 or 3.
    pub period: u32,
    /// One readable line for each call of the lap, in the order of this lap.
    pub pattern: Vec<String>,
    /// How often this pattern has been found: 1, 2 or 3.
    pub occurrence: u32,
    /// Number of consecutive laps, including the first.
    pub count: u32,
    /// What to do.
    pub action: CycleAction,
    /// Message for the model, to be added to the conversation as a user message.
    pub message: String,
}

/// What to do about a repeated pattern, from mildest to strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CycleAction {
    /// Add the message to the conversation.
    Warn,
    /// Add the message to the conversation; it suggests alternatives.
    WarnStrongly,
    /// End the session with [`LOOP_DETECTED`].
    ForceStop,
}

impl CycleDetector {
    /// Creates a detector without any calls.
    pub fn new() -> Self {
        Self {
            engine: engine_for_one_agent(Settings::of(Preset::Attractor)),
        }
    }

    /// Records a call. Returns a warning if the call completes a lap.
    pub fn record(&mut self, tool: &str, args: &Json) -> Option<CycleWarning> {
        let reason = self.engine.observe(call(tool, args)).reason?;
        Some(CycleWarning::new(*reason))
    }

    /// Records a message of the user: occurrences so far are forgotten, the calls are not. A stop stays in force.
    pub fn user_message(&mut self) {
        self.engine.observe(Event::new(EventKind::User));
    }

    /// Forgets everything, including a stop.
    pub fn reset(&mut self) {
        reset(&mut self.engine);
    }
}

impl Default for CycleDetector {
    fn default() -> Self {
        Self::new()
    }
}

impl CycleWarning {
    fn new(reason: Reason) -> Self {
        let (occurrence, action) = match reason.level {
            Some(Level::Notice) => (1, CycleAction::Warn),
            Some(_) => (2, CycleAction::WarnStrongly),
            None => (3, CycleAction::ForceStop),
        };
        Self {
            period: reason.period,
            pattern: reason.pattern.into_iter().map(String::from).collect(),
            occurrence,
            count: reason.repeats,
            action,
            message: reason.message.into(),
        }
    }

    /// [`LOOP_DETECTED`] if the session is to be stopped.
    pub fn status(&self) -> Option<&'static str> {
        (self.action == CycleAction::ForceStop).then_some(LOOP_DETECTED)
    }
}

#[cfg(test)]
#[path = "cycle_detector_tests.rs"]
mod tests;
