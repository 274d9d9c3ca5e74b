//! Two processes count calls of one swarm in the server of the address in the variable `UNSTUCK_EXAMPLE_STORE`. Without
//! one it shows what happens while a store is away: each process has its own tally, and the call waits.
//!
//! ```text
//! UNSTUCK_EXAMPLE_STORE=redis://127.0.0.1 cargo run -p unstuck-redis --example count_calls
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::{env, error::Error};

use unstuck::{
    Json,
    fingerprint::Fingerprinter,
    swarm::{Delta, Worker},
};
use unstuck_redis::{Address, RedisOptions, RedisTallies};
use unstuck_swarm::{Answer, Keys, SharedOptions, SharedTallies};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A port on which no server listens.
    let address = env::var("UNSTUCK_EXAMPLE_STORE").unwrap_or("redis://127.0.0.1:1".into());
    let address: Address = address.parse()?;
    let process = || {
        let store = RedisTallies::new(address.clone(), RedisOptions::default());
        SharedTallies::new(
            store,
            Keys::new(b"secret of the team"),
            SharedOptions::default(),
        )
    };
    let (one, other) = (process()?, process()?);
    let call = Fingerprinter::new(b"").action("web_fetch", &Json::string("https://a.example/"));
    let ann = one.apply(&Delta::new("crew", call, Worker::new("s1", "ann")));
    let bob = other.apply(&Delta::new("crew", call, Worker::new("s2", "bob")));
    if let (Answer::Shared(_), Answer::Shared(tally)) = (&ann, &bob) {
        println!("{} calls of {} workers", tally.calls(), tally.workers());
    } else {
        assert_eq!((ann.tally().calls(), bob.tally().calls()), (1, 1));
        assert_eq!(other.counters().kept, 1);
        println!("the store is away; the calls wait");
    }
    Ok(())
}
