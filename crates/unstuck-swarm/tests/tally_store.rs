//! The stores in memory and in files pass the test suite of stores.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use unstuck_swarm::{FileTallies, MemoryTallies, TallyLimits, testing};

#[test]
fn memory_is_a_tally_store() {
    // One store for each set of limits.
    let stores: Mutex<BTreeMap<_, Arc<MemoryTallies>>> = Mutex::default();
    testing::tally_store(1, |limits| {
        let mut stores = stores.lock().unwrap();
        let store = stores.entry((limits.window, limits.most));
        store
            .or_insert_with(|| Arc::new(MemoryTallies::new(limits)))
            .clone()
    });
}

#[test]
fn files_are_a_tally_store() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("swarms");
    testing::tally_store(1, |limits| {
        let root = root.join(format!("{}-{}", limits.window_ms(), limits.most));
        FileTallies::open(root, limits).unwrap()
    });
}

#[test]
fn memory_is_a_store_of_dead_calls() {
    let stores: Mutex<BTreeMap<_, Arc<MemoryTallies>>> = Mutex::default();
    testing::dead_call_store(1, |limits| {
        let mut stores = stores.lock().unwrap();
        let new = || Arc::new(MemoryTallies::default().with_dead_limits(limits));
        stores.entry(limits.keep).or_insert_with(new).clone()
    });
}

#[test]
fn files_are_a_store_of_dead_calls() {
    let directory = tempfile::tempdir().unwrap();
    testing::dead_call_store(1, |limits| {
        let store = FileTallies::open(directory.path(), TallyLimits::default());
        store.unwrap().with_dead_limits(limits)
    });
}
