//! Visual Studio Code: `servers` in `mcp.json`.

use super::{McpClient, ServerFile};
use crate::Scope;

pub(super) const VS_CODE: McpClient = McpClient {
    name: "vs-code",
    title: "Visual Studio Code",
    files: |around| {
        let project = around.project.join(".vscode/mcp.json");
        let user = around.applications().join("Code/User/mcp.json");
        vec![
            ServerFile::json(Scope::Project, project, "servers"),
            ServerFile::json(Scope::User, user, "servers"),
        ]
    },
};
