//! The table of fail modes in SECURITY.md for both values of `fail`: one test a row, one line a cell.

use std::{
    fs::{self, File},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    fail_modes::{GUARDED, OFF, Seen, TIMES, by_check, by_hook, by_http, by_stdio, log},
    hook::{hook, pre},
    mcp_http_peer::Front,
    mcp_proxy::{Proxy, denied, server},
    run::{Place, Ran, finish},
};

/// Every call is denied.
const DENIED: Seen = Seen::Denied(TIMES as usize);

/// Every call runs.
const RUNS: Seen = OFF;

/// A place where the user's file says what becomes of calls that cannot be judged.
fn place(name: &str, fail: &str) -> Place {
    let place = Place::new(&format!("{name}-{fail}"));
    place.write("home/unstuck.toml", format!("fail = \"{fail}\"\n"));
    place
}

fn denies(ran: &Ran) -> bool {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out.contains("\"permissionDecision\":\"deny\"")
}

/// One call before it runs.
fn ask(place: &Place) -> bool {
    denies(&hook(place, "claude-code", &pre("x", "pwd")))
}

#[test]
fn without_a_fault_both_guard_alike() {
    for fail in ["open", "closed"] {
        let place = place("fail-none", fail);
        assert_eq!(by_hook(&place), GUARDED);
        assert_eq!(by_stdio(&place, &[]), GUARDED);
        assert_eq!(by_http(&place, &["--audit", "http.jsonl"]), GUARDED);
        assert_eq!(by_check(&place), GUARDED);
    }
}

#[test]
fn a_mistake_in_the_users_file() {
    for (fail, seen) in [("open", GUARDED), ("closed", DENIED)] {
        for (name, mistake) in [("key", "no-such-key = 1\n"), ("syntax", "mode = [\n")] {
            let place = place(&format!("fail-both-mistake-{name}"), fail);
            let text = format!("fail = \"{fail}\"\n{mistake}");
            place.write("home/unstuck.toml", text);
            assert_eq!(by_hook(&place), seen, "{fail} {mistake}");
            assert_eq!(by_stdio(&place, &["--no-audit"]), Seen::NoStart);
            assert_eq!(by_http(&place, &["--no-audit"]), Seen::NoStart);
            assert_eq!(by_check(&place), Seen::NoStart);
        }
    }
}

#[test]
fn a_projects_file_can_only_close() {
    let place = Place::new("fail-both-project");
    // Nothing can be stored, so every hook fails.
    place.write("state", "a file");
    assert!(!ask(&place));
    place.write("unstuck.toml", "fail = \"closed\"\n");
    assert_eq!(by_hook(&place), DENIED);
    place.write("home/unstuck.toml", "fail = \"closed\"\n");
    place.write("unstuck.toml", "fail = \"open\"\n");
    assert_eq!(by_hook(&place), DENIED);
    place.write("home/unstuck.toml", "");
    assert_eq!(by_stdio(&place, &[]), Seen::NoStart);
    // The user's own word counts.
    place.write("home/unstuck.toml", "fail = \"open\"\n");
    assert_eq!(by_stdio(&place, &[]), GUARDED);
}

#[test]
fn a_projects_broken_file_closes_nothing() {
    let place = place("fail-both-stranger", "closed");
    place.write("unstuck.toml", "nudge = [");
    assert_eq!(by_hook(&place), GUARDED);
}

#[test]
fn a_directory_that_cannot_be_written() {
    let open = place("fail-both-directory", "open");
    open.write("state", "a file");
    assert_eq!(by_hook(&open), RUNS);
    assert_eq!(by_stdio(&open, &[]), GUARDED);
    assert_eq!(by_http(&open, &[]), GUARDED);
    let closed = place("fail-both-directory", "closed");
    closed.write("state", "a file");
    assert_eq!(by_hook(&closed), DENIED);
    assert_eq!(by_stdio(&closed, &[]), Seen::NoStart);
    assert_eq!(by_http(&closed, &[]), Seen::NoStart);
    // An option of the command is nearer than the file.
    let words = ["--audit-failure", "allow"];
    assert_eq!(by_stdio(&closed, &words), GUARDED);
    let words = ["--audit-failure", "deny"];
    assert_eq!(by_stdio(&open, &words), Seen::NoStart);
}

