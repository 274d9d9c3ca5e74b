//! GitHub Copilot CLI: `mcp-config.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct CopilotCli;

impl Known for CopilotCli {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let directory = around.directory("COPILOT_HOME", ".copilot");
        let path = directory.join("mcp-config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    }
}
