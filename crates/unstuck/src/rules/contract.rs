//! The contract of a rule: everything its author has to know.
//!
//! A rule is one file. It declares its options, lists in [`Rule::NEEDS`] what has to be extracted for it, keeps private
//! state, and returns a pattern from [`Rule::detect`] if it sees one. It takes no decision: the policy compares the
//! [`Detection::weight`] with the rule's thresholds.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Detection, RuleFacts, RuleText, TextContext};
use crate::{
    event::{Line, Role},
    facts::{CallFacts, CallView, Needs, Polling},
    hash::Key,
    memory::{Memory, Unsound},
    options::{OnUser, Options, Room, RuleWarnings},
    state::{CallStreak, CompletedCall, MadeCall, Overlap, Progress, State},
    swarm,
    transition::Transition,
};

/// A rule. The type is that of its options, so `self` has the thresholds and everything else that a user can set.
pub(crate) trait Rule: Options + Sized {
    /// The stable name in settings, decisions and reports.
    const NAME: &'static str;
    /// One line about the rule.
    const SUMMARY: &'static str;
    /// The page about the rule, in Markdown, by [`documented!`](super::documented).
    const DOC: &'static str;
    /// Properties of the rule that the policy and reports use.
    const TRAITS: Traits;
    /// What has to be extracted and recorded for the rule, whatever its options.
    const NEEDS: Needs = Needs::NOTHING;

    /// Private state for one agent: `()` if there is none.
    type State: RuleState;

    /// Private fact about a call, kept until its result arrives: `()` if there is none.
    type CallFact: Clone + Default + std::fmt::Debug + Serialize + DeserializeOwned;

    /// Raised whenever the meaning or the layout of the stored [`CallFact`](Self::CallFact) changes.
    const CALL_FACT_VERSION: u8 = 1;

    /// The options in the preset `standard`.
    fn standard() -> Self;

    /// Number of entries that the private state may keep, where it is a map of calls.
    fn capacity(&self, room: &Room) -> NonZeroU32 {
        room.calls
    }

    /// Drops what the present options would not have kept from state that was stored under other options.
    fn cut(&self, _state: &mut Self::State) {}

    /// What has to be extracted and recorded for the rule, where that depends on its options.
    fn needs(&self) -> Needs {
        Self::NEEDS
    }

    /// Whether the rule judges calls before they run. Only such a rule can deny one.
    fn judges_calls(&self) -> bool {
        true
    }

    /// Adds remarks about options that can never have an effect.
    fn warn(&self, warnings: &mut RuleWarnings<'_>) {
        warnings.ladder(&self.ladder(), self.judges_calls());
    }

    /// Extracts the rule's private fact from a call.
    fn extract(&self, _call: &CallView<'_>) -> Self::CallFact {
        Self::CallFact::default()
    }

    /// Updates the private state with an event.
    fn record(&self, _state: &mut Self::State, _happened: &Happened<'_>, _shared: &State) {}

    /// Updates the private state like [`record`](Self::record), and returns the change of a breaker that is to be
    /// reported. A rule implements one of the two.
    fn record_change(
        &self,
        state: &mut Self::State,
        happened: &Happened<'_>,
        shared: &State,
    ) -> Option<Transition> {
        self.record(state, happened, shared);
        None
    }

    /// Claims that make other rules yield.
    fn claim(&self, _state: &Self::State, _claims: &mut Claims) {}

    /// Whether the private state holds this call, so that its arguments may be stored.
    fn knows(&self, _state: &Self::State, _call: &CallFacts) -> bool {
        false
    }

    /// Returns the swarm count that the rule needs before it can judge.
    fn asks_swarm<'a>(
        &self,
        _trigger: &'a Trigger<'_>,
        _shared: &State,
    ) -> Option<SwarmQuestion<'a>> {
        None
    }

    /// Returns the pattern that the rule sees, if any.
    fn detect(
        &self,
        state: &Self::State,
        trigger: &Trigger<'_>,
        context: &Context<'_>,
    ) -> Option<Detection>;

    /// The number of calls and the seconds that texts of the rule name `{limit}` and `{seconds}`; `None` if the rule does
    /// not count calls in a window of time.
    fn window(&self) -> Option<(u32, u64)> {
        None
    }

    /// Returns the text for the model, unless a detection chooses another one.
    fn text(context: &TextContext<'_>) -> RuleText;

    /// Texts that detections of the rule choose with [`Detection::worded`].
    #[cfg(test)]
    const OTHER_TEXTS: &'static [fn(&TextContext<'_>) -> RuleText] = &[];

    /// Streams that make the rule report every one of its texts and fill every field of its state. The tests of
    /// messages and of stored layouts play them.
    #[cfg(test)]
    fn examples() -> Vec<Example> {
        Vec::new()
    }
}

