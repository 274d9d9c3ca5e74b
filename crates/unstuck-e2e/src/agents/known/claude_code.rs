//! Claude Code.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop, platform};
use crate::agents::model::ToolCall;

pub(super) struct ClaudeCode;

impl Agent for ClaudeCode {
    fn host(&self) -> &'static str {
        "claude-code"
    }

    fn package(&self) -> &'static str {
        "@anthropic-ai/claude-code"
    }

    fn version(&self) -> &'static str {
        "2.1.325"
    }

    fn stop(&self) -> Stop {
        Stop::EndsRun
    }

    fn programs(&self) -> Vec<String> {
        vec![
            format!("@anthropic-ai/claude-code-{}/claude", platform()),
            ".bin/claude".to_owned(),
        ]
    }

    fn prepare(&self, lab: &Lab, _: &str) -> Result<()> {
        // Someone's own settings, to see that they stay.
        lab.write(
            "home/.claude/settings.json",
            "{\n  \"permissions\": {\n    \"allow\": [\"Bash\"]\n  }\n}\n",
        )
    }

    fn command(&self, program: &Path, model: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["-p", "Do the task.", "--output-format", "json"])
            .args(["--allowedTools", "Bash,mcp__lab__echo"])
            .env("ANTHROPIC_BASE_URL", model)
            .env("ANTHROPIC_API_KEY", "sk-scripted")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .env("DISABLE_AUTOUPDATER", "1");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        let own = ["-p", message, "--continue", "--output-format", "json"];
        [&own[..], &["--allowedTools", "Bash"]].concat()
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new("Bash", json!({"command": command}))
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        lab.change_json("home/.claude.json", |settings| {
            settings["mcpServers"][name] =
                json!({"type": "stdio", "command": command[0], "args": command[1..]});
        })
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall::new("mcp__lab__echo", json!({"text": text}))
    }

    fn said_stopped(&self, output: &str) -> bool {
        output.contains("\"terminal_reason\":\"hook_stopped\"")
    }
}
