//! Rules are reached through the command, by every kind of event: small streams, and the rule that decides on each.
//!
//! That every rule decides somewhere is tested in the engine, with the examples that the rules have there.

use std::{collections::BTreeSet, fmt::Write as _};

use serde_json::{Value, json};

use crate::run::Place;

/// Events, a line each.
#[derive(Default)]
struct Stream {
    lines: String,
    calls: u32,
}

impl Stream {
    fn event(&mut self, event: &Value) -> &mut Self {
        writeln!(self.lines, "{event}").expect("a string takes everything");
        self
    }

    fn call(&mut self, tool: &str, args: &Value) -> &mut Self {
        self.calls += 1;
        let at = u64::from(self.calls) * 1_000;
        self.event(
            &json!({"event": "call", "id": self.calls, "tool": tool, "args": args, "at": at}),
        )
    }

    /// A call, its result and the end of its turn.
    fn step(&mut self, tool: &str, args: &Value, status: &str, output: &str) -> &mut Self {
        self.call(tool, args);
        let id = self.calls;
        self.event(&json!({"event": "result", "id": id, "status": status, "output": output}))
            .event(&json!({"event": "turn"}))
    }
}

fn stream(fill: impl FnOnce(&mut Stream)) -> String {
    let mut stream = Stream::default();
    fill(&mut stream);
    stream.lines
}

/// Words that no two numbers share, since numbers alone mean little.
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

