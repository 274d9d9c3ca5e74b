//! Whatever goes wrong, the agent goes on, and the log says why: one test a fault.

use std::{
    fs::{self, File},
    path::PathBuf,
};

use crate::{
    hook::{hook, post, pre, stuck},
    run::{Place, Ran, finish},
};

fn goes_on(ran: &Ran) {
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{}", ran.err);
}

fn log(place: &Place) -> String {
    place.read("state/hook.log")
}

/// The files under the state directory that end so.
fn files(place: &Place, ending: &str) -> Vec<PathBuf> {
    let directories = fs::read_dir(place.path("state/sessions")).expect("a directory");
    let files = directories
        .filter_map(|directory| fs::read_dir(directory.expect("an entry").path()).ok())
        .flatten()
        .map(|file| file.expect("an entry").path());
    files
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect()
}

#[test]
fn invalid_json() {
    let place = Place::new("fault-json");
    for input in ["", "{", "nonsense", "[]", "{\"session_id\":"] {
        goes_on(&place.run_with(&["hook", "claude-code"], input.as_bytes()));
    }
    assert!(log(&place).contains("claude-code allowed: the hook input is not JSON"));
    assert!(log(&place).contains("the hook input is not a JSON object"));
}

#[test]
fn an_input_of_50_megabytes() {
    let place = Place::new("fault-large");
    let mut input = pre("1", "ls");
    input["tool_input"]["command"] = "x".repeat(50_000_000).into();
    goes_on(&hook(&place, "claude-code", &input));
    let said = "its long parts are compared by digests";
    assert!(log(&place).contains(said), "{}", log(&place));
    // It is counted, and little of it is kept.
    let state = &files(&place, ".state")[0];
    assert!(fs::metadata(state).expect("state").len() < 10_000);
}

/// Some bits of a state file; `no_flipped_byte_is_believed` in `unstuck-store` flips each.
#[test]
fn a_flipped_byte_never_denies_a_call() {
    let place = Place::new("fault-flipped");
    stuck(&place, 9);
    let state = files(&place, ".state").remove(0);
    let whole = fs::read(&state).expect("state");
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&state, changed).expect("a file");
        goes_on(&hook(&place, "claude-code", &pre("x", "make")));
    }
    fs::write(&state, whole).expect("a file");
    let halted = hook(&place, "claude-code", &pre("y", "ls"));
    assert!(halted.out.contains("deny"));
}

#[test]
fn session_names_of_any_kind_are_guarded() {
    let place = Place::new("fault-names");
    let long = "n".repeat(5_000);
    for (number, name) in [
        "../../x",
        "a\0b",
        &long,
        "\u{1b}[2J",
        "\"'`$(id)",
        " ",
        "\u{202e}",
    ]
    .into_iter()
    .enumerate()
    {
        let mut denied = String::new();
        for call in 0..6 {
            let id = format!("c{number}-{call}");
            let named = |mut input: serde_json::Value| {
                input["session_id"] = name.into();
                input
            };
            let before = hook(&place, "claude-code", &named(pre(&id, "make")));
            denied = before.out;
            if !denied.contains("deny") {
                let after = named(post(&id, "make", "nothing to be done"));
                hook(&place, "claude-code", &after);
            }
        }
        assert!(
            denied.contains("`unstuck reset --all`"),
            "{name:?}: {denied}"
        );
    }
    assert!(!place.path("x").exists());
}

#[test]
fn state_that_is_damaged_or_gone() {
    let place = Place::new("fault-state");
    stuck(&place, 9);
    let state = files(&place, ".state");
    assert_eq!(state.len(), 1);
    let whole = fs::read(&state[0]).expect("state");
    for bytes in [&whole[..whole.len() / 2], b"garbage", b""] {
        fs::write(&state[0], bytes).expect("a file");
        goes_on(&hook(&place, "claude-code", &pre("x", "make")));
    }
    assert!(log(&place).contains("starts afresh"), "{}", log(&place));
    fs::remove_file(&state[0]).expect("a file");
    goes_on(&hook(&place, "claude-code", &pre("y", "make")));
    // It watches again from there.
    assert!(stuck(&place, 6).out.contains("deny"));
}

