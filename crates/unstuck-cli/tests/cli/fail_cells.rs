//! Cells of the table of fail modes in SECURITY.md that need more than the same call twelve times: faults of one surface
//! only, and faults that appear while a proxy runs.

use std::{fs, os::unix::fs::symlink, process::Command};

use serde_json::{Value, json};

use crate::{
    fail_closed::limited,
    fail_modes::{GUARDED, OFF, Seen, by_check, by_hook, by_http, by_stdio, log},
    hook::pre,
    mcp_http_peer::Front,
    mcp_proxy::{Proxy, denied, eventually, server},
    run::{Place, finish},
};

/// Values of `fail`: not set, and both words for it.
const FAILS: [Option<&str>; 3] = [None, Some("open"), Some("closed")];

const LOG: &str = "audit.jsonl";

fn place(name: &str, fail: Option<&str>) -> Place {
    let place = Place::new(&format!("fail-cells-{name}-{}", fail.unwrap_or("unset")));
    if let Some(fail) = fail {
        place.write("home/unstuck.toml", format!("fail = \"{fail}\"\n"));
    }
    place
}

/// What `mcp` does where it is not open.
fn closes(fail: Option<&str>) -> bool {
    fail != Some("open")
}

fn stdio(place: &Place, words: &[&str]) -> Proxy {
    let mut all = vec!["mcp", "--name", "s"];
    all.extend(words);
    all.extend(["--", server(), "calls.log"]);
    Proxy::of(place.command(&all))
}

fn listening(words: &[&str]) -> Vec<String> {
    let mut all = vec!["mcp", "--listen", "127.0.0.1:0", "--name", "s"];
    all.extend(words);
    all.extend(["--", server()]);
    all.into_iter().map(ToOwned::to_owned).collect()
}

fn http(place: &Place, words: &[&str]) -> Front {
    let all = listening(words);
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    Front::of(place.command(&all))
}

fn by_front(front: &Front, id: u64, tool: &str) -> Value {
    let body = json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{"name":tool,"arguments":{"x":id},
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}});
    let headers = format!(
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    front.post(&headers, &body.to_string()).json()
}

fn verifies(place: &Place, log: &str) -> bool {
    place.run(&["audit", "verify", log]).code == Some(0)
}

#[test]
fn a_users_file_that_cannot_be_read_says_nothing_about_failing() {
    for (fail, hook) in [
        (None, GUARDED),
        (Some("open"), GUARDED),
        (Some("closed"), Seen::Denied(12)),
    ] {
        let place = Place::new(&format!(
            "fail-cells-unreadable-{}",
            fail.unwrap_or("unset")
        ));
        symlink("/proc/self/mem", place.path("home/unstuck.toml")).expect("a link");
        let with = |words: &[&str], input: &str| {
            let mut command = place.command(words);
            if let Some(fail) = fail {
                command.env("UNSTUCK_FAIL", fail);
            }
            finish(command, input.as_bytes())
        };
        let ran = with(&["hook", "claude-code"], &pre("1", "make").to_string());
        let denies = ran.out.contains("\"permissionDecision\":\"deny\"");
        assert_eq!(
            (ran.code, denies),
            (Some(0), hook != GUARDED),
            "{fail:?} {ran:?}"
        );
        assert!(log(&place).contains("the configuration is ignored"));
        let stdio = ["mcp", "--no-audit", "--", server()];
        assert_eq!(with(&stdio, "").code, Some(2), "{fail:?}");
        let http = listening(&["--no-audit"]);
        let http: Vec<_> = http.iter().map(String::as_str).collect();
        assert_eq!(with(&http, "").code, Some(2), "{fail:?}");
        assert_eq!(with(&["check"], "").code, Some(2), "{fail:?}");
    }
}

