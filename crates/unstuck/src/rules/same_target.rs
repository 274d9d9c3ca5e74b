//! `same-target`: one target is set again and again, and nothing is read in between.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

#[cfg(test)]
use super::Example;
use super::{
    Advice, Context, Detection, Happened, Rule, RuleText, TextContext, Traits, Trigger, documented,
    restarts,
};
use crate::{
    event::Line,
    facts::{CallView, Ending, Target, name_mark},
    fingerprint::Mark,
    memory::{Last, PerTurn},
    options::{Ladder, nonzero, options},
    state::{CompletedCall, Novelty, State},
};
documented! {
    /// ## What it does
    ///
    /// Counts how often one field, file, plan or setting is given another value, as long as nothing is read in between and
    /// the calls return no more than an acknowledgement.
    ///
    /// It also counts calls of one tool in a row whose results are not known. From `unknown` calls on that counts as much as
    /// the first threshold: an agent that clicks on and never looks does not know what it does.
    ///
    /// ## Why
    ///
    /// A value that is set without a look at what it does is a guess, and the next one is another guess. The arguments
    /// differ with every call and the answer is the same, so no rule about repeats reports it.
    ///
    /// ## Example
    ///
    /// ```text
    /// set_field {"field":"amount","value":"410.00"}   -> updated
    /// set_field {"field":"amount","value":"381.30"}   -> updated
    /// set_field {"field":"amount","value":"354.61"}   -> updated
    /// set_field {"field":"amount","value":"329.79"}   -> updated
    /// set_field {"field":"amount","value":"306.70"}   -> updated     nudge
    /// ```
    ///
    /// ## Not a loop when
    ///
    /// - something is read, run or tested in between, and it returns something;
    /// - the result shows what the new value does;
    /// - other fields are set: a form is filled in;
    /// - the call adds something, such as a message, a line or an entry, or edits one of many places of a file;
    /// - the calls were made in one round, side by side.
    ///
    /// ## Options
    ///
    /// - `nudge`, `warning`, `critical`, `deny`, `halt`: the thresholds, in calls, including the first.
    ///   Where `deny` is `"never"`, a call is denied after `policy.nudges_before_denial` nudges in one streak, and the run is halted
    ///   after as many denials.
    /// - `unknown`: calls of one tool in a row without a known result that reach the first threshold.
}

options! {
    /// Options of `same-target`.
    SameTarget {
        /// Calls of one tool in a row without a known result that reach the first threshold.
        unknown: NonZeroU32,
    }
}

/// Targets that are remembered.
const TARGETS: usize = 8;

/// Targets that were set since something was read, the latest last, and calls without a known result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SetTargets {
    targets: Last<Setting, TARGETS>,
    /// Whether the call that returned last set the latest target.
    set: bool,
    blind: Blind,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Setting {
    target: Mark,
    count: u32,
    from: Line,
    /// The last call, and its result.
    line: Line,
    round: u32,
    outcome: Mark,
}

/// Calls of one tool in a row without a known result.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Blind {
    tool: Mark,
    count: u32,
    from: Line,
}

restarts!(SetTargets, version 1);

impl SetTargets {
    fn record(&mut self, target: Option<Target>, done: &CompletedCall) {
        self.blind.record(done);
        self.set = false;
        let Some(target) = target else {
            // Whatever it returned, the agent has looked.
            if done.result.ending == Ending::Success && !done.result.silent {
                self.targets.clear();
            }
            return;
        };
        let call = &done.call;
        let known = self.targets.take(|setting| setting.target == target.0);
        // What a call returns beyond an acknowledgement shows what the value does, unless it returned that before.
        let before = known.as_ref().map(|setting| setting.outcome);
        let goes_on = !has_news(done) || before == Some(done.result.outcome);
        let fresh = Setting {
            target: target.0,
            count: 0,
            from: call.line,
            line: 0,
            round: 0,
            outcome: Mark::default(),
        };
        let mut setting = known.filter(|_| goes_on).unwrap_or(fresh);
        let beside = setting.count > 0 && call.is_beside(setting.round, setting.line);
        setting.count = setting.count.saturating_add(u32::from(!beside));
        setting.line = call.line;
        setting.round = call.round;
        setting.outcome = done.result.outcome;
        self.targets.push(setting);
        self.set = !beside;
    }

    fn latest(&self) -> Option<&Setting> {
        self.targets.last().filter(|_| self.set)
    }
}

