//! Rules: one file each.
//!
//! A rule is a pure function of the timeline that returns what it spotted, with the evidence. It counts nothing and
//! decides nothing: the timeline counts, the policy decides.

mod aimless;
mod budget;
mod call_burst;
mod chant;
mod cycle;
mod edit_revert;
mod exact_repeat;
mod failure_cascade;
mod invalid_call;
mod near_repeat;
mod no_op;
mod poll;
mod relay;
mod stagnation;
mod stuck_outcome;
mod summary_loop;
mod swarm_loop;
mod test_fix_cycle;
mod unknown_tool;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    decision::Finding,
    event::Role,
    fingerprint::Mark,
    identity::{Action, one_line},
    settings::Settings,
    swarm::Tally,
    timeline::{Done, Progress, Timeline},
};

/// Declares the text about a rule once, for rustdoc, `unstuck explain` and the rule pages.
macro_rules! documented {
    ($(#[doc = $line:literal])*) => {
        $(#[doc = $line])*
        pub(super) const DOC: &str = concat!($($line, "\n"),*);
    };
}
pub(crate) use documented;

/// Declares all rules, in the order that decides between equally strict ones.
macro_rules! rule_names {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal in $module:ident on $subject:ident,)*) => {
        /// The name of a rule. Names are stable: settings, decisions and reports refer to rules by them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum RuleName {
            $($(#[doc = $doc])* $variant,)*
        }

        impl RuleName {
            /// All rules, in the order that decides between equally strict ones.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// One line about the rule.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),*).trim_ascii(),)* }
            }

            fn doc(self) -> &'static str {
                match self { $(Self::$variant => $module::DOC,)* }
            }

            /// What it looks at.
            pub(crate) fn subject(self) -> Subject {
                match self { $(Self::$variant => Subject::$subject,)* }
            }

            pub(crate) fn spot(self, moment: &Moment<'_>, scene: &Scene<'_>) -> Option<Spotted> {
                match self { $(Self::$variant => $module::spot(moment, scene),)* }
            }
        }
    };
}

rule_names! {
    /// The same call came back with the same outcome, and nothing was achieved in between.
    ExactRepeat = "exact-repeat" in exact_repeat on WorkAndWords,
    /// A call that differs in nothing that matters came back with the same outcome.
    NearRepeat = "near-repeat" in near_repeat on Work,
    /// A sequence of calls goes round.
    Cycle = "cycle" in cycle on Work,
    /// Same actions, same results.
    Stagnation = "stagnation" in stagnation on Work,
    /// Different actions, same result.
    StuckOutcome = "stuck-outcome" in stuck_outcome on Work,
    /// Calls fail in a row with the same errors.
    FailureCascade = "failure-cascade" in failure_cascade on Work,
    /// Tests keep failing in the same way.
    TestFixCycle = "test-fix-cycle" in test_fix_cycle on Work,
    /// Calls of tools that are not there.
    UnknownTool = "unknown-tool" in unknown_tool on Work,
    /// Calls whose arguments are refused with the same complaint.
    InvalidCall = "invalid-call" in invalid_call on Work,
    /// Changes that change nothing.
    NoOp = "no-op" in no_op on Work,
    /// A file returns to a state it had, again and again.
    EditRevert = "edit-revert" in edit_revert on Work,
    /// Something is looked at again and again, and is not done yet.
    Poll = "poll" in poll on Work,
    /// Text or thinking repeats itself.
    Chant = "chant" in chant on Words,
    /// Several turns of text without a tool call.
    SummaryLoop = "summary-loop" in summary_loop on Words,
    /// Many identical calls in a short time.
    CallBurst = "call-burst" in call_burst on Work,
    /// Many calls in a row only read, and nothing is made of it.
    Aimless = "aimless" in aimless on Work,
    /// The workers of a swarm make the same call over and over.
    SwarmLoop = "swarm-loop" in swarm_loop on Work,
    /// Messages go round between agents.
    Relay = "relay" in relay on WorkAndWords,
    /// A limit on steps, tokens, cost or time is reached.
    Budget = "budget" in budget on WorkAndWords,
}

/// A name that is no rule's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule `{0}`")]
pub struct UnknownRule(pub String);

impl RuleName {
    /// Everything there is to know about the rule, as Markdown: what it does, why, an example, what is no loop, and
    /// its options.
    ///
    /// ```
    /// use unstuck::RuleName;
    ///
    /// assert!(RuleName::ExactRepeat.documentation().contains("## Not a loop when"));
    /// ```
    pub fn documentation(self) -> String {
        // Lines of doc comments start with the space that follows `///`.
        let lines = self
            .doc()
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.fold(String::new(), |text, line| text + line + "\n")
    }
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for RuleName {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|rule| rule.as_str() == name)
            .ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

/// What is being judged.
pub(crate) enum Moment<'a> {
    /// A call that is about to be made, and is not recorded yet.
    Call(&'a Action),
    /// A call that came back, recorded.
    Result(&'a Done),
    /// A step, recorded.
    Step(Progress),
    /// Words, taken in.
    Text(Role),
    /// A turn, recorded.
    Turn,
}

/// What a rule looks at. At other moments it has nothing to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Calls, results and steps.
    Work,
    /// Texts and turns.
    Words,
    WorkAndWords,
}

impl Moment<'_> {
    /// Is it one that rules on this subject look at?
    pub(crate) fn concerns(&self, subject: Subject) -> bool {
        match self {
            Self::Call(_) | Self::Result(_) | Self::Step(_) => subject != Subject::Words,
            Self::Text(_) | Self::Turn => subject != Subject::Work,
        }
    }
}

