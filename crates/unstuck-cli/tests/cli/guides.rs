//! The README and the pages of the book: their commands run, and print what is shown below them.
//!
//! A `sh` block runs in a scratch directory with a home of its own. A `text` or `json` block that follows it in the same
//! section is its output: `…` stands for any part of a line, and a line of its own for any number of lines. A comment
//! right above a block changes that:
//!
//! - `<!-- not run: why -->` for a block that cannot run here,
//! - `<!-- exits with 1 -->` for a block that ends with another code than 0.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::{Value, json};

use crate::{
    hook::{post, pre},
    run::{Place, binary, finish, finish_in_terminal},
};

/// Blocks that no test runs. Every further one is a promise that no test keeps: give it a good reason, or run it.
const NOT_RUN: usize = 11;

/// A fenced block of a page.
struct Block {
    page: String,
    line: usize,
    language: String,
    /// Comments right above it.
    marks: Vec<String>,
    text: String,
    /// Whether a heading stands between it and the block before.
    starts_section: bool,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    fn mark(&self, beginning: &str) -> Option<&str> {
        let mut marks = self.marks.iter();
        marks
            .find_map(|mark| mark.strip_prefix(beginning))
            .map(str::trim)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<(String, String)> {
    let mut names = Vec::new();
    for directory in [".", "docs", "docs/adr", "docs/guide", "docs/rules"] {
        for page in fs::read_dir(root().join(directory)).expect("pages") {
            let name = page.expect("a page").file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".md") {
                names.push(
                    format!("{directory}/{name}")
                        .trim_start_matches("./")
                        .to_owned(),
                );
            }
        }
    }
    names.sort();
    let read = |name: String| {
        let text = fs::read_to_string(root().join(&name)).expect("a page");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut marks = Vec::new();
    let mut starts_section = true;
    for (at, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, Some(language)) => {
                open = Some(Block {
                    page: page.to_owned(),
                    line: at + 1,
                    language: language.to_owned(),
                    marks: std::mem::take(&mut marks),
                    text: String::new(),
                    starts_section,
                });
                starts_section = false;
            }
            (None, None) => {
                starts_section |= line.starts_with('#');
                let comment = line
                    .strip_prefix("<!--")
                    .and_then(|rest| rest.strip_suffix("-->"));
                match comment {
                    Some(comment) => marks.push(comment.trim().to_owned()),
                    None => marks.clear(),
                }
            }
        }
    }
    assert!(open.is_none(), "{page}: a block has no end");
    blocks
}

/// What the pages take for granted: transcripts of a week, a project, clients with servers, a session.
fn prepare(place: &Place) {
    // A repository, so that nothing above it is taken for the project.
    fs::create_dir_all(place.path("work/.git")).expect("a directory can be made");
    let copied = Command::new("cp")
        .arg("-R")
        .arg(root().join("examples"))
        .arg(place.path("work"))
        .status();
    assert!(copied.expect("cp").success());
    place.write("work/unstuck.toml", "[rules.exact-repeat]\nnudge = 4\n");
    for (session, looks) in [
        ("mon", 12),
        ("tue", 30),
        ("wed", 30),
        ("thu", 30),
        ("fri", 30),
    ] {
        place.write(
            &format!("work/recordings/{session}.jsonl"),
            poller(session, looks),
        );
    }
    let servers = json!({"mcpServers": {
        "files": {"command": "npx", "args": ["some-server"]},
        "db": {"command": "npx", "args": ["db-server"]},
    }});
    place.write("home/.cursor/mcp.json", format!("{servers:#}\n"));
    place.write("work/.mcp.json", format!("{servers:#}\n"));
    place.write("work/db.cedar", "permit (principal, action, resource);\n");
    place.write("work/policy.cedar", POLICY);
    place.write("home/.claude/settings.json", "{}\n");
    deny(place);
    record(place);
}

/// The policies of the page about policies.
const POLICY: &str = r#"permit (principal, action, resource);

@id("no-seven")
forbid (principal, action, resource == Tool::"db/delete")
when { context.numbers has id && context.numbers.id.contains(7) };
"#;

