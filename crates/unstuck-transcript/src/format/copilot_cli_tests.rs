use crate::{Format, testing::Told};

fn line(kind: &str, data: &str) -> String {
    format!(
        r#"{{"type":"{kind}","data":{data},"id":"1","timestamp":"2026-04-02T09:00:00Z","parentId":null}}"#
    )
}

fn told(lines: &[String]) -> Told {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Told::of(Format::CopilotCli, &lines)
}

#[test]
fn a_call_that_is_requested_and_begun_is_one_call() {
    let lines = [
        line(
            "assistant.message",
            r#"{"messageId":"m","toolRequests":[{"toolCallId":"a","name":"t","arguments":"{\"x\":1}"}]}"#,
        ),
        line(
            "tool.execution_start",
            r#"{"toolCallId":"a","toolName":"t","arguments":{"x":1}}"#,
        ),
        line(
            "tool.execution_start",
            r#"{"toolCallId":"b","toolName":"t"}"#,
        ),
        line(
            "tool.execution_complete",
            r#"{"toolCallId":"a","success":true,"result":{"content":"x"}}"#,
        ),
        line(
            "tool.execution_complete",
            r#"{"toolCallId":"b","success":false}"#,
        ),
    ];
    assert_eq!(
        told(&lines).kinds(),
        ["call a", "call b", "result a Ok", "result b Error", "turn"]
    );
}

#[test]
fn what_a_request_used_belongs_to_the_message_it_brought() {
    let lines = [
        line("assistant.message", r#"{"messageId":"m1","content":"one"}"#),
        line(
            "session.usage_record",
            r#"{"usage":{"model":"g","inputTokens":5,"outputTokens":2,"cacheReadTokens":4}}"#,
        ),
        line("assistant.message", r#"{"messageId":"m2","content":"two"}"#),
    ];
    let told = told(&lines);
    assert_eq!(
        told.kinds(),
        ["Assistant one", "turn", "Assistant two", "turn"]
    );
    assert_eq!(told.usage.len(), 1);
    assert_eq!(told.usage[0].tokens.input, 1);
}
