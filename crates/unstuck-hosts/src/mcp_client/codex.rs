//! Codex CLI: `[mcp_servers.NAME]` in `config.toml`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct Codex;

const TABLE: &str = "mcp_servers";

impl Known for Codex {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let project = around.project.join(".codex/config.toml");
        let user = around.directory("CODEX_HOME", ".codex").join("config.toml");
        vec![
            ServerFile::toml(Scope::Project, project, TABLE),
            ServerFile::toml(Scope::User, user, TABLE),
        ]
    }
}
