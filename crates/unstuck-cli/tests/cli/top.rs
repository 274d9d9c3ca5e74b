//! `unstuck top`, driven in a real terminal.

use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    hook::{hook, post, pre, stuck},
    run::{Place, finish},
};

/// How long anything may take. Nothing is measured here: a slow machine waits, and a broken program fails.
const LIMIT: Duration = Duration::from_secs(90);

/// Variables that name other places of transcripts.
const ELSEWHERE: [&str; 6] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "NO_COLOR",
];

/// A terminal with a shell in it.
struct Terminal {
    socket: String,
}

impl Terminal {
    fn new(place: &Place, name: &str, columns: u16) -> Self {
        let socket = format!("unstuck-{}-{name}", std::process::id());
        let mut start = Command::new("tmux");
        surround(&mut start, place);
        start
            .env_remove("TMUX")
            .env("LC_ALL", "C.UTF-8")
            .args(["-L", &socket, "-u", "-f", "/dev/null", "new-session", "-d"])
            .args(["-x", &columns.to_string(), "-y", "30", "sh"])
            .stdin(Stdio::null());
        let started = start
            .output()
            .expect("tmux is needed to test `unstuck top`: `cargo xtask test` installs it, or `apt-get install tmux`");
        assert!(started.status.success(), "tmux does not start: {started:?}");
        let terminal = Self { socket };
        terminal.line("PS1='ready> '");
        terminal.wait("a prompt", |screen| {
            screen
                .lines()
                .any(|line| line.trim_end().ends_with("ready>"))
        });
        terminal
    }

    /// Starts `unstuck top` by what a shell would be told, and waits for its list.
    fn top(&self, words: &str) {
        let program = env!("CARGO_BIN_EXE_unstuck");
        self.line(&format!(
            "echo before-it; clear; echo before-it; {words} {program} top --interval 0.2; echo \"code=$?\""
        ));
        self.wait("the list", |screen| screen.contains("unstuck top  "));
    }

    fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
        self.keys(&["Enter"]);
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + LIMIT;
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(Instant::now() < end, "{what} did not come:\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// It has ended, and the screen is what it was.
    fn is_given_back(&self, code: i32) {
        let screen = self.wait_for(&format!("code={code}"));
        assert!(screen.contains("before-it"), "{screen}");
        assert!(!screen.contains("STATE"), "{screen}");
        let state = self.tmux(&["display-message", "-p", "#{alternate_on} #{cursor_flag}"]);
        assert_eq!(state.trim(), "0 1");
        // Letters are seen as they are typed.
        self.line("echo typed");
        self.wait("the line that was typed", |screen| {
            screen.contains("> echo typed") && screen.contains("\ntyped")
        });
    }

    fn tmux(&self, words: &[&str]) -> String {
        let ran = tmux(&self.socket, words);
        assert!(ran.status.success(), "tmux {words:?}: {ran:?}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = tmux(&self.socket, &["kill-server"]);
    }
}

fn tmux(socket: &str, words: &[&str]) -> Output {
    let mut command = Command::new("tmux");
    command.args(["-L", socket]).args(words);
    command.output().expect("tmux runs")
}

/// Nothing of this machine's agents in reach.
fn surround(command: &mut Command, place: &Place) {
    for (name, value) in place.command(&[]).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    command.env("HOME", place.path("home"));
}

fn once(place: &Place, words: &[&str]) -> String {
    let mut command = place.command(&[&["top", "--once"], words].concat());
    surround(&mut command, place);
    let ran = finish(command, b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

/// A call and its result, as Claude Code records them.
fn recorded(session: &str, number: usize, output: &str) -> String {
    recorded_call(
        (session, number),
        ("Read", json!({ "file_path": "a.txt" })),
        output,
    )
}

fn recorded_call(
    (session, number): (&str, usize),
    (tool, input): (&str, Value),
    output: &str,
) -> String {
    let line = |kind: &str, message: Value| {
        json!({
            "parentUuid": null, "isSidechain": false, "type": kind, "uuid": format!("{kind}{number}"),
            "timestamp": jiff::Timestamp::now().to_string(), "cwd": "/home/ada/shop",
            "sessionId": session, "version": "2.1.300", "message": message,
        })
    };
    let id = format!("t{number}");
    let call = line(
        "assistant",
        json!({
            "id": format!("m{number}"), "type": "message", "role": "assistant", "model": "some-model",
            "content": [{ "type": "tool_use", "id": id, "name": tool, "input": input }],
            "usage": { "input_tokens": 10, "output_tokens": 10 },
        }),
    );
    let result = line(
        "user",
        json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id, "content": output }] }),
    );
    format!("{call}\n{result}\n")
}

