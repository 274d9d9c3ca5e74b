//! Proxies that others publish, for comparison: one from npm that listens, one from `PyPI` on standard input and output.

use std::fs;
use std::path::Path;

use anyhow::Result;
use unstuck_dev::{CmdExt as _, Shell};

use super::{Way, path};

/// Port of the proxy that listens.
const PORT: &str = "39117";

const SUPERGATEWAY: &str = "supergateway@4.0.0";
const FASTMCP: &str = "fastmcp==4.1.2";

/// What `fastmcp` needs to be told to stand in front of a server.
const SCRIPT: &str = "\
import sys
from fastmcp.client.transports import StdioTransport
from fastmcp.server import create_proxy

create_proxy(StdioTransport(sys.argv[1], sys.argv[2:])).run(show_banner=False)
";

/// The proxies that can be had; of the others a line says why not.
pub(super) fn ways(shell: &Shell, directory: &Path, server: &[&str]) -> Vec<Way> {
    let found = [
        ("supergateway 4.0.0", supergateway(shell, directory, server)),
        ("fastmcp 4.1.2", fastmcp(shell, directory, server)),
    ];
    let mut ways = Vec::new();
    for (name, way) in found {
        match way {
            Ok(way) => ways.push(way),
            Err(error) => println!("{name} is left out: {error:#}"),
        }
    }
    ways
}

fn supergateway(shell: &Shell, directory: &Path, server: &[&str]) -> Result<Way> {
    let place = directory.join("npm");
    let entry = place.join("node_modules/supergateway/dist/index.js");
    if !entry.exists() {
        fs::create_dir_all(&place)?;
        let install = shell.program("npm").args(["install", "--prefix"]);
        let quietly = ["--no-audit", "--no-fund", "--ignore-scripts"];
        install.arg(&place).args(quietly).arg(SUPERGATEWAY).run()?;
    }
    let entry = path(&entry);
    let server = server.join(" ");
    let words = [
        "node",
        &entry,
        "--stdio",
        &server,
        "--outputTransport",
        "streamableHttp",
        "--stateful",
        "--logLevel",
        "none",
        "--port",
        PORT,
    ];
    Ok(Way::listening("supergateway 4.0.0 (HTTP)", PORT, &words))
}

fn fastmcp(shell: &Shell, directory: &Path, server: &[&str]) -> Result<Way> {
    let place = directory.join("venv");
    let python = path(&place.join("bin/python"));
    if !shell
        .program(&python)
        .args(["-c", "import fastmcp"])
        .succeeds()
    {
        let venv = shell.program("python3").args(["-m", "venv"]);
        venv.arg(&place).run()?;
        let pip = shell.program(&python).args(["-m", "pip", "install", "-q"]);
        pip.arg(FASTMCP).run()?;
    }
    let script = directory.join("fastmcp_proxy.py");
    fs::write(&script, SCRIPT)?;
    let script = path(&script);
    let words = [&[&*python, &*script], server].concat();
    Ok(Way::new("fastmcp 4.1.2", &words).few())
}
