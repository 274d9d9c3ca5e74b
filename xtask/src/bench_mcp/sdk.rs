//! A server made with the official SDK, as most servers are.

use std::fs;
use std::path::Path;

use anyhow::Result;
use unstuck_dev::Shell;

use super::path;

const SDK: &str = "@modelcontextprotocol/sdk@1.32.2";

const SCRIPT: &str = r#"
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const server = new Server({ name: "echo", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, async (request) => ({
  content: [{ type: "text", text: String(request.params.arguments?.text) }],
}));
await server.connect(new StdioServerTransport());
"#;

/// The words of the command that starts it.
pub(super) fn server(shell: &Shell, directory: &Path) -> Result<Vec<String>> {
    let place = directory.join("sdk");
    if !place
        .join("node_modules/@modelcontextprotocol/sdk")
        .exists()
    {
        fs::create_dir_all(&place)?;
        let install = shell.program("npm").args(["install", "--prefix"]);
        let quietly = ["--no-audit", "--no-fund", "--ignore-scripts"];
        install.arg(&place).args(quietly).arg(SDK).run()?;
    }
    let script = place.join("echo.mjs");
    fs::write(&script, SCRIPT)?;
    Ok(vec!["node".to_owned(), path(&script)])
}
