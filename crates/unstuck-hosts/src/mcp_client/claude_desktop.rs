//! Claude Desktop: `claude_desktop_config.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct ClaudeDesktop;

impl Known for ClaudeDesktop {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let directory = around.applications().join("Claude");
        let path = directory.join("claude_desktop_config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    }
}
