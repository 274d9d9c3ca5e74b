//! Qwen Code: `settings.json`, times in milliseconds.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::settings_of_gemini,
};
use crate::{Host, Invocation};

pub(super) struct QwenCode;

impl Recipe for QwenCode {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let host = Host::QwenCode;
        vec![settings_of_gemini(host, ".qwen", scope, around, invocation)]
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
