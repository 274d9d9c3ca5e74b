//! Clients and APIs that break the rules, and what is never to be seen of what passes.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod api;
#[path = "../../unstuck-llm/tests/support/mod.rs"]
mod support;

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    time::Duration,
};

use api::{Api, HEADERS, Reply, connect, events, post, proxy, proxy_with, receive, send, whole};
use serde_json::json;
use support::{Agent, Turn, answer};
use unstuck::{Preset, Settings};
use unstuck_llm::Form;
use unstuck_llm_proxy::{Guard, GuardOptions, Limits, OnHalt, Proxy, ProxyOptions, Targets};
use unstuck_text::Notify;

fn options() -> GuardOptions {
    GuardOptions::new(Settings::of(Preset::Standard))
}

#[test]
fn events_may_be_cut_anywhere_and_characters_too() {
    let turn = Turn {
        text: "Grüße — 你好 🎉".to_owned(),
        ..Turn::default()
    }
    .and("bash", json!({"command": "echo 🎉"}));
    for form in Form::ALL {
        let body = answer(*form, true, 0, &turn);
        let sent = body.clone();
        let api = Api::start(move |_, _| Reply::Whole(200, "text/event-stream", sent.clone(), 1));
        let running = proxy(api.address);
        let agent = Agent::new(*form, true, "Say hello.");
        let heard = post(
            running.address,
            agent.path(),
            HEADERS,
            agent.body().as_bytes(),
        );
        assert_eq!(heard.text(), body);
    }
}

#[test]
fn a_client_that_leaves_closes_the_connection_to_the_api() {
    let api =
        Api::start(|_, _| Reply::Hang("event: ping\ndata: {\"type\":\"ping\"}\n\n".to_owned()));
    let running = proxy(api.address);
    let agent = Agent::new(Form::Anthropic, true, "Wait.");
    let mut stream = connect(running.address);
    send(&mut stream, agent.path(), HEADERS, agent.body().as_bytes());
    let mut begun = [0; 16];
    stream.read_exact(&mut begun).expect("the answer begins");
    drop(stream);
    api.gone
        .recv_timeout(Duration::from_secs(10))
        .expect("the API sees the client leave");
}

#[test]
fn an_event_is_passed_on_while_the_stream_goes_on() {
    let ping = "event: ping\ndata: {\"type\":\"ping\"}\n\n";
    let api = Api::start(move |_, _| Reply::Hang(ping.to_owned()));
    let running = proxy(api.address);
    let agent = Agent::new(Form::Anthropic, true, "Wait.");
    let mut stream = connect(running.address);
    send(&mut stream, agent.path(), HEADERS, agent.body().as_bytes());
    let mut all = Vec::new();
    let mut buffer = [0; 1024];
    while !String::from_utf8_lossy(&all).contains(ping) {
        let count = stream.read(&mut buffer).expect("bytes in time");
        assert!(count > 0);
        all.extend_from_slice(&buffer[..count]);
    }
}

#[test]
fn lengths_that_lie_end_the_answer_and_nothing_else() {
    let short = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"a\":1}";
    let api = Api::start(move |number, _| match number {
        0 => Reply::Raw(short.to_vec()),
        1 => Reply::Raw(
            b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx".to_vec(),
        ),
        2 => Reply::Raw(b"nonsense".to_vec()),
        _ => whole(answer(Form::Chat, false, 0, &Turn::says("ok"))),
    });
    let running = proxy(api.address);
    let agent = Agent::new(Form::Chat, false, "Go.");
    for _ in 0..3 {
        let heard = post(
            running.address,
            agent.path(),
            HEADERS,
            agent.body().as_bytes(),
        );
        assert_eq!(heard.status(), 502);
        assert!(!heard.text().contains("sk-"));
    }
    let heard = post(
        running.address,
        agent.path(),
        HEADERS,
        agent.body().as_bytes(),
    );
    assert_eq!(agent.read(&heard.text()).text, "ok");
}

#[test]
fn bodies_that_are_too_long_are_refused() {
    let api = Api::start(|_, _| whole("{}".to_owned()));
    let limits = Limits {
        message: 1 << 20,
        memory: 8 << 20,
        ..Limits::default()
    };
    let running = proxy_with(api.address, options(), limits);
    let long = vec![b' '; (1 << 20) + 1];
    let heard = post(running.address, "/v1/messages", HEADERS, &long);
    assert_eq!(heard.status(), 413);
    assert_eq!(api.seen().len(), 0);
}

