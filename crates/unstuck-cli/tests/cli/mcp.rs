//! `unstuck mcp` between a client and a small server.

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::run::Place;

#[path = "../../../unstuck-mcp/tests/data/shapes.rs"]
mod shapes;

/// The server of these tests, which is built with them.
fn server() -> &'static str {
    static SERVER: OnceLock<String> = OnceLock::new();
    SERVER.get_or_init(|| {
        let binary = PathBuf::from(env!("CARGO_BIN_EXE_unstuck"));
        let directory = binary.parent().expect("a directory");
        let path = directory.join("examples").join("mcp_test_server");
        path.to_str().expect("text").to_owned()
    })
}

/// A running proxy, and its client.
struct Proxy {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Proxy {
    fn start(place: &Place, options: &[&str]) -> Self {
        let mut words = vec!["mcp", "--name", "s", "--audit", "audit.jsonl"];
        words.extend(options);
        words.extend(["--", server(), "calls.log"]);
        Self::of(place.command(&words))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the proxy starts");
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("still open");
        input
            .write_all(format!("{line}\n").as_bytes())
            .expect("the proxy reads");
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the proxy writes");
        serde_json::from_str(&line).expect("a line of JSON")
    }

    fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> Value {
        self.send(&request(id, tool, arguments));
        self.receive()
    }

    /// Closes the client's side: exit code and what was said on standard error.
    fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let output = self.child.wait_with_output().expect("the proxy ends");
        let said = String::from_utf8(output.stderr).expect("text");
        (output.status.code(), said)
    }
}

fn request(id: u64, tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool,"arguments":arguments}})
        .to_string()
}

fn denied(answer: &Value) -> bool {
    answer["result"]["isError"] == true
        && answer["result"]["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.starts_with("[unstuck]"))
}

/// The calls on record, by outcome.
fn outcomes(place: &Place) -> BTreeMap<String, usize> {
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

fn verified(place: &Place) -> bool {
    place.run(&["audit", "verify", "audit.jsonl"]).code == Some(0)
}

/// Polls for what must come to be.
fn eventually(what: &str, mut happens: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happens() {
        assert!(start.elapsed() < Duration::from_mins(1), "never: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_breaker_cuts_off_a_tight_loop_and_nothing_else() {
    let place = Place::new("mcp-breaker");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    for id in 1..=20 {
        assert!(!denied(&proxy.call(id, "echo", &json!({"a":1}))), "{id}");
    }
    for id in 21..=60 {
        assert!(denied(&proxy.call(id, "echo", &json!({"a":1}))), "{id}");
    }
    assert!(!denied(&proxy.call(61, "echo", &json!({"a":2}))));
    let (code, said) = proxy.end();
    assert_eq!(code, Some(0));
    assert!(said.contains("test server is up"), "{said}");
    assert!(said.contains("every call is permitted"), "{said}");
    assert_eq!(place.read("calls.log").lines().count(), 21);
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("denied".to_owned(), 40), ("ok".to_owned(), 21)])
    );
    let ran = place.run(&["audit", "verify", "audit.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("61 calls, 40 of them denied"),
        "{}",
        ran.out
    );
}

#[test]
fn the_breaker_opens_again_when_its_window_has_passed() {
    let place = Place::new("mcp-window");
    place.write(
        "window.toml",
        "[rules.call-burst]\nlimit = 3\nwindow_ms = 1500\n",
    );
    let mut proxy = Proxy::start(
        &place,
        &["--preset", "ironcurtain", "--config", "window.toml"],
    );
    for id in 1..=3 {
        assert!(!denied(&proxy.call(id, "echo", &json!({}))));
    }
    assert!(denied(&proxy.call(4, "echo", &json!({}))));
    let mut id = 4;
    eventually("an open breaker", || {
        id += 1;
        !denied(&proxy.call(id, "echo", &json!({})))
    });
}

#[test]
fn all_other_traffic_is_byte_for_byte_what_it_was() {
    let place = Place::new("mcp-transparent");
    let traffic = include_str!("data/mcp-traffic.txt");
    let client: Vec<&str> = traffic
        .lines()
        .filter_map(|line| line.strip_prefix("C> "))
        .collect();
    let server: Vec<&str> = traffic
        .lines()
        .filter_map(|line| line.strip_prefix("S> "))
        .collect();
    // One program that writes down what it reads and says what it is told, on the other side of the proxy.
    place.write("said", format!("{}\n", server.join("\n")));
    let mut command = place.command(&[
        "mcp",
        "--name",
        "s",
        "--no-audit",
        "--",
        "sh",
        "-c",
        "cat said; exec cat > heard",
    ]);
    let mut child = command.spawn().expect("the proxy starts");
    let sent = format!("{}\n", client.join("\n"));
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(sent.as_bytes()).expect("the proxy reads");
    drop(input);
    let output = child.wait_with_output().expect("the proxy ends");
    assert_eq!(place.read("heard"), sent);
    assert_eq!(
        String::from_utf8(output.stdout).expect("text"),
        place.read("said")
    );
}

#[test]
fn many_callers_at_once_are_counted_exactly() {
    let place = Place::new("mcp-callers");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    let mut input = proxy.input.take().expect("a pipe");
    // 64 callers with 10 equal calls each, all in flight: 20 run.
    let writer = thread::spawn(move || {
        for id in 0..640 {
            let line = format!("{}\n", request(id, "echo", &json!({"a":1})));
            input.write_all(line.as_bytes()).expect("the proxy reads");
        }
    });
    let mut ids: Vec<u64> = Vec::new();
    let mut ran = 0;
    for _ in 0..640 {
        let answer = proxy.receive();
        ran += usize::from(!denied(&answer));
        ids.push(answer["id"].as_u64().expect("a number"));
    }
    writer.join().expect("the writer ends");
    ids.sort_unstable();
    assert_eq!(ids, (0..640).collect::<Vec<_>>());
    assert_eq!(ran, 20);
    proxy.end();
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("denied".to_owned(), 620), ("ok".to_owned(), 20)])
    );
    assert!(verified(&place));
}

