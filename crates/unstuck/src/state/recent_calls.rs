//! The last few calls, as they were made: for systems that look at calls alone.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::MadeCall;
use crate::{
    event::Line,
    fingerprint::Mark,
    label::Label,
    memory::{cut_to, push_within},
};

/// The last few calls, each with the mark it is compared by. The window is a setting.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RecentCalls {
    calls: Vec<RecentCall>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RecentCall {
    mark: Mark,
    line: Line,
    label: Label,
}

/// Equal calls.
pub(crate) struct Equals<'a> {
    pub(crate) count: u32,
    pub(crate) from: Line,
    pub(crate) label: &'a str,
    pub(crate) mark: Mark,
}

impl RecentCalls {
    pub(crate) fn push(&mut self, mark: Mark, call: &MadeCall, window: NonZeroU32) {
        let call = RecentCall {
            mark,
            line: call.line,
            label: call.facts.label.clone(),
        };
        push_within(&mut self.calls, call, window.get() as usize);
    }

    /// Drops the oldest calls that are not within the window.
    pub(crate) fn cut(&mut self, window: NonZeroU32) {
        cut_to(&mut self.calls, window.get() as usize);
    }

    /// Number of equal calls at the end, without the coming one, and the line of the first. `None` if there are none.
    pub(crate) fn streak(&self, mark: Mark, window: NonZeroU32) -> Option<(u32, Line)> {
        // The coming call takes a place of the window itself.
        let looked_at = self.calls.iter().rev().take(window.get() as usize - 1);
        let streak = looked_at.take_while(|call| call.mark == mark);
        streak.fold(None, |streak, call| {
            let before = streak.map_or(0, |(count, _)| count);
            Some((before + 1, call.line))
        })
    }

    /// The call that occurs most often among the last ones; the one made first where several do.
    pub(crate) fn most_frequent(&self, window: NonZeroU32) -> Option<Equals<'_>> {
        let skipped = self.calls.len().saturating_sub(window.get() as usize);
        let calls = || self.calls.iter().skip(skipped);
        let mut best: Option<Equals<'_>> = None;
        for (at, call) in calls().enumerate() {
            if calls().take(at).any(|earlier| earlier.mark == call.mark) {
                continue;
            }
            let equal = || calls().filter(|other| other.mark == call.mark);
            let count = equal().count() as u32;
            if best.as_ref().is_none_or(|best| count > best.count) {
                best = Some(Equals {
                    count,
                    from: call.line,
                    // State stores only the tool of a call that was not seen before, so the last label is the most complete.
                    label: &equal().next_back().unwrap_or(call).label,
                    mark: call.mark,
                });
            }
        }
        best
    }

    pub(crate) fn contains(&self, mark: Mark) -> bool {
        self.calls.iter().any(|call| call.mark == mark)
    }
}
