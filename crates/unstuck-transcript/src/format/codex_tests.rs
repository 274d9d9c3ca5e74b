use crate::{Format, testing::Told};

fn item(payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-04-02T09:00:00Z","type":"response_item","payload":{payload}}}"#)
}

fn told(lines: &[String]) -> Told {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Told::of(Format::Codex, &lines)
}

fn call(id: &str) -> String {
    item(&format!(
        r#"{{"type":"function_call","name":"shell","arguments":"{{}}","call_id":"{id}"}}"#
    ))
}

fn output(id: &str, output: &str) -> String {
    item(&format!(
        r#"{{"type":"function_call_output","call_id":"{id}","output":{output}}}"#
    ))
}

#[test]
fn what_the_model_says_after_a_result_begins_a_round() {
    let lines = [
        call("a"),
        call("b"),
        output("a", r#""x""#),
        output("b", r#""y""#),
        call("c"),
        output("c", r#""z""#),
    ];
    assert_eq!(
        told(&lines).kinds(),
        [
            "call a",
            "call b",
            "result a Ok",
            "result b Ok",
            "turn",
            "call c",
            "result c Ok",
            "turn"
        ]
    );
}

#[test]
fn results_say_how_their_calls_ended() {
    for (said, status) in [
        (r#""Exit code: 1\nOutput:\nx""#, "Ok"),
        (r#""exec command rejected by user""#, "Denied"),
        (r#""Command blocked by PreToolUse hook: no""#, "Denied"),
        (r#""aborted""#, "Cancelled"),
        (r#""unsupported call: fly""#, "Error"),
        (r#"{"content":"x","success":false}"#, "Error"),
        (r#"{"content":"x","success":true}"#, "Ok"),
        (r#"[{"type":"input_image","image_url":"x"}]"#, "Ok"),
        ("null", "Ok"),
    ] {
        let kinds = told(&[output("a", said)]).kinds();
        assert_eq!(
            kinds,
            [format!("result a {status}"), "turn".to_owned()],
            "{said}"
        );
    }
}

#[test]
fn how_a_call_ended_may_be_told_before_its_result() {
    let event = |item: &str| {
        format!(r#"{{"type":"event_msg","payload":{{"type":"item_completed","item":{item}}}}}"#)
    };
    for (ended, status) in [
        (
            r#"{"type":"CommandExecution","id":"a","status":"declined"}"#,
            "Denied",
        ),
        (
            r#"{"type":"CommandExecution","id":"a","status":"failed","exit_code":2}"#,
            "Ok",
        ),
        (
            r#"{"type":"McpToolCall","id":"a","status":"completed","result":{"isError":true}}"#,
            "Error",
        ),
        (r#"{"type":"McpToolCall","id":"b","status":"failed"}"#, "Ok"),
    ] {
        let kinds = told(&[event(ended), output("a", r#""x""#)]).kinds();
        assert_eq!(kinds[0], format!("result a {status}"), "{ended}");
    }
}

#[test]
fn people_are_told_from_the_harness() {
    let says = |text: &str| {
        told(&[item(&format!(
            r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#
        ))])
        .kinds()
    };
    assert_eq!(says("fix it"), ["User"]);
    assert_eq!(
        says("<environment_context>x</environment_context>"),
        [""; 0]
    );
    assert_eq!(says("# AGENTS.md instructions for /home/ada"), [""; 0]);
    assert_eq!(says("  "), [""; 0]);
}
