//! Options of every rule.

use serde::{Deserialize, Serialize};

use super::{DenyRung, Ladder, Rung};
use crate::rules::RuleName;

/// Declares the options of a rule that has a ladder: the thresholds, and what is the rule's own.
macro_rules! laddered {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $name {
            /// Whether the rule looks at all.
            pub enabled: bool,
            /// Occurrences that give a first nudge.
            pub nudge: Rung,
            /// Occurrences that give a nudge of level 2 at once; without it, the second nudge of a pattern has level 2.
            pub warning: Rung,
            /// Occurrences that give a nudge of level 3 at once; without it, the third nudge of a pattern has level 3.
            pub critical: Rung,
            /// Occurrences from which the call is denied.
            pub deny: DenyRung,
            /// Occurrences from which the run is halted.
            pub halt: Rung,
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $name {
            /// The rule's thresholds.
            pub fn ladder(&self) -> Ladder {
                Ladder {
                    nudge: self.nudge,
                    warning: self.warning,
                    critical: self.critical,
                    deny: self.deny,
                    halt: self.halt,
                }
            }

            pub(super) fn with(enabled: bool, ladder: Ladder, $($field: $type),*) -> Self {
                let Ladder { nudge, warning, critical, deny, halt } = ladder;
                Self { enabled, nudge, warning, critical, deny, halt, $($field),* }
            }
        }
    };
}

/// Declares a choice written in kebab-case.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_meta])* $variant,)* }
    };
}

choice! {
    /// What makes an equal call count.
    CountCalls {
        /// It came back with the same outcome and nothing was achieved in between.
        Outcomes,
        /// It is equal to the call before, whatever came back; `window` calls are looked at.
        CallsInARow,
        /// It is among the last `window` calls, whatever came back; judged when the turn ends.
        CallsInWindow,
    }
}

choice! {
    /// What a cycle is made of.
    CycleOf {
        /// Calls with their outcomes.
        Steps,
        /// Calls alone; every complete repetition of a pattern counts, also after a break.
        Calls,
    }
}

choice! {
    /// What the progress matrix judges.
    JudgeSteps {
        /// `step` events.
        Steps,
        /// `step` events, and calls with their results where no other rule speaks.
        StepsAndCalls,
    }
}

choice! {
    /// Which failures count.
    CountFailures {
        /// Failures in a row that came with errors seen before in that row, whichever the tool.
        SameError,
        /// Failures in a row of the shell, whatever the error.
        Shell,
    }
}

choice! {
    /// Which test failures count.
    CountTests {
        /// Failing runs in a row that failed in the same way.
        SameFailure,
        /// Failing runs of the shell in a row, however they failed.
        AnyFailure,
    }
}

choice! {
    /// From when on turns without a call count.
    CountTurns {
        /// From the start.
        Always,
        /// Once the agent has called a tool, and unless it reports something done: an agent that only ever talks is not
        /// avoiding work, and neither is one that has finished.
        AfterWork,
    }
}

choice! {
    /// Which calls count towards a swarm loop.
    SwarmCount {
        /// Every call.
        EveryCall,
        /// Calls that failed, or that brought the same worker nothing new.
        Fruitless,
    }
}

choice! {
    /// What a window is worth while time stands still.
    WithoutTime {
        /// All calls are in it: the one after the last that may pass is denied, and so is every later one.
        Count,
        /// Nothing: a guard that does not know the time cannot say what is fast.
        Ignore,
    }
}

laddered! {
    /// Options of `exact-repeat`.
    ExactRepeat {
        /// What makes an equal call count.
        count: CountCalls,
        /// Calls looked at where only calls count.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        window: u32,
    }
}

laddered! {
    /// Options of `near-repeat`.
    NearRepeat {
        /// What makes a similar call count.
        count: CountCalls,
        /// Calls looked at where only calls count.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        window: u32,
    }
}

laddered! {
    /// Options of `cycle`.
    Cycle {
        /// What a cycle is made of.
        of: CycleOf,
        /// The shortest period.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16)))]
        shortest: u8,
        /// The longest period, 16 at most.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16)))]
        longest: u8,
    }
}

laddered! {
    /// Options of `stagnation`. Its counts are steps that brought nothing new: the first occurrence is not one.
    Stagnation {
        /// What is judged.
        judge: JudgeSteps,
        /// Approaches and outcomes that are remembered, each.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        memory: u32,
    }
}

