//! Texts for the model: the sets of built-in ones, and their replacements.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Template, presets};
use crate::{
    options::choice,
    rules::{RuleName, TextFacts},
};

choice! {
    /// A set of built-in texts. A text that a set does not have is taken from `standard`.
    TextSet {
        /// Facts first, then what to do.
        Standard,
        /// The fixed phrases of `IronCurtain`.
        Ironcurtain,
        /// The fixed phrases of attractor.
        Attractor,
        /// The fixed phrases of attocode.
        Attocode,
    }
}

/// Texts that replace the built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Texts {
    rules: BTreeMap<RuleName, RuleTexts>,
}

/// Texts of one rule. The others stay built-in.
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

impl TextSet {
    /// The text of the set, where it has one of its own.
    pub(crate) fn text(
        self,
        rule: RuleName,
        occasion: Occasion,
        facts: &TextFacts,
    ) -> Option<&'static str> {
        match self {
            Self::Standard => None,
            Self::Ironcurtain => presets::ironcurtain::text(rule, occasion),
            Self::Attractor => presets::attractor::text(rule, occasion),
            Self::Attocode => presets::attocode::text(rule, occasion, facts),
        }
    }
}

impl Texts {
    /// Replaces texts of a rule.
    pub fn set(&mut self, rule: RuleName, texts: RuleTexts) {
        self.rules.insert(rule, texts);
    }

    /// The texts given for a rule.
    pub fn get(&self, rule: RuleName) -> Option<&RuleTexts> {
        self.rules.get(&rule)
    }

    pub(crate) fn template(&self, rule: RuleName, occasion: Occasion) -> Option<&Template> {
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