#[test]
fn a_proxy_that_is_killed_leaves_no_call_without_a_line() {
    let place = Place::new("mcp-killed");
    for round in 0..100_u64 {
        let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
        let mut input = proxy.input.take().expect("a pipe");
        let writer = thread::spawn(move || {
            for id in 0..2_000 {
                let line = format!("{}\n", request(id, "echo", &json!({"r":round,"n":id})));
                if input.write_all(line.as_bytes()).is_err() {
                    return;
                }
            }
        });
        // Somewhere between the first answer and the last.
        for _ in 0..=(round * 37) % 400 {
            proxy.receive();
        }
        proxy.child.kill().expect("it runs");
        proxy.child.wait().expect("it ends");
        writer.join().expect("the writer ends");
    }
    assert!(verified(&place));
    let audit = place.read("audit.jsonl");
    let call = |arguments: &Value| (arguments["r"].as_u64(), arguments["n"].as_u64());
    let recorded: std::collections::BTreeSet<_> = audit
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
        .filter(|line| line["event"] == "forward")
        .map(|line| call(&line["arguments"]))
        .collect();
    // The servers may still be at what they got.
    for line in place.read("calls.log").lines() {
        if let Ok(params) = serde_json::from_str::<Value>(line) {
            assert!(recorded.contains(&call(&params["arguments"])), "{params}");
        }
    }
    // And it goes on.
    let mut proxy = Proxy::start(&place, &[]);
    proxy.call(1, "echo", &json!({}));
    proxy.end();
    assert!(verified(&place));
}

#[test]
fn a_log_that_was_touched_is_found() {
    let place = Place::new("mcp-touched");
    let mut proxy = Proxy::start(&place, &[]);
    for id in 1..=5 {
        proxy.call(id, "echo", &json!({"n":id}));
    }
    proxy.end();
    let whole = place.read("audit.jsonl");
    assert!(verified(&place));
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let mut removed = lines.clone();
    removed.remove(4);
    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    for touched in [
        whole.replacen("\"echo\"", "\"ecko\"", 1),
        removed.concat(),
        swapped.concat(),
        lines[..lines.len() - 1].concat(),
        whole[..whole.len() - 5].to_owned(),
    ] {
        place.write("audit.jsonl", touched);
        let ran = place.run(&["audit", "verify", "audit.jsonl"]);
        assert_eq!(ran.code, Some(1), "{}", ran.out);
        assert!(ran.err.contains("not whole"), "{}", ran.err);
    }
}

