//! `unstuck mcp --listen` in front of a server that is reached by HTTP.

use std::sync::Mutex;
use std::sync::{
    Arc,
    mpsc::{channel, sync_channel},
};

use serde_json::json;

use crate::{
    mcp_http_peer::{
        EVENTS, Front, JSON, Upstream, begin, call, chunk, denied, echo, eventually, recorded,
        respond,
    },
    run::Place,
};

#[test]
fn messages_pass_byte_for_byte_and_calls_are_on_record() {
    let place = Place::new("mcp-http-pass");
    let spelled =
        "{ \"jsonrpc\" : \"2.0\",\n \"id\" : 1.0, \"result\":{\"b\":1e2,\"a\":\"\\u00e9\"} }\r\n";
    let upstream = Upstream::new(move |_, stream| {
        respond(stream, "200 OK", &format!("{JSON}x-more: yes\r\n"), spelled);
    });
    let front = Front::before(&upstream, &place, &["--pass-header", "X-Custom"]);
    let sent = "{\"jsonrpc\":\"2.0\",\n  \"id\":1.0, \"method\":\"x/unknown\",\"params\":{\"z\":1,\"a\":[1e3]}}";
    let answer = front.post("X-Custom: 7\r\nMcp-Param-Region: eu\r\n", sent);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body, spelled);
    assert_eq!(answer.header("x-more"), Some("yes"));
    let seen = &upstream.seen()[0];
    assert_eq!(seen.line, "POST /mcp HTTP/1.1");
    assert_eq!(seen.body, sent);
    assert_eq!(seen.header("x-custom"), Some("7"));
    assert_eq!(seen.header("mcp-param-region"), Some("eu"));
    assert_eq!(seen.header("host"), Some(&*upstream.address.to_string()));
    assert!(!front.call(2, "read", &json!({"a":1})).body.is_empty());
    assert_eq!(recorded(&place, "forward").len(), 1);
    assert_eq!(recorded(&place, "forward")[0]["server"], "s");
}

#[test]
fn the_breaker_denies_and_the_model_hears_why() {
    let place = Place::new("mcp-http-breaker");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    for id in 1..=20 {
        assert!(!denied(&front.call(id, "read", &json!({"a":1})).json()));
    }
    let answer = front.call(21, "read", &json!({"a":1}));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert!(denied(&answer.json()));
    assert_eq!(answer.json()["id"], 21);
    assert!(!denied(&front.call(22, "read", &json!({"a":2})).json()));
    assert_eq!(upstream.seen().len(), 21);
    let (code, _) = front.end();
    assert_eq!(code, Some(0));
    assert_eq!(recorded(&place, "call").len(), 22);
    assert_eq!(place.run(&["audit", "verify", "audit.jsonl"]).code, Some(0));
}

#[test]
fn nudges_are_put_into_json_and_into_events() {
    for (name, kind) in [("json", JSON), ("events", EVENTS)] {
        let place = Place::new(&format!("mcp-http-nudge-{name}"));
        let upstream = Upstream::new(move |request, stream| {
            let mut answer = echo(&request.json());
            answer["result"]["content"][0]["text"] = "always the same".into();
            let answer = answer.to_string();
            if kind == JSON {
                respond(stream, "200 OK", JSON, &answer);
            } else {
                let events = format!(": hello\n\nid: 7\nevent: message\ndata: {answer}\n\n");
                respond(stream, "200 OK", EVENTS, &events);
            }
        });
        let front = Front::before(&upstream, &place, &[]);
        let mut nudged = false;
        for id in 1..=5 {
            let answer = front.call(id, "read", &json!({"path":"a"}));
            if answer.body.contains("[unstuck]") {
                nudged = true;
                if kind == EVENTS {
                    assert!(
                        answer
                            .body
                            .starts_with(": hello\n\nid: 7\nevent: message\ndata: ")
                    );
                    assert!(answer.body.ends_with("}\n\n"));
                    assert_eq!(answer.events()[0]["id"], id);
                }
                break;
            }
        }
        assert!(nudged, "{name}");
    }
}

