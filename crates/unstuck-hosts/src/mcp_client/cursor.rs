//! Cursor: `mcp.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct Cursor;

impl Known for Cursor {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let file = |scope, root: &std::path::Path| {
            ServerFile::json(scope, root.join(".cursor/mcp.json"), "mcpServers")
        };
        vec![
            file(Scope::Project, around.project),
            file(Scope::User, around.home),
        ]
    }
}
