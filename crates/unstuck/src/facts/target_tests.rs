use super::Target;
use crate::{Call, Json, Preset, Settings, facts::Extractor};

fn target(tool: &str, args: &str) -> Option<Target> {
    let settings = Settings::of(Preset::Standard);
    let extractor = Extractor::new("", &settings.identity, settings.rules.needs());
    let call = Call::new("c", tool, Json::parse(args).unwrap());
    Target::of(&extractor.view(&call))
}

#[test]
fn values_do_not_matter() {
    for (tool, one, other) in [
        (
            "set_field",
            r#"{"field":"amount","value":1}"#,
            r#"{"field":"amount","value":2}"#,
        ),
        (
            "write_file",
            r#"{"path":"a","content":"x"}"#,
            r#"{"path":"a","content":"y"}"#,
        ),
        (
            "update_plan",
            r#"{"plan":"read, then write"}"#,
            r#"{"plan":"write"}"#,
        ),
        ("TodoWrite", r#"{"todos":[1]}"#, r#"{"todos":[2]}"#),
        (
            "set_temperature",
            r#"{"temperature":20}"#,
            r#"{"temperature":21}"#,
        ),
        (
            "browser_type",
            r#"{"ref":"e1","text":"a"}"#,
            r#"{"ref":"e1","text":"b"}"#,
        ),
    ] {
        let one = target(tool, one);
        assert!(one.is_some(), "{tool}");
        assert_eq!(one, target(tool, other), "{tool}");
    }
}

#[test]
fn targets_are_told_apart() {
    for (tool, one, other) in [
        (
            "set_field",
            r#"{"field":"amount","value":1}"#,
            r#"{"field":"rate","value":1}"#,
        ),
        (
            "write_file",
            r#"{"path":"a","content":"x"}"#,
            r#"{"path":"b","content":"x"}"#,
        ),
        (
            "update_price",
            r#"{"sku":"A1","price":3}"#,
            r#"{"sku":"A2","price":3}"#,
        ),
    ] {
        assert_ne!(target(tool, one), target(tool, other), "{tool}");
    }
}

#[test]
fn calls_that_add_or_edit_a_part_have_no_target() {
    for (tool, args) in [
        ("append_to_file", r#"{"path":"a","text":"x"}"#),
        ("send_message", r#"{"recipient":"a","text":"x"}"#),
        ("create_ticket", r#"{"title":"a","body":"x"}"#),
        (
            "edit_file",
            r#"{"path":"a","old_string":"x","new_string":"y"}"#,
        ),
        ("type", r#"{"text":"x"}"#),
        ("read_file", r#"{"path":"a"}"#),
        ("bash", r#"{"command":"echo x > a"}"#),
        ("click", r#""'a1'""#),
    ] {
        assert_eq!(target(tool, args), None, "{tool}");
    }
}
