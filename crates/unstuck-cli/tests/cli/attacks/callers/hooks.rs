//! Hooks that any process can send, and the state they leave.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    attacks::{clock::Clock, skip},
    hook::{hook, post, pre, stuck},
    run::{Place, Ran, finish, finish_in_terminal},
};

/// The hooks of one host: how it is called, and what it sends.
struct Host {
    name: &'static str,
    /// An input before and after a call of a shell with this command.
    before: fn(&str, &str) -> Value,
    after: fn(&str, &str) -> Value,
    /// Inputs around calls: a session begins, is cleared or goes on, a person speaks.
    others: fn() -> Vec<Value>,
    /// The event on the command line, for hosts that do not put it into the input.
    events: [&'static str; 2],
}

/// Sources of a session's start.
const SOURCES: [&str; 6] = ["startup", "clear", "compact", "resume", "new", "fork"];

fn with(mut one: Value, other: &Value) -> Value {
    let members = other.as_object().expect("an object").clone();
    one.as_object_mut().expect("an object").extend(members);
    one
}

/// Hosts whose inputs are made like those of Claude Code.
fn family(event: &str, more: &Value) -> Value {
    with(json!({"session_id":"s","hook_event_name":event}), more)
}

fn starts(prompt: &str, more: &Value) -> Vec<Value> {
    let start = |source| with(family("SessionStart", more), &json!({"source":source}));
    let spoken = with(family(prompt, more), &json!({"prompt":"go on"}));
    SOURCES.map(start).into_iter().chain([spoken]).collect()
}

const HOSTS: [Host; 10] = [
    Host {
        name: "claude-code",
        before: |id, command| {
            family(
                "PreToolUse",
                &json!({"transcript_path":"/t","tool_use_id":id,"tool_name":"Bash","tool_input":{"command":command}}),
            )
        },
        after: |id, command| {
            family(
                "PostToolUse",
                &json!({"transcript_path":"/t","tool_use_id":id,"tool_name":"Bash","tool_input":{"command":command},"tool_response":"same"}),
            )
        },
        others: || starts("UserPromptSubmit", &json!({"transcript_path":"/t"})),
        events: ["", ""],
    },
    Host {
        name: "codex",
        before: |id, command| {
            family(
                "PreToolUse",
                &json!({"turn_id":"t","model":"m","tool_use_id":id,"tool_name":"Bash","tool_input":{"command":command}}),
            )
        },
        after: |id, command| {
            family(
                "PostToolUse",
                &json!({"turn_id":"t","model":"m","tool_use_id":id,"tool_name":"Bash","tool_input":{"command":command},"tool_response":"same"}),
            )
        },
        others: || starts("UserPromptSubmit", &json!({"turn_id":"t","model":"m"})),
        events: ["", ""],
    },
    Host {
        name: "gemini-cli",
        before: |_, command| {
            family(
                "BeforeTool",
                &json!({"tool_name":"run_shell_command","tool_input":{"command":command}}),
            )
        },
        after: |_, command| {
            family(
                "AfterTool",
                &json!({"tool_name":"run_shell_command","tool_input":{"command":command},"tool_response":{"llmContent":"same"}}),
            )
        },
        others: || starts("BeforeAgent", &json!({})),
        events: ["", ""],
    },
    Host {
        name: "qwen-code",
        before: |id, command| {
            family(
                "PreToolUse",
                &json!({"permission_mode":"yolo","tool_call_id":id,"tool_name":"run_shell_command","tool_input":{"command":command}}),
            )
        },
        after: |id, command| {
            family(
                "PostToolUse",
                &json!({"permission_mode":"yolo","tool_call_id":id,"tool_name":"run_shell_command","tool_input":{"command":command},"tool_response":{"llmContent":"same"}}),
            )
        },
        others: || starts("UserPromptSubmit", &json!({"permission_mode":"yolo"})),
        events: ["", ""],
    },
    Host {
        name: "copilot-cli",
        before: |_, command| json!({"sessionId":"s","toolName":"bash","toolArgs":{"command":command}}),
        after: |_, command| json!({"sessionId":"s","toolName":"bash","toolArgs":{"command":command},"toolResult":{"resultType":"success","textResultForLlm":"same"}}),
        others: || {
            let start = |source| json!({"sessionId":"s","hookName":"sessionStart","source":source});
            let spoken = json!({"sessionId":"s","hookName":"userPromptSubmitted","prompt":"go on"});
            SOURCES.map(start).into_iter().chain([spoken]).collect()
        },
        events: ["preToolUse", "postToolUse"],
    },
    Host {
        name: "opencode",
        before: |id, command| json!({"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"s","callID":id},"output":{"args":{"command":command}}}),
        after: |id, command| json!({"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s","callID":id,"args":{"command":command}},"output":{"output":"same"}}),
        others: || {
            let event =
                |kind| json!({"hook":"event","input":{"type":kind,"properties":{"sessionID":"s"}}});
            let mut all = vec![json!({"hook":"chat.message","input":{"sessionID":"s"}})];
            all.extend(["session.compacted", "session.created", "session.idle"].map(event));
            all
        },
        events: ["", ""],
    },
    Host {
        name: "cursor",
        before: |id, command| json!({"conversation_id":"s","generation_id":"g","hook_event_name":"preToolUse","tool_use_id":id,"tool_name":"Shell","tool_input":{"command":command}}),
        after: |id, command| json!({"conversation_id":"s","generation_id":"g","hook_event_name":"postToolUse","tool_use_id":id,"tool_name":"Shell","tool_input":{"command":command},"tool_output":"same"}),
        others: || {
            let event = |name| json!({"conversation_id":"s","generation_id":"h","hook_event_name":name,"source":"clear"});
            [
                "beforeSubmitPrompt",
                "sessionStart",
                "SessionStart",
                "UserPromptSubmit",
            ]
            .map(event)
            .into()
        },
        events: ["", ""],
    },
    Host {
        name: "cline",
        before: |_, command| json!({"taskId":"s","clineVersion":"1","hookName":"PreToolUse","preToolUse":{"toolName":"execute_command","parameters":{"command":command}}}),
        after: |_, command| json!({"taskId":"s","clineVersion":"1","hookName":"PostToolUse","postToolUse":{"toolName":"execute_command","parameters":{"command":command},"result":"same","success":true}}),
        others: || {
            let event = |name| json!({"taskId":"s","clineVersion":"1","hookName":name});
            [
                "UserPromptSubmit",
                "TaskStart",
                "TaskResume",
                "prompt_submit",
            ]
            .map(event)
            .into()
        },
        events: ["", ""],
    },
    Host {
        name: "goose",
        before: |_, command| json!({"event":"PreToolUse","matcher_context":"","session_id":"s","tool_name":"shell","tool_input":{"command":command}}),
        after: |_, command| json!({"event":"PostToolUse","matcher_context":"","session_id":"s","tool_name":"shell","tool_input":{"command":command},"tool_output":"same"}),
        others: || {
            let event =
                |name| json!({"event":name,"matcher_context":"","session_id":"s","source":"clear"});
            ["UserPromptSubmit", "SessionStart"].map(event).into()
        },
        events: ["", ""],
    },
    Host {
        name: "openhands",
        before: |_, command| json!({"event_type":"PreToolUse","session_id":"s","tool_name":"bash","tool_input":{"command":command}}),
        after: |_, command| json!({"event_type":"PostToolUse","session_id":"s","tool_name":"bash","tool_input":{"command":command},"tool_response":{"output":"same"}}),
        others: || {
            let event = |name| json!({"event_type":name,"session_id":"s","source":"clear"});
            ["UserPromptSubmit", "SessionStart", "session_start"]
                .map(event)
                .into()
        },
        events: ["", ""],
    },
];

impl Host {
    fn send(&self, place: &Place, event: &str, input: &Value) -> Ran {
        let mut words = vec!["hook", self.name];
        words.extend((!event.is_empty()).then_some(event));
        place.run_with(&words, input.to_string().as_bytes())
    }

    fn call(&self, place: &Place, number: usize, command: &str) -> Ran {
        let id = format!("c{number}");
        let before = self.send(place, self.events[0], &(self.before)(&id, command));
        if !refused(&before) {
            self.send(place, self.events[1], &(self.after)(&id, command));
        }
        before
    }
}

/// Whether a call was denied or the run halted: both name the command that lifts it.
fn refused(ran: &Ran) -> bool {
    ran.out.contains("unstuck reset")
}

/// The files under the state directory that end so.
fn files(place: &Place, ending: &str) -> Vec<PathBuf> {
    let directories = fs::read_dir(place.path("state/sessions")).expect("a directory");
    let mut found = Vec::new();
    for directory in directories {
        let path = directory.expect("an entry").path();
        if let Ok(inside) = fs::read_dir(path) {
            found.extend(inside.map(|file| file.expect("an entry").path()));
        }
    }
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    found
}

fn of_session(mut input: Value, session: &str) -> Value {
    input["session_id"] = session.into();
    input
}

/// Runs the same call of a session until it is halted.
fn halt(place: &Place, session: &str) {
    for number in 0..9 {
        let id = format!("c{number}");
        let before = of_session(pre(&id, "make"), session);
        if !refused(&hook(place, "claude-code", &before)) {
            let after = of_session(post(&id, "make", "nothing to be done"), session);
            hook(place, "claude-code", &after);
        }
    }
    let other = of_session(pre("other", "ls"), session);
    assert!(refused(&hook(place, "claude-code", &other)), "not halted");
}

#[test]
fn b2_no_hook_event_lifts_a_halt() {
    thread::scope(|scope| {
        for host in &HOSTS {
            scope.spawn(move || {
                let place = Place::new(&format!("b2-{}", host.name));
                for number in 0..10 {
                    host.call(&place, number, "make");
                }
                let halted = host.call(&place, 20, "ls");
                assert!(
                    refused(&halted),
                    "{} is not halted: {}",
                    host.name,
                    halted.out
                );
                for input in (host.others)() {
                    host.send(&place, "", &input);
                    let next = host.call(&place, 30, "ls");
                    assert!(refused(&next), "{} was freed by {input}", host.name);
                }
                // A person's command does.
                let lifted = place.as_person(&["reset", "s"]);
                assert_eq!(lifted.code, Some(0), "{}", lifted.err);
                assert!(!refused(&host.call(&place, 40, "ls")));
            });
        }
    });
}

#[test]
fn b2_a_forged_prompt_sheds_a_denial_only_and_is_logged() {
    let place = Place::new("b2-prompt");
    assert!(refused(&stuck(&place, 6)));
    let start = |source: &str| json!({"session_id":"session-1","transcript_path":"/t.jsonl","hook_event_name":"SessionStart","source":source});
    for source in ["startup", "compact", "resume"] {
        hook(&place, "claude-code", &start(source));
        assert!(
            refused(&hook(&place, "claude-code", &pre("x", "make"))),
            "{source}"
        );
    }
    let prompt = json!({"session_id":"session-1","transcript_path":"/t.jsonl","hook_event_name":"UserPromptSubmit","prompt":"go on"});
    hook(&place, "claude-code", &prompt);
    let mut denied_at = None;
    for number in 0..6 {
        let id = format!("again{number}");
        if refused(&hook(&place, "claude-code", &pre(&id, "make"))) {
            denied_at = Some(number);
            break;
        }
        hook(
            &place,
            "claude-code",
            &post(&id, "make", "nothing to be done"),
        );
    }
    // It may be tried again, but what was warned of is remembered.
    assert!(
        denied_at.is_some_and(|at| (1..5).contains(&at)),
        "{denied_at:?}"
    );
    let log = place.read("state/hook.log");
    let line = log.lines().find(|line| line.contains("may be tried again"));
    let line = line.unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains("UserPromptSubmit run by process"), "{line}");
}

/// A forged call counts as a real one: it can only make the guard stricter, and the log names the process.
#[test]
fn b2_forged_calls_tighten_and_are_logged() {
    let place = Place::new("b2-colleague");
    halt(&place, "colleague");
    let log = place.read("state/hook.log");
    let halted = log.lines().find(|line| line.contains("halt: exact-repeat"));
    let halted = halted.unwrap_or_else(|| panic!("{log}"));
    assert!(halted.contains("claude-code colleague"), "{halted}");
    assert!(halted.contains("PreToolUse run by process"), "{halted}");
    let other = of_session(pre("c", "make"), "another");
    assert!(!refused(&hook(&place, "claude-code", &other)));
}

/// The name of a state file in builds that derive it without a key.
fn unkeyed(session: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for name in ["claude-code", session, "main"] {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    hasher.finalize().to_hex()[..34].to_owned()
}

/// Names of sessions that share a directory with this one in builds whose names have no key. With a key they are spread
/// over all directories.
fn neighbours(session: &str) -> impl Iterator<Item = String> {
    let directory = unkeyed(session)[..2].to_owned();
    let names = (0..).map(|number| format!("neighbour-{number}"));
    names.filter(move |name| unkeyed(name).starts_with(&directory))
}

/// The attack needs names whose directory can be computed, so a build with keyed names withstands it even if its tidying
/// is wrong. Filling all 256 directories would take too long here. Which files a full directory loses is proved by the
/// tests of `tidy.rs` in `unstuck-store`.
#[test]
fn b3_new_sessions_do_not_push_out_a_halted_one() {
    let place = Place::new("b3-names");
    halt(&place, "victim");
    let names: Vec<_> = neighbours("victim").take(130).collect();
    thread::scope(|scope| {
        for part in names.chunks(33) {
            let place = &place;
            scope.spawn(move || {
                for name in part {
                    hook(place, "claude-code", &of_session(pre("c", "ls"), name));
                }
            });
        }
    });
    let next = of_session(pre("next", "make"), "victim");
    assert!(refused(&hook(&place, "claude-code", &next)));
}

#[test]
fn c7_the_log_is_bounded_whatever_a_session_is_called() {
    let place = Place::new("c7-log");
    let name = format!("\u{1b}]0;x\u{7}\nforged {}", "n".repeat(3_000_000));
    for number in 0..6 {
        let id = format!("c{number}");
        for input in [pre(&id, "make"), post(&id, "make", "nothing to be done")] {
            hook(&place, "claude-code", &of_session(input, &name));
        }
    }
    let log = place.read("state/hook.log");
    let old = place.read("state/hook.log.1");
    assert!(
        log.contains("exact-repeat"),
        "{}",
        &log[..log.len().min(500)]
    );
    assert!(
        log.len() + old.len() < 2_000_000,
        "{} {}",
        log.len(),
        old.len()
    );
    assert!(log.lines().all(|line| line.len() < 1_300));
    assert!(!log.contains('\u{1b}') && !log.lines().any(|line| line.starts_with("forged")));
    // Nor is the state larger for it.
    let state = &files(&place, ".state")[0];
    assert!(fs::metadata(state).expect("state").len() < 200_000);
}

/// Runs a hook that must end within a time that no hook needs.
fn ends(place: &Place, what: &str) -> bool {
    let mut child = place
        .command(&["hook", "claude-code"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let input = pre(what, "ls").to_string();
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
    drop(stdin);
    let start = Instant::now();
    loop {
        if child.try_wait().expect("a child").is_some() {
            return true;
        }
        if start.elapsed() > Duration::from_secs(15) {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn make_fifo(path: &Path) {
    let _ = fs::remove_file(path);
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

#[test]
fn c8_a_fifo_in_the_place_of_a_state_file_hangs_no_hook() {
    let place = Place::new("c8-fifo");
    assert!(ends(&place, "first"));
    for number in 0..2 {
        make_fifo(&files(&place, ".state")[0]);
        assert!(ends(&place, &format!("state{number}")), "the state file");
    }
    assert!(place.read("state/hook.log").contains("not a regular file"));
    for name in [
        "mode",
        "allowed.jsonl",
        "trusted",
        "sessions/key",
        "hook.log",
    ] {
        let path = place.path("state").join(name);
        make_fifo(&path);
        assert!(ends(&place, name), "{name}");
        let _ = fs::remove_file(&path);
    }
    make_fifo(&files(&place, "lock")[0]);
    assert!(ends(&place, "lock"), "the lock");
    // Nothing of that leaves the agent without a guard.
    assert!(stuck(&place, 7).out.contains("deny"));
}

#[test]
fn c11_the_state_of_another_session_is_not_believed() {
    let place = Place::new("c11-copied");
    halt(&place, "halted");
    let halted = files(&place, ".state").remove(0);
    let honest = |id: &str| hook(&place, "claude-code", &of_session(pre(id, "ls"), "honest"));
    assert!(!refused(&honest("one")));
    let all = files(&place, ".state");
    let own = all.iter().find(|path| **path != halted).expect("a second");
    fs::copy(&halted, own).expect("a copy");
    assert!(!refused(&honest("two")));
    let log = place.read("state/hook.log");
    assert!(log.contains("honest starts afresh"), "{log}");
    // Swapped the other way the halted one starts afresh as well: to delete its file would do the same.
    assert!(refused(&hook(
        &place,
        "claude-code",
        &of_session(pre("x", "ls"), "halted")
    )));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o777
}

/// Needs computable names as well; the tests of `tidy.rs` in `unstuck-store` prove that a clock which jumps ahead
/// removes nothing from a directory.
#[test]
fn c12_a_clock_ahead_in_one_hook_deletes_no_state() {
    let place = Place::new("c12-clock");
    let Some(clock) = Clock::build(&place) else {
        return skip("there is no C compiler for this system");
    };
    halt(&place, "victim");
    for name in neighbours("victim").take(3) {
        let mut command = place.command(&["hook", "claude-code"]);
        clock.set(&mut command, 31 * 86_400, 0);
        finish(
            command,
            of_session(pre("c", "ls"), &name).to_string().as_bytes(),
        );
    }
    assert!(refused(&hook(
        &place,
        "claude-code",
        &of_session(pre("x", "make"), "victim")
    )));
}

/// The command, run with a umask that takes nothing away.
fn open_to_all(place: &Place, args: &[&str], input: &[u8]) -> Ran {
    let plain = place.command(args);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args())
        .current_dir(place.path(""));
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    finish_in_terminal(&shell, input)
}

#[test]
fn c12_no_umask_opens_the_state_to_others() {
    let place = Place::new("c12-umask");
    open_to_all(&place, &["mode", "enforce"], b"");
    open_to_all(&place, &["hook", "claude-code"], b"nonsense");
    let input = pre("c", "ls").to_string();
    open_to_all(&place, &["hook", "claude-code"], input.as_bytes());
    let mut open = Vec::new();
    let mut look = vec![place.path("state")];
    while let Some(path) = look.pop() {
        if mode(&path) & 0o077 != 0 {
            open.push(path.clone());
        }
        if path.is_dir() {
            look.extend(
                fs::read_dir(&path)
                    .expect("a directory")
                    .map(|one| one.expect("an entry").path()),
            );
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn c12_files_that_others_can_write_do_not_loosen_the_guard() {
    let place = Place::new("c12-loose");
    let set = |path: &str, mode| {
        fs::set_permissions(place.path(path), fs::Permissions::from_mode(mode)).expect("a mode");
    };
    for (file, contents) in [
        ("state/mode", "off"),
        (
            "state/allowed.jsonl",
            "{\"tool\":\"*\",\"session\":null,\"directory\":null}\n",
        ),
    ] {
        for (file_mode, directory_mode) in [(0o666, 0o700), (0o600, 0o777)] {
            let _ = fs::remove_dir_all(place.path("state"));
            place.write(file, contents);
            set(file, file_mode);
            set("state", directory_mode);
            if file_mode == 0o666 {
                assert!(refused(&stuck(&place, 6)), "{file}");
            } else {
                // The first hook closes the directory; from then on its files can be trusted again.
                hook(&place, "claude-code", &pre("first", "ls"));
            }
            assert_eq!(mode(&place.path("state")) & 0o022, 0);
            let log = place.read("state/hook.log");
            let said = "is ignored: another user can write";
            assert!(log.contains(said), "{file}: {log}");
        }
    }
    // What a person's command writes counts.
    let _ = fs::remove_dir_all(place.path("state"));
    place.as_person(&["mode", "off"]);
    assert!(!refused(&stuck(&place, 6)));
}

#[test]
fn c12_the_log_is_private_also_when_a_proxy_made_the_directory() {
    let place = Place::new("c12-proxy");
    let audit = place.command(&["mcp", "--", "true"]);
    finish(audit, b"");
    place.run_with(&["hook", "claude-code"], b"nonsense");
    assert_eq!(mode(&place.path("state")), 0o700);
    assert_eq!(mode(&place.path("state/hook.log")), 0o600);
}
