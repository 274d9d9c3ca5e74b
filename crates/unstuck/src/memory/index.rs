//! Finds items by their hash.
//!
//! Memories that are full replace an item with every new one. A table that marks removed places as deleted grows to
//! twice its size under that; this one closes the gap instead, so it never needs more than two places an item.

use crate::hash::Key;

const EMPTY: u32 = u32::MAX;

/// An open-addressing table of item numbers. The items, and so their hashes, are kept by the owner. Hashes may be chosen
/// by an attacker: where they lead depends on the key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    places: Vec<u32>,
    items: usize,
    key: Key,
}

impl Index {
    pub(crate) fn new(key: Key) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// The item with this hash for which `is` holds.
    pub(crate) fn find(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut place = self.home(hash)?;
        loop {
            match self.places[place] {
                EMPTY => return None,
                item if is(item) => return Some(item),
                _ => place = self.after(place),
            }
        }
    }

    /// Adds an item that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, item: u32, hash_of: impl Fn(u32) -> u64) {
        if (self.items + 1) * 2 > self.places.len() {
            let grown = (self.places.len() * 2).max(8);
            let old = std::mem::replace(&mut self.places, vec![EMPTY; grown]);
            for item in old.into_iter().filter(|item| *item != EMPTY) {
                self.put(hash_of(item), item);
            }
        }
        self.put(hash, item);
        self.items += 1;
    }

    /// Removes an item; nothing happens if it is not there.
    pub(crate) fn remove(&mut self, hash: u64, item: u32, hash_of: impl Fn(u32) -> u64) {
        let Some(mut gap) = self.home(hash) else {
            return;
        };
        while self.places[gap] != item {
            if self.places[gap] == EMPTY {
                return;
            }
            gap = self.after(gap);
        }
        // Items that were pushed past the gap by a collision move back into it.
        let mut next = gap;
        loop {
            next = self.after(next);
            let moved = self.places[next];
            if moved == EMPTY {
                break;
            }
            let distance = |from: usize, to: usize| to.wrapping_sub(from) & (self.places.len() - 1);
            let home = self.home(hash_of(moved)).unwrap_or(next);
            if distance(home, next) >= distance(gap, next) {
                self.places[gap] = moved;
                gap = next;
            }
        }
        self.places[gap] = EMPTY;
        self.items -= 1;
    }

    pub(crate) fn key(&self) -> Key {
        self.key
    }

    pub(crate) fn clear(&mut self) {
        self.places.clear();
        self.items = 0;
    }

    fn put(&mut self, hash: u64, item: u32) {
        let Some(mut place) = self.home(hash) else {
            return;
        };
        while self.places[place] != EMPTY {
            place = self.after(place);
        }
        self.places[place] = item;
    }

    /// The first place of an item's probe sequence. The number of places is a power of two.
    fn home(&self, hash: u64) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        Some(self.key.place(hash) as usize & last)
    }

    fn after(&self, place: usize) -> usize {
        (place + 1) & (self.places.len() - 1)
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