#[test]
fn events_are_passed_on_as_they_come() {
    let place = Place::new("mcp-http-stream");
    let (go, wait) = sync_channel::<()>(0);
    let wait = Arc::new(Mutex::new(wait));
    let upstream = Upstream::new(move |request, stream| {
        let message = request.json();
        begin(stream, EVENTS);
        chunk(
            stream,
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\n",
        );
        // The second event is not written until the client has the first.
        wait.lock()
            .expect("a lock")
            .recv()
            .expect("the test goes on");
        chunk(stream, &format!("data: {}\n\n", echo(&message)));
        chunk(stream, "");
    });
    let front = Front::before(&upstream, &place, &[]);
    let request = front.request("/mcp", "", &call(1, "read", &json!({})));
    let mut stream = front.open(&request);
    let (status, _) = stream.head();
    assert_eq!(status, 200);
    let first = stream.chunk().expect("an event");
    assert!(first.contains("notifications/progress"), "{first}");
    go.send(()).expect("the server waits");
    let second = stream.chunk().expect("an event");
    assert!(second.contains("\"result\""), "{second}");
    assert_eq!(stream.chunk(), None);
    eventually("its line", || recorded(&place, "call").len() == 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "ok");
}

#[test]
fn sessions_are_the_servers_and_counted_apart() {
    let place = Place::new("mcp-http-sessions");
    let upstream = Upstream::new(|request, stream| {
        if request.line.starts_with("DELETE") {
            respond(stream, "204 No Content", "", "");
            return;
        }
        let message = request.json();
        if message["method"] == "initialize" {
            let id = message["params"]["clientInfo"]["name"]
                .as_str()
                .expect("a name");
            let headers = format!("{JSON}mcp-session-id: secret-{id}\r\n");
            respond(stream, "200 OK", &headers, &echo(&message).to_string());
        } else {
            respond(stream, "200 OK", JSON, &echo(&message).to_string());
        }
    });
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    for name in ["one", "two"] {
        let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":name}}});
        let answer = front.post("", &hello.to_string());
        let id = format!("secret-{name}");
        assert_eq!(answer.header("mcp-session-id"), Some(&*id));
    }
    let count = |session: &str, times: u64| {
        let header = format!("Mcp-Session-Id: {session}\r\n");
        let calls = (0..times).map(|id| front.post(&header, &call(id, "read", &json!({}))));
        calls.filter(|answer| denied(&answer.json())).count()
    };
    assert_eq!(count("secret-one", 21), 1);
    assert_eq!(count("secret-two", 20), 0);
    // Sessions that the server never began are counted as one, however many somebody makes up.
    let made_up = (0..21).map(|number| count(&format!("made-up-{number}"), 1));
    assert_eq!(made_up.sum::<usize>(), 1);
    let last = upstream.seen().pop().expect("requests");
    assert!(
        last.header("mcp-session-id")
            .is_some_and(|id| id.starts_with("made-up-"))
    );
    // Whoever knows the id of a session may speak in it.
    assert!(!place.read("audit.jsonl").contains("secret-"));
    let sessions: std::collections::BTreeSet<String> = recorded(&place, "call")
        .iter()
        .map(|line| line["session"].to_string())
        .collect();
    assert_eq!(sessions.len(), 3, "{sessions:?}");
    let ended = front.send(&front.bare("DELETE", "Mcp-Session-Id: secret-one\r\n"));
    assert_eq!(ended.status, 204);
}

#[test]
fn the_servers_own_stream_and_its_resumption_pass() {
    let place = Place::new("mcp-http-get");
    let upstream = Upstream::new(|request, stream| {
        assert!(request.line.starts_with("GET /mcp "));
        let from = request.header("last-event-id").unwrap_or("none");
        let event = format!(
            "id: 9\ndata: {{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"method\":\"sampling/createMessage\",\"params\":{{\"from\":\"{from}\"}}}}\n\n"
        );
        respond(stream, "200 OK", EVENTS, &event);
    });
    let front = Front::before(&upstream, &place, &[]);
    let answer = front.send(&front.bare("GET", "Last-Event-ID: 8\r\n"));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.events()[0]["params"]["from"], "8");
}