/// Rules, each with a stream it decides on, and what has to be configured for that.
fn cases() -> Vec<(&'static str, String, &'static str)> {
    let read = |stream: &mut Stream, name: &str| {
        stream.step(
            "read_file",
            &json!({"path": name}),
            "ok",
            &format!("all there is in {name}"),
        );
    };
    let shell = |stream: &mut Stream, command: &str, status: &str, output: &str| {
        stream.step("bash", &json!({"command": command}), status, output);
    };
    vec![
        (
            "exact-repeat",
            stream(|stream| (0..3).for_each(|_| read(stream, "a.py"))),
            "",
        ),
        (
            "near-repeat",
            stream(|stream| {
                for query in [
                    "fix login bug",
                    "login bug fix",
                    "bug fix login",
                    "fix bug login",
                ] {
                    let args = json!({"query": query});
                    stream.step("search_docs", &args, "ok", "nothing matches these words");
                }
            }),
            "",
        ),
        (
            "cycle",
            stream(|stream| {
                for _ in 0..3 {
                    for name in ["a.py", "b.py", "c.py"] {
                        read(stream, name);
                    }
                }
            }),
            "",
        ),
        (
            "stagnation",
            stream(|stream| {
                for step in [0, 1, 0, 1, 0] {
                    let (code, output) = (format!("probe({step})"), format!("{step} of them"));
                    stream.event(&json!({"event": "step", "code": code, "output": output}));
                }
            }),
            "",
        ),
        (
            "stuck-outcome",
            stream(|stream| {
                for number in 0..6 {
                    let code = format!("try_{}()", word(number));
                    stream.event(&json!({"event": "step", "code": code, "output": "no such door"}));
                }
            }),
            "",
        ),
        (
            "failure-cascade",
            stream(|stream| {
                for number in 0..3 {
                    let path = json!({"path": format!("{}.bin", word(number))});
                    stream.step("read_file", &path, "error", "file exceeds the limit");
                }
            }),
            "",
        ),
        (
            "test-fix-cycle",
            stream(|stream| {
                for number in 0..3 {
                    let edit =
                        json!({"path": "a.py", "old": word(number), "new": word(number + 9)});
                    stream.step("edit_file", &edit, "ok", "done");
                    shell(
                        stream,
                        "pytest -q",
                        "error",
                        "FAILED t.py::login - assert 1 == 2",
                    );
                }
            }),
            "",
        ),
        (
            "unknown-tool",
            stream(|stream| {
                for number in 0..3 {
                    let tool = format!("open_{}", word(number));
                    let answer = format!("Error: unknown tool '{tool}'");
                    stream.step(&tool, &json!({"path": word(number)}), "error", &answer);
                }
            }),
            "",
        ),
        (
            "invalid-call",
            stream(|stream| {
                for number in 0..4 {
                    let args = json!({"file": format!("{}.py", word(number))});
                    let answer = "InputValidationError: missing required parameter 'path'";
                    stream.step("view_file", &args, "error", answer);
                }
            }),
            "",
        ),
        (
            "no-op",
            stream(|stream| {
                for number in 0..3 {
                    let text = word(number);
                    let args = json!({"path": "a.py", "old_str": text, "new_str": text});
                    stream.step("edit_file", &args, "ok", "done");
                    read(stream, &format!("{text}.py"));
                }
            }),
            "",
        ),
        (
            "edit-revert",
            stream(|stream| {
                for number in 0..4 {
                    let mut edit = |old: &str, new: &str| {
                        let args = json!({"path": "a.py", "old_str": old, "new_str": new});
                        stream.step("edit_file", &args, "ok", "done");
                    };
                    edit("left", "right");
                    edit("right", "left");
                    read(stream, &format!("{}.py", word(number)));
                }
            }),
            "",
        ),
        (
            "poll",
            stream(|stream| {
                for _ in 0..10 {
                    let args = json!({"id": "build-7"});
                    stream.step("get_build_status", &args, "ok", "status: running");
                }
            }),
            "",
        ),
        (
            "chant",
            stream(|stream| {
                let text = "I will now check the file again to be sure. ".repeat(40);
                stream.event(&json!({"event": "text", "text": text}));
                stream.event(&json!({"event": "turn"}));
            }),
            "",
        ),
        (
            "summary-loop",
            stream(|stream| {
                read(stream, "a.py");
                for text in [
                    "Next I am going to look at it.",
                    "Then the rest should follow.",
                    "After that it can be put together.",
                ] {
                    stream.event(&json!({"event": "text", "text": text}));
                    stream.event(&json!({"event": "turn"}));
                }
            }),
            "",
        ),
        (
            "reworded-query",
            stream(|stream| {
                for (at, query) in [
                    "compile error linker symbol missing openssl",
                    "openssl linker symbol missing compile error",
                    "missing openssl symbol linker compile error fix",
                    "compile error missing symbol openssl linker fix",
                    "fix linker compile error openssl symbol missing",
                    "linker error compile missing openssl symbol",
                    "openssl compile linker error symbol missing fix",
                ]
                .into_iter()
                .enumerate()
                {
                    let found = format!("a page about {} and {}", word(at), word(at + 20));
                    stream.step("web_search", &json!({"query": query}), "ok", &found);
                }
            }),
            "",
        ),
        (
            "same-target",
            stream(|stream| {
                for at in 0..8 {
                    let args = json!({"field": "discount", "value": word(at)});
                    stream.step("set_field", &args, "ok", "done");
                }
            }),
            "",
        ),
        (
            "call-burst",
            stream(|stream| {
                for _ in 0..21 {
                    stream.call("ping", &json!({}));
                }
            }),
            "preset = \"ironcurtain\"\n",
        ),
        (
            "aimless",
            stream(|stream| {
                (0..30).for_each(|number| read(stream, &format!("{}.py", word(number))));
            }),
            "",
        ),
        (
            "swarm-loop",
            stream(|stream| {
                for number in 0..12 {
                    let agent = format!("w{}", number % 6);
                    let id = format!("c{number}");
                    stream
                        .event(&json!({"event": "call", "agent": agent, "id": id, "tool": "lookup", "args": {"key": "door"}}))
                        .event(&json!({"event": "result", "agent": agent, "id": id, "status": "error", "output": "there is no door"}))
                        .event(&json!({"event": "turn", "agent": agent}));
                }
            }),
            "",
        ),
        (
            "relay",
            stream(|stream| {
                for number in 0..8 {
                    let agent = ["planner", "writer"][number % 2];
                    let text = "Please review the plan for the data migration once more and tell me what is missing.";
                    stream
                        .event(&json!({"event": "text", "agent": agent, "text": text}))
                        .event(&json!({"event": "turn", "agent": agent}));
                }
            }),
            "",
        ),
        (
            "budget",
            stream(|stream| {
                read(stream, "a.py");
                read(stream, "b.py");
            }),
            "[rules.budget]\nsteps = 1\n",
        ),
    ]
}

#[test]
fn every_stream_is_decided_by_its_rule() {
    let place = Place::new("rules-decide");
    let mut missed = Vec::new();
    for (rule, events, config) in cases() {
        place.write("settings.toml", config);
        let args = ["check", "--config", "settings.toml"];
        let ran = place.run_with(&args, events.as_bytes());
        let decided: BTreeSet<_> = ran
            .answers()
            .iter()
            .filter(|answer| answer["verdict"] != "allow")
            .filter_map(|answer| answer["rule"].as_str().map(str::to_owned))
            .collect();
        if ran.code != Some(0) || !decided.contains(rule) {
            missed.push((rule, decided, ran.err));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
