//! Every text of the standard preset, rendered from event streams through the engine.
//!
//! `UNSTUCK_BLESS=1 cargo test -p unstuck texts` writes `texts.snap` anew. Read it before you commit it: each number must
//! be a fact of the stream above it, and the levels must read in order.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Occasion, standard as standard_parts,
    tests::{all_deny, all_detections},
};
use crate::{Engine, Event, Preset, RuleName, Settings, Verdict};

#[path = "texts_tests/others.rs"]
mod others;
#[path = "texts_tests/repeats.rs"]
mod repeats;

/// A stream of events and the messages about it.
struct Stream {
    engine: Engine,
    calls: u32,
    at: i64,
    halted: bool,
    out: String,
}

impl Stream {
    fn with(settings: Settings) -> Self {
        Self {
            engine: Engine::new(settings),
            calls: 0,
            at: 0,
            halted: false,
            out: String::new(),
        }
    }

    /// Sends an event and writes down the message, up to the first halt.
    fn send(&mut self, event: &Value) -> Verdict {
        let event = Event::parse(event.to_string().as_bytes()).unwrap();
        let decision = self.engine.observe(event);
        if let Some(reason) = &decision.reason
            && !self.halted
        {
            let level = reason.level.map_or(0, u8::from);
            let level = ["", " 1", " 2", " 3"][usize::from(level)];
            writeln!(
                self.out,
                "{}{level}, {}, repeats {}, period {}, call {}, pattern {:?}\n{}\n",
                decision.verdict,
                reason.rule,
                reason.repeats,
                reason.period,
                self.calls,
                reason.pattern,
                reason.message
            )
            .unwrap();
            self.halted = decision.verdict == Verdict::Halt;
        }
        decision.verdict
    }

    fn call(&mut self, tool: &str, args: &Value) -> Verdict {
        self.calls += 1;
        self.at += 1_000;
        self.send(
            &json!({"event": "call", "id": self.calls, "tool": tool, "args": args, "at": self.at}),
        )
    }

    fn result(&mut self, status: &str, output: &Value) -> Verdict {
        self.send(
            &json!({"event": "result", "id": self.calls, "status": status, "output": output, "at": self.at}),
        )
    }

    fn turn(&mut self) {
        self.send(&json!({"event": "turn", "at": self.at}));
    }

    /// A call that runs unless it is denied, and its turn.
    fn step(&mut self, tool: &str, args: &Value, status: &str, output: &Value) {
        if self.call(tool, args) < Verdict::Deny {
            self.result(status, output);
        }
        self.turn();
    }

    fn ok(&mut self, tool: &str, args: &Value, output: &str) {
        self.step(tool, args, "ok", &output.into());
    }

    fn fails(&mut self, tool: &str, args: &Value, output: &str) {
        self.step(tool, args, "error", &output.into());
    }

    fn read(&mut self, path: &str) {
        let content = format!("all there is in {path}");
        self.ok("read_file", &json!({"path": path}), &content);
    }
}

fn word(number: usize) -> &'static str {
    const WORDS: [&str; 40] = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "joker",
        "karst", "lemon", "mango", "nylon", "ocean", "pearl", "quartz", "raven", "sable", "tulip",
        "umbra", "velvet", "willow", "xenon", "yarrow", "zephyr", "basalt", "copper", "dahlia",
        "easel", "falcon", "garnet", "hazel", "indigo", "jasper", "kelp", "lotus", "marble",
        "nectar", "onyx",
    ];
    WORDS[number % WORDS.len()]
}

fn standard() -> Settings {
    Settings::of(Preset::Standard)
}

fn with(change: impl FnOnce(&mut Settings)) -> Settings {
    let mut settings = standard();
    change(&mut settings);
    settings
}

type Fill = fn(&mut Stream);

/// What happens, under which settings.
fn streams() -> Vec<(&'static str, Settings, Fill)> {
    let mut all = repeats::repeats();
    all.extend(others::failures());
    all.extend(others::work());
    all.extend(others::words_and_swarms());
    all
}

