//! A short history: the last few items, first in, first out.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

/// The last `N` items that were pushed, oldest first. It dereferences to a slice of them.
///
/// Pushing into a full history and removing move up to `N` items, so this is for dozens of items, not for thousands.
/// It is stored like a vector; a stored one with more than `N` items is refused.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>")]
pub(crate) struct Last<T, const N: usize>(Vec<T>);

impl<T, const N: usize> Last<T, N> {
    /// Adds the newest item. Returns the oldest one if it had to make room.
    pub(crate) fn push(&mut self, item: T) -> Option<T> {
        const { assert!(N > 0, "a history of nothing") };
        push_within(&mut self.0, item, N)
    }

    /// Removes the oldest item for which `wanted` is true.
    pub(crate) fn take(&mut self, wanted: impl FnMut(&T) -> bool) -> Option<T> {
        let at = self.0.iter().position(wanted)?;
        Some(self.0.remove(at))
    }

    /// Removes the items for which `keep` is false.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.0.retain(keep);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Adds the newest item to a history whose bound is a setting. Returns the oldest one if it had to make room.
pub(crate) fn push_within<T>(items: &mut Vec<T>, item: T, bound: usize) -> Option<T> {
    let forgotten = if items.len() < bound {
        None
    } else {
        // One that was stored under a larger bound may have to lose more.
        items.drain(..=items.len() - bound).next()
    };
    if items.len() == items.capacity() {
        // Doubling would leave room for more than the bound.
        let room = items.len().clamp(1, bound - items.len());
        items.reserve_exact(room);
    }
    items.push(item);
    forgotten
}

/// Drops the oldest items beyond the bound.
pub(crate) fn cut_to<T>(items: &mut Vec<T>, bound: usize) {
    items.drain(..items.len().saturating_sub(bound));
}

impl<T, const N: usize> From<T> for Last<T, N> {
    fn from(item: T) -> Self {
        Self(vec![item])
    }
}

impl<T: Clone, const N: usize> Clone for Last<T, N> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Reuses the memory that `self` has, which a derived implementation does not.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T, const N: usize> Default for Last<T, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const N: usize> Deref for Last<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const N: usize> DerefMut for Last<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T, const N: usize> TryFrom<Vec<T>> for Last<T, N> {
    type Error = &'static str;

    fn try_from(items: Vec<T>) -> Result<Self, Self::Error> {
        if items.len() > N {
            return Err("a history is longer than its bound");
        }
        Ok(Self(items))
    }
}

#[cfg(test)]
#[path = "last_tests.rs"]
mod tests;
