//! `unstuck init`, `config path`, `config edit`, the status line and notifications.

use std::{fs, os::unix::fs::PermissionsExt as _};

use serde_json::Value;

use crate::{
    hook::{hook, post, pre, stuck},
    install::at_home,
    run::{Place, Ran, binary, finish, finish_in_terminal},
};

/// The user's file where the place's home is a home.
const FILE: &str = "home/.config/unstuck/unstuck.toml";

fn run(place: &Place, words: &[&str]) -> Ran {
    let mut command = place.command(words);
    let project = place.path("home/project");
    fs::create_dir_all(project.join(".git")).expect("a directory can be made");
    command
        .current_dir(project)
        .env("HOME", place.path("home"))
        .env("PATH", "/usr/bin:/bin")
        .env_remove("UNSTUCK_CONFIG_HOME");
    for name in [
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
    ] {
        command.env_remove(name);
    }
    finish(command, b"")
}

#[test]
fn agents_that_are_there_are_guarded_and_a_configuration_is_started() {
    let place = Place::new("init-new");
    place
        .write("home/.claude/settings.json", "{}\n")
        .write("home/.claude/projects/p/s.jsonl", "");
    let ran = run(&place, &["init", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for shown in [
        "Claude Code",
        "not guarded  (",
        ".claude/projects",
        "hook claude-code",
        "#preset",
    ] {
        assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
    }
    assert!(!ran.out.contains("Codex"), "{}", ran.out);
    // The schema is named, and its thousands of lines are not shown.
    assert!(
        ran.out.contains("unstuck.schema.json (new file, "),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("additionalProperties"), "{}", ran.out);
    let ran = run(&place, &["init"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("add --yes"), "{ran:?}");
    assert_eq!(place.read("home/.claude/settings.json"), "{}\n");
    assert!(!place.path(FILE).exists());

    let ran = run(&place, &["init", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        place
            .read("home/.claude/settings.json")
            .contains("hook claude-code")
    );
    let schema = place.read("home/.config/unstuck/unstuck.schema.json");
    let printed = run(&place, &["schema", "config"]).out;
    assert_eq!(schema, printed);
    let ran = run(&place, &["config", "check"]);
    assert!(ran.out.contains("all is well"), "{ran:?}");
    assert!(ran.out.contains("(user)"), "{ran:?}");
    // Every setting of the new file is a comment.
    assert_eq!(run(&place, &["mode"]).out, "enforce (default)\n");

    let again = run(&place, &["init", "--yes"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.contains("Nothing to change."), "{}", again.out);
    assert!(again.out.contains(" guarded  ("), "{}", again.out);

    let file = "home/.claude/settings.json";
    let registered = binary();
    let installed = registered.parent().expect("a directory");
    let older = place.path("older");
    for name in ["unstuck", "unstuck-hook"] {
        place.write(&format!("older/{name}"), "\x7fELF of another version");
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(older.join(name), permissions).expect("permissions");
    }
    let [installed, older] = [installed, &older].map(|path| path.display().to_string());
    place.write(file, place.read(file).replace(&installed, &older));
    let other = run(&place, &["init", "--dry-run"]);
    assert!(
        other.out.contains(" guarded by another version  ("),
        "{}",
        other.out
    );
}

#[test]
fn a_configuration_that_is_there_is_kept() {
    let place = Place::new("init-kept");
    place.write(FILE, "mode = \"observe\"\n");
    let ran = run(&place, &["init", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read(FILE), "mode = \"observe\"\n");
    assert!(
        !place
            .path("home/.config/unstuck/unstuck.schema.json")
            .exists()
    );
}

#[test]
fn a_configuration_with_mistakes_is_named() {
    let place = Place::new("init-mistakes");
    place.write(FILE, "presett = 1\n");
    let ran = run(&place, &["init", "--yes"]);
    assert!(
        ran.out
            .contains("unstuck.toml  has mistakes and is ignored"),
        "{ran:?}"
    );
    let ran = run(&place, &["status"]);
    let line = ran.out.lines().find(|line| line.contains("is ignored"));
    let line = line.unwrap_or_else(|| panic!("{ran:?}"));
    assert!(line.contains("unknown key `presett` ("), "{line}");
    assert!(line.contains("unstuck.toml:1:1); see"), "{line}");
}

#[test]
fn an_agent_whose_file_cannot_be_read_does_not_keep_others_from_being_guarded() {
    let place = Place::new("init-broken");
    place
        .write("home/.claude/settings.json", "{ broken")
        .write("home/.gemini/settings.json", "{}\n");
    let ran = run(&place, &["init", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("Claude Code"), "{ran:?}");
    assert!(ran.err.contains("the file was not changed"), "{ran:?}");
    assert_eq!(place.read("home/.claude/settings.json"), "{ broken");
    assert!(
        place
            .read("home/.gemini/settings.json")
            .contains("hook gemini-cli")
    );
}

#[test]
fn paths_are_listed_in_order_with_their_trust() {
    let place = Place::new("init-paths");
    let list = |words: &[&str]| -> Vec<(String, bool, String)> {
        let ran = place.run(&[&["config", "path", "--format", "json"], words].concat());
        let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
        let rows = found.as_array().expect("a list").iter();
        rows.map(|one| (text(one, "kind"), one["read"] == true, text(one, "state")))
            .collect()
    };
    let row = |kind: &str, read: bool, state: &str| (kind.to_owned(), read, state.to_owned());
    place
        .write("work/.git/x", "")
        .write("unstuck.toml", "mode = \"off\"\n");
    place.write("more.toml", "");
    assert_eq!(
        list(&["--config", "more.toml"]),
        [
            row("user", false, "not there"),
            row("project", false, "not trusted: ignored"),
            row("--config", true, "applied"),
        ]
    );
    place.write("home/unstuck.toml", "");
    place.write("unstuck.toml", "[rules.exact-repeat]\ndeny = 5\n");
    assert_eq!(
        list(&[]),
        [
            row("user", true, "applied"),
            row(
                "project",
                true,
                "not trusted: applied, because it only tightens"
            ),
        ]
    );
    place.write_trusted("unstuck.toml", "mode = \"off\"\n");
    assert_eq!(list(&[])[1], row("project", true, "trusted: applied"));
    let ran = place.run(&["config", "path"]);
    let user = place.path("home/unstuck.toml").display().to_string();
    assert!(ran.out.starts_with("user"), "{}", ran.out);
    assert!(ran.out.contains(&user), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn the_edited_file_is_checked() {
    let place = Place::new("init-edit");
    let edit = |line: &str| {
        place.write("editor.sh", format!("echo '{line}' >> \"$1\"\n"));
        let mut command = place.command(&["config", "edit"]);
        command.env_remove("VISUAL");
        command.env(
            "EDITOR",
            format!("sh {}", place.path("editor.sh").display()),
        );
        finish_in_terminal(&command, b"")
    };
    let ran = edit("mode = \"observe\"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("all is well"), "{ran:?}");
    let text = place.read("home/unstuck.toml");
    assert!(text.starts_with("#:schema ./unstuck.schema.json"), "{text}");
    assert!(text.ends_with("mode = \"observe\"\n"), "{text}");
    assert!(place.path("home/unstuck.schema.json").exists());
    let ran = edit("modus = 1");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.out.contains("unknown key `modus`"), "{ran:?}");
    // An agent must not loosen its own guard.
    let ran = place.run(&["config", "edit"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("for a person to decide"), "{ran:?}");
}

#[test]
fn the_status_line_is_added_and_taken_out_again() {
    let place = Place::new("init-statusline");
    let before = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    place.write("home/.claude/settings.json", before);
    let ran = at_home(&place, &["install", "claude-code"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        !place
            .read("home/.claude/settings.json")
            .contains("statusLine")
    );
    let ran = at_home(&place, &["install", "claude-code", "--statusline"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let text = place.read("home/.claude/settings.json");
    assert!(text.contains("\"statusLine\""), "{text}");
    assert!(text.contains("unstuck statusline\""), "{text}");
    assert!(text.contains("// mine"), "{text}");
    // Both again: nothing is lost.
    for words in [
        &["install", "claude-code"][..],
        &["install", "claude-code", "--statusline"],
    ] {
        let ran = at_home(&place, words);
        assert!(ran.out.contains("in place already"), "{ran:?}");
    }
    let ran = at_home(&place, &["uninstall", "claude-code"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.read("home/.claude/settings.json"), before);
}

#[test]
fn a_changed_file_loses_the_status_line_too() {
    let place = Place::new("init-statusline-changed");
    place.write(
        "home/.claude/settings.json",
        "{\n  \"model\": \"opus\"\n}\n",
    );
    at_home(&place, &["install", "claude-code", "--statusline"]);
    let text = place.read("home/.claude/settings.json");
    place.write("home/.claude/settings.json", text.replace("opus", "sonnet"));
    let ran = at_home(&place, &["uninstall", "claude-code"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let left: Value =
        serde_json::from_str(&place.read("home/.claude/settings.json")).expect("JSON");
    assert_eq!(left, serde_json::json!({"model": "sonnet"}));
}

#[test]
fn a_status_line_of_the_user_stays() {
    let place = Place::new("init-statusline-own");
    let own = "{\"statusLine\": {\"type\": \"command\", \"command\": \"date\"}}\n";
    place.write("home/.claude/settings.json", own);
    let ran = at_home(&place, &["install", "claude-code", "--statusline"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("has a status line, which stays"),
        "{ran:?}"
    );
    let text = place.read("home/.claude/settings.json");
    assert!(
        text.contains("\"command\": \"date\"") && !text.contains("unstuck statusline"),
        "{text}"
    );
    at_home(&place, &["uninstall", "claude-code"]);
    assert_eq!(place.read("home/.claude/settings.json"), own);
    let ran = at_home(&place, &["install", "codex", "--statusline"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn the_status_line_follows_the_session() {
    let place = Place::new("init-line");
    let line = |place: &Place| {
        let input = b"{\"session_id\":\"session-1\",\"cwd\":\"/\",\"model\":{\"id\":\"m\"}}";
        let ran = place.run_with(&["--color", "never", "statusline"], input);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out
    };
    assert_eq!(line(&place), "unstuck: no calls yet\n");
    hook(&place, "claude-code", &pre("a", "ls"));
    hook(&place, "claude-code", &post("a", "ls", "x"));
    assert_eq!(line(&place), "unstuck ok\n");
    stuck(&place, 4);
    let text = line(&place);
    assert!(text.starts_with("unstuck warned · exact-repeat "), "{text}");
    assert!(text.contains("nudges") && text.contains("wasted"), "{text}");
    stuck(&place, 20);
    let text = line(&place);
    assert!(text.starts_with("unstuck halted · "), "{text}");
    assert!(
        text.ends_with("continue: unstuck reset session-\n"),
        "{text}"
    );
    for input in [&b""[..], b"{", b"\xff", b"[1]"] {
        let ran = place.run_with(&["statusline"], input);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_halt_is_notified_once_and_only_by_the_users_own_file() {
    let wait = |place: &Place, lines: usize| -> String {
        for _ in 0..200 {
            let told = place.read("told");
            if told.lines().count() >= lines {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        place.read("told")
    };
    let notify = |place: &Place| {
        let script = place.path("notify.sh");
        place.write(
            "notify.sh",
            format!("echo \"$@\" >> {}\n", place.path("told").display()),
        );
        format!(
            "[notify]\ndesktop = true\ncommand = [\"sh\", \"{}\", \"--urgent\"]\n",
            script.display()
        )
    };
    let place = Place::new("init-notify");
    let text = notify(&place);
    place.write("home/unstuck.toml", text);
    stuck(&place, 30);
    let told = wait(&place, 1);
    assert_eq!(
        told,
        "--urgent unstuck: an agent was halted Claude Code: exact-repeat, 9 times. See: unstuck status\n"
    );

    let place = Place::new("init-notify-project");
    let text = notify(&place);
    place.write_trusted("unstuck.toml", &text);
    for number in 0..30 {
        for mut input in [
            pre(&number.to_string(), "make"),
            post(&number.to_string(), "make", "no"),
        ] {
            input["cwd"] = place.path("").display().to_string().into();
            hook(&place, "claude-code", &input);
        }
    }
    let sessions = place.run(&["sessions"]).out;
    assert!(sessions.starts_with("halted"), "{sessions}");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(place.read("told"), "");
    let ran = place.run(&["config", "check"]);
    assert!(
        ran.out.contains("`notify` in a project's file is ignored"),
        "{ran:?}"
    );
}
