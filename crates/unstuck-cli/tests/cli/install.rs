//! `install` and `uninstall`: what becomes of the files of hosts.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use unstuck_hosts::Host;

use crate::run::{Place, Ran, finish, finish_in_terminal};

/// Runs as a user whose home is the place's own, in a project of theirs.
pub(crate) fn at_home(place: &Place, args: &[&str]) -> Ran {
    at_home_with(place, args, &[])
}

pub(crate) fn at_home_with(place: &Place, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let project = place.path("home/project");
    fs::create_dir_all(project.join(".git")).expect("a directory can be made");
    let mut words = args.to_vec();
    let says = |word: &str| args.contains(&word);
    if matches!(args.first(), Some(&("install" | "uninstall")))
        && !["--yes", "-y", "--dry-run", "--print"]
            .into_iter()
            .any(says)
    {
        // There is no terminal to be asked on. Words behind `--` are for another program.
        let end = args.iter().position(|word| *word == "--");
        words.insert(end.unwrap_or(args.len()), "--yes");
    }
    let mut command = place.command(&words);
    command
        .current_dir(project)
        .env("HOME", place.path("home"))
        .env("PATH", "/usr/bin:/bin");
    for name in [
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "CRUSH_GLOBAL_CONFIG",
        "CLINE_DIR",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    // What loosens the guard asks for a person.
    let is_other = args.contains(&"--binary") && !args.contains(&"--print");
    if is_other || matches!(args.first(), Some(&("uninstall" | "mode"))) {
        return finish_in_terminal(&command, b"");
    }
    finish(command, b"")
}

/// Every file and directory under the home, with what it holds.
pub(crate) fn files(place: &Place) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    fn collect(directory: &Path, into: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                into.insert(path.clone(), None);
                collect(&path, into);
            } else {
                into.insert(path.clone(), Some(fs::read(&path).expect("a file")));
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(&place.path("home"), &mut found);
    found
}

const SETTINGS: &str = "home/.claude/settings.json";

const COMMENTED: &str = r#"{
  // the good one
  "model": "opus", /* for now */
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "fmt" }] } // formatter
    ],
  },
  "env": { "A": "1" }
}
"#;

#[test]
fn every_host_is_left_as_it_was() {
    let place = Place::new("install-every-host");
    at_home(&place, &["rules"]);
    for scope in ["user", "project"] {
        for host in Host::ALL {
            let before = files(&place);
            let run = |command| at_home(&place, &[command, host.name(), "--scope", scope, "--yes"]);
            let ran = run("install");
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert!(ran.out.contains("the hooks are in place"), "{}", ran.out);
            let installed = files(&place);
            assert_ne!(installed, before);
            let ran = run("install");
            assert!(ran.out.contains("in place already"), "{}", ran.out);
            assert_eq!(files(&place), installed);
            let ran = run("uninstall");
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert_eq!(files(&place), before, "{host} {scope}");
            let ran = run("uninstall");
            assert!(
                ran.out.contains("unstuck is not installed for "),
                "{}",
                ran.out
            );
        }
    }
}

