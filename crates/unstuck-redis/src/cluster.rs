//! Which node of a cluster has which keys.

use std::collections::BTreeMap;

use crate::address::Place;

/// Slots of a cluster.
const SLOTS: u16 = 16_384;

/// A node that another one named for a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Redirection {
    /// The slot belongs to that node from now on.
    Moved(Place),
    /// The slot is on its way to that node, and these keys are there already.
    Ask(Place),
}

impl Redirection {
    /// Reads `MOVED SLOT HOST:PORT` or `ASK SLOT HOST:PORT`. An empty host is that of the node that answered.
    pub(crate) fn parse(error: &str, from: &Place) -> Option<Self> {
        let mut words = error.split(' ');
        let kind = words.next()?;
        let _slot: u16 = words.next()?.parse().ok()?;
        let (host, port) = words.next()?.rsplit_once(':')?;
        let port = port.parse().ok()?;
        let host = match (host, from) {
            ("" | "?", Place::Tcp(host, _)) => host.as_str(),
            ("" | "?", Place::Unix(_)) => return None,
            (host, _) => host,
        };
        let place = Place::Tcp(host.into(), port);
        match kind {
            "MOVED" => Some(Self::Moved(place)),
            "ASK" => Some(Self::Ask(place)),
            _ => None,
        }
    }
}

/// Nodes by slot, as far as redirections have named them.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// The nodes of the address.
    seeds: Vec<Place>,
    /// The seed for slots without a known node.
    seed: usize,
    known: BTreeMap<u16, Place>,
}

impl Nodes {
    pub(crate) fn new(seeds: Vec<Place>) -> Self {
        Self {
            seeds,
            seed: 0,
            known: BTreeMap::new(),
        }
    }

    /// The node to ask for a slot.
    pub(crate) fn of(&self, slot: u16) -> Option<&Place> {
        self.known
            .get(&slot)
            .or_else(|| self.seeds.get(self.seed % self.seeds.len().max(1)))
    }

    /// A node said that a slot has moved.
    pub(crate) fn moved(&mut self, slot: u16, place: Place) {
        if self.seeds.len() == 1 && self.seeds.first() == Some(&place) {
            self.known.remove(&slot);
        } else {
            self.known.insert(slot, place);
        }
    }

    /// A node did not answer. Its slots may have moved, and another node knows where to.
    pub(crate) fn failed(&mut self, place: &Place) {
        self.known.retain(|_, node| node != place);
        if self.seeds.get(self.seed % self.seeds.len().max(1)) == Some(place) {
            self.seed = self.seed.wrapping_add(1);
        }
    }
}

/// The slot of keys with this hash tag.
pub(crate) fn slot(tag: &[u8]) -> u16 {
    let crc = tag.iter().fold(0_u16, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 {
                crc << 1
            } else {
                (crc << 1) ^ 0x1021
            }
        })
    });
    crc % SLOTS
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
