//! A map of bounded size that forgets what was used longest ago.

use std::{collections::BTreeMap, sync::Arc};

/// Values by name, the ones used last.
#[derive(Clone, Debug)]
pub(crate) struct Recent<V> {
    capacity: usize,
    /// Uses so far: the time that entries are ordered by.
    uses: u64,
    values: BTreeMap<Arc<str>, Used<V>>,
    /// The names by the time of their last use.
    order: BTreeMap<u64, Arc<str>>,
}

#[derive(Clone, Debug)]
struct Used<V> {
    at: u64,
    value: V,
}

impl<V: Default> Recent<V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            uses: 0,
            values: BTreeMap::new(),
            order: BTreeMap::new(),
        }
    }

    /// Returns the value of a name, which is now the one used last. An unknown name gets a default value, and takes the
    /// place of the name used longest ago if the map is full.
    pub(crate) fn entry(&mut self, name: &str) -> &mut V {
        let (name, before) = match self.values.get_key_value(name) {
            Some((name, used)) => (name.clone(), Some(used.at)),
            None => (name.into(), None),
        };
        if let Some(before) = before {
            self.order.remove(&before);
        } else if self.values.len() >= self.capacity
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.values.remove(&oldest);
        }
        self.uses += 1;
        let at = self.uses;
        self.order.insert(at, name.clone());
        let used = self.values.entry(name).or_insert_with(|| Used {
            at,
            value: V::default(),
        });
        used.at = at;
        &mut used.value
    }

    pub(crate) fn clear(&mut self) {
        self.values.clear();
        self.order.clear();
    }

    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        self.values.get(name).map(|used| &used.value)
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Names and values, the one used last first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &V)> {
        let names = self.order.values().rev();
        names.filter_map(|name| Some((&**name, self.get(name)?)))
    }
}

#[cfg(test)]
#[path = "recent_tests.rs"]
mod tests;
