//! Servers that are away, slow or closed.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use unstuck_swarm::{Answer, Keys, SharedOptions, SharedTallies};

use crate::server::{KINDS, Kind, LONG, Server, delta, shared, store, total};

/// Most time over the deadline of 20 ms: a busy machine may not run a thread at once.
const LATE: Duration = Duration::from_millis(80);

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_server_that_stands_still_delays_a_call_by_the_deadline() {
    for kind in KINDS {
        let server = Server::start(kind, &[]);
        let tallies = shared(&server.address(), Duration::from_millis(20));
        // A busy machine may need longer for the first call.
        while matches!(tallies.apply(&delta("crew", 1, 1)), Answer::Local(_)) {
            thread::sleep(Duration::from_millis(100));
        }
        let before = tallies.counters();
        server.signal("-STOP");
        let start = Instant::now();
        let slow = tallies.apply(&delta("crew", 1, 1));
        let first = start.elapsed();
        let start = Instant::now();
        for _ in 0..20 {
            tallies.apply(&delta("crew", 1, 1));
        }
        let others = start.elapsed();
        server.signal("-CONT");
        assert!(matches!(slow, Answer::Local(_)), "{kind:?}");
        assert!(first >= Duration::from_millis(15), "{kind:?}: {first:?}");
        assert!(
            first <= Duration::from_millis(20) + LATE,
            "{kind:?}: {first:?}"
        );
        assert!(others <= LATE, "{kind:?}: 20 further calls took {others:?}");
        // The server has applied the first of them after all; it is counted once.
        assert_eq!(tallies.flush(LONG), 0, "{kind:?}");
        let calls = before.shared + before.local + 21;
        assert_eq!(total(&tallies, "crew"), calls, "{kind:?}");
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn what_a_killed_worker_kept_is_counted_once_by_the_next() {
    for kind in KINDS {
        let mut server = Server::start(kind, &["--appendonly", "yes", "--appendfsync", "always"]);
        let directory = tempfile::tempdir().unwrap();
        let spool = directory.path().join("spool");
        let worker = || {
            let mut options = SharedOptions::default();
            options.within = LONG;
            options.spool = Some(spool.clone());
            SharedTallies::new(store(&server.address()), Keys::new(b"test"), options).unwrap()
        };
        let first = worker();
        first.apply(&delta("crew", 1, 1));
        let address = server.address();
        server.kill();
        for _ in 0..10 {
            assert!(matches!(
                first.apply(&delta("crew", 1, 1)),
                Answer::Local(_)
            ));
        }
        // Copies of the files are what a process that is killed while it sends leaves behind.
        let copy = directory.path().join("copy");
        copy_files(&spool, &copy);
        server.start_again();
        assert_eq!(first.flush(LONG), 0);
        drop(first);
        copy_files(&copy, &spool);
        let mut options = SharedOptions::default();
        options.spool = Some(spool.clone());
        let second = SharedTallies::new(store(&address), Keys::new(b"test"), options).unwrap();
        assert_eq!(second.counters().kept, 10, "{kind:?}");
        assert_eq!(second.flush(LONG), 0, "{kind:?}");
        assert_eq!(total(&second, "crew"), 11, "{kind:?}");
    }
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn passwords_databases_and_sockets_work_and_a_wrong_password_is_named() {
    let server = Server::start(Kind::Redis, &["--requirepass", "s@c:r@t"]);
    let right = format!("redis://:s%40c%3Ar%40t@127.0.0.1:{}", server.port);
    for address in [format!("{right}/3"), right] {
        let tallies = shared(&address, LONG);
        assert_eq!(tallies.apply(&delta("crew", 1, 1)).tally().calls(), 1);
        assert_eq!(tallies.counters().shared, 1);
    }
    let wrong = format!("redis://:wrong@127.0.0.1:{}", server.port);
    let error = store(&wrong).ping(LONG).unwrap_err().to_string();
    assert!(error.contains("WRONGPASS"), "{error}");
    let none = store(&server.address()).ping(LONG).unwrap_err().to_string();
    assert!(none.contains("NOAUTH"), "{none}");

    let server = Server::start(Kind::Valkey, &[]);
    let tallies = shared(&format!("unix://{}", server.socket().display()), LONG);
    tallies.apply(&delta("crew", 1, 1));
    assert_eq!(tallies.counters().shared, 1);
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn connections_that_the_server_closed_are_opened_again() {
    let server = Server::start(Kind::Redis, &[]);
    let tallies = shared(&server.address(), LONG);
    for expected in 1..=3 {
        let answer = tallies.apply(&delta("crew", 1, 1));
        assert_eq!(answer.tally().calls(), expected);
        server.run(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    }
    assert_eq!(tallies.counters().local, 0);
}

#[test]
#[ignore = "needs servers: `cargo xtask test --only stores`"]
fn a_server_without_memory_and_one_that_is_another_program_are_away() {
    let server = Server::start(Kind::Redis, &["--maxmemory", "1mb"]);
    server.run(&["CONFIG", "SET", "maxmemory", "1"]);
    let tallies = shared(&server.address(), LONG);
    assert!(matches!(
        tallies.apply(&delta("crew", 1, 1)),
        Answer::Local(_)
    ));
    server.run(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_eq!(tallies.flush(LONG), 0);
    assert_eq!(total(&tallies, "crew"), 1);

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let other = thread::spawn(move || {
        use std::io::Write as _;
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let error = store(&format!("redis://127.0.0.1:{port}"))
        .ping(LONG)
        .unwrap_err();
    assert!(error.to_string().contains("not one of Redis"), "{error}");
    other.join().unwrap();
}
