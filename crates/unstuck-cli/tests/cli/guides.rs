//! The README and the pages of the book: their commands run, and print what is shown below them.
//!
//! A `sh` block runs in a scratch directory with a home of its own. A `text` or `json` block that follows it in the same
//! section is its output: `…` stands for any part of a line, and a line of its own for any number of lines. A comment
//! right above a block changes that:
//!
//! - `<!-- not run: why -->` for a block that cannot run here,
//! - `<!-- exits with 1 -->` for a block that ends with another code than 0,
//! - `<!-- first: commands -->` for commands that make what the block needs,
//! - `<!-- until: text -->` for commands that run until Ctrl-C: each line runs until it has printed the text,
//! - `<!-- run by: test -->` for commands that tests of these names run, because they need more than a shell.

#[path = "guides/newcomer.rs"]
mod newcomer;

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use crate::run::{Place, binary, finish, finish_in_terminal};
use newcomer::{prepare, programs, surround};

/// Blocks that no test runs. Every further one is a promise that no test keeps: give it a good reason, or run it.
const NOT_RUN: usize = 5;

/// Port in the book for proxies that listen. The tests use one that is free.
const PORT: &str = "8080";

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

/// Runs a block as a person does, in a terminal, and compares what it prints.
fn run(number: usize, block: &Block, shown: Option<&Block>) -> Result<(), String> {
    let place = Place::new(&format!("guides-{number}"));
    programs(&place);
    prepare(&place);
    if let Some(first) = block.mark("first:") {
        place.write("first.sh", first);
        let ran = finish_in_terminal(&shell(&place, "first.sh"), b"");
        if ran.code != Some(0) {
            return Err(format!("{}: first: {ran:#?}", block.place()));
        }
    }
    if let Some(text) = block.mark("until:") {
        return block
            .text
            .lines()
            .try_for_each(|line| run_until(&place, line, text))
            .map_err(|error| format!("{}: {error}", block.place()));
    }
    place.write("block.sh", &block.text);
    let ran = finish_in_terminal(&shell(&place, "block.sh"), b"");
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

/// A shell that runs a file of the place in the newcomer's project, and stops at the first command that fails.
fn shell(place: &Place, file: &str) -> Command {
    let mut command = place.command(&[]);
    surround(&mut command, place);
    let mut shell = Command::new("/bin/sh");
    shell.arg("-e").arg(place.path(file));
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.current_dir(place.path("work"));
    shell
}

/// Runs a command until it has printed a text, then interrupts it as Ctrl-C does.
fn run_until(place: &Place, line: &str, text: &str) -> Result<(), String> {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let port = free.expect("a port").port().to_string();
    place.write("line.sh", format!("exec {}\n", line.replace(PORT, &port)));
    let mut shell = shell(place, "line.sh");
    shell
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = shell.spawn().expect("a shell");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut printed = Vec::new();
    let is_there = lines.by_ref().map_while(Result::ok).any(|line| {
        let is_it = line.contains(text);
        printed.push(line);
        is_it
    });
    if !is_there {
        let code = child.wait().expect("it ended").code();
        return Err(format!("`{line}` ended with {code:?}: {printed:#?}"));
    }
    // What follows must not fill the pipe.
    let rest = thread::spawn(move || lines.map_while(Result::ok).collect::<Vec<_>>());
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    let code = child.wait().expect("it ends").code();
    let rest = rest.join().expect("lines");
    match code {
        Some(0 | 130) => Ok(()),
        _ => Err(format!(
            "`{line}`, interrupted, ended with {code:?}: {rest:#?}"
        )),
    }
}

/// Whether the tests of the workspace have one of this name.
fn is_test(name: &str) -> bool {
    fn search(directory: &Path, wanted: &str) -> bool {
        let mut entries = fs::read_dir(directory).expect("a directory");
        entries.any(|entry| {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                return search(&path, wanted);
            }
            path.extension().is_some_and(|ending| ending == "rs")
                && fs::read_to_string(&path).is_ok_and(|text| text.contains(wanted))
        })
    }
    let wanted = format!("#[test]\nfn {name}() {{");
    let crates = fs::read_dir(root().join("crates")).expect("crates");
    let mut tests = crates.map(|entry| entry.expect("a crate").path().join("tests"));
    tests.any(|tests| tests.is_dir() && search(&tests, &wanted))
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
            if let Some(tests) = block.mark("run by:") {
                for test in tests.split(", ") {
                    assert!(is_test(test), "{}: no test `{test}`", block.place());
                }
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
