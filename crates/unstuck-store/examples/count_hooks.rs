//! Counts in a file what several processes would count, here several threads.
//!
//! ```text
//! cargo run -p unstuck-store --example count_hooks
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{error::Error, thread, time::Duration};

use unstuck_store::{Key, SessionSlot as _, Store, StoreError};

const KEY: Key<'_> = Key {
    host: "my-agent",
    session: "s1",
    agent: "main",
};

fn count(store: &Store) -> Result<(), StoreError> {
    let slot = store.open(&KEY, Duration::from_secs(60))?;
    let mut state = slot.read()?.unwrap_or_default();
    state.about.hooks += 1;
    slot.write(&state)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let store = Store::at(home.path().join("sessions"));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| count(&store))).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or(Ok(())))
    })?;
    let state = store.open(&KEY, Duration::from_secs(60))?.read()?;
    let hooks = state.map(|state| state.about.hooks);
    println!("{hooks:?} hooks");
    assert_eq!(hooks, Some(4));
    Ok(())
}
