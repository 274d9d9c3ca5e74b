use crate::{Format, testing::Told};

#[test]
fn items_that_are_only_completed_are_calls_too_and_none_is_told_twice() {
    let done = r#"{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"ls","aggregated_output":"x","exit_code":0,"status":"completed"}}"#;
    let started = done.replace("item.completed", "item.started");
    let updated = done.replace("item.completed", "item.updated");
    let once = ["call 1", "result 1 Ok", "turn"];
    assert_eq!(Told::of(Format::CodexExec, &[done]).kinds(), once);
    let told = Told::of(Format::CodexExec, &[&started, &updated, done]);
    assert_eq!(told.kinds(), once);
}

#[test]
fn items_that_are_no_calls_are_passed_over() {
    for item in [
        r#"{"type":"item.completed","item":{"id":"1","type":"error","message":"x"}}"#,
        r#"{"type":"item.started","item":{"id":"1","type":"todo_list","items":[]}}"#,
        r#"{"type":"item.completed"}"#,
        r#"{"type":"error","message":"x"}"#,
    ] {
        assert_eq!(
            Told::of(Format::CodexExec, &[item]).kinds(),
            [""; 0],
            "{item}"
        );
    }
}
