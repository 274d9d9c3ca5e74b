//! `budget`: limits on steps, tokens, cost and time.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

use super::{
    About, Advice, Carry, Context, Detection, Rule, RuleText, TextContext, Traits, Trigger,
    documented,
};
use crate::{
    fingerprint::Mark,
    options::{Bounded, Cost, Ladder, Options, RuleWarnings, Tightening},
};

documented! {
    /// ## What it does
    ///
    /// Halts a run that has used up its steps, tokens, money or time. With `nudge_percent` it also gives a nudge before
    /// that. It is off unless a limit is set.
    ///
    /// ## Why
    ///
    /// It ends loops that no other rule recognises, and it limits what a run can cost.
    ///
    /// ## Example
    ///
    /// ```toml
    /// [rules.budget]
    /// enabled = true
    /// steps = 200
    /// seconds = 1800
    /// nudge_percent = 80
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - (no exception): the limits apply to useful work as well.
    ///
    /// ## Options
    ///
    /// - `steps`: tool calls and steps. `tokens`, `cost`: as reported with `turn` events (`tokens`, `cost`).
    ///   `seconds`: from the first event.
    /// - `nudge_percent`: the share of a limit at which a nudge is given.
}

/// Options of `budget`. A limit that is not set does not apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Budget {
    /// Whether the rule is on.
    pub enabled: bool,
    /// Limit on the number of tool calls and steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<NonZeroU64>,
    /// Limit on tokens, as reported with `turn` events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<NonZeroU64>,
    /// Limit on cost, as reported with `turn` events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Limit on seconds from the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<NonZeroU64>,
    /// Share of a limit, in percent, at which a nudge is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_percent: Option<Bounded<1, 100>>,
}

impl Options for Budget {
    fn enabled(&self) -> bool {
        self.enabled
    }

    fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// A budget is counted in percent of its limit.
    fn ladder(&self) -> Ladder {
        Ladder::new(self.nudge_percent.map_or(0, Bounded::get), 0, 100)
    }

    /// No preset has a budget, so there is no smallest one.
    fn tightens(&self, base: &Self, _: &Self, tightening: &mut Tightening<'_>) {
        tightening.same("enabled", &self.enabled, &base.enabled);
        tightening.same("steps", &self.steps, &base.steps);
        tightening.same("tokens", &self.tokens, &base.tokens);
        tightening.same("cost", &self.cost, &base.cost);
        tightening.same("seconds", &self.seconds, &base.seconds);
        tightening.same("nudge_percent", &self.nudge_percent, &base.nudge_percent);
    }
}

impl Rule for Budget {
    const NAME: &'static str = "budget";
    const SUMMARY: &'static str = "A limit on steps, tokens, cost or time is reached.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        about: About::Budget,
        wastes_calls: false,
        // The share that is used includes what was used before.
        relapse: Carry::Nothing,
        advice: Advice::Escalate,
        ..Traits::CALLS
    };

    type State = ();
    type CallFact = ();

    /// Off: there is no limit that fits all.
    fn standard() -> Self {
        Self::default()
    }

    fn warn(&self, warnings: &mut RuleWarnings<'_>) {
        if self.steps.is_none()
            && self.tokens.is_none()
            && self.cost.is_none()
            && self.seconds.is_none()
        {
            let message = "the rule can never fire without a limit; set `steps`, `tokens`, `cost` or `seconds`";
            warnings.push(&["enabled"], message);
        }
        if self
            .nudge_percent
            .is_some_and(|percent| percent.get() == 100)
        {
            let message =
                "a nudge at 100 percent can never be reached, because the run is halted there";
            warnings.push(&["nudge_percent"], message);
        }
    }

    fn detect(&self, (): &(), trigger: &Trigger<'_>, context: &Context<'_>) -> Option<Detection> {
        let spent = &context.shared.spent;
        // The call about to be made counts, so that the first call beyond the limit is the one that halts.
        let coming = u64::from(matches!(trigger, Trigger::Call(_)));
        let steps = spent.steps.saturating_add(coming);
        let limits = [
            (
                "steps",
                amount(steps),
                self.steps
                    .map(|limit| amount(limit.get().saturating_add(1))),
            ),
            (
                "tokens",
                amount(spent.tokens),
                self.tokens.map(|limit| amount(limit.get())),
            ),
            (
                "cost",
                amount(spent.cost_micros) / 1e6,
                self.cost.map(Cost::get),
            ),
            (
                "seconds",
                amount(spent.milliseconds) / 1e3,
                self.seconds.map(|limit| amount(limit.get())),
            ),
        ];
        let share = |used: f64, limit: f64| {
            if limit > 0.0 {
                used / limit * 100.0
            } else {
                100.0
            }
        };
        let (name, used, limit) = limits
            .into_iter()
            .filter_map(|(name, used, limit)| Some((name, used, limit?)))
            .max_by(|a, b| share(a.1, a.2).total_cmp(&share(b.1, b.2)))?;
        #[expect(clippy::cast_sign_loss, reason = "what was used is never negative")]
        let percent = share(used, limit).min(1e6) as u32;
        let first_rung = self.nudge_percent.map_or(100, Bounded::get);
        if percent < first_rung {
            return None;
        }
        // A budget is used up from the first event on: all of it is one streak.
        let mut detection = Detection::new(1, 1, Mark(0), None).weighing(percent);
        // The limit is the number of steps that are allowed.
        let (used, limit) = match name {
            "steps" => (amount(spent.steps), limit - 1.0),
            _ => (used, limit),
        };
        detection.pattern = vec![format!("{name} {used} of {limit}").into()];
        let used = format!("{used}");
        let unit = match &*used {
            "1" => name.trim_end_matches('s'),
            _ => name,
        };
        detection.facts.budget = Some((format!("{used} {unit}").into(), format!("{limit}").into()));
        Some(detection)
    }

    fn text(_: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: "The run has used {used} of {limit}.",
            returned: "",
            advice: " Finish what is in hand, and report what is done and what is left.",
        }
    }
}

/// An amount for a share in percent: beyond 2^53 the last digits do not matter.
#[expect(clippy::cast_precision_loss, reason = "as the comment says")]
fn amount(value: u64) -> f64 {
    value as f64
}
