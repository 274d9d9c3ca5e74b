//! Which servers of MCP clients run behind the proxy, and whether the proxy is there.

use serde_json::{Value, json};
use unstuck_hosts::{Launch, McpClient};
use unstuck_text::Shown;

use crate::{
    install::{Place, find_program, read},
    style::{ADDED, ERROR, HEADING, paint},
};

use super::Health;

/// A server behind the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    client: McpClient,
    name: String,
    file: String,
    program: String,
    pub(crate) health: Health,
}

/// All of them; files that are not there or cannot be read list none.
pub(crate) fn servers(place: &Place) -> Vec<Server> {
    let mut found = Vec::new();
    for client in McpClient::all() {
        for file in place.with(|around| client.files(around)) {
            let Ok(Some(text)) = read(&file.path) else {
                continue;
            };
            for listed in file.servers(&text).unwrap_or_default() {
                let Launch::Wrapped { program } = listed.launch else {
                    continue;
                };
                let health = if find_program(&program).is_some() {
                    Health::Good
                } else {
                    Health::Bad
                };
                found.push(Server {
                    client,
                    name: listed.name,
                    file: place.short(&file.path),
                    program,
                    health,
                });
            }
        }
    }
    found
}

pub(crate) fn servers_text(servers: &[Server]) -> String {
    let lines: Vec<_> = servers.iter().map(line).collect();
    let heading = paint(HEADING, "MCP servers behind the proxy");
    format!("{heading}\n{}", lines.concat())
}

fn line(server: &Server) -> String {
    let Server {
        client,
        name,
        file,
        program,
        health,
    } = server;
    let [name, program] = [name, program].map(Shown::line);
    let (style, todo) = match health {
        Health::Good | Health::Note | Health::Open => (ADDED, String::new()),
        Health::Bad => (
            ERROR,
            format!(
                "\n                    → {program} is not there: unstuck uninstall mcp {client} {name}, then install it again"
            ),
        ),
    };
    let health = paint(style, &format!("{:<4}", health.name()));
    let title = client.title();
    format!("  {health}  {name} of {title}, by {file}{todo}\n")
}

pub(crate) fn servers_json(servers: &[Server]) -> Value {
    let one = |server: &Server| {
        json!({
            "client": server.client.name(),
            "server": server.name,
            "file": server.file,
            "program": server.program,
            "health": server.health.name(),
        })
    };
    servers.iter().map(one).collect()
}