/// A stream that makes a rule report.
#[cfg(test)]
pub(crate) struct Example {
    pub(crate) name: &'static str,
    /// Changes the options of the preset `standard`.
    pub(crate) options: fn(&mut super::Rules),
    /// Events as JSON, one per item.
    pub(crate) events: Vec<String>,
}

/// Properties of a rule that the policy and reports use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
pub struct Traits {
    /// What the rule is about.
    pub about: About,
    /// Whether a repeat is a wasted call.
    pub wastes_calls: bool,
    /// Whether a tool's own thresholds replace those of the rule.
    pub tool_ladder: bool,
    /// Whether all calls of a pattern have one result, so that an earlier one may be quoted.
    pub one_result: bool,
    /// The count that a pattern starts with when it comes back.
    pub relapse: Carry,
    /// What a host may do about it. A halt advises `escalate`, whatever the rule.
    pub advice: Advice,
    /// Whether nudges that are ignored lead to a denial where the thresholds of the rule only nudge.
    pub ends: bool,
    /// Whether the rule can be relied on.
    pub status: RuleStatus,
}

impl Traits {
    /// Traits of a stable rule about calls that repeat something.
    pub(crate) const CALLS: Self = Self {
        about: About::Calls,
        wastes_calls: true,
        tool_ladder: false,
        one_result: false,
        relapse: Carry::PeakLessOne,
        advice: Advice::Collapse,
        ends: false,
        status: RuleStatus::Stable,
    };
}

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum About {
    /// Calls, results and steps.
    Calls,
    /// Texts of the model.
    Words,
    /// Consumption: steps, tokens, cost and time.
    Budget,
}

/// The count that a reported pattern starts with when it comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carry {
    /// Zero: the rule's count includes earlier occurrences.
    Nothing,
    /// The highest count it reached.
    Peak,
    /// The highest count less one: the first occurrence of the new streak is one more of the old one.
    PeakLessOne,
}

/// What the host may do about a detected loop, beside what the verdict asks of it. A host that cannot do it ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Advice {
    /// Let a person who is responsible for the run look at it. Every halt advises it.
    Escalate,
    /// Ask the user a question: the agent does not get further without an answer.
    AskUser,
    /// Replace the history of failed attempts by a summary, so that the agent starts afresh from what is known.
    Summarise,
    /// Replace repeated calls and their equal results, or repeated text, by one of them in what the model reads.
    Collapse,
}

impl Advice {
    /// The word used on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Escalate => "escalate",
            Self::AskUser => "ask_user",
            Self::Summarise => "summarise",
            Self::Collapse => "collapse",
        }
    }
}

impl std::fmt::Display for Advice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether a rule can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleStatus {
    /// Its name, options and meaning are kept.
    Stable,
    /// It may change or be removed in any version.
    Preview,
    /// It will be removed; its page names the replacement.
    Deprecated,
}

/// State of a rule that follows turns.
pub(crate) trait RuleState:
    Memory + Clone + std::fmt::Debug + Serialize + DeserializeOwned
{
    /// Raised whenever the meaning or the layout of the stored state changes.
    const VERSION: u8;

    /// Returns the state without any event. A map keeps at most `capacity` entries and hashes with `key`.
    fn empty(capacity: NonZeroU32, key: Key) -> Self;

    /// Resets what a person's message resets.
    fn user(&mut self, on_user: OnUser);
}

