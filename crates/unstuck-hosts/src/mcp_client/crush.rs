//! Crush: `mcp` in `crush.json`.

use std::path::PathBuf;

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct Crush;

impl Known for Crush {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let chosen = (around.variable)("CRUSH_GLOBAL_CONFIG").filter(|value| !value.is_empty());
        let user = chosen.map_or_else(|| around.config.join("crush"), PathBuf::from);
        vec![
            ServerFile::json(Scope::Project, around.project.join(".crush.json"), "mcp"),
            ServerFile::json(Scope::Project, around.project.join("crush.json"), "mcp"),
            ServerFile::json(Scope::User, user.join("crush.json"), "mcp"),
        ]
    }
}
