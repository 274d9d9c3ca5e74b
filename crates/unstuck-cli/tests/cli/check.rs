//! `unstuck check`.

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::json;

use crate::run::{Place, finish, repeats};

const USER: &str = "{\"event\":\"user\",\"text\":\"hi\"}\n";

#[test]
fn the_third_equal_result_gets_a_nudge() {
    let place = Place::new("check-nudge");
    let ran = place.run_with(&["check"], repeats(3).as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.verdicts(),
        ["allow", "allow", "allow", "allow", "allow", "nudge"]
    );
    let nudge = &ran.answers()[5];
    assert_eq!(nudge["line"], 6);
    assert_eq!(nudge["rule"], "exact-repeat");
    assert_eq!(nudge["repeats"], 3);
}

#[test]
fn the_example_of_the_help_works() {
    let place = Place::new("check-help");
    let help = place.run(&["check", "--help"]).out;
    let example = help.split("    printf '%s\\n'").nth(1).expect("an example");
    let events: Vec<_> = example
        .lines()
        .filter_map(|line| line.split('\'').nth(1))
        .take(6)
        .collect();
    let ran = place.run_with(&["check"], (events.join("\n") + "\n").as_bytes());
    assert_eq!(ran.verdicts().last().map(String::as_str), Some("nudge"));
}

#[test]
fn a_broken_line_is_an_error_of_that_line_only() {
    let place = Place::new("check-broken");
    let ran = place.run_with(&["check"], format!("{USER}{{\"event\":\n{USER}").as_bytes());
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.verdicts(), ["allow", "error", "allow"]);
    let answers = ran.answers();
    assert_eq!(answers[1]["line"], 2);
    assert_eq!(
        answers[2],
        json!({"line": 3, "session": "default", "agent": "main", "verdict": "allow"})
    );
}

#[test]
fn blank_lines_are_counted_but_not_answered() {
    let place = Place::new("check-blank");
    let input = "\n   \r\n{\"event\":\"user\",\"text\":\"hi\"}\r\n\r\n{\"event\":\"turn\"}";
    let ran = place.run_with(&["check"], input.as_bytes());
    assert_eq!(ran.code, Some(0));
    let lines: Vec<_> = ran
        .answers()
        .iter()
        .map(|answer| answer["line"].clone())
        .collect();
    assert_eq!(lines, [json!(3), json!(5)]);
}

#[test]
fn what_cannot_be_an_event_is_refused_and_changes_nothing() {
    let deep = format!(
        "{{\"event\":\"call\",\"id\":\"x\",\"tool\":\"t\",\"args\":{}{}}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let bad: Vec<Vec<u8>> = vec![
        b"not JSON".to_vec(),
        b"[]".to_vec(),
        b"{\"event\":\"user\",\"text\":\"\xff\xfe\"}".to_vec(),
        b"{\"event\":\"call\",\"tool\":\"t\",\"args\":{}}".to_vec(),
        b"{\"event\":\"dance\"}".to_vec(),
        b"{\"event\":\"call\",\"id\":[],\"tool\":\"t\"}".to_vec(),
        b"{\"event\":\"call\",\"id\":\"x\",\"tool\":\"t\",\"args\":\"\\ud800\"}".to_vec(),
        b"{\"event\":\"call\",\"id\":\"x\",\"tool\":\"t\",\"args\":1e999}".to_vec(),
        deep.into_bytes(),
    ];
    let place = Place::new("check-refused");
    let mut input = Vec::new();
    // Between the repeats, so that a change of state would show in the nudge.
    for line in repeats(3).lines() {
        for bad in &bad {
            input.extend_from_slice(bad);
            input.push(b'\n');
        }
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    let ran = place.run_with(&["check"], &input);
    assert_eq!(ran.code, Some(2));
    let verdicts = ran.verdicts();
    assert_eq!(verdicts.len(), 6 * (bad.len() + 1));
    for round in verdicts.chunks(bad.len() + 1) {
        assert!(
            round[..bad.len()].iter().all(|verdict| verdict == "error"),
            "{round:?}"
        );
    }
    assert_eq!(verdicts.last().map(String::as_str), Some("nudge"));
    for answer in ran
        .answers()
        .iter()
        .filter(|answer| answer["error"].is_string())
    {
        let message = answer["error"].as_str().unwrap_or_default();
        assert!(!message.is_empty() && message.len() < 300, "{message}");
    }
}

#[test]
fn a_line_over_64_mib_is_refused_and_the_next_is_answered() {
    let place = Place::new("check-long");
    let mut input = vec![b'x'; (64 << 20) + 1];
    input.extend_from_slice(format!("\n{USER}").as_bytes());
    let ran = place.run_with(&["check"], &input);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.verdicts(), ["error", "allow"]);
    assert_eq!(ran.answers()[1]["line"], 2);
}

