use super::*;
use crate::{Format, testing::Told};

fn told(lines: &[&str]) -> Told {
    Told::of(Format::ClaudeCode, lines)
}

fn prompt(content: &str) -> Vec<String> {
    let line = format!(
        r#"{{"type":"user","message":{{"role":"user","content":{content}}},"sessionId":"s"}}"#
    );
    told(&[&line]).kinds()
}

fn answer(content: &str, more: &str) -> Told {
    let line = format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t",{content}}}]}},"sessionId":"s"{more}}}"#
    );
    told(&[&line])
}

fn status(content: &str, more: &str) -> (Status, Option<i64>) {
    let told = answer(content, more);
    match &told.events[0].kind {
        unstuck::EventKind::Result(result) => (result.status, result.exit_code),
        kind => panic!("{kind:?}"),
    }
}

#[test]
fn people_are_told_from_the_harness() {
    for said in [
        r#""fix it""#,
        r#"[{"type":"text","text":"fix it"},{"type":"image","source":{}}]"#,
        r#""<command-name>/review</command-name>""#,
        r#"[{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"go on"}]"#,
    ] {
        assert_eq!(prompt(said), ["User"], "{said}");
    }
    for said in [
        r#""""#,
        r#""<system-reminder>x</system-reminder>""#,
        r#""<local-command-stdout>ok</local-command-stdout>""#,
        r#"[{"type":"text","text":"[Request interrupted by user]"}]"#,
        r#"[{"type":"image","source":{}}]"#,
        "null",
    ] {
        assert_eq!(prompt(said), [""; 0], "{said}");
    }
    for flag in ["isMeta", "isCompactSummary", "isSidechain", "isSynthetic"] {
        let line = format!(
            r#"{{"{flag}":true,"type":"user","message":{{"role":"user","content":"x"}},"sessionId":"s"}}"#
        );
        assert_eq!(told(&[&line]).kinds(), [""; 0], "{flag}");
    }
}

#[test]
fn results_say_how_their_calls_ended() {
    assert_eq!(status(r#""content":"ok""#, ""), (Status::Ok, None));
    assert_eq!(
        status(
            r#""is_error":true,"content":"Exit code 127\nnot found""#,
            ""
        ),
        (Status::Error, Some(127))
    );
    // What a command printed is not what the harness says.
    assert_eq!(
        status(r#""is_error":false,"content":"Exit code 1""#, ""),
        (Status::Ok, None)
    );
    assert_eq!(
        status(
            r#""is_error":true,"content":"The user doesn't want to proceed""#,
            ""
        ),
        (Status::Denied, None)
    );
    assert_eq!(
        status(
            r#""is_error":true,"content":"no""#,
            r#","toolDenialKind":"permission-rule""#
        ),
        (Status::Denied, None)
    );
    assert_eq!(
        status(
            r#""content":"""#,
            r#","toolUseResult":{"stdout":"\"","interrupted":true}"#
        ),
        (Status::Cancelled, None)
    );
    assert_eq!(
        status(
            r#""is_error":true,"content":"<tool_use_error>Cancelled: x</tool_use_error>""#,
            ""
        ),
        (Status::Cancelled, None)
    );
}

#[test]
fn a_result_without_content_has_none_and_blocks_are_joined() {
    let output = |content: &str| match &answer(content, "").events[0].kind {
        unstuck::EventKind::Result(result) => result.output.as_ref().map(Json::to_string),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(output(r#""is_error":false"#), None);
    assert_eq!(output(r#""content":[]"#).as_deref(), Some("[]"));
    assert_eq!(
        output(r#""content":[{"type":"text","text":"a\ud800"}]"#).as_deref(),
        Some("\"a\u{fffd}\"")
    );
}

fn message(id: &str, output: u64, block: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","role":"assistant","model":"m","content":[{block}],"usage":{{"input_tokens":1,"output_tokens":{output}}}}},"sessionId":"s"}}"#
    )
}

fn tool_use(id: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"Bash","input":{{"command":"ls"}}}}"#)
}

#[test]
fn the_lines_of_a_message_are_one_round_and_its_usage_counts_once() {
    let result = |id: &str| {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"x"}}]}},"sessionId":"s"}}"#
        )
    };
    // The first call returned before the message was over.
    let lines = [
        message("m1", 2, &tool_use("a")),
        result("a"),
        message("m1", 9, &tool_use("b")),
        result("b"),
        message("m2", 3, r#"{"type":"text","text":"done"}"#),
    ];
    let told = told(&lines.each_ref().map(String::as_str));
    assert_eq!(
        told.kinds(),
        [
            "call a",
            "result a Ok",
            "call b",
            "result b Ok",
            "turn",
            "Assistant done",
            "turn"
        ]
    );
    let outputs: Vec<u64> = told.usage.iter().map(|usage| usage.tokens.output).collect();
    assert_eq!(outputs, [9, 3]);
}

