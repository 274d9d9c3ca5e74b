//! The command line.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use lzma_rust2::{XzOptions, XzWriter};
use serde_json::Value;

use crate::support::{config, corpus, jsonl};

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A directory of one test; the name must be the test's own.
fn place(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("runs.jsonl"), jsonl(&corpus())).unwrap();
    fs::write(directory.join("unstuck.toml"), config()).unwrap();
    directory
}

fn eval(place: &Path, args: &[&str]) -> Ran {
    run(place, args, None)
}

fn run(place: &Path, args: &[&str], corpus: Option<&str>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unstuck-eval"));
    command
        .current_dir(place)
        .env_remove("UNSTUCK_CORPUS")
        .args(args);
    if let Some(corpus) = corpus {
        command.env("UNSTUCK_CORPUS", corpus);
    }
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn without_a_corpus_it_says_where_to_get_one_and_exits_2() {
    let place = place("without_a_corpus");
    for corpus in [None, Some("")] {
        let ran = run(&place, &[], corpus);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""));
        assert!(ran.err.starts_with("error: no corpus\n"), "{}", ran.err);
        let names = [
            "UNSTUCK_CORPUS",
            "https://github.com/sola-st/llm-agents-study at e84f66f",
            "rel_to_prev",
        ];
        for name in names {
            assert!(ran.err.contains(name), "{name} is missing");
        }
    }
}

#[test]
fn the_corpus_may_be_named_by_a_variable() {
    let place = place("by_a_variable");
    let ran = run(&place, &["--config", "unstuck.toml"], Some("runs.jsonl"));
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(ran.out.contains("overthinking"), "{}", ran.out);
    assert!(ran.out.contains("114 events in"), "{}", ran.out);
}

#[test]
fn compressed_files_are_read() {
    let place = place("compressed");
    let plain = fs::read(place.join("runs.jsonl")).unwrap();
    let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(1)).unwrap();
    writer.write_all(&plain).unwrap();
    let packed = writer.finish().unwrap();
    fs::write(place.join("runs.jsonl.xz"), &packed).unwrap();
    fs::write(place.join("cut.jsonl.xz"), &packed[..packed.len() / 2]).unwrap();
    let args = ["--config", "unstuck.toml", "--facts"];
    let from_plain = eval(&place, &[&args[..], &["a.json", "runs.jsonl"]].concat());
    let from_packed = eval(&place, &[&args[..], &["b.json", "runs.jsonl.xz"]].concat());
    assert_eq!((from_plain.code, from_packed.code), (Some(0), Some(0)));
    let alarms = |name| {
        let text = fs::read_to_string(place.join(name)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["alarms"].clone()
    };
    assert_eq!(alarms("a.json"), alarms("b.json"));
    let broken = eval(&place, &["cut.jsonl.xz"]);
    assert_eq!(broken.code, Some(2));
    let start = "error: cut.jsonl.xz: cannot read behind line ";
    assert!(broken.err.starts_with(start), "{}", broken.err);
}

