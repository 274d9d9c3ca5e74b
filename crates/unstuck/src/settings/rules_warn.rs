//! Rules that can never fire, and thresholds that can never be reached.

use super::{
    CountCalls, CountFailures, DenyRung, JudgeSteps, Ladder, Rules, SettingsWarning, SwarmCount,
};
use crate::rules::RuleName;

impl Rules {
    pub(super) fn warn(&self, warnings: &mut Vec<SettingsWarning>) {
        for &rule in RuleName::ALL {
            if self.is_enabled(rule) {
                self.warn_rule(rule, warnings);
            }
        }
    }

    fn warn_rule(&self, rule: RuleName, warnings: &mut Vec<SettingsWarning>) {
        let table = format!("rules.{rule}");
        let mut warn = |keys: &[&str], message: String| {
            let keys = keys.iter().map(|key| format!("{table}.{key}"));
            warnings.push(SettingsWarning::new(keys, message));
        };
        let ladder = self.ladder(rule);
        match rule {
            RuleName::ExactRepeat => {
                let options = &self.exact_repeat;
                if options.count != CountCalls::Outcomes
                    && let Some(message) = beyond_window(&ladder, options.window)
                {
                    warn(&["window", "count"], message);
                }
            }
            RuleName::NearRepeat => {
                let options = &self.near_repeat;
                if options.count == CountCalls::CallsInWindow {
                    let message = "the rule can never fire, because it does not know `count = \"calls-in-window\"`; only `exact-repeat` does";
                    warn(&["count"], message.into());
                } else if options.count != CountCalls::Outcomes
                    && let Some(message) = beyond_window(&ladder, options.window)
                {
                    warn(&["window", "count"], message);
                }
            }
            RuleName::Cycle if self.cycle.shortest > self.cycle.longest => {
                let message = format!(
                    "the rule can never fire, because `shortest = {}` is above `longest = {}`",
                    self.cycle.shortest, self.cycle.longest
                );
                warn(&["shortest", "longest"], message);
            }
            RuleName::CallBurst if self.call_burst.window_ms == 0 => {
                let message = "the rule can never fire, because `window_ms = 0` holds no call";
                warn(&["window_ms"], message.into());
            }
            RuleName::Budget => {
                let budget = &self.budget;
                let unlimited = budget.steps.is_none()
                    && budget.tokens.is_none()
                    && budget.cost.is_none()
                    && budget.seconds.is_none();
                if unlimited {
                    let message = "the rule can never fire without a limit; set `steps`, `tokens`, `cost` or `seconds`";
                    warn(&["enabled"], message.into());
                }
                if budget.nudge_percent.is_some_and(|percent| percent >= 100) {
                    let message = "a nudge at 100 percent can never be reached, because the run is halted there";
                    warn(&["nudge_percent"], message.into());
                }
                return;
            }
            _ => {}
        }
        if rule == RuleName::CallBurst {
            return;
        }
        if ladder.first().is_none() && ladder.deny == DenyRung::Never {
            let message =
                "the rule can never fire without a threshold; set `nudge`, `deny` or `halt`";
            warn(&["enabled", "nudge", "halt"], message.into());
        }
        if ladder.deny != DenyRung::Never && !self.speaks_before_calls(rule) {
            let message = "no call is ever denied, because the rule judges what has already run; and `halt` is not reached while there is a `deny` threshold";
            warn(&["deny"], message.into());
        }
        ladder.warn(&table, warnings);
    }

    /// Does the rule judge calls before they run? The others see results, steps and turns.
    fn speaks_before_calls(&self, rule: RuleName) -> bool {
        match rule {
            RuleName::ExactRepeat => self.exact_repeat.count != CountCalls::CallsInWindow,
            RuleName::FailureCascade => self.failure_cascade.count == CountFailures::SameError,
            RuleName::SwarmLoop => self.swarm_loop.count == SwarmCount::EveryCall,
            RuleName::StuckOutcome => self.stuck_outcome.judge == JudgeSteps::StepsAndCalls,
            RuleName::NearRepeat
            | RuleName::Cycle
            | RuleName::UnknownTool
            | RuleName::InvalidCall
            | RuleName::NoOp
            | RuleName::EditRevert
            | RuleName::Poll
            | RuleName::CallBurst
            | RuleName::Budget => true,
            RuleName::Aimless
            | RuleName::Stagnation
            | RuleName::TestFixCycle
            | RuleName::Chant
            | RuleName::Relay
            | RuleName::SummaryLoop => false,
        }
    }
}

/// What to say where the first threshold lies beyond the calls that are looked at.
fn beyond_window(ladder: &Ladder, window: u32) -> Option<String> {
    let first = ladder.first().filter(|first| *first > window)?;
    Some(format!(
        "the rule can never fire, because only {window} calls are looked at and its first threshold is {first}"
    ))
}
