//! `mcp-control`, by the lines that a client sends and gets.

use serde_json::{Value, json};

use crate::{
    hook::{hook, pre, stuck},
    run::{Place, finish, finish_in_terminal},
};

/// Begins with a handshake and calls these tools; what came back, by id.
fn answers(place: &Place, options: &[&str], calls: &[(&str, Value)]) -> Vec<Value> {
    let mut lines = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
    ];
    for (index, (name, arguments)) in calls.iter().enumerate() {
        lines.push(
            json!({"jsonrpc": "2.0", "id": index + 2, "method": "tools/call",
            "params": {"name": name, "arguments": arguments}}),
        );
    }
    send(place, options, &lines)
}

fn send(place: &Place, options: &[&str], lines: &[Value]) -> Vec<Value> {
    let input: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
    let words = [&["mcp-control"], options].concat();
    let input = input.concat();
    let ran = if options.contains(&"--allow-reset") {
        finish_in_terminal(&place.command(&words), input.as_bytes())
    } else {
        place.run_with(&words, input.as_bytes())
    };
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let mut answers = ran.answers();
    // Calls are answered as they are done.
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["result"]["tools"].as_array().expect("tools");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .expect("text")
}

#[test]
fn a_halted_agent_is_told_of() {
    let place = Place::new("control-status");
    stuck(&place, 9);
    let found = answers(
        &place,
        &[],
        &[
            ("status", json!({})),
            ("status", json!({"session": "session-"})),
            ("status", json!({"session": "nobody"})),
        ],
    );
    assert_eq!(found[0]["result"]["serverInfo"]["name"], "unstuck");
    assert_eq!(names(&found[1]), ["status", "explain"]);
    let status = &found[2]["result"]["structuredContent"];
    assert_eq!(status["agents_halted"], 1, "{status}");
    assert_eq!(status["agents"][0]["session"], "session-1");
    assert_eq!(status["agents"][0]["warnings"][0]["rule"], "exact-repeat");
    assert_eq!(&found[3]["result"]["structuredContent"], status);
    assert_eq!(found[4]["result"]["isError"], true);
    assert!(text(&found[4]).contains("no session begins with"));
}

#[test]
fn rules_are_explained_as_they_are_in_effect() {
    let place = Place::new("control-explain");
    let found = answers(
        &place,
        &["--preset", "ironcurtain"],
        &[
            ("explain", json!({"rule": "call-burst"})),
            ("explain", json!({})),
            ("explain", json!({"rule": "call-brust"})),
        ],
    );
    assert!(text(&found[2]).contains("In effect here (preset ironcurtain)"));
    let all = text(&found[3]);
    assert!(
        all.contains("exact-repeat: ") && all.contains("budget: "),
        "{all}"
    );
    assert!(text(&found[4]).contains("did you mean `call-burst`?"));
    assert_eq!(found[4]["result"]["isError"], true);
}

#[test]
fn a_reset_is_offered_only_where_a_person_said_so() {
    let place = Place::new("control-reset");
    stuck(&place, 9);
    let call = ("reset", json!({"session": "session-1"}));
    let refused = answers(&place, &[], std::slice::from_ref(&call));
    assert_eq!(refused[2]["error"]["code"], -32602, "{}", refused[2]);
    assert!(place.run(&["status"]).out.contains("1 seen, 1 halted"));
    let nothing = answers(&place, &["--allow-reset"], &[("reset", json!({}))]);
    assert_eq!(nothing[2]["result"]["isError"], true);
    assert!(place.run(&["status"]).out.contains("1 seen, 1 halted"));
    let done = answers(&place, &["--allow-reset"], &[call]);
    assert_eq!(names(&done[1]), ["status", "explain", "reset"]);
    assert!(text(&done[2]).contains("session-1: cleared"));
    assert!(place.run(&["status"]).out.contains("1 seen, 0 halted"));
    assert_eq!(hook(&place, "claude-code", &pre("x", "make")).out, "");
}

#[test]
fn an_agent_cannot_start_one_that_resets() {
    let place = Place::new("control-agent");
    let mut command = place.command(&["mcp-control", "--allow-reset"]);
    command.env("CLAUDECODE", "1");
    let ran = finish(command, b"");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("for a person to decide"), "{}", ran.err);
    // It may look, though.
    let mut command = place.command(&["mcp-control"]);
    command.env("CLAUDECODE", "1");
    assert_eq!(finish(command, b"").code, Some(0));
}

#[test]
fn clients_without_a_handshake_are_answered() {
    let place = Place::new("control-modern");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let lines = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": meta}}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "status", "arguments": {}, "_meta": meta}}),
    ];
    let found = send(&place, &[], &lines);
    let versions = found[0]["result"]["supportedVersions"].to_string();
    assert!(versions.contains("2026-07-28"), "{}", found[0]);
    let result = &found[1]["result"];
    assert_eq!(result["resultType"], "complete", "{result}");
    assert_eq!(result["structuredContent"]["agents_seen"], 0, "{result}");
}
