//! What `unstuck check` takes for the same call and for the same answer.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::run::Place;

/// Calls with their answers, one a turn.
fn stream(steps: impl IntoIterator<Item = (Value, Value)>) -> String {
    let mut lines = String::new();
    for (id, (args, output)) in steps.into_iter().enumerate() {
        let call = json!({"event": "call", "id": id, "tool": "yield", "args": args});
        let result = json!({"event": "result", "id": id, "output": output});
        let _ = write!(lines, "{call}\n{result}\n{{\"event\":\"turn\"}}\n");
    }
    lines
}

/// The strictest verdict on each step, with the rule behind it.
fn judged(
    name: &str,
    preset: &str,
    steps: impl IntoIterator<Item = (Value, Value)>,
) -> Vec<String> {
    let ran = Place::new(name).run_with(&["check", "--preset", preset], stream(steps).as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let answers = ran.answers();
    let steps = answers.chunks(3).map(|step| {
        let spoken = step.iter().find(|answer| answer["verdict"] != "allow");
        spoken.map_or("allow".into(), |answer| {
            let text = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
            format!("{} {}", text("verdict"), text("rule"))
        })
    });
    steps.collect()
}

fn reports() -> impl Iterator<Item = (Value, Value)> {
    let ends = [
        "nothing is left to change",
        "all checks still hold as stated above",
        "no open items remain here",
        "the earlier result stands once more",
        "the state has not moved since",
        "every test keeps passing for us",
    ];
    ends.into_iter().map(|end| {
        let text = format!(
            "The section is complete and verified and needs no further edits from this side, {end}"
        );
        (json!({"result": {"status": text}}), json!("ok"))
    })
}

fn looks() -> impl Iterator<Item = (Value, Value)> {
    let ids = [
        "k3j9x2", "p0d8z1", "a7m4q9", "t5t5r0", "b2v8n4", "c6c1w7", "r9e2y5", "z1l7f3", "g4g8o6",
    ];
    ids.into_iter().map(|id| {
        let answer = json!({"reference": id, "state": "nothing to do", "jobs": ["build"]});
        (json!({"name": "nightly"}), answer)
    })
}

#[test]
fn a_rephrased_report_is_a_near_repeat() {
    let said = judged("likeness-reports", "standard", reports());
    let expected = [
        "allow",
        "allow",
        "allow",
        "nudge near-repeat",
        "allow",
        "deny near-repeat",
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_random_id_in_the_answer_hides_no_repeat() {
    let said = judged("likeness-ids", "standard", looks());
    let mut expected = ["allow"; 9];
    expected[5..8].fill("nudge exact-repeat");
    expected[8] = "deny exact-repeat";
    assert_eq!(said, expected);
}

#[test]
fn a_counter_in_the_answer_is_news() {
    let steps = (0..12).map(|n| {
        let answer =
            json!({"rows": 20_000_000 + n * 3_000_017, "state": "copying", "jobs": ["build"]});
        (json!({"name": "nightly"}), answer)
    });
    assert_eq!(judged("likeness-counter", "standard", steps), ["allow"; 12]);
}

#[test]
fn bulk_work_over_distinct_targets_is_left_alone() {
    let steps = (0..12).map(|n| {
        (
            json!({"id": n, "text": "Please close this one and then say so when it is done."}),
            json!("ok"),
        )
    });
    assert_eq!(judged("likeness-bulk", "standard", steps), ["allow"; 12]);
}

#[test]
fn the_founding_presets_take_neither_for_the_same() {
    assert_eq!(
        judged("likeness-founding-reports", "tool-loop-detector", reports()),
        ["allow"; 6]
    );
    assert_eq!(
        judged("likeness-founding-ids", "ironcurtain", looks()),
        ["allow"; 9]
    );
}
