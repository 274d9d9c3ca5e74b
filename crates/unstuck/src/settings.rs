//! Settings: everything about a decision that is not in the events.
//!
//! A [`Settings`] value is complete and checked; [`Preset`]s are where it starts. Text formats, layers and files are
//! the business of the configuration crate.

mod ladder;
mod preset;
mod rules;
mod rules_warn;
mod tighten;
mod tools;
mod warning;

use serde::{Deserialize, Serialize};

use crate::{nudge::Texts, rules::RuleName};

pub use ladder::{DenyRung, Ladder, Rung};
pub use preset::{Preset, UnknownPreset};
pub use rules::{
    Aimless, Budget, CallBurst, Chant, CountCalls, CountFailures, CountTests, CountTurns, Cycle,
    CycleOf, EditRevert, ExactRepeat, FailureCascade, InvalidCall, JudgeSteps, NearRepeat, NoOp,
    Poll, Relay, Rules, Stagnation, StuckOutcome, SummaryLoop, SwarmCount, SwarmLoop, TestFixCycle,
    UnknownTool, WithoutTime,
};
pub use tighten::{Loosened, Loosening};
pub use tools::{ToolLadder, ToolPattern, ToolSettings};
pub use warning::SettingsWarning;

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
    /// The preset that everything else was set on top of.
    pub preset: Preset,
    /// Whether decisions are enforced, only recorded, or not taken at all.
    pub mode: Mode,
    /// Whether a person watches the run.
    pub attendance: Attendance,
    /// Shared by a team, it keeps fingerprints in shared state from being guessed back. Empty by default.
    pub secret: String,
    /// Options of every rule.
    pub rules: Rules,
    /// How findings become verdicts.
    pub policy: PolicySettings,
    /// How much is remembered.
    pub memory: MemorySettings,
    /// Settings for single tools; the first entry that matches a tool's name counts.
    pub tools: Vec<ToolSettings>,
    /// The words for the model.
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
    /// Decide and record, but answer `allow`; `would` tells what the answer would have been.
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
    /// Nobody watches: a loop must end in a halt.
    #[default]
    Unattended,
    /// A person watches and can step in: a loop ends in denials.
    Attended,
}

/// How findings become verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PolicySettings {
    /// When a nudge is given again.
    pub nudges: Nudges,
    /// Whether a pattern that was warned of before climbs on when it comes back.
    pub relapse: Relapse,
    /// After so many denials without progress the run is halted, whatever the rule.
    pub denials_before_halt: Rung,
    /// What a person's word starts afresh.
    pub on_user: OnUser,
}

/// When a nudge is given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Nudges {
    /// With every event that is above the rung.
    EveryTime,
    /// At the threshold, at each higher level (a repeat right after a nudge raises it), and then when the streak has
    /// doubled.
    WhenGrown,
}

/// What happens when a pattern that was warned of comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Relapse {
    /// It climbs on from where it was.
    Climb,
    /// It starts at the bottom.
    Forget,
}

/// What a person's word starts afresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OnUser {
    /// Nothing.
    Keep,
    /// The counts of patterns, not the calls they are made of.
    ClearPatterns,
    /// All streaks.
    RestartStreaks,
}

/// How much is remembered. All memory is bounded by these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MemorySettings {
    /// Agents of sessions that one engine watches at a time.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub sessions: u32,
    /// Different calls that are tracked for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub calls: u32,
    /// Calls that wait for their result, for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub pending: u32,
    /// Patterns that were warned of, for each agent.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub warned: u32,
    /// Calls tallied for swarms, all swarms together.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub swarm: u32,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            sessions: 8_192,
            calls: 128,
            pending: 64,
            warned: 64,
            swarm: 16_384,
        }
    }
}

impl Settings {
    /// The settings of a preset.
    pub fn of(preset: Preset) -> Self {
        preset.settings()
    }

    /// What was set but can never have an effect: rungs that are never reached, rules that can never fire, entries for
    /// tools that hide one another, texts that are never used.
    ///
    /// These are remarks for the person who wrote the settings, not errors.
    pub fn load_warnings(&self) -> Vec<SettingsWarning> {
        let mut warnings = Vec::new();
        self.rules.warn(&mut warnings);
        tools::warn(self, &mut warnings);
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
                    format!("never used, because `rules.{rule}` has no `deny` rung"),
                ));
            }
        }
    }

    /// Is it said for this very tool how often it may be repeated?
    pub(crate) fn counts_its_own(&self, tool: &str) -> bool {
        let entry = self.tool(tool);
        entry.is_some_and(|entry| entry.ladder.nudge.is_some())
    }

    /// The first entry for a tool.
    pub(crate) fn tool(&self, name: &str) -> Option<&ToolSettings> {
        self.tools.iter().find(|entry| entry.tool.matches(name))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Preset::Standard)
    }
}
