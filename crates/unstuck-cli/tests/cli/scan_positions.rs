//! Positions in reports of `unstuck scan` are lines of the file, or are left out.

use serde_json::{Value, json};

use super::run::{Place, Ran};

fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// A chat in which the same command fails again and again.
fn chat() -> Value {
    let mut messages = vec![json!({"role": "user", "content": "build it"})];
    for number in 0..6 {
        let call = json!({
            "id": format!("call_{number}"),
            "type": "function",
            "function": {"name": "bash", "arguments": "{\"command\": \"make\"}"},
        });
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        messages.push(json!({
            "role": "tool",
            "tool_call_id": format!("call_{number}"),
            "content": "make: no rule to make target",
        }));
    }
    json!({"model": "m", "messages": messages})
}

/// A trajectory with step numbers of its own.
fn trajectory() -> Value {
    let steps = (0..6).map(|number| {
        json!({
            "step_id": 100 + number,
            "source": "agent",
            "message": "again",
            "tool_calls": [{
                "tool_call_id": format!("call_{number}"),
                "function_name": "bash",
                "arguments": {"command": "make"},
            }],
            "observation": {"results": [{
                "source_call_id": format!("call_{number}"),
                "content": "make: no rule to make target",
            }]},
        })
    });
    json!({
        "schema_version": "ATIF-v1.2",
        "session_id": "s",
        "agent": {"name": "a", "version": "1", "model_name": "m"},
        "steps": steps.collect::<Vec<_>>(),
    })
}

/// Lines of a text on which an object begins that is one of these, counted from one.
fn lines_before(text: &str, member: &str) -> Vec<u64> {
    let lines: Vec<&str> = text.lines().collect();
    let found = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.contains(member));
    found
        .map(|(at, _)| {
            let start = lines[..=at].iter().rposition(|line| line.trim() == "{");
            start.expect("an object") as u64 + 1
        })
        .collect()
}

#[test]
fn lines_of_a_document_are_lines_of_the_file() {
    let place = Place::new("scan_positions_document");
    for (name, document, member) in [
        ("chat.json", chat(), "\"assistant\""),
        ("run.json", trajectory(), "\"step_id\""),
    ] {
        let text = format!("{document:#}");
        place.write(name, &text);
        let calls = lines_before(&text, member);
        assert_eq!(calls.len(), 6);
        let report = parsed(&place.run(&["scan", name, "--format", "json"]));
        let found = &report["runs"][0]["loops"][0];
        assert_eq!(found["from"], calls[0], "{name}: {found}");
        let to = found["to"].as_u64().expect("a line");
        assert!(
            to >= calls[5] && to <= text.lines().count() as u64,
            "{name}: {found}"
        );
        let sarif = parsed(&place.run(&["scan", name, "--format", "sarif"]));
        let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], calls[0], "{name}: {region}");
        // The page shows single calls.
        let page = place.run(&["scan", name, "--format", "html"]).out;
        for line in &calls {
            assert!(
                page.contains(&format!("{{\"line\":{line},\"tool\":\"bash\"")),
                "{name}:{line}"
            );
        }
    }
}

#[test]
fn a_document_on_one_line_is_line_one() {
    let place = Place::new("scan_positions_one_line");
    place.write("chat.json", chat().to_string());
    place.write("later.json", format!("\n\n{}\n", trajectory()));
    let report = parsed(&place.run(&["scan", "chat.json", "later.json", "--format", "json"]));
    for run in report["runs"].as_array().expect("runs") {
        let line = if run["path"] == "chat.json" { 1 } else { 3 };
        let found = &run["loops"][0];
        assert_eq!(
            (found["from"].as_u64(), found["to"].as_u64()),
            (Some(line), Some(line)),
            "{run}"
        );
    }
    let text = place.run(&["scan", "chat.json"]).out;
    assert!(
        text.contains("line 1\n") && !text.contains("lines 1"),
        "{text}"
    );
}

