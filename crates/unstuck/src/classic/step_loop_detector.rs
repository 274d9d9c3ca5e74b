//! Steps by approach and outcome, as IronCurtain judges them.

use super::Watch;
use crate::{
    decision::{Level, Verdict},
    fingerprint::Mark,
    json::Json,
    rules::{RuleName, Spotted},
    settings::{Preset, Rung, Settings},
};

/// Judges steps by two questions: was the code seen before, was the result seen before?
///
/// A step whose result is new is progress and ends all streaks. New code with an old result is *stuck*, old code with
/// an old result is *stagnation*; each has a streak that the other one ends. "Old" means seen at any time since the
/// start or the last reset, not only in the step before.
///
/// A streak counts steps that brought nothing new, so the first occurrence is not in it: under the default thresholds
/// the fourth identical step is warned of and the sixth blocks.
///
/// A block stays until [`reset`](Self::reset). It is the caller who asks [`is_blocked`](Self::is_blocked) before
/// running code: [`analyze_step`](Self::analyze_step) judges every step on its own and may answer
/// [`Allow`](StepVerdict::Allow) after a block.
///
/// ```
/// use unstuck::{Json, classic::{StepLoopDetector, StepVerdict}};
///
/// let mut detector = StepLoopDetector::new();
/// let result = Json::string("ImportError: no module named foo");
/// for _ in 0..3 {
///     assert_eq!(detector.analyze_step("import foo", Some(&result)), StepVerdict::Allow);
/// }
/// let StepVerdict::Warn { message, .. } = detector.analyze_step("import foo", Some(&result)) else {
///     panic!("the fourth identical step is warned of");
/// };
/// assert!(message.contains("fundamentally different approach"));
///
/// detector.analyze_step("import foo", Some(&result));
/// detector.analyze_step("import foo", Some(&result));
/// assert!(detector.is_blocked().is_some());
/// ```
///
/// Differs from the original in that the last 65,536 approaches and outcomes are remembered, each; the original
/// remembers all. Values are compared by their canonical JSON, so a member that is undefined does not exist here.
#[derive(Clone, Debug)]
pub struct StepLoopDetector {
    thresholds: StepThresholds,
    watch: Watch,
    blocked: Option<StepVerdict>,
}

/// From which streaks on steps are warned of and blocked. Nothing is checked: 0 is reached by every step, progress
/// included, and where `block` is not above `warn` there is never a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// The streak from which every step is warned of.
    pub warn: u32,
    /// The streak that blocks.
    pub block: u32,
}

/// The thresholds of both streaks.
///
/// ```
/// use unstuck::classic::{StepThresholds, Thresholds};
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

/// What is to be said about a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// Nothing.
    Allow,
    /// The message belongs beside the step's result, where the model sees it.
    Warn {
        /// Words for the model.
        message: String,
        /// Which streak it is.
        category: StepCategory,
    },
    /// As a warning; and no further code is to be run.
    Block {
        /// Words for the model.
        message: String,
        /// Which streak it is.
        category: StepCategory,
    },
}

/// Which streak a verdict is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepCategory {
    /// Old code with old results.
    FullStagnation,
    /// New code with old results.
    Stuck,
}

impl StepLoopDetector {
    /// A detector with the default thresholds.
    pub fn new() -> Self {
        Self::with_thresholds(StepThresholds::default())
    }

    /// A detector with thresholds of one's own.
    pub fn with_thresholds(thresholds: StepThresholds) -> Self {
        let mut settings = Settings::of(Preset::Ironcurtain);
        settings.rules.stagnation.halt = Rung::at(thresholds.stagnation.block);
        settings.rules.stuck_outcome.halt = Rung::at(thresholds.stuck.block);
        Self {
            thresholds,
            watch: Watch::new(settings),
            blocked: None,
        }
    }

    /// Takes in a step that ran. A result of `None` is an outcome of its own, other than `null` and the empty string.
    pub fn analyze_step(&mut self, code: &str, result: Option<&Json>) -> StepVerdict {
        let identifier = &self.watch.identifier;
        let approach = identifier.approach(code);
        let outcome = identifier.step_outcome(result);
        self.watch.timeline.record_step(approach, outcome, 0);
        let verdict = self.verdict();
        if let StepVerdict::Block { .. } = verdict {
            self.blocked = Some(verdict.clone());
        }
        verdict
    }

    /// Forgets everything, a block included.
    pub fn reset(&mut self) {
        self.watch.reset();
        self.blocked = None;
    }

    /// The last verdict that blocked, until a reset.
    pub fn is_blocked(&self) -> Option<&StepVerdict> {
        self.blocked.as_ref()
    }

    /// Blocks come before warnings, stagnation before stuck.
    fn verdict(&self) -> StepVerdict {
        let matrix = &self.watch.timeline.streaks.matrix;
        let StepThresholds { stagnation, stuck } = self.thresholds;
        let streaks = [
            (StepCategory::FullStagnation, matrix.stagnation, stagnation),
            (StepCategory::Stuck, matrix.stuck, stuck),
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
        let spotted = Spotted::single(rule, streak, (0, 0), Mark::default(), None);
        self.watch.write(&spotted, verdict, Some(Level::Notice))
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
    /// The original's name: `full_stagnation` or `stuck`.
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
