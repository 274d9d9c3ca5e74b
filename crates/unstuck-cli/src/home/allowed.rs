//! Tools that a person exempted with `unstuck allow`.

use anyhow::Result;
use serde_json::{Value, json};
use unstuck::settings::ToolSettings;
use unstuck_hosts::Hook;

use super::Home;

const FILE: &str = "allowed.jsonl";

/// Tools that are not watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// A name, or a pattern with `*`.
    pub(crate) tool: String,
    /// Only in this session.
    pub(crate) session: Option<String>,
    /// Only for agents that work in or below this directory.
    pub(crate) directory: Option<String>,
}

impl Home {
    pub(crate) fn allowances(&self) -> Vec<Allowance> {
        let text = self.read(FILE).unwrap_or_default();
        text.lines().filter_map(Allowance::parse).collect()
    }

    pub(crate) fn allow(&self, allowance: &Allowance) -> Result<()> {
        self.change(FILE, |old| {
            let mut lines: Vec<_> = old.lines().filter_map(Allowance::parse).collect();
            lines.retain(|known| known != allowance);
            lines.push(allowance.clone());
            lines.iter().map(Allowance::line).collect()
        })
    }

    /// Takes back what was allowed for a tool. How many entries went?
    pub(crate) fn disallow(&self, tool: &str) -> Result<usize> {
        let mut gone = 0;
        self.change(FILE, |old| {
            let lines = old.lines().filter_map(Allowance::parse);
            let (removed, kept): (Vec<_>, Vec<_>) = lines.partition(|known| known.tool == tool);
            gone = removed.len();
            kept.iter().map(Allowance::line).collect()
        })?;
        Ok(gone)
    }
}

impl Allowance {
    /// Does it count for this hook?
    pub(crate) fn covers(&self, hook: &Hook) -> bool {
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

    pub(crate) fn settings(&self) -> ToolSettings {
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
