//! `OpenHands`: `hooks.json`, events in snake case at its root.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, group, handler},
};
use crate::{Host, Invocation, events};

pub(super) struct OpenHands;

impl Recipe for OpenHands {
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
        let wishes = events(Host::OpenHands).iter().map(|event| {
            let command = invocation.of(Host::OpenHands);
            let mut wish = group(event, handler(command, TIMEOUT_SECONDS));
            wish.list = vec![(*event).to_owned()];
            wish
        });
        let path = root.join(".openhands/hooks.json");
        vec![PlannedFile::json(Host::OpenHands, path, wishes.collect()).at_root()]
    }

    fn by_hand(&self, scope: Scope) -> Vec<String> {
        match scope {
            Scope::User => vec![
                "A project that has an .openhands/hooks.json of its own is not guarded by the user's."
                    .to_owned(),
            ],
            Scope::Project => Vec::new(),
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documented("its source")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["openhands"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![
            around.home.join(".openhands"),
            around.project.join(".openhands"),
        ]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str| {
            json!({
                "event_type": event,
                "tool_name": "terminal",
                "tool_input": {"command": COMMAND},
                "session_id": call.session,
                "working_dir": call.directory,
                "metadata": {},
            })
        };
        let mut after = told("PostToolUse");
        after["tool_response"] = json!({"output": OUTPUT});
        vec![
            input("pre_tool_use", told("PreToolUse")),
            input("post_tool_use", after),
        ]
    }
}
