//! Settings for single tools.

use serde::{Deserialize, Serialize};

use super::{DenyRung, Ladder, Rung, SettingsWarning};

/// A tool's name, in which `*` stands for any run of characters and `?` for one.
///
/// ```
/// use unstuck::settings::ToolPattern;
///
/// let reads = ToolPattern::new("fs__read_*");
/// assert!(reads.matches("fs__read_file"));
/// assert!(!reads.matches("fs__write_file"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ToolPattern(String);

/// Settings for the tools that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolSettings {
    /// Which tools. `*` stands for any run of characters.
    pub tool: ToolPattern,
    /// Calls of these tools are not watched at all: they neither count nor reset anything.
    #[serde(default)]
    pub exempt: bool,
    /// The arguments that make up a call's identity; all of them if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_fields: Vec<String>,
    /// Arguments and members of the output that are ignored because they change from call to call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volatile_fields: Vec<String>,
    /// Thresholds that replace those of the rules that count repeats.
    #[serde(default, skip_serializing_if = "ToolLadder::is_empty")]
    pub ladder: ToolLadder,
    /// Names that the pattern must match, checked when the settings are loaded.
    #[serde(default, rename = "match", skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// Names that the pattern must not match, checked when the settings are loaded.
    #[serde(default, rename = "not_match", skip_serializing_if = "Vec::is_empty")]
    pub counter_examples: Vec<String>,
}

/// Thresholds that replace those of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct ToolLadder {
    /// In place of the rule's `nudge`. `warning` and `critical` move with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge: Option<Rung>,
    /// In place of the rule's `deny`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny: Option<DenyRung>,
    /// In place of the rule's `halt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halt: Option<Rung>,
}

impl ToolPattern {
    /// A pattern from its text.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self(pattern.into())
    }

    /// The pattern's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the pattern certainly matches every name that `other` matches. May return `false` for one that does.
    fn covers(&self, other: &Self) -> bool {
        // Matched against the text of the other pattern, a `*` here covers a `*` there; a `?` would not.
        let comparable = !self.0.contains('?') || !other.0.contains('*');
        self == other || (comparable && self.matches(&other.0))
    }

    /// Whether the pattern matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        glob(self.0.as_bytes(), name.as_bytes())
    }
}

/// Linear in practice: only the last `*` is ever tried again.
fn glob(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[n] => {
                p += 1;
                n += 1;
            }
            _ => {
                let Some((star_p, star_n)) = star else {
                    return false;
                };
                p = star_p + 1;
                n = star_n + 1;
                star = Some((star_p, star_n + 1));
            }
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

impl ToolSettings {
    /// Settings for the tools that match a pattern, with nothing set yet.
    pub fn new(tool: impl Into<String>) -> Self {
        Self {
            tool: ToolPattern::new(tool),
            exempt: false,
            key_fields: Vec::new(),
            volatile_fields: Vec::new(),
            ladder: ToolLadder::default(),
            examples: Vec::new(),
            counter_examples: Vec::new(),
        }
    }

    /// Names in `match` that the pattern does not match, and names in `not_match` that it does.
    pub fn failed_examples(&self) -> impl Iterator<Item = &str> {
        let missed = self.examples.iter().filter(|name| !self.tool.matches(name));
        let caught = self
            .counter_examples
            .iter()
            .filter(|name| self.tool.matches(name));
        missed.chain(caught).map(String::as_str)
    }
}

impl ToolLadder {
    /// Whether no threshold is replaced.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn over(&self, ladder: Ladder) -> Ladder {
        // The thresholds between a tool's own keep their distance to the nudge, or the warning would come before it.
        let along = |rung: Rung| match (self.nudge, rung) {
            (Some(Rung::At(to)), Rung::At(count)) => {
                let from = ladder.nudge.count().unwrap_or(count.get());
                let distance = count.get().saturating_sub(from);
                Rung::at(to.get().saturating_add(distance))
            }
            (Some(Rung::Never), _) => Rung::Never,
            (_, rung) => rung,
        };
        Ladder {
            nudge: self.nudge.unwrap_or(ladder.nudge),
            warning: along(ladder.warning),
            critical: along(ladder.critical),
            deny: self.deny.unwrap_or(ladder.deny),
            halt: self.halt.unwrap_or(ladder.halt),
        }
    }
}

/// Adds remarks about entries that can never apply, and about settings without effect in them.
pub(crate) fn warn(tools: &[ToolSettings], warnings: &mut Vec<SettingsWarning>) {
    for (at, entry) in tools.iter().enumerate() {
        let key = |name: &str| format!("tools[{at}].{name}");
        let pattern = entry.tool.as_str();
        if pattern.trim().is_empty() {
            warnings.push(SettingsWarning::new(
                [key("tool")],
                "an empty pattern matches no tool",
            ));
        }
        if let Some(earlier) = tools[..at]
            .iter()
            .find(|tool| tool.tool.covers(&entry.tool))
        {
            warnings.push(SettingsWarning::new(
                [key("tool")],
                format!(
                    "`{pattern}` can never apply, because the earlier entry `{}` matches first",
                    earlier.tool.as_str()
                ),
            ));
        }
        for (name, set) in [
            ("ladder", !entry.ladder.is_empty()),
            ("key_fields", !entry.key_fields.is_empty()),
            ("volatile_fields", !entry.volatile_fields.is_empty()),
        ] {
            if entry.exempt && set {
                warnings.push(SettingsWarning::new(
                    [key(name), key("exempt")],
                    format!("`{name}` has no effect, because `{pattern}` is exempt"),
                ));
            }
        }
        let both = entry
            .key_fields
            .iter()
            .find(|field| entry.volatile_fields.contains(field));
        if let Some(field) = both {
            warnings.push(SettingsWarning::new(
                [key("key_fields"), key("volatile_fields")],
                format!("`{field}` cannot both make up a call's identity and be volatile"),
            ));
        }
        entry
            .ladder
            .over(Ladder::default())
            .warn(&key("ladder"), warnings);
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
