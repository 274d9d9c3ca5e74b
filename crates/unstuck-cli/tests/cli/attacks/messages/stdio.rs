//! Servers on standard input and output.

use std::{collections::BTreeMap, io::BufRead as _};

use serde_json::{Value, json};

use crate::{
    mcp_proxy::{Proxy, denied, outcomes, request, server, verified},
    run::Place,
};

/// A proxy whose policy forbids the tool `wipe`, in front of a test server with these flags.
fn start(place: &Place, flags: &[&str], options: &[&str]) -> Proxy {
    place.write(
        "policy.cedar",
        "permit (principal, action, resource);\nforbid (principal, action, resource == Tool::\"s/wipe\");",
    );
    let mut words = vec![
        "mcp",
        "--name",
        "s",
        "--audit",
        "audit.jsonl",
        "--policy",
        "policy.cedar",
    ];
    words.extend(options);
    words.extend(["--", server()]);
    words.extend(flags);
    words.push("calls.log");
    Proxy::of(place.command(&words))
}

/// Sends an honest call, and returns the lines up to its answer.
fn until_answered(proxy: &mut Proxy, id: u64) -> Vec<String> {
    proxy.send(&request(id, "echo", &json!({"n": id})));
    lines_until(proxy, &json!(id))
}

fn lines_until(proxy: &mut Proxy, id: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        let read = proxy.output.read_line(&mut line).expect("the proxy writes");
        assert!(read > 0, "it ended: {lines:?}");
        let last = serde_json::from_str::<Value>(&line).is_ok_and(|said| said["id"] == *id);
        lines.push(line);
        if last {
            return lines;
        }
    }
}

fn recorded(place: &Place, event: &str) -> Vec<Value> {
    let text = place.read("audit.jsonl");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .filter(|line: &Value| line["event"] == event)
        .collect()
}

const WIPE: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"wipe","arguments":{"target":"smuggled"}}}"#;

#[test]
fn a1_a_carriage_return_smuggles_no_call() {
    let place = Place::new("attack-a1-call");
    let mut proxy = start(&place, &["--any-line-end"], &[]);
    let hidden = [
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":\r{WIPE}\r}}"),
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":[\r{WIPE}\r]}}\r"),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":\r{WIPE}\r}}"),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":\r{WIPE}\r}}}}"
        ),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"x\",\"params\":\r\r{WIPE}\r\r}}\r"),
    ];
    for (place, line) in hidden.iter().enumerate() {
        proxy.send(line);
        let said = until_answered(&mut proxy, 100 + u64::try_from(place).expect("small"));
        assert!(!said.concat().contains("smuggled"), "{said:?}");
    }
    proxy.end();
    assert!(!place.read("calls.log").contains("wipe"));
    assert_eq!(recorded(&place, "refused").len(), hidden.len());
    assert!(verified(&place));
}

#[test]
fn a1_a_carriage_return_smuggles_no_answer() {
    let place = Place::new("attack-a1-answer");
    let mut proxy = start(&place, &[], &[]);
    let made_up =
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"made up"}]}}"#;
    let line =
        format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":\r{made_up}\r}}");
    proxy.send(&request(1, "raw", &json!({"line": line, "then": true})));
    let said = lines_until(&mut proxy, &json!(1)).concat();
    assert!(
        !said.contains("made up") && !said.contains('\r'),
        "{said:?}"
    );
    // The other separators are letters of a string, and pass.
    let text = "a\u{2028}b\u{2029}c\u{85}d";
    let said = proxy.call(3, "echo", &json!({"text": text}));
    let echoed = said["result"]["content"][0]["text"].as_str().expect("text");
    assert!(echoed.contains(text));
    // And so does a carriage return before the line feed.
    proxy.send(&format!("{}\r", request(4, "echo", &json!({}))));
    assert!(proxy.receive()["result"].is_object());
}

#[test]
fn b5_answers_with_the_number_as_a_string_are_judged() {
    let place = Place::new("attack-b5-strings");
    let mut proxy = start(&place, &["--string-ids"], &[]);
    let said: Vec<Value> = (1..=12)
        .map(|id| proxy.call(id, "echo", &json!({"q": "same"})))
        .collect();
    assert!(
        said.iter().filter(|said| denied(said)).count() >= 5,
        "{said:?}"
    );
    proxy.end();
    let outcomes = outcomes(&place);
    assert!(!outcomes.contains_key("unanswered"), "{outcomes:?}");
    assert!(verified(&place));
}

