//! Claude Code: `settings.json`.
//!
//! The command is a line for the shell and not a program with `args`: versions before 2.1.139 ignore `args` and would
//! run the program without any, and other hosts read this file, too.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    CanaryCall, CanaryInput, Evidence, Plan, PlannedFile, Recipe, Scope, Surroundings, Trust,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, group, handler},
};
use crate::{Host, Invocation, events};

pub(super) struct ClaudeCode;

impl Recipe for ClaudeCode {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let path = match scope {
            Scope::User => home(around).join("settings.json"),
            Scope::Project => around.project.join(".claude/settings.json"),
        };
        let wishes = events(Host::ClaudeCode).iter().map(|event| {
            let command = invocation.of(Host::ClaudeCode);
            group(event, handler(command, TIMEOUT_SECONDS))
        });
        vec![PlannedFile::json(Host::ClaudeCode, path, wishes.collect())]
    }

    fn by_hand(&self, _scope: Scope) -> Vec<String> {
        vec![
            "Claude Code runs hooks in a directory once you have said that you trust it."
                .to_owned(),
        ]
    }

    fn trust(&self, _plan: &Plan, around: &Surroundings<'_>) -> Trust {
        let state = match (around.variable)("CLAUDE_CONFIG_DIR").filter(|value| !value.is_empty()) {
            Some(directory) => PathBuf::from(directory).join(".claude.json"),
            None => around.home.join(".claude.json"),
        };
        let project = around.project.to_string_lossy();
        let state =
            (around.read)(&state).and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let accepted = state
            .as_ref()
            .and_then(|state| state["projects"][&*project]["hasTrustDialogAccepted"].as_bool());
        match accepted {
            Some(true) => Trust::Granted,
            Some(false) => Trust::Missing(format!(
                "start `claude` in {project} once and say that you trust it; `claude -p` does not ask"
            )),
            None => Trust::Unknown(format!(
                "`claude` asks for trust when it is first started in {project}; `claude -p` does not ask"
            )),
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::Seen("2.1.325")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![home(around), around.project.join(".claude")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str, rest: Value| {
            let mut told = json!({
                "session_id": call.session,
                "transcript_path": "",
                "cwd": call.directory,
                "permission_mode": "default",
                "hook_event_name": event,
                "tool_name": "Bash",
                "tool_input": {"command": COMMAND},
                "tool_use_id": call.id(),
            });
            if let (Some(told), Value::Object(rest)) = (told.as_object_mut(), rest) {
                told.extend(rest);
            }
            told
        };
        let response =
            json!({"tool_response": {"stdout": OUTPUT, "stderr": "", "interrupted": false}});
        vec![
            input("PreToolUse", told("PreToolUse", json!({}))),
            input("PostToolUse", told("PostToolUse", response)),
        ]
    }
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    around.directory("CLAUDE_CONFIG_DIR", ".claude")
}
