//! The layout of stored state changes together with its version.
//!
//! `layouts.snap` has the layout of every record of a snapshot with its version. Where a layout changes and its version
//! does not, a snapshot of the earlier version would be misread.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{SCHEMA, shape::Shape};
use crate::{
    Engine, Event, EventKind, Preset, RuleName, Settings,
    rules::{RuleState, VisitStates},
};

/// The layouts of all records, by their names and versions.
#[derive(Default)]
struct Layouts(BTreeMap<(String, u32), Shape>);

impl Layouts {
    fn add<T: Serialize>(&mut self, name: &str, version: u32, value: &T) {
        let key = (name.to_owned(), version);
        let known = self.0.remove(&key).unwrap_or(Shape::Unseen);
        self.0.insert(key, known.merge(Shape::of(value)));
    }

    /// Adds what an engine has in memory.
    fn add_engine(&mut self, engine: &Engine) {
        let rules = &engine.compiled.settings.rules;
        for (session, agent) in engine.agents() {
            let known = engine.agents.get(session, agent).unwrap();
            self.add("the shared state", SCHEMA.into(), &known.state);
            self.add("the rest of a session", SCHEMA.into(), &known.rest);
            known.rules.visit(rules, self);
        }
    }

    /// Adds the private facts of rules about a call.
    fn add_call_facts(&mut self, engine: &Engine, event: &Event) {
        if let EventKind::Call(call) = &event.kind {
            let view = engine.compiled.extractor.view(call);
            engine.compiled.settings.rules.extract(&view).visit(self);
        }
    }

    /// Observes a stream and adds the state after the lines that `looks_at` chooses, and after the last one.
    fn add_stream(
        &mut self,
        settings: Settings,
        stream: &[String],
        looks_at: impl Fn(usize) -> bool,
    ) {
        let mut engine = Engine::new(settings);
        for (line, event) in stream.iter().enumerate() {
            let event = Event::parse(event.as_bytes()).unwrap();
            self.add_call_facts(&engine, &event);
            engine.observe(event);
            if looks_at(line) {
                self.add_engine(&engine);
            }
        }
        self.add_engine(&engine);
    }

    /// The text of each record by its name, with its version.
    fn records(&self) -> BTreeMap<String, (u32, String)> {
        let records = self.0.iter();
        records
            .map(|((name, version), shape)| (name.clone(), (*version, shape.to_string())))
            .collect()
    }
}

impl VisitStates for Layouts {
    fn visit<S: RuleState>(&mut self, rule: RuleName, state: &S) {
        let name = format!("rule {}, {rule}", rule as u8);
        self.add(&name, S::VERSION.into(), state);
    }

    fn visit_call_fact<F: Serialize>(&mut self, rule: RuleName, version: u8, fact: &F) {
        let name = format!("rule {}, {rule}, fact about a call", rule as u8);
        self.add(&name, version.into(), fact);
    }
}

#[expect(clippy::disallowed_methods, reason = "a test reads its streams")]
fn read(path: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    std::fs::read_to_string(format!("{folder}{path}")).unwrap()
}

