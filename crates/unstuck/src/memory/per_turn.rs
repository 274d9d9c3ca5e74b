//! Small state that is copied at every turn.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::{Memory, Unsound};

/// A value with a copy of what it was when the last turn ended.
///
/// The copy is made only if the value was written since the last commit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PerTurn<T> {
    now: T,
    /// The value at the last commit, if it was written since.
    before: Option<T>,
}

impl<T: Default> PerTurn<T> {
    /// Starts afresh. A rollback still returns to the last commit.
    pub(crate) fn restart(&mut self)
    where
        T: Clone,
    {
        **self = T::default();
    }
}

impl<T> PerTurn<T> {
    /// Changes the value and that of the last commit alike.
    pub(crate) fn adjust(&mut self, change: impl Fn(&mut T)) {
        change(&mut self.now);
        self.before.as_mut().map(change);
    }
}

impl<T> Deref for PerTurn<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.now
    }
}

impl<T: Clone> DerefMut for PerTurn<T> {
    fn deref_mut(&mut self) -> &mut T {
        if self.before.is_none() {
            self.before = Some(self.now.clone());
        }
        &mut self.now
    }
}

impl<T> Memory for PerTurn<T> {
    fn commit(&mut self) {
        self.before = None;
    }

    fn rollback(&mut self) {
        if let Some(before) = self.before.take() {
            self.now = before;
        }
    }

    /// Reading a value checks its constant bounds. A bound that is an option is applied by the rule.
    fn fit(&mut self, _: &Self) -> Result<(), Unsound> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "per_turn_tests.rs"]
mod tests;
