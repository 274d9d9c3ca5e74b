//! Arguments of `unstuck mcp --listen`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use unstuck_mcp_proxy::Listen;

/// Clients that come by HTTP.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Streamable HTTP")]
pub(crate) struct McpHttpArgs {
    /// Serve clients by HTTP, at this port or address; others than this machine's need a token.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<Listen>,

    /// The server's URL, in place of a command.
    #[arg(long, value_name = "URL", requires = "listen", conflicts_with_all = ["servers", "command"])]
    pub(crate) upstream: Option<String>,

    /// A header for the server at that URL; `${NAME}` is taken from the environment.
    #[arg(long, value_name = "NAME: VALUE", requires = "upstream")]
    pub(crate) upstream_header: Vec<String>,

    /// A JSON file with `mcpServers`; each is served at `/NAME/mcp`. `--config FILE.json` is the same.
    #[arg(long, value_name = "FILE", requires = "listen", conflicts_with = "command", value_hint = clap::ValueHint::FilePath)]
    pub(crate) servers: Option<PathBuf>,

    /// What clients must show (`Authorization: Bearer TOKEN`); better set `UNSTUCK_MCP_TOKEN`, which other users of this
    /// machine cannot see.
    #[arg(long, requires = "listen")]
    pub(crate) token: Option<String>,

    /// A name of this machine that clients may use; may be given several times.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) allow_host: Vec<String>,

    /// Pass the clients' `Authorization` on to the server.
    #[arg(long, requires = "listen", conflicts_with = "token")]
    pub(crate) forward_authorization: bool,

    /// Pass this header of clients on to the server; may be given several times. Without it only `Accept`,
    /// `Content-Type`, `User-Agent`, `Last-Event-ID`, `traceparent`, `tracestate` and `Mcp-*` are passed on.
    #[arg(long, value_name = "NAME", requires = "listen")]
    pub(crate) pass_header: Vec<String>,

    /// The most connections at once; half of them may be without a request that had the right token.
    #[arg(long, value_name = "NUMBER", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_connections: u32,

    /// The most bytes that all messages being read, judged and written may take together; beyond it requests are answered
    /// with 503. At least 16/7 of `--max-message`.
    #[arg(long, value_name = "BYTES", default_value_t = 192 << 20)]
    pub(crate) max_memory: usize,

    /// The most sessions of one server that is started here; each has a process of its own. Requests for more are refused.
    #[arg(long, value_name = "NUMBER", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_sessions: u32,

    /// The most sessions of one client address; a quarter of all unless given, and no limit for this machine, where all
    /// clients have the same address.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sessions_per_peer: Option<u32>,

    /// How long a session may be without a request or an open stream before it ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 1_800, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) session_idle: u64,

    /// How long a request may take to arrive.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) read_timeout: u64,

    /// How long a server may take until it begins to answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) answer_timeout: u64,
}