fn record(place: &Place, session: &str, numbers: std::ops::Range<usize>, output: &str) {
    let path = place.path(&format!("home/.claude/projects/shop/{session}.jsonl"));
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory can be made");
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .expect("a file can be opened");
    for number in numbers {
        let lines = recorded(session, number, output);
        file.write_all(lines.as_bytes()).expect("it can be written");
    }
}

#[test]
fn a_halted_agent_is_seen_looked_into_and_let_go_on() {
    let place = Place::new("top-reset");
    stuck(&place, 9);
    let mut healthy = pre("1", "ls");
    healthy["session_id"] = "healthy-2".into();
    healthy["cwd"] = "/home/ada/garden".into();
    hook(&place, "claude-code", &healthy);
    let terminal = Terminal::new(&place, "reset", 110);
    terminal.top("");
    let screen = terminal.wait("both agents", |screen| {
        screen.contains("halted ") && screen.contains("garden")
    });
    let rows: Vec<_> = screen.lines().skip(1).take(3).collect();
    assert!(rows[0].starts_with("  STATE "), "{screen}");
    // The one in trouble is the first one.
    for part in [
        "> halted",
        "claude-code",
        "session-1",
        "exact-repeat",
        "halt ",
    ] {
        assert!(rows[1].contains(part), "{part}: {screen}");
    }
    assert!(
        rows[2].starts_with("  ok ") && rows[2].contains("garden"),
        "{screen}"
    );
    assert!(screen.contains("1 in trouble"), "{screen}");
    assert!(screen.contains("Enter look  q quit"), "{screen}");

    terminal.keys(&["Enter"]);
    let screen = terminal.wait_for("Last calls");
    for part in [
        "session   session-1",
        "The text it got",
        "denied   Bash make",
        "nothing to be done",
        "Bash make",
    ] {
        assert!(screen.contains(part), "{part}: {screen}");
    }

    // No is no.
    terminal.keys(&["r"]);
    terminal.wait_for("Let claude-code session-1 continue?");
    terminal.keys(&["n"]);
    terminal.wait("no question", |screen| !screen.contains("continue?"));
    assert!(
        hook(&place, "claude-code", &pre("x1", "make"))
            .out
            .contains("deny")
    );

    terminal.keys(&["r"]);
    terminal.wait_for("continue?");
    terminal.keys(&["y"]);
    terminal.wait_for("session-1: cleared; the next call is judged afresh");
    assert_eq!(hook(&place, "claude-code", &pre("x2", "make")).out, "");
    terminal.keys(&["Escape"]);
    terminal.wait("nobody in trouble", |screen| {
        screen.contains("  STATE ") && !screen.contains("halted") && !screen.contains("in trouble")
    });

    terminal.keys(&["q"]);
    terminal.is_given_back(0);
}

#[test]
fn a_tool_is_exempted_from_here() {
    let place = Place::new("top-exempt");
    stuck(&place, 4);
    let terminal = Terminal::new(&place, "exempt", 100);
    terminal.top("");
    terminal.wait_for("> warned");
    terminal.keys(&["x"]);
    terminal.wait_for("> Bash");
    terminal.keys(&["Enter"]);
    terminal.wait_for("Stop watching `Bash` in the session session-1?");
    terminal.keys(&["y"]);
    terminal.wait_for("`Bash` is not watched in the session session-1");
    for number in 10..20 {
        let id = format!("c{number}");
        let answer = hook(&place, "claude-code", &pre(&id, "make")).out;
        assert!(!answer.contains("deny"), "{answer}");
        hook(
            &place,
            "claude-code",
            &post(&id, "make", "nothing to be done"),
        );
    }
    terminal.keys(&["C-c"]);
    terminal.is_given_back(0);
}

#[test]
fn an_agent_cannot_let_itself_go_on() {
    let place = Place::new("top-agent");
    stuck(&place, 9);
    let terminal = Terminal::new(&place, "agent", 100);
    terminal.top("CLAUDECODE=1");
    terminal.wait_for("> halted");
    terminal.keys(&["r"]);
    terminal.wait_for("continue?");
    terminal.keys(&["y"]);
    terminal.wait_for("this is for a person to decide");
    assert!(
        hook(&place, "claude-code", &pre("x", "make"))
            .out
            .contains("deny")
    );
}

