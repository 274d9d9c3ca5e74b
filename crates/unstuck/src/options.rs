//! Options: single settings, as plain checked data.
//!
//! What belongs to one rule is in the file of that rule, and [`Settings`](crate::Settings) puts everything together.

mod bounded;
mod cost;
mod declare;
mod identity;
mod ladder;
mod memory;
mod policy;
mod template;
mod tighten;
mod tools;
mod warning;

pub(crate) use bounded::nonzero;
pub use bounded::{Bounded, OutOfBounds};
pub use cost::{Cost, InvalidCost};
pub(crate) use declare::{Options, choice, options};
pub use identity::{CompareCalls, CompareOutcomes, IdentitySettings, ReadShells};
pub use ladder::{DenyRung, Ladder, Rung};
pub use memory::MemorySettings;
pub(crate) use memory::Room;
pub use policy::{Nudges, OnUser, PolicySettings, Relapse};
pub(crate) use template::Piece;
pub use template::{Template, TemplateError};
pub(crate) use tighten::Tightening;
pub use tighten::{Loosened, Loosening};
pub(crate) use tools::warn as warn_tools;
pub use tools::{ToolLadder, ToolPattern, ToolSettings};
pub(crate) use warning::RuleWarnings;
pub use warning::SettingsWarning;
