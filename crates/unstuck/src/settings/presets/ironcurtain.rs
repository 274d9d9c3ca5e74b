//! `ironcurtain`: a matrix of approaches and outcomes for steps, a breaker for identical calls.

use std::num::NonZeroU32;

use super::founding;
use crate::{
    options::nonzero,
    rules::RuleName,
    settings::{
        CallBurst, JudgeSteps, Ladder, Occasion, Preset, Settings, Stagnation, StuckOutcome,
        TextSet, WithoutTime,
    },
};

/// Approaches and outcomes that are remembered, each: those of a session, as far as memory is bounded.
const MEMORY: NonZeroU32 = nonzero!(65_536);

pub(in crate::settings) fn settings() -> Settings {
    let mut settings = founding(Preset::Ironcurtain);
    settings.text_set = TextSet::Ironcurtain;
    let rules = &mut settings.rules;
    rules.stagnation = Stagnation::with(Ladder::new(3, 0, 5), JudgeSteps::Steps, MEMORY);
    rules.stuck_outcome = StuckOutcome::with(Ladder::new(5, 0, 8), JudgeSteps::Steps, MEMORY);
    rules.call_burst = CallBurst {
        half_open: false,
        without_time: WithoutTime::Count,
        keys: nonzero!(4_096),
        enabled: true,
        ..rules.call_burst
    };
    settings
}

/// The texts of this system, where it has its own.
pub(in crate::settings) fn text(rule: RuleName, occasion: Occasion) -> Option<&'static str> {
    Some(match (rule, occasion) {
        (RuleName::Stagnation, Occasion::Halt) => {
            "LOOP DETECTED: you keep repeating the same code with the same result. Execution is now blocked. Summarize what was tried, what came of it and what is missing, and stop."
        }
        (RuleName::Stagnation, _) => {
            "WARNING: the same code keeps giving the same result. Take a fundamentally different approach now ({count}/{block} before block)."
        }
        (RuleName::StuckOutcome, Occasion::Halt) => {
            "LOOP DETECTED: you are trying different approaches but getting the same result. Execution is now blocked. Summarize what was tried, what came of it and what is missing, and stop."
        }
        (RuleName::StuckOutcome, _) => {
            "WARNING: the approaches change, the result does not. Re-examine your assumptions before the next attempt ({count}/{block} before block)."
        }
        (RuleName::CallBurst, _) => {
            "CIRCUIT BREAKER: '{tool}' was called {limit} times with identical arguments within {seconds}s window. This call was not run. Try a different approach."
        }
        _ => return None,
    })
}
