//! Codex CLI.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::json;

use crate::agents::agent::{Agent, Lab, Stop};
use crate::agents::model::ToolCall;

pub(super) struct Codex;

impl Agent for Codex {
    fn host(&self) -> &'static str {
        "codex"
    }

    fn package(&self) -> &'static str {
        "@openai/codex"
    }

    fn version(&self) -> &'static str {
        "0.166.0"
    }

    fn stop(&self) -> Stop {
        Stop::DeniesOn
    }

    fn programs(&self) -> Vec<String> {
        vec![".bin/codex".to_owned()]
    }

    fn prepare(&self, lab: &Lab, model: &str) -> Result<()> {
        lab.write(
            "home/.codex/config.toml",
            &format!(
                "# the scripted model\nmodel = \"m1\"\nmodel_provider = \"scripted\"\n\n[model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n"
            ),
        )
    }

    fn command(&self, program: &Path, _: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(["exec", "--skip-git-repo-check", "--json"])
            .arg("--dangerously-bypass-approvals-and-sandbox")
            // A person would review the hooks once; there is none here.
            .arg("--dangerously-bypass-hook-trust")
            .arg("Do the task.");
        command
    }

    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str> {
        let own = ["exec", "--skip-git-repo-check", "--json"];
        let free = ["--dangerously-bypass-approvals-and-sandbox"];
        [&own[..], &free, &["resume", "--last", message]].concat()
    }

    fn shell(&self, command: &str) -> ToolCall {
        ToolCall::new("exec_command", json!({"cmd": command}))
    }

    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()> {
        let path = "home/.codex/config.toml";
        let settings = std::fs::read_to_string(lab.root.join(path))?;
        let [program, arguments @ ..] = command else {
            return Ok(());
        };
        lab.write(
            path,
            &format!(
                "{settings}\n[mcp_servers.{name}]\ncommand = {program:?}\nargs = {arguments:?}\n"
            ),
        )
    }

    fn echo(&self, text: &str) -> ToolCall {
        ToolCall {
            namespace: Some("mcp__lab"),
            ..ToolCall::new("echo", json!({"text": text}))
        }
    }

    /// It cannot.
    fn said_stopped(&self, _: &str) -> bool {
        false
    }
}
