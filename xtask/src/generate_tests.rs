use super::*;

fn files(rows: &[(&str, &str)]) -> Files {
    rows.iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

fn drift(path: &str, kind: Kind) -> Drift {
    Drift {
        path: path.into(),
        kind,
    }
}

#[test]
fn equal_files_do_not_drift() {
    let made = files(&[("docs/rules/cycle.md", "x"), ("docs/config.md", "y")]);
    assert_eq!(compare(&made, &made), []);
}

#[test]
fn every_kind_of_drift_is_named_in_order() {
    let made = files(&[("docs/config.md", "new"), ("man/unstuck.1", "m")]);
    let committed = files(&[("docs/config.md", "old"), ("docs/rules/gone.md", "g")]);
    assert_eq!(
        compare(&made, &committed),
        [
            drift("docs/config.md", Kind::Differs),
            drift("docs/rules/gone.md", Kind::Stale),
            drift("man/unstuck.1", Kind::Missing),
        ]
    );
}

#[test]
fn only_owned_directories_and_made_files_are_looked_at() {
    let scratch = Scratch::new().unwrap();
    let root = &scratch.0;
    for (path, text) in [
        ("docs/rules/old.md", "old"),
        ("docs/guide.md", "written by hand"),
        ("schema/unstuck.schema.json", "{}"),
        ("schema/other.json", "{}"),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let made = files(&[("schema/unstuck.schema.json", "{}"), ("man/a.1", "")]);
    assert_eq!(
        committed(root, &made).unwrap(),
        files(&[
            ("docs/rules/old.md", "old"),
            ("schema/unstuck.schema.json", "{}")
        ])
    );
}

#[test]
fn check_is_the_only_flag() {
    let parse = crate::parsed::<Options>;
    assert!(!parse(&[]).unwrap().check);
    assert!(parse(&["--check"]).unwrap().check);
    assert!(parse(&["--out"]).is_err());
}

#[test]
fn every_plugin_that_a_marketplace_names_is_there() {
    let shell = Shell::at_repository_root().unwrap();
    let read = |path: &str| -> serde_json::Value {
        let text = fs::read_to_string(shell.root().join(path)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    for (marketplace, source, manifest) in [
        (
            ".claude-plugin/marketplace.json",
            "/source",
            ".claude-plugin/plugin.json",
        ),
        (
            ".agents/plugins/marketplace.json",
            "/source/path",
            ".codex-plugin/plugin.json",
        ),
    ] {
        let plugins = read(marketplace)["plugins"].as_array().unwrap().clone();
        assert!(!plugins.is_empty(), "{marketplace}");
        for plugin in plugins {
            let folder = plugin.pointer(source).and_then(|path| path.as_str());
            let folder = folder.unwrap().trim_start_matches("./");
            let found = read(&format!("{folder}/{manifest}"));
            assert_eq!(found["name"], plugin["name"], "{folder}");
            let hooks = read(&format!("{folder}/hooks/hooks.json"));
            assert!(hooks["hooks"]["PreToolUse"].is_array(), "{folder}");
        }
    }
}
