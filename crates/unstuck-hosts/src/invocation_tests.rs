use super::*;

fn posix(program: &str) -> Invocation {
    Invocation {
        program: program.to_owned(),
        shell: ShellKind::Posix,
    }
}

#[test]
fn programs_are_quoted_where_the_shell_needs_it() {
    let command = |program| posix(program).of(Host::Codex);
    assert_eq!(command("/usr/bin/unstuck"), "/usr/bin/unstuck hook codex");
    assert_eq!(command("/a b/unstuck"), "'/a b/unstuck' hook codex");
    assert_eq!(command("/it's/unstuck"), r"'/it'\''s/unstuck' hook codex");
    assert_eq!(command("/$HOME/unstuck"), "'/$HOME/unstuck' hook codex");
    let windows = Invocation {
        program: r"C:\Program Files\unstuck.exe".to_owned(),
        shell: ShellKind::Windows,
    };
    assert_eq!(
        windows.of_event(Host::Cline, "PreToolUse"),
        r#""C:\Program Files\unstuck.exe" hook cline PreToolUse"#
    );
}

#[test]
fn our_commands_are_recognised_wherever_the_program_is() {
    let programs = [
        "unstuck",
        "/usr/bin/unstuck",
        "/a b/unstuck",
        "/it's/unstuck",
        "/ü/$x;y/unstuck",
    ];
    for program in programs {
        let command = posix(program).of(Host::Codex);
        assert!(is_ours(&command, Host::Codex), "{command}");
        assert_eq!(
            program_of(&command, Host::Codex).as_deref(),
            Some(program),
            "{command}"
        );
        assert!(!is_ours(&command, Host::Cursor), "{command}");
    }
    for command in [
        r#""C:\Program Files\unstuck.exe" hook codex"#,
        r"C:\bin\unstuck.exe hook codex",
        "UNSTUCK_MODE=observe unstuck hook codex PreToolUse",
        "unstuck hook codex || true",
        r"/a\ b/unstuck hook codex",
    ] {
        assert!(is_ours(command, Host::Codex), "{command}");
    }
}

#[test]
fn commands_of_others_are_left_alone() {
    for command in [
        "",
        "'",
        "unstuck",
        "unstuck hook",
        "unstuck hook codex-fork",
        "my-unstuck hook codex",
        "unstuck check codex",
        "echo unstuck 'hook codex'",
    ] {
        assert!(!is_ours(command, Host::Codex), "{command}");
    }
}
