//! Sessions that are open: which peer began them, how many there may be, and which are no longer used.
//!
//! A new session never ends another one. When all places are taken, new ones are refused.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use unstuck_http::Peer;

/// How many sessions there may be, and for how long without use.
#[derive(Clone, Copy, Debug)]
pub struct SessionLimits {
    /// Sessions of one server.
    pub most: usize,
    /// Sessions of one peer. `None`: a quarter of all for another machine, all for this one, where every client is the
    /// same peer.
    pub per_peer: Option<usize>,
    /// A session ends after this long without a request or an open stream.
    pub idle: Duration,
}

impl SessionLimits {
    fn share(&self, peer: Peer) -> usize {
        match (self.per_peer, peer) {
            (Some(most), _) => most.min(self.most),
            (None, Peer::Here) => self.most,
            (None, Peer::V4(_) | Peer::V6(_)) => self.most.div_ceil(4),
        }
    }
}

/// Why there is no place for a new session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Full {
    All(usize),
    Share(usize),
}

impl Full {
    /// What a client is answered.
    pub(super) fn why(self) -> String {
        match self {
            Self::All(most) => format!(
                "all {most} sessions are in use; end one with DELETE, or wait until an idle one ends"
            ),
            Self::Share(most) => format!(
                "this address has {most} sessions open, which is its share; end one with DELETE, or wait until an idle one ends"
            ),
        }
    }
}

/// Open sessions by id.
pub(super) struct Sessions<T> {
    limits: SessionLimits,
    open: BTreeMap<String, Session<T>>,
}

/// An open session.
pub(super) struct Session<T> {
    /// Where it was begun. It cannot be used from anywhere else.
    peer: Peer,
    /// Its place among the sessions of its peer: the lowest that was free.
    pub(super) place: u32,
    pub(super) used: Instant,
    pub(super) value: T,
}

impl<T> Sessions<T> {
    pub(super) fn new(limits: SessionLimits) -> Self {
        Self {
            limits,
            open: BTreeMap::new(),
        }
    }

    pub(super) fn idle(&self) -> Duration {
        self.limits.idle
    }

    /// The session with this id, if this peer began it.
    pub(super) fn get(&mut self, id: &str, peer: Peer) -> Option<&T> {
        self.session(id, peer).map(|session| &session.value)
    }

    /// The session with this id, if this peer began it, and its place among those of its peer.
    pub(super) fn session(&mut self, id: &str, peer: Peer) -> Option<&Session<T>> {
        let session = self.open.get_mut(id).filter(|open| open.peer == peer)?;
        session.used = Instant::now();
        Some(session)
    }

    /// Whether this peer may begin another session.
    pub(super) fn room(&self, peer: Peer) -> Result<(), Full> {
        if self.open.len() >= self.limits.most {
            return Err(Full::All(self.limits.most));
        }
        let share = self.limits.share(peer);
        let its = self.open.values().filter(|session| session.peer == peer);
        if its.count() >= share {
            return Err(Full::Share(share));
        }
        Ok(())
    }

    /// Adds a session, if this peer may begin another one. A session that is open already stays as it is.
    pub(super) fn add(&mut self, id: &str, peer: Peer, value: T) -> Result<(), Full> {
        if self.open.contains_key(id) {
            return Ok(());
        }
        self.room(peer)?;
        let its = self.open.values().filter(|session| session.peer == peer);
        let taken: BTreeSet<u32> = its.map(|session| session.place).collect();
        let most = u32::try_from(taken.len()).unwrap_or(u32::MAX);
        let free = (0..=most).find(|place| !taken.contains(place));
        let session = Session {
            peer,
            place: free.unwrap_or_default(),
            used: Instant::now(),
            value,
        };
        self.open.insert(id.to_owned(), session);
        Ok(())
    }

    /// Takes out a session of this peer.
    pub(super) fn remove(&mut self, id: &str, peer: Peer) -> Option<T> {
        self.get(id, peer)?;
        self.open.remove(id).map(|session| session.value)
    }

    /// Takes out all sessions that are over.
    pub(super) fn sweep(&mut self, is_over: impl Fn(&Session<T>) -> bool) -> Vec<(String, T)> {
        let over = self.open.iter().filter(|(_, session)| is_over(session));
        let over: Vec<String> = over.map(|(id, _)| id.clone()).collect();
        let taken = over.into_iter().filter_map(|id| {
            let session = self.open.remove(&id)?;
            Some((id, session.value))
        });
        taken.collect()
    }

    /// Takes out all sessions.
    pub(super) fn drain(&mut self) -> Vec<T> {
        let open = std::mem::take(&mut self.open).into_values();
        open.map(|session| session.value).collect()
    }
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
