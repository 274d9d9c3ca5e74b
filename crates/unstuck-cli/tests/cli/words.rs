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

#[test]
fn blank_files_are_empty_and_not_copies() {
    let place = Place::new("words-blank");
    for number in 0..5 {
        place.write(&format!("logs/{number}.jsonl"), "\n");
    }
    let ran = place.run(&["scan", "logs", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let skipped = report["skipped"].as_array().expect("a list");
    let reasons: Vec<_> = skipped
        .iter()
        .map(|group| (group["reason"].as_str(), group["count"].as_u64()))
        .collect();
    assert_eq!(reasons, [(Some("empty"), Some(5))], "{ran:?}");
}

#[test]
fn a_file_of_wide_characters_is_called_by_its_encoding() {
    let place = Place::new("words-utf32");
    let wide: Vec<u8> = "{\"a\":1}"
        .chars()
        .flat_map(|c| u32::from(c).to_le_bytes())
        .collect();
    place.write("logs/wide.jsonl", &wide);
    let ran = place.run(&["scan", "logs"]);
    assert!(ran.out.contains("UTF-32 text"), "{ran:?}");
    assert!(ran.out.contains("iconv -f UTF-32 -t UTF-8"), "{ran:?}");
    let ran = place.run(&["scan", "logs/wide.jsonl"]);
    assert!(ran.out.contains("UTF-32 text is not read."), "{ran:?}");
}

#[test]
fn an_empty_file_could_be_read() {
    let place = Place::new("words-empty");
    place.write("empty.jsonl", "");
    let ran = place.run(&["scan", "empty.jsonl"]);
    assert!(ran.out.contains("The file is empty."), "{ran:?}");
    assert!(!ran.out.contains("Could not be read"), "{ran:?}");
}

#[test]
fn an_export_of_nothing_writes_nothing() {
    let place = Place::new("words-export");
    let ran = place.run(&["audit", "export", "nosuch"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains("nosuch"), "{ran:?}");
}

#[test]
fn one_policy_is_not_several() {
    let place = Place::new("words-policy");
    place.write("one.cedar", "permit (principal, action, resource);\n");
    let ran = place.run(&["policy", "check", "one.cedar"]);
    assert_eq!(
        ran.out, "one.cedar is valid: 1 policy, 0 warnings\n",
        "{ran:?}"
    );
}

#[test]
fn a_hook_without_a_host_asks_for_one() {
    let place = Place::new("words-hook");
    let ran = place.run(&["hook"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("name the host"), "{ran:?}");
    assert!(ran.err.contains("claude-code, codex"), "{ran:?}");
}

#[test]
fn top_says_why_it_does_not_start() {
    let place = Place::new("words-top");
    let ran = place.run(&["top"]);
    assert!(ran.err.contains("is not a terminal"), "{ran:?}");
    assert!(ran.err.contains("`unstuck status` shows hooks"), "{ran:?}");
}
