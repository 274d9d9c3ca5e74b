//! Peers that break the rules, and secrets.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, Write as _},
    path::Path,
    process::Stdio,
};

use serde_json::{Value, json};

use crate::{
    mcp_proxy::{Proxy, denied, outcomes, request, verified},
    run::Place,
};

#[path = "../../../unstuck-text/tests/data/shapes.rs"]
mod shapes;

#[test]
fn hostile_lines_are_refused_and_the_connection_goes_on() {
    let place = Place::new("mcp-hostile");
    let mut proxy = Proxy::start(&place, &["--max-message", "100000"]);
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    for (line, code) in [
        ("{".to_owned(), -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"x"}"#.to_owned(),
            -32600,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"Method":"tools/call"}"#.to_owned(),
            -32600,
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{deep}}}"#),
            -32600,
        ),
        ("[]".to_owned(), -32600),
        (request(7, "echo", &json!("x".repeat(200_000))), -32600),
    ] {
        proxy.send(&line);
        assert_eq!(proxy.receive()["error"]["code"], code);
    }
    let input = proxy.input.as_mut().expect("open");
    input
        .write_all(b"{\"id\":1,\"method\":\"\xff\"}\n")
        .expect("the proxy reads");
    assert_eq!(proxy.receive()["error"]["code"], -32700);
    assert!(!denied(&proxy.call(9, "echo", &json!({}))));
    // The second answer is not passed on.
    proxy.call(10, "twice", &json!({}));
    proxy.send(&request(11, "never", &json!({})));
    assert!(!denied(&proxy.call(12, "echo", &json!({"z":1}))));
    // A client that goes away in the midst of a call.
    proxy.child.kill().expect("it runs");
    assert_eq!(place.read("calls.log").lines().count(), 4);
}

#[test]
fn secrets_are_nowhere() {
    let place = Place::new("mcp-secrets");
    // Each shape is counted apart, so that none is denied for another.
    let mut proxy = Proxy::start(&place, &["--trust-names"]);
    let shapes = shapes::all();
    assert!(shapes.len() >= 200);
    let mut kept = String::new();
    for (place, shape) in shapes.iter().enumerate() {
        // Often enough that the guard has something to say about it, which it says here as well.
        for id in 0..7 {
            proxy.send(&json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{
                "name":"echo","arguments":{"text":shape.text},"_meta":{"sessionId":format!("s{place}")}}}).to_string());
            let answer = proxy.receive();
            for item in answer["result"]["content"].as_array().expect("a list") {
                let text = item["text"].as_str().expect("text");
                if text.starts_with("[unstuck]") {
                    kept.push_str(text);
                }
            }
        }
    }
    assert!(kept.contains("[redacted]"));
    kept.push_str(&proxy.end().1);
    // All that is left behind; what reached the server it may write down.
    files(&place.path("."), &mut |path| {
        if !path.ends_with("calls.log") {
            kept.push_str(&String::from_utf8_lossy(&fs::read(path).expect("a file")));
        }
    });
    let tail = place.run(&["audit", "tail", "-n", "100000", "audit.jsonl"]);
    kept.push_str(&tail.out);
    let leaked: Vec<_> = shapes
        .iter()
        .flat_map(|shape| &shape.secrets)
        .filter(|secret| secret.len() > 6 && kept.contains(&***secret))
        .collect();
    assert!(leaked.is_empty(), "{leaked:?}");
}

fn files(directory: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, each);
        } else {
            each(&path);
        }
    }
}

/// A letter may come in two pieces, and a message too.
#[test]
fn messages_may_come_in_pieces() {
    let place = Place::new("mcp-pieces");
    let mut proxy = Proxy::start(&place, &[]);
    let line = format!(
        "{}\n",
        request(1, "echo", &json!({"text":"žluťoučký 🐎 kůň"}))
    );
    let input = proxy.input.as_mut().expect("open");
    for byte in line.as_bytes() {
        input.write_all(&[*byte]).expect("the proxy reads");
    }
    let said = proxy.receive();
    let text = said["result"]["content"][0]["text"].as_str();
    assert_eq!(text, Some(r#"{"text":"žluťoučký 🐎 kůň"}"#));
    // Half of a letter at the end of a line is no text.
    input_of(&mut proxy)
        .write_all(b"{\"id\":2,\"method\":\"\xf0\x9f\n")
        .expect("the proxy reads");
    assert_eq!(proxy.receive()["error"]["code"], -32700);
    assert!(!denied(&proxy.call(3, "echo", &json!({}))));
}

fn input_of(proxy: &mut Proxy) -> &mut std::process::ChildStdin {
    proxy.input.as_mut().expect("open")
}

/// The most memory that a process has had, in bytes, where the system tells.
fn most_memory(proxy: &Proxy) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", proxy.child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes << 10)
}

/// A line of so many megabytes, from the client and from the server.
fn long_line(name: &str, megabytes: usize, options: &[&str], most: u64) {
    let place = Place::new(name);
    let mut proxy = Proxy::start(&place, options);
    let piece = vec![b'x'; 1 << 20];
    let input = input_of(&mut proxy);
    input
        .write_all(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":""#)
        .expect("the proxy reads");
    for _ in 0..megabytes {
        input.write_all(&piece).expect("the proxy reads");
    }
    input.write_all(b"\"}}}\n").expect("the proxy reads");
    let said = proxy.receive();
    assert_eq!(
        (&said["id"], &said["error"]["code"]),
        (&json!(1), &json!(-32600))
    );
    // The server's is known by its end.
    let said = proxy.call(2, "long", &json!({"megabytes":megabytes}));
    assert_eq!(
        (&said["id"], &said["error"]["code"]),
        (&json!(2), &json!(-32603))
    );
    assert!(!denied(&proxy.call(3, "echo", &json!({}))));
    if let Some(memory) = most_memory(&proxy) {
        assert!(memory < most, "{memory} bytes");
    }
    proxy.end();
    assert!(verified(&place));
}

#[test]
fn a_line_that_is_too_long_takes_no_more_memory_than_the_longest_that_is_not() {
    long_line("mcp-long", 128, &["--max-message", "1000000"], 80 << 20);
}

#[test]
#[ignore = "takes a while"]
fn a_line_of_a_gigabyte_takes_no_more_memory_than_the_longest_that_is_read() {
    long_line("mcp-gigabyte", 1 << 10, &[], 320 << 20);
}

#[test]
fn an_answer_that_cannot_be_read_reaches_who_waits_for_it() {
    let place = Place::new("mcp-unreadable");
    let mut proxy = Proxy::start(&place, &[]);
    for (id, raw) in [
        // Two members of one name, with an id.
        (
            1,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[]}}"#,
        ),
        // None that could be told.
        (
            2,
            r#"{"jsonrpc":"2.0","id":2,"id":3,"result":{"content":[]}}"#,
        ),
        (3, r#"{"jsonrpc":"2.0","result":{"content":[]}, oops"#),
    ] {
        let said = proxy.call(id, "raw", &json!({"line":raw}));
        assert_eq!(
            (&said["id"], &said["error"]["code"]),
            (&json!(id), &json!(-32603)),
            "{raw}"
        );
    }
    // What a server prints while it works is no answer.
    let said = proxy.call(4, "raw", &json!({"line":"working...","then":true}));
    assert_eq!(said["result"]["content"][0]["text"], "done");
    let (_, words) = proxy.end();
    assert_eq!(words.matches("was not passed on").count(), 1, "{words}");
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("failed".to_owned(), 3), ("ok".to_owned(), 1)])
    );
}

