//! Servers and clients that come by HTTP.

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{
        Answer, EVENTS, Front, JSON, Upstream, call, denied, echo, eventually, recorded, respond,
    },
    mcp_proxy::server,
    run::Place,
};

/// A call with these headers in place of the content type.
fn post(front: &Front, headers: &str, body: &str) -> Answer {
    let request = front.request("/mcp", "", body);
    front.send(&request.replacen("Content-Type: application/json\r\n", headers, 1))
}

#[test]
fn a2_only_utf_8_is_read_and_no_charset_is_passed_on() {
    let place = Place::new("attack-a2");
    place.write(
        "policy.cedar",
        "permit (principal, action, resource);\nforbid (principal, action, resource == Tool::\"s/wipe\");",
    );
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--policy", "policy.cedar"]);
    let hidden = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"message\":\"hi+ACIAfQ-,+ACI-name+ACI-:+ACI-wipe+ACI-,+ACI-z+ACI-:{+ACI-q+ACI-:+ACI-\"}}}";
    for headers in [
        "Content-Type: application/json; charset=utf-7\r\n",
        "Content-Type: application/json;CHARSET=\"UTF-7\"\r\n",
        "Content-Type: application/json; charset=utf-16le\r\n",
        "Content-Type: application/json; charset=utf-8; charset=utf-7\r\n",
        "Content-Type: application/json; charset*=utf-8''utf-7\r\n",
        "Content-Type: application/json\r\nContent-Type: application/json; charset=utf-7\r\n",
        "Content-Type: application/vnd.api+json\r\n",
        "Content-Type: multipart/form-data; boundary=x\r\n",
        "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
    ] {
        let status = post(&front, headers, hidden).status;
        assert!(matches!(status, 400 | 415), "{headers}: {status}");
    }
    assert!(upstream.seen().is_empty());
    for headers in [
        "Content-Type: application/json; charset=utf-8\r\n",
        "Content-Type: Application/JSON;charset=\"UTF-8\"; odd=utf-7\r\n",
        "Content-Type: application/json\r\nContent-Encoding: identity\r\nContent-Language: x\r\nAccept-Encoding: gzip\r\n",
    ] {
        assert_eq!(post(&front, headers, hidden).status, 200, "{headers}");
    }
    for seen in upstream.seen() {
        let described: Vec<_> = seen
            .headers
            .iter()
            .filter(|(name, _)| name.starts_with("content-") && name != "content-length")
            .collect();
        let plain = ("content-type".to_owned(), "application/json".to_owned());
        assert_eq!(described, [&plain]);
        assert_eq!(seen.header("accept-encoding"), None);
    }
    // A byte order mark is another reading too.
    let answer = front.post("", &format!("\u{feff}{hidden}"));
    assert_eq!(answer.status, 400);
    assert_eq!(upstream.seen().len(), 3);
}

#[test]
fn a1_a_carriage_return_passes_between_http_and_no_process() {
    let place = Place::new("attack-a1-http");
    let words = ["--name", "s", "--", server(), "--any-line-end", "calls.log"];
    let front = Front::start(&place, &words);
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}});
    let answer = front.post("", &hello.to_string());
    assert!(answer.json()["result"].is_object(), "{answer:?}");
    let session = answer.header("mcp-session-id").expect("a session");
    let session = format!("Mcp-Session-Id: {session}\r\n");
    // White space in a body of its own is harmless, and is not a line end for the process.
    let wipe = call(2, "wipe", &json!({}));
    let body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\r\n\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\r\"arguments\":\r{wipe}\r}}}}"
    );
    assert_eq!(front.post(&session, &body).json()["id"], 1);
    // What a process says is a line, and must be one for all.
    let line = "{\"jsonrpc\":\"2.0\",\r\"id\":3,\"result\":{\"content\":[]}}";
    let answer = front.post(&session, &call(3, "raw", &json!({"line": line})));
    assert!(!answer.body.contains('\r'), "{answer:?}");
    assert_eq!(answer.json()["error"]["code"], -32603);
    let log = place.read("calls.log");
    assert_eq!(log.lines().count(), 2, "{log}");
}

