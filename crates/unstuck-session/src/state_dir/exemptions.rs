//! Tools that a person exempted with `unstuck allow`.

use serde_json::{Value, json};
use unstuck::settings::ToolSettings;
use unstuck_hosts::Hook;

use super::StateDir;
use crate::error::Result;

const FILE: &str = "allowed.jsonl";

/// Tools that are not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemption {
    /// A name, or a pattern with `*`.
    pub tool: String,
    /// Only in this session.
    pub session: Option<String>,
    /// Only for agents that work in or below this directory.
    pub directory: Option<String>,
}

impl StateDir {
    /// Returns all exemptions.
    pub fn exemptions(&self) -> Vec<Exemption> {
        let text = self.read(FILE).unwrap_or_default();
        text.lines().filter_map(Exemption::parse).collect()
    }

    /// Adds an exemption, unless there is an equal one.
    pub fn allow(&self, exemption: &Exemption) -> Result<()> {
        self.change(FILE, |old| {
            let mut lines: Vec<_> = old.lines().filter_map(Exemption::parse).collect();
            lines.retain(|known| known != exemption);
            lines.push(exemption.clone());
            lines.iter().map(Exemption::line).collect()
        })
    }

    /// Removes the exemptions of a tool. Returns how many there were.
    pub fn disallow(&self, tool: &str) -> Result<usize> {
        let mut gone = 0;
        self.change(FILE, |old| {
            let lines = old.lines().filter_map(Exemption::parse);
            let (removed, kept): (Vec<_>, Vec<_>) = lines.partition(|known| known.tool == tool);
            gone = removed.len();
            kept.iter().map(Exemption::line).collect()
        })?;
        Ok(gone)
    }
}

impl Exemption {
    /// Whether it applies to this hook.
    pub fn covers(&self, hook: &Hook) -> bool {
        let session = self
            .session
            .as_deref()
            .is_none_or(|one| *one == *hook.session);
        let directory = match (&self.directory, &hook.directory) {
            (None, _) => true,
            (Some(allowed), Some(directory)) => {
                std::path::Path::new(&**directory).starts_with(allowed)
            }
            (Some(_), None) => false,
        };
        session && directory
    }

    /// The settings that exempt the tool.
    pub fn settings(&self) -> ToolSettings {
        let mut settings = ToolSettings::new(self.tool.clone());
        settings.exempt = true;
        settings
    }

    fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        Some(Self {
            tool: text("tool")?,
            session: text("session"),
            directory: text("directory"),
        })
    }

    fn line(&self) -> String {
        let Self {
            tool,
            session,
            directory,
        } = self;
        format!(
            "{}\n",
            json!({ "tool": tool, "session": session, "directory": directory })
        )
    }
}