/// What rules may look at.
pub(crate) struct Scene<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) timeline: &'a Timeline,
    /// How the swarm stands with this call, where it was counted.
    pub(crate) swarm: Option<&'a Tally>,
    pub(crate) line: u64,
}

/// Whether a rule has its say at this moment, or waits for the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Say {
    /// The call may be denied or the run halted; a nudge comes with the result.
    ForceOnly,
    /// The call may be denied, but the rule halts no run.
    DenyOnly,
    /// A nudge at the most.
    NudgeOnly,
    /// Everything.
    All,
}

/// When a finding is worth telling of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// Always: it happens right now. And whoever goes on right after a nudge is told again, more urgently.
    Insistently,
    /// Always.
    Always,
    /// Where something is said anyway: by itself it may be nothing.
    WithVerdict,
}

/// What a rule spotted.
///
/// Three numbers are kept apart: `weight` moves the verdict and is never shown, `finding.repeats` counts occurrences
/// with the first, and `facts.count` is what a message states.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    pub(crate) finding: Finding,
    /// What the ladder is climbed by.
    pub(crate) weight: u32,
    /// Equal for the same pattern, also when it comes back later.
    pub(crate) key: Mark,
    pub(crate) say: Say,
    pub(crate) telling: Telling,
    /// Calls of the pattern that were denied are occurrences, too.
    pub(crate) counts_attempts: bool,
    /// What else the texts can tell.
    pub(crate) facts: Facts,
}

/// Facts for texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The number that a message states, where it is not the number of occurrences.
    pub(crate) count: Option<u32>,
    /// The number of calls that were looked at for that number.
    pub(crate) window: u32,
    pub(crate) tool: Option<Box<str>>,
    pub(crate) workers: u32,
    pub(crate) wording: Wording,
    /// The call has not run yet.
    pub(crate) ahead: bool,
    /// Some of the calls have no result.
    pub(crate) results_missing: bool,
    /// No other call was made between the calls.
    pub(crate) in_a_row: bool,
    /// The calls count as repeats, but their results are not the same.
    pub(crate) results_differ: bool,
    /// The beginning of the last result, empty where there was no output; `None` where that is not known.
    pub(crate) outcome: Option<Box<str>>,
    /// What was used up, and its limit.
    pub(crate) budget: Option<(Box<str>, Box<str>)>,
}

/// Which of a rule's texts fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wording {
    #[default]
    Usual,
    /// The failing commands do what a file tool does better.
    FileOperation,
    /// Shell commands failed, whatever the errors.
    Shell,
    /// Calls failed with several errors that recur.
    SeveralErrors,
    /// Most of the last calls failed, each in its own way.
    MostFail,
    /// Most of the last calls failed or returned nothing new.
    Fruitless,
    /// Steps are judged, not calls.
    Steps,
    /// Different calls returned what was known.
    KnownResults,
    /// Test runs failed, however they did.
    AnyFailure,
    /// A burst was stopped before.
    AfterBurst,
    /// Requests to one agent, not a message that goes round.
    Requests,
}

impl Spotted {
    /// A pattern of one call that occurred so often.
    pub(crate) fn single<'l>(
        rule: RuleName,
        repeats: u32,
        (from, to): (u32, u64),
        key: Mark,
        label: impl Into<Option<&'l str>>,
    ) -> Self {
        Self {
            finding: Finding {
                rule,
                repeats,
                period: 1,
                from: from.into(),
                to,
                pattern: label.into().map(Box::from).into_iter().collect(),
            },
            weight: repeats,
            key,
            say: Say::All,
            telling: Telling::Always,
            counts_attempts: false,
            facts: Facts::default(),
        }
    }

    /// With a weight other than the number of occurrences.
    pub(crate) fn weighing(mut self, weight: u32) -> Self {
        self.weight = weight;
        self
    }

    /// With a number to state that is not the number of occurrences.
    pub(crate) fn stating(mut self, count: u32) -> Self {
        self.facts.count = Some(count);
        self
    }

    pub(crate) fn worded(mut self, wording: Wording) -> Self {
        self.facts.wording = wording;
        self
    }

    pub(crate) fn with_attempts(mut self) -> Self {
        self.counts_attempts = true;
        self
    }

    pub(crate) fn force_only(mut self) -> Self {
        self.say = Say::ForceOnly;
        self
    }

    pub(crate) fn deny_only(mut self) -> Self {
        self.say = Say::DenyOnly;
        self
    }

    pub(crate) fn nudge_only(mut self) -> Self {
        self.say = Say::NudgeOnly;
        self
    }

    pub(crate) fn told_insistently(mut self) -> Self {
        self.telling = Telling::Insistently;
        self
    }

    pub(crate) fn told_with_verdict(mut self) -> Self {
        self.telling = Telling::WithVerdict;
        self
    }

    /// With what is known of the results of a streak.
    pub(crate) fn with_results(mut self, tally: &crate::timeline::Tally) -> Self {
        self.facts.results_missing = tally.misses_results();
        self.facts.results_differ = tally.results_differ();
        self
    }

    pub(crate) fn of_tool(mut self, tool: &str) -> Self {
        self.facts.tool = Some(one_line(tool));
        self
    }
}
