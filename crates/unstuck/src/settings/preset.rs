//! The names of presets.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Settings, presets};

/// A named set of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Preset {
    /// All rules, judged by outcomes. Recommended for agents.
    #[default]
    Standard,
    /// `IronCurtain`: a matrix of approaches and outcomes for steps, a breaker for identical calls.
    Ironcurtain,
    /// Attractor: cycles of one, two and three calls.
    Attractor,
    /// attocode: doom loops, failing tests and commands, turns without calls, swarms.
    Attocode,
    /// `ToolLoopDetector`: any call three times in the last twenty.
    ToolLoopDetector,
}

/// A name that is not a preset's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown preset `{0}`; known are standard, ironcurtain, attractor, attocode and tool-loop-detector"
)]
pub struct UnknownPreset(pub String);

impl Preset {
    /// All presets.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::Ironcurtain,
        Self::Attractor,
        Self::Attocode,
        Self::ToolLoopDetector,
    ];

    /// The preset's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Ironcurtain => "ironcurtain",
            Self::Attractor => "attractor",
            Self::Attocode => "attocode",
            Self::ToolLoopDetector => "tool-loop-detector",
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Standard => "all rules, judged by results; what an agent should run with",
            Self::Ironcurtain => "steps by approach and outcome; 20 identical calls in 60 s",
            Self::Attractor => "cycles of one, two and three calls; the third repetition stops",
            Self::Attocode => {
                "equal and similar calls in a row, failing tests and commands, idle turns, swarms"
            }
            Self::ToolLoopDetector => "any call three times in the last twenty stops the run",
        }
    }

    pub(super) fn settings(self) -> Settings {
        match self {
            Self::Standard => presets::standard::settings(),
            Self::Ironcurtain => presets::ironcurtain::settings(),
            Self::Attractor => presets::attractor::settings(),
            Self::Attocode => presets::attocode::settings(),
            Self::ToolLoopDetector => presets::tool_loop_detector::settings(),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.as_str() == name)
            .ok_or_else(|| UnknownPreset(name.to_owned()))
    }
}