#[test]
fn a_transcript_is_followed_as_it_grows() {
    let place = Place::new("top-follow");
    record(&place, "recorded-1", 0..1, "no such file");
    let terminal = Terminal::new(&place, "follow", 100);
    terminal.top("");
    terminal.wait("a healthy agent", |screen| {
        screen.contains("> ok ") && screen.contains("recorded…") && screen.contains("shop")
    });
    record(&place, "recorded-1", 1..4, "no such file");
    terminal.wait_for("> would warn");
    // One that begins later is found as well.
    record(&place, "another-2", 0..30, "no such file");
    terminal.wait_for("> would warn");
    terminal.wait_for("would halt");
    for key in ["r", "x"] {
        terminal.keys(&[key]);
        terminal.wait_for("no hooks, so nothing to do: `unstuck install claude-code`");
        terminal.keys(&["s"]);
        terminal.wait("no more words", |screen| {
            !screen.contains("unstuck install")
        });
    }
    terminal.keys(&["/"]);
    terminal.line("ANOTHER");
    terminal.wait("one row", |screen| {
        screen.contains("filter: ANOTHER") && !screen.contains("recorded…")
    });
    terminal.keys(&["Enter"]);
    let screen = terminal.wait_for("by its transcript");
    assert!(screen.contains("The text it would have got"), "{screen}");
    assert!(screen.contains("directory /home/ada/shop"), "{screen}");
}

#[test]
fn the_terminal_is_given_back_on_a_signal() {
    let place = Place::new("top-signal");
    stuck(&place, 3);
    let terminal = Terminal::new(&place, "signal", 100);
    let file = place.path("pid");
    terminal.top(&format!(
        "sh -c 'echo $$ > {}; exec \"$@\"' -",
        file.display()
    ));
    let pid = place.read("pid");
    let killed = Command::new("kill").args(["-TERM", pid.trim()]).status();
    assert!(killed.is_ok_and(|status| status.success()), "{pid}");
    terminal.is_given_back(130);
}

#[test]
fn it_follows_the_size_of_the_terminal() {
    let place = Place::new("top-size");
    stuck(&place, 4);
    let terminal = Terminal::new(&place, "size", 110);
    terminal.top("");
    terminal.wait_for("WASTED");
    terminal.tmux(&["resize-window", "-x", "60", "-y", "12"]);
    let screen = terminal.wait("fewer columns", |screen| {
        screen.contains("STREAK") && !screen.contains("WASTED")
    });
    assert!(
        screen.contains("> warned") && screen.contains("exact-repeat"),
        "{screen}"
    );
    terminal.keys(&["?"]);
    terminal.wait_for("look into an agent");
    terminal.tmux(&["resize-window", "-x", "110", "-y", "30"]);
    terminal.keys(&["q"]);
    terminal.wait("the list again", |screen| {
        screen.contains("WASTED") && !screen.contains("look into an agent")
    });
}

#[test]
fn colours_are_left_out_where_nobody_wants_them() {
    let place = Place::new("top-colour");
    stuck(&place, 9);
    let colours = |name: &str, words: &str| {
        let terminal = Terminal::new(&place, name, 100);
        terminal.top(words);
        terminal.wait_for("> halted");
        let painted = terminal.tmux(&["capture-pane", "-p", "-e"]);
        // 30 to 37 are the terminal's own colours.
        let codes = painted.split("\u{1b}[").skip(1);
        let colours = codes.filter(|code| {
            let end = code.find('m').unwrap_or(0);
            code[..end]
                .split(';')
                .any(|one| one.len() == 2 && one.starts_with('3') && one != "39")
        });
        colours.count()
    };
    assert!(colours("coloured", "") > 0);
    assert_eq!(colours("plain", "NO_COLOR=1"), 0);
}