#[test]
fn a_line_that_is_no_run_is_named() {
    let place = place("bad_line");
    let good = jsonl(&corpus()[..1]);
    let wrong = [
        ("{", "EOF while parsing"),
        (r#"{"id": "a"}"#, "missing field `label`"),
        (
            r#"{"id": "a", "label": {}, "steps": []}"#,
            "neither `set` nor `source` is given",
        ),
        (
            r#"{"id": "a", "set": "taubench", "label": {"reward": "much"}, "steps": []}"#,
            "`label.reward` is not a number",
        ),
        (
            r#"{"id": "a", "set": "s", "label": {}, "steps": [{"tool": "t"}]}"#,
            "missing field `role`",
        ),
    ];
    for (line, message) in wrong {
        fs::write(place.join("bad.jsonl"), format!("{good}\n{line}\n{good}")).unwrap();
        let ran = eval(&place, &["bad.jsonl"]);
        assert_eq!(ran.code, Some(2), "{line}");
        let start = format!("error: bad.jsonl:3: {message}");
        assert!(ran.err.starts_with(&start), "{}", ran.err);
    }
    let ran = eval(&place, &["absent.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot open absent.jsonl"));
}

#[test]
fn ids_that_repeat_are_told_apart() {
    let place = place("repeated_ids");
    let args = ["--config", "unstuck.toml", "--facts", "facts.json"];
    let ran = eval(&place, &[&args[..], &["runs.jsonl", "runs.jsonl"]].concat());
    assert_eq!(ran.code, Some(0));
    let text = fs::read_to_string(place.join("facts.json")).unwrap();
    let facts: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(facts["alarms"]["study/1"], facts["alarms"]["study/1#2"]);
    assert_eq!(facts["alarms"]["study/1"], serde_json::json!([2, 4, null]));
}

#[test]
fn numbers_are_written_in_the_references_form() {
    let place = place("json");
    let args = [
        "runs.jsonl",
        "--config",
        "unstuck.toml",
        "--json",
        "out.json",
        "--leave-one-out",
    ];
    assert_eq!(eval(&place, &args).code, Some(0));
    let text = fs::read_to_string(place.join("out.json")).unwrap();
    let numbers: Value = serde_json::from_str(&text).unwrap();
    let set = &numbers["sets"]["overthinking"];
    assert_eq!(
        set["alarms"],
        serde_json::json!({"nudge": 2, "deny": 1, "halt": 1})
    );
    assert_eq!(
        set["label"]["nudge"],
        serde_json::json!({"P": 0.5, "R": 0.5, "F1": 0.5, "tp": 1, "fp": 1, "fn": 1})
    );
    assert_eq!(set["outcome"]["unit"], "tokens");
    assert_eq!(set["outcome"]["deny"]["after"], 0.25);
    assert_eq!(set["steps"], Value::Null);
    assert_eq!(numbers["line_errors"], 0);
    let after = "overthinking unsolved tokens after first deny+";
    assert_eq!(numbers["headline"][after], 0.25);
    assert_eq!(numbers["without"]["exact-repeat"][after], 0.0);
    assert_eq!(numbers["without"]["summary-loop"][after], 0.25);
    assert_eq!(
        numbers["rules"]["exact-repeat"]["sets"]["overthinking"]["deny"]["runs"],
        1
    );
}

#[test]
fn halves_add_up_to_the_whole() {
    let place = place("halves");
    let count = |split: &str| {
        let args = ["runs.jsonl", "--split", split, "--json", "out.json"];
        assert_eq!(eval(&place, &args).code, Some(0));
        let text = fs::read_to_string(place.join("out.json")).unwrap();
        let numbers: Value = serde_json::from_str(&text).unwrap();
        let sets = numbers["sets"].as_object().unwrap().clone();
        sets.values()
            .map(|set| set["n"].as_u64().unwrap())
            .sum::<u64>()
    };
    let (tune, holdout) = (count("tune"), count("holdout"));
    assert!(tune > 0 && holdout > 0, "{tune} and {holdout}");
    assert_eq!(tune + holdout, count("all"));
}

#[test]
fn our_facts_can_be_scored_as_a_peer() {
    let place = place("peers");
    let ours = ["runs.jsonl", "--config", "unstuck.toml"];
    let facts = [&ours[..], &["--facts", "facts.json"]].concat();
    assert_eq!(eval(&place, &facts).code, Some(0));
    let ran = eval(&place, &[&ours[..], &["--peers", "facts.json"]].concat());
    assert_eq!(ran.code, Some(0));
    let row = |name: &str| {
        let line = ran.out.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("ours "), row("facts "));
    fs::write(place.join("broken.json"), "[]").unwrap();
    let ran = eval(&place, &["runs.jsonl", "--peers", "broken.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .starts_with("error: broken.json holds no first-alarm facts")
    );
}

#[test]
fn only_the_sets_asked_for_are_scored() {
    let place = place("sets");
    let ran = eval(&place, &["runs.jsonl", "--set", "taubench"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("\ntaubench  2 "), "{}", ran.out);
    assert!(!ran.out.contains("\noverthinking  "), "{}", ran.out);
    let ran = eval(&place, &["runs.jsonl", "--set", "nothing"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: the corpus holds no runs of these sets\n");
}

#[test]
fn lists_and_single_runs_are_printed() {
    let place = place("lists");
    let ours = ["runs.jsonl", "--config", "unstuck.toml"];
    let ran = eval(
        &place,
        &[
            &ours[..],
            &["--misses", "overthinking", "--false-alarms", "overthinking"],
        ]
        .concat(),
    );
    assert!(ran.out.ends_with(
        "
missed\tm/o__p-4\tloop
1 missed by first rule: \n
false alarm\tm/o__p-1\tsolved, no loop\tnudge@2 exact-repeat 3x
1 false alarm by first rule: exact-repeat 1
"
    ));
    let ran = eval(
        &place,
        &[&ours[..], &["--show", "p-1", "--show", "study/1"]].concat(),
    );
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("m/o__p-1 (overthinking, "));
    assert!(ran.out.contains("\nstudy/1 (llm_agents_study, "));
    let ran = eval(&place, &["runs.jsonl", "--show", "air"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: several runs have `air` in their id:\n  air/1/0\n  air/2/0\n"
    );
}

#[test]
fn the_page_is_about_everything_or_not_written() {
    let place = place("page");
    let args = [
        "runs.jsonl",
        "--config",
        "unstuck.toml",
        "--write-docs",
        "q.md",
    ];
    assert_eq!(eval(&place, &args).code, Some(0));
    let page = fs::read_to_string(place.join("q.md")).unwrap();
    assert!(page.contains("\nHow unstuck `standard` with a configuration does on 7 recorded runs"));
    assert!(page.contains("| without `exact-repeat` |"));
    assert!(!page.contains("q.md") && !page.contains("runs.jsonl"));
    for half in [["--split", "tune"], ["--set", "taubench"]] {
        let ran = eval(&place, &[&args[..], &half].concat());
        assert_eq!(ran.code, Some(2), "{half:?}");
    }
}

#[test]
fn a_bad_configuration_is_told_with_its_place() {
    let place = place("bad_configuration");
    fs::write(place.join("bad.toml"), "[rules.exact-repeat]\nnudg = 1\n").unwrap();
    let ran = eval(&place, &["runs.jsonl", "--config", "bad.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("bad.toml:2:1"), "{}", ran.err);
}
