//! All agents whose state is kept: listed, found by name, reset.

use unstuck::{Engine, Event, EventKind, Settings};
use unstuck_hosts::Watch;
use unstuck_store::{About, EntryId, Key, SessionStore};
use unstuck_text::Shown;

use crate::{
    error::{Error, Result},
    state_dir::{PATIENCE, StateDir},
};

/// A session that was found by the beginning of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSession {
    /// The whole name.
    pub name: String,
    /// The entries of its agents.
    pub agents: Vec<EntryId>,
}

impl StateDir {
    /// Returns every agent whose state can be read, the most recent first.
    pub fn agents(&self) -> Vec<About> {
        let store = self.store().existing();
        store.map_or(Vec::new(), |store| newest_first(&store))
    }

    /// Returns one agent, as its hooks left it. `None` if its state is not there or cannot be read.
    pub fn agent(&self, host: &str, session: &str, agent: &str) -> Option<About> {
        let store = self.store().existing()?;
        let key = Key {
            host,
            session,
            agent,
        };
        Some(store.look(&store.id_of(&key)).ok()??.about)
    }

    /// Returns the entries of all agents, also of those whose state cannot be read.
    pub fn entries(&self) -> Vec<EntryId> {
        let store = self.store().existing();
        store.map_or(Vec::new(), |store| {
            store.list().map(|entry| entry.id).collect()
        })
    }

    /// Returns the one session whose name begins so.
    pub fn find_session(&self, prefix: &str) -> Result<FoundSession> {
        match self.store().existing() {
            Some(store) => find(&store, prefix),
            None => Err(not_found(prefix)),
        }
    }

    /// Clears what is held against agents.
    pub fn reset(&self, agents: &[EntryId]) -> Result<()> {
        if agents.is_empty() {
            return Ok(());
        }
        let store = self.store().unlock()?;
        agents.iter().try_for_each(|agent| reset(&store, agent))
    }
}

/// Returns every agent whose state can be read, the most recent first.
pub fn newest_first(store: &dyn SessionStore) -> Vec<About> {
    let mut agents: Vec<_> = store
        .list()
        .filter_map(|entry| Some(entry.stored.ok()?.about))
        .collect();
    agents.sort_by_key(|about| std::cmp::Reverse(about.last_seen));
    agents
}

/// Returns the one session whose name begins so. It is an error if there is none or more than one.
pub fn find(store: &dyn SessionStore, prefix: &str) -> Result<FoundSession> {
    let mut names: Vec<String> = Vec::new();
    let mut agents = Vec::new();
    for entry in store.list() {
        let Ok(stored) = entry.stored else {
            continue;
        };
        let session = String::from(stored.about.session);
        if session.starts_with(prefix) {
            agents.push((session.clone(), entry.id));
            if !names.contains(&session) {
                names.push(session);
            }
        }
    }
    // A whole name is meant, even if others begin with it.
    if names.len() > 1 && names.iter().any(|name| name == prefix) {
        names.retain(|name| name == prefix);
    }
    match names.as_slice() {
        [] => Err(not_found(prefix)),
        [name] => {
            let of_name = agents.into_iter().filter(|(session, _)| session == name);
            Ok(FoundSession {
                name: name.clone(),
                agents: of_name.map(|(_, id)| id).collect(),
            })
        }
        several => Err(Error::Refused(format!(
            "several sessions begin with `{prefix}`: {}",
            Shown::line(several.join(", "))
        ))),
    }
}

/// Clears what is held against one agent. Its calls under way stay known.
pub fn reset(store: &dyn SessionStore, agent: &EntryId) -> Result<()> {
    let slot = store.reopen(agent, PATIENCE)?;
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
    stored.watch = postcard::to_allocvec(&watch).map_err(Error::system)?;
    stored.about.halted = None;
    stored.about.warnings.clear();
    stored.about.activity.lift();
    slot.write(&stored)?;
    Ok(())
}

fn not_found(prefix: &str) -> Error {
    Error::Refused(format!(
        "no session begins with `{prefix}`; `unstuck sessions` lists them"
    ))
}