#[test]
fn without_a_terminal_it_says_what_to_run_instead() {
    let place = Place::new("top-pipe");
    let ran = place.run(&["top"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    for command in [
        "unstuck top --once",
        "unstuck status",
        "unstuck scan --watch",
    ] {
        assert!(ran.err.contains(command), "{}", ran.err);
    }
}

#[test]
fn once_prints_what_there_is_to_see() {
    let place = Place::new("top-once");
    assert!(once(&place, &[]).contains("No agent has done anything lately."));
    stuck(&place, 9);
    // The same session, as it records itself: it is there once.
    record(&place, "session-1", 0..2, "no such file");
    record(&place, "other-3", 0..2, "\u{1b}[31mred \u{202e}txt.exe");
    let text = once(&place, &[]);
    assert_eq!(text.matches("session-1").count(), 1, "{text}");
    let rows: Vec<_> = text.lines().collect();
    assert_eq!(rows.len(), 4, "{text}");
    assert!(rows[2].starts_with("halted     claude-code"), "{text}");
    assert!(
        rows[3].starts_with("ok         claude-code        other-3 "),
        "{text}"
    );
    assert!(rows[3].contains("2× exact-repeat"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
    // Nothing is that new.
    assert!(once(&place, &["--since", "2099-01-01"]).contains("No agent"));
}

#[test]
fn what_cannot_be_read_leaves_the_rest_alone() {
    let place = Place::new("top-broken");
    stuck(&place, 3);
    record(&place, "good-1", 0..2, "fine");
    place.write(
        "home/.claude/projects/shop/bad.jsonl",
        b"\xff\xfe\x00 not a transcript\n{\n".repeat(50),
    );
    place.write("home/.codex/sessions/empty.jsonl", "");
    let text = once(&place, &[]);
    assert!(text.starts_with("unstuck top  2 agents"), "{text}");
}

#[test]
fn more_transcripts_than_are_read_are_counted() {
    let place = Place::new("top-many");
    let line = r#"{"type":"assistant","sessionId":"ID","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Grep","input":{}}]}}"#;
    for number in 0..66 {
        let session = format!("session-{number}");
        let file = format!("home/.claude/projects/shop/{session}.jsonl");
        place.write(&file, line.replace("ID", &session) + "\n");
    }
    let text = once(&place, &[]);
    let head = text.lines().next().unwrap_or_default();
    assert!(head.contains("2 older transcripts not shown"), "{head}");
}

#[test]
fn an_interval_has_to_make_sense() {
    let place = Place::new("top-interval");
    for interval in ["0", "-1", "often", "1e9"] {
        let ran = place.run(&["top", "--once", &format!("--interval={interval}")]);
        assert_eq!(ran.code, Some(2), "{interval}");
        assert!(ran.err.contains("seconds"), "{}", ran.err);
    }
}

/// A terminal that is closed takes everything in it along.
#[cfg(target_os = "linux")]
#[test]
fn it_does_not_outlive_its_terminal() {
    let place = Place::new("top-closed");
    stuck(&place, 4);
    let terminal = Terminal::new(&place, "closed", 100);
    terminal.top("");
    let shell = terminal.tmux(&["display-message", "-p", "#{pane_pid}"]);
    let shell = shell.trim();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"))
        .expect("the shell runs");
    let top = children
        .split_whitespace()
        .next()
        .expect("it runs")
        .to_owned();
    terminal.tmux(&["kill-server"]);
    let end = Instant::now() + LIMIT;
    let runs = || {
        let status = std::fs::read_to_string(format!("/proc/{top}/status"));
        status.is_ok_and(|status| !status.contains("State:\tZ"))
    };
    while runs() {
        assert!(Instant::now() < end, "it is still there");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Rules see the tests that fail again, and not the edits between them. For a person it is one loop.
#[test]
fn a_loop_is_not_ok_between_two_sights_of_it() {
    let place = Place::new("top-between");
    let path = "home/.claude/projects/shop/fix.jsonl";
    let mut text = String::new();
    let mut number = 0;
    let mut add = |text: &mut String, tool: &str, input: Value, output: &str| {
        number += 1;
        *text += &recorded_call(("fix", number), (tool, input), output);
        place.write(path, &*text);
    };
    let state = || {
        let text = once(&place, &[]);
        let row = text.lines().find(|line| line.contains("claude-code"));
        let row = row.unwrap_or_else(|| panic!("{text}")).trim().to_owned();
        let (state, _) = row.split_once("  ").expect("columns");
        state.to_owned()
    };
    let mut states = Vec::new();
    for lap in 0..9 {
        for edit in 0..3 {
            let change = json!({
                "file_path": "src/main.rs",
                "old_string": format!("let a = {lap}{edit};"),
                "new_string": format!("let b = {edit}{lap};"),
            });
            add(
                &mut text,
                "Edit",
                change,
                "The file src/main.rs has been updated.",
            );
            states.push(state());
        }
        let failure = "running 1 test\ntest it_works ... FAILED\n\nfailures:\n    it_works\n\ntest result: FAILED. 0 passed; 1 failed\n";
        add(
            &mut text,
            "Bash",
            json!({ "command": "cargo test" }),
            failure,
        );
        states.push(state());
    }
    let warned = states.iter().position(|state| state != "ok");
    let warned = warned.expect("a loop is seen");
    assert!(states.len() - warned > 8, "{states:?}");
    assert!(
        states[warned..]
            .iter()
            .all(|state| state.starts_with("would ")),
        "{states:?}"
    );
    // Progress ends it.
    for file in 0..20 {
        let read = json!({ "file_path": format!("docs/{file}.md") });
        add(&mut text, "Read", read, &format!("page {file}"));
    }
    assert_eq!(state(), "ok");
}