#[test]
fn decisions_come_at_once() {
    let place = Place::new("check-at-once");
    let mut child = place
        .command(&["check"])
        .spawn()
        .expect("the command starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 1..=20 {
        input.write_all(USER.as_bytes()).expect("a line is taken");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        assert!(
            answer.starts_with(&format!("{{\"line\":{number},")),
            "{answer}"
        );
    }
    drop(input);
    assert!(child.wait().expect("the command ends").success());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let place = Place::new("check-pipe");
    let mut command = place.command(&["check"]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    command.stdout(writer);
    drop(reader);
    let child = command.spawn().expect("the command starts");
    // The command's own copy of the writing end is the only one left.
    drop(command);
    let mut child = child;
    let mut input = child.stdin.take().expect("a pipe");
    for _ in 0..1_000 {
        if input.write_all(USER.as_bytes()).is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn files_are_one_stream() {
    let place = Place::new("check-files");
    place.write("a.jsonl", repeats(2)).write("b.jsonl", USER);
    let ran = place.run_with(&["check", "a.jsonl", "-", "b.jsonl"], USER.as_bytes());
    let lines: Vec<_> = ran
        .answers()
        .iter()
        .map(|answer| answer["line"].clone())
        .collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6].map(|line| json!(line)));
    let ran = place.run(&["check", "missing.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.starts_with("error: cannot open missing.jsonl: "),
        "{}",
        ran.err
    );
}

#[test]
fn the_environment_can_switch_to_observing() {
    let place = Place::new("check-mode");
    let mut command = place.command(&["check"]);
    command.env("UNSTUCK_MODE", "observe");
    let ran = finish(command, repeats(3).as_bytes());
    let last = ran.answers().pop().expect("an answer");
    assert_eq!(
        (&last["verdict"], &last["would"]),
        (&json!("allow"), &json!("nudge"))
    );
    let mut command = place.command(&["check"]);
    command.env("UNSTUCK_MODE", "observ");
    let ran = finish(command, b"");
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: UNSTUCK_MODE must be enforce, observe or off, not `observ`; did you mean `observe`?\n"
    );
}

#[test]
fn a_budget_from_the_configuration_ends_the_run() {
    let place = Place::new("check-budget");
    place.write("settings.toml", "[rules.budget]\nsteps = 2\n");
    let call = |n| json!({"event": "call", "id": n, "tool": "t", "args": {"n": n}}).to_string();
    let calls = [call(1), call(2), call(3)].join("\n");
    let args = ["check", "--config", "settings.toml"];
    let ran = place.run_with(&args, calls.as_bytes());
    assert_eq!(ran.verdicts(), ["allow", "allow", "halt"]);
    assert_eq!(ran.answers()[2]["rule"], "budget");
}

#[test]
fn a_field_that_no_event_has_is_warned_of_once_with_the_field_that_was_meant() {
    let place = Place::new("check-unknown-fields");
    let call = |id: u32, file: &str| {
        format!(
            "{{\"event\":\"call\",\"id\":{id},\"tool\":\"read_file\",\"arguments\":{{\"path\":\"{file}\"}},\"argz\":1,\"mood\":\"calm\"}}\n"
        )
    };
    let input =
        call(1, "a") + &call(2, "b") + "{\"event\":\"result\",\"id\":1,\"content\":\"x\"}\n";
    let ran = place.run_with(&["check"], input.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.verdicts().len(), 3);
    let warned = |name: &str| ran.err.matches(&format!("the field `{name}`")).count();
    for name in ["arguments", "argz", "mood", "content"] {
        assert_eq!(warned(name), 1, "{name}: {}", ran.err);
    }
    assert_eq!(
        ran.err.matches("did you mean `args`?").count(),
        2,
        "{ran:?}"
    );
    assert_eq!(ran.err.matches("did you mean `output`?").count(), 1);
    assert!(
        ran.err
            .contains("line 1: the field `arguments` of a `call` event"),
        "{}",
        ran.err
    );
}

#[test]
fn known_fields_of_every_event_are_not_warned_of() {
    let place = Place::new("check-known-fields");
    let input = r#"{"event":"call","session":"s","agent":"a","swarm":"w","at":1,"id":1,"tool":"t","args":{},"key":"k","read_only":true,"idempotent":true}
{"event":"result","session":"s","agent":"a","at":2,"id":1,"status":"ok","output":"x","exit_code":0}
{"event":"step","code":"x","output":"y"}
{"event":"text","text":"x","role":"thinking"}
{"event":"turn","tokens":1,"cost":0.1}
{"event":"user","text":"x"}
"#;
    let ran = place.run_with(&["check"], input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn a_byte_order_mark_before_the_first_event_is_skipped() {
    let place = Place::new("check-bom");
    place.write("a.jsonl", format!("\u{feff}{USER}"));
    place.write("b.jsonl", format!("\u{feff}{USER}"));
    let ran = place.run(&["check", "a.jsonl", "b.jsonl"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.verdicts(), ["allow", "allow"]);
}

const TRANSCRIPT: &str = r#"{"type":"user","message":{"role":"user","content":"hi"},"uuid":"u1","sessionId":"s1","timestamp":"2026-01-01T00:00:00.000Z"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]},"uuid":"u2","sessionId":"s1","timestamp":"2026-01-01T00:00:01.000Z"}
"#;

#[test]
fn a_transcript_in_place_of_events_is_named_with_the_command_that_reads_it() {
    let place = Place::new("check-transcript");
    place.write("run.jsonl", TRANSCRIPT);
    let ran = place.run(&["check", "run.jsonl"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("transcript (Claude Code)"), "{}", ran.err);
    assert!(ran.err.contains("unstuck scan run.jsonl"), "{}", ran.err);
}

#[test]
fn a_transcript_on_standard_input_is_named_and_its_lines_are_answered() {
    let place = Place::new("check-transcript-stdin");
    let ran = place.run_with(&["check"], TRANSCRIPT.as_bytes());
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.verdicts(), ["error", "error"]);
    assert!(ran.err.contains("unstuck scan -"), "{}", ran.err);
}

/// A stream of two sessions and three agents with calls in flight, turns, a swarm, a reset and a broken line.
fn busy_stream() -> String {
    let mut lines = Vec::new();
    for lap in 0..12 {
        for (session, agent) in [("one", "main"), ("one", "helper"), ("two", "main")] {
            let scope =
                json!({"session": session, "agent": agent, "swarm": "team", "at": lap * 1_000});
            let mut add = |mut event: serde_json::Value| {
                for (name, value) in scope.as_object().expect("an object") {
                    event[name] = value.clone();
                }
                lines.push(event.to_string());
            };
            let id = format!("c{lap}");
            add(json!({"event": "call", "id": id, "tool": "bash", "args": {"command": "make"}}));
            add(json!({"event": "text", "text": "I try the same again"}));
            add(json!({"event": "result", "id": id, "status": "error", "output": "no rule"}));
            add(json!({"event": "turn", "tokens": 10}));
        }
        if lap == 8 {
            lines.push(json!({"event": "reset", "session": "one"}).to_string());
            lines.push("{\"event\":".to_owned());
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_restored_engine_decides_the_same() {
    let place = Place::new("check-restarts");
    // Three agents want a place, and two have one: who makes room is part of what is compared.
    place.write("small.toml", "[memory]\nsessions = 2\n");
    let stream = busy_stream();
    let presets = [
        "standard",
        "attocode",
        "attractor",
        "ironcurtain",
        "tool-loop-detector",
    ];
    for preset in presets {
        for file in ["small.toml", "none.toml"] {
            place.write("none.toml", "");
            let args = ["check", "--preset", preset, "--config", file];
            let plain = place.run_with(&args, stream.as_bytes());
            assert!(plain.verdicts().contains(&"error".to_owned()));
            for every in ["1", "2", "7"] {
                let args = [&args[..], &["--restart-every", every]].concat();
                let restarted = place.run_with(&args, stream.as_bytes());
                assert_eq!(restarted.err, plain.err);
                assert_eq!(restarted.out, plain.out, "{preset}, every {every}, {file}");
            }
        }
    }
}

#[test]
fn the_option_for_restarts_is_hidden_and_takes_no_zero() {
    let place = Place::new("check-restarts-hidden");
    let help = place.run(&["check", "--help"]);
    assert!(!help.out.contains("restart"), "{}", help.out);
    let ran = place.run_with(&["check", "--restart-every", "0"], b"");
    assert_eq!(ran.code, Some(2));
}
