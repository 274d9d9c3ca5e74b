//! `unstuck mcp --listen` at its limits: lengths, times, numbers, and its end.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
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
        &["--read-timeout", "1", "--max-connections", "2"],
    );
    // Half a head, and half a body.
    let mut head = front.open("POST /mcp HTTP/1.1\r\nHost: ");
    let whole = front.request("/mcp", "", &call(1, "read", &json!({})));
    let mut body = front.open(&whole[..whole.len() - 5]);
    // Both places are taken.
    eventually("a third that is sent away", || {
        front.call(2, "read", &json!({})).status == 503
    });
    assert_eq!(body.head().0, 408);
    assert!(matches!(head.head().0, 0 | 408));
    eventually("room again", || {
        front.call(3, "read", &json!({})).status == 200
    });
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
