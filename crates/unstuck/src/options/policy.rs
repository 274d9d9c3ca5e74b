//! How findings become verdicts.

use serde::{Deserialize, Serialize};

use super::{Loosening, Rung, Tightening};

/// How findings become verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PolicySettings {
    /// When a nudge is given again.
    pub nudges: Nudges,
    /// What happens when a reported pattern comes back.
    pub relapse: Relapse,
    /// Number of denials without progress, over all rules, after which the run is halted.
    pub denials_before_halt: Rung,
    /// Number of nudges in one streak after which a pattern is denied, and then halted, where the thresholds of its rule
    /// only nudge. It applies to `summary-loop`, `test-fix-cycle`, `reworded-query`, `same-target` and what `stuck-outcome` only
    /// nudges.
    pub nudges_before_denial: Rung,
    /// What a person's message resets.
    pub on_user: OnUser,
}

/// When a nudge is given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Nudges {
    /// With every event at or above the threshold.
    EveryTime,
    /// At the threshold, at each higher level (a repeat right after a nudge raises it), and then when the streak has
    /// doubled.
    WhenGrown,
}

/// What happens when a reported pattern comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Relapse {
    /// Its count continues from the earlier streak.
    Climb,
    /// Its count starts at zero.
    Forget,
}

/// What a person's message resets.
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

impl PolicySettings {
    /// Compares these settings with those they are laid over. `preset` has those of the preset in effect.
    pub(crate) fn tightens(&self, base: &Self, preset: &Self, tightening: &mut Tightening<'_>) {
        let Self {
            nudges,
            relapse,
            denials_before_halt,
            nudges_before_denial,
            on_user,
        } = self;
        tightening.same("nudges", nudges, &base.nudges);
        let strict = |relapse: Relapse| u8::from(relapse == Relapse::Climb);
        tightening.order("relapse", strict(*relapse), strict(base.relapse));
        if strict(*relapse) > strict(base.relapse).max(strict(preset.relapse)) {
            tightening.found("relapse", Loosening::NotInPreset);
        }
        tightening.count(
            "denials_before_halt",
            denials_before_halt.count(),
            base.denials_before_halt.count(),
            preset.denials_before_halt.count(),
        );
        tightening.count(
            "nudges_before_denial",
            nudges_before_denial.count(),
            base.nudges_before_denial.count(),
            preset.nudges_before_denial.count(),
        );
        tightening.same("on_user", on_user, &base.on_user);
    }
}
