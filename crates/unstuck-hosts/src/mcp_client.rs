//! The clients of MCP whose configuration is understood, each in a file of its own: where it lists its servers, and how
//! the entry of one is changed so that the server runs behind `unstuck mcp`, and back.

mod claude_code;
mod claude_desktop;
mod cline;
mod codex;
mod copilot_cli;
mod crush;
mod cursor;
mod entry;
mod gemini_cli;
mod json;
mod opencode;
mod qwen_code;
mod toml;
mod vs_code;
mod windsurf;

pub use entry::{EntryChange, EntryChanges, Launch, ListedServer, Wrapped, Wrapper};

use std::{fmt, path::PathBuf, str::FromStr};

use crate::{EditError, Scope, Surroundings};
use entry::{Entry, split_mark};

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum McpClient {
    /// Claude Code.
    ClaudeCode,
    /// Claude Desktop.
    ClaudeDesktop,
    /// Codex CLI.
    Codex,
    /// Cursor.
    Cursor,
    /// Visual Studio Code.
    VsCode,
    /// GitHub Copilot CLI.
    CopilotCli,
    /// Gemini CLI.
    GeminiCli,
    /// Qwen Code.
    QwenCode,
    /// `OpenCode`.
    OpenCode,
    /// Windsurf.
    Windsurf,
    /// Cline.
    Cline,
    /// Crush.
    Crush,
}

/// A name that no client has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no client is called `{0}`; there are {names}", names = names())]
#[non_exhaustive]
pub struct UnknownMcpClient(pub String);

/// A place in a file where a client lists servers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerFile {
    /// The file.
    pub path: PathBuf,
    /// For whom servers are listed there.
    pub scope: Scope,
    /// Keys from the root to the table with a member for each server.
    table: Vec<String>,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Toml,
}

/// What is known about a client.
trait Known {
    /// The places where it lists servers; where several list the same one, the first counts.
    fn files(&self, around: &Surroundings<'_>) -> Vec<ServerFile>;
}

impl McpClient {
    /// Every client, in the order in which they are listed.
    pub const ALL: [Self; 12] = [
        Self::ClaudeCode,
        Self::ClaudeDesktop,
        Self::Codex,
        Self::Cursor,
        Self::VsCode,
        Self::CopilotCli,
        Self::GeminiCli,
        Self::QwenCode,
        Self::OpenCode,
        Self::Windsurf,
        Self::Cline,
        Self::Crush,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::ClaudeDesktop => "claude-desktop",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::VsCode => "vs-code",
            Self::CopilotCli => "copilot-cli",
            Self::GeminiCli => "gemini-cli",
            Self::QwenCode => "qwen-code",
            Self::OpenCode => "opencode",
            Self::Windsurf => "windsurf",
            Self::Cline => "cline",
            Self::Crush => "crush",
        }
    }

    /// The name as people write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Codex => "Codex CLI",
            Self::Cursor => "Cursor",
            Self::VsCode => "Visual Studio Code",
            Self::CopilotCli => "GitHub Copilot CLI",
            Self::GeminiCli => "Gemini CLI",
            Self::QwenCode => "Qwen Code",
            Self::OpenCode => "OpenCode",
            Self::Windsurf => "Windsurf",
            Self::Cline => "Cline",
            Self::Crush => "Crush",
        }
    }

    /// The places where this client lists servers; where several list the same one, the first counts.
    pub fn files(self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        let known: &dyn Known = match self {
            Self::ClaudeCode => &claude_code::ClaudeCode,
            Self::ClaudeDesktop => &claude_desktop::ClaudeDesktop,
            Self::Codex => &codex::Codex,
            Self::Cursor => &cursor::Cursor,
            Self::VsCode => &vs_code::VsCode,
            Self::CopilotCli => &copilot_cli::CopilotCli,
            Self::GeminiCli => &gemini_cli::GeminiCli,
            Self::QwenCode => &qwen_code::QwenCode,
            Self::OpenCode => &opencode::OpenCode,
            Self::Windsurf => &windsurf::Windsurf,
            Self::Cline => &cline::Cline,
            Self::Crush => &crush::Crush,
        };
        known.files(around)
    }
}

