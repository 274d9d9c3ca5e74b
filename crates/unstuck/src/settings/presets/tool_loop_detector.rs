//! `tool-loop-detector`: any call three times in the last twenty.

use super::founding;
use crate::{
    options::nonzero,
    settings::{CountCalls, ExactRepeat, Ladder, Preset, Settings},
};

pub(in crate::settings) fn settings() -> Settings {
    let mut settings = founding(Preset::ToolLoopDetector);
    settings.rules.exact_repeat = ExactRepeat::with(
        Ladder::new(0, 0, 3),
        CountCalls::CallsInWindow,
        nonzero!(20),
    );
    settings
}
