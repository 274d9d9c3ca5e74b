//! Any two streams of lines pass a guard, whoever sends them; what is passed on can be read in one way only.

#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use unstuck::{Preset, Settings};
use unstuck_mcp::{Codec, Guard, GuardOptions, Line, Lines, Micros, ToClient, ToServer};

fuzz_target!(|bytes: &[u8]| {
    let mut guard = Guard::new(GuardOptions::new("s", Settings::of(Preset::Standard)));
    let mut codec = Codec::with_limit(4_096);
    let mut lines = Lines::new(bytes, 4_096);
    let mut at = 0;
    while let Ok(Some(line)) = lines.next_line() {
        at += 1_000;
        let Line::Whole(line) = line else { continue };
        // Every line is taken for the client's, and then for the server's.
        let message = codec.read_line(line);
        let read = message.is_ok();
        match guard.from_client(message, line.len(), Micros(at)) {
            ToServer::Forward | ToServer::ForwardCall(_) => {
                assert!(read);
                unambiguous(line);
            }
            ToServer::Answer(said) | ToServer::Replace(said) => own_words(&said),
            _ => {}
        }
        let message = codec.read_line(line);
        match guard.from_server(message, line, Micros(at)) {
            ToClient::Answer(said) => own_words(&said),
            // A result with words of ours in it may hold half of a surrogate pair, which serde_json does not take.
            ToClient::Replace(said) => {
                assert!(Codec::with_limit(1 << 20).read_line(&said).is_ok());
            }
            _ => {}
        }
    }
    guard.close(Micros(at));
});

/// What the guard says itself is JSON.
fn own_words(said: &[u8]) {
    let said: Value = serde_json::from_slice(said).expect("JSON");
    assert!(said["id"].is_null() || said["id"].is_string() || said["id"].is_number());
}

/// The members of the outermost object have names of their own, whatever their case.
fn unambiguous(line: &[u8]) {
    let Ok(text) = std::str::from_utf8(line) else {
        panic!("no text was passed on");
    };
    // What serde_json does not take (half of a surrogate pair) is not looked into.
    let Ok(Value::Object(members)) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    let folded: Vec<_> = members.keys().map(|name| name.to_lowercase()).collect();
    let different: BTreeSet<_> = folded.iter().filter(|name| known.contains(&&***name)).collect();
    let all = folded.iter().filter(|name| known.contains(&&***name)).count();
    assert_eq!(different.len(), all);
}
