use super::fenced;

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
