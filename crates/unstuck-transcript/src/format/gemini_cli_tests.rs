use crate::{Format, testing::Told};

fn message(id: &str, calls: &str) -> String {
    format!(
        r#"{{"id":"{id}","timestamp":"2026-04-02T09:00:00Z","type":"gemini","content":"","toolCalls":[{calls}]}}"#
    )
}

fn call(id: &str, status: &str) -> String {
    format!(
        r#"{{"id":"{id}","name":"t","args":{{}},"status":"{status}","result":[{{"functionResponse":{{"response":{{"output":"x"}}}}}}]}}"#
    )
}

fn told(lines: &[String]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Told::of(Format::GeminiCli, &lines).kinds()
}

#[test]
fn of_a_message_that_grows_the_last_line_is_told() {
    let lines = [
        message("m", ""),
        message("m", &call("a", "executing")),
        message("m", &call("a", "success")),
    ];
    assert_eq!(told(&lines), ["call a", "result a Ok", "turn"]);
}

#[test]
fn a_message_that_grows_after_another_came_tells_only_what_is_new() {
    let lines = [
        message("m", &call("a", "executing")),
        r#"{"id":"i","type":"info","content":"working"}"#.to_owned(),
        message(
            "m",
            &format!("{},{}", call("a", "error"), call("b", "cancelled")),
        ),
    ];
    assert_eq!(
        told(&lines),
        [
            "call a",
            "call b",
            "result a Error",
            "result b Cancelled",
            "turn"
        ]
    );
}

#[test]
fn calls_of_one_message_come_before_its_results() {
    let both = format!("{},{}", call("a", "success"), call("b", "success"));
    assert_eq!(
        told(&[message("m", &both)]),
        ["call a", "call b", "result a Ok", "result b Ok", "turn"]
    );
}
