//! `call-burst`: many identical calls in a short time.

mod breaker;

use std::num::{NonZeroU32, NonZeroU64};

use serde::{Deserialize, Serialize};

use super::{
    Context, Detection, Happened, Rule, RuleName, RuleState, RuleText, TextContext, Traits,
    Trigger, documented,
};
use crate::{
    facts::Needs,
    hash::Key,
    options::{Ladder, OnUser, Options, Room, RuleWarnings, Tightening, choice, nonzero},
    state::State,
    transition::Transition,
};
use breaker::{Admission, Breaker};

documented! {
    /// ## What it does
    ///
    /// Lets 20 identical calls through in any 60 seconds and denies the next. Denied calls are not counted, so the
    /// breaker lets calls through again as soon as old ones have left the window; in the standard preset first a single
    /// one, and more only if that one returned something new.
    ///
    /// ## Why
    ///
    /// Code that a model wrote can call a tool in a tight loop, thousands of times before the model sees anything. This
    /// rule looks at calls alone: it needs no results and never waits for any.
    ///
    /// ## Example
    ///
    /// ```text
    /// for (;;) fs.read_file("queue.json")      20 calls pass, then each is denied until a minute has gone by
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - the calls are spread over time, or events carry no time (`without_time`);
    /// - their arguments differ.
    ///
    /// ## Options
    ///
    /// - `limit`: identical calls that pass within the window.
    /// - `window_ms`: the window. A call exactly this old has left it.
    /// - `half_open`: whether an open breaker lets a single call through to see if things changed.
    /// - `without_time`: behaviour while no event has a time: `count` all calls, or `ignore` the window.
    /// - `keys`: number of different calls for which windows are kept.
}

choice! {
    /// How `call-burst` behaves when events carry no timestamps.
    WithoutTime {
        /// All calls are in the window: after `limit` identical calls, every further one is denied.
        Count,
        /// The rule is inactive: without timestamps it cannot measure a rate.
        Ignore,
    }
}

/// Options of `call-burst`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CallBurst {
    /// Whether the rule is on.
    pub enabled: bool,
    /// Identical calls that pass within the window; the next one is denied.
    pub limit: NonZeroU32,
    /// The window, in milliseconds. A call exactly this old has left it.
    pub window_ms: NonZeroU64,
    /// Whether a breaker that has opened lets one call through to see if things changed, before it closes.
    pub half_open: bool,
    /// How the rule behaves while no event has a time.
    pub without_time: WithoutTime,
    /// Number of different calls for which windows are kept.
    pub keys: NonZeroU32,
}

impl Options for CallBurst {
    fn enabled(&self) -> bool {
        self.enabled
    }

    fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// A burst is denied at once.
    fn ladder(&self) -> Ladder {
        Ladder::new(0, self.limit.get().saturating_add(1), 0)
    }

    fn tightens(&self, base: &Self, preset: &Self, tightening: &mut Tightening<'_>) {
        tightening.enabled(self.enabled, base.enabled);
        if self.enabled {
            let floor = preset.enabled.then_some(preset.limit.get());
            let before = base.enabled.then_some(base.limit.get());
            tightening.count("limit", Some(self.limit.get()), before, floor);
        }
        tightening.same("window_ms", &self.window_ms, &base.window_ms);
        tightening.same("half_open", &self.half_open, &base.half_open);
        tightening.same("without_time", &self.without_time, &base.without_time);
        tightening.same("keys", &self.keys, &base.keys);
    }
}

impl RuleState for Breaker {
    const VERSION: u8 = 1;

    fn empty(capacity: NonZeroU32, key: Key) -> Self {
        Self::new(capacity, key)
    }

    fn user(&mut self, _: OnUser) {}
}

impl Rule for CallBurst {
    const NAME: &'static str = "call-burst";
    const SUMMARY: &'static str = "Many identical calls in a short time.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits::CALLS;

    type State = Breaker;
    type CallFact = ();

    fn standard() -> Self {
        Self {
            enabled: true,
            limit: nonzero!(20),
            window_ms: nonzero!(60_000),
            half_open: true,
            without_time: WithoutTime::Ignore,
            keys: nonzero!(64),
        }
    }

    fn capacity(&self, _: &Room) -> NonZeroU32 {
        self.keys
    }

    fn cut(&self, state: &mut Self::State) {
        state.cut(self.limit);
    }

    fn needs(&self) -> Needs {
        Needs {
            outcomes: self.half_open,
            ..Needs::NOTHING
        }
    }

    /// Every value of the options has an effect.
    fn warn(&self, _: &mut RuleWarnings<'_>) {}

    fn record_change(
        &self,
        state: &mut Self::State,
        happened: &Happened<'_>,
        shared: &State,
    ) -> Option<Transition> {
        let now = shared.now();
        let change = match happened {
            Happened::Call(call) => state.pass(call.facts.exact, now, self),
            // Denials by other rules do not change the window.
            Happened::Denied(call, Some(RuleName::CallBurst)) => state.deny(call.facts.exact, now),
            Happened::Result(done, _) => {
                state.result(done.call.facts.exact, done.result.outcome, now, self)
            }
            Happened::Denied(..) | Happened::Text(..) | Happened::Turn(_) => None,
        };
        change.map(|(from, to)| Transition::of_breaker(Self::NAME, from, to))
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        let Trigger::Call(call) = trigger else {
            return None;
        };
        if context.shared.clock.is_none() && self.without_time == WithoutTime::Ignore {
            return None;
        }
        let facts = &call.facts;
        let now = context.shared.now();
        let Admission::Deny { passed, until } = state.admission(facts.exact, now, self) else {
            return None;
        };
        let repeats = passed.saturating_add(1);
        let detection = Detection::new(repeats, context.line, facts.exact, &*facts.label)
            // A half-open breaker denies below its limit, too.
            .weighing(passed.max(self.limit.get()).saturating_add(1))
            .retry_after(context.shared.clock.map(|now| until.since(now)))
            .of_tool(&facts.tool);
        Some(if passed < self.limit.get() {
            detection.worded(text_after_burst)
        } else {
            detection
        })
    }

    fn window(&self) -> Option<(u32, u64)> {
        Some((self.limit.get(), self.window_ms.get() / 1_000))
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "{count} equal calls of {what} were made within {seconds} seconds, this one included.",
            returned: "",
            advice: " The limit is {limit}. If this is a loop in code you wrote, end it. To wait for something, wait longer between calls.",
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_after_burst];
}

fn text_after_burst(_: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: "{what} was stopped as a burst before, and {count} calls of it were made within {seconds} seconds, this one included.",
        returned: "",
        advice: " If this is a loop in code you wrote, end it. To wait for something, wait longer between calls.",
    }
}
