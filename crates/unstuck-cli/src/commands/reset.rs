//! `unstuck reset`: a person lets an agent continue.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use clap_complete::ArgValueCandidates;
use unstuck_report::counted;
use unstuck_session::ResetRequest;

use super::{Run, proxies};
use crate::{args::complete, configuration, notes, person};

/// Let a halted or denied agent continue.
///
/// Forgets what is held against a session: streaks, warnings, denials, a halt. The next call is judged afresh. An
/// agent cannot do that for itself: run it in a terminal of your own.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  unstuck reset 844a24d0
  unstuck reset --all")]
pub(crate) struct ResetArgs {
    /// Name of the session or of the running proxy; how it begins is enough. `unstuck sessions` lists both.
    #[arg(value_name = "SESSION", conflicts_with = "all", add = ArgValueCandidates::new(complete::sessions_and_proxies))]
    session: Option<String>,

    /// Reset every agent of every session, and every running proxy.
    #[arg(long)]
    all: bool,
}

impl Run for ResetArgs {
    fn run(&self) -> Result<ExitCode> {
        run(self)
    }
}

fn run(args: &ResetArgs) -> Result<ExitCode> {
    person::ensure()?;
    let home = configuration::state_dir()?;
    let (what, agents, proxies) = match (&args.session, args.all) {
        (Some(prefix), false) => {
            if let Some(proxy) = home.find_reset_target(prefix)? {
                (proxies::plain(&proxy.name), Vec::new(), vec![proxy])
            } else {
                let found = home.find_session(prefix)?;
                (found.name, found.agents, Vec::new())
            }
        }
        (None, true) => {
            let agents = home.entries();
            let mut proxies = home.reset_targets();
            proxies.retain(|target| target.request == ResetRequest::Everything);
            let what = format!(
                "{} and {}",
                counted(agents.len() as u64, "agent"),
                match proxies.len() {
                    1 => "1 proxy".to_owned(),
                    many => format!("{many} proxies"),
                }
            );
            (what, agents, proxies)
        }
        _ => bail!("say which session, or --all; `unstuck sessions` lists them"),
    };
    home.reset(&agents)?;
    for proxy in &proxies {
        home.reset_proxy(&proxy.proxy, &proxy.request)?;
    }
    notes::confirm(format_args!(
        "{}: cleared; the next call is judged afresh",
        unstuck_text::Shown::line(what)
    ))?;
    Ok(ExitCode::SUCCESS)
}
