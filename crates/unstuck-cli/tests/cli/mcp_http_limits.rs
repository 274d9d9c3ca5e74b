//! `unstuck mcp --listen` at its limits: lengths, times, numbers, and its end.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    mcp_http_peer::{Front, Upstream, call, eventually, recorded},
    run::Place,
};

#[test]
fn slow_and_many_connections_do_not_keep_others_out() {
    let place = Place::new("mcp-safe-limits");
    let upstream = Upstream::echo();
    let front = Front::before(
        &upstream,
        &place,
        &["--read-timeout", "2", "--max-connections", "4"],
    );
    // Half a head, again half a head, and half a body.
    let mut head = front.open("POST /mcp HTTP/1.1\r\nHost: ");
    let _second = front.open("POST /mcp HTTP/1.1\r\nHost: ");
    let whole = front.request("/mcp", "", &call(1, "read", &json!({})));
    let mut body = front.open(&whole[..whole.len() - 5]);
    // Connections without a request make room, the oldest first.
    for id in 2..6 {
        assert_eq!(front.call(id, "read", &json!({})).status, 200);
    }
    assert_eq!(head.head().0, 0);
    assert_eq!(body.head().0, 408);
}

#[test]
fn requests_that_are_being_answered_do_not_make_room() {
    let place = Place::new("mcp-safe-busy");
    let upstream = Upstream::new(|_, _| {});
    let front = Front::before(&upstream, &place, &["--max-connections", "2"]);
    let mut open = Vec::new();
    for id in 1..=2 {
        open.push(front.open(&front.request("/mcp", "", &call(id, "read", &json!({})))));
        eventually("a call that waits", || upstream.seen().len() == open.len());
    }
    let refused = front.call(3, "read", &json!({}));
    assert_eq!(refused.status, 503);
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[test]
fn a_slow_head_is_given_up_however_it_trickles_in() {
    let place = Place::new("mcp-safe-trickle");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--read-timeout", "1"]);
    let mut stream = TcpStream::connect(front.address).expect("it listens");
    stream.set_nodelay(true).expect("a socket");
    let began = Instant::now();
    let mut is_open = true;
    while is_open && began.elapsed() < Duration::from_secs(20) {
        is_open = stream.write_all(b"a").is_ok();
        thread::sleep(Duration::from_millis(20));
    }
    assert!(!is_open);
}

#[test]
fn memory_must_be_enough_for_one_message() {
    let place = Place::new("mcp-safe-memory");
    let ran = place.run(&[
        "mcp",
        "--listen",
        "0",
        "--no-audit",
        "--max-memory",
        "1000000",
        "--upstream",
        "http://127.0.0.1:9/mcp",
    ]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--max-memory 153391696"), "{}", ran.err);
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let place = Place::new("mcp-safe-never");
    let upstream = Upstream::new(|request, _| {
        assert!(request.line.starts_with("POST"));
    });
    let front = Front::before(&upstream, &place, &["--answer-timeout", "1"]);
    let answer = front.call(1, "read", &json!({}));
    assert_eq!(answer.status, 504);
    assert_eq!(answer.json()["id"], 1);
    assert_eq!(recorded(&place, "call")[0]["outcome"], "failed");
}

#[test]
fn without_an_audit_nothing_runs() {
    let place = Place::new("mcp-safe-audit");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--audit-budget", "10"]);
    let answer = front.call(1, "read", &json!({}));
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["id"], 1);
    assert_eq!(answer.json()["result"]["isError"], true);
    assert!(upstream.seen().is_empty());
}

#[test]
fn asked_to_end_it_writes_its_last_lines() {
    let place = Place::new("mcp-safe-end");
    let upstream = Upstream::new(|_, _| {});
    let front = Front::before(&upstream, &place, &[]);
    let stream = front.open(&front.request("/mcp", "", &call(1, "read", &json!({}))));
    eventually("a call that waits", || {
        recorded(&place, "forward").len() == 1
    });
    let (code, _) = front.end();
    assert_eq!(code, Some(0));
    drop(stream);
    assert_eq!(recorded(&place, "call").len(), 1);
    assert_eq!(place.run(&["audit", "verify", "audit.jsonl"]).code, Some(0));
}

#[test]
fn requests_with_two_ends_are_refused() {
    let place = Place::new("mcp-safe-smuggling");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &[]);
    let body = call(1, "read", &json!({}));
    let length = body.len();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
        front.address
    );
    let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let hidden = format!("{head}Content-Length: {length}\r\n\r\n{body}");
    for (what, request) in [
        (
            "two lengths",
            format!("{head}Content-Length: {length}\r\nContent-Length: 3\r\n\r\n{body}"),
        ),
        (
            "a length twice in one",
            format!("{head}Content-Length: {length}, {length}\r\n\r\n{body}"),
        ),
        (
            "no number",
            format!("{head}Content-Length: +{length}\r\n\r\n{body}"),
        ),
        (
            "chunks and length",
            format!(
                "{head}Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n\r\n{chunked}"
            ),
        ),
        (
            "the same length twice",
            format!("{head}Content-Length: {length}\r\nContent-Length: {length}\r\n\r\n{body}"),
        ),
        (
            "length and chunks",
            format!(
                "{head}Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n\r\n{chunked}"
            ),
        ),
        (
            "odd coding",
            format!("{head}Transfer-Encoding: xchunked\r\n\r\n{chunked}"),
        ),
        (
            "two codings",
            format!("{head}Transfer-Encoding: gzip, chunked\r\n\r\n{chunked}"),
        ),
        (
            "folded",
            format!("{head}Content-Length:\r\n {length}\r\n\r\n{body}"),
        ),
        (
            "space before the colon",
            format!("{head}Content-Length : {length}\r\n\r\n{body}"),
        ),
        (
            "bare line",
            format!("{head}oops\r\nContent-Length: {length}\r\n\r\n{body}"),
        ),
        (
            "another address",
            format!("{head}Content-Length: {length}\r\n\r\n{body}")
                .replace("POST /mcp", "POST http://evil.example/mcp"),
        ),
        (
            "a tunnel",
            format!(
                "CONNECT evil.example:443 HTTP/1.1\r\nHost: {}\r\n\r\n",
                front.address
            ),
        ),
        (
            "two hosts",
            format!("{head}Host: evil.example\r\nContent-Length: {length}\r\n\r\n{body}"),
        ),
        (
            "no host",
            format!("{head}Content-Length: {length}\r\n\r\n{body}").replace("Host:", "X-Host:"),
        ),
    ] {
        let answer = front.send(&request);
        assert_eq!(answer.status, 400, "{what}");
    }
    assert!(upstream.seen().is_empty());
    // Behind such a request, and behind one in chunks, the connection is closed: nothing that follows is another request.
    for beginning in [
        format!("{head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n{chunked}"),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunked}"),
    ] {
        let mut stream = TcpStream::connect(front.address).expect("it listens");
        let request = format!("{beginning}{hidden}");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answers = String::new();
        let _ = stream.read_to_string(&mut answers);
        assert!(answers.matches("HTTP/1.1").count() <= 1, "{answers}");
    }
    assert_eq!(upstream.seen().len(), 1);
}

