#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod call_circuit_breaker;
mod cycle_detector;
mod loop_detector;
mod recent;
mod shared_economics_state;
mod spec_window;
mod step_loop_detector;
mod tool_loop_detector;

use unstuck::{
    Call, Decision, Engine, Event, EventKind, Json, RuleName, Settings, settings::Bounded,
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

/// Creates an engine for one agent whose results belong to the call before.
fn engine_for_one_agent(mut settings: Settings) -> Engine {
    settings.memory.sessions = Bounded::of::<1>();
    settings.memory.pending = Bounded::of::<1>();
    Engine::new(settings)
}

fn call(tool: &str, args: &Json) -> Event {
    Event::call(Call::new("", tool, args.clone()))
}

fn reset(engine: &mut Engine) {
    engine.observe(Event::new(EventKind::Reset));
}

/// Occurrences that a rule reports, the first one included.
fn repeats(decision: &Decision, rule: RuleName) -> Option<u32> {
    let mut findings = decision.findings.iter();
    let finding = findings.find(|finding| finding.rule == rule)?;
    Some(finding.repeats)
}