#[test]
fn damaged_state_and_a_damaged_audit() {
    for (fail, first, with_audit) in [("open", false, GUARDED), ("closed", true, DENIED)] {
        let place = place("fail-both-damaged", fail);
        assert!(!ask(&place));
        damage(&place);
        assert_eq!(ask(&place), first, "{fail}");
        assert!(log(&place).contains("starts afresh"));
        assert_eq!(by_hook(&place), GUARDED, "it started afresh");
        let audit = ["--audit", "audit.jsonl"];
        assert_eq!(by_stdio(&place, &audit), GUARDED);
        let whole = place.read("audit.jsonl");
        place.write("audit.jsonl", &whole[..whole.len() / 2]);
        assert_eq!(by_stdio(&place, &audit), with_audit, "{fail}");
        assert_eq!(by_http(&place, &audit), with_audit, "{fail}");
        // A file that is not a log is not touched.
        place.write("other.txt", "a letter\n");
        let other = ["--audit", "other.txt"];
        let seen = if first { Seen::NoStart } else { GUARDED };
        assert_eq!(by_stdio(&place, &other), seen, "{fail}");
        assert_eq!(by_http(&place, &other), seen, "{fail}");
        assert_eq!(place.read("other.txt"), "a letter\n");
    }
}

fn damage(place: &Place) {
    for directory in fs::read_dir(place.path("state/sessions")).expect("a directory") {
        let Ok(files) = fs::read_dir(directory.expect("an entry").path()) else {
            continue;
        };
        for file in files {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "state") {
                fs::write(path, "garbage").expect("a file");
            }
        }
    }
}

#[test]
fn a_lock_that_another_process_holds() {
    for (fail, is_denied) in [("open", false), ("closed", true)] {
        let place = place("fail-both-lock", fail);
        ask(&place);
        let locks = fs::read_dir(place.path("state/sessions"))
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path().join("lock"));
        let held: Vec<_> = locks.filter_map(|lock| File::open(lock).ok()).collect();
        assert!(!held.is_empty());
        for lock in &held {
            lock.lock().expect("a lock");
        }
        assert_eq!(ask(&place), is_denied, "{fail}");
        drop(held);
        let mut proxy = Proxy::of(place.command(&[
            "mcp",
            "--name",
            "s",
            "--audit",
            "audit.jsonl",
            "--",
            server(),
        ]));
        assert!(!denied(&proxy.call(1, "echo", &json!({}))));
        let head = File::open(place.path("audit.jsonl.head")).expect("a head file");
        head.lock().expect("a lock");
        let answer = proxy.call(2, "echo", &json!({"x":1}));
        assert_eq!(denied(&answer), is_denied, "{fail} {answer}");
        drop(head);
        proxy.end();
        let front = Front::of(place.command(&[
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--name",
            "s",
            "--audit",
            "http.jsonl",
            "--",
            server(),
        ]));
        let head = File::open(place.path("http.jsonl.head")).expect("a head file");
        head.lock().expect("a lock");
        let answer = modern(&front);
        assert_eq!(denied(&answer), is_denied, "{fail} {answer}");
        drop(head);
    }
}

/// A call of the protocol without sessions.
fn modern(front: &Front) -> Value {
    let body = json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{},
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}});
    let headers =
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
    front.post(headers, &body.to_string()).json()
}

/// A limit on the size of files stands in for a disk that is full.
#[test]
fn a_full_disk() {
    for (fail, is_denied) in [("open", false), ("closed", true)] {
        let place = place("fail-both-disk", fail);
        for number in 0..30 {
            let input = pre(&format!("c{number}"), &format!("make {number}"));
            hook(&place, "claude-code", &input);
        }
        let command = limited(&place, 1, &["hook", "claude-code"]);
        let ran = finish(command, pre("x", "make").to_string().as_bytes());
        assert_eq!(denies(&ran), is_denied, "{fail}");
        let words = [
            "mcp",
            "--name",
            "s",
            "--audit",
            "audit.jsonl",
            "--",
            server(),
        ];
        let mut proxy = Proxy::of(limited(&place, 8, &words));
        // More lines than the limit has room for.
        let last = (0..60)
            .map(|id| proxy.call(id, "echo", &json!({"x":id})))
            .last();
        let last = last.expect("an answer");
        assert_eq!(denied(&last), is_denied, "{fail} {last}");
        proxy.end();
    }
}

/// The command with room for so many blocks of 512 bytes in each file.
pub(crate) fn limited(place: &Place, blocks: u32, words: &[&str]) -> Command {
    let plain = place.command(words);
    let mut limited = Command::new("sh");
    limited
        .arg("-c")
        .arg(format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\""
        ))
        .arg(plain.get_program())
        .args(words)
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

#[test]
fn policies_that_are_broken() {
    for fail in ["open", "closed"] {
        let place = place("fail-both-policy", fail);
        place.write("p.cedar", "permit (");
        let words = ["--no-audit", "--policy", "p.cedar"];
        assert_eq!(by_stdio(&place, &words), Seen::NoStart);
        assert_eq!(by_http(&place, &words), Seen::NoStart);
    }
}

