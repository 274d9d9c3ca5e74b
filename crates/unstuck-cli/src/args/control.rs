//! `mcp-control`.

use clap::Args as ClapArgs;

use super::ConfigArgs;

pub(super) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client whose agent supervises others:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control"]}}}

  For a client that you start in a terminal, and that may also reset agents:
    {"mcpServers": {"unstuck": {"command": "unstuck",
      "args": ["mcp-control", "--allow-reset"]}}}"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct ControlArgs {
    /// Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck
    /// reset` is, without a terminal and where an agent starts it.
    #[arg(long)]
    pub(crate) allow_reset: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
