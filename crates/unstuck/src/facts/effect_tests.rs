use super::*;
use unstuck_json::Json;

fn effect(tool: &str, args: &str) -> Effect {
    let call = Call::new("1", tool, Json::parse(args).unwrap());
    let args = Args::new(call.args.view());
    let command = super::super::shell::command(tool, &args, super::super::CompareCalls::Standard);
    let insight = command
        .as_deref()
        .and_then(|command| super::super::shell::understand(tool, &args, command));
    of(
        &call,
        ToolWords::of(tool),
        &args,
        command.as_deref(),
        insight.as_ref(),
    )
}

#[test]
fn tools_tell_by_their_names() {
    for tool in [
        "read_file",
        "ReadFile",
        "fs.read",
        "mcp__fs__list-dir",
        "WebFetch",
        "Grep",
    ] {
        assert_eq!(effect(tool, "{}"), Effect::Reads, "{tool}");
    }
    for tool in [
        "write_file",
        "Edit",
        "applyPatch",
        "str_replace_editor",
        "createIssue",
    ] {
        assert_eq!(effect(tool, "{}"), Effect::Writes, "{tool}");
    }
    for tool in ["run_tests", "think", "spreadsheet", "credit_check"] {
        assert_eq!(effect(tool, "{}"), Effect::Unknown, "{tool}");
    }
}

#[test]
fn an_editor_that_only_views_reads() {
    assert_eq!(
        effect("str_replace_editor", r#"{"command":"view","path":"a"}"#),
        Effect::Reads
    );
    assert_eq!(
        effect("str_replace_editor", r#"{"command":"create","path":"a"}"#),
        Effect::Writes
    );
}

#[test]
fn what_the_caller_declares_counts() {
    let mut call = Call::new("1", "write_file", Json::empty_object());
    call.read_only = Some(true);
    assert_eq!(
        of(
            &call,
            ToolWords::of("write_file"),
            &Args::new(call.args.view()),
            None,
            None
        ),
        Effect::Reads
    );
}

#[test]
fn shell_commands_tell_by_what_they_do() {
    let shell = |command: &str| {
        effect(
            "bash",
            &serde_json::json!({ "command": command }).to_string(),
        )
    };
    for command in [
        "ls -la",
        "cat a.txt | grep x",
        "cd a && ls",
        "grep -r x . 2>/dev/null",
        "sed -n 1,5p a",
        "find . -name x 2>&1 | head",
    ] {
        assert_eq!(shell(command), Effect::Reads, "{command}");
    }
    for command in [
        "echo x > a",
        "cat b >> a",
        "sed -i s/a/b/ f",
        "git commit -m x",
        "rm -rf a",
        "cd a && mkdir b",
        "pip install x",
        "FOO=1 touch a",
    ] {
        assert_eq!(shell(command), Effect::Writes, "{command}");
    }
    for command in [
        "make",
        "python fix.py",
        "git status",
        "cargo test 2>&1 | tail -5",
    ] {
        assert_eq!(shell(command), Effect::Unknown, "{command}");
    }
}
