//! Windsurf: `mcp_config.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct Windsurf;

impl Known for Windsurf {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let path = around.home.join(".codeium/windsurf/mcp_config.json");
        vec![ServerFile::json(Scope::User, path, "mcpServers")]
    }
}
