use super::*;

/// Two programs and a library, one package of each kind of dependency, and one that nothing uses.
fn metadata() -> Value {
    let package = |name: &str, version: &str, licence: &str| {
        json!({
            "id": name, "name": name, "version": version, "license": licence,
            "repository": "https://example.com/x",
        })
    };
    let dep = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
    json!({
        "packages": [
            package("command", "1.0.0", "MIT OR Apache-2.0"),
            package("hook", "1.0.0", "MIT OR Apache-2.0"),
            package("used", "2.0.0+x", "MIT/Apache-2.0"),
            package("deep", "3.0.0", "ISC"),
            package("build", "4.0.0", "MIT"),
            package("test", "5.0.0", "MIT"),
            package("alone", "6.0.0", "MIT"),
        ],
        "resolve": { "nodes": [
            { "id": "command", "deps": [
                dep("used", Value::Null),
                dep("build", "build".into()),
                dep("test", "dev".into()),
            ]},
            { "id": "hook", "deps": [dep("deep", Value::Null)] },
            { "id": "used", "deps": [dep("deep", Value::Null)] },
            { "id": "deep", "deps": [] },
            { "id": "build", "deps": [] },
            { "id": "test", "deps": [] },
            { "id": "alone", "deps": [] },
        ]},
    })
}

const LOCK: &str =
    "version = 4\n[[package]]\nname = \"deep\"\nversion = \"3.0.0\"\nchecksum = \"ab\"\n";

fn bill(time: u64) -> Value {
    let text = of(&metadata(), LOCK, &["command", "hook"], time).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_bill_lists_what_runs_and_nothing_else() {
    let bill = bill(0);
    let components = bill["components"].as_array().unwrap();
    let names: Vec<_> = components.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["command", "deep", "hook", "used"]);
    assert_eq!(
        components[1]["hashes"],
        json!([{ "alg": "SHA-256", "content": "ab" }])
    );
    assert_eq!(components[3]["purl"], "pkg:cargo/used@2.0.0%2Bx");
    assert_eq!(
        components[3]["licenses"],
        json!([{ "expression": "MIT OR Apache-2.0" }])
    );
    assert_eq!(
        bill["dependencies"][0],
        json!({ "ref": "unstuck", "dependsOn": ["pkg:cargo/command@1.0.0", "pkg:cargo/hook@1.0.0"] })
    );
    assert_eq!(
        bill["dependencies"][1],
        json!({ "ref": "pkg:cargo/command@1.0.0", "dependsOn": ["pkg:cargo/used@2.0.0%2Bx"] })
    );
    assert_eq!(bill["metadata"]["component"]["version"], "1.0.0");
}

#[test]
fn the_same_contents_are_the_same_document() {
    assert_eq!(bill(5), bill(5));
    let (one, other) = (bill(5), bill(1_800_000_000));
    assert_ne!(one["serialNumber"], other["serialNumber"]);
    assert_eq!(other["metadata"]["timestamp"], "2027-01-15T08:00:00Z");
    let number = one["serialNumber"].as_str().unwrap();
    let parts: Vec<_> = number
        .strip_prefix("urn:uuid:")
        .unwrap()
        .split('-')
        .collect();
    let lengths: Vec<_> = parts.iter().map(|part| part.len()).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert!(parts[2].starts_with('8'));
}

#[test]
fn a_package_that_cargo_does_not_list_is_an_error() {
    let error = of(&metadata(), LOCK, &["missing"], 0).unwrap_err();
    assert!(error.to_string().contains("no such program"), "{error}");
}
