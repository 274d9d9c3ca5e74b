//! Settings from strangers, commands from repositories, and commands that only a person may run.

#[path = "trust/files.rs"]
mod files;
#[path = "trust/person.rs"]
mod person;
#[path = "trust/repositories.rs"]
mod repositories;
#[path = "trust/strangers.rs"]
mod strangers;

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    hook::{hook, post, pre},
    mcp_proxy::{Proxy, denied, server},
    run::{Place, Ran, binary, finish},
};

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
}

/// Calls of 15 that a proxy denies, started in a directory of the place.
fn denied_by_proxy(place: &Place, directory: &str) -> usize {
    let words = [
        "mcp",
        "--name",
        "s",
        "--no-audit",
        "--",
        server(),
        "calls.log",
    ];
    let mut command = place.command(&words);
    command.current_dir(place.path(directory));
    let mut proxy = Proxy::of(command);
    let arguments = json!({"text": "same"});
    let calls = 1..=15;
    let denied = calls.filter(|id| denied(&proxy.call(*id, "echo", &arguments)));
    let denied = denied.count();
    proxy.end();
    denied
}

/// The number of the first equal call in a directory that a hook denies, of 12.
fn denied_at(place: &Place, directory: &Value, session: &str) -> Option<usize> {
    (1..=12).find(|number| {
        let id = format!("{session}{number}");
        let told = |mut input: Value| {
            input["cwd"] = directory.clone();
            input["session_id"] = session.into();
            hook(place, "claude-code", &input)
        };
        let before = told(pre(&id, "make"));
        assert_eq!(before.code, Some(0), "{before:?}");
        let is_denied = before.out.contains("deny");
        if !is_denied {
            told(post(&id, "make", "nothing to be done"));
        }
        is_denied
    })
}

/// A command of a user whose `unstuck` is on the path.
fn at_home(place: &Place, words: &[&str]) -> Command {
    let bin = place.path("bin");
    fs::create_dir_all(&bin).expect("a directory");
    let link = bin.join("unstuck");
    if !link.exists() {
        symlink(binary(), link).expect("a link");
    }
    let mut command = place.command(words);
    command
        .env("HOME", place.path("home"))
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    for name in ["CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command
}

/// What the guard is made of.
fn guard(place: &Place) -> Vec<String> {
    let files = [
        "home/.claude/settings.json",
        "home/.claude.json",
        "state/mode",
        "state/allowed.jsonl",
        "state/trusted",
    ];
    files.map(|name| place.read(name)).to_vec()
}

/// A settings file of Claude Code with one command for every event that the canary uses.
fn settings(command: &str) -> String {
    let hooks = json!([{"hooks": [{"type": "command", "command": command}]}]);
    json!({"hooks": {"PreToolUse": hooks, "PostToolUse": hooks}}).to_string()
}

/// A repository in the user's home whose settings run a command.
fn repository(place: &Place, command: &str) -> PathBuf {
    place
        .write("home/project/.git/HEAD", "")
        .write("home/project/.claude/settings.json", settings(command));
    place.path("home/project")
}

/// Runs the doctor in a repository.
fn doctor(place: &Place, project: &Path) -> Ran {
    let mut command = at_home(place, &["doctor", "claude-code"]);
    command.current_dir(project);
    finish(command, b"")
}

/// The same command, run by another program.
fn around(command: &Command, program: &str, words: &[&str]) -> Command {
    let mut outer = Command::new(program);
    outer
        .args(words)
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = command.get_current_dir() {
        outer.current_dir(directory);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// Equal calls with equal results, as Claude Code records them.
fn transcript(times: usize) -> String {
    let line = |kind: &str, number: usize, message: Value| {
        let line = json!({
            "parentUuid": null, "isSidechain": false, "type": kind, "uuid": format!("{kind}{number}"),
            "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/home/ada/shop", "sessionId": "s",
            "version": "2.1.300", "message": message,
        });
        format!("{line}\n")
    };
    let both = |number| {
        let id = format!("t{number}");
        let call = json!({
            "id": format!("m{number}"), "type": "message", "role": "assistant", "model": "some-model",
            "content": [{"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": "a.txt"}}],
            "usage": {"input_tokens": 10, "output_tokens": 10},
        });
        let result = json!({
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": id, "content": "no such file"}],
        });
        line("assistant", number, call) + &line("user", number, result)
    };
    (0..times).map(both).collect()
}
