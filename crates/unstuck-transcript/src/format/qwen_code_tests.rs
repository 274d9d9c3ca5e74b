use crate::{Format, testing::Told};

#[test]
fn providers_that_count_thoughts_apart_and_those_that_do_not_give_the_same_sum() {
    for usage in [
        r#"{"promptTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":5,"totalTokenCount":125}"#,
        r#"{"promptTokenCount":100,"candidatesTokenCount":25,"thoughtsTokenCount":5,"totalTokenCount":125}"#,
        r#"{"promptTokenCount":100,"candidatesTokenCount":25}"#,
    ] {
        let line = format!(
            r#"{{"uuid":"1","type":"assistant","message":{{"role":"model","parts":[{{"text":"x"}}]}},"usageMetadata":{usage}}}"#
        );
        let told = Told::of(Format::QwenCode, &[&line]);
        assert_eq!(told.usage[0].tokens.total(), 125, "{usage}");
    }
}

#[test]
fn a_result_without_its_summary_is_judged_by_its_response() {
    let line = |response: &str| {
        format!(
            r#"{{"uuid":"1","type":"tool_result","message":{{"parts":[{{"functionResponse":{{"id":"a","response":{response}}}}}]}}}}"#
        )
    };
    let status = |response: &str| Told::of(Format::QwenCode, &[&line(response)]).kinds()[0].clone();
    assert_eq!(status(r#"{"output":"x"}"#), "result a Ok");
    assert_eq!(status(r#"{"error":"x"}"#), "result a Error");
}
