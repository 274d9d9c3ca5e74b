use serde_json::json;

use super::*;

fn found(packages: &Value) -> Vec<String> {
    let allowed = allowed("[licenses]\nallow = [\"MIT\", \"Apache-2.0 WITH LLVM-exception\"]\n");
    faults(&json!({ "packages": packages }), &allowed.unwrap()).unwrap()
}

fn package(licence: Value) -> Value {
    json!({"name": "x", "source": REGISTRY, "license": licence, "dependencies": []})
}

#[test]
fn a_licence_must_be_allowed() {
    for allowed in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/GPL-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert_eq!(
            found(&json!([package(allowed.into())])),
            [""; 0],
            "{allowed}"
        );
    }
    for denied in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0"] {
        let expected = format!("x: the licence `{denied}`");
        assert_eq!(found(&json!([package(denied.into())])), [expected]);
    }
    assert_eq!(found(&json!([package(Value::Null)])), ["x: no licence"]);
    let odd = found(&json!([package("as you like".into())]));
    assert_eq!(
        odd,
        ["x: the licence `as you like`, which is not an expression"]
    );
}

#[test]
fn a_source_must_be_the_registry() {
    let package = json!({"name": "x", "source": "git+https://example.org/x", "license": "MIT"});
    let faults = found(&json!([package]));
    assert_eq!(faults, ["x: the source git+https://example.org/x"]);
}

#[test]
fn our_packages_name_versions() {
    let ours = json!({"name": "ours", "source": null, "license": "MIT", "dependencies": [
        {"name": "a", "req": "*", "path": null},
        {"name": "b", "req": "^1", "path": null},
        {"name": "c", "req": "*", "path": "crates/c"},
    ]});
    assert_eq!(found(&json!([ours])), ["ours: any version of \"a\""]);
}

#[test]
fn the_rules_of_the_repository_are_read() {
    let shell = Shell::at_repository_root().unwrap();
    let rules = fs::read_to_string(shell.root().join(RULES)).unwrap();
    assert!(allowed(&rules).unwrap().len() > 3);
}
