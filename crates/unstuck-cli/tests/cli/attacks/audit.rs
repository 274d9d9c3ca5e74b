//! What is recorded stays recorded.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink},
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    mcp_http_peer::{Front, Upstream},
    mcp_proxy::{Proxy, denied, eventually, server},
    run::{Place, Ran, finish},
};

const LOG: &str = "audit.jsonl";
const HEAD: &str = "audit.jsonl.head";

/// Starts a proxy and makes so many calls.
fn start(place: &Place, options: &[&str], calls: u64) -> Proxy {
    let mut proxy = Proxy::start(place, options);
    for id in 1..=calls {
        assert!(!denied(&call(&mut proxy, id)), "call {id} runs");
    }
    proxy
}

fn call(proxy: &mut Proxy, id: u64) -> Value {
    proxy.call(id, "echo", &json!({"n": id}))
}

fn verify(place: &Place, options: &[&str]) -> Ran {
    let words = [&["audit", "verify"], options, &[LOG]].concat();
    place.run(&words)
}

/// Lines of the log that say that a call was passed on.
fn forwards(place: &Place) -> usize {
    let log = place.read(LOG);
    log.lines()
        .filter(|line| line.contains("\"event\":\"forward\""))
        .count()
}

/// What is done to the log under a running proxy.
type Attack = fn(&Place);

const ATTACKS: [(&str, Attack); 8] = [
    ("removed", |place| {
        fs::remove_file(place.path(LOG)).expect("removed");
    }),
    ("moved", |place| {
        fs::rename(place.path(LOG), place.path("moved")).expect("moved");
    }),
    ("replaced", |place| {
        let ran = Command::new("sed")
            .args(["-i", "1d"])
            .arg(place.path(LOG))
            .status();
        assert!(ran.expect("sed runs").success());
    }),
    ("copied", |place| {
        fs::copy(place.path(LOG), place.path("copy")).expect("copied");
        fs::rename(place.path("copy"), place.path(LOG)).expect("moved");
    }),
    ("emptied", |place| {
        place.write(LOG, "");
    }),
    ("cut", |place| cut(place, 2)),
    ("link", |place| {
        fs::rename(place.path(LOG), place.path("moved")).expect("moved");
        symlink(place.path("moved"), place.path(LOG)).expect("a link");
    }),
    ("all", |place| {
        fs::remove_file(place.path(LOG)).expect("removed");
        fs::remove_file(place.path(HEAD)).expect("removed");
    }),
];

fn cut(place: &Place, lines: usize) {
    let log = place.read(LOG);
    let lines: String = log.split_inclusive('\n').take(lines).collect();
    place.write(LOG, lines);
}

/// Waits until the head covers the whole log, so that nothing is left to be written.
fn settled(place: &Place) {
    eventually("the head covers the log", || {
        let lines = place.read(LOG).lines().count();
        place.read(HEAD).starts_with(&format!("{lines} "))
    });
}

#[test]
fn a4_a_log_that_is_tampered_with_under_a_proxy_denies_calls_and_stays_broken() {
    for (name, attack) in ATTACKS {
        let place = Place::new(&format!("attack-audit-{name}"));
        let mut proxy = start(&place, &[], 3);
        settled(&place);
        let ran = place.read("calls.log").lines().count();
        attack(&place);
        for id in 10..13 {
            assert!(denied(&call(&mut proxy, id)), "{name}: call {id} is denied");
        }
        assert_eq!(place.read("calls.log").lines().count(), ran, "{name}");
        assert_eq!(verify(&place, &[]).code, Some(1), "{name}");
        proxy.end();

        // A restart does not heal it.
        let mut proxy = match name {
            // A link is not followed, so the proxy does not start.
            "link" => {
                fs::remove_file(place.path(LOG)).expect("removed");
                Proxy::start(&place, &[])
            }
            _ => Proxy::start(&place, &[]),
        };
        assert!(denied(&call(&mut proxy, 20)), "{name}: after a restart");
        let ran = verify(&place, &["--partial"]);
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.out);
        assert!(ran.err.contains("audit close"), "{name}: {}", ran.err);

        // A person closes it, and the proxy continues without a restart.
        let closed = place.as_person(&["audit", "close", LOG]);
        assert_eq!(closed.code, Some(0), "{name}: {}{}", closed.out, closed.err);
        assert!(
            !denied(&call(&mut proxy, 30)),
            "{name}: after it was closed"
        );
        proxy.end();
        let ran = verify(&place, &[]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert!(ran.out.contains("audit.jsonl.closed-1"), "{}", ran.out);
        let log = place.read(LOG);
        let first: Value = serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
        assert_eq!(first["event"], "resumed", "{name}");
        assert_eq!(first["last_line"], 6, "{name}: {first}");
    }
}

