//! `OpenCode`: `mcp` in `opencode.json`, with the command and its arguments in one list.

use super::{Known, ServerFile};
use crate::{Scope, Surroundings};

pub(super) struct OpenCode;

impl Known for OpenCode {
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let directories = [
            (Scope::Project, around.project.join(".opencode")),
            (Scope::Project, around.project.to_path_buf()),
            (Scope::User, around.config.join("opencode")),
        ];
        let of = |(scope, directory): (Scope, std::path::PathBuf)| {
            ["opencode.json", "opencode.jsonc"]
                .map(|name| ServerFile::json(scope, directory.join(name), "mcp"))
        };
        directories.into_iter().flat_map(of).collect()
    }
}
