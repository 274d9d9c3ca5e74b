//! Visual Studio Code: `servers` in `mcp.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct VsCode;

impl Known for VsCode {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let project = around.project.join(".vscode/mcp.json");
        let user = around.applications().join("Code/User/mcp.json");
        vec![
            ServerFile::json(Scope::Project, project, "servers"),
            ServerFile::json(Scope::User, user, "servers"),
        ]
    }
}
