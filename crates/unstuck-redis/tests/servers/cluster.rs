//! Three nodes as a cluster.

use std::{
    thread,
    time::{Duration, Instant},
};

use unstuck::swarm::Worker;
use unstuck_swarm::{Answer, Batch, Entry, TallyStore as _, Writer};

use crate::server::{KINDS, Kind, LONG, Server, delta, shared, store, total, work};

/// Calls of each of 64 workers.
const CALLS: u64 = 300;

fn cluster(kind: Kind) -> Vec<Server> {
    let options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "5000"];
    let nodes: Vec<_> = (0..3).map(|_| Server::start(kind, &options)).collect();
    let ranges = [("0", "5460"), ("5461", "10922"), ("10923", "16383")];
    for (node, (from, to)) in nodes.iter().zip(ranges) {
        let added = node.run(&["CLUSTER", "ADDSLOTSRANGE", from, to]);
        assert_eq!(added, "+OK\r\n");
        let port = nodes[0].port.to_string();
        node.run(&["CLUSTER", "MEET", "127.0.0.1", &port]);
    }
    let start = Instant::now();
    let is_whole = |node: &Server| {
        let info = node.run(&["CLUSTER", "INFO"]);
        info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
    };
    while !nodes.iter().all(is_whole) {
        assert!(start.elapsed() < LONG, "the cluster does not form");
        thread::sleep(Duration::from_millis(50));
    }
    nodes
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn three_nodes_count_exactly_and_redirections_are_remembered() {
    for kind in KINDS {
        let nodes = cluster(kind);
        // One node is enough to find the others.
        let tallies = shared(&nodes[0].address(), LONG);
        let names: Vec<_> = (0..20).map(|n| format!("crew-{n}")).collect();
        let swarms: Vec<_> = names.iter().map(String::as_str).collect();
        work(&tallies, &swarms, CALLS, || ());
        let sum: u64 = swarms.iter().map(|swarm| total(&tallies, swarm)).sum();
        assert_eq!(sum, 64 * CALLS, "{kind:?}");
        let counters = tallies.counters();
        assert_eq!(
            (counters.shared, counters.local),
            (64 * CALLS, 0),
            "{kind:?}"
        );
        let scripts: Vec<_> = nodes
            .iter()
            .map(|node| node.info("commandstats", "cmdstat_evalsha:calls"))
            .collect();
        assert!(
            scripts.iter().all(|calls| *calls > 0),
            "{kind:?}: {scripts:?}"
        );
        // At first many threads do not know yet where a swarm is.
        let extra = scripts.iter().sum::<u64>() - 64 * CALLS;
        assert!(extra < 64 * 20, "{kind:?}: {extra} calls were repeated");
    }
}

/// A slot is moved to another node while its swarm is counted.
#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_swarm_that_moves_to_another_node_is_counted_exactly() {
    for kind in KINDS {
        let nodes = cluster(kind);
        let tallies = shared(&nodes[0].address(), LONG);
        let count = |tallies: &unstuck_swarm::SharedTallies<_>| {
            tallies.apply(&delta("crew", 1, 1)).tally().calls()
        };
        assert_eq!(count(&tallies), 1);
        let tag = tallies.keys().swarm("crew").to_string();
        let key_of = |node: &Server| {
            let keys = node.run(&["KEYS", "*"]);
            keys.lines()
                .find(|line| line.contains(&tag))
                .map(str::to_owned)
        };
        let from = nodes
            .iter()
            .position(|node| key_of(node).is_some())
            .unwrap();
        let to = (from + 1) % 3;
        let key = key_of(&nodes[from]).unwrap();
        let slot = nodes[from].run(&["CLUSTER", "KEYSLOT", &key]);
        let slot = slot.trim_start_matches(':').trim_end();
        let id = |at: usize| {
            nodes[at]
                .run(&["CLUSTER", "MYID"])
                .lines()
                .nth(1)
                .unwrap()
                .to_owned()
        };
        nodes[to].run(&["CLUSTER", "SETSLOT", slot, "IMPORTING", &id(from)]);
        nodes[from].run(&["CLUSTER", "SETSLOT", slot, "MIGRATING", &id(to)]);
        // One of its two keys does not exist, so the server asks to try again: the call waits.
        let answer = tallies.apply(&delta("crew", 1, 1));
        let moved = nodes[from].run(&[
            "MIGRATE",
            "127.0.0.1",
            &nodes[to].port.to_string(),
            "",
            "0",
            "5000",
            "KEYS",
            &key,
        ]);
        assert_eq!(moved, "+OK\r\n", "{kind:?}");
        // Both keys are gone from the old node, which answers ASK.
        thread::sleep(Duration::from_millis(100));
        let asked = tallies.apply(&delta("crew", 1, 1));
        for node in [to, from] {
            nodes[node].run(&["CLUSTER", "SETSLOT", slot, "NODE", &id(to)]);
        }
        assert_eq!(tallies.flush(LONG), 0);
        thread::sleep(Duration::from_millis(60));
        assert_eq!(count(&tallies), 4, "{kind:?}: {answer:?} {asked:?}");
        let sum = total(&tallies, "crew");
        assert_eq!(sum, 4, "{kind:?}");
        assert!(key_of(&nodes[to]).is_some() && key_of(&nodes[from]).is_none());
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_node_that_is_down_stops_no_other_swarm() {
    let mut nodes = cluster(Kind::Redis);
    let last = nodes.pop().unwrap();
    let addresses = format!("{},127.0.0.1:{}", nodes[0].address(), nodes[1].port);
    let tallies = shared(&addresses, Duration::from_millis(500));
    let swarms: Vec<_> = (0..30).map(|n| format!("crew-{n}")).collect();
    drop(last);
    let entry = Entry {
        number: 1,
        call: tallies.keys().call(&delta("", 1, 1).fingerprint),
        worker: Worker::from_bits(1),
        calls: 1,
    };
    let reached = swarms.iter().filter(|swarm| {
        let batch = Batch {
            swarm: tallies.keys().swarm(swarm),
            writer: Writer::from_bits(1),
            entries: &[entry],
        };
        store(&addresses).apply(&batch, LONG).is_ok()
    });
    let reached = reached.count();
    assert!((10..30).contains(&reached), "{reached} of 30 swarms");
    assert!(matches!(
        tallies.apply(&delta("crew", 1, 1)),
        Answer::Shared(_) | Answer::Local(_)
    ));
}
