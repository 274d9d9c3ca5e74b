//! Every host's inputs and answers against what was checked by eye. `UNSTUCK_BLESS=1` writes the files anew.

use std::{env, fmt::Write as _, fs, path::PathBuf};

use serde_json::Value;
use unstuck::{
    Verdict,
    settings::Attendance::{Attended, Unattended},
};

use super::*;
use crate::{
    CanaryCall,
    hook::{CallEnded, CallMade, Happened},
    hosts::contract::Results,
};

/// The files of recorded inputs, each with its host: the one whose name it begins with.
pub(crate) fn fixtures() -> Vec<(Host, String)> {
    let files = fs::read_dir(directory()).unwrap();
    let names = files.filter_map(|file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        Some(name.strip_suffix(".jsonl")?.to_owned())
    });
    let mut found: Vec<_> = names.map(|name| (host_of(&name), name)).collect();
    found.sort();
    found
}

fn host_of(fixture: &str) -> Host {
    let hosts = Host::ALL.into_iter();
    let named = hosts.filter(|host| {
        let rest = fixture.strip_prefix(host.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    });
    named.max_by_key(|host| host.name().len()).unwrap()
}

/// The lines of a fixture.
pub(crate) fn lines(fixture: &str) -> Vec<String> {
    let path = directory().join(format!("{fixture}.jsonl"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The hooks of a fixture, read as if they had been registered for `named`.
pub(crate) fn hooks(named: Host, fixture: &str) -> Vec<Hook> {
    let read = |line: String| {
        let input: Value = serde_json::from_str(&line).unwrap();
        // Hosts whose input does not name the event are given it on the command line.
        let event = input["_configured_event"].as_str();
        let crush = |name: &str| (name == "CRUSH" && fixture == "crush").then(|| "1".to_owned());
        decode(named, event, line.as_bytes(), &[0; 32], &crush).unwrap()
    };
    lines(fixture).into_iter().map(read).collect()
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn compare(name: &str, found: &str) {
    let path = directory().join(name);
    if env::var_os("UNSTUCK_BLESS").is_some() {
        fs::write(&path, found).unwrap();
    }
    let wanted = fs::read_to_string(&path).unwrap();
    assert_eq!(found, wanted, "{name}; UNSTUCK_BLESS=1 writes it anew");
}

fn call(call: &CallMade) -> String {
    let id = call.id.as_deref().unwrap_or("-");
    format!("{id} {} {}", call.tool, call.args)
}

fn ended(ended: &CallEnded) -> String {
    let code = ended
        .exit_code
        .map_or(String::new(), |code| format!(" exit {code}"));
    let output = ended
        .output
        .as_ref()
        .map_or("nothing", |json| json.as_str());
    format!("{:?}{code} {output}", ended.status)
}

fn describe(hook: &Hook) -> String {
    let happened = match &hook.happened {
        Happened::Call(made) => format!("call {}", call(made)),
        Happened::Asked(made) => format!("asked {}", call(made)),
        Happened::Result(made, end) => format!("result {} = {}", call(made), ended(end)),
        Happened::Batch(calls) => {
            let calls = calls
                .iter()
                .map(|(made, end)| format!("\n    {} = {}", call(made), ended(end)));
            format!("batch{}", calls.collect::<String>())
        }
        other => format!("{other:?}"),
    };
    let watched = hook
        .attendance
        .map_or(String::new(), |watched| format!(" {watched:?}"));
    format!(
        "{} {:?} {}{watched}: {happened}\n",
        hook.name, hook.moment, hook.agent
    )
}

#[test]
fn inputs_are_read() {
    for (host, fixture) in fixtures() {
        let hooks = hooks(host, &fixture);
        for hook in &hooks {
            assert_eq!(hook.host, host, "{fixture}: {}", hook.name);
            assert_eq!(hook.session, hooks[0].session, "{fixture}: {}", hook.name);
            assert_eq!(
                hook.directory.as_deref().unwrap_or("/project"),
                "/project",
                "{fixture}"
            );
        }
        let text: String = hooks.iter().map(describe).collect();
        compare(&format!("{fixture}.read.txt"), &text);
    }
}

#[test]
fn answers_are_written() {
    for host in Host::ALL {
        let mut moments = Vec::new();
        let mut text = String::new();
        let fixtures = fixtures().into_iter().filter(|(of, _)| *of == host);
        for hook in fixtures.flat_map(|(_, fixture)| hooks(host, &fixture)) {
            if moments.contains(&(hook.moment, hook.name.clone())) {
                continue;
            }
            moments.push((hook.moment, hook.name.clone()));
            for verdict in [Verdict::Nudge, Verdict::Deny, Verdict::Halt] {
                let answer = Answer::new(verdict, "[unstuck] Why.");
                let output = encode(&hook, &answer);
                let (code, said) = (output.exit_code, output.stdout);
                writeln!(text, "{} {verdict}: {code} {said}", hook.name).unwrap();
            }
        }
        if moments.is_empty() {
            continue;
        }
        writeln!(text, "allow: {}", encode_allow(host).stdout).unwrap();
        compare(&format!("{host}.answers.txt"), &text);
    }
}

#[test]
fn nothing_but_the_words_after_a_failure_of_copilot_ends_with_another_code_than_0() {
    for (host, fixture) in fixtures() {
        for hook in hooks(host, &fixture) {
            for verdict in [Verdict::Allow, Verdict::Nudge, Verdict::Deny, Verdict::Halt] {
                let code = encode(&hook, &Answer::new(verdict, "Why.")).exit_code;
                let exception = host == Host::CopilotCli && hook.moment == Moment::AfterFailure;
                assert_eq!(
                    code,
                    if exception { 2 } else { 0 },
                    "{fixture} {}",
                    hook.name
                );
            }
            assert_eq!(encode(&hook, &Answer::allow()), encode_allow(host));
        }
    }
}

/// Codex throws away a whole answer for one field it does not know.
#[test]
fn answers_to_codex_hold_only_what_its_schema_has() {
    for hook in hooks(Host::Codex, "codex") {
        for verdict in [Verdict::Nudge, Verdict::Deny, Verdict::Halt] {
            let output = encode(&hook, &Answer::new(verdict, "Why."));
            if output.stdout.is_empty() {
                continue;
            }
            let answer: Value = serde_json::from_str(&output.stdout).unwrap();
            let keys = |value: &Value| -> Vec<String> {
                value.as_object().unwrap().keys().cloned().collect()
            };
            assert_eq!(keys(&answer), ["hookSpecificOutput"]);
            let inside = &answer["hookSpecificOutput"];
            assert_eq!(inside["hookEventName"], *hook.name);
            let allowed = [
                "additionalContext",
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
            ];
            assert!(keys(inside).iter().all(|key| allowed.contains(&&**key)));
        }
    }
}

#[test]
fn an_input_without_a_tool_is_refused_by_name() {
    let input = br#"{"session_id":"s","hook_event_name":"PreToolUse","tool_use_id":"1"}"#;
    let error = decode(Host::ClaudeCode, None, input, &[0; 32], &|_| None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the hook input of claude-code has no `tool_name`"
    );
}

#[test]
fn what_is_not_known_is_no_concern() {
    for host in Host::ALL {
        let input =
            br#"{"hook_event_name":"Tomorrow","event":"Tomorrow","hook":"Tomorrow","input":{}}"#;
        let hook = decode(host, None, input, &[0; 32], &|_| None).unwrap();
        assert_eq!(hook.happened, Happened::Nothing, "{host}");
    }
}

#[test]
fn the_terminal_tells_who_watches() {
    let read = |mode: &str, entry: Option<&str>| {
        let input = format!(
            r#"{{"session_id":"s","transcript_path":"/t","hook_event_name":"PreToolUse","permission_mode":"{mode}","tool_name":"Bash","tool_input":{{}},"tool_use_id":"1"}}"#
        );
        let environment = |name: &str| {
            (name == "CLAUDE_CODE_ENTRYPOINT")
                .then(|| entry.map(str::to_owned))
                .flatten()
        };
        decode(
            Host::ClaudeCode,
            None,
            input.as_bytes(),
            &[0; 32],
            &environment,
        )
        .unwrap()
        .attendance
    };
    assert_eq!(read("default", Some("cli")), Some(Attended));
    assert_eq!(read("default", Some("sdk-cli")), Some(Unattended));
    assert_eq!(read("default", None), None);
    assert_eq!(read("bypassPermissions", Some("cli")), Some(Unattended));
    assert_eq!(read("bypassPermissions", None), Some(Unattended));
}

#[test]
fn every_host_reads_the_inputs_of_its_own_canary() {
    let canary = CanaryCall {
        session: "s",
        number: 1,
        directory: "/project",
        at: 1_000,
    };
    for host in Host::ALL {
        let mut moments = Vec::new();
        for told in crate::canary(host, &canary) {
            assert!(
                host.events().contains(&told.event),
                "{host}: {}",
                told.event
            );
            let input = told.input.to_string();
            let hook = decode(host, Some(told.event), input.as_bytes(), &[0; 32], &|_| {
                None
            });
            let hook = hook.unwrap();
            assert_eq!((hook.host, &*hook.session), (host, "s"));
            moments.push(hook.moment);
        }
        let mut expected = vec![Moment::BeforeCall];
        if host.spec().hooks.results == Results::Reported {
            expected.push(Moment::AfterCall);
        }
        assert_eq!(moments, expected, "{host}");
    }
}

#[test]
fn every_host_can_be_told_that_a_call_was_not_judged() {
    for host in Host::ALL {
        let before: Vec<_> = host
            .events()
            .iter()
            .filter(|name| before_call(host, name).is_some())
            .collect();
        assert!(!before.is_empty(), "{host}");
        let denied = encode_unread_failure(host, None, b"", "not judged");
        assert_ne!(denied, encode_allow(host), "{host}");
        assert!(denied.stdout.contains("not judged"), "{host} {denied:?}");
        for name in before {
            let input = format!("{{\"event\":\"{name}\",");
            let named = encode_unread_failure(host, None, input.as_bytes(), "not judged");
            assert_ne!(named, encode_allow(host), "{host} {name}");
        }
    }
}

#[test]
fn only_calls_are_denied_for_a_failure() {
    for host in Host::ALL {
        for name in host.events() {
            let is_before = before_call(host, name).is_some();
            let output = encode_unread_failure(host, Some(name), b"", "not judged");
            assert_eq!(output != encode_allow(host), is_before, "{host} {name}");
        }
    }
}
