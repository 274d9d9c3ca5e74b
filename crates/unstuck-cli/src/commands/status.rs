//! `unstuck status`: is the guard on, and what has it seen?

use std::{env, io::Write, process::ExitCode};

use anyhow::Result;
use clap::Args as ClapArgs;
use serde_json::{Value, json};
use unstuck_session::{
    Log, StateDir, clock,
    configuration::{Origin, Trust},
};
use unstuck_store::regular;
use unstuck_text::Shown;

use super::{Run, mode, proxies, sessions};
use crate::{
    args::{OutputArgs, TextOrJson},
    configuration,
    style::{DIM, HEADING, WARNING, paint},
};

/// Show whether the guard is on, and what it has seen.
///
/// The mode and who set it, the settings that hooks use here, the agents that were active last with the texts they got,
/// and the end of the log. JSON has the same facts.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck status
  unstuck status --format json | jq -r .mode")]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    output: OutputArgs<TextOrJson>,
}

impl Run for StatusArgs {
    fn run(&self) -> Result<ExitCode> {
        let home = configuration::state_dir()?;
        let mut out = self.output.open()?;
        match self.output.format()? {
            TextOrJson::Text => print(&mut out, &home)?,
            TextOrJson::Json => out.json(&as_json(&home)?)?,
        }
        out.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Agents shown.
const SHOWN: usize = 5;

/// Lines of the log shown.
const LOG_LINES: usize = 5;

/// Bytes of the log that are looked at.
const LOG_BYTES: u64 = 64 << 10;

fn print(out: &mut impl Write, home: &StateDir) -> Result<()> {
    row(out, "mode", &mode::in_effect(home)?)?;
    row(
        out,
        "state",
        &Shown::line(home.path("").display()).to_string(),
    )?;
    row(out, "settings", &settings(home)?)?;
    let watched = home.agents();
    let halted = watched.iter().filter(|about| about.halted.is_some());
    row(
        out,
        "agents",
        &format!("{} seen, {} halted", watched.len(), halted.count()),
    )?;
    let now = clock::now();
    for about in watched.iter().take(SHOWN) {
        sessions::print(out, about, now)?;
    }
    let running = home.proxies();
    if !running.is_empty() {
        let held = running.iter().flat_map(|proxy| &proxy.held);
        let halted = held.filter(|held| held.halted).count();
        let said = format!("{} running, {halted} callers halted", running.len());
        row(out, "proxies", &said)?;
    }
    for proxy in running.iter().take(SHOWN) {
        proxies::print(out, proxy, now)?;
    }
    let log = Log::of(home).path();
    row(out, "log", &Shown::line(log.display()).to_string())?;
    for line in end_of_log(home) {
        writeln!(out, "    {}", paint(DIM, &Shown::line(line).to_string()))?;
    }
    Ok(())
}

fn as_json(home: &StateDir) -> Result<Value> {
    let watched = home.agents();
    let running = home.proxies();
    let now = clock::now();
    let here = env::current_dir().ok();
    let configuration = unstuck_session::configuration::of_hook(here.as_deref(), home)?;
    let files = configuration.sources.iter().map(
        |source| json!({"path": source.path.display().to_string(), "origin": source.describe()}),
    );
    let notices = configuration.notices.iter();
    let agents = watched.iter().take(SHOWN);
    Ok(json!({
        "mode": mode::name(home)?,
        "mode_set_by": mode::set_by(home)?,
        "state": home.path("").display().to_string(),
        "settings": files.collect::<Vec<_>>(),
        "notices": notices.map(|notice| notice.message.clone()).collect::<Vec<_>>(),
        "agents_seen": watched.len(),
        "agents_halted": watched.iter().filter(|about| about.halted.is_some()).count(),
        "agents": agents.map(|about| sessions::as_json(about, now)).collect::<Vec<_>>(),
        "proxies": running.iter().map(proxies::as_json).collect::<Vec<_>>(),
        "log": Log::of(home).path().display().to_string(),
        "log_end": end_of_log(home),
    }))
}

fn end_of_log(home: &StateDir) -> Vec<String> {
    let text = regular::read_end(&Log::of(home).path(), LOG_BYTES).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<_> = text.lines().map(str::to_owned).collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].to_vec()
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
