//! The table of fail modes in SECURITY.md, where `fail` is not set: one test a row, one line a surface.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    os::unix::fs::symlink,
    process::Command,
};

use serde_json::json;

use crate::{
    hook::{hook, post, pre},
    mcp_http_peer::{Front, Upstream},
    mcp_proxy::{Proxy, denied, eventually, server},
    run::{Place, Ran, finish, repeats},
};

pub(crate) const TIMES: u64 = 12;

/// How a surface took a fault.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It did not start, and its exit code was 2.
    NoStart,
    /// It ran, and of twelve equal calls it denied so many.
    Denied(usize),
}

/// What a guard with the default settings denies of twelve equal calls.
pub(crate) const GUARDED: Seen = Seen::Denied(7);

/// What a guard that is off denies.
pub(crate) const OFF: Seen = Seen::Denied(0);

pub(crate) fn by_hook(place: &Place) -> Seen {
    let denied = (0..TIMES).filter(|number| {
        let id = format!("call-{number}");
        let before = hook(place, "claude-code", &of_place(place, pre(&id, "make")));
        assert_eq!(before.code, Some(0), "{before:?}");
        let is_denied = before.out.contains("deny");
        if !is_denied {
            let after = post(&id, "make", "nothing to be done");
            let after = hook(place, "claude-code", &of_place(place, after));
            assert_eq!(after.code, Some(0), "{after:?}");
        }
        is_denied
    });
    Seen::Denied(denied.count())
}

fn of_place(place: &Place, mut input: serde_json::Value) -> serde_json::Value {
    input["cwd"] = place.path("").to_string_lossy().into();
    input
}

pub(crate) fn by_stdio(place: &Place, words: &[&str]) -> Seen {
    let mut all = vec!["mcp", "--name", "s"];
    all.extend(words);
    all.extend(["--", server(), "calls.log"]);
    let mut proxy = Proxy::of(place.command(&all));
    let mut denials = 0;
    for id in 1..=TIMES {
        proxy.send(&crate::mcp_proxy::request(
            id,
            "echo",
            &json!({"text":"same"}),
        ));
        let mut line = String::new();
        proxy.output.read_line(&mut line).expect("a line");
        if line.is_empty() {
            let (code, said) = proxy.end();
            assert_eq!(code, Some(2), "{said}");
            return Seen::NoStart;
        }
        let answer = serde_json::from_str(&line).expect("JSON");
        denials += usize::from(denied(&answer));
    }
    let (code, said) = proxy.end();
    assert_eq!(code, Some(0), "{said}");
    Seen::Denied(denials)
}

pub(crate) fn by_http(place: &Place, words: &[&str]) -> Seen {
    let upstream = Upstream::always("always the same");
    let url = upstream.url();
    let mut all = vec!["mcp", "--listen", "127.0.0.1:0", "--name", "s"];
    all.extend(["--upstream", &url]);
    all.extend(words);
    let refused = starts(place.command(&all));
    if let Err(ran) = refused {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        return Seen::NoStart;
    }
    let front = Front::of(place.command(&all));
    let denials = (1..=TIMES).filter(|id| {
        let answer = front.call(*id, "read", &json!({"a":1}));
        denied(&answer.json())
    });
    let denials = denials.count();
    front.end();
    Seen::Denied(denials)
}

/// A proxy that does not start ends by itself; one that does is asked to.
fn starts(mut command: Command) -> Result<(), Ran> {
    let mut child = command.spawn().expect("the command starts");
    let said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut err = String::new();
    let listens = said.lines().map_while(Result::ok).any(|line| {
        err.push_str(&line);
        line.contains(" at http://")
    });
    if listens {
        child.kill().expect("it runs");
    }
    let code = child.wait().expect("it ends").code();
    if listens {
        return Ok(());
    }
    let out = String::new();
    Err(Ran { code, out, err })
}

pub(crate) fn by_check(place: &Place) -> Seen {
    let input = repeats(12);
    let ran = place.run_with(&["check"], input.as_bytes());
    if ran.out.is_empty() {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        return Seen::NoStart;
    }
    let calls = ran.verdicts().into_iter().step_by(2);
    let denied = calls.filter(|verdict| verdict == "deny" || verdict == "halt");
    Seen::Denied(denied.count())
}

pub(crate) fn log(place: &Place) -> String {
    place.read("state/hook.log")
}

#[test]
fn a_mistake_in_the_users_file() {
    let place = Place::new("fail-user-mistake");
    place.write("home/unstuck.toml", "no-such-key = 1\n");
    assert_eq!(by_hook(&place), GUARDED);
    assert!(log(&place).contains("the configuration is ignored"));
    assert_eq!(by_stdio(&place, &["--no-audit"]), Seen::NoStart);
    assert_eq!(by_http(&place, &["--no-audit"]), Seen::NoStart);
    assert_eq!(by_check(&place), Seen::NoStart);
}

#[test]
fn a_users_file_that_cannot_be_read() {
    let place = Place::new("fail-user-unreadable");
    // Reading it fails for every user.
    symlink("/proc/self/mem", place.path("home/unstuck.toml")).expect("a link");
    assert_eq!(by_hook(&place), GUARDED);
    assert!(log(&place).contains("the configuration is ignored"));
    assert_eq!(by_stdio(&place, &["--no-audit"]), Seen::NoStart);
    assert_eq!(by_http(&place, &["--no-audit"]), Seen::NoStart);
    assert_eq!(by_check(&place), Seen::NoStart);
}

