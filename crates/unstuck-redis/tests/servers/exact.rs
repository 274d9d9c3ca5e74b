//! Counts are exact.

use std::{thread, time::Duration};

use unstuck_redis::{RedisOptions, RedisTallies};
use unstuck_swarm::testing;

use crate::server::{KINDS, LONG, Server, delta, shared, total, work};

/// Calls of each of 64 workers: 100,032 in all.
const CALLS: u64 = 1_563;

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn redis_and_valkey_are_tally_stores() {
    for kind in KINDS {
        let server = Server::start(kind, &[]);
        testing::tally_store(1, |limits| {
            let mut options = RedisOptions::default();
            options.limits = limits;
            RedisTallies::new(server.address().parse().unwrap(), options)
        });
        testing::dead_call_store(2, |limits| {
            let mut options = RedisOptions::default();
            options.dead = limits;
            RedisTallies::new(server.address().parse().unwrap(), options)
        });
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_hundred_thousand_calls_of_64_workers_are_counted_with_one_round_trip_each() {
    for kind in KINDS {
        let server = Server::start(kind, &[]);
        let tallies = shared(&server.address(), LONG);
        work(&tallies, &["crew"], CALLS, || ());
        let counters = tallies.counters();
        assert_eq!(
            (counters.shared, counters.local),
            (64 * CALLS, 0),
            "{kind:?}"
        );
        assert_eq!(total(&tallies, "crew"), 64 * CALLS, "{kind:?}");
        let sent = server.info("commandstats", "cmdstat_evalsha:calls");
        assert_eq!(sent, 64 * CALLS, "{kind:?}: one round trip for each call");
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn calls_are_counted_once_when_the_server_is_killed_twice() {
    for kind in KINDS {
        let mut server = Server::start(kind, &["--appendonly", "yes", "--appendfsync", "always"]);
        let tallies = shared(&server.address(), Duration::from_millis(20));
        work(&tallies, &["crew", "other"], CALLS, || {
            for _ in 0..2 {
                thread::sleep(Duration::from_millis(400));
                server.kill();
                thread::sleep(Duration::from_millis(200));
                server.start_again();
            }
        });
        assert_eq!(tallies.flush(LONG), 0, "{kind:?}");
        let counters = tallies.counters();
        assert_eq!(counters.dropped, 0, "{kind:?}");
        assert!(counters.merged > 0, "{kind:?}: no call had to wait");
        let sum = total(&tallies, "crew") + total(&tallies, "other");
        assert_eq!(sum, 64 * CALLS, "{kind:?}: {counters:?}");
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_server_that_forgot_the_script_learns_it_with_the_second_try() {
    for kind in KINDS {
        let server = Server::start(kind, &[]);
        let tallies = shared(&server.address(), LONG);
        tallies.apply(&delta("crew", 1, 1));
        server.run(&["SCRIPT", "FLUSH"]);
        assert_eq!(tallies.apply(&delta("crew", 1, 1)).tally().calls(), 2);
        assert_eq!(tallies.apply(&delta("crew", 1, 1)).tally().calls(), 3);
        // One by the text at first, one after the flush; the third call found the script by its name.
        assert_eq!(
            server.info("commandstats", "cmdstat_eval:calls"),
            2,
            "{kind:?}"
        );
        assert_eq!(
            server.info("commandstats", "cmdstat_evalsha:calls"),
            3,
            "{kind:?}"
        );
    }
}