#[test]
fn an_answer_that_comes_later_is_judged_then() {
    let place = Place::new("mcp-http-resume");
    let upstream = Upstream::new(|request, stream| {
        if request.line.starts_with("GET") {
            let answer = json!({"jsonrpc":"2.0","id":7,"result":{"content":[]}});
            let event = format!("id: 2\ndata: {answer}\n\n");
            respond(stream, "200 OK", EVENTS, &event);
            return;
        }
        let message = request.json();
        if message["method"] == "initialize" {
            let headers = format!("{JSON}mcp-session-id: s1\r\n");
            respond(stream, "200 OK", &headers, &echo(&message).to_string());
        } else {
            // The stream can be taken up again, and breaks off.
            respond(stream, "200 OK", EVENTS, "id: 1\ndata: \n\n");
        }
    });
    let front = Front::before(&upstream, &place, &[]);
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}});
    front.post("", &hello.to_string());
    let session = "Mcp-Session-Id: s1\r\n";
    let answer = front.post(session, &call(7, "read", &json!({})));
    assert_eq!(answer.body, "id: 1\ndata: \n\n");
    assert!(recorded(&place, "call").is_empty());
    let resumed = front.bare("GET", &format!("{session}Last-Event-ID: 1\r\n"));
    assert_eq!(front.send(&resumed).events()[0]["id"], 7);
    eventually("its line", || recorded(&place, "call").len() == 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "ok");
}

#[test]
fn equal_ids_of_clients_at_the_same_time_are_not_confused() {
    let place = Place::new("mcp-http-ids");
    let upstream = Upstream::echo();
    let front = Arc::new(Front::before(&upstream, &place, &[]));
    let (sender, answers) = channel();
    for client in 0..16 {
        let (front, sender) = (Arc::clone(&front), sender.clone());
        std::thread::spawn(move || {
            for turn in 0..8 {
                let arguments = json!({"client":client,"turn":turn});
                let answer = front.call(1, "read", &arguments).json();
                let expected = serde_json::Value::String(arguments.to_string());
                let fits = answer["result"]["content"][0]["text"] == expected;
                sender.send(fits).expect("the test listens");
            }
        });
    }
    drop(sender);
    let fits: Vec<bool> = answers.iter().collect();
    assert_eq!(fits.len(), 128);
    assert!(fits.into_iter().all(|fits| fits));
    let calls = recorded(&place, "call");
    assert_eq!(calls.len(), 128);
    assert!(calls.iter().all(|line| line["outcome"] == "ok"));
}

#[test]
fn servers_that_fail_are_told_of_and_recorded() {
    let place = Place::new("mcp-http-failures");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        match message["params"]["name"].as_str() {
            Some("hang-up") => drop(stream.shutdown(std::net::Shutdown::Both)),
            Some("nonsense") => respond(stream, "200 OK", JSON, "{\"id\":1,\"id\":1}"),
            Some("teapot") => respond(
                stream,
                "418 I'm a teapot",
                "content-type: text/plain\r\n",
                "short",
            ),
            Some("cut") => {
                begin(stream, EVENTS);
                chunk(stream, "data: {\"jsonrpc\":\"2.0\"");
                chunk(stream, "");
            }
            _ => respond(
                stream,
                "401 Unauthorized",
                &format!("{JSON}www-authenticate: Bearer\r\n"),
                "{\"error\":\"who\"}",
            ),
        }
    });
    let front = Front::before(&upstream, &place, &["--answer-timeout", "30"]);
    let answer = front.call(1, "hang-up", &json!({}));
    assert_eq!(answer.status, 502);
    assert_eq!(answer.json()["id"], 1);
    let answer = front.call(2, "nonsense", &json!({}));
    assert_eq!(answer.json()["id"], 2);
    assert_eq!(answer.json()["error"]["code"], -32603);
    let answer = front.call(3, "teapot", &json!({}));
    // A body that is not a message is not passed on. The status is.
    assert_eq!((answer.status, &*answer.body), (418, ""));
    let answer = front.call(4, "cut", &json!({}));
    assert_eq!((answer.status, &*answer.body), (200, ""));
    let answer = front.call(5, "who", &json!({}));
    assert_eq!((answer.status, &*answer.body), (401, "{\"error\":\"who\"}"));
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    eventually("five lines", || recorded(&place, "call").len() == 5);
    for line in recorded(&place, "call") {
        assert_eq!(line["outcome"], "failed", "{line}");
    }
    let (_, said) = front.end();
    assert!(said.contains("no answer from 127.0.0.1"), "{said}");
}

