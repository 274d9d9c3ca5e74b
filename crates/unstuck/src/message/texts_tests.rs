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
use crate::{
    Engine, Event, Preset, RuleName, Settings, Verdict,
    options::nonzero,
    settings::{Bounded, CountFailures, CountTests, DenyRung, Rung, SwarmCount},
};

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
    let mut all = repeats();
    all.extend(failures());
    all.extend(work());
    all.extend(words_and_swarms());
    all
}

fn repeats() -> Vec<(&'static str, Settings, Fill)> {
    vec![
        ("the same read, over and over", standard(), |stream| {
            (0..12).for_each(|_| stream.read("src/auth.py"));
        }),
        ("the same call without output", standard(), |stream| {
            for _ in 0..7 {
                stream.step("click", &json!({"element": "b12"}), "ok", &Value::Null);
            }
        }),
        (
            "the same call, one result of which never arrives",
            standard(),
            |stream| {
                for number in 0..4 {
                    stream.call("get_weather", &json!({"query": "Oslo tomorrow"}));
                    if number != 2 {
                        stream.result("ok", &"rain in Oslo, all day long".into());
                    }
                    stream.turn();
                }
            },
        ),
        (
            "the same call, one result missing, up to a denial",
            standard(),
            |stream| {
                for number in 0..7 {
                    let args = json!({"query": "Oslo tomorrow"});
                    if stream.call("get_weather", &args) < Verdict::Deny && number != 1 {
                        stream.result("ok", &"rain in Oslo, all day long".into());
                    }
                    stream.turn();
                }
            },
        ),
        (
            "the same call without output, one result missing",
            standard(),
            |stream| {
                for number in 0..6 {
                    if stream.call("click", &json!({"element": "b12"})) < Verdict::Deny
                        && number != 2
                    {
                        stream.result("ok", &Value::Null);
                    }
                    stream.turn();
                }
            },
        ),
        (
            "the same call, whose output is a message of this program",
            standard(),
            |stream| {
                for _ in 0..6 {
                    stream.ok(
                        "get_x",
                        &json!({"query": "a"}),
                        "[unstuck] some note of ours",
                    );
                }
            },
        ),
        (
            "a denial that no warning came before",
            with(|settings| {
                let rule = &mut settings.rules.exact_repeat;
                (rule.nudge, rule.warning, rule.critical) = Default::default();
                rule.deny = DenyRung::at(4);
                let rule = &mut settings.rules.near_repeat;
                (rule.nudge, rule.warning, rule.critical) = Default::default();
                rule.deny = DenyRung::at(6);
            }),
            |stream| {
                (0..5).for_each(|_| stream.read("src/auth.py"));
                for number in 0..6 {
                    let args = json!({"path": "src/cart.py", "timeout": number});
                    stream.ok("read_file", &args, "all there is in the cart");
                }
            },
        ),
        (
            "equal calls in the last turns, counted without results",
            Settings::of(Preset::ToolLoopDetector),
            |stream| (0..4).for_each(|_| stream.read("src/auth.py")),
        ),
        (
            "the same insertion, which moves the lines every time",
            standard(),
            |stream| {
                for number in 0..9 {
                    let args = json!({"command": "insert", "path": "a.py", "insert_line": 3, "new_str": "foo"});
                    let (from, to) = (number + 3, number + 9);
                    let answer = format!("The file a.py has been edited. Lines {from}-{to}: foo");
                    stream.ok("str_replace_editor", &args, &answer);
                }
            },
        ),
        ("the same read with other details", standard(), |stream| {
            for number in 0..11 {
                let args = json!({"path": "src/auth.py", "timeout": number});
                stream.ok("read_file", &args, "def login(): pass");
            }
        }),
        ("other details, no output", standard(), |stream| {
            for number in 0..7 {
                let args = json!({"path": "src/auth.py", "timeout": number});
                stream.step("read_file", &args, "ok", &Value::Null);
            }
        }),
        ("other details, one result missing", standard(), |stream| {
            for number in 0..7 {
                let args = json!({"path": "src/auth.py", "timeout": number});
                if stream.call("read_file", &args) < Verdict::Deny && number != 2 {
                    stream.result("ok", &"def login(): pass".into());
                }
                stream.turn();
            }
        }),
        (
            "other details, no output, one result missing",
            standard(),
            |stream| {
                for number in 0..7 {
                    let args = json!({"path": "src/auth.py", "timeout": number});
                    if stream.call("read_file", &args) < Verdict::Deny && number != 2 {
                        stream.result("ok", &Value::Null);
                    }
                    stream.turn();
                }
            },
        ),
        (
            "other details, the output is a message of this program",
            standard(),
            |stream| {
                for number in 0..4 {
                    let args = json!({"path": "src/auth.py", "timeout": number});
                    stream.ok("read_file", &args, "[unstuck] some note of ours");
                }
            },
        ),
        ("three reads in turn", standard(), |stream| {
            for _ in 0..8 {
                for name in ["a.py", "b.py", "c.py"] {
                    stream.read(name);
                }
            }
        }),
        ("two calls in turn, no output", standard(), |stream| {
            for _ in 0..4 {
                for element in ["b12", "b13"] {
                    stream.step("click", &json!({"element": element}), "ok", &Value::Null);
                }
            }
        }),
        (
            "a job that does not move, asked after every second",
            standard(),
            |stream| {
                for _ in 0..21 {
                    let args = json!({"action": "poll", "id": "build-7"});
                    stream.ok("process", &args, "status: running");
                }
            },
        ),
        ("tests that fail on in the same way", standard(), |stream| {
            for number in 0..18 {
                let args = json!({"path": "a.py", "old_str": word(number), "new_str": "x"});
                stream.ok("str_replace", &args, "edited");
                stream.fails(
                    "bash",
                    &json!({"command": "pytest"}),
                    "FAILED t.py::test_a - AssertionError\n1 failed",
                );
            }
        }),
        ("sleeps of different lengths", standard(), |stream| {
            for number in 0..22 {
                let command = format!("sleep {}", 20 + number);
                stream.ok("bash", &json!({"command": command}), "");
            }
        }),
        (
            "21 calls within a minute, then more",
            standard(),
            |stream| {
                for _ in 0..22 {
                    stream.call("get_job", &json!({"id": "build-7"}));
                }
                stream.at += 55_000;
                stream.call("get_job", &json!({"id": "build-7"}));
                stream.call("get_job", &json!({"id": "build-7"}));
            },
        ),
    ]
}