#[test]
fn a4_an_agent_cannot_close_a_broken_log() {
    let place = Place::new("attack-audit-agent");
    let mut proxy = start(&place, &[], 1);
    settled(&place);
    fs::remove_file(place.path(LOG)).expect("removed");
    assert!(denied(&call(&mut proxy, 2)));
    let mut command = place.command(&["audit", "close", LOG]);
    command.env("CLAUDECODE", "1");
    let ran = finish(command, b"");
    assert_ne!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.err.contains("for a person to decide"), "{}", ran.err);
    assert!(denied(&call(&mut proxy, 3)));
    proxy.end();
}

#[test]
fn a4_a_call_that_runs_without_a_record_is_counted() {
    let place = Place::new("attack-audit-allow");
    let mut proxy = start(&place, &["--audit-failure", "allow"], 1);
    settled(&place);
    fs::remove_file(place.path(LOG)).expect("removed");
    assert!(!denied(&call(&mut proxy, 2)));
    assert_eq!(verify(&place, &[]).code, Some(1));
    proxy.end();
    start(&place, &["--audit-failure", "allow"], 1).end();
    assert_eq!(verify(&place, &[]).code, Some(1));
    let closed = place.as_person(&["audit", "close", LOG]);
    assert_eq!(closed.code, Some(0), "{}{}", closed.out, closed.err);
    let ran = verify(&place, &[]);
    assert!(
        ran.out.contains("4 lines could not be written"),
        "{}",
        ran.out
    );
}

#[test]
fn a4_an_idle_proxy_notices_as_well() {
    let place = Place::new("attack-audit-idle");
    let proxy = start(&place, &[], 1);
    settled(&place);
    fs::remove_file(place.path(LOG)).expect("removed");
    fs::remove_file(place.path(HEAD)).expect("removed");
    eventually("the break is on record", || {
        place.read(HEAD).contains("broken=removed")
    });
    proxy.end();
}

#[test]
fn a4_a_second_proxy_cannot_begin_afresh_beside_one_that_knows_better() {
    let place = Place::new("attack-audit-second");
    let mut first = start(&place, &[], 3);
    settled(&place);
    fs::remove_file(place.path(LOG)).expect("removed");
    fs::remove_file(place.path(HEAD)).expect("removed");
    let mut second = Proxy::start(&place, &[]);
    // Whether it is denied depends on which of the two is quicker.
    call(&mut second, 1);
    assert!(denied(&call(&mut first, 4)));
    // It notices the mark of the first when it next compares the head.
    let mut id = 1;
    eventually("the second is denied", || {
        id += 1;
        denied(&call(&mut second, id))
    });
    assert_eq!(verify(&place, &[]).code, Some(1));
    first.end();
    second.end();
}

