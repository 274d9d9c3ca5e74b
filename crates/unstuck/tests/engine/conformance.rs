//! The shared vectors, through the library.

use std::{fs, path::Path};

use serde_json::Value;
use unstuck::{
    Engine, EventReader, Preset, Settings,
    fingerprint::{Domain, Fingerprinter},
};
use unstuck_conformance::{Case, Vectors, preset, reported};

#[expect(clippy::disallowed_methods, reason = "a test reads its vectors")]
fn vectors(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name);
    fs::read_to_string(path).unwrap()
}

/// Decisions of an engine of its own on the events of a case.
fn decisions<E>(case: &Case<'_, E>) -> Vec<Value> {
    let settings = Settings::of(case.preset().parse().unwrap());
    let mut engine = Engine::new(settings);
    let mut reader = EventReader::default();
    let decide = |line: String| {
        let event = reader.read(line.as_bytes()).unwrap();
        serde_json::to_value(engine.observe(event)).unwrap()
    };
    case.lines().map(decide).collect()
}

/// Judges every case of a file.
fn judge(file: &str, least: usize) {
    let text = vectors(file);
    let faults: Vec<_> = match Vectors::parse(&text).unwrap() {
        Vectors::Preset(cases) => {
            assert!(cases.len() >= least, "{file}: only {} cases", cases.len());
            let judged = cases
                .iter()
                .map(|case| (&case.id, preset(case, &decisions(case))));
            judged
                .filter_map(|(id, end)| Some((id.clone(), end.err()?)))
                .collect()
        }
        Vectors::Reported(cases) => {
            assert!(cases.len() >= least, "{file}: only {} cases", cases.len());
            let judged = cases
                .iter()
                .map(|case| (&case.id, reported(case, &decisions(case))));
            judged
                .filter_map(|(id, end)| Some((id.clone(), end.err()?)))
                .collect()
        }
        Vectors::Canonical(_) => panic!("{file} has canonical forms"),
    };
    assert!(faults.is_empty(), "{file}: {faults:#?}");
}

fn contract(preset: Preset) {
    judge(&format!("{preset}.jsonl"), 50);
}

#[test]
fn test_runs() {
    judge("tests.jsonl", 12);
}

#[test]
fn texts() {
    judge("text.jsonl", 7);
}

#[test]
fn mechanisms_that_the_recordings_do_not_need() {
    judge("needed.jsonl", 8);
}

#[test]
fn ironcurtain() {
    contract(Preset::Ironcurtain);
}

#[test]
fn attractor() {
    contract(Preset::Attractor);
}

#[test]
fn attocode() {
    contract(Preset::Attocode);
}

#[test]
fn tool_loop_detector() {
    contract(Preset::ToolLoopDetector);
}

#[test]
fn fingerprints() {
    let rows: Value = serde_json::from_str(&vectors("fingerprints.json")).unwrap();
    for row in rows.as_array().unwrap() {
        let domain = match row["domain"].as_str().unwrap() {
            "action" => Domain::Action,
            "outcome" => Domain::Outcome,
            _ => Domain::Text,
        };
        let prints = Fingerprinter::new(row["secret"].as_str().unwrap().as_bytes());
        let print = prints.canonical(domain, row["canonical"].as_str().unwrap().as_bytes());
        assert_eq!(print.to_string(), row["fingerprint"].as_str().unwrap());
    }
}

#[test]
fn messages() {
    judge("messages.jsonl", 6);
}

#[test]
fn single_decisions() {
    judge("decisions.jsonl", 3);
}

#[test]
fn ends() {
    judge("ends.jsonl", 43);
}

#[test]
fn polls() {
    judge("polls.jsonl", 19);
}

#[test]
fn reported_cases() {
    judge("reported-cases.jsonl", 60);
}
