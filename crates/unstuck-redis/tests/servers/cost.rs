//! What a tally costs the server.

use std::{
    cell::Cell,
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use unstuck::swarm::Worker;
use unstuck_redis::RedisTallies;
use unstuck_swarm::{Batch, CallKey, Entry, SwarmKey, TallyStore as _, Writer};

use crate::server::{KINDS, Kind, LONG, Server, delta, shared, store};

/// Connections at the same time.
const CONNECTIONS: u64 = 16;

/// Commands of each connection in one round.
const COMMANDS: u64 = 2_000;

/// Most rounds of both.
const MOST_ROUNDS: u32 = 40;

/// Throughput of a tally, in percent of a bare `INCR`.
const LEAST_PERCENT: u64 = 45;

/// Bytes of one call with four workers.
const MOST_BYTES: u64 = 256;

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_call_takes_few_bytes_of_the_server() {
    const CALLS: u64 = 10_000;
    for kind in KINDS {
        let server = Server::start(kind, &[]);
        let tallies = shared(&server.address(), LONG);
        tallies.apply(&delta("crew", 0, 0));
        let before = server.info("memory", "used_memory_dataset");
        for call in 0..CALLS {
            for worker in 0..4 {
                tallies.apply(&delta("crew", call, worker));
            }
        }
        let after = server.info("memory", "used_memory_dataset");
        let bytes = (after - before) / CALLS;
        println!("{kind:?}: {bytes} bytes for each call with four workers");
        assert!(bytes <= MOST_BYTES, "{kind:?}: {bytes} bytes");
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_tally_is_not_much_slower_than_a_bare_increment() {
    let server = Server::start(Kind::Redis, &[]);
    let tallies = store(&server.address());
    let rounds = Cell::new(0);
    let applied = || {
        rounds.set(rounds.get() + 1);
        let round = rounds.get();
        thread::scope(|scope| {
            for connection in 0..CONNECTIONS {
                let tallies = &tallies;
                scope.spawn(move || apply(tallies, connection, round));
            }
        });
    };
    // By turns, so that both have the same share of the machine; the best round of each. A machine that is busy with other
    // work takes more rounds to show it.
    let per_second = |time: Duration| {
        (CONNECTIONS * COMMANDS * 1_000_000) / u64::try_from(time.as_micros()).unwrap()
    };
    let (mut incr, mut apply) = (0, 0);
    for round in 0..MOST_ROUNDS {
        incr = incr.max(per_second(timed(|| increments(server.port))));
        apply = apply.max(per_second(timed(applied)));
        if round >= 5 && apply * 100 >= incr * LEAST_PERCENT {
            break;
        }
    }
    println!(
        "INCR {incr} per second, tallies {apply} per second: {} %",
        apply * 100 / incr
    );
    assert!(
        apply * 100 >= incr * LEAST_PERCENT,
        "{apply} tallies and {incr} INCR per second"
    );
}

/// Tallies of 100 calls by turns, each waiting for its reply.
fn apply(tallies: &RedisTallies, connection: u64, round: u64) {
    for n in 1..=COMMANDS {
        let entry = Entry {
            number: round * COMMANDS + n,
            call: CallKey::from_bytes([(n % 100) as u8; 16]),
            worker: Worker::from_bits(connection),
            calls: 1,
        };
        let batch = Batch {
            swarm: SwarmKey::from_bytes([1; 16]),
            writer: Writer::from_bits(connection),
            entries: &[entry],
        };
        assert!(tallies.apply(&batch, LONG).unwrap().calls() > 0);
    }
}

fn timed(act: impl FnOnce()) -> Duration {
    let start = Instant::now();
    act();
    start.elapsed()
}

/// The same number of bare increments, each waiting for its reply.
fn increments(port: u16) {
    thread::scope(|scope| {
        for connection in 0..CONNECTIONS {
            scope.spawn(move || {
                let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
                stream.set_nodelay(true).unwrap();
                stream.set_read_timeout(Some(LONG)).unwrap();
                let key = format!("incr-{connection:02}");
                let request = format!("*2\r\n$4\r\nINCR\r\n$7\r\n{key}\r\n");
                let mut reply = [0; 64];
                for _ in 0..COMMANDS {
                    stream.write_all(request.as_bytes()).unwrap();
                    let mut length = 0;
                    while !reply[..length].ends_with(b"\r\n") {
                        length += stream.read(&mut reply[length..]).unwrap();
                    }
                    assert_eq!(reply[0], b':');
                }
            });
        }
    });
}
