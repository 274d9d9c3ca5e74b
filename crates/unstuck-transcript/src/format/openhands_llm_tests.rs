use crate::{Format, testing::Told};

#[test]
fn of_several_functions_in_a_text_the_first_is_the_call() {
    let log = r#"{"messages":[{"role":"assistant","content":"a\n<function=f>\n<parameter=x>1</parameter>\n</function>\n<function=g></function>"},{"role":"user","content":"EXECUTION RESULT of [f]:\nok"}]}"#;
    let told = Told::of(Format::OpenHandsLlm, &[log]);
    let expected = [
        "Assistant a\n",
        "call unnamed-1",
        "result unnamed-1 Ok",
        "turn",
    ];
    assert_eq!(told.kinds(), expected);
}

#[test]
fn a_text_beside_calls_is_not_read_as_one() {
    let log = r#"{"fncall_messages":[{"role":"assistant","content":"<function=f></function>","tool_calls":[{"id":"1","type":"function","function":{"name":"g","arguments":"{}"}}]}],"messages":[]}"#;
    let told = Told::of(Format::OpenHandsLlm, &[log]);
    assert_eq!(
        told.kinds(),
        ["Assistant <function=f></function>", "call 1", "turn"]
    );
}

#[test]
fn a_run_with_calls_of_the_api_has_no_calls_in_its_texts() {
    let log = r#"{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"g","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ok"},{"role":"assistant","content":"<function=g></function>"}]}"#;
    assert_eq!(Format::detect(log.as_bytes()), Some(Format::OpenAiChat));
    let told = Told::of(Format::OpenAiChat, &[log]);
    let calls = told.kinds();
    let calls = calls.iter().filter(|kind| kind.starts_with("call "));
    assert_eq!(calls.count(), 1);
}

#[test]
fn messages_that_only_mention_such_a_call_are_those_of_another_format() {
    let log = br#"{"messages":[{"role":"user","content":"what is <function=f>?"},{"role":"assistant","content":"a call"}]}"#;
    assert_eq!(Format::detect(log), Some(Format::OpenAiChat));
}
