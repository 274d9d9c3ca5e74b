//! Policies: what they compare, what they cost, and the file they come from.

use std::{
    fs::{self, File, FileTimes},
    io::{BufRead as _, BufReader, Read as _},
    os::unix::fs::MetadataExt as _,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    mcp_proxy::{Proxy, denied, eventually, request},
    run::Place,
};

const PERMIT: &str = "permit (principal, action, resource);\n";

/// Spellings of 7 that servers with lenient types take: pydantic, Python's `int`, JavaScript's `Number` and `parseInt`.
const SEVENS: [&str; 14] = [
    "7",
    "7.0",
    "70e-1",
    r#""7""#,
    r#""007""#,
    r#"" 7 ""#,
    r#""+7""#,
    r#""7.0""#,
    r#""0_7""#,
    r#""0x7""#,
    r#""\u00a07""#,
    r#""７""#,
    "[7]",
    r#"["7"]"#,
];

fn number_policy(condition: &str) -> String {
    format!(
        "{PERMIT}@id(\"keep-7\")\nforbid (principal, action, resource)\nwhen {{ {condition} }};\n"
    )
}

#[test]
fn b1_a_number_is_forbidden_however_it_is_spelled() {
    let place = Place::new("attack-b1-spelled");
    place.write(
        "p.cedar",
        number_policy("context.numbers has id && context.numbers.id.contains(7)"),
    );
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain", "--policy", "p.cedar"]);
    for (id, spelled) in (1..).zip(SEVENS) {
        let value: Value = serde_json::from_str(spelled).expect("JSON");
        let answer = proxy.call(id, "echo", &json!({ "id": value }));
        assert!(denied(&answer), "{spelled}: {answer}");
    }
    for (id, value) in (100..).zip([json!(8), json!("70"), json!("seven"), json!(77)]) {
        let answer = proxy.call(id, "echo", &json!({ "id": value }));
        assert!(!denied(&answer), "{value}: {answer}");
    }
    assert!(!denied(&proxy.call(200, "echo", &json!({}))));
    proxy.end();
    assert_eq!(place.read("calls.log").lines().count(), 5);
}