/// Makes a session whose sixth call is denied.
fn deny(place: &Place) {
    let mut last = String::new();
    for number in 1..=6 {
        let id = number.to_string();
        let after = (number < 6).then(|| post(&id, "make", "nothing to be done"));
        for mut input in [Some(pre(&id, "make")), after].into_iter().flatten() {
            input["session_id"] = "844a24d0-77c1-4a00-8000-000000000001".into();
            let mut command = place.command(&["hook", "claude-code"]);
            surround(&mut command, place);
            let ran = finish(command, input.to_string().as_bytes());
            assert_eq!(ran.code, Some(0), "{ran:?}");
            last = ran.out;
        }
    }
    assert!(
        last.contains("This call was not run. 6 equal calls"),
        "{last}"
    );
}

/// Makes an audit of one call.
fn record(place: &Place) {
    let server = "read line; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}'; cat >/dev/null";
    let mut command = place.command(&[
        "mcp",
        "--name",
        "files",
        "--audit",
        "audit.jsonl",
        "--",
        "sh",
        "-c",
        server,
    ]);
    surround(&mut command, place);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "read", "arguments": {"path": "a.txt"}}});
    let ran = finish(command, format!("{call}\n").as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Looks at a build so many times, then it is done and the agent goes on.
fn poller(session: &str, looks: usize) -> String {
    let mut text = String::new();
    let mut add = |id: usize, tool: &str, args: Value, output: Value| {
        for event in [
            json!({"event": "call", "session": session, "id": id, "tool": tool, "args": args}),
            json!({"event": "result", "session": session, "id": id, "output": output}),
        ] {
            text += &event.to_string();
            text.push('\n');
        }
    };
    let build = || json!({"build": 7});
    for id in 0..looks {
        add(id, "ci", build(), json!({"build": 7, "conclusion": null}));
    }
    add(
        looks,
        "ci",
        build(),
        json!({"build": 7, "conclusion": "success"}),
    );
    add(looks + 1, "merge", build(), json!("merged"));
    add(looks + 2, "notify", json!({"who": "team"}), json!("sent"));
    text
}

/// The home of a newcomer: `cargo run` and `unstuck` run the binary under test, `cargo install` has installed it, and
/// questions are answered with yes.
fn surround(command: &mut Command, place: &Place) {
    for name in [
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COPILOT_HOME",
        "CRUSH_GLOBAL_CONFIG",
        "CLINE_DIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "UNSTUCK_CONFIG_HOME",
        "UNSTUCK_HOME",
    ] {
        command.env_remove(name);
    }
    let bin = place.path("bin");
    command
        .current_dir(place.path("work"))
        .env("HOME", place.path("home"))
        .env("LC_ALL", "C.UTF-8")
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
}

fn programs(place: &Place) {
    let unstuck = format!(
        "#!/bin/sh\nverb=$1\ncase \"$1 $2\" in\n'install mcp'|'uninstall mcp') shift 2; exec '{0}' $verb mcp --yes \"$@\" ;;\n'init '*|'install '*|'uninstall '*) shift; exec '{0}' $verb --yes \"$@\" ;;\nesac\nexec '{0}' \"$@\"\n",
        binary().display()
    );
    let cargo = "#!/bin/sh\nif [ \"$1 $2 $3\" = 'run --release --' ]; then\n  shift 3\n  exec unstuck \"$@\"\nfi\nif [ \"$*\" = 'install --path crates/unstuck-cli' ]; then\n  exit 0\nfi\necho \"this test does not run: cargo $*\" >&2\nexit 97\n";
    // A server that ends with its input.
    let npx = "#!/bin/sh\ncat >/dev/null\n";
    for (name, text) in [
        ("unstuck", unstuck.as_str()),
        ("cargo", cargo),
        ("npx", npx),
    ] {
        place.write(&format!("bin/{name}"), text);
        let made = Command::new("chmod")
            .arg("+x")
            .arg(place.path("bin").join(name))
            .status();
        assert!(made.expect("chmod").success());
    }
}

/// Runs a block as a person does, in a terminal, and compares what it prints.
fn run(number: usize, block: &Block, shown: Option<&Block>) -> Result<(), String> {
    let place = Place::new(&format!("guides-{number}"));
    programs(&place);
    prepare(&place);
    place.write("block.sh", &block.text);
    let mut command = place.command(&[]);
    surround(&mut command, &place);
    let mut shell = Command::new("/bin/sh");
    shell.arg("-e").arg(place.path("block.sh"));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.current_dir(place.path("work"));
    let ran = finish_in_terminal(&shell, b"");
    let code = block
        .mark("exits with")
        .map_or(0, |code| code.parse().expect("a code"));
    if ran.code != Some(code) {
        return Err(format!("{}: {ran:#?}", block.place()));
    }
    let Some(shown) = shown else {
        return Ok(());
    };
    let wanted = logical_lines(&shown.text);
    let printed: Vec<_> = ran.out.lines().map(ToOwned::to_owned).collect();
    if matches(&wanted, &printed) {
        Ok(())
    } else {
        Err(format!(
            "{} does not show what the block above prints:\n{}\n--- printed\n{}",
            shown.place(),
            shown.text,
            ran.out
        ))
    }
}

/// Lines of a JSON object that was broken over several lines are one line.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match lines.last_mut() {
            Some(last) if last.starts_with('{') && line.starts_with(' ') => *last += line,
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

fn matches(wanted: &[String], printed: &[String]) -> bool {
    match wanted.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| is_line(first, line) && matches(rest, others)),
    }
}

