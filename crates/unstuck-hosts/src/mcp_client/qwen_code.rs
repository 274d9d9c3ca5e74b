//! Qwen Code: `mcpServers` in `settings.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct QwenCode;

impl Known for QwenCode {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let file = |scope, root: &std::path::Path| {
            ServerFile::json(scope, root.join(".qwen/settings.json"), "mcpServers")
        };
        vec![
            file(Scope::Project, around.project),
            file(Scope::User, around.home),
        ]
    }
}
