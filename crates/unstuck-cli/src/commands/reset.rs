//! `unstuck reset`: a person lets an agent go on.

use std::{io::Write as _, process::ExitCode};

use anyhow::{Result, bail};
use unstuck_session::ResetRequest;

use crate::{args::ResetArgs, commands::proxies, configuration, person};

pub(crate) fn run(args: &ResetArgs) -> Result<ExitCode> {
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
            let what = format!("all {} agents and {} proxies", agents.len(), proxies.len());
            (what, agents, proxies)
        }
        _ => bail!("say which session, or --all; `unstuck sessions` lists them"),
    };
    home.reset(&agents)?;
    for proxy in &proxies {
        home.reset_proxy(&proxy.proxy, &proxy.request)?;
    }
    writeln!(
        anstream::stdout(),
        "{}: cleared; the next call is judged afresh",
        unstuck_text::Shown::line(what)
    )?;
    Ok(ExitCode::SUCCESS)
}
