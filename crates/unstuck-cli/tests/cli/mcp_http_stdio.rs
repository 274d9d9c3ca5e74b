//! `unstuck mcp --listen` in front of servers that it starts itself.

use std::{path::PathBuf, sync::Arc, thread};

use serde_json::{Value, json};

use crate::{
    mcp_hostile::TWO_METHODS,
    mcp_http_peer::{Answer, Front, call, denied, eventually, recorded},
    run::Place,
};

/// The server of these tests, which is built with them.
fn server() -> String {
    example("mcp_session_server")
}

fn example(name: &str) -> String {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_unstuck"));
    let directory = binary.parent().expect("a directory");
    let path = directory.join("examples").join(name);
    path.to_str().expect("text").to_owned()
}

fn start(place: &Place, words: &[&str]) -> Front {
    let server = server();
    let mut all = vec!["--name", "s"];
    all.extend(words);
    all.extend(["--", &server, "heard.log"]);
    Front::with(place, &all, &[])
}

/// Begins a session, and gives its header.
fn begin(front: &Front) -> String {
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}});
    let answer = front.post("", &hello.to_string());
    assert_eq!(answer.status, 200, "{answer:?}");
    let id = answer.header("mcp-session-id").expect("a session");
    assert!(id.len() >= 32, "{id}");
    let header = format!("Mcp-Session-Id: {id}\r\n");
    let ready = json!({"jsonrpc":"2.0","method":"notifications/initialized"});
    let answer = front.post(&header, &ready.to_string());
    assert_eq!((answer.status, &*answer.body), (202, ""));
    header
}

fn said(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .expect("a text")
}

/// A call of the stateless era.
fn modern(id: u64, tool: &str, arguments: &Value, token: Option<&str>) -> (String, String) {
    let mut meta = json!({"io.modelcontextprotocol/protocolVersion":"2026-07-28"});
    if let Some(token) = token {
        meta["progressToken"] = token.into();
    }
    let body = json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool,"arguments":arguments,"_meta":meta}});
    let headers = format!(
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    (headers, body.to_string())
}

fn post_modern(front: &Front, id: u64, tool: &str, arguments: &Value) -> Answer {
    let (headers, body) = modern(id, tool, arguments, None);
    front.post(&headers, &body)
}

#[test]
fn every_session_has_a_process_of_its_own() {
    let place = Place::new("mcp-stdio-sessions");
    let front = start(&place, &["--preset", "ironcurtain"]);
    let (one, two) = (begin(&front), begin(&front));
    assert_ne!(one, two);
    let pid = |session: &str, id| {
        let answer = front.post(session, &call(id, "pid", &json!({})));
        assert_eq!(answer.header("content-type"), Some("application/json"));
        said(&answer.json()).to_owned()
    };
    assert_eq!(pid(&one, 1), pid(&one, 2));
    assert_ne!(pid(&one, 3), pid(&two, 1));
    // Counts are per session.
    let tired = (0..20).map(|id| front.post(&one, &call(100 + id, "pid", &json!({}))));
    assert_eq!(tired.filter(|answer| denied(&answer.json())).count(), 3);
    assert!(!denied(
        &front.post(&two, &call(9, "pid", &json!({}))).json()
    ));
    // What the server reads is what the client sent, on one line.
    let spelled = "{\"jsonrpc\":\"2.0\",\r\n \"id\":77, \"method\":\"x/y\", \"params\":{\"b\":1e1,\"a\":\"\\u0041\"}}";
    let answer = front.post(&one, spelled);
    assert_eq!(answer.json()["id"], 77);
    let flat = spelled.replace(['\r', '\n'], " ");
    assert!(
        place.read("heard.log").contains(&flat),
        "{}",
        place.read("heard.log")
    );
    // The end of a session is the end of its process, and nobody else's.
    let ended = front.send(&front.bare("DELETE", &one));
    assert_eq!(ended.status, 204);
    assert_eq!(front.post(&one, &call(10, "pid", &json!({}))).status, 404);
    assert_eq!(front.send(&front.bare("GET", &one)).status, 404);
    assert_eq!(front.post(&two, &call(10, "pid", &json!({}))).status, 200);
}

#[test]
fn sessions_cannot_be_made_up() {
    let place = Place::new("mcp-stdio-made-up");
    let front = start(&place, &[]);
    let session = begin(&front);
    let body = call(1, "pid", &json!({}));
    assert_eq!(front.post("", &body).status, 400);
    for made_up in ["0", "", "../1", &"a".repeat(32)] {
        let header = format!("Mcp-Session-Id: {made_up}\r\n");
        assert_eq!(front.post(&header, &body).status, 404, "{made_up}");
        assert_eq!(front.send(&front.bare("DELETE", &header)).status, 404);
    }
    assert_eq!(front.send(&front.bare("GET", "")).status, 405);
    // What reached nobody is on record as nothing.
    assert!(recorded(&place, "forward").is_empty());
    let plain = front.request("/mcp", &session, &body);
    let plain = plain.replace(
        "Accept: application/json, text/event-stream",
        "Accept: text/html",
    );
    assert_eq!(front.send(&plain).status, 406);
    assert_eq!(front.post(&session, &body).status, 200);
    assert!(
        !place
            .read("audit.jsonl")
            .contains(session.trim_end().split(' ').nth(1).expect("an id"))
    );
}

