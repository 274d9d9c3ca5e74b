//! The last few calls, as they were made.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Line;
use crate::{
    fingerprint::Mark,
    identity::{Action, Label},
};

/// The last few calls. Only systems that look at calls alone keep one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tail {
    calls: VecDeque<TailCall>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct TailCall {
    exact: Mark,
    coarse: Mark,
    line: Line,
    label: Label,
}

/// Equal calls found in the tail.
pub(crate) struct Equals<'a> {
    pub(crate) count: u32,
    pub(crate) from: Line,
    pub(crate) label: &'a str,
    pub(crate) mark: Mark,
}

impl Tail {
    pub(super) fn push(&mut self, action: &Action, line: Line, window: u32) {
        while self.calls.len() >= window.max(1) as usize {
            self.calls.pop_front();
        }
        self.calls.push_back(TailCall {
            exact: action.exact,
            coarse: action.coarse.mark(),
            line,
            label: action.label.clone(),
        });
    }

    /// Calls at the end of the tail that are equal to `exact`, without the coming one.
    pub(crate) fn exact_streak(&self, exact: Mark, window: u32) -> (u32, Option<Line>) {
        self.streak(window, |call| call.exact == exact)
    }

    /// Calls at the end of the tail that are similar, without the coming one.
    pub(crate) fn coarse_streak(&self, coarse: Mark, window: u32) -> (u32, Option<Line>) {
        self.streak(window, |call| call.coarse == coarse)
    }

    fn streak(&self, window: u32, same: impl Fn(&TailCall) -> bool) -> (u32, Option<Line>) {
        // The coming call takes a place of the window itself.
        let looked_at = self
            .calls
            .iter()
            .rev()
            .take(window.saturating_sub(1) as usize);
        let streak = looked_at.take_while(|call| same(call));
        streak.fold((0, None), |(count, _), call| (count + 1, Some(call.line)))
    }

    /// The call that occurs most often among the last ones; the one made first where several do.
    pub(crate) fn most_frequent(&self, window: u32) -> Option<Equals<'_>> {
        let skipped = self.calls.len().saturating_sub(window as usize);
        let calls = || self.calls.iter().skip(skipped);
        let mut best: Option<Equals<'_>> = None;
        for (at, call) in calls().enumerate() {
            if calls().take(at).any(|earlier| earlier.exact == call.exact) {
                continue;
            }
            let equal = || calls().filter(|other| other.exact == call.exact);
            let count = equal().count() as u32;
            if best.as_ref().is_none_or(|best| count > best.count) {
                best = Some(Equals {
                    count,
                    from: call.line,
                    // State stores only the tool of a call that was not seen before, so the last one tells most.
                    label: &equal().next_back().unwrap_or(call).label,
                    mark: call.exact,
                });
            }
        }
        best
    }

    pub(crate) fn contains(&self, exact: Mark, coarse: Mark) -> bool {
        self.calls
            .iter()
            .any(|call| call.exact == exact || call.coarse == coarse)
    }
}
