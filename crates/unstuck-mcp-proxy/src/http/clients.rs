//! Which sessions of different servers belong to one client, so that its calls are one timeline.
//!
//! A session is known to one server only. Sessions belong together if they come from one address, their clients say the
//! same about themselves, and there is no doubt which of several clients it could be. What a client says about itself can
//! only join its sessions or keep them apart; a session that is kept apart is counted alone, as with a single server.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use unstuck_session::sync::lock;

use super::{exchange::session_name, visitors::Visitor};

/// Clients that were silent for this long are not joined by new sessions: many never say that they have ended.
const IDLE: Duration = Duration::from_mins(30);

/// The clients that have sessions.
#[derive(Debug)]
pub(super) struct Clients {
    known: Mutex<Vec<Client>>,
    start: Instant,
}

/// A client with at least one session, and at most one at each server.
#[derive(Debug)]
struct Client {
    /// Name its calls are counted under.
    name: Box<str>,
    visitor: Box<str>,
    servers: Vec<Box<str>>,
    /// Whether sessions of further servers join it.
    joins: Joins,
    used: Used,
}

/// When a client was last seen, in seconds since the start.
type Used = Arc<AtomicU64>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joins {
    Open,
    /// It could not be told to which of several clients the session belongs.
    Alone,
}

/// A session's membership of its client. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Membership {
    clients: Arc<Clients>,
    name: Box<str>,
    server: Box<str>,
    used: Used,
}

impl Default for Clients {
    fn default() -> Self {
        Self {
            known: Mutex::default(),
            start: Instant::now(),
        }
    }
}

impl Clients {
    /// Finds the client of a new session: the only one of this visitor that has no session at this server yet, or else a
    /// new one.
    pub(super) fn join(self: &Arc<Self>, server: &str, visitor: &Visitor, id: &str) -> Membership {
        let now = self.now();
        let mut clients = lock(&self.known);
        let mut fitting = clients.iter_mut().filter(|client| {
            let silent = now.saturating_sub(client.used.load(Ordering::Relaxed));
            let is_its = client.joins == Joins::Open && client.visitor == visitor.name;
            is_its
                && silent < IDLE.as_secs()
                && client.servers.iter().all(|known| **known != *server)
        });
        let (first, second) = (fitting.next(), fitting.next());
        let joins = match second {
            Some(_) => Joins::Alone,
            None => Joins::Open,
        };
        let (name, used) = if let (Some(client), Joins::Open) = (first, joins) {
            client.servers.push(server.into());
            client.used.store(now, Ordering::Relaxed);
            (client.name.clone(), Arc::clone(&client.used))
        } else {
            let name = session_name(id);
            let used = Arc::new(AtomicU64::new(now));
            clients.push(Client {
                name: name.clone(),
                visitor: visitor.name.clone(),
                servers: vec![server.into()],
                joins,
                used: Arc::clone(&used),
            });
            (name, used)
        };
        Membership {
            clients: Arc::clone(self),
            name,
            server: server.into(),
            used,
        }
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_secs()
    }

    fn leave(&self, name: &str, server: &str) {
        let mut clients = lock(&self.known);
        let Some(place) = clients.iter().position(|client| *client.name == *name) else {
            return;
        };
        let servers = &mut clients[place].servers;
        servers.retain(|known| **known != *server);
        if servers.is_empty() {
            clients.swap_remove(place);
        }
    }
}

impl Membership {
    /// Name that the client's calls are counted under. Taking it shows that the client is there.
    pub(super) fn name(&self) -> &str {
        self.used.store(self.clients.now(), Ordering::Relaxed);
        &self.name
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.clients.leave(&self.name, &self.server);
    }
}

#[cfg(test)]
#[path = "clients_tests.rs"]
mod tests;
