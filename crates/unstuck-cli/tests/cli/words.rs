//! What commands say about themselves is true.

use crate::run::Place;

#[test]
fn a_project_file_that_is_ignored_sets_no_mode() {
    let place = Place::new("words-mode");
    place.write("unstuck.toml", "mode = \"off\"\n");
    let ran = place.run(&["mode"]);
    assert_eq!(ran.out, "enforce (default)\n", "{ran:?}");
    place.write("home/unstuck.toml", "mode = \"observe\"\n");
    let ran = place.run(&["mode"]);
    assert_eq!(ran.out, "observe (by the configuration)\n", "{ran:?}");
}

#[test]
fn refusals_name_a_setting_only_where_one_helps() {
    let place = Place::new("words-refusals");
    let refused = |args: &[&str]| {
        let mut command = place.command(args);
        command.env("CLAUDECODE", "1");
        let ran = crate::run::finish(command, b"");
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains("for a person to decide"), "{}", ran.err);
        ran.err
    };
    for args in [&["mode", "off"][..], &["allow", "Bash"]] {
        assert!(refused(args).contains("set UNSTUCK_MODE"), "{args:?}");
    }
    for args in [
        &["reset", "some-session"][..],
        &["uninstall", "claude-code", "--yes"],
    ] {
        assert!(!refused(args).contains("UNSTUCK_MODE"), "{args:?}");
    }
}

#[test]
fn yes_does_not_stand_in_for_a_terminal_where_a_guard_is_removed() {
    let place = Place::new("words-yes");
    for (args, words) in [
        (
            &["install", "--help"][..],
            "Required where there is no terminal to ask on",
        ),
        (
            &["install", "mcp", "--help"],
            "Required where there is no terminal to ask on",
        ),
        (
            &["uninstall", "--help"],
            "A terminal is required all the same",
        ),
        (
            &["uninstall", "mcp", "--help"],
            "A terminal is required all the same",
        ),
    ] {
        let help = place.run(args).out;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{args:?}: {help}");
    }
}