#[test]
fn a_word_that_is_neither() {
    let place = Place::new("fail-both-word");
    let with = |words: &[&str], input: &str| {
        let mut command = place.command(words);
        command.env("UNSTUCK_FAIL", "banana");
        finish(command, input.as_bytes())
    };
    let ran = with(&["hook", "claude-code"], &pre("1", "make").to_string());
    assert!(!denies(&ran));
    assert!(log(&place).contains("UNSTUCK_FAIL must be open or closed"));
    let stdio = ["mcp", "--no-audit", "--", server()];
    assert_eq!(with(&stdio, "").code, Some(2));
    let http = [
        "mcp",
        "--listen",
        "127.0.0.1:0",
        "--no-audit",
        "--",
        server(),
    ];
    assert_eq!(with(&http, "").code, Some(2));
    assert_eq!(with(&["check"], "").code, Some(2));
}

#[test]
fn the_variable_goes_before_the_file() {
    let place = place("fail-both-variable", "closed");
    place.write("state", "a file");
    let mut command = place.command(&["hook", "claude-code"]);
    command.env("UNSTUCK_FAIL", "open");
    let ran = finish(command, pre("1", "make").to_string().as_bytes());
    assert!(!denies(&ran));
}

#[test]
fn a_guard_that_only_observes_denies_nothing() {
    let place = place("fail-both-observe", "closed");
    place.write(
        "home/unstuck.toml",
        "fail = \"closed\"\nmode = \"observe\"\n",
    );
    place.write("state", "a file");
    assert_eq!(by_hook(&place), RUNS);
}

#[test]
fn an_input_that_cannot_be_read() {
    for (fail, is_denied) in [("open", false), ("closed", true)] {
        let place = place("fail-both-input", fail);
        let broken = "{\"hook_event_name\":\"PreToolUse\",\"tool_input\":";
        let ran = place.run_with(&["hook", "claude-code"], broken.as_bytes());
        assert_eq!(denies(&ran), is_denied, "{fail}");
        // There is no call to deny.
        let broken = "{\"hook_event_name\":\"PostToolUse\",\"tool_input\":";
        let ran = place.run_with(&["hook", "claude-code"], broken.as_bytes());
        assert!(!denies(&ran));
        let ran = place.run_with(&["check"], b"nonsense\n");
        assert_eq!(ran.code, Some(2));
        let line: Value = serde_json::from_str(&ran.out).expect("JSON");
        let verdict = if is_denied { "deny" } else { "allow" };
        assert_eq!(
            (&line["line"], &line["verdict"]),
            (&json!(1), &json!(verdict))
        );
    }
    let place = Place::new("fail-both-input-unset");
    let ran = place.run_with(&["check"], b"nonsense\n");
    let line: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(line["verdict"].is_null(), "{line}");
}

/// A build for tests has a switch for this.
#[cfg(debug_assertions)]
#[test]
fn a_fault_in_unstuck_itself() {
    for (fail, is_denied) in [("open", false), ("closed", true)] {
        let place = place("fail-both-fault", fail);
        let faulty = |words: &[&str]| {
            let mut command = place.command(words);
            command.env("UNSTUCK_TEST_FAULT", "1");
            command
        };
        let input = pre("1", "make").to_string();
        let ran = finish(faulty(&["hook", "claude-code"]), input.as_bytes());
        assert_eq!(denies(&ran), is_denied, "{fail}");
        assert!(log(&place).contains("a fault in unstuck"));
        let words = ["mcp", "--name", "s", "--no-audit", "--", server()];
        let mut proxy = Proxy::of(faulty(&words));
        for id in 1..3 {
            let answer = proxy.call(id, "echo", &json!({}));
            assert_eq!(denied(&answer), is_denied, "{fail} {answer}");
        }
        assert_eq!(proxy.end().0, Some(0), "it goes on");
        let front = Front::of(faulty(&[
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--name",
            "s",
            "--no-audit",
            "--",
            server(),
        ]));
        for _ in 0..2 {
            let answer = modern(&front);
            assert_eq!(denied(&answer), is_denied, "{fail} {answer}");
        }
        let ran = finish(faulty(&["check"]), crate::run::repeats(1).as_bytes());
        let verdict = if is_denied { "deny" } else { "allow" };
        assert!(
            ran.out.contains(&format!("\"verdict\":\"{verdict}\"")),
            "{ran:?}"
        );
    }
}

#[test]
fn a_server_that_is_away_or_too_slow() {
    for fail in ["open", "closed"] {
        let place = place("fail-both-away", fail);
        let away = Front::of(place.command(&[
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--no-audit",
            "--upstream",
            "http://127.0.0.1:1/mcp",
        ]));
        assert_eq!(away.call(1, "echo", &json!({})).status, 502, "{fail}");
        let slow = Front::of(place.command(&[
            "mcp",
            "--listen",
            "127.0.0.1:0",
            "--no-audit",
            "--answer-timeout",
            "1",
            "--name",
            "s",
            "--",
            server(),
        ]));
        let body = json!({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"never","arguments":{},
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}});
        let headers =
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: never\r\n";
        assert_eq!(slow.post(headers, &body.to_string()).status, 504, "{fail}");
    }
}
