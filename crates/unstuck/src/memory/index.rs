//! Finds items by their hash.
//!
//! Memories that are full replace an item with every new one. A table that marks removed places as deleted grows to
//! twice its size under that; this one closes the gap instead, so it never needs more than two places an item.

use crate::hash::Key;

const EMPTY: u32 = u32::MAX;

/// Item numbers by place, or [`EMPTY`]. Two bytes each, as long as all numbers fit: most memories are small, and a session
/// has many tables.
#[derive(Clone, Debug)]
enum Places {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Places {
    const SHORT_EMPTY: u16 = u16::MAX;

    fn len(&self) -> usize {
        match self {
            Self::Short(items) => items.len(),
            Self::Long(items) => items.len(),
        }
    }

    fn get(&self, place: usize) -> u32 {
        match self {
            Self::Short(items) if items[place] == Self::SHORT_EMPTY => EMPTY,
            Self::Short(items) => items[place].into(),
            Self::Long(items) => items[place],
        }
    }

    /// Sets a place to an item that fits, or to [`EMPTY`].
    fn set(&mut self, place: usize, item: u32) {
        match self {
            Self::Short(items) => items[place] = item as u16,
            Self::Long(items) => items[place] = item,
        }
    }

    fn fits(&self, item: u32) -> bool {
        matches!(self, Self::Long(_)) || item < Self::SHORT_EMPTY.into()
    }

    /// So many empty places for these items.
    fn empty(len: usize, largest: u32) -> Self {
        if largest < Self::SHORT_EMPTY.into() {
            Self::Short(vec![Self::SHORT_EMPTY; len])
        } else {
            Self::Long(vec![EMPTY; len])
        }
    }
}

impl Default for Places {
    fn default() -> Self {
        Self::Short(Vec::new())
    }
}

/// An open-addressing table of item numbers. The items, and so their hashes, are kept by the owner. Hashes may be chosen
/// by an attacker: where they lead depends on the key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    places: Places,
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
            match self.places.get(place) {
                EMPTY => return None,
                item if is(item) => return Some(item),
                _ => place = self.after(place),
            }
        }
    }

    /// Adds an item that is not there yet.
    pub(crate) fn insert(&mut self, hash: u64, item: u32, hash_of: impl Fn(u32) -> u64) {
        let is_full = (self.items + 1) * 2 > self.places.len();
        if is_full || !self.places.fits(item) {
            self.grow(is_full, item, hash_of);
        }
        self.put(hash, item);
        self.items += 1;
    }

    /// Makes room for another item.
    #[cold]
    fn grow(&mut self, is_full: bool, item: u32, hash_of: impl Fn(u32) -> u64) {
        let len = self.places.len();
        let grown = if is_full { (len * 2).max(8) } else { len };
        let known: Vec<u32> = (0..len).map(|place| self.places.get(place)).collect();
        let known = || known.iter().copied().filter(|item| *item != EMPTY);
        self.places = Places::empty(grown, known().fold(item, u32::max));
        for item in known() {
            self.put(hash_of(item), item);
        }
    }

    /// Removes an item; nothing happens if it is not there.
    pub(crate) fn remove(&mut self, hash: u64, item: u32, hash_of: impl Fn(u32) -> u64) {
        let Some(mut gap) = self.home(hash) else {
            return;
        };
        while self.places.get(gap) != item {
            if self.places.get(gap) == EMPTY {
                return;
            }
            gap = self.after(gap);
        }
        // Items that were pushed past the gap by a collision move back into it.
        let mut next = gap;
        loop {
            next = self.after(next);
            let moved = self.places.get(next);
            if moved == EMPTY {
                break;
            }
            let distance = |from: usize, to: usize| to.wrapping_sub(from) & (self.places.len() - 1);
            let home = self.home(hash_of(moved)).unwrap_or(next);
            if distance(home, next) >= distance(gap, next) {
                self.places.set(gap, moved);
                gap = next;
            }
        }
        self.places.set(gap, EMPTY);
        self.items -= 1;
    }

    pub(crate) fn key(&self) -> Key {
        self.key
    }

    pub(crate) fn clear(&mut self) {
        self.places = Places::default();
        self.items = 0;
    }

    fn put(&mut self, hash: u64, item: u32) {
        let Some(mut place) = self.home(hash) else {
            return;
        };
        while self.places.get(place) != EMPTY {
            place = self.after(place);
        }
        self.places.set(place, item);
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
