//! Rules: one file each, and one line here.
//!
//! [`contract`] defines what a rule is. A new rule is a file with its options, state, texts and page, and a line in the
//! registry below; the registry makes everything that has to know all rules. Where the private state of a rule is a
//! piece of work of its own, it is in a folder of the rule's name. What several rules read is in `state`.

mod choices;
mod contract;
mod detection;
mod registry;

pub use choices::JudgeSteps;
#[cfg(test)]
pub(crate) use contract::Example;
pub use contract::{About, Advice, Carry, RuleStatus, Traits};
pub(crate) use contract::{
    Claims, Context, Happened, IncomingCall, Rule, RuleState, SwarmQuestion, Trigger, restarts,
};
pub(crate) use detection::{
    Ceiling, Compared, Detection, Reporting, Results, RuleText, TextContext, TextFacts,
};
#[cfg(test)]
pub(crate) use registry::VisitStates;
use registry::registry;
pub(crate) use registry::{Found, Record, documented};

// The order decides between equally strict rules. The number is the rule's identity in stored state: it is never changed
// and never used again.
registry! {
    1 => exact_repeat::ExactRepeat,
    2 => near_repeat::NearRepeat,
    3 => cycle::Cycle,
    4 => stagnation::Stagnation,
    5 => stuck_outcome::StuckOutcome,
    6 => failure_cascade::FailureCascade,
    7 => test_fix_cycle::TestFixCycle,
    8 => unknown_tool::UnknownTool,
    9 => invalid_call::InvalidCall,
    10 => no_op::NoOp,
    11 => edit_revert::EditRevert,
    12 => poll::Poll,
    13 => chant::Chant,
    14 => summary_loop::SummaryLoop,
    15 => call_burst::CallBurst,
    16 => aimless::Aimless,
    17 => swarm_loop::SwarmLoop,
    18 => relay::Relay,
    19 => budget::Budget,
    20 => reworded_query::RewordedQuery,
    21 => same_target::SameTarget,
}

/// A name that is not a rule's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule `{0}`")]
pub struct UnknownRule(pub String);

impl RuleName {
    /// Page about the rule, as Markdown: what it does, why, an example, when it is not a loop, and its options.
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

    /// Whether the rule counts calls that repeat something.
    pub fn wastes_calls(self) -> bool {
        self.traits().wastes_calls
    }
}

impl std::fmt::Display for RuleName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for RuleName {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|rule| rule.as_str() == name)
            .ok_or_else(|| UnknownRule(name.to_owned()))
    }
}
