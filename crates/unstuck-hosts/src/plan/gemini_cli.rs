//! Gemini CLI: `settings.json`, times in milliseconds.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    CanaryCall, CanaryInput, Evidence, Plan, PlannedFile, Recipe, Scope, Surroundings, Trust,
    canary::{COMMAND, OUTPUT, input},
    entry::settings_of_gemini,
};
use crate::{Host, Invocation};

pub(super) struct GeminiCli;

impl Recipe for GeminiCli {
    fn files(
        &self,
        scope: Scope,
        around: &Surroundings<'_>,
        invocation: &Invocation,
    ) -> Vec<PlannedFile> {
        let host = Host::GeminiCli;
        vec![settings_of_gemini(
            host, ".gemini", scope, around, invocation,
        )]
    }

    fn by_hand(&self, scope: Scope) -> Vec<String> {
        match scope {
            Scope::User => Vec::new(),
            Scope::Project => vec![
                "Gemini CLI runs a project's hooks once its folder is trusted: /permissions."
                    .to_owned(),
            ],
        }
    }

    fn trust(&self, plan: &Plan, around: &Surroundings<'_>) -> Trust {
        if plan.scope == Scope::User {
            return Trust::Granted;
        }
        let folders = (around.read)(&around.home.join(".gemini/trustedFolders.json"));
        let folders = folders.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        let project = around.project.to_string_lossy();
        let word = folders
            .as_ref()
            .and_then(|folders| folders.get(&*project)?.as_str());
        match word {
            Some("TRUST_FOLDER") => Trust::Granted,
            Some("DO_NOT_TRUST") => Trust::Missing(format!(
                "start `gemini` in {project} and trust it: /permissions"
            )),
            _ => Trust::Unknown(format!(
                "if `gemini` asks, trust {project}: its hooks do not run before"
            )),
        }
    }

    fn evidence(&self) -> Evidence {
        Evidence::Seen("0.61.0")
    }

    fn programs(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn directories(&self, around: &Surroundings<'_>) -> Vec<PathBuf> {
        vec![around.home.join(".gemini"), around.project.join(".gemini")]
    }

    fn canary(&self, call: &CanaryCall<'_>) -> Vec<CanaryInput> {
        let told = |event: &str| {
            json!({
                "session_id": call.session,
                "transcript_path": "",
                "cwd": call.directory,
                "hook_event_name": event,
                "tool_name": "run_shell_command",
                "tool_input": {"command": COMMAND},
            })
        };
        let mut after = told("AfterTool");
        after["tool_response"] = json!({"llmContent": OUTPUT, "returnDisplay": OUTPUT});
        vec![
            input("BeforeTool", told("BeforeTool")),
            input("AfterTool", after),
        ]
    }
}
