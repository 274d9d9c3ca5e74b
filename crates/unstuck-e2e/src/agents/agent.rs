//! What is to be known about an agent to run it.

use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

use super::model::ToolCall;

/// The MCP server of the runs with a proxy.
pub(crate) const SERVER: &str = "lab";

/// The directories of one run, all of them fresh.
#[derive(Debug)]
pub(crate) struct Lab {
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) work: PathBuf,
}

/// Whether a host can end a run when a hook says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It can.
    EndsRun,
    /// It cannot: every further call is denied.
    DeniesOn,
}

/// A real agent.
pub(crate) trait Agent: Sync {
    /// As `unstuck install` names it.
    fn host(&self) -> &'static str;

    /// The package on npm.
    fn package(&self) -> &'static str;

    fn version(&self) -> &'static str;

    fn stop(&self) -> Stop;

    /// Where the program is within `node_modules`, the best place first: packages that put their program in place with an
    /// install script do not have it there where npm runs none.
    fn programs(&self) -> Vec<String>;

    /// What has to be in files before `unstuck install` comes.
    fn prepare(&self, lab: &Lab, model: &str) -> Result<()>;

    /// The command line of one run without anyone at the keyboard.
    fn command(&self, program: &Path, model: &str) -> Command;

    /// Arguments of `unstuck run` for the agent, after changing its files where they name the model in a way that nothing
    /// outside can change.
    fn through_proxy(&self, _: &Lab, _: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Arguments that go on with the last session by a person's message.
    fn resume<'a>(&self, message: &'a str) -> Vec<&'a str>;

    /// A call that runs a command in the agent's shell.
    fn shell(&self, command: &str) -> ToolCall;

    /// Commands of the endless loop, over and over. More than one where the agent itself ends a run of equal calls.
    fn laps(&self) -> &'static [&'static str] {
        &["sh attempt.sh"]
    }

    /// Puts an MCP server with this name into the agent's files.
    fn add_server(&self, lab: &Lab, name: &str, command: &[&str]) -> Result<()>;

    /// A call of the tool `echo` of the server [`SERVER`].
    fn echo(&self, text: &str) -> ToolCall;

    /// Whether the agent itself says that a hook ended the run, and nothing else.
    fn said_stopped(&self, output: &str) -> bool;
}

impl Lab {
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.root.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        Ok(std::fs::write(path, text)?)
    }

    /// Changes a file of JSON, which need not be there.
    pub(crate) fn change_json(&self, path: &str, change: impl FnOnce(&mut Value)) -> Result<()> {
        let text = std::fs::read_to_string(self.root.join(path));
        let mut value = match text {
            Ok(text) => serde_json::from_str(&text)?,
            Err(_) => Value::Object(serde_json::Map::new()),
        };
        change(&mut value);
        self.write_json(path, &value)
    }

    pub(crate) fn write_json(&self, path: &str, value: &Value) -> Result<()> {
        self.write(path, &format!("{value:#}\n"))
    }
}

/// The platform as npm packages name it, such as `linux-x64`.
pub(crate) fn platform() -> String {
    let os = match OS {
        "macos" => "darwin",
        "windows" => "win32",
        os => os,
    };
    let arch = match ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        arch => arch,
    };
    format!("{os}-{arch}")
}
