use super::*;

#[test]
fn a_line_is_one_line_and_hides_nothing() {
    let text = "a\n\tb\u{1b}[31mred\u{202e}evil\u{200b}x";
    assert_eq!(&*one_line(text), "a b [31mred evil x");
    assert_eq!(&*one_line("  \u{feff}lead"), "lead");
}

#[test]
fn a_line_is_short() {
    let line = one_line(&"é".repeat(500));
    assert!(line.ends_with('…') && line.len() <= LONGEST + 4, "{line}");
}

#[test]
fn a_long_name_is_cut_between_characters() {
    assert_eq!(bounded_tool(&"é".repeat(500)).len(), 256);
    assert_eq!(&*bounded_tool("short"), "short");
}

fn label(tool: &str, args: &str) -> String {
    let args = unstuck_json::Json::parse(args).unwrap();
    let call = crate::Call::new("", tool, args);
    call.label().into()
}

#[test]
fn a_call_is_named_with_its_telling_argument() {
    for (tool, args, wanted) in [
        (
            "bash",
            r#"{"command":"make -j test","timeout":9}"#,
            "bash make -j test",
        ),
        (
            "read_file",
            r#"{"encoding":"utf-8","path":"src/a.py"}"#,
            "read_file src/a.py",
        ),
        (
            "str_replace_editor",
            r#"{"command":"view","path":"/w/src/a.py"}"#,
            "str_replace_editor view /w/src/a.py",
        ),
        ("editor", r#"{"command":"undo","steps":2}"#, "editor undo"),
        (
            "grep",
            r#"{"path":"src","pattern":"TODO"}"#,
            "grep TODO src",
        ),
        (
            "http",
            r#"{"method":"POST","url":"https://api.example/v1"}"#,
            "http POST https://api.example/v1",
        ),
        (
            "web_search",
            r#"{"count":3,"query":"rust arc str"}"#,
            "web_search rust arc str",
        ),
        ("python", r#"{"code":"print(1)"}"#, "python print(1)"),
        (
            "process",
            r#"{"action":"poll","id":7}"#,
            r#"process {"action":"poll","id":7}"#,
        ),
        (
            "get_user",
            r#"{"user_id":"u7"}"#,
            r#"get_user {"user_id":"u7"}"#,
        ),
        ("say", r#""hello there""#, "say hello there"),
        ("ping", "{}", "ping"),
    ] {
        assert_eq!(label(tool, args), wanted);
    }
}

#[test]
fn the_name_of_a_file_stays_in_a_label() {
    let folder = "a_folder_with_a_long_name/".repeat(9);
    let args = format!(r#"{{"command":"str_replace","path":"/{folder}related_descriptors.py"}}"#);
    let long = label("str_replace_editor", &args);
    assert!(
        long.starts_with("str_replace_editor str_replace …/"),
        "{long}"
    );
    assert!(long.ends_with("/related_descriptors.py"), "{long}");
    let args = format!(
        r#"{{"pattern":"{}","path":"/{folder}fields.py"}}"#,
        "x".repeat(200)
    );
    let both = label("grep", &args);
    assert!(
        both.contains(" xxxx") && both.ends_with("/fields.py"),
        "{both}"
    );
    let name = format!(
        r#"{{"path":"/src/{}.py"}}"#,
        "descriptor_of_fields".repeat(9)
    );
    let cut = label("read_file", &name);
    assert!(cut.contains("…/descriptor_of_fields"), "{cut}");
    for label in [long, both, cut] {
        assert!(label.len() <= LONGEST + 4, "{label}");
    }
    let tool = label(&"mcp__server__tool_".repeat(9), r#"{"path":"src/a.py"}"#);
    assert!(tool.ends_with("src/a.py"), "{tool}");
}

fn stored(label: &Label) -> Label {
    let bytes = postcard::to_extend(label, Vec::new()).unwrap();
    postcard::from_bytes(&bytes).unwrap()
}

fn made(tool: &str, args: &str) -> Label {
    let args = unstuck_json::Json::parse(args).unwrap();
    let members: Vec<_> = args.view().members().collect();
    of(tool, args.view(), &members, None)
}

#[test]
fn state_holds_the_argument_of_a_call_that_was_seen_before() {
    let mut label = made("read_file", r#"{"path":"src/a.py"}"#);
    assert_eq!(&*stored(&label), "read_file");
    label.store_whole();
    assert_eq!(&*stored(&label), "read_file src/a.py");
}

#[test]
fn a_host_that_repeats_a_call_completes_its_label() {
    let mut label = stored(&made("read_file", r#"{"path":"src/a.py"}"#));
    label.complete("another src/b.py");
    assert_eq!(&*label, "read_file");
    label.complete("read_file src/a.py");
    assert_eq!(&*label, "read_file src/a.py");
    assert_eq!(
        &*stored(&label),
        "read_file",
        "it was still not seen before"
    );
    label.complete("read_file src/b.py");
    assert_eq!(&*label, "read_file src/a.py");
}
