use crate::{Format, testing::Told};

const HISTORY: &str = r#"[{"role":"system","content":"s"},{"role":"user","content":"a demonstration","is_demo":true},{"role":"user","content":"Here's the issue text:\nISSUE:\nSyntaxError in a.py"},{"role":"assistant","content":"look","action":"ls"}]"#;

#[test]
fn the_task_is_what_the_prompt_says() {
    let steps = r#"[{"action":"ls","observation":"a","thought":"look"}]"#;
    for run in [
        format!(r#"{{"history":{HISTORY}}}"#),
        format!(r#"{{"trajectory":{steps},"history":{HISTORY}}}"#),
    ] {
        let told = Told::of(Format::SweAgent, &[&run]);
        assert_eq!(told.asked, ["default/main: SyntaxError in a.py"], "{run}");
    }
    let told = Told::of(Format::SweAgent, &[&format!(r#"{{"trajectory":{steps}}}"#)]);
    assert_eq!(told.asked, [""; 0]);
    assert_eq!(told.kinds()[0], "User");
}
