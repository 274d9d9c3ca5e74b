//! Inputs that try to be the worst for a part: one file per part, and what they share.

mod canonical_json;
mod chant;
mod facts;
mod index;
mod normalisation;
mod redaction;
mod rewording;
mod shell;

use std::collections::VecDeque;

use serde_json::json;
use unstuck::Preset;

/// An input of any size.
pub(crate) struct Input {
    pub(crate) part: &'static str,
    pub(crate) name: &'static str,
    /// Makes it, with about so many bytes.
    pub(crate) make: fn(usize) -> Load,
}

/// What is measured.
pub(crate) enum Load {
    /// A text that is parsed and canonicalised.
    Json(String),
    /// A shell command that is understood.
    Command(String),
    /// A text that secrets are taken out of.
    Redact(String),
    /// Lines that are read and observed, after others whose time does not count.
    Events {
        key: [u8; 16],
        preset: Preset,
        before: Vec<String>,
        lines: Vec<String>,
    },
}

impl Load {
    /// Whether many events come before those that count.
    pub(crate) fn is_prepared(&self) -> bool {
        matches!(self, Self::Events { before, .. } if before.len() > 1)
    }

    /// The bytes that a pass takes in.
    pub(crate) fn bytes(&self) -> f64 {
        let bytes: usize = match self {
            Self::Json(text) | Self::Command(text) | Self::Redact(text) => text.len(),
            Self::Events { lines, .. } => lines.iter().map(String::len).sum(),
        };
        bytes as f64
    }
}

const fn of(part: &'static str, name: &'static str, make: fn(usize) -> Load) -> Input {
    Input { part, name, make }
}

pub(crate) fn all() -> Vec<Input> {
    [
        normalisation::inputs(),
        shell::inputs(),
        chant::inputs(),
        canonical_json::inputs(),
        rewording::inputs(),
        index::inputs(),
        facts::inputs(),
        redaction::inputs(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn repeat(unit: &str, size: usize) -> String {
    unit.repeat((size / unit.len()).max(1))
}

fn repeat_array(unit: &str, size: usize) -> String {
    let all = vec![unit; (size / (unit.len() + 1)).max(1)];
    format!("[{}]", all.join(","))
}

/// An object whose members are in no order.
fn members(prefix: &str, size: usize) -> String {
    let each = prefix.len() + 16;
    let all: Vec<String> = (0..(size / each).max(1))
        .map(|at| format!(r#""{prefix}{:010x}":0"#, mixed(at as u64) >> 24))
        .collect();
    format!("{{{}}}", all.join(","))
}

thread_local! {
    static VARIANT: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Makes all inputs from now on with other random numbers.
pub(crate) fn vary(number: usize) {
    VARIANT.set((number as u64) << 48);
}

/// A number that looks drawn at random.
fn mixed(number: u64) -> u64 {
    let mut mixed = (number ^ VARIANT.get())
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A word of letters, one for each number.
fn word(number: u64) -> String {
    let mut rest = number;
    let mut word = String::from("q");
    loop {
        word.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
        if rest == 0 {
            return word;
        }
    }
}

/// Words of so many letters.
fn random_words(size: usize, shortest: usize, longest: usize) -> String {
    random_words_of(size, shortest, longest, 0)
}

fn random_words_of(size: usize, shortest: usize, longest: usize, seed: u64) -> String {
    let mut text = String::with_capacity(size + longest);
    let mut at = seed << 32;
    while text.len() < size {
        at += 1;
        let length = shortest + mixed(at) as usize % (longest - shortest + 1);
        for letter in 0..length {
            let drawn = mixed(at << 8 | letter as u64);
            text.push(char::from(b'a' + (drawn % 26) as u8));
        }
        text.push(' ');
    }
    text
}

fn events(before: Vec<String>, lines: Vec<String>) -> Load {
    Load::Events {
        key: [0; 16],
        preset: Preset::Standard,
        before,
        lines,
    }
}

/// Lines of so many bytes, after so many that do not count.
fn streamed(size: usize, before: u64, line: impl Fn(u64) -> String) -> Load {
    let first = (0..before).map(&line).collect();
    let mut lines = VecDeque::new();
    let mut bytes = 0;
    while bytes < size {
        let next = line(before + lines.len() as u64);
        bytes += next.len();
        lines.push_back(next);
    }
    events(first, lines.into())
}

fn with(to: Preset, by: [u8; 16], load: Load) -> Load {
    match load {
        Load::Events { before, lines, .. } => Load::Events {
            key: by,
            preset: to,
            before,
            lines,
        },
        other => other,
    }
}

fn call_line(id: u64, tool: &str, args: &serde_json::Value) -> String {
    json!({"event": "call", "id": id.to_string(), "tool": tool, "args": args}).to_string()
}

/// One call.
fn call(tool: &str, args: &serde_json::Value) -> Load {
    events(Vec::new(), vec![call_line(1, tool, args)])
}

/// One result, as JSON.
fn result(status: &str, output: &str) -> Load {
    let line = format!(r#"{{"event":"result","id":"1","status":"{status}","output":{output}}}"#);
    events(vec![call_line(1, "get", &json!({"a": 1}))], vec![line])
}

fn said_json(output: &str) -> Load {
    result("ok", output)
}

/// One result, as text.
fn said(output: &str) -> Load {
    result("ok", &json!(output).to_string())
}

fn failed(output: &str) -> Load {
    result("error", &json!(output).to_string())
}

/// The result of a test run without an exit code.
fn tested(output: &str) -> Load {
    let line = json!({"event": "result", "id": "1", "status": "ok", "output": output}).to_string();
    events(
        vec![call_line(1, "Bash", &json!({"command": "pytest"}))],
        vec![line],
    )
}

/// What a model says in one event.
fn text(said: &str) -> Load {
    events(
        Vec::new(),
        vec![json!({"event": "text", "text": said}).to_string()],
    )
}
