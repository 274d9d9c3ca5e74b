//! `OpenCode`.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop, platform};
use crate::agents::model::ToolCall;

pub(super) struct OpenCode;

impl Agent for OpenCode {
    fn host(&self) -> &'static str {
        "opencode"
    }

    fn package(&self) -> &'static str {
        "opencode-ai"
    }

    fn version(&self) -> &'static str {
        "1.18.33"
    }

    fn stop(&self) -> Stop {
        Stop::EndsRun
    }

    fn programs(&self) -> Vec<String> {
        vec![
            format!("opencode-{}/bin/opencode", platform()),
            ".bin/opencode".to_owned(),
        ]
    }

    fn prepare(&self, lab: &Lab, model: &str) -> Result<()> {
        lab.write_json(
            "work/opencode.json",
            &json!({
                "model": "scripted/m1",
                "provider": {"scripted": {
                    "npm": "@ai-sdk/openai-compatible",
                    "name": "scripted",
                    "options": {"baseURL": format!("{model}/v1"), "apiKey": "x"},
                    "models": {"m1": {"name": "m1"}},
                }},
            }),
        )?;
        // It installs this package into both places before the first request, unless they look as if it was there.
        let lock = json!({"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}});
        for directory in ["work/.opencode", "home/.config/opencode"] {
            lab.write(&format!("{directory}/node_modules/.keep"), "")?;
            lab.write_json(&format!("{directory}/package-lock.json"), &lock)?;
        }
        Ok(())
    }

    /// Its own providers are the ones that `unstuck run` can point elsewhere.
    fn through_proxy(&self, lab: &Lab, model: &str) -> Result<Vec<String>> {
        lab.write_json(
            "work/opencode.json",
            &json!({
                "model": "openai/m1",
                "provider": {"openai": {
                    "npm": "@ai-sdk/openai-compatible",
                    "name": "openai",
                    "options": {"apiKey": "x"},
                    "models": {"m1": {"name": "m1"}},
                }},
            }),
        )?;
        Ok(vec!["--upstream".to_owned(), format!("openai={model}")])
    }

    fn command(&self, program: &Path, _: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["run", "Do the task.", "--format", "json"])
            .env("OPENCODE_DISABLE_MODELS_FETCH", "1")
            .env("OPENCODE_DISABLE_AUTOUPDATE", "1");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        vec!["run", "--continue", message, "--format", "json"]
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new("bash", json!({"command": command, "description": "run it"}))
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        lab.change_json("work/opencode.json", |settings| {
            settings["mcp"][name] = json!({"type": "local", "command": command});
        })
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall::new("lab_echo", json!({"text": text}))
    }

    fn said_stopped(&self, output: &str) -> bool {
        output.contains("MessageAbortedError")
    }
}