#[test]
fn a4_a_directory_that_is_taken_away_is_not_forgotten() {
    for name in ["moved", "removed"] {
        let place = Place::new(&format!("attack-audit-directory-{name}"));
        let words = ["mcp", "--name", "s", "--audit", "logs/a.jsonl", "--"];
        let words: Vec<_> = words.into_iter().chain([server(), "calls.log"]).collect();
        let mut proxy = Proxy::of(place.command(&words));
        for id in 1..=3 {
            assert!(!denied(&call(&mut proxy, id)));
        }
        if name == "moved" {
            fs::rename(place.path("logs"), place.path("old")).expect("moved");
        } else {
            fs::remove_dir_all(place.path("logs")).expect("removed");
        }
        assert!(denied(&call(&mut proxy, 4)), "{name}");
        proxy.end();
        let mut proxy = Proxy::of(place.command(&words));
        assert!(denied(&call(&mut proxy, 1)), "{name}");
        proxy.end();
        let verified = place.run(&["audit", "verify", "logs/a.jsonl"]);
        assert_eq!(verified.code, Some(1), "{name}");
    }
}

#[test]
fn a4_a_mark_that_is_removed_with_the_head_is_recorded_again() {
    let place = Place::new("attack-audit-mark");
    let first = start(&place, &[], 2);
    first.end();
    place.write(LOG, "");
    Proxy::start(&place, &[]).end();
    // A proxy that found the mark at its start, and has nothing to record.
    let second = Proxy::start(&place, &[]);
    thread::sleep(Duration::from_millis(300));
    fs::remove_file(place.path(HEAD)).expect("removed");
    eventually("the mark is on record again", || {
        place.read(HEAD).contains("broken=cut")
    });
    second.end();
    fs::remove_file(place.path(LOG)).expect("removed");
    let mut third = Proxy::start(&place, &[]);
    assert!(denied(&call(&mut third, 1)));
    third.end();
    assert_eq!(verify(&place, &[]).code, Some(1));
}

#[test]
fn s5_a_log_that_was_cut_between_two_runs_stays_broken() {
    let attacks: [(&str, Attack); 4] = [
        ("cut", |place| cut(place, 2)),
        ("emptied", |place| {
            place.write(LOG, "");
        }),
        ("removed", |place| {
            fs::remove_file(place.path(LOG)).expect("removed");
        }),
        ("head", |place| {
            fs::remove_file(place.path(HEAD)).expect("removed");
        }),
    ];
    for (name, attack) in attacks {
        let place = Place::new(&format!("attack-audit-stopped-{name}"));
        start(&place, &[], 5).end();
        assert_eq!(verify(&place, &[]).code, Some(0));
        attack(&place);
        assert_eq!(verify(&place, &[]).code, Some(1), "{name}");
        let mut proxy = Proxy::start(&place, &[]);
        assert!(denied(&call(&mut proxy, 1)), "{name}");
        proxy.end();
        assert_eq!(verify(&place, &[]).code, Some(1), "{name}");
    }
}

#[test]
fn s5_a_shorter_number_leaves_nothing_of_the_longer_one() {
    let place = Place::new("attack-audit-width");
    let mut proxy = start(&place, &[], 2);
    settled(&place);
    let width = place.read(HEAD).len();
    for id in 10..30 {
        call(&mut proxy, id);
    }
    settled(&place);
    assert_eq!(place.read(HEAD).len(), width);
    proxy.end();
}

#[test]
fn s6_rotation_numbers_only_grow_and_old_files_may_go() {
    let place = Place::new("attack-audit-numbers");
    let rotate = ["--audit-rotate", "1500"];
    start(&place, &rotate, 12).end();
    assert!(place.path("audit.jsonl.2").exists());
    fs::remove_file(place.path("audit.jsonl.1")).expect("removed");
    start(&place, &rotate, 12).end();
    assert!(!place.path("audit.jsonl.1").exists());
    let ran = verify(&place, &["--partial"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(verify(&place, &[]).code, Some(1));
}

#[test]
fn b8_neither_log_nor_head_is_written_through_a_link() {
    for (name, text) in [(HEAD, "ssh-ed25519 AAAA\n"), (LOG, "")] {
        let place = Place::new(&format!("attack-audit-link-{name}"));
        place.write("precious", text);
        symlink(place.path("precious"), place.path(name)).expect("a link");
        let ran = place.run_with(
            &["mcp", "--audit", LOG, "--", server()],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}\n",
        );
        assert_eq!(place.read("precious"), text, "{name}");
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.err);
        assert!(ran.err.contains("symbolic link"), "{name}: {}", ran.err);
    }
}

