//! `unstuck reset`: a person lets an agent go on.

use std::{io::Write as _, path::Path, process::ExitCode};

use anyhow::{Result, bail};
use unstuck::{Engine, Event, EventKind, Settings};
use unstuck_hosts::Watch;
use unstuck_store::Store;

use crate::{
    args::ResetArgs,
    commands::{proxies, sessions::find},
    home::{Home, PATIENCE, ResetRequest},
    person,
};

pub(crate) fn run(args: &ResetArgs) -> Result<ExitCode> {
    person::ensure()?;
    let home = Home::find()?;
    let store = home.store();
    let (what, paths, proxies) = match (&args.session, args.all) {
        (Some(prefix), false) => {
            if let Some(proxy) = proxies::find(&home, prefix)? {
                (proxies::plain(&proxy.name), Vec::new(), vec![proxy])
            } else {
                let (name, paths) = find(&home, prefix)?;
                (name, paths, Vec::new())
            }
        }
        (None, true) => {
            let paths: Vec<_> = store.list().map(|entry| entry.path).collect();
            let mut proxies = proxies::named(&home);
            proxies.retain(|named| named.request == ResetRequest::Everything);
            let what = format!("all {} agents and {} proxies", paths.len(), proxies.len());
            (what, paths, proxies)
        }
        _ => bail!("say which session, or --all; `unstuck sessions` lists them"),
    };
    for path in &paths {
        reset(&store, path)?;
    }
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

/// Clears what is held against one agent. Its calls under way stay known.
pub(crate) fn reset(store: &Store, path: &Path) -> Result<()> {
    let slot = store.open_file(path, PATIENCE)?;
    let mut stored = match slot.read() {
        Ok(Some(stored)) => stored,
        Ok(None) => return Ok(()),
        // What cannot be read holds nothing against anyone.
        Err(_) => return Ok(slot.remove()?),
    };
    let (session, agent) = (stored.about.session.clone(), stored.about.agent.clone());
    let mut engine = Engine::new(Settings::default());
    if engine.restore(&session, &agent, &stored.engine).is_ok() {
        let reset = Event::new(EventKind::Reset);
        engine.observe(reset.in_session(session.clone()).by_agent(agent.clone()));
        stored.engine = engine.snapshot(&session, &agent).unwrap_or_default();
    } else {
        stored.engine.clear();
    }
    let mut watch = postcard::from_bytes::<Watch>(&stored.watch).unwrap_or_default();
    watch.lift();
    stored.watch = postcard::to_allocvec(&watch)?;
    stored.about.halted = None;
    stored.about.warnings.clear();
    stored.about.activity.lift();
    slot.write(&stored)?;
    Ok(())
}