#[test]
fn a_projects_file_that_cannot_be_used_changes_nothing() {
    for fail in FAILS {
        for (name, text) in [
            ("broken", "nudge = ["),
            ("off", "mode = \"off\"\n"),
            ("unreadable", ""),
        ] {
            let place = place(&format!("project-{name}"), fail);
            if text.is_empty() {
                symlink("/proc/self/mem", place.path("unstuck.toml")).expect("a link");
            } else {
                place.write("unstuck.toml", text);
            }
            assert_eq!(by_hook(&place), GUARDED, "{fail:?} {name}");
            assert!(log(&place).contains("ignored"), "{fail:?} {name}");
            assert_eq!(
                by_stdio(&place, &["--no-audit"]),
                GUARDED,
                "{fail:?} {name}"
            );
            assert_eq!(by_http(&place, &["--no-audit"]), GUARDED, "{fail:?} {name}");
            assert_eq!(by_check(&place), GUARDED, "{fail:?} {name}");
            let (_, said) = stdio(&place, &["--no-audit"]).end();
            assert!(said.contains("unstuck.toml"), "{fail:?} {name}: {said}");
        }
    }
}

#[test]
fn a_recorded_line_that_was_changed_fails_only_verification() {
    for fail in FAILS {
        let place = place("changed", fail);
        let mut proxy = stdio(&place, &["--audit", LOG]);
        for id in 1..=3 {
            assert!(
                !denied(&proxy.call(id, "echo", &json!({"x":id}))),
                "{fail:?}"
            );
        }
        proxy.end();
        assert!(verifies(&place, LOG), "{fail:?}");
        let changed = place.read(LOG).replacen("\"x\":2", "\"x\":7", 1);
        place.write(LOG, changed);
        assert!(!verifies(&place, LOG), "{fail:?}");
        let mut proxy = stdio(&place, &["--audit", LOG]);
        assert!(!denied(&proxy.call(4, "echo", &json!({"x":4}))), "{fail:?}");
        proxy.end();
        let front = http(&place, &["--audit", LOG]);
        assert!(!denied(&by_front(&front, 5, "echo")), "{fail:?}");
        front.end();
        assert!(!verifies(&place, LOG), "{fail:?}");
    }
}

#[test]
fn an_audit_that_is_removed_under_a_proxy() {
    for fail in FAILS {
        let place = place("removed", fail);
        let mut proxy = stdio(&place, &["--audit", LOG]);
        assert!(!denied(&proxy.call(1, "echo", &json!({"x":1}))), "{fail:?}");
        fs::remove_file(place.path(LOG)).expect("removed");
        let answer = proxy.call(2, "echo", &json!({"x":2}));
        assert_eq!(denied(&answer), closes(fail), "{fail:?} {answer}");
        proxy.end();
        let front = http(&place, &["--audit", "http.jsonl"]);
        assert!(!denied(&by_front(&front, 1, "echo")), "{fail:?}");
        fs::remove_file(place.path("http.jsonl")).expect("removed");
        let answer = by_front(&front, 2, "echo");
        assert_eq!(denied(&answer), closes(fail), "{fail:?} {answer}");
        let closed = place.as_person(&["audit", "close", "http.jsonl"]);
        assert_eq!(closed.code, Some(0), "{closed:?}");
        assert!(!denied(&by_front(&front, 3, "echo")), "{fail:?}");
        front.end();
    }
}

/// A limit on the size of files stands in for a disk that is full.
#[test]
fn a_disk_that_is_full_over_http() {
    for fail in FAILS {
        let place = place("disk", fail);
        let words = listening(&["--audit", LOG]);
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let front = Front::of(limited(&place, 8, &words));
        let last = (1..=60).map(|id| by_front(&front, id, "echo")).last();
        let last = last.expect("an answer");
        assert_eq!(denied(&last), closes(fail), "{fail:?} {last}");
        front.end();
        // With room again, the log continues.
        let mut proxy = stdio(&place, &["--audit", LOG]);
        assert!(!denied(&proxy.call(1, "echo", &json!({"y":1}))), "{fail:?}");
        proxy.end();
        assert!(verifies(&place, LOG), "{fail:?}");
    }
}

#[test]
fn policies_that_break_later_stay_in_force() {
    for fail in FAILS {
        let place = place("policy", fail);
        let allowing = "permit (principal, action, resource);";
        let words = ["--no-audit", "--policy", "p.cedar"];
        place.write("p.cedar", allowing);
        let mut proxy = stdio(&place, &words);
        let front = http(&place, &words);
        place.write("p.cedar", "permit (");
        std::thread::sleep(std::time::Duration::from_millis(700));
        assert!(!denied(&proxy.call(1, "echo", &json!({"x":1}))), "{fail:?}");
        assert!(!denied(&by_front(&front, 1, "echo")), "{fail:?}");
        place.write("p.cedar", "// None: all is forbidden.");
        let mut id = 1;
        eventually("the next valid policies apply", || {
            id += 1;
            denied(&proxy.call(id, "echo", &json!({"x":id})))
                && denied(&by_front(&front, id, "echo"))
        });
        proxy.end();
        front.end();
    }
}

