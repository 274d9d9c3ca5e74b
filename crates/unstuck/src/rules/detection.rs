//! The result of a rule: a pattern with its evidence, and the text about it.

use crate::{event::Line, fingerprint::Mark, label::one_line, state::CallStreak};

/// A pattern that a rule detected.
///
/// Three numbers are kept apart: `weight` moves the verdict and is never shown, `repeats` counts occurrences with the
/// first, and `facts.count` is the number that a message states where that is another one.
#[derive(Clone, Debug)]
pub(crate) struct Detection {
    /// Occurrences, the first one included.
    pub(crate) repeats: u32,
    /// Calls per lap; 1 for a plain repeat.
    pub(crate) period: u32,
    /// The line of the first event that belongs to it.
    pub(crate) from: Line,
    /// One readable line per member of the pattern.
    pub(crate) pattern: Vec<Box<str>>,
    /// The count that is compared with the thresholds.
    pub(crate) weight: u32,
    /// Equal for the same pattern, also when it comes back later.
    pub(crate) key: Mark,
    pub(crate) ceiling: Ceiling,
    pub(crate) reporting: Reporting,
    /// Whether denied calls of the pattern are occurrences, too.
    pub(crate) counts_attempts: bool,
    /// Milliseconds after which an equal call would no longer belong to the pattern, where time decides that.
    pub(crate) retry_after: Option<u64>,
    pub(crate) facts: TextFacts,
    /// Chooses a text other than [`Rule::text`](super::Rule::text).
    pub(crate) text: Option<fn(&TextContext<'_>) -> RuleText>,
}

/// Verdicts that a detection may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// Everything.
    All,
    /// A denial or a halt; a nudge comes with the result.
    ForceOnly,
    /// A denial, but no halt and no nudge.
    DenyOnly,
    /// A denial and then a halt, once enough nudges about the pattern were ignored.
    WhenIgnored,
    /// A nudge.
    NudgeOnly,
}

/// When a detection is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reporting {
    /// Always; and on the very next repeat after a nudge the level rises.
    Insistently,
    /// Always.
    Always,
    /// Only if another detection led to a verdict, or enough calls were made since the last nudge.
    WithVerdict,
}

/// Facts for messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextFacts {
    /// The number that a message states, where it is not the number of occurrences.
    pub(crate) count: Option<u32>,
    /// The number of calls that were looked at for that number.
    pub(crate) window: u32,
    pub(crate) tool: Option<Box<str>>,
    pub(crate) workers: u32,
    /// Whether the call has not run yet.
    pub(crate) ahead: bool,
    /// Whether some of the calls have no result.
    pub(crate) results_missing: bool,
    /// How the results of the calls compare.
    pub(crate) compared: Compared,
    /// Whether the failing commands do what a file tool does better.
    pub(crate) file_operation: bool,
    /// The beginning of the last result, empty where there was no output; `None` where that is not known.
    pub(crate) outcome: Option<Box<str>>,
    /// What was used up, and its limit.
    pub(crate) budget: Option<(Box<str>, Box<str>)>,
}

/// How the results of calls that count as repeats compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Compared {
    #[default]
    Same,
    Differ,
    /// They differ, and no other call was made between the calls.
    DifferInARow,
}

/// Knowledge about the results of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Results {
    /// There was output, and its beginning is known.
    Shown,
    /// The last call returned no output.
    Empty,
    /// There was output, and it was not the same.
    Different,
    Unknown,
}

/// Facts by which a rule chooses its text.
pub(crate) struct TextContext<'a> {
    pub(crate) facts: &'a TextFacts,
    pub(crate) results: Results,
}

impl<'a> TextContext<'a> {
    pub(crate) fn new(facts: &'a TextFacts) -> Self {
        let results = match facts.outcome.as_deref() {
            _ if facts.compared != Compared::Same => Results::Different,
            Some("") => Results::Empty,
            Some(_) => Results::Shown,
            None => Results::Unknown,
        };
        Self { facts, results }
    }

    /// Whether the call has not run yet.
    pub(crate) fn ahead(&self) -> bool {
        self.facts.ahead
    }

    /// A part of a text about the results, where their beginning is known.
    pub(crate) fn if_shown(&self, text: &'static str) -> &'static str {
        if self.results == Results::Shown {
            text
        } else {
            ""
        }
    }
}

/// The text of a rule, as templates.
///
/// A number in a text is a fact of the run, and a text claims no more than was seen: a call that has not run yet "would"
/// do something, and a result is mentioned where there was one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleText {
    /// What happened.
    pub(crate) seen: &'static str,
    /// What the calls returned, where that is not part of `seen`.
    pub(crate) returned: &'static str,
    /// What to do.
    pub(crate) advice: &'static str,
}

impl Detection {
    /// Creates a pattern of one call or step with `repeats` occurrences. `label` is one readable line.
    pub(crate) fn new<'l>(
        repeats: u32,
        from: Line,
        key: Mark,
        label: impl Into<Option<&'l str>>,
    ) -> Self {
        Self {
            repeats,
            period: 1,
            from,
            pattern: label.into().map(Box::from).into_iter().collect(),
            weight: repeats,
            key,
            ceiling: Ceiling::All,
            reporting: Reporting::Always,
            counts_attempts: false,
            retry_after: None,
            facts: TextFacts::default(),
            text: None,
        }
    }

    /// Sets a weight other than the number of occurrences.
    pub(crate) fn weighing(mut self, weight: u32) -> Self {
        self.weight = weight;
        self
    }

    /// Sets a number to state that is not the number of occurrences.
    pub(crate) fn stating(mut self, count: u32) -> Self {
        self.facts.count = Some(count);
        self
    }

    /// Sets a text other than the usual one of the rule.
    pub(crate) fn worded(mut self, text: fn(&TextContext<'_>) -> RuleText) -> Self {
        self.text = Some(text);
        self
    }

    /// Counts denied calls of the pattern as occurrences.
    pub(crate) fn with_attempts(mut self) -> Self {
        self.counts_attempts = true;
        self
    }

    /// Sets the milliseconds after which an equal call would no longer belong to the pattern.
    pub(crate) fn retry_after(mut self, milliseconds: Option<u64>) -> Self {
        self.retry_after = milliseconds;
        self
    }

    pub(crate) fn force_only(mut self) -> Self {
        self.ceiling = Ceiling::ForceOnly;
        self
    }

    pub(crate) fn deny_only(mut self) -> Self {
        self.ceiling = Ceiling::DenyOnly;
        self
    }

    pub(crate) fn when_ignored(mut self) -> Self {
        self.ceiling = Ceiling::WhenIgnored;
        self
    }

    pub(crate) fn nudge_only(mut self) -> Self {
        self.ceiling = Ceiling::NudgeOnly;
        self
    }

    pub(crate) fn reported_insistently(mut self) -> Self {
        self.reporting = Reporting::Insistently;
        self
    }

    pub(crate) fn reported_with_verdict(mut self) -> Self {
        self.reporting = Reporting::WithVerdict;
        self
    }

    /// Adds how the results of a streak compare.
    pub(crate) fn with_results(mut self, streak: &CallStreak) -> Self {
        self.facts.results_missing = streak.misses_results();
        if streak.results_differ() {
            self.facts.compared = Compared::Differ;
        }
        self
    }

    pub(crate) fn of_tool(mut self, tool: &str) -> Self {
        self.facts.tool = Some(one_line(tool));
        self
    }
}
