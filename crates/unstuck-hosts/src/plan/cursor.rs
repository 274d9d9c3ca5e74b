//! Cursor: `hooks.json`.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, in_hooks},
};
use crate::{Host, Invocation, Node, events};

pub(super) struct Cursor;

impl Recipe for Cursor {
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
        let wishes = events(Host::Cursor).iter().map(|event| {
            let command = Node::Text(invocation.of(Host::Cursor));
            in_hooks(
                event,
                vec![
                    ("command", command),
                    ("timeout", Node::Number(TIMEOUT_SECONDS)),
                ],
            )
        });
        let path = root.join(".cursor/hooks.json");
        vec![PlannedFile::json(Host::Cursor, path, wishes.collect()).with_version()]
    }

    fn by_hand(&self, scope: Scope) -> Vec<String> {
        match scope {
            Scope::User => Vec::new(),
            Scope::Project => {
                vec!["Cursor runs a project's hooks in a trusted workspace only.".to_owned()]
            }
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documented("its documentation")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cursor", "cursor-agent"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![around.home.join(".cursor"), around.project.join(".cursor")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str| {
            json!({
                "conversation_id": call.session,
                "generation_id": "canary",
                "hook_event_name": event,
                "cursor_version": "canary",
                "workspace_roots": [call.directory],
                "tool_name": "Shell",
                "tool_input": {"command": COMMAND},
                "tool_use_id": call.id(),
                "cwd": call.directory,
            })
        };
        let mut after = told("postToolUse");
        after["tool_output"] = json!(json!({"exitCode": 0, "stdout": OUTPUT}).to_string());
        vec![
            input("preToolUse", told("preToolUse")),
            input("postToolUse", after),
        ]
    }
}
