use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, pipe};

use unstuck::{Preset, Settings};
use unstuck_mcp::{Guard, GuardOptions};

use super::*;
use crate::nonblocking::Takes;
use unstuck_audit::OnFailure;

const MANY: usize = 20_000;

fn shared() -> SharedGuard {
    let options = GuardOptions::new("s", Settings::of(Preset::Standard));
    SharedGuard::new(
        Guard::new(options),
        None,
        OnFailure::Deny,
        1 << 20,
        unstuck_text::Notify::silent(),
    )
}

fn desk(shared: &SharedGuard) -> (Desk<'_, PipeWriter, PipeWriter>, [PipeReader; 2]) {
    let (client, to_client) = pipe().unwrap();
    let (server, to_server) = pipe().unwrap();
    let outlet = |to| NonBlockingWriter::new(to, Takes::ALittle);
    let desk = Desk::new(shared, outlet(to_client), outlet(to_server));
    (desk, [client, server])
}

fn call(helper: &mut Helper<'_, '_, PipeWriter, PipeWriter>) {
    for _ in 0..STEADY {
        helper.count();
    }
}

fn numbers(from: PipeReader) -> impl Iterator<Item = usize> {
    let lines = BufReader::new(from).lines();
    lines.map(|line| line.unwrap().parse().unwrap())
}

#[test]
fn it_writes_all_that_is_put_in_and_in_order() {
    let shared = shared();
    let (desk, [client, server]) = desk(&shared);
    let readers = [client, server]
        .map(|from| thread::spawn(move || assert!(numbers(from).take(MANY).eq(0..MANY))));
    thread::scope(|scope| {
        let mut helper = Helper::new(&desk, Hands::Two, scope);
        call(&mut helper);
        for number in 0..MANY {
            // Now and then it is sent away, and called again.
            if number % 1_000 == 999 {
                helper.rest();
                call(&mut helper);
            }
            desk.to_client.put(format!("{number}\n").as_bytes());
            desk.to_server.put(format!("{number}\n").as_bytes());
        }
        // Nobody else writes here; what their readers did not take at once is left to the one who called.
        while !(desk.to_client.is_empty() && desk.to_server.is_empty()) {
            assert!(helper.is_wanted());
            desk.to_client.flush();
            desk.to_server.flush();
            thread::yield_now();
        }
    });
    for reader in readers {
        reader.join().unwrap();
    }
}

#[test]
fn it_comes_when_messages_follow_each_other_and_goes_when_they_do_not() {
    let shared = shared();
    let (desk, _readers) = desk(&shared);
    thread::scope(|scope| {
        let mut helper = Helper::new(&desk, Hands::Two, scope);
        for _ in 1..STEADY {
            helper.count();
        }
        assert!(!helper.is_wanted());
        helper.rest();
        for _ in 1..STEADY {
            helper.count();
        }
        assert!(!helper.is_wanted());
        helper.count();
        assert!(helper.is_wanted());
        while !helper.is_here() {
            thread::yield_now();
        }
        helper.rest();
        assert!(!helper.is_here() && !helper.is_wanted());
        call(&mut helper);
        while !helper.is_here() {
            thread::yield_now();
        }
    });
}

#[test]
fn where_there_is_one_core_nobody_comes() {
    let shared = shared();
    let (desk, _readers) = desk(&shared);
    thread::scope(|scope| {
        let mut helper = Helper::new(&desk, Hands::One, scope);
        call(&mut helper);
        assert!(!helper.is_wanted() && helper.thread.is_none());
    });
}
