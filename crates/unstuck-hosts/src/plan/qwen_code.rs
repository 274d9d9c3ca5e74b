//! Qwen Code: `settings.json`, times in milliseconds.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_MILLISECONDS, group, handler, text},
};
use crate::{Host, Invocation, events};

pub(super) struct QwenCode;

impl Recipe for QwenCode {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let root = match scope {
            Scope::User => around.home,
            Scope::Project => around.project,
        };
        let wishes = events(Host::QwenCode).iter().map(|event| {
            let command = invocation.of(Host::QwenCode);
            let mut members = vec![("name", text("unstuck"))];
            members.extend(handler(command, TIMEOUT_MILLISECONDS));
            group(event, members)
        });
        let path = root.join(".qwen/settings.json");
        vec![PlannedFile::json(Host::QwenCode, path, wishes.collect())]
    }

    fn evidence(&self) -> Evidence {
        Evidence::Seen("0.24.4")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["qwen"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![around.home.join(".qwen"), around.project.join(".qwen")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str| {
            json!({
                "session_id": call.session,
                "transcript_path": "",
                "cwd": call.directory,
                "hook_event_name": event,
                "permission_mode": "default",
                "prompt_id": "canary",
                "tool_name": "run_shell_command",
                "tool_input": {"command": COMMAND},
                "tool_use_id": call.id(),
                "tool_call_id": call.id(),
            })
        };
        let mut after = told("PostToolUse");
        after["tool_response"] = json!({"llmContent": OUTPUT, "returnDisplay": OUTPUT});
        vec![
            input("PreToolUse", told("PreToolUse")),
            input("PostToolUse", after),
        ]
    }
}