/// Everything that is answered to these bytes, until the connection is closed or nothing comes for a while.
fn answers(front: &Front, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(front.address).expect("it listens");
    let patience = Some(Duration::from_secs(5));
    stream.set_read_timeout(patience).expect("a timeout");
    let _ = stream.write_all(bytes);
    let mut answers = Vec::new();
    let mut piece = [0; 4_096];
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        answers.extend_from_slice(&piece[..read]);
        // Refusals may leave the connection open.
        let patience = Some(Duration::from_millis(200));
        stream.set_read_timeout(patience).expect("a timeout");
    }
    String::from_utf8_lossy(&answers).into_owned()
}

#[test]
fn tricks_with_framing_smuggle_nothing() {
    let place = Place::new("mcp-safe-tricks");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--read-timeout", "2"]);
    let body = call(1, "read", &json!({}));
    let length = body.len();
    let start = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n",
        front.address
    );
    let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
    let with = |headers: &str, body: &str| format!("{start}{headers}\r\n{body}");
    let many = "x: 1\r\n".repeat(500);
    let refused = [
        // Lengths that two programs could read in two ways.
        with(
            &format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
            &chunked,
        ),
        with(
            &format!("Transfer-Encoding: chunked\r\nContent-Length: {length}\r\n"),
            &chunked,
        ),
        with(
            &format!("Content-Length: {length}\r\nContent-Length: {length}\r\n"),
            &body,
        ),
        with(
            &format!("Content-Length: {length}\r\nContent-Length: 3\r\n"),
            &body,
        ),
        with(&format!("Content-Length: {length}, {length}\r\n"), &body),
        with(&format!("Content-Length: {length},3\r\n"), &body),
        with(&format!("Content-Length: +{length}\r\n"), &body),
        with(&format!("Content-Length: -{length}\r\n"), &body),
        with(&format!("Content-Length: {length:#x}\r\n"), &body),
        with(&format!("Content-Length: {length}.0\r\n"), &body),
        with(&format!("Content-Length:\r\n {length}\r\n"), &body),
        with(&format!("Content-Length : {length}\r\n"), &body),
        with("Content-Length: 99999999999999999999999\r\n", &body),
        with("Transfer-Encoding: xchunked\r\n", &chunked),
        with("Transfer-Encoding: gzip, chunked\r\n", &chunked),
        with("Transfer-Encoding: chunked, identity\r\n", &chunked),
        with("Transfer-Encoding:\x0bchunked\r\n", &chunked),
        with(
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            &chunked,
        ),
        with("Transfer-Encoding : chunked\r\n", &chunked),
        // Other protocols and forms of requests.
        with(&format!("Content-Length: {length}\r\n"), &body)
            .replace("POST /mcp", "POST http://evil.example/mcp"),
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n".to_owned(),
        "GET /mcp\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        "\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n".to_owned(),
        // Too much of it.
        with(&format!("x: {}\r\n", "y".repeat(1 << 20)), ""),
        with(&many, &body),
        // Not all of it.
        start[..30].to_owned(),
        with(&format!("Content-Length: {}\r\n", length + 1), &body),
    ];
    for request in &refused {
        let answers = answers(&front, request.as_bytes());
        let shown: String = request.chars().take(300).collect();
        assert!(
            answers.matches("HTTP/1.").count() <= 1,
            "{shown}: {answers}"
        );
        assert!(
            answers.is_empty()
                || answers.starts_with("HTTP/1.1 4")
                || answers.starts_with("HTTP/1.0 4"),
            "{shown}: {answers}"
        );
    }
    assert!(upstream.seen().is_empty(), "{:?}", upstream.seen());
    // Two requests at once are two requests, and HTTP/1.0 is answered.
    let one = with(&format!("Content-Length: {length}\r\n"), &body);
    let both = answers(&front, format!("{one}{one}").as_bytes());
    assert_eq!(both.matches("HTTP/1.1 200").count(), 2, "{both}");
    let old = answers(&front, one.replace("HTTP/1.1", "HTTP/1.0").as_bytes());
    assert_eq!(old.matches(" 200 OK").count(), 1, "{old}");
    assert_eq!(upstream.seen().len(), 3);
}