impl fmt::Display for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for McpClient {
    type Err = UnknownMcpClient;

    fn from_str(name: &str) -> Result<Self, UnknownMcpClient> {
        let mut clients = Self::ALL.into_iter();
        clients
            .find(|client| client.name() == name)
            .ok_or_else(|| UnknownMcpClient(name.to_owned()))
    }
}

fn names() -> String {
    McpClient::ALL.map(McpClient::name).join(", ")
}

impl ServerFile {
    /// A JSON document with its servers in the table of this name.
    fn json(scope: Scope, path: PathBuf, table: &str) -> Self {
        Self {
            path,
            scope,
            table: vec![table.to_owned()],
            format: Format::Json,
        }
    }

    /// The same with the table at these keys.
    fn at(self, table: Vec<String>) -> Self {
        Self { table, ..self }
    }

    fn toml(scope: Scope, path: PathBuf, table: &str) -> Self {
        Self {
            format: Format::Toml,
            ..Self::json(scope, path, table)
        }
    }

    /// The servers that are listed in this text, in the order they stand there.
    pub fn servers(&self, text: &str) -> Result<Vec<ListedServer>, EditError> {
        let (_, text) = split_mark(text);
        let entries = self.entries(text)?;
        let listed = entries.iter().map(|(name, entry)| ListedServer {
            name: name.clone(),
            launch: entry.launch(),
        });
        Ok(listed.collect())
    }

    /// The text with this server behind the proxy. `None` if there is no command of it that could be.
    pub fn wrap(
        &self,
        text: &str,
        server: &str,
        wrapper: &Wrapper,
    ) -> Result<Option<Wrapped>, EditError> {
        let (mark, text) = split_mark(text);
        let Some(entry) = self.entry(text, server)? else {
            return Ok(None);
        };
        if !matches!(entry.launch(), Launch::Plain) {
            return Ok(None);
        }
        let Some(wrapped) = entry.wrap(text, server, wrapper) else {
            return Ok(None);
        };
        // What was written must be readable again, whatever the text before was like.
        self.entries(&wrapped.text)?;
        Ok(Some(wrapped.behind(mark)))
    }

    /// The text with this server as it was before. With what was changed, it is the same to the byte; without, or where
    /// the entry looks different by now, the words of the proxy are taken out. `None` if it is not behind the proxy.
    pub fn unwrap(
        &self,
        text: &str,
        server: &str,
        changes: Option<&EntryChanges>,
    ) -> Result<Option<String>, EditError> {
        let (mark, text) = split_mark(text);
        let Some(entry) = self.entry(text, server)? else {
            return Ok(None);
        };
        if !matches!(entry.launch(), Launch::Wrapped { .. }) {
            return Ok(None);
        }
        if let Some(old) = changes.and_then(|changes| entry.undo(text, changes))
            && let Ok(Some(entry)) = self.entry(&old, server)
            && matches!(entry.launch(), Launch::Plain)
        {
            return Ok(Some(format!("{mark}{old}")));
        }
        let Some(new) = entry.unwrap(text) else {
            return Ok(None);
        };
        self.entries(&new)?;
        Ok(Some(format!("{mark}{new}")))
    }

    fn entry(&self, text: &str, server: &str) -> Result<Option<Entry>, EditError> {
        // The last one of a name is the one that readers take.
        let entries = self.entries(text)?.into_iter().rev();
        let mut found = entries.filter(|(name, _)| name == server);
        Ok(found.next().map(|(_, entry)| entry))
    }

    fn entries(&self, text: &str) -> Result<Vec<(String, Entry)>, EditError> {
        match self.format {
            Format::Json => json::entries(text, &self.table),
            Format::Toml => toml::entries(text, &self.table),
        }
    }
}

#[cfg(test)]
#[path = "mcp_client/mcp_client_tests.rs"]
mod tests;
