//! `mcp-control`.

use clap::Args as ClapArgs;

use super::ConfigArgs;

pub(super) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client whose agent is to look after others:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control"]}}}

  For a client that a person starts in a terminal, and that may also let them go on:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control", "--allow-reset"]}}}"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct ControlArgs {
    /// Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck
    /// reset` is, without a terminal and where an agent starts it.
    #[arg(long)]
    pub(crate) allow_reset: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
