use serde_json::json;

use super::*;

const CORE: Subject = Subject::Of {
    packages: &["core"],
    alone: &["command"],
    paths: &["conformance/"],
};

/// `command` uses `report`, and both use `core`, which uses `json`.
fn packages() -> Packages {
    let package = |name: &str, directory: &str, uses: &[&str]| {
        let uses: Vec<_> = uses
            .iter()
            .map(|name| json!({"name": name, "path": "/r/x"}))
            .collect();
        let manifest = format!("/r/{directory}/Cargo.toml");
        json!({"name": name, "manifest_path": manifest, "dependencies": uses})
    };
    let mut all = vec![
        package("json", "crates/core-json", &[]),
        package("core", "crates/core", &["json"]),
        package("report", "crates/report", &["core"]),
        package("command", "crates/command", &["report", "core"]),
        package("xtask", "xtask", &[]),
    ];
    all[0]["dependencies"] = json!([{"name": "core", "req": "1", "path": null}]);
    Packages::parse(&json!({ "packages": all }), "/r").unwrap()
}

fn concerned(path: &str) -> bool {
    packages().concerns(path, CORE)
}

#[test]
fn code_that_a_step_runs_concerns_it() {
    assert!(concerned("crates/core/src/lib.rs"));
    assert!(concerned("crates/core-json/src/lib.rs"), "used by it");
    assert!(concerned("crates/command/src/main.rs"), "named alone");
    assert!(
        !concerned("crates/report/src/lib.rs"),
        "used by what is named alone"
    );
}

#[test]
fn tasks_and_unknown_places_concern_every_step() {
    for path in [
        "xtask/src/main.rs",
        "Cargo.lock",
        "Cargo.toml",
        ".ci/run",
        "new/file",
    ] {
        assert!(concerned(path), "{path}");
    }
}

#[test]
fn documents_concern_the_steps_that_name_them() {
    assert!(concerned("conformance/polls.jsonl"));
    for path in [
        "docs/guide/scan.md",
        "README.md",
        "examples/events/stuck.jsonl",
    ] {
        assert!(!concerned(path), "{path}");
        assert!(packages().concerns(path, Subject::Everything), "{path}");
    }
}

#[test]
fn one_file_that_concerns_a_step_is_enough() {
    let changes = |files: &[&str]| Changes {
        base: "x".to_owned(),
        files: files.iter().map(ToString::to_string).collect(),
    };
    let concern = |files: &[&str]| changes(files).concern(&packages(), CORE);
    assert!(concern(&["README.md", "crates/core/src/lib.rs"]));
    assert!(!concern(&["README.md", "crates/report/src/lib.rs"]));
    assert!(!concern(&[]));
}

#[test]
fn a_base_must_be_a_commit() {
    let shell = Shell::at_repository_root().unwrap();
    let error = Changes::since(&shell, Some("no-such-commit")).unwrap_err();
    assert!(error.to_string().contains("`no-such-commit`"), "{error}");
}