/// Texts in prose, code and thought, each said in several turns.
fn speech() -> Vec<String> {
    let sentence =
        "I will now look at the file once more to be sure that nothing is missing from it. ";
    let plan = (0..20).fold(String::new(), |plan, part| {
        format!("{plan}Part {part} of the plan is about module {part} and its owner.\n\n")
    });
    let code = format!("{plan}Here is the change:\n```rust\nfn main() {{}}\n{plan}");
    let data = format!("{plan}\n{{\"a\":1}}\n[1, 2]\n    indented\n{plan}");
    let mut events = Vec::new();
    for (role, turns) in [
        ("assistant", 2),
        ("assistant", 3),
        ("assistant", 5),
        ("thinking", 5),
    ] {
        for text in [sentence, &sentence.repeat(40), &plan, &code, &data] {
            for _ in 0..turns {
                let halves = text.split_at(text.len() / 2);
                for text in [halves.0, halves.1] {
                    let event = serde_json::json!({"event": "text", "role": role, "text": text});
                    events.push(event.to_string());
                }
                events.push(r#"{"event":"turn"}"#.to_owned());
            }
            // A change after a turn keeps the state at its end.
            events.push(r#"{"event":"call","id":"1","tool":"t"}"#.to_owned());
            events.push(r#"{"event":"reset"}"#.to_owned());
        }
    }
    events
}

/// The layouts of states that are filled by all kinds of streams.
fn present() -> Layouts {
    let mut layouts = Layouts::default();
    let mut streams: Vec<Vec<String>> = Vec::new();
    let golden =
        ["before", "after"].map(|name| read(&format!("tests/data/snapshots/{name}.jsonl")));
    streams.push(golden.concat().lines().map(str::to_owned).collect());
    streams.push(speech());
    let closely = streams.len();
    for name in ["reported-cases", "ironcurtain", "attractor", "attocode"] {
        for case in read(&format!("../../conformance/{name}.jsonl")).lines() {
            let case: serde_json::Value = serde_json::from_str(case).unwrap();
            let events = case["events"].as_array().unwrap();
            streams.push(events.iter().map(ToString::to_string).collect());
        }
    }
    for (at, stream) in streams.iter().enumerate() {
        for preset in Preset::ALL {
            layouts.add_stream(Settings::of(preset), stream, |line| {
                at < closely || (line + at) % 13 == 0
            });
        }
    }
    for example in RuleName::examples() {
        let mut settings = Settings::default();
        (example.options)(&mut settings.rules);
        layouts.add_stream(settings, &example.events, |_| true);
    }
    layouts
}

/// Reads a table of layouts.
fn parse(table: &str) -> BTreeMap<String, (u32, String)> {
    let records = table.split("\n\n").filter(|record| !record.is_empty());
    records
        .map(|record| {
            let (head, layout) = record.trim_end().split_once('\n').unwrap();
            let (name, version) = head.rsplit_once(", version ").unwrap();
            (
                name.to_owned(),
                (version.parse().unwrap(), layout.to_owned()),
            )
        })
        .collect()
}

fn print(records: &BTreeMap<String, (u32, String)>) -> String {
    let lines = records
        .iter()
        .map(|(name, (version, layout))| format!("{name}, version {version}\n{layout}\n"));
    lines.collect::<Vec<_>>().join("\n")
}

/// What is wrong with the present layouts, given those of the table.
fn faults(
    table: &BTreeMap<String, (u32, String)>,
    present: &BTreeMap<String, (u32, String)>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, (version, layout)) in present {
        match table.get(name) {
            Some((known, read)) if known == version && read != layout => {
                let changed: Vec<&str> = layout
                    .lines()
                    .filter(|line| !read.lines().any(|known| known == *line))
                    .chain(
                        read.lines()
                            .filter(|line| !layout.lines().any(|new| new == *line)),
                    )
                    .collect();
                faults.push(format!(
                    "the layout of {name} has changed and its version {version} has not: {changed:?}"
                ));
            }
            _ => {}
        }
    }
    faults
}

const ADVICE: &str = "\nSnapshots of the earlier layout would be misread. Raise the version: `SCHEMA` in engine/snapshot.rs for the \
shared state and the rest of a session, the rule's own (`RuleState::VERSION`, `restarts!`, `CALL_FACT_VERSION`) for a rule. Then \
`UNSTUCK_BLESS=1 cargo test -p unstuck snapshot` writes layouts.snap and the golden snapshot anew. If no release has the \
present version, delete the record from layouts.snap instead of raising it.";

#[test]
#[expect(clippy::disallowed_methods, reason = "writes the table when asked to")]
fn a_layout_changes_with_its_version() {
    let table = parse(include_str!("layouts.snap"));
    let present = present().records();
    let faults = faults(&table, &present);
    assert!(faults.is_empty(), "{}{ADVICE}", faults.join("\n"));
    if std::env::var_os("UNSTUCK_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/layouts.snap");
        std::fs::write(path, print(&present)).unwrap();
        return;
    }
    assert_eq!(
        print(&table),
        print(&present),
        "layouts.snap is out of date: `UNSTUCK_BLESS=1 cargo test -p unstuck snapshot` writes it"
    );
}

/// What no stream shows cannot be compared.
#[test]
fn every_stored_field_is_seen() {
    let mut unseen = Vec::new();
    for ((name, _), shape) in &present().0 {
        shape.unseen(name, &mut unseen);
    }
    let never_filled = [
        // What was counted and said stays when a turn is taken back.
        "rule 15, call-burst.windows.entries.journal",
        "rule 15, call-burst.windows.entries.journaled",
        "the rest of a session.warned.patterns.entries.journal",
        "the rest of a session.warned.patterns.entries.journaled",
        // Only nudges have a level.
        "the rest of a session.halted.reason.level",
    ];
    assert_eq!(
        unseen, never_filled,
        "no stream of `present` in engine/layout_tests.rs fills these fields; add one that does, for a rule in its `examples`"
    );
}

mod made_up {
    use serde::Serialize;

    #[derive(Serialize)]
    pub(super) struct Before {
        pub(super) count: u32,
        pub(super) last: Vec<Item>,
    }

    #[derive(Serialize)]
    pub(super) struct Item {
        pub(super) kind: Kind,
    }

    #[derive(Serialize)]
    pub(super) enum Kind {
        Plain,
        Named(Box<str>),
    }

    pub(super) mod after {
        use serde::Serialize;

        #[derive(Serialize)]
        pub(in super::super) struct Before {
            pub(in super::super) count: u32,
            pub(in super::super) last: Vec<Item>,
        }

        #[derive(Serialize)]
        pub(in super::super) struct Item {
            pub(in super::super) kind: super::Kind,
            pub(in super::super) line: u32,
        }
    }
}

#[test]
fn an_added_field_is_noticed() {
    use made_up::{Before, Item, Kind, after};

    let record = |version: u32, values: &[Shape]| {
        let shape = values.iter().cloned().fold(Shape::Unseen, Shape::merge);
        BTreeMap::from([("rule 1".to_owned(), (version, shape.to_string()))])
    };
    let kinds = || [Kind::Plain, Kind::Named("a".into())];
    let before: Vec<Shape> = kinds()
        .map(|kind| Before {
            count: 1,
            last: vec![Item { kind }],
        })
        .iter()
        .map(Shape::of)
        .collect();
    let after: Vec<Shape> = kinds()
        .map(|kind| after::Before {
            count: 1,
            last: vec![after::Item { kind, line: 7 }],
        })
        .iter()
        .map(Shape::of)
        .collect();
    let table = record(1, &before);
    assert_eq!(
        table["rule 1"].1,
        "Before\n  count: u32\n  last: list of Item\n    kind: Kind, one of\n      0 Plain\n      1 Named (&str)"
    );
    assert_eq!(parse(&print(&table)), table);
    // Deep inside, too, and only where the version stays.
    assert_eq!(
        faults(&table, &record(1, &after)),
        [r#"the layout of rule 1 has changed and its version 1 has not: ["    line: u32"]"#]
    );
    assert!(faults(&table, &record(2, &after)).is_empty());
    assert!(faults(&table, &record(1, &before)).is_empty());
}