/// Makes equal calls to a server that answers in this way, and returns how many were denied. None may be recorded as
/// failed: the client reads every answer.
fn denials(name: &str, kind: &'static str, write: fn(&Value) -> String) -> usize {
    let place = Place::new(name);
    let upstream = Upstream::new(move |request, stream| {
        let answer = json!({"jsonrpc":"2.0","id":request.json()["id"],"result":{"content":[{"type":"text","text":"same"}]}});
        respond(stream, "200 OK", kind, &write(&answer));
    });
    let front = Front::before(&upstream, &place, &[]);
    let denied = (1..=12)
        .map(|id| front.call(id, "read", &json!({"a": 1})))
        .filter(|answer| serde_json::from_str(&answer.body).is_ok_and(|said| denied(&said)))
        .count();
    let failed = |line: &Value| line["outcome"] == "failed";
    assert!(!recorded(&place, "call").iter().any(failed), "{name}");
    denied
}

#[test]
fn b5_events_are_read_by_the_rules_of_the_standard() {
    for (number, write) in [
        (|answer| format!("event: other\nevent: message\ndata: {answer}\n\n"))
            as fn(&Value) -> String,
        |answer| format!("event: other\revent\rdata: {answer}\r\r"),
        |answer| {
            let text = answer.to_string();
            format!(
                "event: x\nevent:\ndata:{}\ndata: {}\n\n",
                &text[..1],
                &text[1..]
            )
        },
        |answer| {
            let id = answer["id"].clone();
            let spelled = answer.to_string();
            let spelled = spelled.replace(&format!("\"id\":{id}"), &format!("\"id\":\"{id}\""));
            format!("data: {spelled}\n\n")
        },
    ]
    .into_iter()
    .enumerate()
    {
        let denied = denials(&format!("attack-b5-sse-{number}"), EVENTS, write);
        assert!(denied >= 5, "way {number}: {denied}");
    }
}

#[test]
fn b5_no_event_reaches_a_client_unjudged() {
    let place = Place::new("attack-b5-events");
    let upstream = Upstream::new(|request, stream| {
        let id = request.json()["id"].clone();
        let made_up = |id: &str| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"SPOOFED\"}}]}}}}"
            )
        };
        // Another type, another id on the stream of this one, a comment and an id with a line end of some programs.
        let events = [
            format!(
                "event: message\nevent: other\nid: 1\ndata: {}\n\n",
                made_up(&id.to_string())
            ),
            format!("data: {}\n\n", made_up("99")),
            format!("data: {}\n\n", made_up("null")),
            format!(
                ": x\u{2028}data: {}\u{2028}\u{2028}\n\n",
                made_up(&id.to_string())
            ),
            format!(
                "id: x\u{85}data: {}\u{85}\u{85}\n\n",
                made_up(&id.to_string())
            ),
            format!("data: {}\n\n", echo(&request.json())),
            format!("data: {}\n\n", made_up(&id.to_string())),
        ];
        respond(stream, "200 OK", EVENTS, &events.concat());
    });
    let front = Front::before(&upstream, &place, &[]);
    let answer = front.call(1, "read", &json!({"a": 1}));
    assert!(!answer.body.contains("SPOOFED"), "{}", answer.body);
    assert!(answer.body.contains("\\\"a\\\":1"), "{}", answer.body);
    eventually("its line", || recorded(&place, "call").len() == 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "ok");
    assert!(!recorded(&place, "refused").is_empty());
}

#[test]
fn b5_a_resumed_stream_may_repeat_an_answer_and_no_other_may() {
    let place = Place::new("attack-b5-replay");
    let upstream = Upstream::new(|request, stream| {
        if request.line.starts_with("GET") {
            let text = match request.header("last-event-id") {
                Some("9") => "second",
                _ => "first",
            };
            let answer =
                json!({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":text}]}});
            respond(
                stream,
                "200 OK",
                EVENTS,
                &format!("id: 2\ndata: {answer}\n\n"),
            );
            return;
        }
        let message = request.json();
        if message["method"] == "initialize" {
            let headers = format!("{JSON}mcp-session-id: s1\r\n");
            respond(stream, "200 OK", &headers, &echo(&message).to_string());
        } else {
            let answer = json!({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"first"}]}});
            respond(
                stream,
                "200 OK",
                EVENTS,
                &format!("id: 1\ndata: \n\nid: 2\ndata: {answer}\n\n"),
            );
        }
    });
    let front = Front::before(&upstream, &place, &[]);
    let hello = json!({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}});
    front.post("", &hello.to_string());
    let session = "Mcp-Session-Id: s1\r\n";
    let answer = front.post(session, &call(7, "read", &json!({})));
    assert!(answer.body.contains("first"), "{answer:?}");
    let get = |headers: &str| front.send(&front.bare("GET", headers)).body;
    assert!(get(&format!("{session}Last-Event-ID: 1\r\n")).contains("first"));
    // Neither without the header, nor in another session, nor with another text.
    assert!(!get(session).contains("first"));
    assert!(!get("Last-Event-ID: 1\r\n").contains("first"));
    let other = get(&format!("{session}Last-Event-ID: 9\r\n"));
    assert!(!other.contains("second"), "{other}");
    assert_eq!(recorded(&place, "call").len(), 1);
}

