//! Nudges: the words for the model.
//!
//! Facts first (which call, how often, which result did not change), then what to do. Every message starts with one marker, so
//! that our own words are never mistaken for something new, and none is longer than [`MAX_CHARS`].

mod quote;
mod template;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    decision::{Level, Verdict},
    rules::{RuleName, Spotted},
    settings::{DenyRung, Preset, Settings},
};

pub use quote::quote;
pub use template::{Template, TemplateError};

/// What every message starts with.
pub const MARKER: &str = "[unstuck]";

/// No message has more characters than this, whatever it quotes.
pub const MAX_CHARS: usize = 1_000;

/// Texts that replace the built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Texts {
    rules: BTreeMap<RuleName, RuleTexts>,
}

/// Texts of one rule. What is not given stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct RuleTexts {
    /// For a nudge of level 1, and of the others where they have none of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge: Option<Template>,
    /// For a nudge of level 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<Template>,
    /// For a nudge of level 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical: Option<Template>,
    /// For a denied call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deny: Option<Template>,
    /// For a halted run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halt: Option<Template>,
}

/// Which of a rule's texts is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occasion {
    Notice,
    Warning,
    Critical,
    Deny,
    Halt,
}

impl Texts {
    /// The texts of a preset: nothing is replaced.
    pub(crate) fn of(_: Preset) -> Self {
        Self::default()
    }

    /// Replaces texts of a rule.
    pub fn set(&mut self, rule: RuleName, texts: RuleTexts) {
        self.rules.insert(rule, texts);
    }

    /// The texts given for a rule.
    pub fn get(&self, rule: RuleName) -> Option<&RuleTexts> {
        self.rules.get(&rule)
    }

    fn template(&self, rule: RuleName, occasion: Occasion) -> Option<&Template> {
        let texts = self.rules.get(&rule)?;
        let nudge = texts.nudge.as_ref();
        match occasion {
            Occasion::Notice => nudge,
            Occasion::Warning => texts.warning.as_ref().or(nudge),
            Occasion::Critical => texts.critical.as_ref().or(texts.warning.as_ref()).or(nudge),
            Occasion::Deny => texts.deny.as_ref(),
            Occasion::Halt => texts.halt.as_ref(),
        }
    }
}

/// The message for what was spotted.
pub(crate) fn write(
    settings: &Settings,
    spotted: &Spotted,
    verdict: Verdict,
    level: Option<Level>,
) -> Box<str> {
    let occasion = match (verdict, level) {
        (Verdict::Halt, _) => Occasion::Halt,
        (Verdict::Deny, _) => Occasion::Deny,
        (_, Some(Level::Critical)) => Occasion::Critical,
        (_, Some(Level::Warning)) => Occasion::Warning,
        _ => Occasion::Notice,
    };
    let rule = spotted.finding.rule;
    let values = template::Values::new(settings, spotted);
    let mut message = format!("{MARKER} ");
    if let Some(template) = settings.texts.template(rule, occasion) {
        template.render(&values, &mut message);
    } else {
        let may_deny = settings.rules.ladder(rule).deny != DenyRung::Never;
        let facts = &spotted.facts;
        let words = words::built_in(settings.preset, rule, occasion, facts, may_deny);
        for part in words.parts() {
            // A list ends its own line.
            let part = if message.ends_with('\n') {
                part.trim_start()
            } else {
                part
            };
            template::render(part, &values, &mut message);
        }
    }
    template::cut(&mut message, MAX_CHARS);
    message.into()
}

#[cfg(test)]
#[path = "nudge_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "nudge/texts_tests.rs"]
mod texts_tests;
