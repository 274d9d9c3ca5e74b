//! Many callers at once, and proxies that are killed.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

use crate::{
    mcp_proxy::{Proxy, denied, eventually, outcomes, request, verified},
    run::Place,
};

#[test]
fn many_callers_at_once_are_counted_exactly() {
    let place = Place::new("mcp-callers");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    let input = Arc::new(Mutex::new(proxy.input.take().expect("a pipe")));
    // 64 callers with 10 equal calls each, all in flight: 20 run. Another call of each is nobody else's.
    let callers: Vec<_> = (0..64)
        .map(|caller: u64| {
            let input = Arc::clone(&input);
            thread::spawn(move || {
                for call in 0..11 {
                    let arguments = match call {
                        5 => json!({"caller":caller}),
                        _ => json!({"a":1}),
                    };
                    let line = format!("{}\n", request(caller * 11 + call, "echo", &arguments));
                    let mut input = input.lock().expect("nobody panics");
                    input.write_all(line.as_bytes()).expect("the proxy reads");
                }
            })
        })
        .collect();
    let mut ids: Vec<u64> = Vec::new();
    let mut ran = 0;
    for _ in 0..704 {
        let answer = proxy.receive();
        ran += usize::from(!denied(&answer));
        ids.push(answer["id"].as_u64().expect("a number"));
    }
    for caller in callers {
        caller.join().expect("the caller ends");
    }
    drop(input);
    ids.sort_unstable();
    assert_eq!(ids, (0..704).collect::<Vec<_>>());
    assert_eq!(ran, 20 + 64);
    proxy.end();
    assert_eq!(place.read("calls.log").lines().count(), 20 + 64);
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("denied".to_owned(), 620), ("ok".to_owned(), 84)])
    );
    assert!(verified(&place));
}

/// Kills a proxy under load so many times, each time at another place of so many calls.
fn killed(name: &str, times: u64, calls: u64, options: &[&str]) {
    let place = Place::new(name);
    let options = [&["--preset", "ironcurtain"], options].concat();
    for round in 0..times {
        let mut proxy = Proxy::start(&place, &options);
        let mut input = proxy.input.take().expect("a pipe");
        let writer = thread::spawn(move || {
            for id in 0..calls {
                let line = format!("{}\n", request(id, "echo", &json!({"r":round,"n":id})));
                if input.write_all(line.as_bytes()).is_err() {
                    return;
                }
            }
        });
        // Somewhere between the start and the last answer.
        for _ in 0..(round * 37) % (calls / 5) + calls / 2 {
            proxy.receive();
        }
        proxy.child.kill().expect("it runs");
        proxy.child.wait().expect("it ends");
        writer.join().expect("the writer ends");
    }
    // The last one may have been killed in the midst of a line; the next process that opens the log takes that off.
    Proxy::start(&place, &[]).end();
    assert!(verified(&place));
    // Servers that are left alone answer what they got, and end.
    let mut seen = String::new();
    eventually("the last server has ended", || {
        let before = std::mem::replace(&mut seen, place.read("calls.log"));
        before.len() == seen.len() && seen.ends_with('\n')
    });
    let full = (1..).map(|number| place.read(&format!("audit.jsonl.{number}")));
    let full: String = full.take_while(|text| !text.is_empty()).collect();
    let audit = full + &place.read("audit.jsonl");
    let call = |arguments: &Value| (arguments["r"].as_u64(), arguments["n"].as_u64());
    let recorded: BTreeSet<_> = audit
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
        .filter(|line| line["event"] == "forward")
        .map(|line| call(&line["arguments"]))
        .collect();
    let mut calls = 0;
    for line in seen.lines() {
        let params: Value = serde_json::from_str(line).expect("a line of JSON");
        assert!(recorded.contains(&call(&params["arguments"])), "{params}");
        calls += 1;
    }
    assert!(calls > times);
    // And it goes on.
    let mut proxy = Proxy::start(&place, &[]);
    proxy.call(1, "echo", &json!({}));
    proxy.end();
    assert!(verified(&place));
}

#[test]
fn a_proxy_that_is_killed_leaves_no_call_without_a_line() {
    killed("mcp-killed", 12, 800, &[]);
}

#[test]
fn a_proxy_that_is_killed_while_it_rotates_leaves_a_whole_log() {
    killed("mcp-killed-rotating", 8, 200, &["--audit-rotate", "400"]);
}

#[test]
#[ignore = "600,000 calls take minutes"]
fn a_proxy_that_is_killed_within_600_000_calls_leaves_no_call_without_a_line() {
    killed("mcp-killed-often", 60, 20_000, &[]);
}

#[test]
#[ignore = "takes a minute"]
fn a_proxy_that_is_killed_60_times_while_it_rotates_leaves_a_whole_log() {
    killed(
        "mcp-killed-rotating-often",
        60,
        1_000,
        &["--audit-rotate", "1"],
    );
}
