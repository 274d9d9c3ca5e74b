//! Which servers of MCP clients run behind the proxy, and whether the proxy is there.

use serde_json::{Value, json};
use unstuck_hosts::{Launch, McpClient};
use unstuck_text::Shown;

use crate::{
    install::{Place, Unfit, find_program, read},
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
    /// Why clients should not run the program, although it is there.
    unfit: Option<Unfit>,
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
                let path = find_program(&program);
                let health = if path.is_some() {
                    Health::Good
                } else {
                    Health::Bad
                };
                let is_name = !program.contains(['/', '\\']);
                let kept = path.filter(|path| !is_name && !place.copy().holds(path));
                let unfit = kept.and_then(|path| Unfit::of(&path, place.home()));
                found.push(Server {
                    client,
                    name: listed.name,
                    file: place.short(&file.path),
                    program,
                    health: if unfit.is_some() { Health::Bad } else { health },
                    unfit,
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
        unfit,
    } = server;
    let [name, program] = [name, program].map(Shown::line);
    let (style, todo) = match health {
        Health::Good | Health::Note | Health::Open => (ADDED, String::new()),
        Health::Bad => (ERROR, {
            let what = unfit
                .as_ref()
                .map_or("is not there".to_owned(), Unfit::to_string);
            format!(
                "\n                    → {program} {what}: unstuck uninstall mcp {client} {name}, then install it again"
            )
        }),
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
            "unfit": server.unfit.as_ref().map(Unfit::to_string),
        })
    };
    servers.iter().map(one).collect()
}
