//! The small classes of the founding systems, each with the calls its document shows.
//!
//! | class | from | looks at |
//! |---|---|---|
//! | [`StepLoopDetector`] | IronCurtain | steps: is the approach new, is the outcome new? |
//! | [`CallCircuitBreaker`] | IronCurtain | identical calls within a sliding window of time |
//! | [`CycleDetector`] | attractor | sequences of one, two or three calls that come round |
//! | [`SpecWindow`] | attractor's specification | a window of calls that is nothing but one repetition |
//! | [`LoopDetector`] | attocode | equal and similar calls in a row, failing tests and commands, idle turns |
//! | [`SharedEconomicsState`] | attocode | one call across the workers of a swarm |
//! | [`ToolLoopDetector`] | `HackEurope26` | any call that fills too much of the last twenty |
//!
//! They are thin: what is counted is counted by the engine's timeline, the texts are those of the presets, and memory
//! is bounded throughout. Each class says where it differs from the original.
//!
//! Use one of them to replace the class of that name, or where a single question is all there is to ask. Anything more
//! is for the [`Engine`](crate::Engine): under [`Preset::Ironcurtain`](crate::Preset), `Attractor`, `Attocode` or
//! `ToolLoopDetector` it gives the same verdicts from one stream of events, with sessions, retries and snapshots; under
//! `Standard` it judges by what came back, which none of these systems do for calls.

mod call_circuit_breaker;
mod cycle_detector;
mod loop_detector;
mod shared_economics_state;
mod spec_window;
mod step_loop_detector;
mod tool_loop_detector;

use crate::{
    decision::{Level, Verdict},
    event::Call,
    identity::{Action, Identifier},
    json::Json,
    nudge,
    rules::{Moment, RuleName, Scene, Spotted},
    settings::Settings,
    timeline::Timeline,
};

pub use call_circuit_breaker::{BreakerConfig, CallCircuitBreaker, CallVerdict};
pub use cycle_detector::{CycleAction, CycleDetector, CycleWarning, LOOP_DETECTED};
pub use loop_detector::{LoopDetectionState, LoopDetector, LoopStatus};
pub use shared_economics_state::{
    CheckpointError, GlobalLoop, GlobalThresholds, SharedEconomicsState, SharedStats,
};
pub use spec_window::SpecWindow;
pub use step_loop_detector::{
    StepCategory, StepLoopDetector, StepThresholds, StepVerdict, Thresholds,
};
pub use tool_loop_detector::ToolLoopDetector;

/// One agent's timeline under a preset: what most classes here stand on.
#[derive(Clone, Debug)]
struct Watch {
    settings: Settings,
    identifier: Identifier,
    timeline: Timeline,
}

impl Watch {
    fn new(mut settings: Settings) -> Self {
        // Results, where a class takes any, belong to the call before.
        settings.memory.pending = 1;
        Self {
            identifier: Identifier::new(&settings),
            timeline: Timeline::new(&settings),
            settings,
        }
    }

    fn record(&mut self, action: Action) {
        self.timeline
            .record_call(action, Box::default(), 0, &self.settings);
    }

    fn reset(&mut self) {
        self.timeline.reset(&self.settings);
    }

    fn action(&self, tool: &str, args: &Json) -> Action {
        self.identifier
            .action(&Call::new("", tool, args.clone()), None)
    }

    fn spot(&self, rule: RuleName, moment: &Moment<'_>) -> Option<Spotted> {
        let scene = Scene {
            settings: &self.settings,
            timeline: &self.timeline,
            swarm: None,
            line: 0,
        };
        rule.spot(moment, &scene)
    }

    /// The nudge of a rule that has reached its first threshold.
    fn nudge(&self, rule: RuleName, moment: &Moment<'_>) -> Option<String> {
        let spotted = self.spot(rule, moment)?;
        let reached = self
            .settings
            .rules
            .ladder(rule)
            .nudge
            .reached(spotted.weight);
        reached.then(|| self.write(&spotted, Verdict::Nudge, Some(Level::Notice)))
    }

    fn write(&self, spotted: &Spotted, verdict: Verdict, level: Option<Level>) -> String {
        nudge::write(&self.settings, spotted, verdict, level).into()
    }
}
