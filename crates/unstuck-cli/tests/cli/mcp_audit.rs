//! The options of `unstuck mcp` about what is recorded and said, and those of `unstuck audit`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::Child,
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    mcp_proxy::{Proxy, denied, eventually, server},
    run::Place,
};

fn recorded(place: &Place) -> Vec<Value> {
    let lines = place.read("audit.jsonl");
    let lines = lines.lines().map(serde_json::from_str);
    lines.map(|line| line.expect("a line of JSON")).collect()
}

#[test]
fn a_log_in_the_state_directory_is_named_by_its_server() {
    let place = Place::new("mcp-audit-named");
    let mut proxy = Proxy::of(place.command(&["mcp", "--name", "files", "--", server()]));
    proxy.call(1, "echo", &json!({"x":1}));
    proxy.end();
    let ran = place.run(&["audit", "tail", "files"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("files/echo"), "{ran:?}");
    let ran = place.run(&["audit", "verify", "files"]);
    assert!(ran.out.contains("audit/files.jsonl is whole"), "{ran:?}");
    let ran = place.run(&["audit", "export", "files", "--format", "jsonl"]);
    assert!(ran.out.contains("\"tool\":\"echo\""), "{ran:?}");
    // A file of that name goes first.
    place.write("files", "a letter\n");
    assert_ne!(place.run(&["audit", "verify", "files"]).code, Some(0));
    let ran = place.run(&["audit", "tail", "nosuch"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(
        ran.err,
        "error: nosuch: no such file; servers with a log in the state directory: files\n"
    );
}

#[test]
fn how_much_of_the_arguments_is_recorded_can_be_said() {
    let arguments = json!({"note":"a note of mine","password":"hunter2-hunter2","path":"a.txt"});
    for (name, options, said, unsaid) in [
        (
            "usual",
            &[][..],
            &["a note of mine", "a.txt"][..],
            &["hunter2"][..],
        ),
        (
            "hide",
            &["--audit-hide", "s__*:note"],
            &["a.txt"],
            &["a note", "hunter2"],
        ),
        (
            "none",
            &["--audit-arguments", "none"],
            &["fingerprint"],
            &["a note", "a.txt"],
        ),
        (
            "raw",
            &["--audit-arguments", "raw"],
            &["a note of mine", "hunter2"],
            &[],
        ),
    ] {
        let place = Place::new(&format!("mcp-audit-{name}"));
        let mut proxy = Proxy::start(&place, options);
        proxy.call(1, "echo", &arguments);
        proxy.end();
        let log = place.read("audit.jsonl");
        for word in said {
            assert!(log.contains(word), "{name}: {word} in {log}");
        }
        for word in unsaid {
            assert!(!log.contains(word), "{name}: {word} in {log}");
        }
    }
    let place = Place::new("mcp-audit-hide-nothing");
    let ran = place.run(&["mcp", "--audit-hide", "note", "--", "cat"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("write TOOL:FIELD"), "{}", ran.err);
}

#[test]
fn floods_of_denials_are_counted_where_that_is_wanted() {
    let place = Place::new("mcp-audit-flood");
    let options = ["--preset", "ironcurtain", "--audit-count-denials"];
    let mut proxy = Proxy::start(&place, &options);
    for id in 1..=120 {
        assert_eq!(denied(&proxy.call(id, "echo", &json!({}))), id > 20, "{id}");
    }
    proxy.end();
    let lines = recorded(&place);
    let of = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert!(of("call") < 60, "{} lines", of("call"));
    let counted = lines.iter().filter_map(|line| line["count"].as_u64());
    assert_eq!(of("call") as u64 + counted.sum::<u64>(), 120);
    let ran = place.run(&["audit", "verify", "audit.jsonl"]);
    assert!(
        ran.out.contains("120 calls, 100 of them denied"),
        "{}",
        ran.out
    );
}

#[test]
fn a_log_goes_on_in_new_files_and_is_verified_as_one() {
    let place = Place::new("mcp-audit-rotate");
    let mut proxy = Proxy::start(&place, &["--audit-rotate", "2000"]);
    for id in 1..=30 {
        proxy.call(id, "echo", &json!({"number": id}));
    }
    proxy.end();
    let old = place.path("audit.jsonl.1");
    assert!(old.exists());
    let ran = place.run(&["audit", "verify", "audit.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains(": 30 calls, 0 of them denied"),
        "{}",
        ran.out
    );
    let head = ran.out.split("head: ").nth(1).expect("a head").trim();

    // Old files belong to it.
    let rows = place.run(&["audit", "export", "audit.jsonl"]).out;
    assert_eq!(rows.lines().count(), 31);
    let tail = place.run(&["audit", "tail", "-n", "30", "audit.jsonl"]).out;
    assert_eq!(tail.lines().count(), 30);

    // Whoever kept the head knows that nothing was cut off, and whoever has another head knows that something was.
    let with = |head: &str| place.run(&["audit", "verify", "--head", head, "audit.jsonl"]);
    assert_eq!(with(head).code, Some(0));
    let forged = head.replace(|digit: char| digit.is_ascii_lowercase(), "0");
    assert_eq!(with(&forged).code, Some(1), "{forged}");
    assert_eq!(with("no head").code, Some(2));

    fs::remove_file(old).expect("removed");
    let ran = place.run(&["audit", "verify", "audit.jsonl"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let ran = place.run(&["audit", "verify", "--partial", "audit.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("older files are not here"), "{}", ran.out);
}

#[test]
fn how_a_call_ended_is_recorded_though_no_other_follows() {
    let place = Place::new("mcp-audit-behind");
    let mut proxy = Proxy::start(&place, &[]);
    proxy.call(1, "echo", &json!({"number": 1}));
    let ended = |line: &Value| line["event"] == "call" && line["outcome"] == "ok";
    eventually("its line", || recorded(&place).iter().any(ended));
    let verified = || place.run(&["audit", "verify", "audit.jsonl"]).code == Some(0);
    eventually("a head that knows of it", || {
        place.read("audit.jsonl.head").starts_with("2 ") && verified()
    });
    proxy.end();
}

#[test]
fn a_log_is_followed() {
    let place = Place::new("mcp-audit-follow");
    let mut proxy = Proxy::start(&place, &[]);
    proxy.call(1, "echo", &json!({"number": 1}));
    let mut follower = place.command(&["audit", "tail", "--follow", "audit.jsonl"]);
    let mut follower = follower.spawn().expect("it starts");
    let mut output = follower.stdout.take().expect("a pipe");
    let mut seen = String::new();
    let mut id = 1;
    eventually("calls that were made later", || {
        id += 1;
        proxy.call(id, "echo", &json!({"number": id}));
        let mut bytes = [0; 4096];
        let read = output.read(&mut bytes).expect("it writes");
        seen += &String::from_utf8_lossy(&bytes[..read]);
        seen.contains("s/echo {\"number\":3}")
    });
    follower.kill().expect("it runs");
    follower.wait().expect("it ends");
    proxy.end();
}

#[test]
fn a_log_is_followed_over_two_rotations_at_once() {
    let place = Place::new("mcp-audit-follow-rotated");
    let line = |what: &str| {
        format!("{{\"event\":\"refused\",\"at\":0,\"from\":\"server\",\"reason\":\"{what}\"}}\n")
    };
    place.write("audit.jsonl", line("first"));
    let mut follower = place.command(&["audit", "tail", "--follow", "audit.jsonl"]);
    let mut follower = Follower(follower.spawn().expect("it starts"));
    let output = follower.0.stdout.take().expect("a pipe");
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut lines = BufReader::new(output).lines();
        lines.try_for_each(|line| sender.send(line.expect("text")))
    });
    let next = || lines.recv_timeout(Duration::from_secs(20)).expect("a line");
    assert!(next().ends_with("first"));
    let rotate = |number: u32| {
        let full = place.path(&format!("audit.jsonl.{number}"));
        fs::rename(place.path("audit.jsonl"), full).expect("renamed");
    };
    rotate(1);
    place.write("audit.jsonl", line("second"));
    rotate(2);
    place.write("audit.jsonl", line("third"));
    assert!(next().ends_with("second"));
    assert!(next().ends_with("third"));
}

/// A command that is killed when the test ends.
struct Follower(Child);

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_gets_heads_does_not_get_secrets() {
    let place = Place::new("mcp-audit-heads-secrets");
    place.write("heads.sh", "env > seen.new && mv seen.new seen\n");
    let words = ["mcp", "--audit", "audit.jsonl", "--head-to"];
    let words = [&words[..], &["command:sh heads.sh", "--", server()]].concat();
    let mut command = place.command(&words);
    command
        .env("UNSTUCK_MCP_TOKEN", "secret-1")
        .env("UNSTUCK_OTHER_PASSWORD", "secret-2");
    let mut proxy = Proxy::of(command);
    proxy.call(1, "echo", &json!({}));
    proxy.end();
    let seen = place.read("seen");
    assert!(seen.contains("UNSTUCK_HOME="), "{seen}");
    assert!(!seen.contains("secret-"), "{seen}");
}

#[test]
fn an_unchanged_result_of_a_read_only_tool_is_said_short_where_that_is_wanted() {
    let page = json!({"page": "the same words, ".repeat(40)});
    for (name, options, short) in [
        ("mcp-unchanged", &["--say-unchanged"][..], true),
        ("mcp-unchanged-off", &[], false),
    ] {
        let place = Place::new(name);
        let mut proxy = Proxy::start(&place, options);
        proxy.send(r#"{"jsonrpc":"2.0","id":0,"method":"tools/list"}"#);
        proxy.receive();
        let first = proxy.call(1, "look", &page);
        let again = proxy.call(2, "look", &page);
        let text = again["result"]["content"][0]["text"].as_str();
        let text = text.expect("a text");
        assert_eq!(text.contains("unchanged since call #1"), short, "{text}");
        assert_eq!(again["result"] == first["result"], !short, "{again}");
        proxy.end();
    }
}
