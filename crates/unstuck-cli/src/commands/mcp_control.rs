//! `unstuck mcp-control`: what the hooks know, as an MCP server.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::{
    args::ControlArgs,
    configuration,
    control::{Control, Reset},
    person,
};

pub(crate) fn run(args: &ControlArgs) -> Result<ExitCode> {
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
    // One thread: nobody asks for much here, and no other command builds a runtime.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(control.answer())?;
    Ok(ExitCode::SUCCESS)
}