laddered! {
    /// Options of `stuck-outcome`. Its counts are steps that brought nothing new: the first occurrence is not one.
    StuckOutcome {
        /// What is judged.
        judge: JudgeSteps,
        /// Approaches and outcomes that are remembered, each.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        memory: u32,
    }
}

laddered! {
    /// Options of `failure-cascade`.
    FailureCascade {
        /// Which failures count.
        count: CountFailures,
    }
}

laddered! {
    /// Options of `test-fix-cycle`.
    TestFixCycle {
        /// Which test failures count.
        count: CountTests,
    }
}

laddered! {
    /// Options of `unknown-tool`.
    UnknownTool {}
}

laddered! {
    /// Options of `invalid-call`.
    InvalidCall {}
}

laddered! {
    /// Options of `no-op`.
    NoOp {}
}

laddered! {
    /// Options of `edit-revert`. Its counts are returns.
    EditRevert {}
}

laddered! {
    /// Options of `poll`. Its counts are looks that followed each other within ten seconds.
    Poll {
        /// Looks with the same answer, however slow, at which a nudge is given all the same.
        slow_nudge: u32,
    }
}

laddered! {
    /// Options of `chant`. Its counts are findings: going on for as long again is a second one.
    Chant {}
}

laddered! {
    /// Options of `summary-loop`.
    SummaryLoop {
        /// From when on turns without a call count.
        count: CountTurns,
    }
}

laddered! {
    /// Options of `aimless`.
    Aimless {}
}

laddered! {
    /// Options of `swarm-loop`. Its counts are calls of the whole swarm.
    SwarmLoop {
        /// Which calls count.
        count: SwarmCount,
        /// Workers that must have taken part; no more than 64 are told apart.
        #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
        workers: u32,
    }
}

laddered! {
    /// Options of `relay`. Its counts are messages.
    Relay {}
}

/// Options of `call-burst`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CallBurst {
    /// Whether the rule looks at all.
    pub enabled: bool,
    /// Identical calls that pass within the window; the next one is denied.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub limit: u32,
    /// The window, in milliseconds. A call exactly this old has left it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub window_ms: u64,
    /// Whether a breaker that has opened lets one call through to see if things changed, before it closes.
    pub half_open: bool,
    /// What to do while no event has said what time it is.
    pub without_time: WithoutTime,
    /// Different calls whose windows are kept.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub keys: u32,
}

/// Options of `budget`. A limit that is not set is no limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Budget {
    /// Whether the rule looks at all.
    pub enabled: bool,
    /// Tool calls and steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub steps: Option<u64>,
    /// Tokens, as reported with turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub tokens: Option<u64>,
    /// Money, as reported with turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub cost: Option<f64>,
    /// Seconds from the first event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub seconds: Option<u64>,
    /// The share of a limit, in percent, at which a nudge is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub nudge_percent: Option<u32>,
}

/// Options of every rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Rules {
    /// The same call with the same outcome.
    pub exact_repeat: ExactRepeat,
    /// A similar call with the same outcome.
    pub near_repeat: NearRepeat,
    /// Calls that go round.
    pub cycle: Cycle,
    /// An old approach with an old outcome.
    pub stagnation: Stagnation,
    /// A new approach with an old outcome.
    pub stuck_outcome: StuckOutcome,
    /// Failures in a row.
    pub failure_cascade: FailureCascade,
    /// Tests that keep failing in the same way.
    pub test_fix_cycle: TestFixCycle,
    /// Calls of tools that are not there.
    pub unknown_tool: UnknownTool,
    /// Calls whose arguments are refused.
    pub invalid_call: InvalidCall,
    /// Changes that change nothing.
    pub no_op: NoOp,
    /// Files that return to a state they had.
    pub edit_revert: EditRevert,
    /// Looking again whether something is done.
    pub poll: Poll,
    /// Text that repeats itself.
    pub chant: Chant,
    /// Turns of words without work.
    pub summary_loop: SummaryLoop,
    /// Identical calls in a short time.
    pub call_burst: CallBurst,
    /// Reading without end.
    pub aimless: Aimless,
    /// One call across the workers of a swarm.
    pub swarm_loop: SwarmLoop,
    /// Messages that go round between agents.
    pub relay: Relay,
    /// Limits on steps, tokens, cost and time.
    pub budget: Budget,
}