#[test]
fn a_server_hears_that_its_request_was_refused() {
    let place = Place::new("mcp-stdio-refused");
    let server = example("mcp_test_server");
    let front = Front::with(&place, &["--name", "s", "--", &server], &[]);
    let session = begin(&front);
    let answer = front.post(&session, &call(1, "hears", &json!({"line":TWO_METHODS})));
    assert_eq!(answer.status, 200, "{answer:?}");
    for part in ["q1", "-32600"] {
        assert!(answer.body.contains(part), "{answer:?}");
    }
}

#[test]
fn what_a_server_asks_comes_on_the_stream_of_the_call() {
    let place = Place::new("mcp-stdio-ask");
    let front = start(&place, &[]);
    let session = begin(&front);
    let request = front.request("/mcp", &session, &call(5, "ask", &json!({})));
    let mut stream = front.open(&request);
    let (status, headers) = stream.head();
    assert_eq!(status, 200);
    assert!(headers.contains(&("content-type".to_owned(), "text/event-stream".to_owned())));
    let event = stream.chunk().expect("an event");
    assert!(event.contains("sampling/createMessage"), "{event}");
    let answer = json!({"jsonrpc":"2.0","id":"ask-0","result":{"said":"hello"}});
    assert_eq!(front.post(&session, &answer.to_string()).status, 202);
    let event = stream.chunk().expect("an event");
    assert!(
        event.contains("hello") && event.contains("\"id\":5"),
        "{event}"
    );
    assert_eq!(stream.chunk(), None);
}

#[test]
fn what_belongs_to_no_request_comes_on_the_servers_stream() {
    let place = Place::new("mcp-stdio-get");
    let front = start(&place, &[]);
    // The server says something before it answers the first request, which is then answered by events.
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}});
    let answer = front.post("", &hello.to_string());
    let events = answer.events();
    assert_eq!(events[0]["method"], "notifications/message");
    assert_eq!(events[1]["id"], 0);
    let session = format!(
        "Mcp-Session-Id: {}\r\n",
        answer.header("mcp-session-id").expect("a session")
    );
    let poke = |turn: u64| {
        let note = json!({"jsonrpc":"2.0","method":"notifications/poke","params":{"turn":turn}});
        assert_eq!(front.post(&session, &note.to_string()).status, 202);
    };
    // The first is said before anybody listens.
    poke(1);
    eventually("that it was read", || {
        place.read("heard.log").contains("poke")
    });
    let mut stream = front.open(&front.bare("GET", &session));
    assert_eq!(stream.head().0, 200);
    poke(2);
    for turn in 1..=2 {
        let event = stream.chunk().expect("an event");
        let expected = format!("\"method\":\"notifications/poked\",\"params\":{{\"turn\":{turn}}}");
        assert!(event.contains(&expected), "{event}");
    }
}

#[test]
fn clients_without_sessions_share_a_process_and_nothing_else() {
    let place = Place::new("mcp-stdio-common");
    let front = Arc::new(start(&place, &[]));
    let first = said(&post_modern(&front, 1, "pid", &json!({})).json()).to_owned();
    let clients: Vec<_> = (0..8)
        .map(|who| {
            let front = Arc::clone(&front);
            thread::spawn(move || {
                for turn in 0..8 {
                    let who = format!("{who}-{turn}");
                    let (headers, body) = modern(1, "progress", &json!({"who":who}), Some("same"));
                    let answer = front.post(&headers, &body);
                    let events = answer.events();
                    assert_eq!(events.len(), 2, "{answer:?}");
                    assert_eq!(events[0]["params"]["progressToken"], "same");
                    assert_eq!(events[0]["params"]["message"], who);
                    assert_eq!(events[1]["id"], 1);
                    assert_eq!(events[1]["result"]["resultType"], Value::Null);
                    let answer = post_modern(&front, 1, "echo", &json!({"who":who})).json();
                    assert_eq!(said(&answer), json!({"who":who}).to_string());
                }
            })
        })
        .collect();
    for client in clients {
        client.join().expect("it was answered");
    }
    assert_eq!(
        said(&post_modern(&front, 1, "pid", &json!({})).json()),
        first
    );
    let calls = recorded(&place, "call");
    assert_eq!(calls.len(), 130);
    assert!(
        calls
            .iter()
            .all(|line| line["outcome"] == "ok" && line["id"] == 1)
    );
}