fn failures() -> Vec<(&'static str, Settings, Fill)> {
    vec![
        ("one error for many files", standard(), |stream| {
            for number in 0..12 {
                let args = json!({"path": format!("{}.bin", word(number))});
                stream.fails("read_file", &args, "file exceeds the limit of 1 MB");
            }
        }),
        (
            "one tool fails on, and another one works in between",
            with(|settings| settings.rules.stuck_outcome.enabled = false),
            |stream| {
                for number in 0..9 {
                    let args = json!({"path": "a.py", "old_str": word(number), "new_str": "x"});
                    stream.fails(
                        "str_replace",
                        &args,
                        "old_str did not appear verbatim in a.py",
                    );
                    stream.read(&format!("{}.py", word(number)));
                }
            },
        ),
        (
            "two errors in turn for many files",
            with(|settings| settings.rules.stuck_outcome.enabled = false),
            |stream| {
                for number in 0..8 {
                    let args = json!({"path": format!("{}.bin", word(number))});
                    let error = ["file exceeds the limit", "the disk does not answer"];
                    stream.fails("read_file", &args, error[number % 2]);
                }
            },
        ),
        (
            "most calls fail, each in its own way",
            standard(),
            |stream| {
                for number in 0..28 {
                    if number % 4 == 3 {
                        stream.read(&format!("{}.py", word(number)));
                    } else {
                        let args = json!({"command": format!("run-{}", word(number))});
                        let error = format!("{} is missing from the picture", word(number));
                        stream.fails("bash", &args, &error);
                    }
                }
            },
        ),
        (
            "fifteen calls without anything new",
            with(|settings| {
                settings.rules.exact_repeat.enabled = false;
                settings.rules.near_repeat.enabled = false;
                settings.rules.cycle.enabled = false;
                settings.rules.stagnation.enabled = false;
            }),
            |stream| {
                for number in 0..21 {
                    stream.read(&format!("{}.py", word(number % 3)));
                }
            },
        ),
        (
            "shell commands that fail, whatever the errors",
            with(|settings| settings.rules.failure_cascade.count = CountFailures::Shell),
            |stream| {
                for number in 0..3 {
                    let args = json!({"command": format!("run-{}", word(number))});
                    stream.fails("bash", &args, &format!("no {} here", word(number)));
                }
            },
        ),
        (
            "an edit that never applies, in many variations",
            standard(),
            |stream| {
                for number in 0..8 {
                    let old = word(number);
                    let args = json!({"command": "str_replace", "path": "src/shop/cart.py", "old_str": old, "new_str": "x"});
                    let error = format!("no match found for '{old}' in src/shop/cart.py");
                    stream.fails("str_replace_editor", &args, &error);
                }
            },
        ),
        (
            "different searches with results that were known",
            standard(),
            |stream| {
                for number in 0..7 {
                    let args = json!({"query": word(number)});
                    let page = "The shop opens at nine o'clock and closes at five.";
                    stream.ok("web_search", &args, page);
                }
            },
        ),
        (
            "different simulations with results that were known, until calls are denied",
            standard(),
            |stream| {
                for number in 0..40 {
                    let args = json!({"case": word(number)});
                    let end = "The simulation ended with nine orders that were late.";
                    stream.ok("simulate", &args, end);
                }
            },
        ),
        (
            "tests that fail in the same way after every edit",
            standard(),
            |stream| {
                for number in 0..5 {
                    let args =
                        json!({"path": "a.py", "old": word(number), "new": word(number + 9)});
                    stream.ok("edit_file", &args, "done");
                    let args = json!({"command": "pytest -q tests/test_login.py"});
                    stream.fails("bash", &args, "FAILED t.py::login - assert 1 == 2");
                }
            },
        ),
        (
            "tests that fail in the same way and print something else",
            standard(),
            |stream| {
                for number in 0..4 {
                    let args =
                        json!({"path": "a.py", "old": word(number), "new": word(number + 9)});
                    stream.ok("edit_file", &args, "done");
                    let args = json!({"command": "pytest -q tests/test_login.py"});
                    let failure =
                        format!("log {}\nFAILED t.py::login - assert 1 == 2", word(number));
                    stream.fails("bash", &args, &failure);
                }
            },
        ),
        ("one sentence in other words", standard(), |stream| {
            for sentence in [
                "I have to fix the failing login test before anything else.",
                "The login test that fails must be fixed now.",
                "So the first thing is a fix for the login test, which is failing.",
                "Fixing the test of the login that fails comes first.",
                "Let me get the failing test for login fixed.",
                "Clearly the login has a failing test and I will fix it.",
                "Right, a fix is needed since the login test keeps failing.",
                "What remains is that failing login test, which needs fixing.",
                "The test is failing for login, so fixing that test it is.",
                "I am going to fix that failing test of the login.",
                "The fix for the login and its failing test is what I do next.",
            ] {
                let text = format!("{sentence} ");
                stream.send(&json!({"event": "text", "text": text, "at": stream.at}));
            }
        }),
        (
            "tests that fail, however they do",
            with(|settings| settings.rules.test_fix_cycle.count = CountTests::AnyFailure),
            |stream| {
                for number in 0..3 {
                    let args =
                        json!({"path": "a.py", "old": word(number), "new": word(number + 9)});
                    stream.ok("edit_file", &args, "done");
                    let args = json!({"command": "pytest -q tests/test_login.py"});
                    let failure = format!("FAILED t.py::{} - assert 1 == 2", word(number));
                    stream.fails("bash", &args, &failure);
                }
            },
        ),
        ("a tool that does not exist", standard(), |stream| {
            for number in 0..6 {
                let args = json!({"query": word(number)});
                stream.fails("hex", &args, "Error: unknown tool 'hex'");
            }
        }),
        ("a call that lacks a parameter", standard(), |stream| {
            for number in 0..9 {
                let args = json!({"path": "a.py", "new_str": word(number)});
                let error = "InputValidationError: missing required parameter 'old_str'";
                stream.fails("edit_file", &args, error);
            }
        }),
    ]
}