impl Blind {
    fn record(&mut self, done: &CompletedCall) {
        if !done.result.unknown {
            *self = Self::default();
            return;
        }
        let tool = name_mark(&done.call.facts.tool);
        if self.tool == tool && self.count > 0 {
            self.count = self.count.saturating_add(1);
        } else {
            *self = Self {
                tool,
                count: 1,
                from: done.call.line,
            };
        }
    }
}

/// Whether a call returned something that the agent did not have.
fn has_news(done: &CompletedCall) -> bool {
    done.result.ending == Ending::Success && done.novelty == Novelty::New && !done.result.silent
}

impl SameTarget {
    /// The weight of calls without a known result.
    fn weight(&self, blind: &Blind) -> u32 {
        // Most results are known.
        let Some(more) = blind.count.checked_sub(self.unknown.get()) else {
            return 0;
        };
        let first = self.ladder().first().unwrap_or(u32::MAX);
        first.saturating_add(more)
    }
}

impl Rule for SameTarget {
    const NAME: &'static str = "same-target";
    const SUMMARY: &'static str =
        "One target is set again and again, and nothing is read in between.";
    const DOC: &'static str = DOC;
    const TRAITS: Traits = Traits {
        advice: Advice::Summarise,
        ends: true,
        ..Traits::CALLS
    };

    type State = PerTurn<SetTargets>;

    /// What the call sets.
    type CallFact = Option<Target>;

    fn standard() -> Self {
        Self::with(Ladder::new(5, 0, 0), nonzero!(12))
    }

    fn extract(&self, call: &CallView<'_>) -> Self::CallFact {
        Target::of(call)
    }

    fn record(&self, state: &mut Self::State, happened: &Happened<'_>, _: &State) {
        if let Happened::Result(done, facts) = happened
            && done.settled()
        {
            state.record(facts.same_target, done);
        }
    }

    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection> {
        // A value is corrected once or twice: nothing is reported below the first threshold.
        let first = self.ladder().first()?;
        match trigger {
            Trigger::Call(call) => {
                let facts = &call.facts;
                let blind = &state.blind;
                let of_target = context.facts.same_target.and_then(|target| {
                    let mut targets = state.targets.iter();
                    let setting = targets.find(|setting| setting.target == target.0)?;
                    (setting.count >= first).then(|| setting.detection(&facts.label))
                });
                let detection = of_target.or_else(|| {
                    let weight = self.weight(blind);
                    let goes_on = weight >= first && blind.tool == name_mark(&facts.tool);
                    goes_on.then(|| blind.detection(weight, &facts.label))
                })?;
                Some(detection.of_tool(&facts.tool).force_only())
            }
            Trigger::Result(done) => {
                let facts = &done.call.facts;
                let latest = state.latest().filter(|setting| setting.count >= first);
                let of_target = latest.map(|setting| setting.detection(&facts.label));
                let detection = of_target.or_else(|| {
                    let weight = self.weight(&state.blind);
                    (weight >= first).then(|| state.blind.detection(weight, &facts.label))
                })?;
                Some(detection.of_tool(&facts.tool))
            }
            _ => None,
        }
    }

    fn text(context: &TextContext<'_>) -> RuleText {
        RuleText {
            seen: if context.ahead() {
                "{count} calls gave one target a value, nothing was read in between, and {what} gives it another one."
            } else {
                "{count} calls gave one target a value, the last one {what}, and nothing was read in between."
            },
            returned: "",
            advice: " Look at what the last value did before you set another one: read the target, or what depends on it. If it cannot be read, decide on a value and go on.",
        }
    }

    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[text_of_unknown];

    #[cfg(test)]
    fn examples() -> Vec<Example> {
        tests::examples()
    }
}

impl Setting {
    fn detection(&self, label: &str) -> Detection {
        Detection::new(self.count, self.from, self.target, label)
    }
}

impl Blind {
    fn detection(&self, weight: u32, label: &str) -> Detection {
        let detection = Detection::new(self.count, self.from, self.tool, label);
        detection.weighing(weight).worded(text_of_unknown)
    }
}

fn text_of_unknown(context: &TextContext<'_>) -> RuleText {
    RuleText {
        seen: if context.ahead() {
            "{count} calls of {tool} in a row returned nothing, and {what} is another one."
        } else {
            "{count} calls of {tool} in a row returned nothing, the last one {what}."
        },
        returned: "",
        advice: " What they did is not known. Look at the present state with another tool before you go on.",
    }
}

#[cfg(test)]
#[path = "same_target_tests.rs"]
mod tests;
