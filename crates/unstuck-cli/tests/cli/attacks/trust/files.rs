//! Pipes, directories and huge files in the places of files.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{around, at_home, denied_at, denied_by_proxy, repository};
use crate::{
    hook::{hook, post, pre},
    run::{Place, Ran, finish, finish_in_terminal, repeats},
};

/// Runs a command that must end by itself; on a failure the old program is ended after a while.
fn ends(command: &Command) -> Ran {
    let words = ["--kill-after=1", "10"];
    let ran = finish(around(command, "timeout", &words), b"");
    assert!(![Some(124), Some(137), None].contains(&ran.code), "{ran:?}");
    ran
}

fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo runs").success());
}

#[test]
fn s1_a_pipe_in_a_repository_stops_no_command() {
    let place = Place::new("s1-pipe");
    let project = repository(&place, "true");
    pipe(&project.join(".claude/settings.json"));
    pipe(&project.join(".mcp.json"));
    for words in [
        &["doctor", "claude-code"][..],
        &["doctor"],
        &["install", "claude-code", "--yes"],
        &["install", "claude-code", "--scope", "project", "--yes"],
        &["install", "mcp", "claude-code", "files", "--yes"],
        &["uninstall", "claude-code", "--scope", "project", "--yes"],
        &["uninstall", "claude-code", "--yes"],
        &["status"],
    ] {
        let mut command = at_home(&place, words);
        command.current_dir(&project);
        let ran = ends(&command);
        if words[0] == "doctor" {
            let seen = "settings.json cannot be read: it is not a regular file";
            assert!(ran.out.contains(seen), "{ran:?}");
        }
    }
    let in_terminal = |words: &[&str]| {
        let mut command = at_home(&place, words);
        command.current_dir(&project);
        finish_in_terminal(&around(&command, "timeout", &["-k", "1", "10"]), b"").code
    };
    let words = ["uninstall", "claude-code", "--scope", "project", "--yes"];
    assert_eq!(in_terminal(&words), Some(2));
    assert_eq!(in_terminal(&["uninstall", "claude-code", "--yes"]), Some(0));
}

#[test]
fn s1_pipes_in_place_of_the_log_and_of_a_report_are_not_waited_for() {
    let place = Place::new("s1-log");
    place
        .write("state/x", "")
        .write("runs/stuck.jsonl", repeats(9));
    pipe(&place.path("state/hook.log"));
    assert_eq!(ends(&place.command(&["status"])).code, Some(0));
    pipe(&place.path("report"));
    let scan = place.command(&["scan", "runs", "-o", "report", "--format", "json"]);
    let ran = ends(&scan);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("no program reads"), "{ran:?}");
    // With a reader it is written as before.
    let reader = Command::new("timeout")
        .args(["10", "cat"])
        .arg(place.path("report"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("cat runs");
    let written = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        let scan = place.command(&["scan", "runs", "-o", "report", "--format", "json"]);
        ends(&scan).code != Some(2)
    });
    assert!(written);
    let read = reader.wait_with_output().expect("cat ends").stdout;
    serde_json::from_slice::<Value>(&read).expect("a report");
}

/// What stands in the place of a key or of a lock must not switch the hooks off.
#[test]
fn s1_a_directory_in_place_of_the_key_or_a_lock_allows_nothing_for_good() {
    let place = Place::new("s1-key");
    let here = json!(place.path(""));
    assert_eq!(denied_at(&place, &here, "before"), Some(6));
    let key = place.path("state/sessions/key");
    fs::remove_file(&key).expect("a key");
    fs::create_dir_all(key.join("x")).expect("a directory");
    assert_eq!(denied_at(&place, &here, "key"), Some(6));
    let mut locks = 0;
    for entry in fs::read_dir(place.path("state/sessions")).expect("a directory") {
        let lock = entry.expect("an entry").path().join("lock");
        if lock.is_file() {
            fs::remove_file(&lock).expect("a lock");
            fs::create_dir_all(lock.join("x")).expect("a directory");
            locks += 1;
        }
    }
    assert!(locks > 0);
    assert!(denied_again(&place, &here, "key"));
    let log = place.read("state/hook.log");
    assert!(
        log.contains("the key of the state could not be used"),
        "{log}"
    );
    assert!(
        log.contains("the lock of the state could not be used"),
        "{log}"
    );
}

/// Whether a session that is denied a call still is.
fn denied_again(place: &Place, directory: &Value, session: &str) -> bool {
    let mut input = pre("again", "make");
    input["cwd"] = directory.clone();
    input["session_id"] = session.into();
    hook(place, "claude-code", &input).out.contains("deny")
}

/// Under a limit of memory, so that a machine is not brought down by the old answer.
#[test]
fn s3_a_huge_project_file_costs_nothing() {
    let place = Place::new("s3-huge");
    let user = "[rules.exact-repeat]\ndeny = 3\nnudge = 2\n";
    place
        .write("home/unstuck.toml", user)
        .write("unstuck.toml", "");
    let file = fs::File::options()
        .write(true)
        .open(place.path("unstuck.toml"));
    file.expect("a file").set_len(64 << 30).expect("a length");
    let limited = |input: &Value| {
        let mut input = input.clone();
        input["cwd"] = json!(place.path(""));
        let script = "ulimit -v 4000000; exec \"$0\" hook claude-code";
        let shell = around(&place.command(&[]), "sh", &["-c", script]);
        finish(shell, input.to_string().as_bytes())
    };
    let mut first = None;
    for number in 1..=6 {
        let id = format!("c{number}");
        let before = limited(&pre(&id, "make"));
        assert_eq!(before.code, Some(0), "{before:?}");
        if before.out.contains("deny") {
            first = Some(number);
            break;
        }
        limited(&post(&id, "make", "nothing to be done"));
    }
    assert_eq!(first, Some(3));
}

/// Nothing waits for a writer that never comes.
#[test]
fn held_a_fifo_is_not_waited_for() {
    let place = Place::new("s3-fifo");
    place.write("project/x", "");
    let fifo = place.path("project/unstuck.toml");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    let project = json!(place.path("project"));
    assert_eq!(denied_at(&place, &project, "fifo"), Some(6));
    assert_eq!(denied_by_proxy(&place, "project"), 10);
    for target in ["/dev/zero", "/dev/tty"] {
        fs::remove_file(&fifo).expect("a file");
        symlink(target, &fifo).expect("a link");
        assert_eq!(denied_at(&place, &project, target), Some(6));
    }
}