#[test]
fn b8_files_are_private_whatever_the_umask_was() {
    let place = Place::new("attack-audit-private");
    start(&place, &[], 1).end();
    for name in [LOG, HEAD] {
        let open = fs::Permissions::from_mode(0o666);
        fs::set_permissions(place.path(name), open).expect("changed");
    }
    start(&place, &[], 1).end();
    for name in [LOG, HEAD] {
        let mode = fs::metadata(place.path(name)).expect("there").permissions();
        assert_eq!(mode.mode() & 0o777, 0o600, "{name}");
    }
}

/// Runs a command that must not wait for anything.
fn ends(place: &Place, words: &[&str]) -> Ran {
    let mut child = place.command(words).spawn().expect("it starts");
    drop(child.stdin.take());
    let start = Instant::now();
    while child.try_wait().expect("it is watched").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
            panic!("{words:?} waits");
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ran::from(child.wait_with_output().expect("it has ended"))
}

#[test]
fn c6_a_fifo_in_place_of_a_log_stops_nothing() {
    let place = Place::new("attack-audit-fifo");
    let made = Command::new("mkfifo").arg(place.path(LOG)).status();
    assert!(made.expect("mkfifo runs").success());
    for words in [
        &["audit", "tail", LOG][..],
        &["audit", "verify", LOG],
        &["audit", "export", LOG],
        &["mcp", "--audit", LOG, "--", server()],
    ] {
        assert_ne!(ends(&place, words).code, Some(0), "{words:?}");
    }
    let kind = fs::symlink_metadata(place.path(LOG)).expect("there");
    assert!(kind.file_type().is_fifo());
}

/// A server that prints a line that is not a message so many times, and then answers calls.
fn chatty(place: &Place, times: usize) -> Proxy {
    let script = format!("yes 'starting up, please wait' | head -n {times}; exec \"$0\" calls.log");
    let words = [
        "mcp",
        "--name",
        "s",
        "--audit",
        LOG,
        "--",
        "sh",
        "-c",
        &script,
        server(),
    ];
    let mut command = place.command(&words);
    command.stderr(fs::File::create(place.path("said")).expect("a file"));
    Proxy::of(command)
}

#[test]
fn b12_a_chatty_server_costs_a_few_lines_and_is_counted_exactly() {
    const TIMES: usize = 20_000;
    let place = Place::new("attack-audit-flood");
    let mut proxy = chatty(&place, TIMES);
    assert!(!denied(&call(&mut proxy, 1)));
    proxy.end();
    let said = place.read("said");
    let bytes = fs::metadata(place.path(LOG)).expect("there").len();
    assert!(bytes < 50_000, "{bytes} bytes of audit");
    assert!(
        said.len() < 20_000,
        "{} bytes on standard error",
        said.len()
    );
    let ran = verify(&place, &[]);
    assert!(ran.out.contains("20,000 refused messages"), "{}", ran.out);
}

#[test]
fn b12_a_client_that_floods_costs_a_few_lines() {
    let place = Place::new("attack-audit-flood-client");
    let mut proxy = Proxy::start(&place, &[]);
    for _ in 0..2_000 {
        proxy.send("[]");
        assert_eq!(proxy.receive()["error"]["code"], -32600);
    }
    proxy.end();
    assert!(place.read(LOG).lines().count() < 40);
    let ran = verify(&place, &[]);
    assert!(ran.out.contains("2,000 refused messages"), "{}", ran.out);
}

