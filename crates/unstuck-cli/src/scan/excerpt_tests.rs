use super::*;

fn shown(json: &str) -> String {
    shown_arguments(&Json::parse(json).unwrap())
}

#[test]
fn calls_of_one_tool_are_shown_alike() {
    assert_eq!(shown(r#"{"command":": \"\""}"#), ": \"\"");
    assert_eq!(
        shown(r#"{"command":": \"\"","description":"","timeout":5}"#),
        ": \"\"\ndescription: \ntimeout: 5"
    );
    assert_eq!(
        shown(r#"{"description":"a test","command":"make"}"#),
        "make\ndescription: a test"
    );
}

#[test]
fn other_arguments_are_shown_as_json() {
    assert_eq!(shown(r#"{"path":"a.txt"}"#), "{\n  \"path\": \"a.txt\"\n}");
    assert_eq!(shown("[1]"), "[\n  1\n]");
}
