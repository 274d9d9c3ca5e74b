//! Bodies that are large, packed or slow, limits of spending, modes, and sessions of others.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

mod api;
#[path = "../../unstuck-llm/tests/support/mod.rs"]
mod support;

use std::{
    io::{Read as _, Write as _},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use api::{Api, HEADERS, Reply, Running, connect, events, post, proxy, proxy_with, send, whole};
use serde_json::{Value, json};
use support::{Agent, Turn, answer, read};
use unstuck::{Mode, Preset, Settings};
use unstuck_llm::Form;
use unstuck_llm_proxy::{GuardOptions, Limits, SpendingLimit};

fn options() -> GuardOptions {
    GuardOptions::new(Settings::of(Preset::Standard))
}

fn ask(running: &Running, agent: &Agent, headers: &str) -> String {
    let body = agent.body();
    post(running.address, agent.path(), headers, body.as_bytes()).text()
}

#[test]
fn a_hundred_megabytes_pass_both_ways_as_they_are() {
    const LONG: usize = 100 << 20;
    let api = Api::start(|_, _| Reply::Whole(200, "application/json", "y".repeat(LONG), 1 << 20));
    let running = proxy(api.address);
    let body = vec![b'x'; LONG];
    let heard = post(running.address, "/v1/files", HEADERS, &body);
    assert_eq!(heard.status(), 200);
    assert_eq!(heard.body.len(), LONG);
    let seen = api.seen().pop().expect("a request");
    assert!(seen.body == body);
}

#[test]
fn an_answer_of_many_megabytes_is_judged() {
    let long = "x".repeat(8 << 20);
    let turn = Turn {
        text: long,
        ..Turn::default()
    }
    .and("bash", json!({"command": "ls"}));
    let body = answer(Form::Chat, false, 0, &turn);
    let sent = body.clone();
    let api = Api::start(move |_, _| Reply::Whole(200, "application/json", sent.clone(), 1 << 20));
    let running = proxy(api.address);
    let agent = Agent::new(Form::Chat, false, "Go.");
    assert!(ask(&running, &agent, HEADERS) == body);
}

#[test]
fn a_client_that_does_not_read_holds_the_api_back() {
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    const ALL: usize = 256 << 20;
    let api = Api::start(|_, _| {
        Reply::Endless(Box::new(|stream| {
            let event = format!(
                "data: {{\"type\":\"ping\",\"x\":\"{}\"}}\n\n",
                "x".repeat(8_000)
            );
            while WRITTEN.load(Ordering::Relaxed) < ALL
                && stream.write_all(event.as_bytes()).is_ok()
            {
                WRITTEN.fetch_add(event.len(), Ordering::Relaxed);
            }
        }))
    });
    let running = proxy(api.address);
    let agent = Agent::new(Form::Anthropic, true, "Go.");
    let mut stream = connect(running.address);
    send(&mut stream, agent.path(), HEADERS, agent.body().as_bytes());
    let mut begun = [0; 64];
    stream.read_exact(&mut begun).expect("the answer begins");
    // What the sockets and the proxy hold is full at some point, and stays so.
    let (mut before, mut still) = (0, 0);
    while still < 15 {
        thread::sleep(Duration::from_millis(100));
        let now = WRITTEN.load(Ordering::Relaxed);
        assert!(now < 64 << 20, "{now} bytes");
        still = if now == before { still + 1 } else { 0 };
        before = now;
    }
}

#[test]
fn packed_bodies_are_judged_and_unknown_packings_pass() {
    let pack = |how: &str, bytes: &[u8]| -> Vec<u8> {
        use flate2::{Compression, write};
        match how {
            "gzip" => {
                let mut to = write::GzEncoder::new(Vec::new(), Compression::fast());
                to.write_all(bytes).expect("memory");
                to.finish().expect("memory")
            }
            "deflate" => {
                let mut to = write::ZlibEncoder::new(Vec::new(), Compression::fast());
                to.write_all(bytes).expect("memory");
                to.finish().expect("memory")
            }
            "zstd" => {
                let level = ruzstd::encoding::CompressionLevel::Fastest;
                ruzstd::encoding::compress_to_vec(bytes, level)
            }
            // A packing that is not known here.
            _ => bytes.iter().rev().copied().collect(),
        }
    };
    for how in ["gzip", "deflate", "zstd", "br"] {
        let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
        let api = Api::start(move |number, _| whole(answer(Form::Chat, false, number, &turn)));
        let running = proxy(api.address);
        let mut agent = Agent::new(Form::Chat, false, "Show the file.");
        let headers = format!("{HEADERS}content-encoding: {how}\r\n");
        for _ in 0..4 {
            let body = pack(how, agent.body().as_bytes());
            let heard = post(running.address, agent.path(), &headers, &body);
            let heard = agent.read(&heard.text());
            agent.heard(&heard);
            agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
        }
        let seen = api.seen().pop().expect("a request");
        if how == "br" {
            assert_eq!(seen.header("content-encoding"), Some("br"));
            assert_eq!(running.guard.sessions().len(), 0);
        } else {
            assert_eq!(seen.header("content-encoding"), None, "{how}");
            assert!(seen.text().contains("[unstuck]"), "{how}");
        }
    }
}

#[test]
fn a_body_that_unpacks_to_more_than_allowed_passes_as_it_is() {
    let api = Api::start(|_, _| whole("{}".to_owned()));
    let limits = Limits {
        message: 1 << 20,
        memory: 8 << 20,
        ..Limits::default()
    };
    let running = proxy_with(api.address, options(), limits);
    let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let long = format!(
        r#"{{"messages":[{{"role":"user","content":"{}"}}]}}"#,
        "x".repeat(9 << 20)
    );
    to.write_all(long.as_bytes()).expect("memory");
    let packed = to.finish().expect("memory");
    let headers = format!("{HEADERS}content-encoding: gzip\r\n");
    let heard = post(running.address, "/v1/messages", &headers, &packed);
    assert_eq!(heard.status(), 200);
    assert_eq!(api.seen()[0].body, packed);
    assert_eq!(running.guard.sessions().len(), 0);
}

#[test]
fn a_limit_of_spending_warns_the_model_and_then_ends_every_turn() {
    for form in Form::ALL {
        let api = Api::start(move |number, _| {
            let turn = Turn::calls("read", json!({"path": format!("part_{number}")}));
            events(answer(*form, true, number, &turn))
        });
        let mut guard = options();
        guard.spending.session = SpendingLimit {
            micros: None,
            tokens: Some(600),
        };
        guard.spending.warn_percent = vec![50];
        let running = proxy_with(api.address, guard, Limits::default());
        let mut agent = Agent::new(*form, true, "Read the files.");
        let headers = format!("{HEADERS}x-unstuck-session: s1\r\n");
        let mut answers = 0;
        let last = loop {
            let heard = read(*form, true, &ask(&running, &agent, &headers));
            if heard.calls.is_empty() {
                break heard;
            }
            answers += 1;
            agent.heard(&heard);
            agent.ran(&heard, |call| format!("part {}", call.args));
        };
        // An answer uses 120 tokens.
        assert_eq!(answers, 5, "{form:?}");
        assert!(
            last.text.contains("600 tokens of 600 tokens today"),
            "{}",
            last.text
        );
        let seen = api.seen();
        assert!(
            !seen[2]
                .text()
                .contains("of the limit of this session is used")
        );
        for later in &seen[3..] {
            // The text stays at its place.
            assert!(
                later
                    .text()
                    .contains("60% of the limit of this session is used")
            );
        }
        // A person's message does not lift it, and another session is not concerned.
        agent.heard(&last);
        agent.user("Go on, please, with the second part.");
        assert!(ask(&running, &agent, &headers).contains("is reached"));
        assert_eq!(running.guard.sessions()[0].spent.tokens, 600);
        let other = format!("{HEADERS}x-unstuck-session: s2\r\n");
        assert!(!ask(&running, &agent, &other).contains("is reached"));
    }
}

#[test]
fn a_switched_mode_is_in_force_with_the_next_request() {
    let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
    let api = Api::start(move |number, _| whole(answer(Form::Chat, false, number, &turn)));
    let running = proxy(api.address);
    assert_eq!(running.guard.set_mode(Mode::Observe), Mode::Enforce);
    let mut agent = Agent::new(Form::Chat, false, "Show the file.");
    for _ in 0..12 {
        let heard = agent.read(&ask(&running, &agent, HEADERS));
        assert_eq!(heard.calls.len(), 1);
        agent.heard(&heard);
        agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
    }
    assert!(api.seen().iter().all(|it| !it.text().contains("[unstuck]")));
    assert_eq!(running.guard.set_mode(Mode::Enforce), Mode::Observe);
    let heard = ask(&running, &agent, HEADERS);
    assert!(heard.contains("The run was stopped here."), "{heard}");
    assert_eq!(running.guard.reset_all(), 1);
    let heard = ask(&running, &agent, HEADERS);
    assert!(!heard.contains("The run was stopped here."), "{heard}");
}

#[test]
fn a_session_of_another_owner_is_not_touched_by_its_name() {
    let turn = Turn::calls("bash", json!({"command": "cat nope.txt"}));
    let api = Api::start(move |number, _| whole(answer(Form::Chat, false, number, &turn)));
    let running = proxy(api.address);
    let headers = |key: &str| format!("x-unstuck-session: s1\r\nauthorization: Bearer {key}\r\n");
    let mut agent = Agent::new(Form::Chat, false, "Show the file.");
    let is_halted = |agent: &Agent, key: &str| {
        let text = ask(&running, agent, &headers(key));
        text.contains("The run was stopped here.")
    };
    for _ in 0..30 {
        let heard = agent.read(&ask(&running, &agent, &headers("key-alpha")));
        agent.heard(&heard);
        if heard.text.contains("The run was stopped here.") {
            break;
        }
        agent.ran(&heard, |_| "cat: nope.txt: No such file".to_owned());
        if heard.calls.is_empty() {
            agent.user("continue");
        }
    }
    agent.user("continue");
    assert!(is_halted(&agent, "key-alpha"));
    // Another one speaks under the same name.
    let other = Agent::new(Form::Chat, false, "Something else.");
    assert!(!is_halted(&other, "key-beta"));
    assert!(is_halted(&agent, "key-alpha"));
    let shown = format!("{:?}", running.guard.sessions());
    assert!(!shown.contains("key-alpha"), "{shown}");
}

/// An agent of the Responses API that sends only what is new.
fn chained(running: &Running, previous: Option<&str>, input: &Value, streamed: bool) -> Value {
    let mut body = json!({"model": "m1", "stream": streamed, "input": input,
        "tools": [{"name": "bash"}]});
    if let Some(previous) = previous {
        body["previous_response_id"] = previous.into();
    }
    let body = body.to_string();
    let heard = post(running.address, "/v1/responses", HEADERS, body.as_bytes()).text();
    if !streamed {
        return serde_json::from_str(&heard).expect("JSON");
    }
    let last = heard.split("\n\n").filter(|event| !event.is_empty());
    let last = last.last().expect("events");
    let data = last.split_once("data: ").expect("data").1;
    let last: Value = serde_json::from_str(data).expect("JSON");
    last["response"].clone()
}

#[test]
fn a_loop_is_found_where_the_provider_keeps_the_history() {
    for streamed in [false, true] {
        let api = Api::start(move |number, request| {
            let turn = if request.text().contains("Not run: ") {
                Turn::calls("list", json!({"page": number}))
            } else {
                Turn::calls("bash", json!({"command": "cat nope.txt"}))
            };
            let body = answer(Form::Responses, streamed, number, &turn);
            if streamed { events(body) } else { whole(body) }
        });
        let running = proxy(api.address);
        let mut input = json!([{"role": "user", "content": "Show the file."}]);
        let mut previous: Option<String> = None;
        let mut redirected = 0;
        for number in 0..20 {
            let response = chained(&running, previous.as_deref(), &input, streamed);
            let items = response["output"].as_array().expect("output").clone();
            let call = items.iter().find(|item| item["type"] == "function_call");
            let Some(call) = call else {
                // The model makes the denied call with each turn, so the run is ended at last.
                assert!(response.to_string().contains("The run was stopped here."));
                assert!(number > 5, "{number}");
                break;
            };
            redirected += usize::from(response.to_string().contains("Not run: "));
            previous = response["id"].as_str().map(str::to_owned);
            input = json!([{"type": "function_call_output", "call_id": call["call_id"],
                "output": "cat: nope.txt: No such file"}]);
        }
        assert!(redirected > 0);
        assert_eq!(running.guard.sessions().len(), 1);
        // The provider waits for no result of a call that is not in its history.
        let seen = api.seen();
        let owed = seen
            .iter()
            .filter(|it| it.text().matches("function_call_output").count() > 1);
        assert_eq!(owed.count(), 0);
    }
}

#[test]
fn requests_that_smuggle_another_are_refused() {
    let api = Api::start(|_, _| whole("{}".to_owned()));
    let running = proxy(api.address);
    let host = running.address;
    for head in [
        // Two lengths, a length beside a coding, another address in the first line.
        format!(
            "POST /v1/messages HTTP/1.1\r\nhost: {host}\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"
        ),
        format!(
            "POST /v1/messages HTTP/1.1\r\nhost: {host}\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        format!(
            "POST http://169.254.169.254/v1/messages HTTP/1.1\r\nhost: {host}\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
        format!(
            "POST /v1/messages HTTP/1.1\r\nhost: {host}\r\nhost: evil.example\r\ncontent-length: 2\r\n\r\n{{}}"
        ),
        "POST /v1/messages HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}".to_owned(),
    ] {
        let mut stream = connect(running.address);
        stream.write_all(head.as_bytes()).expect("written");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut heard = String::new();
        let _ = stream.read_to_string(&mut heard);
        assert!(
            heard.starts_with("HTTP/1.1 4") || heard.is_empty(),
            "{head}: {heard}"
        );
    }
    assert_eq!(api.seen().len(), 0);
}