#[test]
fn a_projects_file_that_is_broken_loosens_or_cannot_be_read() {
    for (name, text) in [
        ("broken", "nudge = ["),
        ("off", "mode = \"off\"\n"),
        ("", ""),
    ] {
        let place = Place::new(&format!("fail-project-{name}"));
        if name.is_empty() {
            symlink("/proc/self/mem", place.path("unstuck.toml")).expect("a link");
        } else {
            place.write("unstuck.toml", text);
        }
        assert_eq!(by_hook(&place), GUARDED, "{name}");
        assert!(log(&place).contains("ignored"), "{name}");
        assert_eq!(by_stdio(&place, &["--no-audit"]), GUARDED, "{name}");
        // Clients without a session are denied and not halted; the number is the same.
        assert_eq!(by_http(&place, &["--no-audit"]), GUARDED, "{name}");
        assert_eq!(by_check(&place), GUARDED, "{name}");
    }
}

#[test]
fn a_directory_that_cannot_be_written() {
    let place = Place::new("fail-directory");
    // Not even root can make a directory below a file.
    place.write("state", "a file");
    assert_eq!(by_hook(&place), OFF);
    for words in [&[][..], &["--audit", "state/x/audit.jsonl"]] {
        assert_eq!(by_stdio(&place, words), Seen::NoStart);
        assert_eq!(by_http(&place, words), Seen::NoStart);
    }
    let words = ["--audit", "state/x/audit.jsonl", "--audit-failure", "allow"];
    assert_eq!(by_stdio(&place, &words), GUARDED);
    assert_eq!(by_http(&place, &words), GUARDED);
}

#[test]
fn damaged_state_and_a_damaged_audit() {
    let place = Place::new("fail-damaged");
    assert_eq!(by_hook(&place), GUARDED);
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
    assert_eq!(by_hook(&place), GUARDED, "it starts afresh");
    let audit = ["--audit", "audit.jsonl"];
    assert_eq!(by_stdio(&place, &audit), GUARDED);
    let whole = place.read("audit.jsonl");
    place.write("audit.jsonl", &whole[..whole.len() / 2]);
    let all = Seen::Denied(12);
    assert_eq!(by_stdio(&place, &audit), all);
    assert_eq!(by_http(&place, &audit), all);
    // A file that is not a log at all is not touched.
    place.write("other.txt", "a letter\n");
    assert_eq!(by_stdio(&place, &["--audit", "other.txt"]), Seen::NoStart);
    assert_eq!(by_http(&place, &["--audit", "other.txt"]), Seen::NoStart);
    assert_eq!(place.read("other.txt"), "a letter\n");
}

#[test]
fn policies_that_are_broken() {
    let place = Place::new("fail-policy");
    place.write("p.cedar", "permit (");
    let words = ["--no-audit", "--policy", "p.cedar"];
    assert_eq!(by_stdio(&place, &words), Seen::NoStart);
    assert_eq!(by_http(&place, &words), Seen::NoStart);
    // Broken later, the policies from before stay.
    place.write("p.cedar", "permit (principal, action, resource);");
    let mut all = vec!["mcp", "--name", "s"];
    all.extend(words);
    all.extend(["--", server(), "calls.log"]);
    let mut proxy = Proxy::of(place.command(&all));
    assert!(!denied(&proxy.call(1, "echo", &json!({"text":"a"}))));
    place.write("p.cedar", "permit (");
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(!denied(&proxy.call(2, "echo", &json!({"text":"b"}))));
    place.write("p.cedar", "// None: all is forbidden.");
    let mut id = 2;
    eventually("the next valid policies apply", || {
        id += 1;
        denied(&proxy.call(id, "echo", &json!({"text":id})))
    });
    proxy.end();
}

#[test]
fn a_mode_that_does_not_exist() {
    let place = Place::new("fail-mode");
    let with = |words: &[&str], input: &[u8]| {
        let mut command = place.command(words);
        command.env("UNSTUCK_MODE", "banana");
        finish(command, input)
    };
    let input = pre("1", "make").to_string();
    let ran = with(&["hook", "claude-code"], input.as_bytes());
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert!(log(&place).contains("ignored"), "{}", log(&place));
    let stdio = ["mcp", "--no-audit", "--", server(), "calls.log"];
    assert_eq!(with(&stdio, b"").code, Some(2));
    let http = ["mcp", "--listen", "127.0.0.1:0", "--no-audit"];
    let http: Vec<_> = http.into_iter().chain(["--", server()]).collect();
    assert_eq!(with(&http, b"").code, Some(2));
    assert_eq!(with(&["check"], b"").code, Some(2));
}

#[test]
fn the_switch_is_off() {
    let place = Place::new("fail-switch");
    let ran = place.as_person(&["mode", "off"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(by_hook(&place), OFF);
    assert_eq!(by_stdio(&place, &["--no-audit"]), OFF);
    assert_eq!(by_http(&place, &["--no-audit"]), OFF);
    // `check` judges what it is given; the switch is for guards.
    assert_eq!(by_check(&place), GUARDED);
}
