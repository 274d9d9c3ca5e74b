//! Claude Code: `.mcp.json` of the project, and `~/.claude.json` with servers for one project and for all.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct ClaudeCode;

const TABLE: &str = "mcpServers";

impl Known for ClaudeCode {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let state = around
            .directory("CLAUDE_CONFIG_DIR", "")
            .join(".claude.json");
        let project = around.project.to_string_lossy().into_owned();
        let own = ["projects".to_owned(), project, TABLE.to_owned()];
        vec![
            ServerFile::json(Scope::Project, state.clone(), TABLE).at(own.to_vec()),
            ServerFile::json(Scope::Project, around.project.join(".mcp.json"), TABLE),
            ServerFile::json(Scope::User, state, TABLE),
        ]
    }
}
