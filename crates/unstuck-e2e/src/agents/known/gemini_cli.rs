//! Gemini CLI.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop};
use crate::agents::model::ToolCall;

pub(super) struct GeminiCli;

impl Agent for GeminiCli {
    fn host(&self) -> &'static str {
        "gemini-cli"
    }

    fn package(&self) -> &'static str {
        "@google/gemini-cli"
    }

    fn version(&self) -> &'static str {
        "0.61.0"
    }

    fn stop(&self) -> Stop {
        Stop::EndsRun
    }

    fn programs(&self) -> Vec<String> {
        vec![".bin/gemini".to_owned()]
    }

    fn prepare(&self, lab: &Lab, _: &str) -> Result<()> {
        // Its own loop detection would step in at the fifth equal call, and we would see that one.
        lab.write_json(
            "home/.gemini/settings.json",
            &json!({
                "model": {"disableLoopDetection": true},
                "security": {"auth": {"selectedType": "gemini-api-key"}},
            }),
        )
    }

    fn command(&self, program: &Path, model: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["-p", "Do the task.", "--yolo", "-m", "gemini-2.5-pro"])
            .args(["--output-format", "json"])
            .env("GEMINI_API_KEY", "scripted")
            .env("GOOGLE_GEMINI_BASE_URL", model)
            .env("GEMINI_CLI_TRUST_WORKSPACE", "true");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        let own = ["--resume", "latest", "-p", message, "--yolo"];
        [
            &own[..],
            &["-m", "gemini-2.5-pro", "--output-format", "json"],
        ]
        .concat()
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new("run_shell_command", json!({"command": command}))
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        lab.change_json("home/.gemini/settings.json", |settings| {
            settings["mcpServers"][name] = json!({"command": command[0], "args": command[1..]});
        })
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall::new("mcp_lab_echo", json!({"text": text}))
    }

    fn said_stopped(&self, output: &str) -> bool {
        output.contains("Agent execution stopped by hook")
    }
}