impl Memory for () {
    fn commit(&mut self) {}

    fn rollback(&mut self) {}

    fn fit(&mut self, (): &Self) -> Result<(), Unsound> {
        Ok(())
    }
}

impl RuleState for () {
    const VERSION: u8 = 0;

    fn empty(_: NonZeroU32, _: Key) {}

    fn user(&mut self, _: OnUser) {}
}

/// Implements [`RuleState`] for `PerTurn<$state>`: a retry takes it back, a person's message restarts it.
macro_rules! restarts {
    ($state:ty, version $version:literal) => {
        impl $crate::rules::RuleState for $crate::memory::PerTurn<$state> {
            const VERSION: u8 = $version;

            fn empty(_: std::num::NonZeroU32, _: $crate::hash::Key) -> Self {
                Self::default()
            }

            fn user(&mut self, on_user: $crate::options::OnUser) {
                if on_user == $crate::options::OnUser::RestartStreaks {
                    self.restart();
                }
            }
        }
    };
}
pub(crate) use restarts;

/// An event, as the private state of rules records it.
pub(crate) enum Happened<'a> {
    /// A call is let through.
    Call(&'a MadeCall),
    /// A call was denied.
    Denied(&'a MadeCall, Option<super::RuleName>),
    /// A result arrived and is recorded in the shared state. It may not be settled.
    Result(&'a CompletedCall, &'a RuleFacts),
    /// The model wrote a text or a thought.
    Text(&'a str, Role),
    /// The model's turn ended in this line.
    Turn(Line),
}

/// The event that rules are evaluated for.
pub(crate) enum Trigger<'a> {
    /// A call is about to be made, and is not recorded yet.
    Call(&'a IncomingCall),
    /// A call returned, and is recorded.
    Result(&'a CompletedCall),
    /// A compound step is recorded.
    Step(Progress),
    /// The model wrote a text or a thought, and it is recorded.
    Text(Role),
    /// A turn ended, and is recorded.
    Turn,
}

/// A call that is about to be made.
pub(crate) struct IncomingCall {
    pub(crate) facts: CallFacts,
    /// Whether an equal call of this round is under way.
    pub(crate) overlap: Overlap,
    /// Whether a similar call of this round is under way.
    pub(crate) near_overlap: Overlap,
    /// Whether its tool has a first threshold of its own.
    pub(crate) own_ladder: bool,
}

/// Data that rules may read besides their own state.
pub(crate) struct Context<'a> {
    /// The state that rules share.
    pub(crate) shared: &'a State,
    /// The private facts of the call that is judged.
    pub(crate) facts: &'a RuleFacts,
    pub(crate) claims: Claims,
    /// The count of the swarm, where a rule asked for one.
    pub(crate) swarm: Option<&'a swarm::Tally>,
    /// The line of the event that is judged.
    pub(crate) line: Line,
}

/// Claims of the rules that are on, computed once per trigger: other rules yield to them.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a claim of its own")]
pub(crate) struct Claims {
    /// `poll` judges calls that wait.
    pub(crate) polls: bool,
    /// `cycle` has detected a cycle of several calls, and reports all of them together.
    pub(crate) cycling: bool,
    /// `unknown-tool` judges calls of tools that do not exist.
    pub(crate) unknown_tools: bool,
    /// `invalid-call` judges calls with arguments that are refused.
    pub(crate) invalid_calls: bool,
}

impl Claims {
    /// Whether `poll` judges a call with this streak.
    pub(crate) fn poll(self, polling: Polling, streak: &CallStreak) -> bool {
        self.polls && (polling.is_certain() || streak.waits())
    }
}

/// A count of a swarm that is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SwarmQuestion<'a> {
    /// Number of times the swarm made this call, this one included.
    Call(&'a CallFacts),
    /// Number of times workers of the swarm repeated this text, this time included.
    Text(crate::fingerprint::Mark),
}