#[test]
fn many_blank_lines_before_a_run_hide_nothing() {
    const BLANK: usize = 300_000;
    let place = Place::new("scan_positions_blank");
    let blank = "\n".repeat(BLANK);
    let mut events = String::new();
    for id in 0..6 {
        let call = json!({"event": "call", "id": id, "tool": "bash", "args": {"command": "make"}});
        let result = json!({"event": "result", "id": id, "output": "no rule"});
        events.extend([call, result].map(|event| format!("{event}\n")));
    }
    place.write("chat.json", format!("{blank}{}", chat()));
    place.write("run.jsonl", format!("{blank}{events}"));
    let ran = place.run(&["scan", ".", "--format", "json", "--fail-on", "nudge"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = parsed(&ran);
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 2, "{}", report["skipped"]);
    for run in runs {
        let from = run["loops"][0]["from"].as_u64();
        assert_eq!(from, Some(BLANK as u64 + 1), "{run}");
    }
}

#[test]
fn alarms_of_tune_are_on_lines_of_the_file_and_are_told_apart_on_one_line() {
    let place = Place::new("scan_positions_tune");
    let text = format!("{:#}", chat());
    place
        .write("chat.json", &text)
        .write("one.json", chat().to_string());
    let calls = lines_before(&text, "\"assistant\"");
    let tune = |name: &str| {
        let report = parsed(&place.run(&["tune", name, "--format", "json"]));
        let groups = report["alarms"].as_array().or(report["groups"].as_array());
        groups.unwrap_or_else(|| panic!("{report}"))[0].clone()
    };
    let (pretty, one) = (tune("chat.json"), tune("one.json"));
    assert_eq!(pretty["examples"][0]["from"], calls[0], "{pretty}");
    assert_eq!(one["examples"][0]["from"], 1, "{one}");
    for member in ["runs", "verdicts", "endings"] {
        assert_eq!(one[member], pretty[member], "{member}: {one} {pretty}");
    }
}

#[test]
fn a_database_has_no_lines() {
    let place = Place::new("scan_positions_database");
    let database = rusqlite::Connection::open(place.path("opencode.db")).expect("a database");
    database
        .execute_batch(
            "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT);
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
             INSERT INTO session VALUES ('ses_1', NULL);",
        )
        .expect("tables");
    for number in 0..5 {
        let part = format!(
            r#"{{"type":"tool","tool":"bash","callID":"c{number}","state":{{"status":"completed","input":{{"command":"make"}},"output":"no rule"}}}}"#
        );
        let message = format!("msg_{number}");
        database
            .execute(
                "INSERT INTO message VALUES (?1, 'ses_1', ?2, ?3)",
                (&message, number * 1_000, r#"{"role":"assistant"}"#),
            )
            .expect("a row");
        database
            .execute(
                "INSERT INTO part VALUES (?1, ?2, 'ses_1', ?3, ?4)",
                (format!("prt_{number}"), &message, number * 1_000, part),
            )
            .expect("a row");
    }
    drop(database);
    let report = parsed(&place.run(&["scan", "opencode.db", "--format", "json"]));
    let found = &report["runs"][0]["loops"][0];
    assert_eq!(found["rule"], "exact-repeat", "{report}");
    assert_eq!(
        (found.get("from"), found.get("to")),
        (None, None),
        "{found}"
    );
    let sarif = parsed(&place.run(&["scan", "opencode.db", "--format", "sarif"]));
    let location = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(location["artifactLocation"].is_object(), "{location}");
    assert!(location.get("region").is_none(), "{location}");
    for output in ["terminal", "markdown", "junit"] {
        let text = place.run(&["scan", "opencode.db", "--format", output]).out;
        assert!(
            !text.contains("lines ") && !text.contains("line 0"),
            "{text}"
        );
        assert!(!text.contains("opencode.db:0"), "{text}");
    }
}