#[test]
fn a_mode_that_does_not_exist() {
    for fail in FAILS {
        let place = place("mode", fail);
        let with = |words: &[&str], input: &str| {
            let mut command = place.command(words);
            command.env("UNSTUCK_MODE", "banana");
            finish(command, input.as_bytes())
        };
        let ran = with(&["hook", "claude-code"], &pre("1", "make").to_string());
        assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{fail:?}");
        let http = listening(&["--no-audit"]);
        let http: Vec<_> = http.iter().map(String::as_str).collect();
        let stdio = ["mcp", "--no-audit", "--", server()];
        for words in [&stdio[..], &http, &["check"]] {
            assert_eq!(with(words, "").code, Some(2), "{fail:?} {words:?}");
        }
    }
}

#[test]
fn a_guard_that_is_off_keeps_policies_and_audit() {
    for fail in FAILS {
        let place = place("off", fail);
        let ran = place.as_person(&["mode", "off"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(by_hook(&place), OFF, "{fail:?}");
        assert_eq!(by_stdio(&place, &["--no-audit"]), OFF, "{fail:?}");
        assert_eq!(by_http(&place, &["--no-audit"]), OFF, "{fail:?}");
        assert_eq!(by_check(&place), GUARDED, "{fail:?}");
        place.write(
            "p.cedar",
            "permit (principal, action, resource);\nforbid (principal, action, resource == Tool::\"s/echo\");\n",
        );
        let words = ["--policy", "p.cedar", "--audit", LOG];
        let mut proxy = stdio(&place, &words);
        assert!(denied(&proxy.call(1, "echo", &json!({}))), "{fail:?}");
        proxy.end();
        let front = http(&place, &words);
        assert!(denied(&by_front(&front, 2, "echo")), "{fail:?}");
        front.end();
        let calls = place.read(LOG);
        let calls = calls
            .lines()
            .filter(|line| line.contains("\"event\":\"call\""));
        assert_eq!(calls.count(), 2, "{fail:?}");
    }
}

#[test]
fn a_message_that_cannot_be_read_is_refused_by_a_proxy() {
    for fail in FAILS {
        let place = place("message", fail);
        let mut proxy = stdio(&place, &["--no-audit"]);
        proxy.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":");
        let answer = proxy.receive();
        assert!(answer["error"]["message"].is_string(), "{fail:?} {answer}");
        assert!(!denied(&proxy.call(8, "echo", &json!({}))), "{fail:?}");
        proxy.end();
        let front = http(&place, &["--no-audit"]);
        assert_eq!(front.post("", "{\"jsonrpc\":").status, 400, "{fail:?}");
        assert!(!denied(&by_front(&front, 1, "echo")), "{fail:?}");
        front.end();
    }
}

/// A build for tests has a switch for this. With `fail` set it is tested beside the other rows.
#[cfg(debug_assertions)]
#[test]
fn a_fault_in_unstuck_itself_where_nothing_is_set() {
    let place = place("fault", None);
    let faulty = |mut command: Command| {
        command.env("UNSTUCK_TEST_FAULT", "1");
        command
    };
    let input = pre("1", "make").to_string();
    let ran = finish(
        faulty(place.command(&["hook", "claude-code"])),
        input.as_bytes(),
    );
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{ran:?}");
    let words = ["mcp", "--name", "s", "--no-audit", "--", server()];
    let mut proxy = Proxy::of(faulty(place.command(&words)));
    assert!(denied(&proxy.call(1, "echo", &json!({}))));
    assert_eq!(proxy.end().0, Some(0));
    let words = listening(&["--no-audit"]);
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let front = Front::of(faulty(place.command(&words)));
    assert!(denied(&by_front(&front, 1, "echo")));
    front.end();
    let ran = finish(
        faulty(place.command(&["check"])),
        crate::run::repeats(1).as_bytes(),
    );
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.out, "");
}
