//! `unstuck mcp-control`: what the hooks know, as an MCP server.

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args as ClapArgs;

use super::Run;
use crate::{
    args::ConfigArgs,
    configuration,
    control::{Control, Reset},
    person,
};

/// Run an MCP server that reports on the watched agents.
///
/// An MCP server on standard input and output, for an agent that supervises others: `status` lists the agents that are
/// watched, the messages they got and which are halted, `explain` explains a rule. With `--allow-reset` it can also let
/// an agent continue (`reset`).
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ControlArgs {
    /// Offer the tool `reset`, too. A client that can call it can lift its own denials, so it is refused, as `unstuck
    /// reset` is, without a terminal and where an agent starts it.
    #[arg(long)]
    allow_reset: bool,

    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = r#"Examples:
  In the configuration of a client whose agent supervises others:
    {"mcpServers": {"unstuck": {"command": "unstuck", "args": ["mcp-control"]}}}

  For a client that you start in a terminal, and that may also reset agents:
    {"mcpServers": {"unstuck": {"command": "unstuck",
      "args": ["mcp-control", "--allow-reset"]}}}"#;

impl Run for ControlArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &ControlArgs) -> Result<ExitCode> {
    let reset = if args.allow_reset {
        // An agent that is denied a call could otherwise start this with a pipe and lift that by itself.
        person::ensure()?;
        Reset::Offered
    } else {
        Reset::Withheld
    };
    let configuration = configuration::load(&args.config)?;
    configuration::print_warnings(&configuration);
    let control = Control::new(configuration::state_dir()?, configuration.settings, reset);
    // One thread: requests are few and short, and no other command builds a runtime.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(control.answer())?;
    Ok(ExitCode::SUCCESS)
}
