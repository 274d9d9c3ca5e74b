use super::*;

#[test]
fn exit_codes_are_found_at_the_edges_of_a_result() {
    let code = |text: &str| exit_code(text, "Exit Code:");
    assert_eq!(code("Command: x\nExit Code: 3\nSignal: (none)"), Some(3));
    assert_eq!(code("Exit Code: -1"), Some(-1));
    assert_eq!(code("Exit Code: (none)"), None);
    assert_eq!(code("it said Exit Code: 3"), None);
    let long = format!("Output: {}Exit Code: 7\nSignal: x", "line\n".repeat(100));
    assert_eq!(code(&long), Some(7));
}

#[test]
fn parts_that_are_all_text_are_one_string() {
    let of = |text: &str| content(Json::parse(text).unwrap().view()).to_string();
    assert_eq!(
        of(r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#),
        r#""a\nb""#
    );
    assert_eq!(
        of(r#"[{"type":"text","text":"a"},{"type":"image"}]"#),
        r#"[{"text":"a","type":"text"},{"type":"image"}]"#
    );
    assert_eq!(of("[]"), "[]");
    assert_eq!(of(r#""a""#), r#""a""#);
}

#[test]
fn text_that_is_json_is_read_as_such() {
    assert_eq!(from_text(r#"{"b":1,"a":2}"#).as_str(), r#"{"a":2,"b":1}"#);
    assert_eq!(from_text("{oops").as_str(), r#""{oops""#);
}
