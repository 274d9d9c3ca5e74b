//! Small recordings, and settings that do not change with the defaults.

use serde_json::{Value, json};
use unstuck::{RuleName, Settings};
use unstuck_config::{Layer, load};
use unstuck_eval::{Facts, Replay, Trajectory, replay};

/// `exact-repeat` at 3, 5 and 8, `summary-loop` at 2, everything else off.
pub(crate) fn config() -> String {
    let table = |rule: &RuleName| match rule {
        RuleName::ExactRepeat => "[rules.exact-repeat]\nnudge = 3\ndeny = 5\nhalt = 8\n".to_owned(),
        RuleName::SummaryLoop => "[rules.summary-loop]\nnudge = 2\n".to_owned(),
        rule => format!("[rules.{rule}]\nenabled = false\n"),
    };
    let tables: Vec<_> = RuleName::ALL.iter().map(table).collect();
    tables.concat()
}

pub(crate) fn layer() -> Layer {
    Layer::new("test", config())
}

pub(crate) fn settings() -> Settings {
    load(&[layer()], None).unwrap().settings
}

pub(crate) fn parse(line: &Value) -> Trajectory {
    Trajectory::parse(line.to_string().as_bytes()).unwrap()
}

pub(crate) fn run(set: &str, id: &str, label: &Value, steps: &[Value]) -> Value {
    json!({"id": id, "set": set, "source": set, "task": null, "label": label, "steps": steps})
}

/// A look at a file that says the same each time.
pub(crate) fn look() -> Value {
    json!({"role": "assistant", "tool": "read", "args": {"path": "a.py"}, "result": "x = 1"})
}

/// Another file, another text.
pub(crate) fn work(n: usize) -> Value {
    let path = format!("{n}.py");
    json!({"role": "assistant", "tool": "read", "args": {"path": path}, "result": format!("y = {n}")})
}

/// So many equal steps; the first alarm is at the third, the deny at the fifth, the halt at the eighth.
pub(crate) fn looks(times: usize) -> Vec<Value> {
    vec![look(); times]
}

pub(crate) fn works(times: usize) -> Vec<Value> {
    (0..times).map(work).collect()
}

/// With this many tokens in each step.
pub(crate) fn costing(steps: Vec<Value>, tokens: u64) -> Vec<Value> {
    let priced = |mut step: Value| {
        step["tok_in"] = json!(tokens - 1);
        step["tok_out"] = json!(1);
        step
    };
    steps.into_iter().map(priced).collect()
}

/// With a person's word on each step.
pub(crate) fn judged(steps: Vec<Value>, words: &[&str]) -> Vec<Value> {
    let judge = |(mut step, word): (Value, &&str)| {
        step["rel_to_prev"] = json!(word);
        step
    };
    steps.into_iter().zip(words).map(judge).collect()
}

/// One of each: a corpus in which every kind of label occurs.
pub(crate) fn corpus() -> Vec<Value> {
    let study = json!({"loop": true, "n_labels": 5, "repetition_steps": [1, 2]});
    let words = [
        "Follow-up",
        "Repetition",
        "Repetition",
        "Divergence",
        "Divergence",
    ];
    vec![
        run(
            "overthinking",
            "m/o__p-1",
            &json!({"resolved": true, "stuck_in_loop": false}),
            &costing(looks(4), 10),
        ),
        run(
            "overthinking",
            "m/o__p-2",
            &json!({"resolved": false, "stuck_in_loop": true}),
            &costing(looks(10), 10),
        ),
        run(
            "overthinking",
            "m/o__p-3",
            &json!({"resolved": false, "stuck_in_loop": false}),
            &costing(works(10), 10),
        ),
        run(
            "overthinking",
            "m/o__p-4",
            &json!({"resolved": null, "stuck_in_loop": true}),
            &costing(works(2), 10),
        ),
        run(
            "llm_agents_study",
            "study/1",
            &study,
            &judged(looks(5), &words),
        ),
        run("taubench", "air/1/0", &json!({"reward": 1.0}), &works(3)),
        run("taubench", "air/2/0", &json!({"reward": 0.0}), &looks(4)),
    ]
}

pub(crate) fn corpus_runs() -> Vec<Trajectory> {
    corpus().iter().map(parse).collect()
}

pub(crate) fn jsonl(lines: &[Value]) -> String {
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

pub(crate) fn replayed(runs: &[Trajectory]) -> (Replay, Facts) {
    let replay = replay(runs, &settings());
    let facts = Facts::of_runs(runs, &replay.runs);
    (replay, facts)
}
