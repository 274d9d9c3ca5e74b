//! Several servers behind one `unstuck mcp --listen`: their calls are one timeline of their client.

use std::{fs, path::PathBuf, sync::Arc, thread, time::Instant};

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{Front, call, denied, eventually},
    run::Place,
};

/// Rules that see nothing but cycles.
const ONLY_CYCLES: &str = "[rules.exact-repeat]\nenabled = false\n[rules.near-repeat]\nenabled = false\n[rules.stagnation]\nenabled = false\n[rules.stuck-outcome]\nenabled = false\n[rules.poll]\nenabled = false\n";

/// Starts a proxy of two servers, `a` and `b`, each with its log.
fn start(place: &Place, words: &[&str]) -> Front {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_unstuck"));
    let directory = binary.parent().expect("a directory");
    let server = directory.join("examples").join("mcp_session_server");
    let list = json!({"mcpServers":{
        "a":{"command":server,"args":["a.log"]},
        "b":{"command":server,"args":["b.log"]},
    }});
    place.write("servers.json", list.to_string());
    // The audits are where they are by default: one for each server.
    let mut all = vec!["--servers", "servers.json", "--audit-sync", "never"];
    all.extend(words);
    Front::with(place, &all, &[])
}

/// A client with a session at each server.
struct Client<'a> {
    front: &'a Front,
    sessions: [String; 2],
    id: u64,
}

const PATHS: [&str; 2] = ["/a/mcp", "/b/mcp"];

impl<'a> Client<'a> {
    fn new(front: &'a Front, agent: &str) -> Self {
        let sessions = PATHS.map(|path| begin(front, path, agent));
        Self {
            front,
            sessions,
            id: 0,
        }
    }

    fn call(&mut self, server: usize, tool: &str, arguments: &Value) -> Value {
        self.id += 1;
        let body = call(self.id, tool, arguments);
        let headers = &self.sessions[server];
        let request = self.front.request(PATHS[server], headers, &body);
        self.front.send(&request).json()
    }
}

/// Begins a session, and returns its headers.
fn begin(front: &Front, path: &str, agent: &str) -> String {
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}});
    let agent = format!("User-Agent: {agent}\r\n");
    let answer = front.send(&front.request(path, &agent, &hello.to_string()));
    assert_eq!(answer.status, 200, "{answer:?}");
    let id = answer.header("mcp-session-id").expect("a session");
    format!("{agent}Mcp-Session-Id: {id}\r\n")
}

fn said(answer: &Value) -> String {
    answer["result"]["content"].to_string()
}

/// Lines of a server's audit with this event.
fn recorded(place: &Place, server: &str, event: &str) -> Vec<Value> {
    let text = place.read(&format!("state/audit/{server}.jsonl"));
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines
        .filter(|line: &Value| line["event"] == event)
        .collect()
}

