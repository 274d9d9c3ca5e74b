//! Every program behind the guard sees the calls that the guard judged, and no others.
//!
//! Lines are made by changing calls at random, from a fixed seed. The model readers run with all tests. Real ones, Python's
//! `json` in text mode and Node's `readline`, run with
//! `cargo test -p unstuck-mcp --test readers -- --ignored`; `UNSTUCK_READERS_LINES` sets how many lines they get.

#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use std::{env, fs, path::Path, process::Command};

use serde_json::{Value, json};

#[path = "data/readers.rs"]
mod readers;

use readers::{Call, Passed, rounded};

/// Lines that one guard judges: not so many that the breaker denies most of them.
const BATCH: usize = 200;

/// What is put into lines: what readers disagree about.
const PIECES: [&str; 40] = [
    "\r",
    "\r\r",
    "\n",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{1c}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\0",
    " ",
    "\t",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u006d",
    "\\ud800",
    "\\\"",
    "//",
    "/**/",
    "NaN",
    "1e999",
    "-0",
    "12345678901234567890123",
    r#","method":"tools/call""#,
    r#""params":{"name":"wipe"}"#,
    r#","name":"wipe""#,
    r#","n\u0061me":"wipe""#,
    r#","Name":"wipe""#,
    r#","arguments":{"a":2}"#,
    r#","id":2"#,
    "\r{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\"}}\r",
    "\u{2028}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\"}}\u{2028}",
];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound.max(1)).expect("small")).expect("small")
    }
}

/// One batch of lines.
fn batch(random: &mut Random, first: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for id in first..first + BATCH {
        let line = match random.below(5) {
            0 => {
                json!({"jsonrpc":"2.0","method":"notifications/x","params":{"id":id,"text":"a\"b\\"}})
            }
            1 => {
                json!({"jsonrpc":"2.0","id":id,"result":{"method":"tools/call","params":{"name":"no"}}})
            }
            _ => json!({"jsonrpc":"2.0","id":id,"method":"tools/call","params":{
                "name":"echo","arguments":{"n":id,"deep":[{"a":1.5,"b":["x",null,true]}],"text":"é \u{1f40e}"}}}),
        };
        let mut line = line.to_string();
        for _ in 0..random.below(4) {
            change(&mut line, random);
        }
        out.extend_from_slice(line.as_bytes());
        if random.below(50) == 0 {
            let at = out.len() - 1 - random.below(line.len().min(out.len() - 1));
            out[at] = out[at].wrapping_add(128);
        }
        out.push(b'\n');
    }
    out
}

fn change(line: &mut String, random: &mut Random) {
    let places: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    let mut place = || places.get(random.below(places.len())).copied().unwrap_or(0);
    let (from, to) = (place(), place());
    let (from, to) = (from.min(to), from.max(to));
    match random.below(4) {
        0 => {
            let few = places.iter().rev().find(|at| **at <= to.min(from + 8));
            line.replace_range(from..few.copied().unwrap_or(from).max(from), "");
        }
        1 => {
            let copied = line[from..to].to_owned();
            line.insert_str(to, &copied);
        }
        _ => line.insert_str(from, PIECES[random.below(PIECES.len())]),
    }
}

fn passed(random: &mut Random, lines: usize, each: impl FnMut(Passed)) {
    let batches = (0..lines).step_by(BATCH);
    batches
        .map(|first| Passed::by_guard(&batch(random, first), 1 << 16))
        .for_each(each);
}

#[test]
fn model_readers_see_the_calls_that_were_judged() {
    let mut calls = 0;
    passed(&mut Random(0x5eed), 20_000, |passed| {
        passed.assert_one_reading();
        calls += passed.calls.len();
    });
    assert!(calls > 2_000, "{calls}");
}

/// The calls that a program prints, one a line, as `["tool", {arguments}]`.
fn seen(program: &str, script: &str, input: &Path) -> Vec<Call> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(script);
    let output = Command::new(program).arg(script).arg(input).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {said}");
    let text = String::from_utf8(output.stdout).expect("text");
    let calls = text.lines().map(|line| {
        // Half of a surrogate pair is what it is for the codec.
        let line = unstuck::Json::lossy(line.as_bytes()).expect("JSON");
        let call: Value = serde_json::from_str(line.as_str()).expect("JSON");
        rounded(Call {
            tool: call[0].clone(),
            arguments: call[1].clone(),
        })
    });
    calls.collect()
}

#[test]
#[ignore = "needs python3 and node"]
fn real_readers_see_the_calls_that_were_judged() {
    let lines =
        env::var("UNSTUCK_READERS_LINES").map_or(100_000, |lines| lines.parse().expect("a number"));
    let mut bytes = Vec::new();
    let mut calls = Vec::new();
    passed(&mut Random(0xd1ff), lines, |passed| {
        bytes.extend(passed.bytes);
        calls.extend(passed.calls);
    });
    let input = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers.jsonl");
    fs::write(&input, &bytes).expect("a file");
    for (program, script) in [
        ("python3", "readers_first.py"),
        ("python3", "readers_last.py"),
    ] {
        let seen = seen(program, script, &input);
        assert_eq!(seen.len(), calls.len(), "{script}");
        for (seen, judged) in seen.iter().zip(&calls) {
            assert_eq!(seen, judged, "{script}");
        }
    }
    // It ends lines within strings as well: it may lose a call, and must not see another.
    let seen = seen("node", "readers.mjs", &input);
    let mut judged = calls.iter();
    for seen in &seen {
        assert!(judged.any(|judged| judged == seen), "node sees {seen:?}");
    }
    println!(
        "{} lines, {} calls, {} seen by node",
        lines,
        calls.len(),
        seen.len()
    );
}
