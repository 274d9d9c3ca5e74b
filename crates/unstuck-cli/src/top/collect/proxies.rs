//! Agents behind proxies of the APIs of models.

use std::sync::Arc;

use unstuck_session::{ProxySession, StateDir};
use unstuck_store::About;

use crate::top::model::{Agent, Source};

/// Name in place of an agent's host.
const HOST: &str = "llm-proxy";

/// The agents of all proxies that run.
pub(super) fn agents(home: &StateDir) -> Vec<Agent> {
    let running = home.proxies();
    let sessions = running.iter().flat_map(|proxy| &proxy.sessions);
    sessions
        .map(|session| Agent {
            about: Arc::new(about(session)),
            source: Source::Proxy,
        })
        .collect()
}

fn about(session: &ProxySession) -> About {
    let mut about = About::default();
    about.host = HOST.into();
    about.session = session.session.as_str().into();
    about.agent = session.agent.as_str().into();
    about.first_seen = session.first;
    about.last_seen = session.last;
    about.calls = session.requests;
    about.nudges = session.nudges;
    about.denials = session.denials;
    about.halted = session.halted.as_deref().map(Into::into);
    about
}

#[cfg(test)]
#[path = "proxies_tests.rs"]
mod tests;
