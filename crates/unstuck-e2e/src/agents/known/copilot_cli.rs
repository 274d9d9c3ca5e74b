//! GitHub Copilot CLI.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop, platform};
use crate::agents::model::ToolCall;

pub(super) struct CopilotCli;

impl Agent for CopilotCli {
    fn host(&self) -> &'static str {
        "copilot-cli"
    }

    fn package(&self) -> &'static str {
        "@github/copilot"
    }

    fn version(&self) -> &'static str {
        "1.0.102"
    }

    fn stop(&self) -> Stop {
        Stop::EndsRun
    }

    fn programs(&self) -> Vec<String> {
        vec![
            format!(".bin/copilot-{}", platform()),
            ".bin/copilot".to_owned(),
        ]
    }

    fn prepare(&self, _: &Lab, _: &str) -> Result<()> {
        Ok(())
    }

    fn command(&self, program: &Path, model: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["-p", "Do the task.", "--allow-all-tools"])
            .env("COPILOT_PROVIDER_BASE_URL", format!("{model}/v1"))
            .env("COPILOT_PROVIDER_TYPE", "openai")
            .env("COPILOT_PROVIDER_API_KEY", "x")
            .env("COPILOT_MODEL", "m1");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        vec!["--continue", "-p", message, "--allow-all-tools"]
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new("bash", json!({"command": command, "description": "run it"}))
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        lab.change_json("home/.copilot/mcp-config.json", |settings| {
            settings["mcpServers"][name] = json!({
                "type": "local", "command": command[0], "args": command[1..], "tools": ["*"],
            });
        })
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall::new("lab-echo", json!({"text": text}))
    }

    fn said_stopped(&self, output: &str) -> bool {
        output.contains("The run is stopped")
    }
}
