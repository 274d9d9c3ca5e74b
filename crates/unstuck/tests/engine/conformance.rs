//! The shared vectors, through the library.

use std::{fs, path::Path};

use serde_json::Value;
use unstuck::{
    Engine, Event, Preset, Settings, Verdict,
    fingerprint::{Domain, Fingerprinter},
};

#[expect(clippy::disallowed_methods, reason = "a test reads its vectors")]
fn vectors(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../conformance")
        .join(name);
    fs::read_to_string(path).unwrap()
}

/// Runs every case of a preset in an engine of its own and compares the fields that are expected.
fn run(preset: Preset) {
    let text = vectors(&format!("{preset}.jsonl"));
    let mut cases = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let mut engine = Engine::new(Settings::of(preset));
        let events = case["events"].as_array().unwrap();
        let expected = case["expect"].as_array().unwrap();
        assert_eq!(events.len(), expected.len(), "{}", case["id"]);
        for (at, (event, expected)) in events.iter().zip(expected).enumerate() {
            let event = Event::parse(event.to_string().as_bytes()).unwrap();
            let decision = serde_json::to_value(engine.observe(event)).unwrap();
            for (field, value) in expected.as_object().unwrap() {
                if field == "message_has" {
                    let message = decision["message"].as_str().unwrap().to_lowercase();
                    for words in value.as_array().unwrap() {
                        assert!(
                            message.contains(&words.as_str().unwrap().to_lowercase()),
                            "{} event {at}",
                            case["id"]
                        );
                    }
                } else {
                    assert_eq!(
                        &decision[field], value,
                        "{} event {at}: {field}",
                        case["id"]
                    );
                }
            }
        }
        cases += 1;
    }
    assert!(cases > 50, "{preset}: only {cases} cases");
}

/// Runs every case of a file with bounds under `standard`: the strictest verdict anywhere, or the call or text by which
/// there is a nudge.
fn run_bounded(file: &str) {
    for line in vectors(file).lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, expect) = (&case["id"], &case["expect"]);
        let unit = expect["unit"].as_str().unwrap_or("call");
        let mut engine = Engine::new(Settings::of(Preset::Standard));
        let mut units = 0;
        let mut first_nudge = None;
        for event in case["events"].as_array().unwrap() {
            units += u64::from(event["event"] == *unit);
            let event = Event::parse(event.to_string().as_bytes()).unwrap();
            if engine.observe(event).verdict > Verdict::Allow {
                first_nudge.get_or_insert(units);
            }
        }
        match expect["nudge_by"].as_u64() {
            Some(by) => assert!(
                first_nudge.is_some_and(|at| at <= by),
                "{id}: {first_nudge:?}"
            ),
            None => assert_eq!(
                (expect["max"].as_str(), first_nudge),
                (Some("allow"), None),
                "{id}"
            ),
        }
    }
}

#[test]
fn test_runs() {
    run_bounded("tests.jsonl");
}

#[test]
fn texts() {
    run_bounded("text.jsonl");
}

#[test]
fn mechanisms_that_the_recordings_do_not_need() {
    run_bounded("needed.jsonl");
}

#[test]
fn ironcurtain() {
    run(Preset::Ironcurtain);
}

#[test]
fn attractor() {
    run(Preset::Attractor);
}

#[test]
fn attocode() {
    run(Preset::Attocode);
}

#[test]
fn tool_loop_detector() {
    run(Preset::ToolLoopDetector);
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