/// The streams above and the examples of rules, each with its messages.
fn played() -> Vec<(&'static str, Stream)> {
    let mut all = Vec::new();
    for (name, settings, fill) in streams() {
        let mut stream = Stream::with(settings);
        fill(&mut stream);
        all.push((name, stream));
    }
    for example in RuleName::examples() {
        let mut stream = Stream::with(with(|settings| (example.options)(&mut settings.rules)));
        for event in &example.events {
            stream.send(&event.parse().unwrap());
        }
        all.push((example.name, stream));
    }
    all
}

fn rendered() -> String {
    let mut all = String::new();
    for (name, stream) in played() {
        assert!(!stream.out.is_empty(), "{name}: no message");
        writeln!(all, "# {name}\n\n{}", stream.out.trim_end()).unwrap();
        all.push('\n');
    }
    all
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "writes the snapshot when asked to"
)]
fn texts_are_as_they_were_read() {
    let found = rendered();
    if std::env::var_os("UNSTUCK_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/message/texts.snap");
        std::fs::write(path, &found).unwrap();
        return;
    }
    let read = include_str!("texts.snap");
    assert_eq!(found, read, "UNSTUCK_BLESS=1 writes it anew");
}

/// Whether a message was made from a template: all of its words are there, in order.
fn is_made_from(message: &str, template: &str) -> bool {
    let mut rest = message;
    template
        .split('{')
        .map(|piece| piece.split_once('}').map_or(piece, |(_, words)| words))
        .all(|words| match rest.find(words) {
            Some(at) => {
                rest = &rest[at + words.len()..];
                true
            }
            None => false,
        })
}

#[test]
fn every_rule_decides_in_a_stream() {
    let read = include_str!("texts.snap");
    for rule in RuleName::ALL {
        assert!(read.contains(&format!(", {rule}, repeats ")), "{rule}");
    }
}

#[test]
fn every_text_there_is_has_been_read() {
    let read = include_str!("texts.snap");
    let paragraphs: Vec<&str> = read.split("\n\n").collect();
    let settings = all_deny();
    let mut unread = Vec::new();
    for rule in RuleName::ALL {
        for found in all_detections(*rule) {
            let parts = standard_parts(&settings, &found, Occasion::Notice);
            for text in parts.into_iter().filter(|part| !part.is_empty()) {
                let is_read = paragraphs.iter().any(|each| is_made_from(each, text));
                if !is_read && !unread.contains(&(*rule, text)) {
                    unread.push((*rule, text));
                }
            }
        }
    }
    assert!(unread.is_empty(), "{unread:#?}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "reads the sources of rules")]
fn rules_list_all_their_texts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
    for rule in RuleName::ALL {
        let file = format!("{folder}/{}.rs", rule.as_str().replace('-', "_"));
        let source = std::fs::read_to_string(&file).unwrap();
        let mut texts: Vec<&str> = source
            .split(".worded(")
            .skip(1)
            .map(|rest| rest.split(')').next().unwrap())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(
            texts.len(),
            rule.other_texts().len(),
            "{file}: `OTHER_TEXTS` must list {texts:?}"
        );
    }
}

/// The messages about one pattern grow stricter.
#[test]
fn levels_read_in_order() {
    for (name, stream) in played() {
        let mut strictest: Vec<(String, u8)> = Vec::new();
        for line in stream
            .out
            .lines()
            .filter(|line| line.contains(", repeats "))
        {
            let (said, rest) = line.split_once(", ").unwrap();
            let rule = rest.split(',').next().unwrap().to_owned();
            let rank = ["nudge 1", "nudge 2", "nudge 3", "deny", "halt"]
                .iter()
                .position(|each| *each == said);
            let rank = rank.unwrap() as u8;
            match strictest.iter_mut().find(|(known, _)| *known == rule) {
                Some((_, before)) => {
                    assert!(rank >= *before, "{name}: {line}");
                    *before = rank;
                }
                None => strictest.push((rule, rank)),
            }
        }
    }
}
