//! `unstuck hook`: what agents are told.

use serde_json::{Value, json};

use crate::run::{Place, Ran, finish};

/// One hook of a host.
pub(crate) fn hook(place: &Place, host: &str, input: &Value) -> Ran {
    place.run_with(&["hook", host], input.to_string().as_bytes())
}

pub(crate) fn pre(id: &str, command: &str) -> Value {
    json!({
        "session_id": "session-1",
        "transcript_path": "/t.jsonl",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": command },
        "tool_use_id": id,
    })
}

pub(crate) fn post(id: &str, command: &str, output: &str) -> Value {
    json!({
        "session_id": "session-1",
        "transcript_path": "/t.jsonl",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": command },
        "tool_response": { "stdout": output, "stderr": "", "interrupted": false },
        "tool_use_id": id,
    })
}

/// Runs the same call until it is denied or has run so often; says what was answered last.
pub(crate) fn stuck(place: &Place, times: usize) -> Ran {
    let mut last = None;
    for number in 0..times {
        let id = format!("c{number}");
        let before = hook(place, "claude-code", &pre(&id, "make"));
        let denied = before.out.contains("deny");
        last = Some(before);
        if !denied {
            last = Some(hook(
                place,
                "claude-code",
                &post(&id, "make", "nothing to be done"),
            ));
        }
    }
    last.expect("at least one call")
}

fn allowed(ran: &Ran) -> bool {
    (ran.code, &*ran.out) == (Some(0), "")
}

#[test]
fn a_stuck_agent_is_nudged_denied_and_stopped() {
    let place = Place::new("hook-ladder");
    assert!(allowed(&stuck(&place, 2)));
    let nudged = stuck_from(&place, 2);
    let answer: Value = serde_json::from_str(&nudged.out).expect("JSON");
    let words = answer["hookSpecificOutput"]["additionalContext"].as_str();
    assert!(
        words.is_some_and(|words| words.contains("`Bash make` returned the same result 3 times"))
    );
    for number in 3..5 {
        stuck_from(&place, number);
    }
    let denied = stuck_from(&place, 5);
    let answer: Value = serde_json::from_str(&denied.out).expect("JSON");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(answer["continue"], Value::Null);
    stuck_from(&place, 6);
    stuck_from(&place, 7);
    let stopped = stuck_from(&place, 8);
    let answer: Value = serde_json::from_str(&stopped.out).expect("JSON");
    // Either alone does not do: the one lets the call run, the other lets the run go on.
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(answer["continue"], false);
    let reason = answer["stopReason"].as_str().expect("a reason");
    assert!(reason.contains("`unstuck reset session-1`"), "{reason}");
    // Whatever it does next, it stays stopped.
    let other = hook(&place, "claude-code", &pre("other", "ls"));
    assert!(other.out.contains("\"continue\":false"), "{}", other.out);
}

/// One more round of the same call, with an id of its own.
fn stuck_from(place: &Place, number: usize) -> Ran {
    let id = format!("n{number}");
    let before = hook(place, "claude-code", &pre(&id, "make"));
    if before.out.contains("deny") {
        return before;
    }
    hook(
        place,
        "claude-code",
        &post(&id, "make", "nothing to be done"),
    )
}

#[test]
fn forty_varied_calls_with_a_poll_are_left_alone() {
    let place = Place::new("hook-healthy");
    for number in 0..40 {
        let id = format!("c{number}");
        let (command, output) = if number % 4 == 0 {
            (
                "curl -s localhost/job".to_owned(),
                format!("{number} % done"),
            )
        } else {
            (
                format!("cat src/file{number}.rs"),
                format!("fn f{number}() {{}}"),
            )
        };
        assert!(allowed(&hook(&place, "claude-code", &pre(&id, &command))));
        assert!(allowed(&hook(
            &place,
            "claude-code",
            &post(&id, &command, &output)
        )));
    }
}

#[test]
fn every_host_denies_in_its_own_way() {
    // Codex, Gemini CLI, Qwen Code and Copilot CLI, each through its own input.
    let cases: [(&str, &str, &str, Value, &str); 4] = [
        (
            "codex",
            "PreToolUse",
            "PostToolUse",
            json!({ "turn_id": "t", "model": "m" }),
            "permissionDecision\":\"deny",
        ),
        (
            "gemini-cli",
            "BeforeTool",
            "AfterTool",
            json!({}),
            "\"decision\":\"deny\"",
        ),
        (
            "qwen-code",
            "PreToolUse",
            "PostToolUse",
            json!({ "permission_mode": "yolo" }),
            "permissionDecision\":\"deny",
        ),
        (
            "copilot-cli",
            "PreToolUse",
            "PostToolUse",
            json!({}),
            "{\"permissionDecision\":\"deny",
        ),
    ];
    for (host, before, after, extra, denial) in cases {
        let place = Place::new(&format!("hook-denies-{host}"));
        let mut answers = Vec::new();
        for number in 0..6 {
            let mut input = json!({
                "session_id": "s",
                "tool_name": "read",
                "tool_input": { "path": "a.txt" },
                "timestamp": format!("2026-11-15T06:00:0{number}.000Z"),
            });
            for (key, value) in extra.as_object().expect("an object") {
                input[key] = value.clone();
            }
            if host != "gemini-cli" && host != "copilot-cli" {
                input["tool_use_id"] = json!(format!("c{number}"));
            }
            input["hook_event_name"] = json!(before);
            let ran = hook(&place, host, &input);
            assert_eq!(ran.code, Some(0), "{host}");
            answers.push(ran.out);
            input["hook_event_name"] = json!(after);
            input["tool_response"] = json!("the same");
            input["tool_result"] =
                json!({ "result_type": "success", "text_result_for_llm": "the same" });
            hook(&place, host, &input);
        }
        assert!(answers[5].contains(denial), "{host}: {answers:?}");
        assert!(
            answers[..5].iter().all(|answer| !answer.contains("deny")),
            "{host}"
        );
    }
}

