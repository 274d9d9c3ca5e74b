use crate::{Format, testing::Told};

fn told(messages: &str) -> Vec<String> {
    Told::of(Format::Cline, &[messages]).kinds()
}

#[test]
fn several_calls_of_a_message_and_their_results_belong_together() {
    let messages = r#"[{"role":"assistant","content":[{"type":"text","text":"<read_file>\n<path>a</path>\n</read_file>\n<list_files>\n<path>b</path>\n</list_files>"}]},
        {"role":"user","content":[{"type":"text","text":"[list_files for 'b'] Result:\nx"},{"type":"text","text":"[read_file for 'a. See [1] there'] Result:"},{"type":"text","text":"y"}]}]"#;
    let expected = [
        "call unnamed-1",
        "call unnamed-2",
        "result unnamed-2 Ok",
        "result unnamed-1 Ok",
        "turn",
    ];
    assert_eq!(told(messages), expected);
}

#[test]
fn what_the_harness_adds_is_not_a_persons_word() {
    let messages = r#"[{"role":"user","content":[{"type":"text","text":"<task>\nx\n</task>"},{"type":"text","text":"<environment_details>\n</environment_details>"}]},
        {"role":"assistant","content":"hello"},
        {"role":"user","content":[{"type":"text","text":"[ERROR] You did not use a tool in your previous response!"}]}]"#;
    assert_eq!(told(messages), ["User", "Assistant hello", "turn"]);
}
