//! Notifications of people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Notifications on the desktop. Only the user's own file counts: a project's file could start programs by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct NotifySettings {
    /// Show a notification when an agent with hooks is halted: with `notify-send`, or with `osascript` on macOS.
    pub desktop: bool,
    /// Program with its arguments that is started instead, with a title and a text as two more arguments. It is run
    /// without a shell.
    pub command: Vec<String>,
}
