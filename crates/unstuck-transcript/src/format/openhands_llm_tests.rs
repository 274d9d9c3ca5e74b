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
fn messages_that_only_mention_such_a_call_are_those_of_another_format() {
    let log = br#"{"messages":[{"role":"user","content":"what is <function=f>?"},{"role":"assistant","content":"a call"}]}"#;
    assert_eq!(Format::detect(log), Some(Format::OpenAiChat));
}
