//! `mcp-control`.

use clap::Args as ClapArgs;

use super::ConfigArgs;

pub(super) const EXAMPLES: &str = r#"Examples:
  In the configuration of a client whose agent is to look after others:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control"]}}}

  For one that may also let them go on:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control", "--allow-reset"]}}}"#;

#[derive(Debug, ClapArgs)]
pub(crate) struct ControlArgs {
    /// Offer the tool `reset`, too. Whoever can call it can let itself go on, so not for agents that are watched.
    #[arg(long)]
    pub(crate) allow_reset: bool,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
