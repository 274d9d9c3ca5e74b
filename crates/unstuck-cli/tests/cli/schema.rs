//! `unstuck schema`, and what is written by it.

use std::{
    io::{self, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::run::{Place, repeats};

/// Checks each line of standard input against the schema named by the first argument.
const CHECK: &str = "
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
checker = jsonschema.validators.validator_for(schema)
checker.check_schema(schema)
for text in open(sys.argv[2]).read().split('\\0'):
    for error in checker(schema).iter_errors(json.loads(text)):
        print(error.json_path, error.message[:200])
";

fn printed(place: &Place, name: &str) -> Value {
    let ran = place.run(&["schema", name]);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    serde_json::from_str(&ran.out).expect("JSON")
}

/// What a validator finds wrong with some documents; nothing where there is no validator.
fn faults(place: &Place, schema: &Value, documents: &[&str]) -> Option<String> {
    let python = |words: &[&str]| {
        let mut command = Command::new("python3");
        command
            .args(["-W", "ignore"])
            .args(words)
            .stdin(Stdio::null());
        command.output()
    };
    if !python(&["-c", "import jsonschema"]).is_ok_and(|ran| ran.status.success()) {
        let note = "skipped: python3 with jsonschema is not there";
        writeln!(io::stderr(), "{note}").expect("standard error");
        return None;
    }
    place.write("schema.json", schema.to_string());
    place.write("documents", documents.join("\0"));
    let paths = ["schema.json", "documents"].map(|name| place.path(name));
    let [schema, documents] = paths.each_ref().map(|path| path.to_str().expect("a path"));
    let ran = python(&["-c", CHECK, schema, documents]).expect("python3");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Some(text(&ran.stdout) + &text(&ran.stderr))
}

#[test]
fn schemas_are_listed_and_printed() {
    let place = Place::new("schema-list");
    let ran = place.run(&["schema"]);
    assert_eq!(ran.code, Some(0));
    for (name, file) in [
        ("config", "unstuck.schema.json"),
        ("scan", "scan.schema.json"),
        ("scan-lines", "scan-lines.schema.json"),
    ] {
        assert!(ran.out.contains(name), "{}", ran.out);
        let committed = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../schema")
            .join(file);
        let committed = std::fs::read_to_string(committed).expect("a committed schema");
        let committed: Value = serde_json::from_str(&committed).expect("JSON");
        assert_eq!(
            printed(&place, name),
            committed,
            "run `cargo xtask generate`"
        );
    }
    let config = place.run(&["config", "schema"]);
    let config: Value = serde_json::from_str(&config.out).expect("JSON");
    assert_eq!(config, printed(&place, "config"));
    assert_eq!(place.run(&["schema", "nothing"]).code, Some(2));
}

#[test]
fn reports_name_their_schema_and_follow_it() {
    let place = Place::new("schema-scan");
    place
        .write("in/a.jsonl", repeats(12))
        .write("in/b.jsonl", repeats(2) + "{\"event\":7}\n");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let examples = examples.to_str().expect("a path");

    let schema = printed(&place, "scan");
    let ran = place.run(&["scan", "--format", "json", "in", examples]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["$schema"], schema["$id"]);
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["tool_version"], env!("CARGO_PKG_VERSION"));
    assert!(!report["errors"].as_array().expect("errors").is_empty());
    let found = faults(&place, &schema, &[&ran.out]);
    assert_eq!(found.unwrap_or_default(), "");

    let schema = printed(&place, "scan-lines");
    let ran = place.run(&["scan", "--format", "jsonl", "in", examples]);
    let lines: Vec<_> = ran.out.lines().collect();
    let first: Value = serde_json::from_str(lines[0]).expect("JSON");
    assert_eq!(first["unstuck"]["$schema"], schema["$id"]);
    let found = faults(&place, &schema, &lines);
    assert_eq!(found.unwrap_or_default(), "");
    // The validator does find what is wrong.
    if let Some(found) = faults(&place, &schema, &["{\"runs\":[]}"]) {
        assert_ne!(found, "");
    }
}
