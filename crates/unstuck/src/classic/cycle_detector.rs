//! Cycles of one, two and three calls, as attractor's document escalates them.

use crate::{
    decision::{Level, Reason},
    engine::Engine,
    event::{Call, Event, EventKind},
    json::Json,
    session,
    settings::{Preset, Settings},
};

/// The status of a session that was stopped for a loop.
pub const LOOP_DETECTED: &str = session::LOOP_DETECTED;

/// Finds sequences of one, two or three calls that come round, and answers ever more strictly.
///
/// A pattern is found when its second lap is complete, and again with every further lap: the second equal call, the
/// fourth call of `A B A B`, the sixth of `A B C A B C`. Occurrences are counted for each pattern, wherever in the
/// pattern one starts, and are kept when other calls come in between. The first gives a warning, the second a stronger
/// one with alternatives, the third stops the session: from then on every call gets the same answer, until a
/// [`reset`](Self::reset).
///
/// ```
/// use unstuck::{Json, classic::{CycleAction, CycleDetector}};
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
/// There is no original: the document describes what no code does. [`SpecWindow`](super::SpecWindow) is the check of
/// the specification that it retells. What the document leaves open is decided as in
/// [`Preset::Attractor`](crate::Preset), whose engine this is; the 128 patterns seen last are remembered.
#[derive(Debug)]
pub struct CycleDetector {
    engine: Engine,
}

/// A pattern that came round.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CycleWarning {
    /// Calls a lap: 1, 2 or 3.
    pub period: u32,
    /// One readable line for each call of the lap, in the order of this lap.
    pub pattern: Vec<String>,
    /// How often this pattern was found: 1, 2 or 3.
    pub occurrence: u32,
    /// Laps in a row, the first included.
    pub count: u32,
    /// What to do.
    pub action: CycleAction,
    /// Words for the model, to be put into the conversation as a user message.
    pub message: String,
}

/// What to do about a pattern that came round, from mildest to strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CycleAction {
    /// Tell the model.
    Warn,
    /// Tell the model what else it could do.
    WarnStrongly,
    /// End the session with [`LOOP_DETECTED`].
    ForceStop,
}

impl CycleDetector {
    /// A detector that has seen nothing.
    pub fn new() -> Self {
        Self {
            engine: Engine::new(Settings::of(Preset::Attractor)),
        }
    }

    /// Takes in a call, and says so if it completes a lap.
    pub fn record(&mut self, tool: &str, args: &Json) -> Option<CycleWarning> {
        let call = Call::new("", tool, args.clone());
        let reason = self.engine.observe(Event::call(call)).reason?;
        Some(CycleWarning::new(*reason))
    }

    /// A person spoke: what was found so far is forgotten, the calls are not. A stop stays.
    pub fn user_message(&mut self) {
        self.engine.observe(Event::new(EventKind::User));
    }

    /// Forgets everything, a stop included.
    pub fn reset(&mut self) {
        self.engine.observe(Event::new(EventKind::Reset));
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
            Some(Level::Warning | Level::Critical) => (2, CycleAction::WarnStrongly),
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

    /// [`LOOP_DETECTED`] where the session is to be stopped.
    pub fn status(&self) -> Option<&'static str> {
        (self.action == CycleAction::ForceStop).then_some(LOOP_DETECTED)
    }
}

#[cfg(test)]
#[path = "cycle_detector_tests.rs"]
mod tests;
