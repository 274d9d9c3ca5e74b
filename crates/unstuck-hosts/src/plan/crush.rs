//! Crush: `crush.json`, entries without groups.
//!
//! Only `PreToolUse` is registered. Versions that know no other event refuse the whole file when they meet one.

use std::path::PathBuf;

use serde_json::json;

use super::{
    CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, input},
    entry::{TIMEOUT_SECONDS, in_hooks},
};
use crate::{Host, Invocation, Node, events};

pub(super) struct Crush;

impl Recipe for Crush {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let path = match scope {
            Scope::User => home(around).join("crush.json"),
            Scope::Project => {
                let hidden = around.project.join(".crush.json");
                let is_hidden = (around.read)(&hidden).is_some();
                if is_hidden {
                    hidden
                } else {
                    around.project.join("crush.json")
                }
            }
        };
        let wishes = events(Host::Crush).iter().map(|event| {
            let command = Node::Text(invocation.of(Host::Crush));
            in_hooks(
                event,
                vec![
                    ("command", command),
                    ("timeout", Node::Number(TIMEOUT_SECONDS)),
                ],
            )
        });
        vec![PlannedFile::json(Host::Crush, path, wishes.collect())]
    }

    fn by_hand(&self, _scope: Scope) -> Vec<String> {
        vec![
            "Crush tells its hooks of calls but not of their results: only bursts of equal calls are seen."
                .to_owned(),
        ]
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documented("its documentation")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["crush"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![home(around), around.project.join(".crush")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = json!({
            "event": "PreToolUse",
            "session_id": call.session,
            "cwd": call.directory,
            "tool_name": "bash",
            "tool_input": {"command": COMMAND},
        });
        vec![input("PreToolUse", told)]
    }
}

fn home(around: &Surroundings<'_>) -> PathBuf {
    match (around.variable)("CRUSH_GLOBAL_CONFIG").filter(|value| !value.is_empty()) {
        Some(directory) => PathBuf::from(directory),
        None => around.config.join("crush"),
    }
}
