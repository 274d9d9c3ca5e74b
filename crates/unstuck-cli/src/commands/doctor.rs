//! `unstuck doctor`: are the agents here guarded?

use std::{io::Write as _, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use unstuck_hosts::Host;

use super::Run;
use crate::{
    args::{OutputArgs, TextOrJson, hosts},
    doctor::{self, Health, Report, Server, Wanted, examine},
    install::Place,
    style::{CODE, paint},
};

/// Check that the agents here are guarded.
///
/// For each agent that is found: are the hooks registered, can the program be reached from them, does the agent
/// trust them, have they fired, and do they stop a loop. For hooks in your own files that an install wrote, the registered
/// program is run with the inputs of a canary loop, with its state in a directory of its own; nothing from a project's
/// files is run. One line each reports what is wrong and what to do.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck doctor
  unstuck doctor claude-code
  unstuck doctor --format json | jq '.hosts[] | select(.healthy | not)'

Exit codes: 0 nothing is wrong, 1 something is, 2 the check itself failed.")]
pub(crate) struct DoctorArgs {
    /// Agents to check, such as `claude-code`; without one, every agent that is found here.
    #[arg(value_name = "HOST", value_parser = hosts())]
    hosts: Vec<Host>,

    #[command(flatten)]
    output: OutputArgs<TextOrJson>,
}

impl Run for DoctorArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &DoctorArgs) -> Result<ExitCode> {
    let is_json = args.output.format()? == TextOrJson::Json;
    let mut out = args.output.open()?;
    let place = Place::here()?;
    let (hosts, wanted) = if args.hosts.is_empty() {
        (Host::ALL.as_slice(), Wanted::IfFound)
    } else {
        (args.hosts.as_slice(), Wanted::Named)
    };
    let mut reports = Vec::new();
    for &host in hosts {
        let Some(report) = examine(host, wanted, &place)? else {
            continue;
        };
        if !is_json {
            writeln!(out, "{}", doctor::text(&report))?;
        }
        reports.push(report);
    }
    // Agents that are named are asked for, installed or not.
    let servers = match wanted {
        Wanted::IfFound => doctor::servers(&place),
        Wanted::Named => Vec::new(),
    };
    if is_json {
        let mut all = doctor::json(&reports);
        all["mcp_servers"] = doctor::servers_json(&servers);
        out.json(&all)?;
    } else if !servers.is_empty() {
        writeln!(out, "{}", doctor::servers_text(&servers))?;
    } else if reports.is_empty() {
        let install = paint(CODE, "unstuck install HOST");
        writeln!(
            out,
            "no agent that is known was found here; guard one with {install}"
        )?;
    }
    out.finish()?;
    let is_bad = |server: &Server| server.health == Health::Bad;
    let is_healthy = reports.iter().all(Report::is_healthy) && !servers.iter().any(is_bad);
    Ok(ExitCode::from(u8::from(!is_healthy)))
}