#[test]
fn b12_the_audit_stays_within_its_budget() {
    let place = Place::new("attack-audit-budget");
    let budget = 20_000;
    let options = ["--audit-rotate", "4000", "--audit-budget", "20000"];
    let mut proxy = Proxy::start(&place, &options);
    let mut ran = 0;
    let mut id = 0;
    while !denied(&call(&mut proxy, id)) {
        (id, ran) = (id + 1, ran + 1);
        assert!(ran < 1_000, "it never ends");
    }
    let used = || -> u64 {
        let files = fs::read_dir(place.path(".")).expect("a directory");
        let files = files.map(|file| file.expect("a file"));
        files
            .filter(|file| file.file_name().to_string_lossy().starts_with(LOG))
            .map(|file| file.metadata().expect("there").len())
            .sum()
    };
    // The head file is not a part of it, and the lines that close and begin a file are not held back.
    assert!(used() <= budget + 1_000, "{} bytes", used());
    assert_eq!(place.read("calls.log").lines().count(), ran);
    assert!(place.path("audit.jsonl.1").exists(), "no file is removed");
    fs::rename(place.path("audit.jsonl.1"), place.path("archive")).expect("moved");
    assert!(!denied(&call(&mut proxy, 2_000)), "there is room again");
    proxy.end();
    let verified = verify(&place, &["--partial"]);
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    assert!(
        verified.out.contains("could not be written"),
        "{}",
        verified.out
    );
}

#[test]
fn s13_a_rewritten_chain_is_found_by_heads_that_were_sent_elsewhere() {
    let place = Place::new("attack-audit-heads");
    let options = |path: &str| ["--head-to".to_owned(), format!("file:{path}")];
    let with = options("heads.jsonl");
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    start(&place, &with, 3).end();
    let heads = ["--heads", "heads.jsonl"];
    let ran = verify(&place, &heads);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("noted heads are on the chain"),
        "{}",
        ran.out
    );

    // The same log, rewritten without one of the calls: by itself it is whole.
    let other = Place::new("attack-audit-heads-forged");
    start(&other, &[], 2).end();
    for name in [LOG, HEAD] {
        fs::copy(other.path(name), place.path(name)).expect("copied");
    }
    assert_eq!(verify(&place, &[]).code, Some(0));
    assert_eq!(verify(&place, &heads).code, Some(1));
    start(&place, &[], 3).end();
    let ran = verify(&place, &heads);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
}

