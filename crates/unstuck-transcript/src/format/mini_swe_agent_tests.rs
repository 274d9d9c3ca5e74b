use super::fenced;
use crate::{Format, testing::Told};

#[test]
fn the_task_is_what_the_prompt_says() {
    let run = r#"{"trajectory_format":"mini-swe-agent-1","messages":[{"role":"system","content":"s"},{"role":"user","content":"Please solve this issue: dates before 1970"},{"role":"assistant","content":"```mswea_bash_command\nls\n```"},{"role":"user","content":"<returncode>0</returncode>"}]}"#;
    let told = Told::of(Format::MiniSweAgent, &[run]);
    assert_eq!(told.asked, ["default/main: dates before 1970"]);
}

#[test]
fn the_one_fenced_command_is_found() {
    let cases = [
        (
            "Look:\n```mswea_bash_command\nls\n```",
            Some(("Look:\n", "ls")),
        ),
        ("```bash\nls\ncd x\n```\nDone.", Some(("", "ls\ncd x"))),
        (
            "```mswea_bash_command\nls\n```\n```mswea_bash_command\nps\n```",
            None,
        ),
        ("```python\nprint()\n```", None),
        ("```bash\nls", None),
        ("no command", None),
        ("", None),
    ];
    for (content, expected) in cases {
        assert_eq!(fenced(content), expected, "{content}");
    }
}