#[test]
fn comments_stay_and_come_back_to_the_byte() {
    let place = Place::new("install-comments");
    let toml = "# mine\nmodel = \"m\" # good\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"beep\" # loud";
    place.write(SETTINGS, COMMENTED);
    place.write("home/.codex/config.toml", toml);
    place.write("home/.gemini/settings.json", "{\"a\":1}");
    place.write(
        "home/.qwen/settings.json",
        "\r\n{\r\n\t\"hooks\": {} // none\r\n}\r\n",
    );
    place.write("home/.cursor/hooks.json", "");
    place.write("home/.openhands/hooks.json", "\u{feff}{\n}");
    let before = files(&place);
    let hosts = [
        "claude-code",
        "codex",
        "gemini-cli",
        "qwen-code",
        "cursor",
        "openhands",
    ];
    let with = |command: &'static str| {
        let mut args = vec![command];
        args.extend(hosts);
        args
    };
    let ran = at_home(&place, &with("install"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    assert!(
        text.contains("// formatter") && text.contains("/* for now */"),
        "{text}"
    );
    assert!(text.contains("hook claude-code"), "{text}");
    let text = fs::read_to_string(place.path("home/.codex/config.toml")).expect("config");
    assert!(
        text.starts_with(toml) && text.contains("[[hooks.PreToolUse]]"),
        "{text}"
    );
    let ran = at_home(&place, &with("uninstall"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut after = files(&place);
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before);
}

#[test]
fn what_was_changed_in_between_stays() {
    let place = Place::new("install-changed");
    place.write(SETTINGS, COMMENTED);
    at_home(&place, &["install", "claude-code"]);
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    let changed = text.replace("\"opus\"", "\"sonnet\"").replace(
        "{\n  // the good one",
        "{\n  // still mine\n  \"new\": true,",
    );
    place.write(SETTINGS, &changed);
    at_home(&place, &["uninstall", "claude-code"]);
    let expected = COMMENTED.replace("\"opus\"", "\"sonnet\"").replace(
        "{\n  // the good one",
        "{\n  // still mine\n  \"new\": true,",
    );
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    assert_eq!(text, expected);
}

#[test]
fn hooks_are_found_without_a_receipt() {
    let place = Place::new("install-no-receipt");
    place.write(SETTINGS, COMMENTED);
    at_home(&place, &["install", "claude-code", "copilot-cli"]);
    fs::remove_dir_all(place.path("state")).expect("state can be removed");
    at_home(&place, &["uninstall", "claude-code", "copilot-cli"]);
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    assert_eq!(text, COMMENTED);
    assert!(!place.path("home/.copilot/hooks/unstuck.json").exists());
}

#[test]
fn an_older_registration_is_brought_up_to_date() {
    let place = Place::new("install-older");
    let old = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/old/unstuck hook claude-code"}]}]}}"#;
    place.write(SETTINGS, old);
    let ran = at_home(&place, &["install", "claude-code"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    assert!(!text.contains("/old/"), "{text}");
    assert!(text.contains("PostToolBatch"), "{text}");
}

#[test]
fn a_broken_file_is_refused_with_its_place_and_not_touched() {
    let place = Place::new("install-broken");
    let broken = "{\n  \"model\": \"opus\"\n  \"env\": {}\n}\n";
    place.write(SETTINGS, broken);
    for command in ["install", "uninstall"] {
        let ran = at_home(&place, &[command, "claude-code"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(".claude/settings.json:2:"), "{}", ran.err);
        assert!(ran.err.contains("the file was not changed"), "{}", ran.err);
    }
    let text = fs::read_to_string(place.path(SETTINGS)).expect("settings");
    assert_eq!(text, broken);
    place.write("home/.codex/config.toml", "[[hooks.Stop]]\nx = = 1\n");
    place.write(SETTINGS, b"\xff{}");
    for host in ["claude-code", "codex"] {
        let ran = at_home(&place, &["uninstall", host]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
}

#[test]
fn someone_elses_program_is_not_written_over() {
    let place = Place::new("install-occupied");
    let theirs = "#!/bin/sh\necho mine\n";
    place.write("home/.cline/hooks/PreToolUse", theirs);
    let before = files(&place);
    let ran = at_home(&place, &["install", "cline"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("not ours"), "{}", ran.err);
    let mut after = files(&place);
    after.retain(|path, _| before.contains_key(path));
    assert_eq!(after, before);
}

#[test]
fn a_dry_run_and_a_print_change_nothing() {
    let place = Place::new("install-dry");
    place.write(SETTINGS, COMMENTED);
    at_home(&place, &["rules"]);
    let before = files(&place);
    let ran = at_home(&place, &["install", "claude-code", "--dry-run"]);
    assert!(ran.out.contains("+ "), "{}", ran.out);
    let args = ["install", "claude-code", "--print", "--binary", "unstuck"];
    let ran = at_home(&place, &args);
    let printed: serde_json::Value = serde_json::from_str(&ran.out).expect("only the content");
    let command = &printed["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    assert_eq!(command, "unstuck hook claude-code");
    assert!(ran.err.contains("~/.claude/settings.json"), "{}", ran.err);
    assert_eq!(files(&place), before);
}

#[test]
fn a_backup_of_the_first_state_is_kept() {
    let place = Place::new("install-backup");
    place.write(SETTINGS, COMMENTED);
    at_home(&place, &["install", "claude-code"]);
    at_home(
        &place,
        &["install", "claude-code", "--binary", "/other/unstuck"],
    );
    let backups = fs::read_dir(place.path("state/installs")).expect("a directory");
    let backups: Vec<_> = backups
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().contains("before-install"))
        .collect();
    assert_eq!(backups.len(), 1);
    let text = fs::read_to_string(&backups[0]).expect("a backup");
    assert_eq!(text, COMMENTED);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let place = Place::new("install-links");
    place.write("dotfiles/settings.json", COMMENTED);
    let target = place.path("dotfiles/settings.json");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("permissions");
    fs::create_dir_all(place.path("home/.claude")).expect("a directory");
    symlink("../../dotfiles/settings.json", place.path(SETTINGS)).expect("a link");
    for command in ["install", "uninstall"] {
        let ran = at_home(&place, &[command, "claude-code"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let found = fs::symlink_metadata(place.path(SETTINGS)).expect("a link");
        assert!(found.is_symlink());
        let mode = fs::metadata(&target).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
    assert_eq!(fs::read_to_string(&target).expect("a file"), COMMENTED);
    at_home(&place, &["install", "cline"]);
    let program = fs::metadata(place.path("home/.cline/hooks/PreToolUse")).expect("a file");
    assert_eq!(program.permissions().mode() & 0o777, 0o755);
}

#[test]
fn directories_that_hosts_were_told_of_are_used() {
    let place = Place::new("install-variables");
    let elsewhere = place.path("elsewhere");
    let elsewhere = elsewhere.to_str().expect("text");
    let variables = [("CLAUDE_CONFIG_DIR", elsewhere), ("CODEX_HOME", elsewhere)];
    let ran = at_home_with(&place, &["install", "claude-code", "codex"], &variables);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(place.path("elsewhere/settings.json").exists());
    assert!(place.path("elsewhere/hooks.json").exists());
}

#[test]
fn an_unknown_host_is_told_the_known_ones() {
    let place = Place::new("install-unknown");
    let ran = at_home(&place, &["install", "claude"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("claude-code"), "{}", ran.err);
}

/// A script that forgot `--yes` must not change anything.
#[test]
fn without_a_terminal_the_changes_have_to_be_confirmed_on_the_command_line() {
    let place = Place::new("install-unasked");
    place.write("home/.claude/settings.json", "{}\n");
    let run = |words: &[&str]| place.run_at_home("home", words);
    let ran = run(&["install", "claude-code"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("--yes"), "{}", ran.err);
    assert_eq!(place.read("home/.claude/settings.json"), "{}\n");
    let ran = run(&["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        place
            .read("home/.claude/settings.json")
            .contains("hook claude-code")
    );
}

/// Puts a copy of the command in a directory of its own, with a program for hooks of some version beside it.
#[cfg(unix)]
fn with_hook_program(place: &Place, version: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let command = place.path("bin/unstuck");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'unstuck {version}' && exit\nexec '{}' \"$@\"\n",
        command.display()
    );
    place.write("bin/unstuck-hook", script);
    fs::copy(crate::run::binary(), &command).expect("the command can be copied");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.path("bin/unstuck-hook"), mode).expect("a mode can be set");
    command
}

#[cfg(unix)]
#[test]
fn hooks_run_the_small_program_if_it_is_of_the_same_version() {
    for (version, program) in [
        (env!("CARGO_PKG_VERSION"), "unstuck-hook"),
        ("0.0.1", "unstuck"),
    ] {
        let place = Place::new("install-hook-program");
        let copy = with_hook_program(&place, version);
        let run = |args: &[&str]| {
            fs::create_dir_all(place.path("home/.claude")).expect("a directory can be made");
            let base = place.command(args);
            let mut command = std::process::Command::new(&copy);
            command
                .args(base.get_args())
                .current_dir(place.path("home"))
                .env_clear()
                .envs(
                    base.get_envs()
                        .filter_map(|(name, value)| Some((name, value?))),
                )
                .env("HOME", place.path("home"))
                .env("PATH", "/usr/bin:/bin")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command
        };
        let ran = finish(run(&["install", "claude-code", "--yes"]), b"");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let expected = place.path("bin").join(program);
        let line = format!("{} hook claude-code", expected.display());
        let settings = place.read(SETTINGS);
        assert!(settings.contains(&format!("\"{line}\"")), "{settings}");
        // Doctor knows whose program it is, and runs it.
        let doctor = finish(run(&["doctor", "claude-code"]), b"");
        assert!(!doctor.out.contains("is not run"), "{}", doctor.out);
        let gone = finish_in_terminal(&run(&["uninstall", "claude-code", "--yes"]), b"");
        assert_eq!(gone.code, Some(0), "{}", gone.err);
        let left = fs::read_to_string(place.path(SETTINGS)).unwrap_or_default();
        assert!(!left.contains("unstuck"), "{left}");
    }
}
