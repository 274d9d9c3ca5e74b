//! Remarks about settings that can never have an effect.

use std::num::NonZeroU32;

use std::fmt;

use super::{DenyRung, Ladder};

/// A setting that can never have an effect. It is a remark for the author of the settings, not an error.
///
/// ```
/// use unstuck::{Settings, settings::Rung};
///
/// let mut settings = Settings::default();
/// settings.rules.exact_repeat.nudge = Rung::at(9);
/// let warning = &settings.load_warnings()[0];
/// assert_eq!(warning.keys[0], "rules.exact-repeat.nudge");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsWarning {
    /// The keys that it is about, the most relevant first: `rules.cycle.nudge`, `tools[0].tool`.
    pub keys: Vec<String>,
    /// Explanation in one sentence.
    pub message: String,
}

impl SettingsWarning {
    pub(crate) fn new(keys: impl IntoIterator<Item = String>, message: impl Into<String>) -> Self {
        Self {
            keys: keys.into_iter().collect(),
            message: message.into(),
        }
    }
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = self.keys.first() {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Collects remarks about the options of one rule.
pub(crate) struct RuleWarnings<'a> {
    /// The rule's table: `rules.cycle`.
    table: String,
    warnings: &'a mut Vec<SettingsWarning>,
}

impl<'a> RuleWarnings<'a> {
    pub(crate) fn new(rule: &str, warnings: &'a mut Vec<SettingsWarning>) -> Self {
        Self {
            table: format!("rules.{rule}"),
            warnings,
        }
    }

    /// Adds a remark about keys of the rule, the most relevant key first.
    pub(crate) fn push(&mut self, keys: &[&str], message: impl Into<String>) {
        let keys = keys.iter().map(|key| format!("{}.{key}", self.table));
        self.warnings.push(SettingsWarning::new(keys, message));
    }

    /// Adds remarks about thresholds that are never reached. `denies` is whether the rule judges calls before they run.
    pub(crate) fn ladder(&mut self, ladder: &Ladder, denies: bool) {
        if ladder.first().is_none() && ladder.deny == DenyRung::Never {
            let message =
                "the rule can never fire without a threshold; set `nudge`, `deny` or `halt`";
            self.push(&["enabled", "nudge", "halt"], message);
        }
        if ladder.deny != DenyRung::Never && !denies {
            let message = "no call is ever denied, because the rule judges what has already run; and `halt` is not reached while there is a `deny` threshold";
            self.push(&["deny"], message);
        }
        ladder.warn(&self.table, self.warnings);
    }

    /// Adds a remark if the first threshold lies beyond the calls that are looked at.
    pub(crate) fn window(&mut self, ladder: &Ladder, window: NonZeroU32) {
        if let Some(first) = ladder.first().filter(|first| *first > window.get()) {
            let message = format!(
                "the rule can never fire, because only {window} calls are looked at and its first threshold is {first}"
            );
            self.push(&["window", "count"], message);
        }
    }
}
