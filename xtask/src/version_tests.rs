use super::*;

// In two parts, so that this file does not have the version too.
const OTHER: &str = concat!("7.8.", "9-rc.1");

fn of_this_repository() -> (Files, String) {
    let files = tracked(&Shell::at_repository_root().unwrap()).unwrap();
    let version = present(&files).unwrap();
    (files, version)
}

#[test]
fn a_version_that_is_moved_there_and_back_leaves_every_file_as_it_was() {
    let (files, version) = of_this_repository();
    let there = moved(&files, &version, OTHER).unwrap();
    assert_eq!(present(&there).unwrap(), OTHER);
    let back = moved(&there, OTHER, &version).unwrap();
    let differing: Vec<_> = files
        .iter()
        .filter(|(path, text)| back.get(*path) != Some(text))
        .map(|(path, _)| path)
        .collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn no_place_with_the_old_version_is_left() {
    let (files, version) = of_this_repository();
    let there = moved(&files, &version, OTHER).unwrap();
    // Nothing of ours is found any more.
    assert_eq!(places(&there, &version).unwrap(), BTreeMap::new());
    let changed: Vec<_> = files
        .iter()
        .filter(|(path, text)| there.get(*path) != Some(text))
        .map(|(path, _)| path.as_str())
        .collect();
    for path in [
        "Cargo.toml",
        "Cargo.lock",
        "fuzz/Cargo.lock",
        "man/unstuck.1",
        "plugins/claude-code/.claude-plugin/plugin.json",
        "plugins/codex/.codex-plugin/plugin.json",
    ] {
        assert!(changed.contains(&path), "{path}: {changed:?}");
    }
    // Every file that says the version of a package of ours.
    for (path, text) in &there {
        let name = path.rsplit('/').next().unwrap_or(path);
        if ["package.json", "pyproject.toml", "plugin.json"].contains(&name) {
            let says = |line: &&str| line.contains("version\"") && line.contains(&version);
            assert_eq!(text.lines().find(says), None, "{path}");
        }
    }
}

#[test]
fn every_package_of_the_lock_file_that_is_ours_moves() {
    let (files, version) = of_this_repository();
    let there = moved(&files, &version, OTHER).unwrap();
    let packages = |text: &str, version: &str| {
        let line = format!("\nversion = \"{version}\"\n");
        let blocks = text.split("[[package]]\n");
        let ours = blocks.filter(|block| block.contains(&line) && !block.contains("\nsource = "));
        ours.count()
    };
    let lock = "Cargo.lock";
    let (before, after) = (
        packages(&files[lock], &version),
        packages(&there[lock], OTHER),
    );
    assert!(before > 15, "{before}");
    assert_eq!(before, after);
    assert_eq!(packages(&there[lock], &version), 0);
}

fn files(of: &[(&str, &str)]) -> Files {
    let of = of
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    of.collect()
}

#[test]
fn packages_of_others_keep_their_versions() {
    let before = files(&[
        (
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.0.0\"\n[workspace.dependencies]\nunstuck = { path = \"a\", version = \"1.0.0\" }\nbase64 = \"1.0.0\"\n",
        ),
        (
            "Cargo.lock",
            "[[package]]\nname = \"base64\"\nversion = \"1.0.0\"\nsource = \"registry\"\n\n[[package]]\nname = \"unstuck\"\nversion = \"1.0.0\"\n",
        ),
        (
            "bindings/node/package.json",
            "{\n  \"name\": \"unstuck\",\n  \"version\": \"1.0.0\",\n  \"optionalDependencies\": {\n    \"@unstuck/linux-x64-gnu\": \"1.0.0\"\n  },\n  \"devDependencies\": {\n    \"typescript\": \"1.0.0\"\n  }\n}\n",
        ),
        (
            "bindings/node/package-lock.json",
            "{\n  \"name\": \"unstuck\",\n  \"version\": \"1.0.0\",\n  \"packages\": {\n    \"\": {\n      \"name\": \"unstuck\",\n      \"version\": \"1.0.0\"\n    },\n    \"node_modules/typescript\": {\n      \"version\": \"1.0.0\"\n    }\n  }\n}\n",
        ),
        (
            "bindings/python/pyproject.toml",
            "[project]\nversion = \"1.0.0\"\nrequires = [\"maturin==1.0.0\"]\n",
        ),
        ("CHANGELOG.md", "## 1.0.0\n"),
        (
            "notes.md",
            "1.0.01, 11.0.0, 1.0.0.1 and 1.0.0-rc.1 are other versions\n",
        ),
    ]);
    let after = moved(&before, "1.0.0", "2.0.0").unwrap();
    for (path, count) in [
        ("Cargo.toml", 2),
        ("Cargo.lock", 1),
        ("bindings/node/package.json", 2),
        ("bindings/node/package-lock.json", 2),
        ("bindings/python/pyproject.toml", 1),
        ("CHANGELOG.md", 0),
        ("notes.md", 0),
    ] {
        assert_eq!(after[path].matches("2.0.0").count(), count, "{path}");
    }
    assert!(after["Cargo.toml"].contains("base64 = \"1.0.0\""));
    assert!(after["bindings/node/package.json"].contains("\"typescript\": \"1.0.0\""));
}

#[test]
fn a_place_that_is_not_known_is_an_error_that_names_it() {
    let unknown = files(&[("docs/new.md", "Install it.\nIt is 1.0.0.\n")]);
    let error = moved(&unknown, "1.0.0", "2.0.0").unwrap_err().to_string();
    assert!(error.contains("docs/new.md:2"), "{error}");
}

#[test]
fn only_versions_are_accepted() {
    for version in ["1.2.3", "0.0.1", "10.20.30", "1.2.3-rc.1", "1.0.0-alpha"] {
        assert!(check(version).is_ok(), "{version}");
    }
    for version in [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "v1.2.3",
        "1.2.x",
        "01.2.3",
        "1.2.3-",
        "1.2.3-a..b",
        "1.2.3+b",
        "1.2.3 ",
        "1.2.3-a/b",
    ] {
        assert!(check(version).is_err(), "{version}");
    }
}
