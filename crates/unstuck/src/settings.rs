//! Settings: everything about a decision that is not in the events.
//!
//! A [`Settings`] value is complete and checked, and it alone determines decisions: a [`Preset`] is the name of one.
//! The configuration crate reads text formats, layers and files.

mod preset;
mod presets;
mod texts;

use serde::{Deserialize, Serialize};

pub use crate::options::{
    Bounded, CompareCalls, CompareOutcomes, Cost, DenyRung, IdentitySettings, InvalidCost, Ladder,
    Loosened, Loosening, MemorySettings, Nudges, OnUser, OutOfBounds, PolicySettings, ReadShells,
    Relapse, Rung, SettingsWarning, Template, TemplateError, ToolLadder, ToolPattern, ToolSettings,
};
pub use crate::rules::{JudgeSteps, Rules, option_types::*};
use crate::{
    options::{Tightening, warn_tools},
    rules::RuleName,
};

pub use preset::{Preset, UnknownPreset};
pub(crate) use texts::Occasion;
pub use texts::{RuleTexts, TextSet, Texts};

/// A complete set of settings.
///
/// ```
/// use unstuck::{Preset, Settings};
///
/// let mut settings = Settings::of(Preset::Standard);
/// settings.rules.summary_loop.enabled = false;
/// assert!(settings.load_warnings().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Settings {
    /// The preset that everything else was set on top of. It has no effect on decisions.
    pub preset: Preset,
    /// Whether decisions are enforced, only recorded, or not taken at all.
    pub mode: Mode,
    /// Whether a person watches the run.
    pub attendance: Attendance,
    /// Secret key of fingerprints. Without it, arguments can be guessed from fingerprints in shared state. Empty by default.
    pub secret: String,
    /// Rules that decide before all others where verdicts are equally strict, the first one first. The others follow in
    /// the order of the table of rules.
    pub precedence: Vec<RuleName>,
    /// The set of built-in texts for the model.
    pub text_set: TextSet,
    /// Options of every rule.
    pub rules: Rules,
    /// How calls and results are compared.
    pub identity: IdentitySettings,
    /// How findings become verdicts.
    pub policy: PolicySettings,
    /// Bounds of memory.
    pub memory: MemorySettings,
    /// Settings for single tools; the first entry that matches a tool's name counts.
    pub tools: Vec<ToolSettings>,
    /// Texts for the model that replace the built-in ones.
    pub texts: Texts,
}

/// Whether decisions are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// Decide and answer.
    #[default]
    Enforce,
    /// Decide and record, but answer `allow`; `would` has the answer that would have been given.
    Observe,
    /// Do nothing.
    Off,
}

/// Whether a person watches the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Attendance {
    /// No person watches: a loop must end in a halt.
    #[default]
    Unattended,
    /// A person watches and can step in: a loop ends in denials.
    Attended,
}

impl Settings {
    /// The settings of a preset.
    pub fn of(preset: Preset) -> Self {
        preset.settings()
    }

    /// Returns the settings that can never have an effect: thresholds that are never reached, rules that can never fire, entries
    /// for tools that hide one another, texts that are never used.
    ///
    /// These are remarks for the author of the settings, not errors.
    pub fn load_warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        self.rules.warn(&mut warnings);
        warn_tools(&self.tools, &mut warnings);
        self.warn_texts(&mut warnings);
        warnings
    }

    fn warn_texts(&self, warnings: &mut Vec<SettingsWarning>) {
        for &rule in RuleName::ALL {
            let Some(texts) = self.texts.get(rule) else {
                continue;
            };
            if !self.rules.is_enabled(rule) {
                warnings.push(SettingsWarning::new(
                    [format!("texts.{rule}")],
                    format!("never used, because `rules.{rule}` is off"),
                ));
                continue;
            }
            let ladder = self.rules.ladder(rule);
            let denies = ladder.deny != DenyRung::Never
                || self.tools.iter().any(|tool| tool.ladder.deny.is_some());
            if texts.deny.is_some() && !denies {
                warnings.push(SettingsWarning::new(
                    [format!("texts.{rule}.deny")],
                    format!("never used, because `rules.{rule}` has no `deny` threshold"),
                ));
            }
        }
    }

    /// Returns the first setting that does more than tighten `base`; `None` if these settings are nowhere looser, and
    /// nowhere stricter than both `base` and its preset.
    ///
    /// ```
    /// use unstuck::{Mode, Settings, settings::DenyRung};
    ///
    /// let mut base = Settings::default();
    /// base.rules.exact_repeat.deny = DenyRung::at(8);
    /// let mut settings = base.clone();
    /// settings.rules.exact_repeat.deny = DenyRung::at(6);
    /// assert_eq!(settings.loosens(&base), None);
    ///
    /// settings.mode = Mode::Off;
    /// assert_eq!(settings.loosens(&base).unwrap().to_string(), "`mode` is looser");
    /// ```
    pub fn loosens(&self, base: &Self) -> Option<Loosened> {
        // No `..` here: a new setting must be given its place.
        let Self {
            preset,
            mode,
            attendance,
            secret,
            precedence,
            text_set,
            rules,
            identity,
            policy,
            memory,
            tools,
            texts,
        } = self;
        let own = base.preset.settings();
        let mut first = None;
        let mut top = Tightening::new("", &mut first);
        top.order("mode", mode.strictness(), base.mode.strictness());
        top.same("preset", preset, &base.preset);
        let strict = |attendance: Attendance| u8::from(attendance == Attendance::Unattended);
        top.order("attendance", strict(*attendance), strict(base.attendance));
        top.same("secret", secret, &base.secret);
        top.same("precedence", precedence, &base.precedence);
        top.same("text_set", text_set, &base.text_set);
        // An entry for a tool hides later entries and what a server says about the tool, so none may be added.
        top.same("tools", tools, &base.tools);
        top.same("texts", texts, &base.texts);
        top.same("identity", identity, &base.identity);
        policy.tightens(
            &base.policy,
            &own.policy,
            &mut Tightening::new("policy", &mut first),
        );
        memory.tightens(&base.memory, &mut Tightening::new("memory", &mut first));
        rules.tightens(&base.rules, &own.rules, &mut first);
        first
    }

    /// The first entry for a tool.
    pub(crate) fn tool(&self, name: &str) -> Option<&ToolSettings> {
        self.tools.iter().find(|entry| entry.tool.matches(name))
    }
}

impl Mode {
    /// A larger number is stricter.
    fn strictness(self) -> u8 {
        match self {
            Self::Off => 0,
            Self::Observe => 1,
            Self::Enforce => 2,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Preset::Standard)
    }
}

#[cfg(test)]
#[path = "settings/tighten_tests.rs"]
mod tighten_tests;

#[cfg(test)]
#[path = "settings/warnings_tests.rs"]
mod warnings_tests;
