//! A bounded set of the last distinct values, first in, first out.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{Memory, Unsound, index::Index, undo::UndoVec};
use crate::{fingerprint::Mark, hash::Key};

/// A set of the last `capacity` distinct marks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Seen {
    ring: UndoVec<Mark>,
    /// The cell that the next new mark takes once the ring is full.
    hand: u32,
    committed_hand: u32,
    capacity: NonZeroU32,
    /// Cell numbers by mark; derived from the ring, so it is neither journaled nor stored.
    #[serde(skip)]
    index: Index,
}

impl Seen {
    pub(crate) fn new(capacity: NonZeroU32, key: Key) -> Self {
        Self {
            ring: UndoVec::default(),
            hand: 0,
            committed_hand: 0,
            capacity,
            index: Index::new(key),
        }
    }

    /// Adds a mark that is not there yet; the oldest one makes room.
    pub(crate) fn insert(&mut self, mark: Mark) {
        if self.contains(mark) {
            return;
        }
        let cell = if self.ring.len() < self.capacity.get() as usize {
            self.ring.push(mark);
            self.ring.len() as u32 - 1
        } else {
            let cell = self.hand;
            self.hand = (self.hand + 1) % self.capacity;
            let ring = &self.ring;
            self.index
                .remove(hash_at(ring, cell), cell, |at| hash_at(ring, at));
            if let Some(slot) = self.ring.modify(cell as usize) {
                *slot = mark;
            }
            cell
        };
        let ring = &self.ring;
        self.index.insert(mark.0, cell, |at| hash_at(ring, at));
    }

    pub(crate) fn contains(&self, mark: Mark) -> bool {
        self.index
            .find(mark.0, |at| self.ring.get(at as usize) == Some(&mark))
            .is_some()
    }

    fn reindex(&mut self) {
        let ring = &self.ring;
        self.index.clear();
        for (cell, mark) in ring.iter().enumerate() {
            self.index
                .insert(mark.0, cell as u32, |at| hash_at(ring, at));
        }
    }
}

impl Memory for Seen {
    fn commit(&mut self) {
        self.ring.commit();
        self.committed_hand = self.hand;
    }

    fn rollback(&mut self) {
        self.ring.rollback();
        self.hand = self.committed_hand;
        self.reindex();
    }

    /// Under a smaller bound, the oldest marks are dropped. A changed bound commits the journaled changes.
    fn fit(&mut self, fresh: &Self) -> Result<(), Unsound> {
        let capacity = self.capacity.get();
        if self.hand >= capacity
            || self.committed_hand >= capacity
            || !self.ring.is_sound(capacity as usize)
        {
            return Err(Unsound);
        }
        if self.capacity == fresh.capacity {
            self.index = Index::new(fresh.index.key());
            self.reindex();
            return Ok(());
        }
        let (newer, older) = (
            self.ring.iter().take(self.hand as usize),
            self.ring.iter().skip(self.hand as usize),
        );
        let forgotten = self
            .ring
            .len()
            .saturating_sub(fresh.capacity.get() as usize);
        let mut fitted = Self::new(fresh.capacity, fresh.index.key());
        for mark in older.chain(newer).skip(forgotten) {
            fitted.insert(*mark);
        }
        fitted.commit();
        *self = fitted;
        Ok(())
    }
}

fn hash_at(ring: &UndoVec<Mark>, cell: u32) -> u64 {
    ring.get(cell as usize).map_or(0, |mark| mark.0)
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