#[test]
fn a_sub_agent_is_watched_apart() {
    let place = Place::new("hook-subagent");
    for number in 0..2 {
        stuck_from(&place, number);
        let id = format!("s{number}");
        for mut input in [pre(&id, "make"), post(&id, "make", "nothing to be done")] {
            input["agent_id"] = json!("sub");
            assert!(allowed(&hook(&place, "claude-code", &input)));
        }
    }
    // Four equal calls in all, two of each: nobody is stuck yet.
    let sessions = place.run(&["sessions", "--format", "json"]);
    let sessions: Value = serde_json::from_str(&sessions.out).expect("JSON");
    assert_eq!(sessions.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_person_who_watches_is_not_stopped() {
    let place = Place::new("hook-attended");
    let mut last = String::new();
    for number in 0..14 {
        let id = format!("c{number}");
        let run = |input: &Value| {
            let mut command = place.command(&["hook", "claude-code"]);
            command.env("CLAUDE_CODE_ENTRYPOINT", "cli");
            finish(command, input.to_string().as_bytes())
        };
        let before = run(&pre(&id, "make"));
        if !before.out.contains("deny") {
            run(&post(&id, "make", "nothing to be done"));
        }
        last = before.out;
    }
    assert!(
        last.contains("deny") && !last.contains("\"continue\""),
        "{last}"
    );
}

#[test]
fn the_environment_switches_it_off_or_to_observing() {
    let place = Place::new("hook-mode");
    stuck(&place, 9);
    let run = |mode: &str| {
        let mut command = place.command(&["hook", "claude-code"]);
        command.env("UNSTUCK_MODE", mode);
        finish(command, pre("x", "make").to_string().as_bytes())
    };
    assert!(run("enforce").out.contains("deny"));
    assert!(allowed(&run("observe")));
    assert!(allowed(&run("off")));
    // A word that is none is told in the log and changes nothing.
    assert!(run("of").out.contains("deny"));
    assert!(place.read("state/hook.log").contains("did you mean `off`?"));
}

#[test]
fn a_hook_of_another_host_is_recognised() {
    let place = Place::new("hook-cursor");
    for number in 0..6 {
        for (event, output) in [
            ("preToolUse", None),
            ("postToolUse", Some("{\"exitCode\":0}")),
        ] {
            let input = json!({
                "conversation_id": "c", "generation_id": "g", "cursor_version": "3", "hook_event_name": event,
                "tool_name": "Read", "tool_input": { "path": "a" }, "tool_use_id": format!("c{number}"),
                "tool_output": output,
            });
            let ran = hook(&place, "claude-code", &input);
            if (number, event) == (5, "preToolUse") {
                assert!(ran.out.contains("\"permission\":\"deny\""), "{}", ran.out);
            }
        }
    }
    assert!(place.run(&["sessions"]).out.contains("cursor"));
}

#[test]
fn a_mistyped_host_blocks_nothing() {
    let place = Place::new("hook-typo");
    let ran = hook(&place, "claud-code", &pre("1", "ls"));
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert!(
        ran.err.contains("no host is called `claud-code`"),
        "{}",
        ran.err
    );
    assert_eq!(place.run(&["hook"]).code, Some(0));
    let help = place.run(&["hook", "--help"]);
    assert!(
        help.out.contains("unstuck hook claude-code"),
        "{}",
        help.out
    );
}

#[test]
fn the_projects_file_counts_only_when_trusted() {
    let place = Place::new("hook-trust");
    place.write(
        "project/unstuck.toml",
        "[[tools]]\ntool = \"Bash\"\nexempt = true\n",
    );
    let project = place.path("project");
    let denied = |ids: &str| {
        let mut denied = false;
        for number in 0..7 {
            let id = format!("{ids}{number}");
            let mut before = pre(&id, "make");
            before["cwd"] = json!(project);
            let mut after = post(&id, "make", "same");
            after["cwd"] = json!(project);
            denied |= hook(&place, "claude-code", &before).out.contains("deny");
            hook(&place, "claude-code", &after);
        }
        denied
    };
    assert!(denied("untrusted"));
    assert!(place.read("state/hook.log").contains("is not trusted"));
    let path = project.join("unstuck.toml").display().to_string();
    let trusted = place.as_person(&["config", "trust", &path]);
    assert_eq!(trusted.code, Some(0), "{}", trusted.err);
    place.as_person(&["reset", "--all"]);
    assert!(!denied("trusted"));
    // Changed, by whomever, it counts no more.
    place.write("project/unstuck.toml", "mode = \"off\"\n");
    assert!(denied("changed"));
}
