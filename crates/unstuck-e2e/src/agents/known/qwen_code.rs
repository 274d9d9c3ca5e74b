//! Qwen Code.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop};
use crate::agents::model::ToolCall;

pub(super) struct QwenCode;

impl Agent for QwenCode {
    fn host(&self) -> &'static str {
        "qwen-code"
    }

    fn package(&self) -> &'static str {
        "@qwen-code/qwen-code"
    }

    fn version(&self) -> &'static str {
        "0.24.4"
    }

    fn stop(&self) -> Stop {
        Stop::EndsRun
    }

    fn programs(&self) -> Vec<String> {
        vec![".bin/qwen".to_owned()]
    }

    fn prepare(&self, lab: &Lab, _: &str) -> Result<()> {
        lab.write(
            "home/.qwen/settings.json",
            "{\n  // mine\n  \"ui\": { \"hideTips\": true }\n}\n",
        )
    }

    fn command(&self, program: &Path, model: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["-p", "Do the task.", "--yolo", "--output-format", "json"])
            .env("OPENAI_API_KEY", "scripted")
            .env("OPENAI_BASE_URL", format!("{model}/v1"))
            .env("OPENAI_MODEL", "m1");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        vec![
            "--continue",
            "-p",
            message,
            "--yolo",
            "--output-format",
            "json",
        ]
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new(
            "run_shell_command",
            json!({"command": command, "is_background": false}),
        )
    }

    /// It ends any run itself at the fifth equal call in a row.
    fn laps(&self) -> &'static [&'static str] {
        &["sh attempt.sh one", "sh attempt.sh two"]
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        lab.write_json(
            "home/.qwen/settings.json",
            &json!({"mcpServers": {name: {"command": command[0], "args": command[1..]}}}),
        )
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall::new("mcp__lab__echo", json!({"text": text}))
    }

    /// It says nothing of hooks, but much when its own guard ends a run.
    fn said_stopped(&self, output: &str) -> bool {
        output.contains("\"type\":\"result\"") && !output.contains("Loop detection halted")
    }
}