fn work() -> Vec<(&'static str, Settings, Fill)> {
    vec![
        (
            "calls that come back to what is known",
            standard(),
            |stream| {
                for number in [0, 1, 2, 3, 0, 2, 4, 1, 3, 0, 2] {
                    stream.read(&format!("{}.py", word(number)));
                }
            },
        ),
        ("steps that repeat earlier steps", standard(), |stream| {
            for number in [0, 1, 0, 1, 0, 1, 0] {
                stream.send(&json!({"event": "step", "code": format!("probe({number})"), "output": format!("{number} of them")}));
            }
        }),
        (
            "new steps that end where others did",
            standard(),
            |stream| {
                for number in 0..9 {
                    stream.send(&json!({"event": "step", "code": format!("try_{}()", word(number)), "output": "no such door"}));
                }
            },
        ),
        ("edits that change nothing", standard(), |stream| {
            for number in 0..6 {
                let text = word(number);
                let args = json!({"path": "a.py", "old_str": text, "new_str": text});
                stream.ok("edit_file", &args, "The file a.py has been edited.");
                stream.read(&format!("{text}.py"));
            }
        }),
        ("an edit that is made and undone", standard(), |stream| {
            for number in 0..5 {
                for (old, new) in [("left", "right"), ("right", "left")] {
                    let args = json!({"path": "src/shop/cart.py", "old_str": old, "new_str": new});
                    stream.ok("edit_file", &args, "done");
                }
                stream.read(&format!("{}.py", word(number)));
            }
        }),
        ("reading and nothing else", standard(), |stream| {
            (0..32).for_each(|number| stream.read(&format!("{}.py", word(number))));
        }),
        (
            "a budget of three steps",
            with(|settings| {
                settings.rules.budget.enabled = true;
                settings.rules.budget.steps = Some(nonzero!(3));
                settings.rules.budget.nudge_percent = Some(Bounded::of::<50>());
            }),
            |stream| {
                for name in ["a.py", "b.py", "c.py", "d.py"] {
                    stream.read(name);
                }
            },
        ),
    ]
}