#[test]
fn s10_answers_of_another_type_are_refused() {
    let place = Place::new("attack-s10");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        let kind = message["params"]["arguments"]["type"]
            .as_str()
            .expect("a type");
        let status = message["params"]["arguments"]["status"]
            .as_str()
            .unwrap_or("200 OK");
        let id = &message["id"];
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"id\":2,\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"UNJUDGED\"}}]}}}}"
        );
        let headers = format!("{kind}www-authenticate: Bearer\r\n");
        respond(stream, status, &headers, &body);
    });
    let front = Front::before(&upstream, &place, &["--preset", "ironcurtain"]);
    let mut id = 0;
    for kind in [
        "content-type: text/plain\r\n",
        "content-type: application/json-seq\r\n",
        "content-type: application/vnd.api+json\r\n",
        "content-type: application/json; charset=utf-7\r\n",
        "content-type: text/event-stream; charset=utf-16\r\n",
        "content-type: application/json\r\ncontent-type: text/plain\r\n",
        "content-type: application/json\r\ncontent-encoding: br\r\n",
        "",
    ] {
        for (status, expected) in [
            ("200 OK", 502),
            ("401 Unauthorized", 401),
            ("418 Teapot", 418),
        ] {
            id += 1;
            let answer = front.call(
                id,
                "read",
                &json!({"type": kind, "status": status, "id": id}),
            );
            assert!(
                !answer.body.contains("UNJUDGED"),
                "{kind} {status}: {answer:?}"
            );
            if kind.contains("encoding") {
                assert_eq!(answer.status, 502);
                continue;
            }
            assert_eq!(answer.status, expected, "{kind} {status}");
            if status == "200 OK" {
                assert_eq!(answer.json()["id"], id);
                assert_eq!(answer.json()["error"]["code"], -32603);
            } else {
                assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
            }
        }
    }
    eventually("all lines", || recorded(&place, "call").len() == 24);
    assert!(
        recorded(&place, "call")
            .iter()
            .all(|line| line["outcome"] == "failed")
    );
    assert_eq!(recorded(&place, "refused").len(), 7);
}

#[test]
fn s10_errors_of_http_keep_what_clients_need() {
    let place = Place::new("attack-s10-errors");
    let upstream = Upstream::new(|request, stream| {
        let message = request.json();
        let (status, body) = match message["id"].as_u64() {
            Some(1) => ("400 Bad Request", r#"{"detail":"no"}"#),
            Some(2) => (
                "400 Bad Request",
                r#"{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}"#,
            ),
            Some(3) => (
                "404 Not Found",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}"#,
            ),
            Some(4) => (
                "400 Bad Request",
                r#"{"id":4,"result":{"a":"UNJUDGED"},"error":{}}"#,
            ),
            Some(5) => (
                "400 Bad Request",
                r#"{"jsonrpc":"2.0","id":99,"result":{"a":"UNJUDGED"}}"#,
            ),
            _ => ("202 Accepted", "null"),
        };
        respond(stream, status, JSON, body);
    });
    let front = Front::before(&upstream, &place, &[]);
    for (id, status, text) in [
        (1, 400, "detail"),
        (2, 400, "server-error"),
        (3, 404, "-32001"),
        (4, 400, "-32603"),
        (5, 400, "-32603"),
    ] {
        let answer = front.call(id, "read", &json!({"id": id}));
        assert_eq!(answer.status, status, "{id}");
        assert!(answer.body.contains(text), "{id}: {answer:?}");
        assert!(!answer.body.contains("UNJUDGED"), "{id}: {answer:?}");
    }
    let note = front.post(
        "",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    assert_eq!((note.status, &*note.body), (202, ""));
}