#[test]
fn what_cannot_be_read_is_passed_on_as_it_is() {
    let api = Api::start(|_, _| whole("[1, 2.50 ]".to_owned()));
    let running = proxy(api.address);
    for (path, body) in [
        ("/v1/messages", "not json"),
        ("/v1/messages", "{\"messages\":[{\"role\":"),
        ("/v1/chat/completions", "{\"messages\": 7}"),
        ("/v1/embeddings?x=y", "{ \"input\" : [1] }"),
        ("/v1/messages/count_tokens", "{}"),
    ] {
        let heard = post(running.address, path, HEADERS, body.as_bytes());
        assert_eq!(heard.text(), "[1, 2.50 ]", "{path}");
        let seen = api.seen().pop().expect("a request");
        assert_eq!(seen.text(), body);
        assert!(seen.head.starts_with(&format!("POST {path} HTTP/1.1")));
    }
}

#[test]
fn compressed_requests_are_judged_and_passed_on_as_they_are() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let api = Api::start(|_, _| {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
        events(answer(Form::Responses, true, number, &turn))
    });
    let running = proxy(api.address);
    let mut agent = Agent::new(Form::Responses, true, "Show the file.");
    let headers = format!("{HEADERS}content-encoding: gzip\r\n");
    let mut edited = 0;
    for _ in 0..3 {
        let packed = gzip(agent.body().as_bytes());
        let heard = post(running.address, agent.path(), &headers, &packed);
        let seen = api.seen().pop().expect("a request");
        if seen.header("content-encoding").is_some() {
            assert_eq!(seen.body, packed);
        } else {
            edited += 1;
            assert!(seen.text().contains("[unstuck]"));
        }
        let heard = agent.read(&heard.text());
        agent.heard(&heard);
        agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
    }
    let packed = gzip(agent.body().as_bytes());
    post(running.address, agent.path(), &headers, &packed);
    let seen = api.seen().pop().expect("a request");
    assert!(edited > 0 || seen.text().contains("[unstuck]"));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn no_key_is_in_what_people_see() {
    // Nothing listens here any more.
    let port = {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        listener.local_addr().expect("an address")
    };
    let running = proxy(port);
    let agent = Agent::new(Form::Gemini, false, "Go.");
    let path = "/v1beta/models/m1:generateContent?key=sk-in-the-query-123456";
    let heard = post(running.address, path, HEADERS, agent.body().as_bytes());
    assert_eq!(heard.status(), 502);
    let lines = running.lines.lock().expect("lines").join("\n");
    let shown = format!(
        "{}{}{lines}{:?}",
        heard.head,
        heard.text(),
        running.guard.sessions()
    );
    assert!(!lines.is_empty());
    assert!(!shown.contains("sk-"), "{shown}");
}

#[test]
fn pages_and_other_machines_do_not_come_in() {
    let api = Api::start(|_, _| whole("{}".to_owned()));
    let running = proxy(api.address);
    let page = format!("{HEADERS}origin: https://evil.example\r\n");
    let heard = post(running.address, "/v1/messages", &page, b"{}");
    assert_eq!(heard.status(), 403);
    let mut stream = connect(running.address);
    let head = "POST /v1/messages HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
    stream.write_all(head.as_bytes()).expect("written");
    assert_eq!(receive(&mut stream).status(), 403);
    assert_eq!(api.seen().len(), 0);

    let everywhere = ProxyOptions {
        address: (Ipv4Addr::UNSPECIFIED, 0).into(),
        targets: Targets::default(),
        limits: Limits::default(),
        notify: Notify::silent(),
    };
    assert!(Proxy::start(everywhere, Arc::new(Guard::new(options()))).is_err());
}

#[test]
fn a_halt_can_be_an_error_or_ask_another_model() {
    let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
    for (form, on_halt) in Form::ALL
        .iter()
        .flat_map(|form| [(*form, "error"), (*form, "escalate=m-large")])
    {
        let turn = turn.clone();
        let api = Api::start(move |number, _| whole(answer(form, false, number, &turn)));
        let mut guard = options();
        guard.on_halt = on_halt.parse::<OnHalt>().expect("a way");
        let running = proxy_with(api.address, guard, Limits::default());
        let mut agent = Agent::new(form, false, "Show the file.");
        let mut last = None;
        for _ in 0..60 {
            let heard = post(
                running.address,
                agent.path(),
                HEADERS,
                agent.body().as_bytes(),
            );
            let text = heard.text();
            if heard.status() != 200 || text.contains("The run was stopped here.") {
                last = Some(heard);
                break;
            }
            let heard = agent.read(&text);
            agent.heard(&heard);
            agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
            if heard.calls.is_empty() {
                agent.user("continue");
            }
        }
        let last = last.expect("a halt");
        let seen = api.seen();
        let larger = seen
            .iter()
            .filter(|it| it.head.contains("m-large") || it.text().contains("m-large"))
            .count();
        if on_halt == "error" {
            assert_eq!((last.status(), larger), (400, 0));
            assert_eq!(last.header("x-should-retry"), Some("false"));
        } else {
            assert_eq!((last.status(), larger), (200, 1), "{form:?}");
        }
    }
}
