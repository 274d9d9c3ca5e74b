//! Gemini CLI: `mcpServers` in `settings.json`.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct GeminiCli;

impl Known for GeminiCli {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let file = |scope, root: &std::path::Path| {
            ServerFile::json(scope, root.join(".gemini/settings.json"), "mcpServers")
        };
        vec![
            file(Scope::Project, around.project),
            file(Scope::User, around.home),
        ]
    }
}
