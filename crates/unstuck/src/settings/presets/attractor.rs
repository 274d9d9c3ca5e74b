//! `attractor`: cycles of one, two and three calls.

use super::founding;
use crate::{
    options::Bounded,
    rules::RuleName,
    settings::{Cycle, CycleOf, Ladder, Occasion, OnUser, Preset, Rung, Settings, TextSet},
};

pub(in crate::settings) fn settings() -> Settings {
    let ladder = Ladder {
        nudge: Rung::at(1),
        warning: Rung::at(2),
        halt: Rung::at(3),
        ..Ladder::default()
    };
    let mut settings = founding(Preset::Attractor);
    settings.text_set = TextSet::Attractor;
    settings.rules.cycle = Cycle::with(
        ladder,
        CycleOf::Calls,
        Bounded::of::<1>(),
        Bounded::of::<3>(),
    );
    settings.policy.on_user = OnUser::ClearPatterns;
    settings
}

/// The texts of this system, where it has its own.
pub(in crate::settings) fn text(rule: RuleName, occasion: Occasion) -> Option<&'static str> {
    if rule != RuleName::Cycle {
        return None;
    }
    Some(match occasion {
        Occasion::Notice => {
            "Loop detected: this sequence of tool calls has now run {laps} times without visible progress:{pattern}\nTry a different approach: read the last error closely, choose another strategy, or split the problem into smaller steps."
        }
        Occasion::Halt => {
            "LOOP_DETECTED: this sequence of tool calls came round again after two warnings:{pattern}\nThe session is stopped. Report what was tried and what blocks the task."
        }
        Occasion::Warning | Occasion::Critical | Occasion::Deny => {
            "Loop detected again: the sequence you were warned about is back, now {laps} laps:{pattern}\nDo one of these instead: (1) read the file or the error output you have not looked at yet; (2) use another tool for the same goal; (3) test one smaller part alone; (4) tell the user what blocks you and ask. Once more, and the session is stopped."
        }
    })
}
