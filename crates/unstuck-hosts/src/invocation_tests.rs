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
        "unstuck hook codex PreToolUse",
        "'/usr/bin/unstuck' hook codex",
        "\"/usr/bin/unstuck\" hook codex",
    ] {
        assert!(is_ours(command, Host::Codex), "{command}");
    }
    for command in [
        "unstuck hook copilot-cli preToolUse || true",
        "unstuck hook copilot-cli preToolUse; exit 0",
        "unstuck hook copilot-cli postToolUse",
    ] {
        let parsed = OwnCommand::parse(command, Host::CopilotCli).unwrap();
        assert_eq!(parsed.program, "unstuck");
        assert_eq!(parsed.words.len(), 3, "{command}");
    }
}

/// A line that does anything beside our hook is its owner's.
#[test]
fn combined_commands_are_not_ours() {
    for command in [
        "touch x; unstuck hook codex",
        "unstuck hook codex; touch x",
        "unstuck hook codex || true",
        "unstuck hook codex PreToolUse extra",
        "unstuck hook codex > log",
        "UNSTUCK_MODE=observe unstuck hook codex PreToolUse",
        "cat x | unstuck hook codex",
        "(unstuck hook codex)",
        r"/a\ b/unstuck hook codex",
        "x\nunstuck hook codex",
        "'a'; b '/unstuck' hook codex",
        " unstuck hook codex",
    ] {
        assert!(!is_ours(command, Host::Codex), "{command}");
        assert_eq!(program_of(command, Host::Codex), None, "{command}");
    }
    assert!(runs_ours("touch x; unstuck hook codex", Host::Codex));
    assert!(!runs_ours("unstuck hook codex", Host::Codex));
    for command in [
        r#""$(touch x)/unstuck" hook codex"#,
        "\"`touch x`/unstuck\" hook codex",
        "$(touch x)/unstuck hook codex",
        "unstuck hook codex $(x)",
        "unstuck  hook codex",
        "unstuck hook codex\n",
        "./unstuck hook codex",
        "bin/unstuck hook codex",
        "X=/unstuck hook codex",
    ] {
        assert!(!is_ours(command, Host::Codex), "{command}");
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
