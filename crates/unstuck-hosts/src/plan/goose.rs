//! Goose: a plugin of our own in the directory of agents' plugins.

use std::path::PathBuf;

use serde_json::json;

use super::{
    Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    entry::{TIMEOUT_SECONDS, group, handler},
    file::MARKER,
};
use crate::{Host, Invocation, events};

pub(super) struct Goose;

impl Recipe for Goose {
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
        let plugin = root.join(".agents/plugins/unstuck");
        let manifest = format!(
            "{{\n  \"name\": \"unstuck\",\n  \"version\": \"{}\",\n  \"description\": \"Keeps agents from going in circles. Written by `{MARKER} goose`.\"\n}}\n",
            env!("CARGO_PKG_VERSION")
        );
        let wishes = events(Host::Goose).iter().map(|event| {
            let command = invocation.of(Host::Goose);
            group(event, handler(command, TIMEOUT_SECONDS))
        });
        let path = plugin.join("plugin.json");
        let hooks = plugin.join("hooks/hooks.json");
        vec![
            PlannedFile::whole(Host::Goose, path, manifest, Access::Data),
            PlannedFile::json(Host::Goose, hooks, wishes.collect()).alone(),
        ]
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documented("its source")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["goose"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![around.config.join("goose")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str| {
            json!({
                "event": event,
                "session_id": call.session,
                "matcher_context": "developer__shell",
                "tool_name": "developer__shell",
                "tool_input": {"command": COMMAND},
                "working_dir": call.directory,
            })
        };
        let mut after = told("PostToolUse");
        after["tool_output"] = json!(OUTPUT);
        vec![
            input("PreToolUse", told("PreToolUse")),
            input("PostToolUse", after),
        ]
    }
}