#[test]
fn a_cycle_over_two_servers_is_nudged_and_then_denied() {
    let place = Place::new("mcp-timeline-cycle");
    place.write("cycles.toml", ONLY_CYCLES);
    let front = start(&place, &["--config", "cycles.toml"]);
    let mut client = Client::new(&front, "agent/1");
    let mut answers = Vec::new();
    for _ in 0..8 {
        answers.push(client.call(0, "open", &json!({"issue":7})));
        answers.push(client.call(1, "close", &json!({"issue":7})));
    }
    let nudged = answers
        .iter()
        .position(|answer| !denied(answer) && said(answer).contains("[unstuck]"));
    let first_denied = answers.iter().position(denied);
    assert!(
        nudged.expect("a nudge") < first_denied.expect("a denial"),
        "{answers:#?}"
    );
    // Each server has its own audit, and the caller has one name in both.
    eventually("the audits are written", || {
        ["a", "b"].iter().all(|server| {
            let calls = recorded(&place, server, "call");
            calls.len() == 8
        })
    });
    let names = ["a", "b"].map(|server| {
        let calls = recorded(&place, server, "call");
        assert!(calls.iter().all(|call| call["server"] == server));
        calls[0]["session"].clone()
    });
    assert_eq!(names[0], names[1]);
    let by_cycle = |server: &&str| {
        let calls = recorded(&place, server, "call");
        calls.iter().any(|call| call["rule"] == "cycle")
    };
    assert!(["a", "b"].iter().any(by_cycle));
    // A person lifts what is held, for both servers.
    let ran = place.as_person(&["reset", "--all"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for server in 0..2 {
        let answer = client.call(server, "open", &json!({"issue":7}));
        assert!(!denied(&answer), "{answer}");
    }
}

#[test]
fn a_halt_holds_at_every_server_until_a_person_lifts_it() {
    let place = Place::new("mcp-timeline-halt");
    let front = start(&place, &[]);
    let mut client = Client::new(&front, "agent/1");
    for _ in 0..12 {
        client.call(0, "build", &json!({"target":"all"}));
    }
    let elsewhere = client.call(1, "look", &json!({"at":"anything"}));
    assert!(
        denied(&elsewhere) && said(&elsewhere).contains("Every further tool call"),
        "{elsewhere}"
    );
    let mut listed = String::new();
    eventually("the proxy is in the list", || {
        listed = place.run(&["sessions"]).out;
        listed.contains("unstuck reset mcp-")
    });
    let command = listed.split("unstuck reset ").nth(1).expect("a command");
    let proxy = command.split_whitespace().next().expect("a name");
    let reset = ["reset", proxy];
    let ran = place.as_person(&reset);
    assert_eq!(ran.code, Some(0), "{ran:?} {listed}");
    for server in 0..2 {
        let answer = client.call(server, "look", &json!({"at":server}));
        assert!(!denied(&answer), "{answer}");
    }
    eventually("both audits have the reset", || {
        ["a", "b"]
            .iter()
            .all(|server| recorded(&place, server, "reset").len() == 1)
    });
}

#[test]
fn healthy_work_on_two_servers_is_left_alone() {
    let place = Place::new("mcp-timeline-healthy");
    let front = start(&place, &[]);
    let mut client = Client::new(&front, "agent/1");
    // After 30 reads without a write a model is asked what it looks for.
    for round in 0..12 {
        for server in 0..2 {
            let answer = client.call(server, "read", &json!({"path":format!("file-{round}")}));
            assert!(!said(&answer).contains("[unstuck]"), "{answer}");
        }
    }
}

#[test]
fn two_clients_that_take_turns_are_not_a_cycle() {
    let place = Place::new("mcp-timeline-two");
    place.write("cycles.toml", ONLY_CYCLES);
    let front = start(&place, &["--config", "cycles.toml"]);
    let mut one = Client::new(&front, "agent/1");
    let mut two = Client::new(&front, "agent/2");
    for round in 0..10 {
        // Each of them works through a list of its own; only their turns alternate.
        let first = one.call(0, "open", &json!({"issue":7}));
        let second = two.call(1, "close", &json!({"issue":7}));
        for answer in [first, second] {
            assert!(!said(&answer).contains("[unstuck]"), "{round}: {answer}");
        }
    }
}

#[test]
fn a_slow_server_does_not_hold_up_another() {
    let place = Place::new("mcp-timeline-slow");
    let front = Arc::new(start(&place, &["--answer-timeout", "20"]));
    let mut client = Client::new(&front, "agent/1");
    let waiting = {
        let front = Arc::clone(&front);
        let headers = client.sessions[0].clone();
        thread::spawn(move || {
            let request = front.request(PATHS[0], &headers, &call(900, "never", &json!({})));
            let answer = front.send(&request);
            (answer.status, Instant::now())
        })
    };
    eventually("the call is with its server", || {
        fs::read_to_string(place.path("a.log")).is_ok_and(|log| log.contains("never"))
    });
    for round in 0..5 {
        assert!(!denied(&client.call(1, "read", &json!({"round":round}))));
    }
    let done = Instant::now();
    let (status, answered) = waiting.join().expect("it ends");
    assert_eq!(status, 504);
    assert!(done < answered, "the other server's calls waited");
}

/// Any program of the same user can lock an audit.
#[test]
fn a_locked_audit_holds_up_nothing_but_its_calls() {
    let place = Place::new("mcp-timeline-locked");
    let front = Arc::new(start(&place, &[]));
    let mut client = Client::new(&front, "agent/1");
    let head = fs::File::open(place.path("state/audit/a.jsonl.head")).expect("a head file");
    head.lock().expect("a lock");
    // More calls than the proxy has threads.
    let calls: Vec<_> = (0..8)
        .map(|number| {
            let front = Arc::clone(&front);
            let headers = client.sessions[0].clone();
            thread::spawn(move || {
                let body = call(800 + number, "read", &json!({"number":number}));
                let answer = front.send(&front.request(PATHS[0], &headers, &body));
                (denied(&answer.json()), Instant::now())
            })
        })
        .collect();
    thread::sleep(std::time::Duration::from_millis(100));
    // A request of the same server that is not a call, and a call of the other one.
    let ping = json!({"jsonrpc":"2.0","id":700,"method":"tools/list"}).to_string();
    let answer = front.send(&front.request(PATHS[0], &client.sessions[0], &ping));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!denied(&client.call(1, "read", &json!({"x":1}))));
    let done = Instant::now();
    for one in calls {
        let (is_denied, answered) = one.join().expect("it ends");
        assert!(is_denied, "it is not on record");
        assert!(done < answered, "others waited for the lock");
    }
    drop(head);
    assert!(!denied(&client.call(0, "read", &json!({"x":2}))));
}
