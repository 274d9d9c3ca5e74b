//! The clients of MCP whose configuration is understood: where they list their servers, and how the entry of one is
//! changed so that the server runs behind `unstuck mcp`, and back.
//!
//! Hosts that are clients state their files in their own file under `hosts`. Clients without hooks have one file and one
//! row here.

mod claude_desktop;
mod entry;
mod json;
mod toml;
mod vs_code;
mod windsurf;

pub use entry::{EntryChange, EntryChanges, Launch, ListedServer, Wrapped, Wrapper};

use std::{fmt, path::PathBuf, str::FromStr};

use crate::{EditError, Host, Scope, Surroundings};
use entry::{Entry, split_mark};

/// A program that starts MCP servers: a [`Host`], or one without hooks. Two are equal if they have the same name.
#[derive(Clone, Copy, Debug)]
pub struct McpClient {
    name: &'static str,
    title: &'static str,
    files: fn(&Surroundings<'_>) -> Vec<ServerFile>,
}

/// Clients that are not hosts: one file and one row each.
const WITHOUT_HOOKS: [McpClient; 3] = [
    claude_desktop::CLAUDE_DESKTOP,
    vs_code::VS_CODE,
    windsurf::WINDSURF,
];

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

impl McpClient {
    /// Every client: the hosts that are clients, then the others.
    pub fn all() -> impl Iterator<Item = Self> {
        let hosts = Host::ALL.into_iter().filter_map(Self::of);
        hosts.chain(WITHOUT_HOOKS)
    }

    /// The host as a client. `None` if it lists no servers in files that are understood.
    pub fn of(host: Host) -> Option<Self> {
        let spec = host.spec();
        Some(Self {
            name: spec.name,
            title: spec.title,
            files: spec.server_files?,
        })
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The name as people write it.
    pub fn title(self) -> &'static str {
        self.title
    }

    /// The places where this client lists servers; where several list the same one, the first counts.
    pub fn files(self, around: &Surroundings<'_>) -> Vec<ServerFile> {
        (self.files)(around)
    }
}

impl PartialEq for McpClient {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for McpClient {}

impl fmt::Display for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for McpClient {
    type Err = UnknownMcpClient;

    fn from_str(name: &str) -> Result<Self, UnknownMcpClient> {
        Self::all()
            .find(|client| client.name() == name)
            .ok_or_else(|| UnknownMcpClient(name.to_owned()))
    }
}

fn names() -> String {
    let names: Vec<_> = McpClient::all().map(McpClient::name).collect();
    names.join(", ")
}

impl ServerFile {
    /// A JSON document with its servers in the table of this name.
    pub(crate) fn json(scope: Scope, path: PathBuf, table: &str) -> Self {
        Self {
            path,
            scope,
            table: vec![table.to_owned()],
            format: Format::Json,
        }
    }

    /// The same file under the project and under the home directory.
    pub(crate) fn in_both(around: &Surroundings<'_>, path: &str, table: &str) -> Vec<Self> {
        let scopes = [Scope::Project, Scope::User];
        let file = |scope| Self::json(scope, around.root(scope).join(path), table);
        scopes.map(file).into()
    }

    /// The same with the table at these keys.
    pub(crate) fn at(self, table: Vec<String>) -> Self {
        Self { table, ..self }
    }

    pub(crate) fn toml(scope: Scope, path: PathBuf, table: &str) -> Self {
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
