//! Arguments of `unstuck mcp --listen`.

use std::{path::PathBuf, time::Duration};

use clap::Args as ClapArgs;
use unstuck_mcp_proxy::Listen;

use crate::args::{Bytes, at_least_a_second};

/// Arguments for clients that connect over HTTP.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Streamable HTTP")]
pub(crate) struct McpHttpArgs {
    /// Serve clients over HTTP at this port or address, such as 8080; an address that other machines reach needs a token.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<Listen>,

    /// URL of the server, instead of a command that starts it.
    #[arg(long, value_name = "URL", requires = "listen", conflicts_with_all = ["servers", "command"])]
    pub(crate) upstream: Option<String>,

    /// Header that is sent to the server at that URL; `${NAME}` is replaced by that variable of the environment. May be
    /// repeated.
    #[arg(long, value_name = "NAME: VALUE", requires = "upstream")]
    pub(crate) upstream_header: Vec<String>,

    /// JSON file with `mcpServers`; each server is served at `/NAME/mcp`. `--config FILE.json` is the same.
    #[arg(long, value_name = "FILE", requires = "listen", conflicts_with = "command", value_hint = clap::ValueHint::FilePath)]
    pub(crate) servers: Option<PathBuf>,

    /// Token that clients must send (`Authorization: Bearer TOKEN`); better set `UNSTUCK_MCP_TOKEN`, which other users of this
    /// machine cannot see.
    #[arg(long, value_name = "TOKEN", requires = "listen")]
    pub(crate) token: Option<String>,

    /// Name of this machine that clients may use in `Host`, such as `guard.example`. May be repeated.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) allow_host: Vec<String>,

    /// Pass the header `Authorization` of clients on to the server.
    #[arg(long, requires = "listen", conflicts_with = "token")]
    pub(crate) forward_authorization: bool,

    /// Pass this header of clients on to the server; may be repeated. Without it only `Accept`,
    /// `Content-Type`, `User-Agent`, `Last-Event-ID`, `traceparent`, `tracestate` and `Mcp-*` are passed on.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) pass_header: Vec<String>,

    /// Largest number of connections at once; half of them may be without a request that had the right token.
    #[arg(long, value_name = "NUMBER", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,

    /// Largest size of all messages that are read, judged and written at the same time; beyond it requests are answered
    /// with 503. At least 16/7 of `--max-message`. Plain numbers are bytes.
    #[arg(long, value_name = "SIZE", default_value_t = Bytes(192 << 20))]
    pub(crate) max_memory: Bytes,

    /// Largest number of sessions of one server that is started here; each has a process of its own. Requests for more are refused.
    #[arg(long, value_name = "NUMBER", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_sessions: u32,

    /// Largest number of sessions of one client address; a quarter of all unless given, and no limit for this machine, where all
    /// clients have the same address.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sessions_per_peer: Option<u32>,

    /// Time without a request or an open stream after which a session ends; plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = at_least_a_second)]
    pub(crate) session_idle: Duration,

    /// Time that a request may take to arrive; plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = at_least_a_second)]
    pub(crate) read_timeout: Duration,

    /// Time that a server may take until it begins to answer; plain numbers are seconds.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = at_least_a_second)]
    pub(crate) answer_timeout: Duration,
}