#[test]
fn a_lock_that_is_never_given_back() {
    let place = Place::new("fault-lock");
    stuck(&place, 9);
    let lock = files(&place, "lock");
    let held = File::options()
        .write(true)
        .open(&lock[0])
        .expect("a lock file");
    held.lock().expect("a lock");
    goes_on(&hook(&place, "claude-code", &pre("x", "make")));
    assert!(
        log(&place).contains("was locked by another process"),
        "{}",
        log(&place)
    );
    drop(held);
    assert!(
        hook(&place, "claude-code", &pre("y", "make"))
            .out
            .contains("deny")
    );
}

/// Nobody holds what a dead process has left.
#[test]
fn a_lock_file_that_was_left_behind() {
    let place = Place::new("fault-lock-left");
    stuck(&place, 6);
    assert_eq!(files(&place, "lock").len(), 1);
    assert!(
        hook(&place, "claude-code", &pre("x", "make"))
            .out
            .contains("deny")
    );
    assert!(!log(&place).contains("allowed"), "{}", log(&place));
}

/// A limit on the size of files stands in for a disk that is full: in both cases a part can be written.
#[cfg(unix)]
#[test]
fn a_full_disk() {
    let place = Place::new("fault-disk");
    for number in 0..30 {
        hook(
            &place,
            "claude-code",
            &pre(&format!("c{number}"), &format!("make {number}")),
        );
    }
    let before = fs::read(&files(&place, ".state")[0]).expect("state");
    assert!(before.len() > 2_048, "{}", before.len());
    let plain = place.command(&[]);
    let mut limited = std::process::Command::new("sh");
    limited
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 1; exec \"$0\" hook claude-code",
        ])
        .arg(plain.get_program())
        .current_dir(place.path(""))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    goes_on(&finish(limited, pre("x", "make").to_string().as_bytes()));
    assert!(
        log(&place).contains("allowed: cannot write"),
        "{}",
        log(&place)
    );
    // What was there is still whole.
    assert_eq!(
        fs::read(&files(&place, ".state")[0]).expect("state"),
        before
    );
    assert!(files(&place, ".new").is_empty());
}

#[test]
fn a_home_that_cannot_be_written() {
    let place = Place::new("fault-home");
    // A file stands where the directory should be: not even root can write there.
    place.write("state", "in the way");
    let ran = hook(&place, "claude-code", &pre("1", "ls"));
    goes_on(&ran);
    // There is no log either; the reason goes where hosts keep what hooks complain of.
    assert!(ran.err.contains("cannot"), "{}", ran.err);
    // Each reason is given once.
    for line in ran.err.lines() {
        let parts: Vec<_> = line.split(": ").collect();
        assert!(parts.windows(2).all(|pair| pair[0] != pair[1]), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_home_that_may_only_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new("fault-read-only");
    stuck(&place, 2);
    let state = files(&place, ".state").remove(0);
    let directory = state.parent().expect("a directory").to_owned();
    let permit = |mode| {
        fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    permit(0o500);
    let ran = hook(&place, "claude-code", &pre("1", "ls"));
    permit(0o700);
    goes_on(&ran);
}

#[test]
fn a_broken_configuration() {
    let place = Place::new("fault-config");
    place.write("home/unstuck.toml", "preset = \"nonsense\"\n");
    // It is ignored, and the guard is still there.
    assert!(stuck(&place, 6).out.contains("deny"));
    // The log has it once for each session, not with every call.
    let ignored = |log: &str| log.matches("the configuration is ignored").count();
    assert_eq!(ignored(&log(&place)), 1, "{}", log(&place));
    let mut other = pre("o", "make");
    other["session_id"] = "another".into();
    goes_on(&hook(&place, "claude-code", &other));
    assert_eq!(ignored(&log(&place)), 2, "{}", log(&place));
}

#[test]
fn a_log_that_is_full_makes_room() {
    let place = Place::new("fault-log");
    place.write("state/hook.log", "x".repeat(2 << 20));
    place.run_with(&["hook", "claude-code"], b"nonsense");
    assert!(log(&place).len() < 1_000);
    assert_eq!(place.read("state/hook.log.1").len(), 2 << 20);
}

#[test]
fn a_host_that_does_not_listen() {
    let place = Place::new("fault-pipe");
    stuck(&place, 5);
    let mut command = place.command(&["hook", "claude-code"]);
    command.stdout(std::process::Stdio::null());
    let ran = finish(command, pre("x", "make").to_string().as_bytes());
    assert_eq!(ran.code, Some(0));
}
