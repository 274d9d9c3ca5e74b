//! How calls and results are compared.

use serde::{Deserialize, Serialize};

use super::choice;

choice! {
    /// Which arguments make two calls similar.
    CompareCalls {
        /// Primary arguments (`path`, `command`, `query`, …) where nothing is written; any shell reads files.
        Standard,
        /// Primary arguments always; only the tool `bash` is a shell, and test runs are judged by words alone.
        Primary,
    }
}

choice! {
    /// How results are compared.
    CompareOutcomes {
        /// Ignoring timestamps, durations, ids, process numbers, temporary paths and learned noise.
        Normalised,
        /// Byte by byte.
        Exact,
    }
}

choice! {
    /// How shell commands are compared.
    ReadShells {
        /// By what they do, as far as that can be read from the command.
        Meaning,
        /// By their text.
        Text,
    }
}

/// How calls and results are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct IdentitySettings {
    /// Which arguments make two calls similar.
    pub calls: CompareCalls,
    /// How results are compared.
    pub outcomes: CompareOutcomes,
    /// How shell commands are compared.
    pub shells: ReadShells,
    /// Whether rephrased calls count as similar. Only `near-repeat` with `count = "outcomes"` uses it.
    pub rewordings: bool,
}

impl IdentitySettings {
    /// Compares by meaning. Recommended for agents.
    pub(crate) const STANDARD: Self = Self {
        calls: CompareCalls::Standard,
        outcomes: CompareOutcomes::Normalised,
        shells: ReadShells::Meaning,
        rewordings: true,
    };

    /// Compares byte by byte, as the founding systems do.
    pub(crate) const EXACT: Self = Self {
        calls: CompareCalls::Standard,
        outcomes: CompareOutcomes::Exact,
        shells: ReadShells::Text,
        rewordings: false,
    };
}
