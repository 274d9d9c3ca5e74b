//! `unstuck status`: is the guard on, and what has it seen?

use std::{env, io::Write, process::ExitCode};

use anyhow::Result;
use unstuck_session::{
    Log, StateDir, clock,
    configuration::{Origin, Trust},
};
use unstuck_store::regular;
use unstuck_text::Shown;

use crate::{
    commands::{mode, proxies, sessions},
    configuration,
    style::{DIM, HEADING, WARNING, paint},
};

/// Agents shown.
const SHOWN: usize = 5;

/// Lines of the log shown.
const LOG_LINES: usize = 5;

/// Bytes of the log that are looked at.
const LOG_BYTES: u64 = 64 << 10;

pub(crate) fn run() -> Result<ExitCode> {
    let home = configuration::state_dir()?;
    let mut out = anstream::stdout().lock();
    row(&mut out, "mode", &mode::in_effect(&home)?)?;
    row(
        &mut out,
        "state",
        &Shown::line(home.path("").display()).to_string(),
    )?;
    row(&mut out, "settings", &settings(&home)?)?;
    let watched = home.agents();
    let halted = watched.iter().filter(|about| about.halted.is_some());
    row(
        &mut out,
        "agents",
        &format!("{} seen, {} halted", watched.len(), halted.count()),
    )?;
    let now = clock::now();
    for about in watched.iter().take(SHOWN) {
        sessions::print(&mut out, about, now)?;
    }
    let running = home.proxies();
    if !running.is_empty() {
        let held = running.iter().flat_map(|proxy| &proxy.held);
        let halted = held.filter(|held| held.halted).count();
        let said = format!("{} running, {halted} callers halted", running.len());
        row(&mut out, "proxies", &said)?;
    }
    for proxy in running.iter().take(SHOWN) {
        proxies::print(&mut out, proxy, now)?;
    }
    let log = Log::of(&home).path();
    row(&mut out, "log", &Shown::line(log.display()).to_string())?;
    let text = regular::read_end(&log, LOG_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().collect();
    for line in &lines[lines.len().saturating_sub(LOG_LINES)..] {
        writeln!(out, "    {}", paint(DIM, &Shown::line(line).to_string()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(out: &mut impl Write, name: &str, value: &str) -> Result<()> {
    let name = paint(HEADING, &format!("{name:<9}"));
    writeln!(out, "{name} {value}")?;
    Ok(())
}

/// The files whose settings hooks apply in this directory.
fn settings(home: &StateDir) -> Result<String> {
    let here = env::current_dir().ok();
    let configuration = unstuck_session::configuration::of_hook(here.as_deref(), home)?;
    let mut files: Vec<_> = configuration
        .sources
        .iter()
        .map(|source| {
            let shown = Shown::line(source.path.display()).to_string();
            match source.origin {
                Origin::Project(Trust::Untrusted(_)) => {
                    let hint = format!("({})", source.describe());
                    format!("{shown} {}", paint(WARNING, &hint))
                }
                _ => shown,
            }
        })
        .collect();
    if files.is_empty() {
        files.push("the preset standard".into());
    }
    for notice in &configuration.notices {
        let help = notice.help.as_deref().unwrap_or_default();
        files.push(format!("\n          {}; {help}", notice.message));
    }
    Ok(files.join(", ").replace(", \n", "\n"))
}