#[test]
fn policies_are_read_again_and_a_broken_file_changes_nothing() {
    let place = Place::new("mcp-policy");
    place.write("p.cedar", "permit (principal, action, resource);");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain", "--policy", "p.cedar"]);
    let mut id = 0;
    let mut next = |proxy: &mut Proxy| {
        id += 1;
        proxy.call(id, "echo", &json!({"n":id}))
    };
    assert!(!denied(&next(&mut proxy)));
    place.write(
        "p.cedar",
        "@id(\"stop\") forbid (principal, action, resource);  ",
    );
    eventually("the new policies", || denied(&next(&mut proxy)));
    place.write("p.cedar", "permit (principal, action, resource) oops");
    thread::sleep(Duration::from_millis(500));
    assert!(denied(&next(&mut proxy)));
    place.write("p.cedar", "permit (principal, action, resource);   ");
    eventually("the policies after that", || !denied(&next(&mut proxy)));
    let (_, said) = proxy.end();
    assert!(
        said.contains("p.cedar:1:") && said.contains("stay"),
        "{said}"
    );
}

#[test]
fn a_policy_file_that_cannot_be_used_is_told_of_at_the_start() {
    let place = Place::new("mcp-policy-broken");
    place.write(
        "p.cedar",
        "permit (principal, action,\n  resource) when { context.tol == 1 };",
    );
    let ran = place.run(&["mcp", "--policy", "p.cedar", "--", server()]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("p.cedar:2:28: unknown member of the context `tol`"),
        "{}",
        ran.err
    );
    let ran = place.run(&["mcp", "--policy", "none.cedar", "--", server()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("none.cedar"), "{}", ran.err);
}

#[test]
fn hostile_lines_are_refused_and_the_connection_goes_on() {
    let place = Place::new("mcp-hostile");
    let mut proxy = Proxy::start(&place, &["--max-message", "100000"]);
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    for (line, code) in [
        ("{".to_owned(), -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"x"}"#.to_owned(),
            -32600,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"Method":"tools/call"}"#.to_owned(),
            -32600,
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{deep}}}"#),
            -32600,
        ),
        ("[]".to_owned(), -32600),
        (request(7, "echo", &json!("x".repeat(200_000))), -32600),
    ] {
        proxy.send(&line);
        assert_eq!(proxy.receive()["error"]["code"], code);
    }
    let input = proxy.input.as_mut().expect("open");
    input
        .write_all(b"{\"id\":1,\"method\":\"\xff\"}\n")
        .expect("the proxy reads");
    assert_eq!(proxy.receive()["error"]["code"], -32700);
    assert!(!denied(&proxy.call(9, "echo", &json!({}))));
    let twice = proxy.call(10, "twice", &json!({}));
    assert_eq!(twice, proxy.receive());
    proxy.send(&request(11, "never", &json!({})));
    assert!(!denied(&proxy.call(12, "echo", &json!({"z":1}))));
    // A client that goes away in the midst of a call.
    proxy.child.kill().expect("it runs");
    assert_eq!(place.read("calls.log").lines().count(), 4);
}