#[test]
fn the_order_of_members_does_not_matter() {
    let line = r#"{"message":{"content":[{"input":{},"name":"Bash","id":"a","type":"tool_use"}],"id":"m"},"agentId":"x","timestamp":"2026-03-01T09:00:00Z","sessionId":"s","type":"assistant"}"#;
    let told = told(&[line]);
    assert_eq!(told.kinds(), ["call a", "turn"]);
    assert_eq!(&*told.events[0].agent, "x");
    assert_eq!(told.events[0].at, Some(Timestamp(1_772_355_600_000)));
}

#[test]
fn members_of_other_types_than_expected_are_passed_over() {
    for line in [
        r#"{"type":7,"message":"x"}"#,
        r#"{"type":"assistant","message":{"id":1,"content":{"type":"text"},"usage":[]}}"#,
        r#"{"type":"assistant","message":{"content":["x",null,{"type":["y"]}]}}"#,
        r#"{"type":"user","message":null,"toolUseResult":[1],"permissionDecision":"no","timestamp":5}"#,
        r#"{"type":"a new kind","x":{}}"#,
    ] {
        assert_eq!(told(&[line]).kinds(), [""; 0], "{line}");
    }
}

#[test]
fn sub_agents_without_names_are_told_apart_by_the_lines_they_follow() {
    let line = |id: &str, parent: &str, call: &str| {
        let line = message(id, 1, &tool_use(call));
        line.replacen(
            '{',
            &format!(r#"{{"isSidechain":true,"uuid":"{id}","parentUuid":"{parent}","#),
            1,
        )
    };
    let lines = [
        line("a1", "", "1"),
        line("b1", "", "2"),
        line("a2", "a1", "3"),
        line("b2", "b1", "4"),
        line("a3", "a2", "5"),
    ];
    let told = told(&lines.each_ref().map(String::as_str));
    let agents = |wanted: &str| -> Vec<String> {
        let calls = told.events.iter().filter(|event| &*event.agent == wanted);
        calls
            .filter_map(|event| match &event.kind {
                unstuck::EventKind::Call(call) => Some(call.id.to_string()),
                _ => None,
            })
            .collect()
    };
    assert_eq!(agents("sidechain-1"), ["1", "3", "5"]);
    assert_eq!(agents("sidechain-2"), ["2", "4"]);
}

#[test]
fn a_sub_agent_has_the_task_it_was_given_and_no_word_of_a_person() {
    let told = Told::of(
        Format::ClaudeCode,
        &[
            r#"{"isSidechain":true,"agentId":"a1","type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"look left"}}"#,
            r#"{"isSidechain":true,"agentId":"a1","type":"assistant","uuid":"u2","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Grep","input":{}}]}}"#,
        ],
    );
    assert_eq!(told.asked, ["s/a1: look left"]);
    assert_eq!(told.kinds(), ["call t1", "turn"]);
}