/// Blanks are not compared: columns may be narrower on a page.
fn is_line(wanted: &str, printed: &str) -> bool {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let (wanted, printed) = (plain(wanted), plain(printed));
    let mut parts = wanted.split('…');
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn every_command_of_the_guides_runs_and_prints_what_is_shown() {
    let pages = pages();
    assert!(pages.len() >= 100, "{}", pages.len());
    let mut faults = Vec::new();
    let mut not_run = Vec::new();
    let (mut ran, mut compared) = (0, 0);
    for (page, text) in &pages {
        let blocks = blocks(page, text);
        for (at, block) in blocks.iter().enumerate() {
            if !matches!(block.language.as_str(), "sh" | "bash" | "console") {
                continue;
            }
            if let Some(why) = block.mark("not run:") {
                assert!(!why.is_empty(), "{} has no reason", block.place());
                not_run.push(format!("{}: {why}", block.place()));
                continue;
            }
            let shown = blocks.get(at + 1).filter(|next| {
                matches!(next.language.as_str(), "text" | "json") && !next.starts_section
            });
            ran += 1;
            compared += usize::from(shown.is_some());
            faults.extend(run(ran, block, shown).err());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert_eq!(not_run.len(), NOT_RUN, "{}", not_run.join("\n"));
    assert!(
        ran >= 35 && compared >= 12,
        "{ran} ran, {compared} compared"
    );
}

#[test]
fn elisions_stand_for_parts_of_a_line_and_for_lines() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(ToOwned::to_owned).collect() };
    let printed = lines("a 1\nb 22 c\nd 3");
    for (wanted, is_it) in [
        ("a 1\nb 22 c\nd 3", true),
        ("a 1\nb … c\nd 3", true),
        ("a 1\n…\nd 3", true),
        ("…\nd 3", true),
        ("a 1\n…", true),
        ("a 1", false),
        ("a 2\n…", false),
        ("a 1\nb 2… d\n…", false),
        ("a 1\nb 23…\n…", false),
        ("…\nb 2 c\n…", false),
    ] {
        assert_eq!(matches(&lines(wanted), &printed), is_it, "{wanted}");
    }
    assert_eq!(
        logical_lines("{\"a\":1,\n \"b\":2}\n{}"),
        ["{\"a\":1, \"b\":2}", "{}"]
    );
}

/// A newcomer who came by `cargo run` has no `unstuck` on the path.
#[test]
fn the_hint_of_an_empty_scan_can_be_run() {
    let place = Place::new("guides-hint");
    programs(&place);
    prepare(&place);
    let hint = |path: &str| {
        let mut command = place.command(&["scan"]);
        surround(&mut command, &place);
        command.env("HOME", place.path("nowhere")).env("PATH", path);
        let ran = finish(command, b"");
        let line = ran
            .err
            .lines()
            .find(|line| line.contains("examples/transcripts"));
        let line = line.unwrap_or_else(|| panic!("{ran:?}"));
        let (_, command) = line.split_once(": ").expect("a command");
        command.to_owned()
    };
    let command = hint("/usr/bin:/bin");
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &command])
        .current_dir(place.path("work"))
        .env("PATH", "/usr/bin:/bin")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let ran = finish(shell, b"");
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    assert!(ran.out.contains("11 runs"), "{}", ran.out);
    let directory = binary()
        .parent()
        .expect("a directory")
        .display()
        .to_string();
    assert_eq!(
        hint(&format!("{directory}:/usr/bin:/bin")),
        "unstuck scan examples/transcripts"
    );
}
