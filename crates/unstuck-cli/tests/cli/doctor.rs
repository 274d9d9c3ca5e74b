//! `doctor`: what it finds, and what it says to do.

use serde_json::{Value, json};
use unstuck_hosts::Host;

use crate::{
    hook::hook,
    install::{at_home, at_home_with},
    run::{Place, Ran},
};

fn report(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).expect("JSON")
}

/// The health of one thing about the only host of a report.
fn health(report: &Value, about: &str) -> String {
    let findings = report["hosts"][0]["findings"].as_array().expect("findings");
    let of = findings.iter().filter(|finding| finding["about"] == about);
    let of: Vec<_> = of
        .map(|finding| finding["health"].as_str().unwrap_or(""))
        .collect();
    of.join(" ")
}

fn doctor(place: &Place, host: &str) -> (Option<i32>, Value) {
    let ran = at_home(place, &["doctor", host, "--format", "json"]);
    (ran.code, report(&ran))
}

#[test]
fn a_canary_loop_is_stopped_by_the_hooks_of_every_host() {
    let place = Place::new("doctor-canary");
    for host in Host::ALL {
        let ran = at_home(&place, &["install", host.name()]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let (_, report) = doctor(&place, host.name());
        for about in ["registered", "reachable", "self-test"] {
            let health = health(&report, about);
            let all_good = !health.is_empty() && health.split(' ').all(|one| one == "ok");
            assert!(all_good, "{host}: {report:#}");
        }
        assert_eq!(health(&report, "fired"), "open", "{report:#}");
        at_home(&place, &["uninstall", host.name()]);
    }
    // The self-test leaves no session behind.
    assert!(!place.path("state/sessions").exists());
}

#[test]
fn hooks_that_fired_are_seen() {
    let place = Place::new("doctor-fired");
    at_home(&place, &["install", "claude-code"]);
    let input = json!({
        "session_id": "s", "transcript_path": "", "cwd": "/", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t",
    });
    hook(&place, "claude-code", &input);
    let (code, report) = doctor(&place, "claude-code");
    assert_eq!(health(&report, "fired"), "ok", "{report:#}");
    assert_eq!(code, Some(0), "{report:#}");
}

#[test]
fn what_keeps_hooks_from_running_is_found() {
    let place = Place::new("doctor-bad");
    let (code, report) = doctor(&place, "claude-code");
    assert_eq!(
        (code, health(&report, "registered").as_str()),
        (Some(1), "bad")
    );

    at_home(
        &place,
        &["install", "claude-code", "--binary", "/nowhere/unstuck"],
    );
    let (code, report) = doctor(&place, "claude-code");
    assert_eq!(code, Some(1), "{report:#}");
    assert_eq!(health(&report, "registered"), "open", "{report:#}");
    assert_eq!(health(&report, "reachable"), "bad", "{report:#}");
    assert_eq!(health(&report, "self-test"), "", "{report:#}");

    at_home(&place, &["install", "codex"]);
    let (code, report) = doctor(&place, "codex");
    assert_eq!(
        (code, health(&report, "trusted").as_str()),
        (Some(1), "bad")
    );

    place.write("home/.gemini/settings.json", "{ broken");
    let (code, report) = doctor(&place, "gemini-cli");
    assert_eq!(code, Some(1), "{report:#}");
    assert!(
        report.to_string().contains(".gemini/settings.json:1:"),
        "{report:#}"
    );
}

#[test]
fn a_guard_that_is_switched_off_fails_its_self_test() {
    let place = Place::new("doctor-off");
    at_home(&place, &["install", "claude-code"]);
    let args = ["doctor", "claude-code", "--format", "json"];
    let ran = at_home_with(&place, &args, &[("UNSTUCK_MODE", "off")]);
    let report = report(&ran);
    assert_eq!(health(&report, "self-test"), "bad", "{report:#}");
    assert!(report.to_string().contains("UNSTUCK_MODE"), "{report:#}");
    at_home(&place, &["mode", "off"]);
    let (_, report) = doctor(&place, "claude-code");
    assert_eq!(health(&report, "mode"), "open", "{report:#}");
}

#[test]
fn only_what_is_found_is_looked_at() {
    let place = Place::new("doctor-found");
    let ran = at_home(&place, &["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("no agent that is known"), "{}", ran.out);
    place.write("home/.qwen/settings.json", "{}");
    let ran = at_home(&place, &["doctor"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("unstuck install qwen-code"), "{}", ran.out);
    assert!(!ran.out.contains("Gemini"), "{}", ran.out);
}

#[test]
fn what_was_not_seen_working_is_said() {
    let place = Place::new("doctor-evidence");
    at_home(&place, &["install", "cursor", "codex"]);
    let (_, report) = doctor(&place, "cursor");
    assert_eq!(health(&report, "evidence"), "note", "{report:#}");
    // What is not known, or only worth knowing, does not look like a failure.
    let text = at_home(&place, &["doctor", "cursor"]).out;
    assert!(!text.contains("open "), "{text}");
    assert!(text.contains("  note  evidence "), "{text}");
    assert!(text.contains("  ?     fired       not yet"), "{text}");
    let (_, report) = doctor(&place, "codex");
    assert_eq!(health(&report, "evidence"), "", "{report:#}");
}