/// A tool does not get out of sight by what it returns, nor a client by ids that it uses again.
#[test]
fn answers_that_cannot_be_read_are_counted() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for (name, value) in [("nan", "NaN"), ("double", "1e999"), ("deep", &*deep)] {
        let place = Place::new(&format!("mcp-unreadable-{name}"));
        let mut proxy = Proxy::start(&place, &[]);
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":5,"result":{{"content":[],"structuredContent":{{"x":{value}}}}}}}"#
        );
        // Read as text: the answer with a number beyond a double is passed on as it is.
        let mut refuses = || {
            proxy.send(&request(5, "raw", &json!({"line":line})));
            let mut answer = String::new();
            proxy
                .output
                .read_line(&mut answer)
                .expect("the proxy writes");
            answer.contains("\"isError\":true") && answer.contains("[unstuck]")
        };
        let refused = (0..12).filter(|_| refuses()).count();
        assert_eq!(refused, 7, "{name}");
        proxy.end();
    }
}

/// A request that a server asks a client, and that is not passed on.
pub(crate) const TWO_METHODS: &str =
    r#"{"jsonrpc":"2.0","id":"q1","method":"roots/list","method":"sampling/createMessage"}"#;

#[test]
fn a_server_hears_that_its_request_was_refused() {
    let place = Place::new("mcp-server-asks");
    let mut proxy = Proxy::start(&place, &[]);
    let said = proxy.call(1, "hears", &json!({"line":TWO_METHODS}));
    let heard = said["result"]["content"][0]["text"].as_str();
    let heard: Value = serde_json::from_str(heard.expect("a text")).expect("a message");
    assert_eq!(heard["id"], "q1");
    assert_eq!(heard["error"]["code"], -32600);
    proxy.end();
    let audit = place.read("audit.jsonl");
    assert_eq!(
        audit
            .matches(r#""event":"refused","from":"server""#)
            .count(),
        1
    );
}

#[test]
fn ids_of_the_two_sides_are_not_taken_for_each_other() {
    let place = Place::new("mcp-ids");
    let mut proxy = Proxy::start(&place, &[]);
    proxy.send(&request(5, "asks", &json!({})));
    // The server asks with the very id that the client's call has.
    let asked = proxy.receive();
    assert_eq!(
        (&asked["id"], &asked["method"]),
        (&json!(5), &json!("roots/list"))
    );
    proxy.send(r#"{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}"#);
    assert_eq!(proxy.receive()["result"]["content"][0]["text"], "asked");
    // An id may be used again once it is answered, however it is spelled.
    for id in ["7", "7", "\"7\"", "7.0"] {
        proxy.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"id":{id:?}}}}}}}"#
        ));
        let said = proxy.receive();
        assert!(said["result"]["content"][0]["text"].is_string(), "{said}");
    }
    proxy.end();
    assert_eq!(outcomes(&place), BTreeMap::from([("ok".to_owned(), 5)]));
    assert!(verified(&place));
}

#[test]
fn a_client_that_goes_away_in_the_midst_of_a_call_takes_the_server_with_it() {
    let place = Place::new("mcp-gone");
    // It neither answers nor cares that its input has ended.
    let script = "read line; echo $$ > pid; exec sleep 600 < /dev/null";
    let words = [
        "mcp",
        "--name",
        "s",
        "--audit",
        "audit.jsonl",
        "--",
        "sh",
        "-c",
        script,
    ];
    let mut command = place.command(&words);
    command.stderr(Stdio::null());
    let mut proxy = Proxy::of(command);
    proxy.send(&request(1, "slow", &json!({})));
    crate::mcp_proxy::eventually("the server has the call", || !place.read("pid").is_empty());
    let Proxy {
        mut child,
        input,
        output,
    } = proxy;
    drop((input, output));
    assert_eq!(child.wait().expect("it ends").code(), Some(128 + 15));
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("unanswered".to_owned(), 1)])
    );
    assert!(verified(&place));
}
