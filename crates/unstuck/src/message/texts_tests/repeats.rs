//! Calls that repeat something.

use serde_json::{Value, json};

use super::{Fill, standard, with, word};
use crate::{Preset, Settings, Verdict, settings::DenyRung};

pub(super) fn repeats() -> Vec<(&'static str, Settings, Fill)> {
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
