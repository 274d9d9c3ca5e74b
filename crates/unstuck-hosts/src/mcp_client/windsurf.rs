//! Windsurf: `mcp_config.json`.

use super::{McpClient, ServerFile};
use crate::Scope;

pub(super) const WINDSURF: McpClient = McpClient {
    name: "windsurf",
    title: "Windsurf",
    files: |around| {
        let path = around.home.join(".codeium/windsurf/mcp_config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    },
};
