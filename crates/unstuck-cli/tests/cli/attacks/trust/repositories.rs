//! Commands and names from repositories that `doctor` and other commands meet.

use std::fs;

use serde_json::{Value, json};

use super::{doctor, permit, repository, settings, transcript};
use crate::{
    hook::{hook, post, pre},
    mcp_proxy::Proxy,
    run::{Place, repeats},
};

#[test]
fn a7_doctor_runs_no_command_of_a_repository() {
    let place = Place::new("a7-doctor");
    let project = repository(&place, "touch pwned; unstuck hook claude-code");
    let ran = doctor(&place, &project);
    assert!(!project.join("pwned").exists());
    assert!(!place.path("pwned").exists());
    assert!(ran.out.contains("not ours, not run"), "{}", ran.out);
}

/// A whole line that looks like ours, in the user's own file, is not run by a shell either.
#[test]
fn a7_doctor_runs_nothing_by_a_shell() {
    let place = Place::new("a7-shell");
    let project = repository(&place, "true");
    let pwned = project.join("pwned");
    let command = format!("touch {}; unstuck hook claude-code", pwned.display());
    place.write("home/.claude/settings.json", settings(&command));
    doctor(&place, &project);
    assert!(!pwned.exists());
}

/// A program of the repository is not even asked for its version.
#[test]
fn s1_doctor_runs_no_program_of_a_repository() {
    let place = Place::new("s1-program");
    let program = place.path("home/project/bin/unstuck");
    let project = repository(&place, &format!("{} hook claude-code", program.display()));
    let pwned = project.join("pwned");
    place.write(
        "home/project/bin/unstuck",
        format!(
            "#!/bin/sh\ntouch {}\necho unstuck {}\n",
            pwned.display(),
            env!("CARGO_PKG_VERSION")
        ),
    );
    permit(&program, 0o755);
    let ran = doctor(&place, &project);
    assert!(!pwned.exists(), "{}", ran.out);
    // The same from a file of the user.
    let command = format!("{} hook claude-code", program.display());
    place.write("home/.claude/settings.json", settings(&command));
    let ran = doctor(&place, &project);
    assert!(!pwned.exists(), "{}", ran.out);
}

/// Characters that act on a terminal although serializers of JSON leave them as they are.
const ACTING: &str = "x\u{9b}2J\u{7f}\u{202e}\u{200b}y";

fn acts(text: &str) -> bool {
    let acting = |each: char| ACTING.contains(each) && !each.is_ascii_alphanumeric();
    text.contains(acting)
}

/// A hook of the user whose program's path acts on a terminal.
#[test]
fn s9_doctor_prints_no_path_that_acts() {
    let place = Place::new("s9-doctor");
    let project = repository(&place, "true");
    let command = format!("'/no/{ACTING}/unstuck' hook claude-code");
    place.write("home/.claude/settings.json", settings(&command));
    let ran = doctor(&place, &project);
    assert!(ran.out.contains("<U+202E>"), "{ran:?}");
    assert!(!acts(&ran.out), "{ran:?}");
    // A directory's name is text of others as well.
    let odd = project.with_file_name(ACTING);
    fs::rename(&project, &odd).expect("a name");
    let ran = doctor(&place, &odd);
    assert!(!acts(&ran.out), "{ran:?}");
}

#[test]
fn s9_json_and_tables_act_on_no_terminal() {
    let place = Place::new("s9-json");
    for number in 0..4 {
        let mut input = pre(&format!("c{number}"), ACTING);
        input["session_id"] = ACTING.into();
        input["cwd"] = format!("/{ACTING}").into();
        hook(&place, "claude-code", &input);
        let mut input = post(&format!("c{number}"), ACTING, "nothing");
        input["session_id"] = ACTING.into();
        hook(&place, "claude-code", &input);
    }
    let session = format!("\"sessionId\":\"{ACTING}\"");
    let lines = transcript(9).replace("\"sessionId\":\"s\"", &session);
    let lines = lines.replace("\"Read\"", &format!("\"{ACTING}\""));
    place.write("runs/s.jsonl", lines);
    let event = repeats(9).replace("a.txt", ACTING);
    place.write("events/s.jsonl", event.replace("read_file", ACTING));
    let mut proxy = Proxy::start(&place, &[]);
    proxy.call(1, ACTING, &json!({"text": ACTING}));
    proxy.end();
    let surfaces: [(&[&str], bool); 7] = [
        (&["sessions", "--format", "json"], true),
        (&["scan", "runs", "--format", "json"], true),
        (&["scan", "runs", "--format", "jsonl"], false),
        (&["scan", "runs", "--format", "sarif"], true),
        (&["tune", "events", "--format", "json"], true),
        (&["audit", "export", "audit.jsonl"], false),
        (
            &["audit", "export", "--format", "jsonl", "audit.jsonl"],
            false,
        ),
    ];
    for (words, is_json) in surfaces {
        let ran = place.run(words);
        assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
        assert!(!acts(&ran.out), "{words:?}: {}", ran.out);
        let shows = ran.out.contains("\\u202e") || ran.out.contains("<U+202E>");
        assert!(shows, "{words:?}: {}", ran.out);
        if is_json {
            serde_json::from_str::<Value>(&ran.out).expect("JSON");
        }
    }
    let sessions = place.run(&["sessions", "--format", "json"]).out;
    let sessions: Value = serde_json::from_str(&sessions).expect("JSON");
    assert!(sessions.to_string().contains(ACTING), "{sessions}");
}