#[test]
fn exit_codes_are_passed_on() {
    let place = Place::new("mcp-exit");
    let mut proxy = Proxy::start(&place, &[]);
    proxy.send(&request(1, "exit", &json!({"code":7})));
    assert_eq!(proxy.child.wait().expect("it ends").code(), Some(7));
    assert_eq!(
        outcomes(&place),
        BTreeMap::from([("unanswered".to_owned(), 1)])
    );
    let ran = place.run(&["mcp", "--no-audit", "--", "/no/such/program"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("cannot start /no/such/program"),
        "{}",
        ran.err
    );
}

#[test]
fn a_signal_ends_the_server_and_its_end_is_passed_on() {
    let place = Place::new("mcp-signal");
    let script = r#"echo '{"method":"up"}'; exec sleep 600"#;
    let mut proxy = Proxy::of(place.command(&["mcp", "--no-audit", "--", "sh", "-c", script]));
    // Whoever has heard of the server knows that signals are listened to.
    assert_eq!(proxy.receive(), json!({"method":"up"}));
    let killed = Command::new("kill")
        .arg(proxy.child.id().to_string())
        .status();
    assert!(killed.expect("kill runs").success());
    assert_eq!(proxy.child.wait().expect("it ends").code(), Some(128 + 15));
}

#[test]
fn words_of_a_command_are_never_read_by_a_shell() {
    let place = Place::new("mcp-argv");
    let ran = place.run(&[
        "mcp",
        "--no-audit",
        "--",
        "printf",
        "%s\\n",
        "{\"method\":\"$(touch pwned);`touch pwned`\"}",
    ]);
    assert_eq!(ran.out, "{\"method\":\"$(touch pwned);`touch pwned`\"}\n");
    assert!(!place.path("pwned").exists());
}

#[test]
fn an_audit_that_cannot_be_written_denies_calls() {
    let place = Place::new("mcp-closed");
    place.write("file", "");
    let ran = place.run(&["mcp", "--audit", "file/audit.jsonl", "--", server()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot be opened"), "{}", ran.err);
    let request = format!("{}\n", request(1, "echo", &json!({})));
    let ran = place.run_with(
        &[
            "mcp",
            "--audit",
            "file/audit.jsonl",
            "--audit-failure",
            "allow",
            "--",
            server(),
        ],
        request.as_bytes(),
    );
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("content"), "{}", ran.out);

    // The disk is full from the first line on.
    if PathBuf::from("/dev/full").exists() {
        fs::create_dir_all(place.path("full")).expect("a directory");
        std::os::unix::fs::symlink("/dev/full", place.path("full/audit.jsonl")).expect("a link");
        let ran = place.run_with(
            &[
                "mcp",
                "--audit",
                "full/audit.jsonl",
                "--",
                server(),
                "full.log",
            ],
            request.as_bytes(),
        );
        assert!(
            ran.out.contains("the audit log cannot be written"),
            "{}",
            ran.out
        );
        assert_eq!(place.read("full.log"), "");
    }
}

#[test]
fn secrets_are_nowhere() {
    let place = Place::new("mcp-secrets");
    let mut proxy = Proxy::start(&place, &[]);
    let shapes = shapes::all();
    let mut kept = String::new();
    for (place, shape) in shapes.iter().enumerate() {
        // Often enough that the guard has something to say about it, which it says here as well.
        for id in 0..7 {
            proxy.send(&json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{
                "name":"echo","arguments":{"text":shape.text},"_meta":{"sessionId":format!("s{place}")}}}).to_string());
            let answer = proxy.receive();
            for item in answer["result"]["content"].as_array().expect("a list") {
                let text = item["text"].as_str().expect("text");
                if text.starts_with("[unstuck]") {
                    kept.push_str(text);
                }
            }
        }
    }
    assert!(kept.contains("[redacted]"));
    kept.push_str(&proxy.end().1);
    for file in ["audit.jsonl", "audit.jsonl.head"] {
        kept.push_str(&place.read(file));
    }
    let tail = place.run(&["audit", "tail", "-n", "100000", "audit.jsonl"]);
    kept.push_str(&tail.out);
    let leaked: Vec<_> = shapes
        .iter()
        .flat_map(|shape| &shape.secrets)
        .filter(|secret| secret.len() > 6 && kept.contains(&***secret))
        .collect();
    assert!(leaked.is_empty(), "{leaked:?}");
}

#[test]
fn the_audit_can_be_read_and_exported() {
    let place = Place::new("mcp-read");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    for id in 1..=21 {
        proxy.call(id, "echo", &json!({"a":"x,y"}));
    }
    proxy.end();
    let tail = place.run(&["audit", "tail", "-n", "2", "audit.jsonl"]);
    assert_eq!(tail.out.lines().count(), 2);
    assert!(
        tail.out.contains("s/echo {\"a\":\"x,y\"} by call-burst"),
        "{}",
        tail.out
    );
    let table = place.run(&["audit", "export", "audit.jsonl"]).out;
    assert_eq!(table.lines().count(), 22);
    assert!(table.contains("\"{\"\"a\"\":\"\"x,y\"\"}\""), "{table}");
    let lines = place.run(&["audit", "export", "--format", "jsonl", "audit.jsonl"]);
    assert_eq!(lines.answers().len(), 21);
}
