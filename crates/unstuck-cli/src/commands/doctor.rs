//! `unstuck doctor`: are the agents here guarded?

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use anyhow::Result;
use unstuck_hosts::Host;

use crate::{
    args::DoctorArgs,
    doctor::{self, Report, Wanted, examine},
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
    if args.json {
        writeln!(io::stdout().lock(), "{:#}", doctor::json(&reports))?;
    } else if reports.is_empty() {
        let install = paint(CODE, "unstuck install HOST");
        let mut out = anstream::stdout().lock();
        writeln!(
            out,
            "no agent that is known was found here; guard one with {install}"
        )?;
    }
    let is_healthy = reports.iter().all(Report::is_healthy);
    Ok(ExitCode::from(u8::from(!is_healthy)))
}
