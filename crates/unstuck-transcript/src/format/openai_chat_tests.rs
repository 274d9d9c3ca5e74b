use super::recognises;
use crate::{Format, head::Head, testing::Told};

#[test]
fn what_others_have_under_the_same_names_is_not_taken() {
    let others = [
        r#"{"messages":[]}"#,
        r#"{"messages":[{"id":"1","type":"user","content":"x"}]}"#,
        r#"{"messages":[{"info":{},"parts":[]}]}"#,
        r#"[{"role":"pilot","content":"x"}]"#,
        r#"{"role":"admin","name":"x"}"#,
        r#"{"messages":"none"}"#,
        r#"{"model":"m","system":"s","messages":[{"role":"user","content":"x"}]}"#,
    ];
    for other in others {
        assert!(!recognises(&Head::new(other.as_bytes())), "{other}");
    }
}

#[test]
fn bodies_are_known_in_their_wrappers() {
    let message = r#"{"role":"user","content":"x"}"#;
    for text in [
        format!("[{message}]"),
        format!(r#"{{"messages":[{message}]}}"#),
        format!(r#"[{{"model":"m","messages":[{message}]}}]"#),
        format!(r#"{{"custom_id":"1","body":{{"messages":[{message}]}}}}"#),
        format!(
            r#"{{"id":"1","response":{{"status_code":200,"body":{{"choices":[{{"message":{message}}}]}}}}}}"#
        ),
        format!("{message}\n{message}\n"),
    ] {
        assert!(recognises(&Head::new(text.as_bytes())), "{text}");
    }
}

#[test]
fn an_answer_beside_a_history_that_has_it_already_is_told_once() {
    let call = r#"{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    let answer = format!(
        r#"{{"choices":[{{"message":{call}}}],"usage":{{"prompt_tokens":3,"completion_tokens":1}}}}"#
    );
    let asked = r#"{"role":"user","content":"go"}"#;
    let with = format!(r#"{{"messages":[{asked},{call}],"response":{answer}}}"#);
    let without = format!(r#"{{"messages":[{asked}],"response":{answer}}}"#);
    for log in [with, without] {
        let told = Told::of(Format::OpenAiChat, &[&log]);
        assert_eq!(told.kinds(), ["User", "call 1", "turn"], "{log}");
        assert_eq!(told.usage.len(), 1, "{log}");
    }
}

#[test]
fn answers_that_follow_each_other_are_all_told() {
    let answer = r#"{"choices":[{"message":{"role":"assistant","content":"again"}}]}"#;
    let told = Told::of(Format::OpenAiChat, &[answer, answer]);
    assert_eq!(
        told.kinds(),
        ["Assistant again", "turn", "Assistant again", "turn"]
    );
}