impl Rules {
    /// Is the rule on?
    pub fn is_enabled(&self, rule: RuleName) -> bool {
        match rule {
            RuleName::ExactRepeat => self.exact_repeat.enabled,
            RuleName::NearRepeat => self.near_repeat.enabled,
            RuleName::Cycle => self.cycle.enabled,
            RuleName::Stagnation => self.stagnation.enabled,
            RuleName::StuckOutcome => self.stuck_outcome.enabled,
            RuleName::FailureCascade => self.failure_cascade.enabled,
            RuleName::TestFixCycle => self.test_fix_cycle.enabled,
            RuleName::UnknownTool => self.unknown_tool.enabled,
            RuleName::InvalidCall => self.invalid_call.enabled,
            RuleName::NoOp => self.no_op.enabled,
            RuleName::EditRevert => self.edit_revert.enabled,
            RuleName::Poll => self.poll.enabled,
            RuleName::Chant => self.chant.enabled,
            RuleName::SummaryLoop => self.summary_loop.enabled,
            RuleName::CallBurst => self.call_burst.enabled,
            RuleName::Aimless => self.aimless.enabled,
            RuleName::SwarmLoop => self.swarm_loop.enabled,
            RuleName::Relay => self.relay.enabled,
            RuleName::Budget => self.budget.enabled,
        }
    }

    /// The rule's thresholds. A burst denies at once, a budget halts at once: theirs have a single threshold.
    pub fn ladder(&self, rule: RuleName) -> Ladder {
        match rule {
            RuleName::ExactRepeat => self.exact_repeat.ladder(),
            RuleName::NearRepeat => self.near_repeat.ladder(),
            RuleName::Cycle => self.cycle.ladder(),
            RuleName::Stagnation => self.stagnation.ladder(),
            RuleName::StuckOutcome => self.stuck_outcome.ladder(),
            RuleName::FailureCascade => self.failure_cascade.ladder(),
            RuleName::TestFixCycle => self.test_fix_cycle.ladder(),
            RuleName::UnknownTool => self.unknown_tool.ladder(),
            RuleName::InvalidCall => self.invalid_call.ladder(),
            RuleName::NoOp => self.no_op.ladder(),
            RuleName::EditRevert => self.edit_revert.ladder(),
            RuleName::Poll => self.poll.ladder(),
            RuleName::Chant => self.chant.ladder(),
            RuleName::SummaryLoop => self.summary_loop.ladder(),
            RuleName::CallBurst => Ladder::new(0, self.call_burst.limit.saturating_add(1), 0),
            RuleName::Aimless => self.aimless.ladder(),
            RuleName::SwarmLoop => self.swarm_loop.ladder(),
            RuleName::Relay => self.relay.ladder(),
            // A budget is counted in percent of its limit.
            RuleName::Budget => Ladder::new(self.budget.nudge_percent.unwrap_or(0), 0, 100),
        }
    }

    /// Does any rule compare what calls came back with?
    pub(crate) fn compare_outcomes(&self) -> bool {
        let repeats = |enabled, count| enabled && count == CountCalls::Outcomes;
        repeats(self.exact_repeat.enabled, self.exact_repeat.count)
            || repeats(self.near_repeat.enabled, self.near_repeat.count)
            || (self.cycle.enabled && self.cycle.of == CycleOf::Steps)
            || matches!(self.matrix(), Some((JudgeSteps::StepsAndCalls, _)))
            || (self.failure_cascade.enabled
                && self.failure_cascade.count == CountFailures::SameError)
            || (self.test_fix_cycle.enabled && self.test_fix_cycle.count == CountTests::SameFailure)
            || (self.call_burst.enabled && self.call_burst.half_open)
            || (self.swarm_loop.enabled && self.swarm_loop.count == SwarmCount::Fruitless)
    }

    /// Whether one of the rules that look at the progress matrix is on, and how much it remembers.
    pub(crate) fn matrix(&self) -> Option<(JudgeSteps, u32)> {
        let stagnation = &self.stagnation;
        let stuck = &self.stuck_outcome;
        let on = [
            (stagnation.enabled, stagnation.judge, stagnation.memory),
            (stuck.enabled, stuck.judge, stuck.memory),
        ];
        on.into_iter()
            .filter(|(enabled, ..)| *enabled)
            .map(|(_, judge, memory)| (judge, memory))
            .reduce(|(judge, memory), (other, more)| {
                let judge = if other == JudgeSteps::StepsAndCalls {
                    other
                } else {
                    judge
                };
                (judge, memory.max(more))
            })
    }
}
