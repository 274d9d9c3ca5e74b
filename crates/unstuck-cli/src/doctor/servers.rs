//! Which servers of MCP clients run behind the proxy, and whether the proxy is there.

use std::path::Path;

use serde_json::{Value, json};
use unstuck_hosts::{Launch, McpClient};

use crate::{
    install::{Place, find_on_path, is_program, read},
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
    for client in McpClient::ALL {
        for file in place.with(|around| client.files(around)) {
            let Ok(Some(text)) = read(&file.path) else {
                continue;
            };
            for listed in file.servers(&text).unwrap_or_default() {
                let Launch::Wrapped { program } = listed.launch else {
                    continue;
                };
                let health = if is_there(&program) {
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
    let mut text = format!("{}\n", paint(HEADING, "MCP servers behind the proxy"));
    for server in servers {
        let Server {
            client, name, file, ..
        } = server;
        let style = match server.health {
            Health::Bad => ERROR,
            Health::Good | Health::Open => ADDED,
        };
        let health = paint(style, &format!("{:<4}", server.health.name()));
        let title = client.title();
        text.push_str(&format!("  {health}  {name} of {title}, by {file}\n"));
        if server.health == Health::Bad {
            let program = &server.program;
            text.push_str(&format!(
                "                    → {program} is not there: unstuck uninstall mcp {client} {name}, then install it again\n"
            ));
        }
    }
    text
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

fn is_there(program: &str) -> bool {
    let is_name = !program.contains(['/', '\\']);
    if is_name {
        return find_on_path(program).is_some();
    }
    is_program(Path::new(program))
}
