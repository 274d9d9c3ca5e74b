//! A running proxy with a client on one side and a small server on the other.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::run::Place;

/// The server of these tests, which is built with them.
pub(crate) fn server() -> &'static str {
    static SERVER: OnceLock<String> = OnceLock::new();
    SERVER.get_or_init(|| {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_unstuck"));
        let directory = binary.parent().expect("a directory");
        let path = directory.join("examples").join("mcp_test_server");
        path.to_str().expect("text").to_owned()
    })
}

/// A running proxy, and its client.
pub(crate) struct Proxy {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: BufReader<ChildStdout>,
}

impl Proxy {
    pub(crate) fn start(place: &Place, options: &[&str]) -> Self {
        let mut words = vec!["mcp", "--name", "s", "--audit", "audit.jsonl"];
        words.extend(options);
        words.extend(["--", server(), "calls.log"]);
        Self::of(place.command(&words))
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the proxy starts");
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("still open");
        input
            .write_all(format!("{line}\n").as_bytes())
            .expect("the proxy reads");
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the proxy writes");
        serde_json::from_str(&line).expect("a line of JSON")
    }

    pub(crate) fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> Value {
        self.send(&request(id, tool, arguments));
        self.receive()
    }

    /// Closes the client's side: exit code and what was said on standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let output = self.child.wait_with_output().expect("the proxy ends");
        let said = String::from_utf8(output.stderr).expect("text");
        (output.status.code(), said)
    }
}

pub(crate) fn request(id: u64, tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool,"arguments":arguments}})
        .to_string()
}

pub(crate) fn denied(answer: &Value) -> bool {
    answer["result"]["isError"] == true
        && answer["result"]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("[unstuck]"))
}

/// The calls on record, by outcome.
pub(crate) fn outcomes(place: &Place) -> BTreeMap<String, usize> {
    let mut outcomes = BTreeMap::new();
    for line in place.read("audit.jsonl").lines() {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        if line["event"] == "call" {
            let outcome = line["outcome"].as_str().expect("text").to_owned();
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    outcomes
}

pub(crate) fn verified(place: &Place) -> bool {
    place.run(&["audit", "verify", "audit.jsonl"]).code == Some(0)
}

/// Polls for what must come to be.
pub(crate) fn eventually(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < Duration::from_mins(1), "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
