//! `OpenCode`: a plugin file of our own.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    Access, CanaryCall, CanaryInput, Evidence, PlannedFile, Recipe, Scope, Surroundings,
    canary::{COMMAND, OUTPUT, input},
};
use crate::{Host, Invocation};

pub(super) struct OpenCode;

/// The plugin, with a place for the program's path.
const PLUGIN: &str = include_str!("opencode_plugin.js");

const PROGRAM: &str = "\"unstuck\" /* PROGRAM */";

impl Recipe for OpenCode {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let directory = match scope {
            Scope::User => around.config.join("opencode"),
            Scope::Project => around.project.join(".opencode"),
        };
        let program = Value::from(invocation.program.as_str()).to_string();
        let text = PLUGIN.replace(PROGRAM, &program);
        let path = directory.join("plugins/unstuck.js");
        vec![PlannedFile::whole(Host::OpenCode, path, text, Access::Data)]
    }

    fn evidence(&self) -> Evidence {
        Evidence::Seen("1.18.33")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["opencode"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![
            around.config.join("opencode"),
            around.project.join(".opencode"),
        ]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let args = json!({"command": COMMAND});
        let before = json!({
            "hook": "tool.execute.before",
            "directory": call.directory,
            "input": {"tool": "bash", "sessionID": call.session, "callID": call.id()},
            "output": {"args": args},
        });
        let after = json!({
            "hook": "tool.execute.after",
            "directory": call.directory,
            "input": {"tool": "bash", "sessionID": call.session, "callID": call.id(), "args": args},
            "output": {"title": "", "output": OUTPUT, "metadata": {"exit": 0}},
        });
        vec![
            input("tool.execute.before", before),
            input("tool.execute.after", after),
        ]
    }
}