#[test]
fn b1_a_permitted_number_is_an_integer_and_nothing_else() {
    let place = Place::new("attack-b1-permit");
    place.write(
        "p.cedar",
        "permit (principal, action, resource)\nwhen { context.types has id && context.types.id == \"integer\" && context.arguments.id == 5 };\n",
    );
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain", "--policy", "p.cedar"]);
    assert!(!denied(&proxy.call(1, "echo", &json!({"id": 5}))));
    assert!(!denied(&proxy.call(2, "echo", &json!({"id": 5.0}))));
    for (id, value) in (3..).zip([json!("5"), json!([5]), json!(6), json!(null), json!(true)]) {
        assert!(denied(&proxy.call(id, "echo", &json!({ "id": value }))));
    }
    let (_, said) = proxy.end();
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn b1_a_comparison_with_a_number_is_warned_of() {
    let place = Place::new("attack-b1-warned");
    for condition in [
        "context.arguments has id && context.arguments.id == 7",
        "context.arguments has id && 7 == context.arguments.id",
        "context.arguments has id && !(context.arguments.id != 7)",
        "context.arguments has id && [7, 8].contains(context.arguments.id)",
        "context.arguments has ids && context.arguments.ids.contains(7)",
        "context.arguments has ids && context.arguments.ids.containsAny([7])",
        "context.arguments == {\"id\": 7}",
    ] {
        place.write("p.cedar", number_policy(condition));
        let proxy = Proxy::start(&place, &["--policy", "p.cedar"]);
        let (code, said) = proxy.end();
        assert_eq!(code, Some(0), "{condition}: {said}");
        assert!(said.contains("warning: p.cedar:4:"), "{condition}: {said}");
        assert!(said.contains("`keep-7`"), "{condition}: {said}");
        assert!(said.contains("context.numbers"), "{condition}: {said}");
    }
}

#[test]
fn b1_policy_check_shows_the_decision_and_what_made_it() {
    let place = Place::new("attack-b1-check");
    let text = format!(
        "{PERMIT}\n@id(\"keep-7\")\n@reason(\"the owner's account\")\nforbid (principal, action, resource == Tool::\"db/delete\")\nwhen {{ context.numbers has id && context.numbers.id.contains(7) }};\nforbid (principal, action, resource == Tool::\"db/drop\")\nwhen {{ context.arguments.all }};\n"
    );
    place.write("p.cedar", text);
    let ran = place.run(&["policy", "check", "p.cedar"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("3 policies, 0 warnings"), "{}", ran.out);

    let seven = r#"{"id":" 007 "}"#;
    let ran = place.run(&[
        "policy",
        "check",
        "p.cedar",
        "--tool",
        "db/delete",
        "--arguments",
        seven,
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for word in [
        "forbid db/delete",
        "`keep-7`",
        "p.cedar:3",
        "the owner's account",
    ] {
        assert!(ran.out.contains(word), "{word}: {}", ran.out);
    }

    let message = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":{"id":8}}}"#;
    let words = [
        "policy", "check", "p.cedar", "--server", "db", "--format", "json", "--call",
    ];
    for (call, input) in [(message, ""), ("-", message)] {
        let ran = place.run_with(&[&words[..], &[call]].concat(), input.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(answer["decision"], "permit");
        assert_eq!(answer["decided_by"][0]["policy"], "policy0");
        assert_eq!(answer["decided_by"][0]["line"], 1);
    }

    // A condition that cannot be evaluated forbids, and the error says why.
    let call = r#"{"tool":"drop","server":"db","arguments":{"all":"yes"}}"#;
    let ran = place.run(&[
        "policy", "check", "p.cedar", "--format", "json", "--call", call,
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(answer["decided_by"][0]["policy"], "policy2");
    assert_eq!(answer["errors"][0]["line"], 7);

    place.write(
        "broken.cedar",
        "permit (principal, action,\n  resource) when { context.tol == 1 };",
    );
    let ran = place.run(&["policy", "check", "broken.cedar"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("broken.cedar:2:28:"), "{}", ran.err);
    let ran = place.run(&["policy", "check", "broken.cedar", "--format", "json"]);
    assert_eq!(ran.code, Some(2));
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (&answer["valid"], &answer["error"]["line"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(place.run(&["policy", "check", "none.cedar"]).code, Some(2));
    let ran = place.run(&["policy", "check", "p.cedar", "--call", "{}"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
}

/// Arguments whose conversion for Cedar cost 260 times their size.
fn costly(sets: usize) -> String {
    let one = |number: usize| format!("{{\"a\":[{number},{{\"b\":[{number}]}}]}}");
    let sets: Vec<_> = (0..sets).map(one).collect();
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\"arguments\":{{\"set\":[{}]}}}}}}",
        sets.join(",")
    )
}

/// The most memory that the proxy had so far, in kilobytes.
fn peak(proxy: &Proxy) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", proxy.child.id())).expect("status");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
#[cfg(target_os = "linux")]
fn b7_arguments_that_policies_read_are_bounded() {
    let place = Place::new("attack-b7");
    place.write(
        "p.cedar",
        format!("{PERMIT}forbid (principal, action, resource) when {{ context.arguments has set && context.arguments.set == [] }};"),
    );
    // 5.8 MB.
    let message = costly(200_000);
    let mut proxy = Proxy::start(&place, &["--policy", "p.cedar"]);
    assert!(!denied(&proxy.call(
        1,
        "echo",
        &json!({"set": [1, {"a": "b"}]})
    )));
    let before = peak(&proxy);
    proxy.send(&message);
    let answer = proxy.receive();
    assert!(denied(&answer), "{}", answer.to_string().len());
    let text = answer["result"]["content"][0]["text"]
        .as_str()
        .expect("text");
    assert!(text.contains("bytes"), "{text}");
    let grown = peak(&proxy) - before;
    assert!(grown < 150_000, "{grown} kB for {} bytes", message.len());
    assert!(!denied(&proxy.call(2, "echo", &json!({"set": [2]}))));
}

#[test]
#[cfg(target_os = "linux")]
fn b7_arguments_that_no_policy_reads_cost_nothing() {
    let place = Place::new("attack-b7-unread");
    place.write(
        "p.cedar",
        format!("{PERMIT}forbid (principal, action, resource) when {{ context.arguments has path && context.arguments.path like \"*.pem\" }};"),
    );
    let mut proxy = Proxy::start(&place, &["--policy", "p.cedar"]);
    proxy.call(1, "echo", &json!({}));
    let before = peak(&proxy);
    proxy.send(&costly(200_000));
    assert!(!denied(&proxy.receive()));
    let grown = peak(&proxy) - before;
    assert!(grown < 150_000, "{grown} kB");
}

/// Ends the proxy by SIGTERM, and says how long that took.
fn terminate(mut proxy: Proxy) -> Duration {
    let start = Instant::now();
    let ended = Command::new("kill")
        .args(["-TERM", &proxy.child.id().to_string()])
        .status();
    assert!(ended.expect("kill runs").success());
    while start.elapsed() < Duration::from_secs(30) {
        if proxy.child.try_wait().expect("a child").is_some() {
            return start.elapsed();
        }
        thread::sleep(Duration::from_millis(20));
    }
    let _ = proxy.child.kill();
    let _ = proxy.child.wait();
    start.elapsed()
}

fn fifo(place: &Place, name: &str) {
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.expect("mkfifo runs").success());
}

/// Lines of the proxy's standard error, as they come.
fn lines(proxy: &mut Proxy) -> mpsc::Receiver<String> {
    let stderr = proxy.child.stderr.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    receiver
}

fn wait_for(lines: &mpsc::Receiver<String>, word: &str) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(20) {
        match lines.recv_timeout(Duration::from_millis(100)) {
            Ok(line) if line.contains(word) => return,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            _ => {}
        }
    }
    panic!("never on standard error: {word}");
}

#[test]
fn c8_a_policy_file_that_becomes_a_pipe_changes_nothing() {
    let place = Place::new("attack-c8");
    let forbid =
        format!("{PERMIT}@id(\"stop\") forbid (principal, action, resource == Tool::\"s/wipe\");");
    for kind in ["fifo", "directory", "device", "huge"] {
        let _ = fs::remove_dir(place.path("p.cedar"));
        let _ = fs::remove_file(place.path("p.cedar"));
        place.write("p.cedar", &forbid);
        let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain", "--policy", "p.cedar"]);
        let said = lines(&mut proxy);
        assert!(denied(&proxy.call(1, "wipe", &json!({}))), "{kind}");
        fs::remove_file(place.path("p.cedar")).expect("removed");
        match kind {
            "fifo" => fifo(&place, "p.cedar"),
            "directory" => fs::create_dir(place.path("p.cedar")).expect("made"),
            "device" => {
                std::os::unix::fs::symlink("/dev/zero", place.path("p.cedar")).expect("made");
            }
            _ => {
                let file = File::create(place.path("p.cedar")).expect("made");
                file.set_len(8 << 30).expect("sparse");
            }
        }
        wait_for(&said, "the policies from before stay");
        assert!(denied(&proxy.call(2, "wipe", &json!({}))), "{kind}");
        assert!(!denied(&proxy.call(3, "echo", &json!({}))), "{kind}");
        let took = terminate(proxy);
        assert!(took < Duration::from_secs(7), "{kind}: {took:?}");
    }
}

#[test]
fn c8_a_pipe_in_place_of_the_first_policy_file_is_an_error() {
    let place = Place::new("attack-c8-start");
    fifo(&place, "p.cedar");
    let mut command = place.command(&["mcp", "--policy", "p.cedar", "--", "cat"]);
    let mut child = command.stdin(Stdio::null()).spawn().expect("starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break Some(status);
        }
        if start.elapsed() > Duration::from_secs(15) {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let status = status.expect("it waits for the pipe");
    assert_eq!(status.code(), Some(2));
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut said).expect("text");
    assert!(said.contains("not a regular file"), "{said}");
}

#[test]
fn c9_a_policy_edited_in_place_with_the_same_size_and_time_is_noticed() {
    let place = Place::new("attack-c9");
    let text = |word: &str| format!("{word} (principal, action, resource);\n");
    place.write("p.cedar", text("permit"));
    let mut proxy = Proxy::start(&place, &["--preset", "ironcurtain", "--policy", "p.cedar"]);
    assert!(!denied(&proxy.call(1, "echo", &json!({"n": 1}))));
    let path = place.path("p.cedar");
    let before = fs::metadata(&path).expect("a file");
    fs::write(&path, text("forbid")).expect("written in place");
    let times = FileTimes::new().set_modified(before.modified().expect("a time"));
    let file = File::options().write(true).open(&path).expect("a file");
    file.set_times(times).expect("set");
    let after = fs::metadata(&path).expect("a file");
    assert_eq!(
        (before.ino(), before.len(), before.modified().ok()),
        (after.ino(), after.len(), after.modified().ok())
    );
    let mut id = 1;
    let start = Instant::now();
    loop {
        id += 1;
        proxy.send(&request(id, "echo", &json!({"n": id})));
        if denied(&proxy.receive()) {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(15), "never noticed");
        thread::sleep(Duration::from_millis(50));
    }
    // And back again.
    fs::write(&path, text("permit")).expect("written in place");
    file.set_times(times).expect("set");
    eventually("the first policy again", || {
        id += 1;
        !denied(&proxy.call(id, "echo", &json!({"n": id})))
    });
}
