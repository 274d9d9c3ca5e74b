//! Failures, work that does not move, texts and swarms.

use serde_json::{Value, json};

use super::{Fill, standard, with, word};
use crate::{
    Settings,
    options::nonzero,
    settings::{Bounded, CountFailures, CountTests, Rung, SwarmCount},
};

pub(super) fn failures() -> Vec<(&'static str, Settings, Fill)> {
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

pub(super) fn work() -> Vec<(&'static str, Settings, Fill)> {
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

pub(super) fn words_and_swarms() -> Vec<(&'static str, Settings, Fill)> {
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