fn words_and_swarms() -> Vec<(&'static str, Settings, Fill)> {
    vec![
        ("a text that repeats itself", standard(), |stream| {
            for _ in 0..2 {
                let text = "I will now check the file again to be sure. ".repeat(40);
                stream.send(&json!({"event": "text", "text": text}));
                stream.turn();
            }
        }),
        ("turns of words", standard(), |stream| {
            stream.read("a.py");
            for text in [
                "Next I am going to look at it.",
                "Then the rest should follow.",
                "After that there is more to see.",
            ] {
                stream.send(&json!({"event": "text", "text": text}));
                stream.turn();
            }
        }),
        (
            "one call that fails for every worker",
            standard(),
            |stream| {
                for number in 0..12 {
                    let (agent, id) = (format!("w{}", number % 6), number.to_string());
                    stream.send(&json!({"event": "call", "agent": agent, "id": id, "tool": "lookup", "args": {"query": "door"}}));
                    stream.send(&json!({"event": "result", "agent": agent, "id": id, "status": "error", "output": "there is no door"}));
                    stream.send(&json!({"event": "turn", "agent": agent}));
                }
            },
        ),
        (
            "one call of every worker, whatever it returns",
            with(|settings| {
                settings.rules.swarm_loop.count = SwarmCount::EveryCall;
                settings.rules.swarm_loop.nudge = Rung::at(4);
            }),
            |stream| {
                for number in 0..4 {
                    let agent = format!("w{number}");
                    stream.send(&json!({"event": "call", "agent": agent, "id": "1", "tool": "lookup", "args": {"query": "door"}}));
                }
            },
        ),
        (
            "one request in many words",
            with(|settings| settings.rules.near_repeat.enabled = false),
            |stream| {
                for text in [
                    "Please find the opening hours of the Harbour Museum on its website.",
                    "Please look at the website of the Harbour Museum for the opening hours.",
                    "Please search the website of the Harbour Museum for the opening hours again.",
                    "Find the opening hours of the Harbour Museum on its website, please.",
                    "Please scroll on the website of the Harbour Museum to find the opening hours.",
                    "Please look for the opening hours of the Harbour Museum on its website once more.",
                ] {
                    let args = json!({"agent": "surfer", "message": text});
                    stream.step("delegate", &args, "ok", &Value::Null);
                }
            },
        ),
        (
            "a message that two agents pass on",
            with(|settings| {
                settings.rules.chant.enabled = false;
                settings.rules.summary_loop.enabled = false;
            }),
            |stream| {
                for number in 0..16 {
                    let agent = ["planner", "writer"][number % 2];
                    let text = "Please review the plan for the data migration once more and list what is missing.";
                    stream.send(&json!({"event": "text", "agent": agent, "text": text}));
                    stream.send(&json!({"event": "turn", "agent": agent}));
                }
            },
        ),
    ]
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