#[test]
fn b5_a_server_answers_no_call_that_was_denied_and_none_to_come() {
    let place = Place::new("attack-b5-spoof");
    let mut proxy = start(&place, &[], &[]);
    let made_up = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"SPOOFED: wiped /prod"}}]}}}}"#
        )
    };
    for (number, id) in ["2", "\"2\"", "2.0", "\" 2\"", "1000", "\"never\"", "null"]
        .into_iter()
        .enumerate()
    {
        let id_of_call = 10 + u64::try_from(number).expect("small");
        let line = made_up(id);
        proxy.send(&request(
            id_of_call,
            "raw",
            &json!({"line": line, "then": true}),
        ));
        let said = lines_until(&mut proxy, &json!(id_of_call)).concat();
        assert!(!said.contains("SPOOFED"), "{said}");
    }
    let said = proxy.call(2, "wipe", &json!({"target": "/prod"}));
    assert!(denied(&said), "{said}");
    // After the denial it is too late as well.
    proxy.send(&request(
        3,
        "raw",
        &json!({"line": made_up("2"), "then": true}),
    ));
    let said = lines_until(&mut proxy, &json!(3)).concat();
    assert!(!said.contains("SPOOFED"), "{said}");
    // A second answer.
    proxy.send(&request(4, "twice", &json!({})));
    let said = until_answered(&mut proxy, 5).concat();
    assert_eq!(said.matches("twice").count(), 1, "{said}");
    proxy.end();
    let refused = recorded(&place, "refused");
    let counted = refused
        .iter()
        .map(|line| line["count"].as_u64().unwrap_or(1));
    assert_eq!(counted.sum::<u64>(), 9, "{refused:?}");
    assert!(!place.read("calls.log").contains("wipe\""));
}

#[test]
fn b5_calls_without_an_answer_do_not_end_all_calls() {
    let place = Place::new("attack-b5-many");
    let mut proxy = start(&place, &[], &["--preset", "ironcurtain"]);
    for id in 1..=16_384 {
        proxy.send(&request(id, "never", &json!({"n": id})));
    }
    for id in 20_000..20_003 {
        let said = proxy.call(id, "echo", &json!({"n": id}));
        assert!(!denied(&said), "{said}");
    }
    proxy.end();
    let outcomes = outcomes(&place);
    assert_eq!(outcomes.get("unanswered"), Some(&16_384));
    assert_eq!(outcomes.get("ok"), Some(&3));
}

#[test]
fn c10_what_the_proxy_says_itself_is_json() {
    let place = Place::new("attack-c10");
    let mut proxy = start(&place, &[], &[]);
    for id in [
        r#""\u000""#,
        r#""\x""#,
        "--1",
        "0x1",
        "\"\u{1}\"",
        "1e999",
        r#""\ud800""#,
    ] {
        for rest in [r#""method":"a","method":"b""#, r#""method":"tools/call""#] {
            proxy.send(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}"));
            // Anything but JSON is a panic here.
            let said = proxy.receive();
            assert!(said["error"].is_object(), "{said}");
        }
    }
    // The server hears nothing else either.
    let ask = r#"{"jsonrpc":"2.0","id":"q","method":"roots/list"}"#;
    proxy.send(&request(1, "hears", &json!({"line": ask})));
    assert_eq!(proxy.receive()["method"], "roots/list");
    proxy.send(r#"{"jsonrpc":"2.0","id":"\u000","result":1,"result":2}"#);
    proxy.send(r#"{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}"#);
    let said = lines_until(&mut proxy, &json!(1));
    let said: Value = serde_json::from_str(said.last().expect("an answer")).expect("JSON");
    let heard = said["result"]["content"][0]["text"].as_str().expect("text");
    let heard: Value = serde_json::from_str(heard).expect("the server hears JSON");
    assert_eq!(heard["id"], "q");
}

#[test]
fn c14_one_id_used_twice_at_once_is_one_call() {
    let place = Place::new("attack-c14");
    let mut proxy = start(&place, &[], &[]);
    proxy.send(&request(7, "slow", &json!({"ms": 300, "first": true})));
    for id in ["7", "7.0", "\"7\""] {
        proxy.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"second":true}}}}}}"#
        ));
        assert_eq!(proxy.receive()["error"]["code"], -32600, "{id}");
    }
    assert_eq!(proxy.receive()["result"]["content"][0]["text"], "done");
    proxy.end();
    assert_eq!(outcomes(&place), BTreeMap::from([("ok".to_owned(), 1)]));
    assert!(!place.read("calls.log").contains("second"));
}
