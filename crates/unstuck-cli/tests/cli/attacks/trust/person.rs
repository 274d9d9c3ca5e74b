//! Commands that only a person may run, and what uninstalling leaves.

use std::fs;

use serde_json::json;

use super::{around, at_home, guard, permit, settings};
use crate::run::{Place, finish, finish_in_terminal};

/// What loosens the guard, each in a place that is ready for it.
const LOOSENING: [&[&str]; 6] = [
    &["uninstall", "claude-code", "--yes"],
    &["uninstall", "mcp", "claude-code", "files", "--yes"],
    &["mode", "off"],
    &["reset", "--all"],
    &["allow", "Bash"],
    &["config", "trust", "unstuck.toml"],
];

/// A place with something to loosen, and a command in it.
fn guarded(name: &str) -> Place {
    let place = Place::new(name);
    let listed = json!({"mcpServers": {"files": {"command": "npx", "args": ["srv"]}}});
    place
        .write("home/.claude.json", listed.to_string())
        .write("unstuck.toml", "mode = \"off\"\n");
    for words in [
        &["install", "claude-code", "--yes"][..],
        &["install", "mcp", "claude-code", "files", "--yes"],
    ] {
        let ran = finish(at_home(&place, words), b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    place
}

#[test]
fn s12_an_agent_loosens_nothing() {
    let place = guarded("s12-agent");
    let before = guard(&place);
    for words in LOOSENING {
        let mut command = at_home(&place, words);
        command.env("CLAUDECODE", "1");
        let ran = finish(command, b"");
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
        assert!(ran.err.contains("CLAUDECODE"), "{}", ran.err);
        assert_eq!(guard(&place), before, "{words:?}");
    }
}

#[test]
fn s12_a_command_without_a_terminal_loosens_nothing() {
    let place = guarded("s12-terminal");
    let before = guard(&place);
    for words in LOOSENING {
        // A session of its own has no terminal, whatever runs these tests.
        let command = around(&at_home(&place, words), "setsid", &["--wait"]);
        let ran = finish(command, b"");
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
        assert!(ran.err.contains("terminal of your own"), "{}", ran.err);
        assert_eq!(guard(&place), before, "{words:?}");
    }
    let control = at_home(&place, &["mcp-control", "--allow-reset"]);
    let ran = finish(around(&control, "setsid", &["--wait"]), b"");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// `env -u CLAUDECODE script -c 'unstuck …'` has a terminal, but an agent started it.
#[cfg(target_os = "linux")]
#[test]
fn s12_a_terminal_that_an_agent_made_is_not_a_persons() {
    let place = guarded("s12-ancestry");
    place.write("claude", "#!/bin/sh\n\"$@\"\nexit $?\n");
    permit(&place.path("claude"), 0o755);
    let before = guard(&place);
    for words in LOOSENING {
        let agent = place.path("claude");
        let command = around(&at_home(&place, words), agent.to_str().expect("text"), &[]);
        let ran = finish_in_terminal(&command, b"");
        assert_eq!(ran.code, Some(2), "{words:?}: {ran:?}");
        assert!(ran.err.contains("`claude`"), "{}", ran.err);
        assert_eq!(guard(&place), before, "{words:?}");
    }
}

/// A process between the agent and the command whose name is not text hides no agent above it.
#[cfg(target_os = "linux")]
#[test]
fn s12_a_process_name_that_is_not_text_hides_no_agent() {
    use std::os::unix::ffi::OsStrExt as _;

    let place = guarded("s12-name");
    place.write("claude", "#!/bin/sh\n\"$@\"\nexit $?\n");
    permit(&place.path("claude"), 0o755);
    let odd = place.path("").join(std::ffi::OsStr::from_bytes(b"sh\xff"));
    fs::write(&odd, "#!/bin/sh\n\"$@\"\nexit $?\n").expect("a file");
    permit(&odd, 0o755);
    let before = guard(&place);
    // The shell's own words are text, so the odd name is found by a pattern.
    let script = format!("exec {}/sh? \"$@\"", place.path("").display());
    let inner = around(
        &at_home(&place, &["mode", "off"]),
        "/bin/bash",
        &["-c", &script, "bash"],
    );
    let agent = place.path("claude");
    let command = around(&inner, agent.to_str().expect("text"), &[]);
    let ran = finish_in_terminal(&command, b"");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("`claude`"), "{}", ran.err);
    assert_eq!(guard(&place), before);
}

/// An install adds a guard without asking, and does not take one away.
#[test]
fn s12_install_puts_no_other_program_in_the_place_of_the_guard() {
    let place = guarded("s12-install");
    let before = guard(&place);
    let words = ["install", "claude-code", "--yes", "--binary", "/bin/true"];
    let command = around(&at_home(&place, &words), "setsid", &["--wait"]);
    let ran = finish(command, b"");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(guard(&place), before);
    let again = ["install", "claude-code", "--yes"];
    let command = around(&at_home(&place, &again), "setsid", &["--wait"]);
    assert_eq!(finish(command, b"").code, Some(0));
}

#[test]
fn held_a_person_in_a_terminal_is_not_refused() {
    let place = guarded("s12-person");
    for words in LOOSENING {
        let before = guard(&place);
        let ran = finish_in_terminal(&at_home(&place, words), b"");
        assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
        assert!(guard(&place) != before || words[0] == "reset", "{words:?}");
    }
}

#[test]
fn s18_uninstall_leaves_a_users_own_line() {
    let place = Place::new("s18-line");
    let theirs = settings("log-call; unstuck hook claude-code");
    place.write("home/.claude/settings.json", &theirs);
    let ran = finish_in_terminal(
        &at_home(&place, &["uninstall", "claude-code", "--yes"]),
        b"",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read("home/.claude/settings.json"), theirs);
    // Beside ours it stays as well.
    let ran = finish(at_home(&place, &["install", "claude-code", "--yes"]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        place
            .read("home/.claude/settings.json")
            .contains("log-call;")
    );
    let ran = finish_in_terminal(
        &at_home(&place, &["uninstall", "claude-code", "--yes"]),
        b"",
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read("home/.claude/settings.json"), theirs);
}

#[test]
fn s18_uninstall_leaves_a_script_that_its_user_added_to() {
    let place = Place::new("s18-script");
    let ran = finish(at_home(&place, &["install", "cline", "--yes"]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let script = "home/.cline/hooks/PreToolUse";
    let theirs = place.read(script).replace("exec ", "log-call\nexec ");
    place.write(script, &theirs);
    let uninstall = at_home(&place, &["uninstall", "cline", "--yes"]);
    let ran = finish_in_terminal(&uninstall, b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read(script), theirs);
}