#[test]
fn a_client_that_goes_takes_its_call_with_it() {
    let place = Place::new("mcp-http-gone");
    let (gone, hears) = channel();
    let gone = Mutex::new(gone);
    let upstream = Upstream::new(move |_, stream| {
        begin(stream, EVENTS);
        // Comments keep a stream alive; when nobody reads them any more, this ends.
        while chunk(stream, ": still here\n\n") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let _ = gone.lock().expect("a lock").send(());
    });
    let front = Front::before(&upstream, &place, &[]);
    let mut stream = front.open(&front.request("/mcp", "", &call(1, "read", &json!({}))));
    assert_eq!(stream.head().0, 200);
    assert!(stream.chunk().is_some());
    drop(stream);
    let heard = hears.recv_timeout(std::time::Duration::from_mins(1));
    assert!(heard.is_ok(), "the server was left alone");
    eventually("its line", || recorded(&place, "call").len() == 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "cancelled");
}

#[test]
fn several_servers_keep_their_names_apart() {
    let place = Place::new("mcp-http-several");
    let (one, two) = (Upstream::echo(), Upstream::echo());
    place.write(
        "servers.json",
        json!({"mcpServers":{
            "one":{"type":"http","url":one.url(),"headers":{"Authorization":"Bearer ${ONE_KEY}","X-Default":"${NOT_SET:-usual}"}},
            "two":{"url":two.url()},
            "off":{"command":"does-not-exist","disabled":true},
        }})
        .to_string(),
    );
    place.write(
        "only-one.cedar",
        "permit (principal, action, resource in Server::\"one\");",
    );
    let words = ["--config", "servers.json", "--policy", "only-one.cedar"];
    let front = Front::with(&place, &words, &[("ONE_KEY", "for-one")]);
    let body = call(1, "read", &json!({"a":1}));
    let answer = front.send(&front.request("/one/mcp", "", &body));
    assert!(!denied(&answer.json()), "{answer:?}");
    let answer = front.send(&front.request("/two/mcp", "", &body));
    assert!(denied(&answer.json()), "{answer:?}");
    for path in [
        "/mcp",
        "/off/mcp",
        "/three/mcp",
        "/one/mcp/",
        "/one/../two/mcp",
        "/",
    ] {
        let answer = front.send(&front.request(path, "", &body));
        assert_eq!(answer.status, 404, "{path}");
    }
    assert_eq!(
        one.seen()[0].header("authorization"),
        Some("Bearer for-one")
    );
    assert_eq!(one.seen()[0].header("x-default"), Some("usual"));
    assert!(two.seen().is_empty());
    // How calls ended is recorded within a tenth of a second, by each server for itself.
    let mut servers: Vec<_> = recorded(&place, "call")
        .iter()
        .map(|line| line["server"].to_string())
        .collect();
    servers.sort();
    assert_eq!(servers, ["\"one\"", "\"two\""]);
    assert_eq!(place.run(&["audit", "verify", "audit.jsonl"]).code, Some(0));
}

#[test]
fn a_server_hears_by_http_that_its_request_was_refused() {
    let place = Place::new("mcp-http-refused");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        if message["method"] != "tools/call" {
            respond(stream, "202 Accepted", "", "");
            return;
        }
        let asked = r#"{"jsonrpc":"2.0","id":"q1","method":"a","method":"b"}"#;
        let answer = echo(&message);
        let events = format!("data: {asked}\n\ndata: {answer}\n\n");
        respond(stream, "200 OK", EVENTS, &events);
    });
    let words = ["--upstream-header", "X-Key: configured"];
    let front = Front::before(&upstream, &place, &words);
    let headers = "Mcp-Session-Id: s1\r\nMcp-Method: tools/call\r\nMcp-Name: read\r\nMcp-Param-Region: eu\r\n";
    let answer = front.post(headers, &call(1, "read", &json!({"a": 1})));
    assert!(
        answer.body.contains("\"id\":1") && !answer.body.contains("q1"),
        "{answer:?}"
    );
    eventually("the server is told", || upstream.seen().len() == 2);
    let told = &upstream.seen()[1];
    assert_eq!(told.json()["id"], "q1");
    assert_eq!(told.json()["error"]["code"], -32600);
    assert_eq!(told.line, "POST /mcp HTTP/1.1");
    for (name, value) in [
        ("mcp-session-id", Some("s1")),
        ("x-key", Some("configured")),
        ("content-type", Some("application/json")),
        ("mcp-method", None),
        ("mcp-name", None),
        ("mcp-param-region", None),
    ] {
        assert_eq!(told.header(name), value, "{name}");
    }
    assert_eq!(recorded(&place, "refused").len(), 1);
}
