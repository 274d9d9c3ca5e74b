//! What was reported already.

use std::{
    collections::{HashSet, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
};

/// Older ones are forgotten.
const MOST: usize = 16_384;

/// Ids that were seen, as marks, so that long ones cost no more than short ones.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    marks: HashSet<u64>,
    order: VecDeque<u64>,
}

impl Seen {
    /// Remembers an id; `true` if it is new.
    pub(crate) fn add(&mut self, id: &str) -> bool {
        let mark = mark(id);
        if !self.marks.insert(mark) {
            return false;
        }
        self.order.push_back(mark);
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.marks.remove(&oldest);
        }
        true
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.marks.contains(&mark(id))
    }
}

fn mark(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "seen_tests.rs"]
mod tests;
