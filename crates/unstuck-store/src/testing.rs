//! The test suite of stores.

use std::{thread, time::Duration};

use crate::{
    error::StoreError,
    file::{Standing, Stored},
    session_store::SessionStore,
    store::Key,
};

/// Longest wait for a lock that must become free.
const WAIT: Duration = Duration::from_secs(60);

/// Wait for a lock that stays taken.
const SHORT: Duration = Duration::from_millis(30);

/// Checks that a store does what [`SessionStore`] promises.
///
/// `open` returns a handle of one and the same store, which is empty at first. It is called several times, also from
/// several threads.
///
/// # Panics
///
/// Panics at the first promise that is not kept.
pub fn session_store<S: SessionStore>(open: impl Fn() -> S + Sync) {
    an_empty_store_has_no_entries(&open());
    states_are_kept_apart_and_replaced_as_a_whole(&open());
    a_second_handle_sees_the_same_entries(&open(), &open());
    a_slot_keeps_other_holders_out(&open);
    no_count_is_lost_between_threads(&open);
    keys_depend_on_their_purpose(&open(), &open());
    removed_entries_are_gone(&open());
}

fn key<'a>(session: &'a str, agent: &'a str) -> Key<'a> {
    Key {
        host: "claude-code",
        session,
        agent,
    }
}

fn state(session: &str, hooks: u64) -> Stored {
    let mut stored = Stored::default();
    stored.about.host = "claude-code".into();
    stored.about.session = session.into();
    stored.about.hooks = hooks;
    stored.standing = Standing::Denied;
    stored.watch = vec![1, 2];
    stored.engine = vec![3; 10_000];
    stored
}

fn an_empty_store_has_no_entries(store: &impl SessionStore) {
    assert_eq!(store.entries().count(), 0, "entries of an empty store");
    assert_eq!(store.list().count(), 0, "list of an empty store");
    let slot = hold(store, &key("new", "main"));
    assert_eq!(read(&*slot), None, "state of a new agent");
    drop(slot);
    assert_eq!(store.list().count(), 0, "a slot alone is not an entry");
}

fn states_are_kept_apart_and_replaced_as_a_whole(store: &impl SessionStore) {
    // Names are anything, and parts do not run into each other.
    let keys = [key("a", "main"), key("a", "ma"), key("../a\n\0", "")];
    for (hooks, key) in (1..).zip(&keys) {
        let slot = hold(store, key);
        check(slot.write(&state(key.session, 100)));
        check(slot.write(&state(key.session, hooks)));
    }
    for (hooks, key) in (1..).zip(&keys) {
        assert_eq!(read(&*hold(store, key)), Some(state(key.session, hooks)));
    }
    assert_eq!(store.entries().count(), keys.len());
}

fn a_second_handle_sees_the_same_entries(one: &impl SessionStore, other: &impl SessionStore) {
    let mut times: Vec<_> = one.entries().map(|entry| entry.id).collect();
    let mut listed: Vec<_> = other.list().map(|entry| entry.id).collect();
    times.sort();
    listed.sort();
    assert_eq!(times, listed, "both handles list the same entries");
    for entry in one.list() {
        let looked = check(other.look(&entry.id));
        assert_eq!(looked, Some(check(entry.stored)), "look and list agree");
        let slot = check(other.reopen(&entry.id, WAIT));
        assert_eq!(read(&*slot), looked, "look and reopen agree");
    }
}

fn a_slot_keeps_other_holders_out<S: SessionStore>(open: &(impl Fn() -> S + Sync)) {
    let store = open();
    let slot = hold(&store, &key("a", "main"));
    if !slot.is_exclusive() {
        return;
    }
    let second = thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            matches!(
                open().open(&key("a", "main"), SHORT),
                Err(StoreError::Locked { .. })
            )
        });
        waiting.join().unwrap_or(false)
    });
    assert!(second, "a second holder gets an error after its wait");
    drop(slot);
    drop(hold(&store, &key("a", "main")));
}

fn no_count_is_lost_between_threads<S: SessionStore>(open: &(impl Fn() -> S + Sync)) {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 25;
    let counter = key("counter", "main");
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let store = open();
                for _ in 0..ROUNDS {
                    let slot = hold(&store, &counter);
                    let hooks = read(&*slot).map_or(0, |stored| stored.about.hooks);
                    check(slot.write(&state("counter", hooks + 1)));
                }
            });
        }
    });
    let counted = read(&*hold(&open(), &counter));
    assert_eq!(counted, Some(state("counter", THREADS * ROUNDS)));
}

fn keys_depend_on_their_purpose(one: &impl SessionStore, other: &impl SessionStore) {
    assert_eq!(one.derive_key("a"), other.derive_key("a"), "keys stay");
    assert_ne!(one.derive_key("a"), one.derive_key("b"), "keys differ");
    assert!(!one.has_new_key(), "the key was not replaced");
}

fn removed_entries_are_gone(store: &impl SessionStore) {
    let ids: Vec<_> = store.entries().map(|entry| entry.id).collect();
    assert!(!ids.is_empty());
    for id in &ids {
        let slot = check(store.reopen(id, WAIT));
        check(slot.remove());
        // A second time is not an error.
        check(slot.remove());
        assert_eq!(read(&*slot), None, "state of a removed agent");
        assert_eq!(check(store.look(id)), None, "look at a removed agent");
    }
    assert_eq!(store.entries().count(), 0);
}

fn hold(store: &impl SessionStore, key: &Key<'_>) -> Box<dyn crate::SessionSlot> {
    check(store.open(key, WAIT))
}

fn read(slot: &dyn crate::SessionSlot) -> Option<Stored> {
    check(slot.read())
}

fn check<T>(result: Result<T, StoreError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
