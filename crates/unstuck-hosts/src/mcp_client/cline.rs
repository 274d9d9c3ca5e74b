//! Cline: `cline_mcp_settings.json`, of the command and of the extension of Visual Studio Code.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct Cline;

const FILE: &str = "settings/cline_mcp_settings.json";

impl Known for Cline {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let command = around.directory("CLINE_DIR", ".cline").join("data");
        let editor = around.applications().join("Code/User/globalStorage");
        let extension = editor.join("saoudrizwan.claude-dev");
        [command, extension]
            .map(|directory| ServerFile::json(Scope::User, directory.join(FILE), "mcpServers"))
            .to_vec()
    }
}
