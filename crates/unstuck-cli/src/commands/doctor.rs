//! `unstuck doctor`: are the agents here guarded?

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use unstuck_hosts::Host;
use unstuck_text::quiet_json;

use crate::{
    args::DoctorArgs,
    doctor::{self, Health, Report, Server, Wanted, examine},
    install::Place,
    style::{CODE, paint},
};

pub(crate) fn run(args: &DoctorArgs) -> Result<ExitCode> {
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
        if !args.json {
            writeln!(anstream::stdout().lock(), "{}", doctor::text(&report))?;
        }
        reports.push(report);
    }
    // Whoever names agents asks for their hooks.
    let servers = match wanted {
        Wanted::IfFound => doctor::servers(&place),
        Wanted::Named => Vec::new(),
    };
    if args.json {
        let mut all = doctor::json(&reports);
        all["mcp_servers"] = doctor::servers_json(&servers);
        let text = format!("{all:#}");
        writeln!(io::stdout().lock(), "{}", quiet_json(&text))?;
    } else if !servers.is_empty() {
        writeln!(
            anstream::stdout().lock(),
            "{}",
            doctor::servers_text(&servers)
        )?;
    } else if reports.is_empty() {
        let install = paint(CODE, "unstuck install HOST");
        let mut out = anstream::stdout().lock();
        writeln!(
            out,
            "no agent that is known was found here; guard one with {install}"
        )?;
    }
    let is_bad = |server: &Server| server.health == Health::Bad;
    let is_healthy = reports.iter().all(Report::is_healthy) && !servers.iter().any(is_bad);
    Ok(ExitCode::from(u8::from(!is_healthy)))
}