#[test]
fn a_client_without_a_session_calls_off_by_going() {
    let place = Place::new("mcp-stdio-cancel");
    let front = start(&place, &[]);
    let (headers, body) = modern(9, "never", &json!({}), None);
    let stream = front.open(&front.request("/mcp", &headers, &body));
    eventually("a call that waits", || {
        place.read("heard.log").contains("never")
    });
    drop(stream);
    eventually("word of it", || {
        place.read("heard.log").contains("notifications/cancelled")
    });
    eventually("its line", || recorded(&place, "call").len() == 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "cancelled");
}

#[test]
fn subscriptions_are_told_by_the_clients_own_id() {
    let place = Place::new("mcp-stdio-listen");
    let front = start(&place, &[]);
    let body = json!({"jsonrpc":"2.0","id":"mine","method":"subscriptions/listen","params":{
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}});
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n";
    let mut stream = front.open(&front.request("/mcp", headers, &body.to_string()));
    assert_eq!(stream.head().0, 200);
    let event = stream.chunk().expect("an event");
    assert!(
        event.contains("\"io.modelcontextprotocol/subscriptionId\":\"mine\""),
        "{event}"
    );
}

#[test]
fn a_server_that_ends_is_told_of_and_started_again() {
    let place = Place::new("mcp-stdio-exit");
    let front = start(&place, &[]);
    let session = begin(&front);
    let answer = front.post(&session, &call(1, "exit", &json!({})));
    assert_eq!(answer.json()["id"], 1);
    assert!(
        answer.json()["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("ended"))
    );
    eventually("a session that is gone", || {
        front.post(&session, &call(2, "pid", &json!({}))).status == 404
    });
    let session = begin(&front);
    assert_eq!(
        front.post(&session, &call(1, "pid", &json!({}))).status,
        200
    );
    let answer = post_modern(&front, 1, "exit", &json!({}));
    assert!(answer.json()["error"].is_object());
    eventually("another process", || {
        post_modern(&front, 2, "pid", &json!({})).json()["result"].is_object()
    });
    let (code, _) = front.end();
    assert_eq!(code, Some(0));
    assert_eq!(place.run(&["audit", "verify", "audit.jsonl"]).code, Some(0));
}

#[test]
fn sessions_are_limited_and_idle_ones_end() {
    let place = Place::new("mcp-stdio-limit");
    let options = ["--max-sessions", "2", "--session-idle", "1"];
    let front = start(
        &place,
        &[&options[..], &["--answer-timeout", "60"]].concat(),
    );
    let (one, two) = (begin(&front), begin(&front));
    let busy: Vec<_> = [&one, &two]
        .map(|session| front.open(&front.request("/mcp", session, &call(1, "never", &json!({})))))
        .into();
    eventually("two calls that wait", || {
        recorded(&place, "forward").len() == 2
    });
    let hello = json!({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}).to_string();
    let refused = front.post("", &hello);
    assert_eq!(refused.status, 503);
    assert_eq!(refused.json()["id"], 7);
    let why = refused.json()["error"]["message"].to_string();
    assert!(why.contains("all 2 sessions are in use"), "{why}");
    drop(busy);
    eventually("room", || front.post("", &hello).status == 200);
}

#[test]
fn an_address_may_have_a_share_of_the_sessions() {
    let place = Place::new("mcp-stdio-share");
    let front = start(&place, &["--sessions-per-peer", "1"]);
    let one = begin(&front);
    let hello = json!({"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}).to_string();
    let refused = front.post("", &hello);
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains("its share"), "{refused:?}");
    assert_eq!(front.send(&front.bare("DELETE", &one)).status, 204);
    assert_eq!(front.post("", &hello).status, 200);
}

#[test]
fn ids_that_still_wait_are_not_taken_twice() {
    let place = Place::new("mcp-stdio-twice");
    let front = start(&place, &["--answer-timeout", "2"]);
    let session = begin(&front);
    let mut first = front.open(&front.request("/mcp", &session, &call(1, "never", &json!({}))));
    eventually("a call that waits", || {
        place.read("heard.log").contains("never")
    });
    let answer = front.post(&session, &call(1, "pid", &json!({})));
    assert_eq!(answer.json()["error"]["code"], -32600);
    assert_eq!(first.head().0, 504);
}

#[test]
fn a_token_is_not_for_the_servers_processes() {
    let place = Place::new("mcp-stdio-token");
    let server = server();
    place.write(
        "servers.json",
        json!({"mcpServers":{"s":{"command":server,"args":["heard.log"],"env":{"MINE":"yes ${GIVEN}"}}}}).to_string(),
    );
    let token = ("UNSTUCK_MCP_TOKEN", "t0ken");
    let front = Front::with(
        &place,
        &["--servers", "servers.json"],
        &[token, ("GIVEN", "indeed")],
    );
    let ask = |name: &str| {
        let (headers, body) = modern(1, "environment", &json!({"name":name}), None);
        let headers = format!("{headers}Authorization: Bearer t0ken\r\n");
        said(&front.post(&headers, &body).json()).to_owned()
    };
    assert_eq!(ask("UNSTUCK_MCP_TOKEN"), "not set");
    assert_eq!(ask("MINE"), "yes indeed");
}
