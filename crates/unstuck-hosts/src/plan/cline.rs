//! Cline: programs named after the events, in a directory of hooks.

use std::path::PathBuf;

use serde_json::json;

use super::{
    Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
    file::MARKER,
};
use crate::{Host, Invocation, ShellKind, events};

pub(super) struct Cline;

impl Recipe for Cline {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let directory = match scope {
            Scope::User => around.home.join(".cline/hooks"),
            Scope::Project => around.project.join(".clinerules/hooks"),
        };
        let program = |event: &str| {
            let command = invocation.of_event(Host::Cline, event);
            match invocation.shell {
                ShellKind::Posix => (
                    event.to_owned(),
                    format!("#!/bin/sh\n# Written by `{MARKER} cline`.\nexec {command}\n"),
                ),
                ShellKind::Windows => (
                    format!("{event}.ps1"),
                    format!("# Written by `{MARKER} cline`.\n$input | & {command}\n"),
                ),
            }
        };
        let file = |event: &&str| {
            let (name, text) = program(event);
            PlannedFile::whole(Host::Cline, directory.join(name), text, Access::Program)
        };
        events(Host::Cline).iter().map(file).collect()
    }

    fn by_hand(&self, _scope: Scope) -> Vec<String> {
        vec!["Hooks must be on in Cline's settings.".to_owned()]
    }

    fn evidence(&self) -> Evidence {
        Evidence::Documented("its source")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["cline"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![
            around.home.join(".cline"),
            around.home.join("Documents/Cline"),
            around.project.join(".clinerules"),
        ]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |name: &str| {
            json!({
                "clineVersion": "canary",
                "hookName": name,
                "taskId": call.session,
                "workspaceRoots": [call.directory],
            })
        };
        let mut before = told("tool_call");
        before["tool_call"] =
            json!({"id": call.id(), "name": "execute_command", "input": {"command": COMMAND}});
        before["preToolUse"] =
            json!({"toolName": "execute_command", "parameters": {"command": COMMAND}});
        let mut after = told("tool_result");
        after["tool_result"] = json!({
            "id": call.id(), "name": "execute_command", "input": {"command": COMMAND}, "output": OUTPUT,
        });
        after["postToolUse"] = json!({
            "toolName": "execute_command", "parameters": {"command": COMMAND},
            "result": OUTPUT, "success": true, "executionTimeMs": 1,
        });
        vec![input("PreToolUse", before), input("PostToolUse", after)]
    }
}
