//! `unstuck mcp` between a client and a small server.

use std::{collections::BTreeMap, process::Command, thread, time::Duration};

use serde_json::json;

use crate::{
    mcp_proxy::{Proxy, denied, eventually, outcomes, request, server, verified},
    run::Place,
};

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
        ran.out.contains(" in 1 file: 61 calls, 40 of them denied"),
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
#[ignore = "takes a minute"]
fn the_breaker_opens_again_after_a_minute() {
    let place = Place::new("mcp-minute");
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain"]);
    for id in 1..=20 {
        assert!(!denied(&proxy.call(id, "echo", &json!({}))));
    }
    assert!(denied(&proxy.call(21, "echo", &json!({}))));
    thread::sleep(Duration::from_mins(1));
    assert!(!denied(&proxy.call(22, "echo", &json!({}))));
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

    // There is not even room for the first line.
    let ran = place.run_with(
        &[
            "mcp",
            "--audit",
            "full/audit.jsonl",
            "--audit-budget",
            "10",
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
