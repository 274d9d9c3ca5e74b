//! A bounded map that forgets what was used longest ago.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::{Memory, Unsound, index::Index, undo::UndoVec};
use crate::{fingerprint::Mark, hash::Key};

const NONE: u32 = u32::MAX;

/// Values of the last `capacity` marks that were written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Recent<V> {
    entries: UndoVec<Entry<V>>,
    ends: Ends,
    committed_ends: Ends,
    capacity: NonZeroU32,
    /// Entry numbers by mark; derived from the entries, so it is neither journaled nor stored.
    #[serde(skip)]
    index: Index,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry<V> {
    mark: Mark,
    newer: u32,
    older: u32,
    value: V,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Ends {
    newest: u32,
    oldest: u32,
}

const EMPTY: Ends = Ends {
    newest: NONE,
    oldest: NONE,
};

impl<V: Clone> Recent<V> {
    pub(crate) fn new(capacity: NonZeroU32, key: Key) -> Self {
        Self {
            entries: UndoVec::default(),
            ends: EMPTY,
            committed_ends: EMPTY,
            capacity,
            index: Index::new(key),
        }
    }

    /// The value under `mark` for writing, made by `init` if there is none; it becomes the newest.
    pub(crate) fn entry(&mut self, mark: Mark, init: impl FnOnce() -> V) -> &mut V {
        self.entry_reusing(mark, |_| init())
    }

    /// The same, where `init` may take what it can use from the value that makes room for the new one.
    pub(crate) fn entry_reusing(
        &mut self,
        mark: Mark,
        init: impl FnOnce(Option<&mut V>) -> V,
    ) -> &mut V {
        let at = match self.find(mark) {
            Some(at) => {
                self.touch(at);
                at
            }
            None => self.insert(mark, init),
        };
        self.value_mut(at)
    }

    /// Writes without making the value newer; nothing happens where there is none.
    pub(crate) fn update(&mut self, mark: Mark, change: impl FnOnce(&mut V)) {
        if let Some(at) = self.find(mark) {
            change(self.value_mut(at));
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries = UndoVec::default();
        self.ends = EMPTY;
        self.committed_ends = EMPTY;
        self.index = Index::new(self.index.key());
    }

    pub(crate) fn get(&self, mark: Mark) -> Option<&V> {
        let at = self.find(mark)?;
        self.entries.get(at as usize).map(|entry| &entry.value)
    }

    /// All marks with their values, newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Mark, &V)> {
        let mut at = self.ends.newest;
        std::iter::from_fn(move || {
            let entry = self.entries.get(at as usize)?;
            at = entry.older;
            Some((entry.mark, &entry.value))
        })
    }

    /// All values, in no particular order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|entry| &entry.value)
    }

    fn find(&self, mark: Mark) -> Option<u32> {
        self.index.find(mark.0, |at| {
            self.entries
                .get(at as usize)
                .is_some_and(|entry| entry.mark == mark)
        })
    }

    fn insert(&mut self, mark: Mark, init: impl FnOnce(Option<&mut V>) -> V) -> u32 {
        let at = if self.entries.len() < self.capacity.get() as usize {
            self.entries.push(Entry {
                mark,
                newer: NONE,
                older: NONE,
                value: init(None),
            });
            self.entries.len() as u32 - 1
        } else {
            let at = self.ends.oldest;
            self.unlink(at);
            let entries = &self.entries;
            self.index
                .remove(hash_at(entries, at), at, |other| hash_at(entries, other));
            if let Some(entry) = self.entries.modify(at as usize) {
                entry.mark = mark;
                entry.value = init(Some(&mut entry.value));
            }
            at
        };
        self.link_newest(at);
        let entries = &self.entries;
        self.index
            .insert(mark.0, at, |other| hash_at(entries, other));
        at
    }

    fn touch(&mut self, at: u32) {
        if self.ends.newest != at {
            self.unlink(at);
            self.link_newest(at);
        }
    }

    fn unlink(&mut self, at: u32) {
        let Some((newer, older)) = self
            .entries
            .get(at as usize)
            .map(|entry| (entry.newer, entry.older))
        else {
            return;
        };
        match self.entries.modify(newer as usize) {
            Some(neighbour) => neighbour.older = older,
            None => self.ends.newest = older,
        }
        match self.entries.modify(older as usize) {
            Some(neighbour) => neighbour.newer = newer,
            None => self.ends.oldest = newer,
        }
    }

    fn link_newest(&mut self, at: u32) {
        let second = self.ends.newest;
        if let Some(entry) = self.entries.modify(at as usize) {
            entry.newer = NONE;
            entry.older = second;
        }
        match self.entries.modify(second as usize) {
            Some(neighbour) => neighbour.newer = at,
            None => self.ends.oldest = at,
        }
        self.ends.newest = at;
    }

    #[expect(
        clippy::expect_used,
        reason = "`at` was just found or inserted; entries are never removed one by one"
    )]
    fn value_mut(&mut self, at: u32) -> &mut V {
        let entry = self.entries.modify(at as usize);
        &mut entry.expect("an entry that is in the index").value
    }

    fn reindex(&mut self) {
        let entries = &self.entries;
        self.index.clear();
        for (at, entry) in entries.iter().enumerate() {
            self.index
                .insert(entry.mark.0, at as u32, |other| hash_at(entries, other));
        }
    }

    /// Whether the numbers are within bounds, now and after a rollback.
    fn is_sound(&self) -> bool {
        let capacity = self.capacity.get();
        if capacity == NONE || !self.entries.is_sound(capacity as usize) {
            return false;
        }
        let mut before = self.entries.clone();
        before.rollback();
        is_linked(self.ends, &self.entries) && is_linked(self.committed_ends, &before)
    }
}

impl<V: Clone> Memory for Recent<V> {
    fn commit(&mut self) {
        self.entries.commit();
        self.committed_ends = self.ends;
    }

    fn rollback(&mut self) {
        self.entries.rollback();
        self.ends = self.committed_ends;
        self.reindex();
    }

    /// Under a smaller bound, the oldest entries are dropped. A changed bound commits the journaled changes.
    fn fit(&mut self, fresh: &Self) -> Result<(), Unsound> {
        if !self.is_sound() {
            return Err(Unsound);
        }
        if self.capacity == fresh.capacity {
            self.index = Index::new(fresh.index.key());
            self.reindex();
            return Ok(());
        }
        let mut fitted = Self::new(fresh.capacity, fresh.index.key());
        let mut newest_first: Vec<_> = self.iter().take(fresh.capacity.get() as usize).collect();
        newest_first.reverse();
        for (mark, value) in newest_first {
            fitted.insert(mark, |_| value.clone());
        }
        fitted.commit();
        *self = fitted;
        Ok(())
    }
}

/// Whether the list from the newest entry visits every entry once and ends at the oldest.
fn is_linked<V: Clone>(ends: Ends, entries: &UndoVec<Entry<V>>) -> bool {
    let (mut at, mut newer, mut visited) = (ends.newest, NONE, 0);
    while at != NONE {
        match entries.get(at as usize) {
            Some(entry) if entry.newer == newer && visited < entries.len() => {
                visited += 1;
                newer = at;
                at = entry.older;
            }
            _ => return false,
        }
    }
    visited == entries.len() && newer == ends.oldest
}

fn hash_at<V: Clone>(entries: &UndoVec<Entry<V>>, at: u32) -> u64 {
    entries.get(at as usize).map_or(0, |entry| entry.mark.0)
}

#[cfg(test)]
#[path = "recent_tests.rs"]
mod tests;
