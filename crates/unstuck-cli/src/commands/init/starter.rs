//! The files that start a user's configuration.

use std::path::{Path, PathBuf};

/// Name of the schema beside `unstuck.toml`; the first line of the file refers to it.
const SCHEMA: &str = "unstuck.schema.json";

/// `unstuck.toml`, in which every setting is a comment.
const TEXT: &str = r#"#:schema ./unstuck.schema.json

# Settings of unstuck for all your projects. Every setting is optional: remove the `#` in front of a line to change it.
# `unstuck config check` finds mistakes, `unstuck config show` prints all settings in effect, and
# `unstuck schema config -o unstuck.schema.json` brings the schema up to date after an update.

# The thresholds to start from; `unstuck rules --preset NAME` lists those of a preset.
#preset = "standard"

# `enforce`, `observe` (decide and record, let every call pass) or `off`.
#mode = "enforce"

# Thresholds of a rule are numbers of occurrences, the first one included. `unstuck explain RULE` shows all options.
#[rules.exact-repeat]
#nudge = 3
#deny = 6
#halt = "never"

# A limit on what a run may use. It is off until one is set.
#[rules.budget]
#steps = 500
#nudge_percent = 80

# Settings of a tool. `*` stands for any run of characters; the first entry that matches counts.
#[[tools]]
#tool = "mcp__*__wait"
#exempt = true

# A notification on your desktop when an agent is halted.
#[notify]
#desktop = true
"#;

/// The files by path: the configuration, and its schema for editors.
pub(in crate::commands) fn starter_files(file: &Path) -> [(PathBuf, String); 2] {
    let schema = format!("{:#}\n", unstuck_config::schema());
    [
        (file.to_owned(), TEXT.to_owned()),
        (file.with_file_name(SCHEMA), schema),
    ]
}

#[cfg(test)]
#[path = "starter_tests.rs"]
mod tests;
