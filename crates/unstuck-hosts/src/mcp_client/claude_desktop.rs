//! Claude Desktop: `claude_desktop_config.json`.

use super::{McpClient, ServerFile};
use crate::Scope;

pub(super) const CLAUDE_DESKTOP: McpClient = McpClient {
    name: "claude-desktop",
    title: "Claude Desktop",
    files: |around| {
        let directory = around.applications().join("Claude");
        let path = directory.join("claude_desktop_config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    },
};
