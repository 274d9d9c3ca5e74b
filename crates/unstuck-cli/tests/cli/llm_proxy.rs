//! `unstuck proxy` and `unstuck run`.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::Stdio,
    thread,
    time::Duration,
};

use crate::run::Place;

/// An API whose model makes one call again and again.
fn api() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for (number, mut stream) in listener.incoming().flatten().enumerate() {
            read(&mut stream);
            let body = format!(
                r#"{{"choices":[{{"index":0,"message":{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{number}","type":"function","function":{{"name":"bash","arguments":"{{\"command\":\"make\"}}"}}}}]}},"finish_reason":"tool_calls"}}]}}"#
            );
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    address
}

/// Reads a request whose length is given.
fn read(stream: &mut TcpStream) {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let shown = String::from_utf8_lossy(&text).to_lowercase();
        if let Some((head, body)) = shown.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1);
            let length = length.and_then(|rest| rest.lines().next()?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return;
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
        }
    }
}

fn ask(proxy: &str, messages: &[String]) -> String {
    let body = format!(
        r#"{{"model":"m","tools":[{{}}],"messages":[{}]}}"#,
        messages.join(",")
    );
    let mut stream = TcpStream::connect(proxy).expect("a connection");
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {proxy}\r\nauthorization: Bearer sk-secret-1234567\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let sent = stream.write_all(format!("{head}{body}").as_bytes());
    sent.expect("a request is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_loop_is_ended_and_said_without_the_key() {
    let place = Place::new("llm-proxy");
    let upstream = format!("http://{}", api());
    let mut command = place.command(&["proxy", "--listen", "0", "--upstream", &upstream]);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a proxy");
    let mut lines = BufReader::new(child.stderr.take().expect("lines")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    let first = next();
    let (_, proxy) = first.split_once("http://").expect("an address");

    let mut messages = vec![r#"{"role":"user","content":"Build it."}"#.to_owned()];
    let mut last = String::new();
    for number in 0..40 {
        last = ask(proxy, &messages);
        if last.contains("The run was stopped here.") {
            break;
        }
        if last.contains("Not run: ") {
            let (_, said) = last.split_once(r#""content":"#).expect("a text");
            let (said, _) = said.split_once(r#","tool_calls""#).expect("its end");
            messages.push(format!(r#"{{"role":"assistant","content":{said}}}"#));
            messages.push(r#"{"role":"user","content":"continue"}"#.to_owned());
            continue;
        }
        messages.push(format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"c{number}","type":"function","function":{{"name":"bash","arguments":"{{\"command\":\"make\"}}"}}}}]}}"#
        ));
        messages.push(format!(
            r#"{{"role":"tool","tool_call_id":"c{number}","content":"nothing to be done"}}"#
        ));
    }
    assert!(last.contains("The run was stopped here."), "{last}");
    let mut said = Vec::new();
    while !said
        .last()
        .is_some_and(|line: &String| line.contains("halt by"))
    {
        said.push(next());
    }
    let said = said.join("\n");
    assert!(said.contains("deny by"), "{said}");
    assert!(!said.contains("sk-secret"), "{said}");
    // Commands see the session while the proxy runs.
    let mut seen = String::new();
    for _ in 0..100 {
        seen = place.run(&["sessions"]).out;
        if seen.contains("halted  llm  ") {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert!(seen.contains("halted  llm  llm-"), "{seen}");
    assert!(seen.contains("last by "), "{seen}");
    child.kill().expect("the proxy ends");
    child.wait().expect("the proxy has ended");
    assert!(!place.run(&["sessions"]).out.contains("llm-"));
}

#[cfg(unix)]
#[test]
fn a_command_is_pointed_at_its_proxy_and_its_exit_code_returned() {
    let place = Place::new("llm-run");
    let script = "echo $ANTHROPIC_BASE_URL $OPENAI_BASE_URL; echo $UNSTUCK_PROXY >&2; exit 7";
    let ran = place.run(&["run", "--", "sh", "-c", script]);
    assert_eq!(ran.code, Some(7), "{}", ran.err);
    let (anthropic, openai) = ran.out.trim().split_once(' ').expect("two addresses");
    assert!(anthropic.starts_with("http://127.0.0.1:"), "{anthropic}");
    assert_eq!(openai, format!("{anthropic}/v1"));
    assert!(ran.err.contains("llm-"), "{}", ran.err);

    let ran = place.run(&["run", "--", "./no-such-command"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("no-such-command"), "{}", ran.err);
}
