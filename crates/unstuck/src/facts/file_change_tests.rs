use super::*;
use unstuck_json::Json;

fn of_call(tool: &str, args: &str) -> Option<ChangeKind> {
    let args = Json::parse(args).unwrap();
    let args = Args::new(args.view());
    let command = super::super::shell::command(tool, &args, super::super::CompareCalls::Standard);
    let insight = command
        .as_deref()
        .and_then(|command| super::super::shell::understand(tool, &args, command));
    let path = path(&args);
    let prints = Fingerprinter::new(b"");
    of(
        ToolWords::of(tool),
        &args,
        insight.as_ref(),
        path.as_deref(),
        &prints,
    )
    .map(|change| change.kind)
}

fn difference(args: &str) -> u64 {
    match of_call("edit_file", args) {
        Some(ChangeKind::Edit(difference)) => difference,
        other => panic!("no edit: {other:?}"),
    }
}

#[test]
fn edits_of_a_way_round_add_up_to_nothing() {
    let there = difference(r#"{"path":"a","old_str":"x","new_str":"y"}"#);
    let on = difference(r#"{"path":"a","old_string":"y","new_string":"z"}"#);
    let home = difference(r#"{"file":"a","before":"z","after":"x"}"#);
    assert_ne!(there, 0);
    assert_eq!(there.wrapping_add(on).wrapping_add(home), 0);
    assert_eq!(difference(r#"{"path":"a","old":"x","new":"x"}"#), 0);
}

#[test]
fn a_file_is_written_whole_or_in_part() {
    let whole = of_call("write_file", r#"{"path":"a","content":"x"}"#);
    assert!(matches!(whole, Some(ChangeKind::Write(_))));
    let created = of_call(
        "str_replace_editor",
        r#"{"command":"create","path":"a","file_text":"x"}"#,
    );
    assert_eq!(created, whole);
    for (tool, args) in [
        ("append_file", r#"{"path":"a","content":"x"}"#),
        (
            "str_replace_editor",
            r#"{"command":"insert","path":"a","insert_line":3,"text":"x"}"#,
        ),
        ("write_file", r#"{"content":"x"}"#),
        ("create_issue", r#"{"title":"x"}"#),
    ] {
        assert_eq!(of_call(tool, args), None, "{tool} {args}");
    }
}

#[test]
fn git_takes_changes_back() {
    let git = |command: &str| of_call("bash", &format!(r#"{{"command":"{command}"}}"#));
    assert_eq!(git("git checkout -- src/a"), Some(ChangeKind::Restore));
    assert_eq!(git("cd /w && git restore a.py"), Some(ChangeKind::Restore));
    assert_eq!(git("git checkout HEAD a.py"), Some(ChangeKind::Restore));
    for command in ["git checkout .", "git reset --hard HEAD", "git stash"] {
        assert_eq!(git(command), Some(ChangeKind::RestoreAll), "{command}");
    }
    for command in [
        "git checkout main",
        "git checkout -b fix",
        "git stash pop",
        "git reset HEAD~1",
        "git commit -m x",
        "rm a.py",
    ] {
        assert_eq!(git(command), None, "{command}");
    }
}
