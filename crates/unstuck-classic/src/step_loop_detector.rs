//! Steps by approach and outcome, as IronCurtain judges them.

use unstuck::{
    Engine, Event, Json, Level, Preset, RuleName, Settings, Verdict,
    message::MessageFacts,
    settings::{Attendance, Rung},
};

use crate::{engine_for_one_agent, repeats, reset};

/// Judges steps by whether their code and their result have occurred before.
///
/// A step with a new result is progress and ends all streaks. New code with an old result is *stuck*, old code with an
/// old result is *stagnation*; each has a streak, which a step of the other kind ends. "Old" means that it occurred at any
/// time since the start or the last reset, not only in the step before.
///
/// A streak counts steps that brought nothing new, so the first occurrence is not part of it: with the default thresholds
/// the fourth identical step gets a warning and the sixth one blocks.
///
/// A block stays in force until [`reset`](Self::reset). The caller has to ask [`is_blocked`](Self::is_blocked) before it
/// runs code: [`analyze_step`](Self::analyze_step) judges every step by itself and may return
/// [`Allow`](StepVerdict::Allow) after a block.
///
/// ```
/// use unstuck::Json;
/// use unstuck_classic::{StepLoopDetector, StepVerdict};
///
/// let mut detector = StepLoopDetector::new();
/// let result = Json::string("ImportError: no module named foo");
/// for _ in 0..3 {
///     assert_eq!(detector.analyze_step("import foo", Some(&result)), StepVerdict::Allow);
/// }
/// let StepVerdict::Warn { message, .. } = detector.analyze_step("import foo", Some(&result)) else {
///     panic!("the fourth identical step gets a warning");
/// };
/// assert!(message.contains("fundamentally different approach"));
///
/// detector.analyze_step("import foo", Some(&result));
/// detector.analyze_step("import foo", Some(&result));
/// assert!(detector.is_blocked().is_some());
/// ```
///
/// It counts with the rules `stagnation` and `stuck-outcome` of the preset `ironcurtain`, and compares the thresholds
/// itself: the engine has no threshold of 0, and its halts answer every later step.
///
/// It differs from the original in that it remembers the last 65,536 pieces of code and the last 65,536 results; the
/// original remembers all. Values are compared by their canonical JSON, which has no undefined members.
#[derive(Clone, Debug)]
pub struct StepLoopDetector {
    thresholds: StepThresholds,
    engine: Engine,
    blocked: Option<StepVerdict>,
}

/// Thresholds of one streak. They are not validated: 0 is reached by every step, including progress, and if `block` is
/// not above `warn` there is never a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Length of the streak from which every step gets a warning.
    pub warn: u32,
    /// Length of the streak that blocks.
    pub block: u32,
}

/// Thresholds of both streaks.
///
/// ```
/// use unstuck_classic::{StepThresholds, Thresholds};
///
/// let patient = StepThresholds {
///     stuck: Thresholds { warn: 10, block: 20 },
///     ..StepThresholds::default()
/// };
/// assert_eq!(patient.stagnation, Thresholds { warn: 3, block: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepThresholds {
    /// Old code, old result. 3 and 5 by default.
    pub stagnation: Thresholds,
    /// New code, old result. 5 and 8 by default.
    pub stuck: Thresholds,
}

/// The answer to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// There is nothing to report.
    Allow,
    /// The message is to be added to the result of the step, where the model sees it.
    Warn {
        /// Message for the model.
        message: String,
        /// The streak that reached its threshold.
        category: StepCategory,
    },
    /// As for a warning, and no further code is to be run.
    Block {
        /// Message for the model.
        message: String,
        /// The streak that reached its threshold.
        category: StepCategory,
    },
}

/// The streak that a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepCategory {
    /// Old code with old results.
    FullStagnation,
    /// New code with old results.
    Stuck,
}

impl StepLoopDetector {
    /// Creates a detector with the default thresholds.
    pub fn new() -> Self {
        Self::with_thresholds(StepThresholds::default())
    }

    /// Creates a detector with these thresholds.
    pub fn with_thresholds(thresholds: StepThresholds) -> Self {
        let mut settings = Settings::of(Preset::Ironcurtain);
        // Reports streaks from the first step on, and judges steps after a block.
        settings.rules.stagnation.nudge = Rung::at(1);
        settings.rules.stuck_outcome.nudge = Rung::at(1);
        settings.attendance = Attendance::Attended;
        // Messages state these.
        settings.rules.stagnation.halt = Rung::at(thresholds.stagnation.block);
        settings.rules.stuck_outcome.halt = Rung::at(thresholds.stuck.block);
        Self {
            thresholds,
            engine: engine_for_one_agent(settings),
            blocked: None,
        }
    }

    /// Records a step that ran. A missing result is an outcome of its own, different from `null` and the empty string.
    pub fn analyze_step(&mut self, code: &str, result: Option<&Json>) -> StepVerdict {
        let decision = self.engine.observe(Event::step(code, result.cloned()));
        // The finding counts the first occurrence, too.
        let streak = |rule| repeats(&decision, rule).map_or(0, |repeats| repeats - 1);
        let verdict = self.verdict(streak(RuleName::Stagnation), streak(RuleName::StuckOutcome));
        if let StepVerdict::Block { .. } = verdict {
            self.blocked = Some(verdict.clone());
        }
        verdict
    }

    /// Forgets everything, including a block.
    pub fn reset(&mut self) {
        reset(&mut self.engine);
        self.blocked = None;
    }

    /// The last verdict that blocked. `None` before the first one and after a reset.
    pub fn is_blocked(&self) -> Option<&StepVerdict> {
        self.blocked.as_ref()
    }

    /// Blocks come before warnings, stagnation before stuck.
    fn verdict(&self, stagnation: u32, stuck: u32) -> StepVerdict {
        let thresholds = self.thresholds;
        let streaks = [
            (
                StepCategory::FullStagnation,
                stagnation,
                thresholds.stagnation,
            ),
            (StepCategory::Stuck, stuck, thresholds.stuck),
        ];
        let blocks = streaks
            .iter()
            .find(|(_, streak, at)| *streak >= at.block)
            .map(|&(category, streak, _)| StepVerdict::Block {
                message: self.message(category, streak, Verdict::Halt),
                category,
            });
        let warns = || {
            let (category, streak, _) =
                *streaks.iter().find(|(_, streak, at)| *streak >= at.warn)?;
            Some(StepVerdict::Warn {
                message: self.message(category, streak, Verdict::Nudge),
                category,
            })
        };
        blocks.or_else(warns).unwrap_or(StepVerdict::Allow)
    }

    fn message(&self, category: StepCategory, streak: u32, verdict: Verdict) -> String {
        let rule = match category {
            StepCategory::FullStagnation => RuleName::Stagnation,
            StepCategory::Stuck => RuleName::StuckOutcome,
        };
        let level = (verdict == Verdict::Nudge).then_some(Level::Notice);
        let facts = MessageFacts::of_count(streak);
        let settings = self.engine.settings();
        settings.message(rule, verdict, level, facts).into()
    }
}

impl Default for StepLoopDetector {
    fn default() -> Self {
        Self::new()
    }
}

impl Default for StepThresholds {
    fn default() -> Self {
        Self {
            stagnation: Thresholds { warn: 3, block: 5 },
            stuck: Thresholds { warn: 5, block: 8 },
        }
    }
}

impl StepCategory {
    /// Name in the original: `full_stagnation` or `stuck`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FullStagnation => "full_stagnation",
            Self::Stuck => "stuck",
        }
    }
}

#[cfg(test)]
#[path = "step_loop_detector_tests.rs"]
mod tests;
