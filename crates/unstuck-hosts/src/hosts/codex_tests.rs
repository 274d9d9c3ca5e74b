use super::*;

#[test]
fn events_are_named_in_snake_case() {
    assert_eq!(snake_case("PreToolUse"), "pre_tool_use");
    assert_eq!(snake_case("Stop"), "stop");
}

#[test]
fn a_hook_in_toml_has_the_hash_of_the_same_hook_in_json() {
    let json = r#"{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[
        {"type":"command","command":"unstuck hook codex","timeout":10}]}]}}"#;
    let toml = "[[hooks.PreToolUse]]\nmatcher = \"*\"\n[[hooks.PreToolUse.hooks]]\n\
        type = \"command\"\ncommand = \"unstuck hook codex\"\ntimeout = 10\n";
    let path = Path::new("/x");
    let of_json = trust_keys(path, &groups_of_json(json).unwrap());
    assert_eq!(of_json[0].0, "/x:pre_tool_use:0:0");
    assert_eq!(of_json, trust_keys(path, &groups_of_toml(toml).unwrap()));
}

#[test]
fn what_was_reviewed_is_trusted_as_it_is() {
    let invocation = Invocation::new("/usr/bin/unstuck");
    let around = |hooks: Option<&str>, config: Option<&str>| {
        let read = |path: &Path| {
            let text = if path.ends_with("hooks.json") {
                hooks
            } else {
                config
            };
            text.map(str::to_owned)
        };
        let around = Surroundings {
            home: Path::new("/home/dev"),
            config: Path::new("/home/dev/.config"),
            project: Path::new("/project"),
            variable: &|_| None,
            read: &read,
        };
        let plan = crate::plan(Host::Codex, Scope::User, &around, &invocation);
        let text = plan.files[0].add(None, None).unwrap().text;
        (trust(&plan, &around), plan.files[0].path.clone(), text)
    };
    let (trust, path, text) = around(None, None);
    assert!(matches!(trust, Trust::Missing(_)));
    let (trust, ..) = around(Some(&text), None);
    assert!(matches!(trust, Trust::Missing(_)));
    let keys = trust_keys(&path, &groups_of_json(&text).unwrap());
    let entry = |(key, hash)| format!("[hooks.state.\"{key}\"]\ntrusted_hash = \"{hash}\"\n");
    let config: String = keys.into_iter().map(entry).collect();
    assert_eq!(around(Some(&text), Some(&config)).0, Trust::Granted);
    let changed = text.replace(": 10", ": 11");
    assert!(matches!(
        around(Some(&changed), Some(&config)).0,
        Trust::Missing(_)
    ));
    assert!(matches!(
        around(Some(&text), Some("= broken")).0,
        Trust::Unknown(_)
    ));
}