#[test]
fn s13_heads_are_sent_to_commands_and_failing_targets_stop_nothing() {
    let place = Place::new("attack-audit-targets");
    let options = [
        "--head-to",
        "command:tee -a heads.jsonl",
        "--head-to",
        "command:false",
        "--head-to",
        "file:/nowhere/heads",
        "--head-lines",
        "2",
    ];
    let mut proxy = start(&place, &options, 6);
    eventually("a head is sent before the end", || {
        !place.read("heads.jsonl").is_empty()
    });
    assert!(!denied(&call(&mut proxy, 7)));
    let said = proxy.end().1;
    let ran = verify(&place, &["--heads", "heads.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let of = |name: &str| said.matches(&format!("not sent to {name}")).count();
    assert!((1..=2).contains(&of("false")), "{said}");
    assert!((1..=2).contains(&of("/nowhere/heads")), "{said}");
    // The last head is that of the last line.
    let heads = place.read("heads.jsonl");
    let last: Value = serde_json::from_str(heads.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["line"], place.read(LOG).lines().count());
}

#[test]
fn a4_over_http_a_removed_log_denies_calls() {
    let place = Place::new("attack-audit-http");
    let upstream = Upstream::echo();
    let front = Front::before(&upstream, &place, &["--audit", LOG]);
    let call = |id: u64| front.call(id, "echo", &json!({"n": id})).json();
    assert!(!denied(&call(1)));
    fs::remove_file(place.path(LOG)).expect("removed");
    assert!(denied(&call(2)));
    assert!(denied(&call(3)));
    let closed = place.as_person(&["audit", "close", LOG]);
    assert_eq!(closed.code, Some(0), "{}{}", closed.out, closed.err);
    assert!(!denied(&call(4)));
    front.end();
    assert_eq!(verify(&place, &[]).code, Some(0));
}

/// Any program of the same user may lock the head file, by mistake or to stop the audit.
#[test]
fn a4_a_lock_that_another_program_holds_denies_calls_and_does_not_hang_them() {
    let place = Place::new("attack-audit-locked");
    let mut proxy = start(&place, &[], 1);
    let head = fs::File::open(place.path(HEAD)).expect("there");
    head.lock().expect("locked");
    let (release, released) = std::sync::mpsc::channel::<()>();
    let holder = thread::spawn(move || {
        let _ = released.recv_timeout(Duration::from_secs(20));
        drop(head);
    });
    let began = Instant::now();
    assert!(denied(&call(&mut proxy, 2)), "nothing can be recorded");
    assert!(denied(&call(&mut proxy, 3)), "nothing can be recorded");
    assert!(began.elapsed() < Duration::from_secs(15));
    release.send(()).expect("it waits");
    holder.join().expect("it ends");
    assert!(!denied(&call(&mut proxy, 4)), "it can be recorded again");
    let (_, said) = proxy.end();
    assert!(said.contains("holds a lock"), "{said}");
    let verified = verify(&place, &[]);
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    assert!(place.read(LOG).contains("\"event\":\"gap\""));
}

/// Held before, and must hold: a full disk denies calls that cannot be recorded, and records those that run.
#[test]
fn held_a_full_disk_denies_what_cannot_be_recorded() {
    let place = Place::new("attack-audit-full");
    // Files of this process may have 16 blocks; a write beyond is an error, as on a full disk.
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
    let mut command = place.command(&[]);
    let proxy = crate::run::binary();
    let environment: Vec<_> = command
        .get_envs()
        .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
        .collect();
    command = Command::new("sh");
    command
        .args(["-c", limited])
        .arg(proxy)
        .args(["mcp", "--audit", LOG, "--", server()])
        .current_dir(place.path("."))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut proxy = Proxy::of(command);
    let mut ran = 0;
    for id in 0..100 {
        ran += usize::from(!denied(&call(&mut proxy, id)));
    }
    proxy.end();
    assert!((5..90).contains(&ran), "{ran} calls ran");
    assert_eq!(forwards(&place), ran);
    // There is room again, and the log goes on.
    start(&place, &[], 1).end();
    let verified = verify(&place, &[]);
    assert_eq!(verified.code, Some(0), "{}", verified.err);
}

#[test]
fn a4_what_is_in_a_log_cannot_pose_as_its_end() {
    let place = Place::new("attack-audit-posing");
    let mut proxy = Proxy::start(&place, &[]);
    for event in ["broken", "resumed", "rotated"] {
        let arguments = json!({"event": event});
        assert!(!denied(&proxy.call(1, "echo", &arguments)));
    }
    settled(&place);
    proxy.child.kill().expect("it runs");
    proxy.child.wait().expect("it ends");
    let mut proxy = Proxy::start(&place, &[]);
    assert!(!denied(&call(&mut proxy, 1)));
    proxy.end();
    assert!(!Path::new(&place.path("audit.jsonl.1")).exists());
    assert_eq!(verify(&place, &[]).code, Some(0));
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(place.path(LOG))
        .expect("there");
    writeln!(file, "{{\"line\":99,\"event\":\"call\"}}").expect("written");
    assert_eq!(verify(&place, &[]).code, Some(1));
}

/// A denial by a policy quotes the name of the tool, and no line may be longer than a reader takes.
#[test]
fn a4_a_name_of_megabytes_does_not_make_a_line_that_breaks_the_log() {
    let place = Place::new("attack-audit-long");
    place.write(
        "policy.cedar",
        "permit (principal, action, resource == Tool::\"s/echo\");",
    );
    let options = ["--policy", "policy.cedar"];
    let mut proxy = start(&place, &options, 1);
    let name = "x".repeat(3 << 20);
    assert!(denied(&proxy.call(2, &name, &json!({}))));
    proxy.end();
    let longest = place.read(LOG).lines().map(str::len).max();
    assert!(longest < Some(100_000), "{longest:?}");
    let mut proxy = Proxy::start(&place, &options);
    assert!(!denied(&call(&mut proxy, 3)));
    proxy.end();
    assert_eq!(verify(&place, &[]).code, Some(0));
}
